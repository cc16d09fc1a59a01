#include <catch2/catch.hpp>

#include <charconv>

#include "parsers/io500/config.hpp"
#include "parsers/io500/join.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

const std::string io500_config_folder = "io500/directory/";

/// What the grammar gives for a text, parts too.
std::vector<ParsedResult> given(std::string_view text) {
  std::vector<ParsedResult> results;
  TextSource source = TextSource::of(text);
  const auto read = parse_log_by_grammar(
      source, "", [&](const Parser&, ParsedResult&& result) { results.push_back(std::move(result)); });
  if (!read) CHECK(results.empty());
  return results;
}

using Files = std::vector<std::pair<std::string, std::string>>;

std::vector<FileResult> joined_files(const Files& files) {
  std::vector<FileResult> results;
  for (const auto& [name, text] : files)
    for (ParsedResult& result : given(text)) results.push_back({name, std::move(result)});
  return io500_joined(std::move(results));
}

/// IO5-05 of the run that result.txt and config.ini describe.
RuleResult hashes(const std::string& result, const std::string& config) {
  const auto runs = joined_files({{"d/result.txt", result}, {"d/config.ini", config}});
  REQUIRE_FALSE(runs.empty());
  REQUIRE_FALSE(runs.front().result.part);
  return logs::rule(logs::judge(runs.front().result), "IO5-05");
}

std::string io500_config_log() {
  return logs::fixture(io500_config_folder + "result.txt");
}
std::string config() {
  return logs::fixture(io500_config_folder + "config.ini");
}

std::string printed_hash(const std::string& result) {
  return logs::parameter(logs::parsed(result).front(), "config_hash");
}
std::uint32_t printed_value(const std::string& result) {
  const std::string text = printed_hash(result);
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

/// A made log with another hash of its configuration.
std::string with_hash(const std::string& name, const std::string& hash) {
  return logs::replaced(logs::fixture("io500/" + name), "D080A740", hash);
}

}  // namespace

TEST_CASE("the configuration that IO500 writes is a part of its run, and alone no log") {
  const auto parts = given(config());
  REQUIRE(parts.size() == 1);
  CHECK(parts.front().part);
  CHECK_FALSE(parts.front().complete);
  CHECK(parts.front().metrics.empty());
  CHECK(parts.front().fact("config.lack") == nullptr);
  CHECK(logs::fact(parts.front(), "config.hash") == printed_hash(io500_config_log()));
  const auto alone = parsed_log(config());
  REQUIRE_FALSE(alone.has_value());
  CHECK(alone.error().what ==
        "this is a configuration of IO500; the run's results are in the result.txt beside it");
  CHECK(alone.error().hint == "give it together with the log of its run, or the folder that they lie in");
}

TEST_CASE("the hash of config.ini is that which result.txt prints") {
  const RuleResult rule = hashes(io500_config_log(), config());
  CHECK(rule.status == RuleStatus::pass);
  CHECK(rule.value.find("configuration " + printed_hash(io500_config_log())) != std::string::npos);
  const auto runs =
      joined_files({{"d/result.txt", io500_config_log()},
                    {"d/config.ini", config()},
                    {"d/result_summary.txt", logs::fixture(io500_config_folder + "result_summary.txt")}});
  REQUIRE(runs.size() == 1);
  CHECK(runs.front().file == "d/result.txt");
  CHECK(runs.front().others == std::vector<std::string>{"d/result_summary.txt", "d/config.ini"});
  CHECK(runs.front().result.fact("mismatch") == nullptr);
}

TEST_CASE("a forged hash, and a configuration that was altered afterwards, break IO5-05 with both hashes") {
  const std::string genuine = printed_hash(io500_config_log());
  const RuleResult forged =
      hashes(logs::replaced(io500_config_log(), "config-hash     = " + genuine, "config-hash     = DEADBEEF"),
             config());
  CHECK(forged.status == RuleStatus::fail);
  CHECK(forged.value == "DEADBEEF; config.ini gives " + genuine);
  CHECK(forged.line == 4);
  for (const auto& [what, by] :
       std::vector<std::pair<std::string, std::string>>{{"stonewall-time = 1\n", "stonewall-time = 300\n"},
                                                        {"filePerProc = TRUE", "filePerProc = FALSE"},
                                                        {"pause-dir = \n", "pause-dir = /tmp\n"}}) {
    INFO(what);
    const RuleResult altered = hashes(io500_config_log(), logs::replaced(config(), what, by));
    CHECK(altered.status == RuleStatus::fail);
    CHECK(altered.value.starts_with(genuine + "; config.ini gives "));
  }
  const auto validity = [](const std::string& hash) {
    const auto runs =
        joined_files({{"d/result.txt", with_hash("run/result.txt", hash)}, {"d/config.ini", config()}});
    return logs::judge(runs.front().result).validity;
  };
  CHECK(validity(genuine) == Validity::valid);
  CHECK(validity("DEADBEEF") == Validity::invalid);
}

TEST_CASE("without its configuration a run's hash is not known, nor with another one") {
  const RuleResult rule = logs::rule(logs::judge(logs::parsed(io500_config_log()).front()), "IO5-05");
  CHECK(rule.status == RuleStatus::unknown);
  CHECK(
      rule.text ==
      "the hash of the score holds; the configuration's hash is made of config.ini, which is not beside the "
      "log");
  const RuleResult input = hashes(io500_config_log(), logs::fixture(io500_config_folder + "config-orig.ini"));
  CHECK(input.status == RuleStatus::unknown);
  CHECK(input.text.find("it has comments, and the program writes none") != std::string::npos);
  const RuleResult partial =
      hashes(io500_config_log(),
             "[global]\ndatadir = /work/data/\n\n[debug]\nstonewall-time = 300\n\n[ior-hard]\n"
             "segmentCount = 50000 # else it takes too long\n\n");
  CHECK(partial.status == RuleStatus::unknown);
  CHECK(partial.text.find("it has no timestamp-datadir of [global]") != std::string::npos);
  const RuleResult twice = hashes(io500_config_log(), config() + config());
  CHECK(twice.status == RuleStatus::unknown);
  CHECK(twice.text.find(" twice") != std::string::npos);
}

TEST_CASE("a configuration that was cut at any byte proves nothing and accuses nobody") {
  const std::string text = config();
  const std::string result = io500_config_log();
  REQUIRE(text.ends_with("\n\n"));
  for (size_t length = 0; length < text.size(); ++length) {
    const RuleResult rule = hashes(result, text.substr(0, length));
    if (rule.status != RuleStatus::unknown) FAIL("cut at " << length << ": " << rule.value);
  }
}

TEST_CASE("a version that writes one more section needs it, as its log has the phase") {
  const std::string name = "[ior-rnd4K-easy-read]";
  const std::string without = config().substr(0, config().find(name));
  const std::string hash = io500_hash_text(printed_value(io500_config_log()) ^ io500_hash("runTRUE"));
  const RuleResult older = hashes(with_hash("isc20-result.txt", hash), without);
  CHECK(older.status == RuleStatus::pass);
  const RuleResult newer = hashes(with_hash("run/result.txt", hash), without);
  CHECK(newer.status == RuleStatus::unknown);
  CHECK(newer.text.find("it has no " + name) != std::string::npos);
}

TEST_CASE("the versions of early 2020 left empty external-mpi-args out of the hash") {
  // Three sections have the option: two of the three cancel each other.
  const std::string old =
      io500_hash_text(printed_value(io500_config_log()) ^ io500_hash("external-mpi-args"));
  CHECK(hashes(logs::replaced(io500_config_log(), printed_hash(io500_config_log()), old), config()).status ==
        RuleStatus::pass);
}

TEST_CASE("a configuration joins the run of its own name and folder alone") {
  const Files runs = {
      {"d/a__result.txt", io500_config_log()},
      {"d/b__result.txt", logs::replaced(io500_config_log(), "[SCORE]", "; END 2026-11-22\n[SCORE]")},
      {"e/result.txt", io500_config_log()}};
  const auto with = [&](const std::string& name) {
    Files files = runs;
    files.emplace_back(name, config());
    std::vector<std::string> takers;
    for (const FileResult& run : joined_files(files))
      takers.push_back(run.result.part ? "none" : run.others.empty() ? "" : run.file);
    return takers;
  };
  CHECK(with("d/a__config.ini") == std::vector<std::string>{"d/a__result.txt", "", ""});
  CHECK(with("e/config.ini") == std::vector<std::string>{"", "", "e/result.txt"});
  for (const char* name : {"d/config.ini", "f/config.ini", "d/a__config-orig.ini", "e/io500.ini"}) {
    INFO(name);
    CHECK(with(name) == std::vector<std::string>{"", "", "", "none"});
  }
  const auto one = joined_files(
      {{"d/a_config.ini", config()}, {"d/a-config.ini", config()}, {"d/a_result.txt", io500_config_log()}});
  REQUIRE(one.size() == 2);
  CHECK(one.back().result.part);
}

TEST_CASE("of several runs in one file each whose hash it has takes the configuration") {
  const std::string other = logs::fixture("io500/run/result.txt");
  const auto runs =
      joined_files({{"d/result.txt", io500_config_log() + "\n" + other}, {"d/config.ini", config()}});
  REQUIRE(runs.size() == 2);
  CHECK(logs::rule(logs::judge(runs[0].result), "IO5-05").status == RuleStatus::pass);
  CHECK(logs::rule(logs::judge(runs[1].result), "IO5-05").status == RuleStatus::unknown);
}

TEST_CASE("what only looks like a configuration of IO500 is none") {
  const std::string text = config();
  CHECK(given("[global]\nioengine=libaio\n[ior-easy]\nnot an option\n").empty());
  CHECK(given("[job]\nrw=read\n[ior-easy]\n").empty());
  CHECK(given("[global]\ndatadir = x\n").empty());
  CHECK(given("a letter with [ior-easy] in it\n").empty());
  const auto log_behind = given(text + io500_config_log());
  REQUIRE(log_behind.size() == 1);
  CHECK_FALSE(log_behind.front().part);
}
