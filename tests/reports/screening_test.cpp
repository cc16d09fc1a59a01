#include "reports/measure/screening.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/judge/deviations.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;
using fixture::case_of;
using fixture::criterion;
using fixture::five_suites;
using fixture::judged;
using fixture::rendered;

namespace {

constexpr std::string_view short_words = "short of the official rules on run length or number of runs";

bool screening_holds(std::string_view page, std::string_view text) {
  return page.find(text) != std::string::npos;
}

/// The row of a rule's table that begins with its id.
std::string rule_row(const std::string& page, const std::string& id) {
  const size_t at = page.find("class=\"nowrap\">" + id + "</th>");
  return at == std::string::npos ? "" : page.substr(at, page.find("</tr>", at) - at);
}

CampaignRecord not_a_screening() {
  CampaignRecord campaign = five_suites();
  campaign.kind = "acceptance";
  return campaign;
}

ResultRecord& screening_io500(CampaignRecord& campaign) {
  return case_of(campaign, "io500").attempts[0].results[0];
}

/// A screening with one run of an MLPerf benchmark, whose score takes ten.
CampaignRecord with_mlperf_run() {
  CampaignRecord campaign = five_suites();
  SetScore score;
  score.schema = "shakedown.mlperf-score/1";
  score.suite = "mlperf";
  score.benchmark = "llama2_70b_lora";
  score.name = "mlperf-nvidia-llama2_70b_lora-1n/attempt-1";
  score.runs = score.converged = 1;
  score.files = {score.name + "/stdout.log"};
  score.validity = Validity::invalid;
  score.rules = {fixture::rule("ML-01", "A score is the mean of the benchmark's number of runs",
                               RuleStatus::fail, "1 of 10 runs", 0)};
  score.rules[0].text = "9 runs are missing";
  campaign.set_scores = {score};
  return campaign;
}

}  // namespace

TEST_CASE("rules of run length and number are shown as failed in a screening, with the short_words for it") {
  const std::string page = rendered("html", with_mlperf_run());
  for (const char* id : {"IO5-02", "HPCG-02"}) {
    INFO(id);
    CHECK(screening_holds(rule_row(page, id), ">fail<"));
    CHECK(screening_holds(rule_row(page, id), short_words));
    CHECK_FALSE(screening_holds(rule_row(page, id), "result invalid"));  // beside a criterion that passes
  }
  const std::string set = page.substr(page.find("id=\"set-scores\""));
  const size_t broken = set.find("<li><b>ML-01</b>");  // before all rules of the set, which are folded
  REQUIRE(broken < set.find("All rules of the set"));
  CHECK(screening_holds(set.substr(broken, set.find("</li>", broken) - broken), short_words));
  CHECK_FALSE(screening_holds(rule_row(page, "HPCG-03"), short_words));  // a problem's size is no length
  CHECK_FALSE(screening_holds(rule_row(page, "IO5-06"), short_words));   // nor is the number of clients
  CHECK_FALSE(screening_holds(rule_row(page, "HPL-08"), short_words));   // held
}

TEST_CASE("the first page names the suites that ran too short for a list") {
  const std::string sentence = "HPCG, IO500: they break rules of length, size, nodes or number of runs";
  CHECK(screening_holds(rendered("html", five_suites()), sentence));
  CHECK_FALSE(
      screening_holds(rendered("html", not_a_screening()), "they break official rules on run length"));
}

TEST_CASE("results.json marks the rules that a screening breaks by being short") {
  const auto document = nlohmann::json::parse(rendered("json", five_suites()));  // of our own training none
  std::vector<std::string> marked;
  for (const auto& rule : document["rules"])
    if (rule.contains("mark")) {
      CHECK(rule["mark"] == short_words);
      marked.push_back(rule["id"]);
    }
  CHECK(marked == std::vector<std::string>{"HPCG-02", "IO5-02"});
}

TEST_CASE("outside a screening those rules are shown as ever") {
  const std::string page = rendered("html", not_a_screening());
  CHECK(screening_holds(rule_row(page, "IO5-02"), ">fail<"));
  CHECK_FALSE(screening_holds(page, std::string(">") + std::string(short_words)));
  CampaignRecord campaign = not_a_screening();
  CHECK_FALSE(valid_but_for_length(campaign, screening_io500(campaign)));
  const auto said = deviations(MeasuredCampaign(campaign));
  CHECK(std::any_of(said.begin(), said.end(), [](const std::string& each) {
    return each.starts_with("io500-reference-1n, attempt 1: a result is invalid: IO5-02");
  }));
}

TEST_CASE("a result that is invalid for its length alone is no invalid result to a screening") {
  CampaignRecord campaign = five_suites();
  REQUIRE(screening_io500(campaign).validity == Validity::invalid);
  CHECK(valid_but_for_length(campaign, screening_io500(campaign)));
  const Judgement judgement = judged(campaign);
  const CriterionResult& valid = criterion(judgement, "io500-correct");
  CHECK(valid.verdict == Verdict::pass);
  CHECK(valid.because == "correct; too short to be an official IO500 result");
  CHECK(valid.is_short);
  CHECK(judgement.sentence == "screening passed");
  // As HPCG-02 is none: that a screening is short is no exception.
  CHECK(exceptions(campaign, judgement).empty());
}

TEST_CASE("a short run is complete on every page, and is called nothing else") {
  const std::string page = rendered("html", five_suites());
  for (const char* other : {"checks passed", "internal checks", "not valid", "ran, short", "invalid as an",
                            "no official result"}) {
    INFO(other);
    CHECK_FALSE(screening_holds(page, other));
  }
  for (const char* place : {">Complete</a>",              // the first page
                            ">complete</td>",             // beside the criterion
                            "Correct; too short to be ",  // why it passes
                            "</svg>Complete</span>"}) {   // the runs
    INFO(place);
    CHECK(screening_holds(page, place));
  }
  // A suite of few attempts, all successes, is in the campaign's row of the reliability alone.
  const std::string table = page.substr(page.find("aria-label=\"Reliability\""), 2000);
  CHECK(screening_holds(table, ">All suites"));
  CHECK_FALSE(screening_holds(table, ">IO500"));
}

TEST_CASE("each format calls a result that is only too short the same, and no quick criterion on it valid") {
  const CampaignRecord campaign = five_suites();
  for (const char* format : {"html", "json", "junit", "csv"}) {
    INFO(format);
    const std::string text = rendered(format, campaign);
    CHECK((screening_holds(text, "correct; too short to be an official IO500 result") ||
           screening_holds(text, "Correct; too short to be an official IO500 result")));
    CHECK_FALSE(screening_holds(text, "io500-valid"));
  }
  CHECK_FALSE(screening_holds(rendered("json", campaign), "not_valid"));
  // The state is that of the first page, beside the validity by the official rules.
  CHECK(screening_holds(rendered("csv", campaign), ",invalid,complete,"));
  CHECK(screening_holds(rendered("json", campaign), "\"state\": \"complete\""));
  const std::string markdown = rendered("markdown", campaign);
  CHECK(screening_holds(markdown, "| io500-correct | mandatory | complete | – | pass |"));
  CHECK(screening_holds(markdown, "| hpl-valid | mandatory | valid | – | pass |"));
}

TEST_CASE("what else is wrong with a short IO500 run spoils it in a screening, too") {
  const auto invalidated = [](const auto& change) {
    CampaignRecord campaign = five_suites();
    change(screening_io500(campaign));
    CHECK_FALSE(valid_but_for_length(campaign, screening_io500(campaign)));
    CHECK(criterion(judged(campaign), "io500-correct").verdict == Verdict::invalid);
  };
  invalidated([](ResultRecord& result) {  // contents that came back wrong
    result.parsed.facts.push_back({"error_invalid", "3 of 9 transfers do not hold what was written", 9});
  });
  invalidated([](ResultRecord& result) {
    for (Phase& phase : result.parsed.phases)
      if (phase.name == "find") phase.valid = false;
  });
  invalidated([](ResultRecord& result) {  // marks without a reason
    std::erase_if(result.parsed.facts, [](const Fact& fact) { return fact.name == "error_invalid"; });
  });
  invalidated([](ResultRecord& result) { result.parsed.facts.push_back({"unofficial", "DEBUG", 1}); });
  invalidated([](ResultRecord& result) {
    for (RuleResult& rule : result.rules)
      if (rule.id == "IO5-03") rule.status = RuleStatus::fail;
  });
  invalidated([](ResultRecord& result) { result.parsed.complete = false; });
}

TEST_CASE("no criterion of the screening profile is a rule of run length or number") {
  // Each of them fails in these results, and each criterion passes.
  const Judgement judgement = judged(five_suites());
  for (const char* id : {"hpcg-correct", "io500-correct", "mlperf-correct"}) {
    INFO(id);
    CHECK(criterion(judgement, id).verdict == Verdict::pass);
  }
}

TEST_CASE("a short IO500 run shows its writes and no score on the first page, and all its phases below") {
  const std::string page = rendered("html", five_suites());
  const std::string first = page.substr(0, page.find("</section>"));
  CHECK(screening_holds(first, "IOR easy write"));
  const std::string results = fixture::results_section(page);
  CHECK(screening_holds(results, "mdtest easy write"));
  CHECK_FALSE(screening_holds(results, "<span class=\"light\">score"));
  CHECK(screening_holds(page, "32.80 [INVALID]"));
  const std::string phases = page.substr(page.find(">Phases "));
  CHECK(screening_holds(phases, "<th scope=\"row\">mdtest-hard-delete</th>"));
  CHECK(screening_holds(phases, "cached: may come from the client&apos;s own memory; compares with nothing"));
  CHECK_FALSE(screening_holds(phases.substr(0, phases.find("</table>")), "timestamp"));
}

TEST_CASE("after short writes of several clients the figure of the phases says that reads may be cached") {
  CampaignRecord campaign = five_suites();
  const std::string words = "reads, stats and find may come from a cache: of several clients IO5-09 can";
  CHECK_FALSE(screening_holds(rendered("html", campaign), words));  // a single client: each is marked
  const auto of_clients = [&](std::int64_t clients) {
    CaseRecord& record = case_of(campaign, "io500");
    ResultRecord& result = record.attempts[0].results[0];
    std::erase_if(result.parsed.facts, [](const Fact& fact) { return fact.name == "cached"; });
    std::erase_if(result.parsed.parameters, [](const Parameter& each) { return each.name == "clients"; });
    result.parsed.parameters.push_back({"clients", clients});
    result.parsed.facts.push_back({"dropped caches", "yes", 1});
    Evidence evidence;
    evidence.result = &result.parsed;
    evidence.planned = &record.planned;
    result.rules = shakedown::judged(evidence).rules;
    return rendered("html", campaign);
  };
  CHECK_FALSE(screening_holds(of_clients(1), words));  // its caches were dropped
  CHECK(screening_holds(of_clients(2), words));
}

TEST_CASE("the time of an aborted training is never called a time to train") {
  CampaignRecord campaign = five_suites();
  CaseRecord& record = case_of(campaign, "mlperf");
  record = fixture::ran(fixture::reference_case("mlperf", "llama2_70b_lora"), "mlperf/lora-aborted.txt",
                        campaign.inventory);
  const ResultRecord& result = record.attempts[0].results[0];
  REQUIRE(result.validity == Validity::invalid);
  const std::string lasted = ended_without_target(result);
  CHECK(lasted.starts_with("aborted after "));
  CHECK(lasted.ends_with(" min)"));
  const std::string page = rendered("html", campaign);
  const std::string first = page.substr(0, page.find("</section>"));
  CHECK(screening_holds(first, "data-label=\"Result\">" + lasted));
  CHECK(screening_holds(fixture::results_section(page), "data-label=\"Measured\">" + lasted));
  const std::string bare = lasted.substr(std::string("aborted after ").size());
  CHECK_FALSE(screening_holds(page, ">" + bare + "<"));
  CHECK(screening_holds(page, ">" + lasted + "</td>"));
  const auto document = nlohmann::json::parse(rendered("json", campaign));
  const auto& metrics = document["cases"].back()["attempts"][0]["results"][0]["metrics"];
  CHECK_FALSE(metrics.contains("time_to_train_min"));
  CHECK(metrics.contains("ended_without_target_min"));
}

TEST_CASE("a training that says success and missed its target has no time to train either") {
  CampaignRecord campaign = five_suites();
  ResultRecord& result = case_of(campaign, "mlperf").attempts[0].results[0];
  CHECK(ended_without_target(result).empty());
  for (RuleResult& rule : result.rules)
    if (rule.id == "ML-02") rule.status = RuleStatus::fail;
  CHECK(ended_without_target(result) == "target missed after 14.1 s (0.2343 min)");
  CHECK(ended_without_target(case_of(campaign, "hpl").attempts[0].results[0]).empty());
}

TEST_CASE("what IO500 complains of is distinguished from its length") {
  const RunLengthRule* rule = run_length_rule("io500", "IO5-02");
  REQUIRE(rule != nullptr);
  const auto only_length = [&](const std::string& name) {
    const std::string text = fixture::project_file("tests/fixtures/io500/" + name);
    return rule->only_length(parsed_log(text, "io500").value().at(0));
  };
  CHECK(only_length("reference/output.out"));
  CHECK(only_length("thirty-seconds-summary.txt"));  // too short for the rules, and nothing is marked
  CHECK_FALSE(only_length("files-per-dir-result.txt"));
  CHECK_FALSE(only_length("invalid-find-summary.txt"));  // a mark without a word
  CHECK_FALSE(only_length("invalid-result.txt"));        // find found nothing
  CHECK(run_length_rule("io500", "IO5-01") == nullptr);
  CHECK(run_length_rule("hpl", "HPL-08") == nullptr);  // TOP500 sets no time
}

TEST_CASE("whose speed was judged, and what was checked for correct runs alone, is one sentence") {
  CampaignRecord campaign = five_suites();
  CHECK(speed_judged(judged(campaign)) ==
        "Speed was judged for GEMM, HPL only; checked for correct runs alone: HPCG, HPL-MxP, IO500, MLPerf, "
        "STREAM.");
}
