#include "orchestrator/campaign/import.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>

#include "orchestrator/campaign/imported_run.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/restore.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

std::string import_fixture(const std::string& name) {
  return file_content(fs::path(TEST_FOLDER) / "fixtures/hpl" / name).value();
}

/// A vendor's folder of logs and a workspace to import it into.
struct ImportScene {
  TemporaryFolder temporary;
  fs::path logs = temporary.path / "vendor logs";
  Workspace workspace{temporary.path / "w"};
  ImportRequest request;

  ImportScene() {
    log("HPL.out", import_fixture("reference-passed.out"));
    log("deeper/HPL.out", import_fixture("reference-two-problems.out"));
    log("notes.txt", "a text\n");
    request.paths = {logs};
    request.system = "theirs";
    request.tool_version = "test";
  }
  void log(const std::string& name, const std::string& text) const {
    REQUIRE(make_folder((logs / name).parent_path()));
    REQUIRE(write_file(logs / name, text));
  }
  Imported imported() const {  // NOLINT(modernize-use-nodiscard): some tests want only its effect
    auto outcome = import_logs(workspace, request, {});
    INFO((outcome ? "" : to_string(outcome.error())));
    REQUIRE(outcome);
    return *outcome;
  }
  [[nodiscard]] CampaignRecord stored(const std::string& campaign) const {
    const auto database = Database::open_existing(workspace.database());
    REQUIRE(database);
    auto record = database->campaign(campaign);
    INFO((record ? "" : to_string(record.error())));
    REQUIRE(record);
    return *record;
  }
};

/// Everything that is stored of a campaign, for comparing two stores.
std::string all_rows(const CampaignRecord& campaign) {
  std::string text = campaign.id + campaign.system + campaign.kind + campaign.note +
                     std::string(to_string(campaign.state)) + std::to_string(campaign.created_s) +
                     std::to_string(campaign.finished_s);
  for (const CaseRecord& record : campaign.cases) {
    text += case_json(record.planned);
    for (const AttemptRecord& attempt : record.attempts) {
      text += fmt::format("attempt {} {} {} {}\n", attempt.index, to_string(attempt.state),
                          attempt.run_folder, attempt.failure);
      for (const FileRecord& file : attempt.files)
        text += fmt::format("file {} {} {}\n{}\n", file.name, file.sha256, file.bytes, file.excerpt);
      for (const ResultRecord& result : attempt.results) {
        text +=
            fmt::format("result {} {} {}\n", result.file, result.parsed.version, to_string(result.validity));
        for (const Metric& metric : result.parsed.metrics)
          text += fmt::format("{} {} {}\n", metric.name, metric.value, metric.line);
        for (const RuleResult& rule : result.rules)
          text += fmt::format("{} {} {}\n", rule.id, to_string(rule.status), rule.value);
      }
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a folder of logs becomes a campaign of runs made elsewhere, a case for each log") {
  const ImportScene scene;
  const Imported outcome = scene.imported();
  CHECK(outcome.campaign == "vendor-logs");
  CHECK(outcome.created);
  CHECK(outcome.added.size() == 2);
  CHECK(outcome.no_logs == 1);
  CHECK(outcome.failures.empty());

  const CampaignRecord campaign = scene.stored("vendor-logs");
  CHECK(campaign.kind == "external");
  CHECK(campaign.system == "theirs");
  CHECK(campaign.state == CampaignState::finished);
  CHECK(campaign.inventory.source == made_elsewhere);
  CHECK(campaign.environment.empty());
  REQUIRE(campaign.cases.size() == 2);
  const CaseRecord& first = campaign.cases[0];
  CHECK(first.planned.id == "hpl-reference-HPL");
  CHECK(first.planned.origin == (scene.logs / "HPL.out").string());
  CHECK(first.planned.nodes == 0);
  CHECK(first.planned.ranks == 2);
  REQUIRE(first.attempts.size() == 1);
  const AttemptRecord& attempt = first.attempts[0];
  CHECK(attempt.state == AttemptState::imported);
  CHECK_FALSE(attempt.exit_code);
  CHECK_FALSE(attempt.conditions);
  CHECK(attempt.started_s == 0);
  REQUIRE(attempt.results.size() == 1);
  CHECK(attempt.results[0].validity == Validity::valid);
  CHECK(attempt.results[0].rules.size() > 5);
  REQUIRE(attempt.files.size() == 1);
  CHECK(attempt.files[0].name == "HPL.out");
  CHECK(attempt.files[0].sha256 == sha256(import_fixture("reference-passed.out")));
  CHECK(attempt.files[0].excerpt == import_fixture("reference-passed.out"));
  CHECK(file_content(scene.workspace.campaign("vendor-logs") / attempt.run_folder / "HPL.out").value() ==
        import_fixture("reference-passed.out"));
  CHECK(campaign.cases[1].planned.id == "hpl-reference-deeper-HPL");
  CHECK(campaign.cases[1].attempts[0].results.size() == 2);
}

TEST_CASE("importing the same folder again changes nothing") {
  const ImportScene scene;
  scene.imported();
  const std::string before = all_rows(scene.stored("vendor-logs"));
  const Imported again = scene.imported();
  CHECK(again.campaign == "vendor-logs");
  CHECK_FALSE(again.created);
  CHECK(again.added.empty());
  CHECK(again.known == 2);
  CHECK(again.restored == 0);
  CHECK(all_rows(scene.stored("vendor-logs")) == before);
}

TEST_CASE("a new log adds a case, a changed one too, and a copy of a known one none") {
  const ImportScene scene;
  scene.imported();
  scene.log("new.out", import_fixture("reference-failed.out"));
  scene.log("copy.out", import_fixture("reference-passed.out"));
  scene.log("HPL.out", import_fixture("reference-unchecked.out"));
  const Imported again = scene.imported();
  REQUIRE(again.added.size() == 2);
  CHECK(again.added[0].id == "hpl-reference-vendor-logs-HPL");
  CHECK(again.added[1].id == "hpl-reference-new");
  CHECK(again.added[1].validity == std::vector<Validity>{Validity::invalid});
  CHECK(again.known == 2);
  CHECK(scene.stored("vendor-logs").cases.size() == 4);
}

TEST_CASE("copies of a log that differ in blanks alone are one run") {
  const ImportScene scene;
  const std::string original = import_fixture("reference-passed.out");
  std::string spaced = original;
  for (std::size_t at = 0; (at = spaced.find('\n', at)) != std::string::npos; at += 3)
    spaced.replace(at, 1, " \r\n");
  scene.imported();
  scene.log("copy.out", spaced);
  scene.log("longer.out", original + "\n\n\t \n");
  CHECK(scene.imported().added.empty());
  CHECK(scene.imported().known == 4);
  scene.log("other.out", import_fixture("reference-failed.out"));
  CHECK(scene.imported().added.size() == 1);
}

TEST_CASE("the store of a campaign of runs made elsewhere is rebuilt from its folder with the same rows") {
  const ImportScene scene;
  scene.imported();
  const std::string before = all_rows(scene.stored("vendor-logs"));
  for (const char* ending : {"", "-wal", "-shm"}) fs::remove(scene.workspace.database().string() + ending);
  const auto restored = restored_campaign(scene.workspace, "vendor-logs", installed_layout());
  INFO((restored ? "" : to_string(restored.error())));
  REQUIRE(restored);
  CHECK(restored->attempts == 2);
  CHECK(all_rows(scene.stored("vendor-logs")) == before);
  CHECK(restored_campaign(scene.workspace, "vendor-logs", installed_layout())->attempts == 0);
}

TEST_CASE("an import that was killed between folder and row, or while it copied, is brought to its end") {
  const ImportScene scene;
  scene.imported();
  const std::string before = all_rows(scene.stored("vendor-logs"));
  for (const char* ending : {"", "-wal", "-shm"}) fs::remove(scene.workspace.database().string() + ending);
  const fs::path campaign = scene.workspace.campaign("vendor-logs");
  fs::remove_all(campaign / "hpl-reference-deeper-HPL");
  REQUIRE(make_folder(campaign / ".hpl-reference-deeper-HPL.123/attempt-1"));
  const Imported again = scene.imported();
  CHECK(again.restored == 1);
  CHECK(again.added.size() == 1);
  CHECK(again.known == 1);
  CHECK_FALSE(fs::exists(campaign / ".hpl-reference-deeper-HPL.123"));
  CHECK(all_rows(scene.stored("vendor-logs")) == before);
}

TEST_CASE("folders of one name from two places do not end in one campaign") {
  ImportScene scene;
  scene.imported();
  const fs::path other = scene.temporary.path / "other/vendor logs";
  REQUIRE(make_folder(other));
  REQUIRE(write_file(other / "x.out", import_fixture("reference-failed.out")));
  scene.request.paths = {other};
  CHECK(scene.imported().campaign == "vendor-logs-2");
  CHECK(scene.imported().known == 1);
  CHECK(scene.stored("vendor-logs").cases.size() == 2);
  scene.request.campaign = "vendor-logs";
  CHECK(scene.imported().added.size() == 1);
  CHECK(scene.stored("vendor-logs").cases.size() == 3);
}

TEST_CASE("a campaign's system and note are not changed behind its back") {
  ImportScene scene;
  scene.request.note = "as sent";
  scene.imported();
  scene.request.system = "another";
  auto refused = import_logs(scene.workspace, scene.request, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == "holds logs of 'theirs', not of 'another'");
  scene.request.system = "";
  scene.request.note = "another";
  refused = import_logs(scene.workspace, scene.request, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == "has another note already: 'as sent'");
  CHECK(scene.stored("vendor-logs").note == "as sent");
}

TEST_CASE("where nothing is a log, nothing is made") {
  ImportScene scene;
  fs::remove_all(scene.logs);
  scene.log("notes.txt", "a text\n");
  scene.log("empty.out", "");
  const Imported outcome = scene.imported();
  CHECK(outcome.campaign.empty());
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0].what == "holds no benchmark log among its 2 files");
  CHECK_FALSE(fs::exists(scene.workspace.folder));
}

TEST_CASE("a named file that is no log fails, and the others are imported") {
  ImportScene scene;
  scene.request.paths = {scene.logs / "notes.txt", scene.logs / "HPL.out"};
  const Imported outcome = scene.imported();
  CHECK(outcome.campaign == "vendor-logs");
  CHECK(outcome.added.size() == 1);
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0].where == (scene.logs / "notes.txt").string());
}

TEST_CASE("a log with a control character in its name is refused, and the others are imported") {
  const ImportScene scene;
  const std::string text = import_fixture("reference-passed.out");
  scene.log("a\nb.out", text + "\n");
  scene.log("\xe2\x80\xaetuo.out", text + "\n\n");
  const Imported outcome = scene.imported();
  CHECK(outcome.added.size() == 2);
  REQUIRE(outcome.refused.size() == 2);
  for (const Error& error : outcome.refused) {
    CHECK(error.what == "has a character in its name that can't be shown");
    CHECK(printable_line(error.where) == error.where);
  }
  CHECK(scene.stored(outcome.campaign).cases.size() == 2);
}

TEST_CASE("a log with a name that run directories reserve is kept under another") {
  ImportScene scene;
  scene.log(".hidden.tmp", import_fixture("reference-failed.out"));
  scene.request.paths = {scene.logs / ".hidden.tmp"};
  const Imported outcome = scene.imported();
  REQUIRE(outcome.added.size() == 1);
  const CampaignRecord campaign = scene.stored(outcome.campaign);
  REQUIRE(campaign.cases[0].attempts[0].files.size() == 1);
  CHECK(campaign.cases[0].attempts[0].files[0].name == "log-.hidden.tmp.log");
}

TEST_CASE("what is kept of an imported run comes back as it was written") {
  ImportedRun run;
  run.number = 3;
  run.planned.id = "hpl-nvidia-HPL";
  run.planned.suite = "hpl";
  run.planned.origin = "/data/HPL.out";
  run.planned.nodes = run.planned.ranks_per_node = run.planned.threads_per_rank = 0;
  run.planned.ranks = 8;
  run.planned.parameters = {{"N", std::int64_t{100}}};
  run.files = {{"HPL.out", "/data/HPL.out", std::string(64, 'a')}};
  const auto read = imported_from_json(imported_json(run), "imported.json");
  INFO((read ? "" : to_string(read.error())));
  REQUIRE(read);
  CHECK(*read == run);
  CHECK_FALSE(imported_from_json("{}", "x"));
  CHECK_FALSE(imported_from_json("[", "x"));
  CHECK_FALSE(imported_from_json(R"({"schema":3})", "x"));
}

TEST_CASE("what is stated of a run at import decides the rules that its log leaves open, then and later") {
  ImportScene scene;
  fs::remove_all(scene.logs);
  scene.log("HPL.out", import_fixture("grammar/nvidia-two-loops.out"));
  const auto validity = [&](const std::string& campaign) {
    return scene.stored(campaign).cases.front().attempts.front().results.front().validity;
  };
  scene.request.campaign = "open";
  CHECK(validity(scene.imported().campaign) == Validity::unknown);
  scene.request.campaign = "stated";
  scene.request.stated.conditions = {{"fp64_mode", std::string("native")}};
  const std::string stated = scene.imported().campaign;
  CHECK(validity(stated) == Validity::valid);
  const auto runs = imported_runs(scene.workspace.campaign(stated));
  REQUIRE(runs);
  const auto again = collected_import(runs->front(), scene.workspace.campaign(stated), scene.stored(stated));
  REQUIRE(again);
  CHECK(again->attempts.front().results.front().validity == Validity::valid);
}

TEST_CASE("the machine that is stated at import decides the rules that ask for its memory") {
  ImportScene scene;
  fs::remove_all(scene.logs);
  const fs::path hpcg = fs::path(TEST_FOLDER) / "fixtures/hpcg";
  scene.log("hpcg.out", file_content(hpcg / "nvidia-25.11.out").value());
  const auto memory_rule = [](const CaseRecord& record) {
    const auto& rules = record.attempts.front().results.front().rules;
    const auto rule = std::ranges::find(rules, "HPCG-03", &RuleResult::id);
    REQUIRE(rule != rules.end());
    return rule->status;
  };
  const auto memory_rule_of = [&](const std::string& campaign) {
    return memory_rule(scene.stored(campaign).cases.front());
  };
  scene.request.campaign = "alone";
  CHECK(memory_rule_of(scene.imported().campaign) == RuleStatus::unknown);
  scene.request.campaign = "stated";
  Gpu gpu;
  gpu.memory_bytes = std::int64_t{81079} << 20;  // as the log prints it; the problem takes 2.3 GB of it
  NodeGroup group;
  group.hosts = "gpu[1-4]";
  group.memory_bytes = std::int64_t{1} << 40;
  group.gpus = {gpu, gpu, gpu, gpu};
  Inventory inventory;
  inventory.system = "theirs";
  inventory.source = "theirs.toml";
  inventory.groups = {group};
  scene.request.inventory = inventory;
  const std::string stated = scene.imported().campaign;
  CHECK(memory_rule_of(stated) == RuleStatus::fail);
  const auto runs = imported_runs(scene.workspace.campaign(stated));
  REQUIRE(runs);
  const auto again = collected_import(runs->front(), scene.workspace.campaign(stated), scene.stored(stated));
  REQUIRE(again);
  CHECK(memory_rule(*again) == RuleStatus::fail);
}

TEST_CASE("a set is scored over all attempts of a campaign, by the logs that they came from") {
  static constexpr auto counted = [](std::span<const FileResult> results) {
    SetScore score;
    for (const FileResult& each : results) score.files.push_back(each.file);
    return std::vector<SetScore>{score};
  };
  const RuleBook book = {.suite = "mlperf", .own_check = "", .judge = nullptr, .score = counted};
  const RuleBook* const books[] = {&book};
  CampaignRecord campaign;
  CHECK(set_scores(campaign, books).empty());
  ResultRecord result;
  result.parsed.suite = "mlperf";
  result.file = "stdout.log";
  AttemptRecord attempt;
  attempt.run_folder = "b/attempt-1";
  attempt.state = AttemptState::timed_out;
  attempt.results = {result};
  CaseRecord here;
  here.attempts = {attempt};
  attempt.state = AttemptState::not_started;
  here.attempts.push_back(attempt);
  CaseRecord elsewhere = here;
  elsewhere.planned.origin = "/data/result_0.txt";
  elsewhere.attempts.resize(1);
  campaign.cases = {here, elsewhere};
  const auto scores = set_scores(campaign, books);
  REQUIRE(scores.size() == 1);
  CHECK(scores[0].files == std::vector<std::string>{"/data/result_0.txt", "b/attempt-1/stdout.log"});
}

TEST_CASE("the repetitions of a case make one set, those of another size another") {
  static constexpr auto sets = [](std::span<const FileResult> results) {
    SetScore score;
    for (const FileResult& each : results) score.files.push_back(each.set);
    return std::vector<SetScore>{score};
  };
  const RuleBook book = {.suite = "mlperf", .own_check = "", .judge = nullptr, .score = sets};
  const RuleBook* const books[] = {&book};
  CampaignRecord campaign;
  const auto add = [&](const char* id, const char* benchmark, int nodes, const char* origin) {
    ResultRecord result;
    result.parsed.suite = "mlperf";
    result.file = "stdout.log";
    AttemptRecord attempt;
    attempt.run_folder = std::string(id) + "/attempt-1";
    attempt.state = AttemptState::finished;
    attempt.results = {result};
    CaseRecord record;
    record.planned.id = id;
    record.planned.suite = "mlperf";
    record.planned.benchmark = benchmark;
    record.planned.nodes = nodes;
    record.planned.origin = origin;
    record.attempts = {attempt};
    campaign.cases.push_back(record);
  };
  add("a", "lora", 1, "");
  add("a-r2", "lora", 1, "");
  add("b", "lora", 2, "");
  add("c", "pretrain", 1, "");
  add("d", "lora", 1, "d/result_0.txt");
  CHECK(set_scores(campaign, books)[0].files == std::vector<std::string>{"a", "a", "b", "c", ""});
}
