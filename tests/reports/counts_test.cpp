// One event has one state and one count, whichever section or format shows it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <regex>

#include "reports/html/template.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/run_state.hpp"
#include "tests/reports/five_suites.hpp"
#include "tests/reports/hundred_nodes.hpp"

using namespace shakedown;
using fixture::first_page;
using fixture::rendered;
using nlohmann::json;

namespace {

AttemptRecord crashed(const std::string& case_id, const std::string& node) {
  AttemptRecord attempt = fixture::attempt(1, case_id, {});
  attempt.results[0].parsed.suite = "hpl";
  attempt.results[0].rules = {
      fixture::rule("HPL-03", "The scaled residual is below 16.0", RuleStatus::unknown, "", 0)};
  attempt.exit_code = 9;
  attempt.failure = "rank 0 on " + node + " ended with exit code 9";
  return attempt;
}

/// Four nodes, of which one crashes: it is excluded, and the run on all of them gets another one in its
/// place.
CampaignRecord with_a_crash() {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  campaign.inventory.groups[0].hosts = "cn[1-4]";
  campaign.criteria_text =
      "title = 'Contract'\n"
      "[[criteria]]\nid = 'each'\ntitle = 'HPL on each node'\nsuite = 'hpl'\nmetric = 'rmax_gflops'\n"
      "direction = '>='\nlimit = 50\naggregation = 'every'\neach_node = true\nseverity = 'mandatory'\n"
      "limit_source = 'contract'\n"
      "[[criteria]]\nid = 'valid'\ntitle = 'HPL is valid on all nodes'\nsuite = 'hpl'\nmetric = 'validity'\n"
      "each_node = false\nseverity = 'mandatory'\nlimit_source = 'contract'\n"
      "[[criteria]]\nid = 'gemm'\ntitle = 'GEMM'\nsuite = 'gemm'\nmetric = 'fp64_gflops'\ndirection = '>='\n"
      "limit = 500\naggregation = 'every'\nseverity = 'mandatory'\nlimit_source = 'contract'\n"
      "[[waivers]]\ncriterion = 'gemm'\nreason = 'a fan is on order'\napprover = 'board'\n"
      "expires = 2027-03-31\n";
  campaign.cases = {fixture::gemm_case()};
  const auto hpl_on = [&](const std::string& id, int nodes, const std::string& hosts, double gflops) {
    return fixture::hpl_on(id, nodes, hosts, gflops, campaign.created_s + 60, campaign.inventory);
  };
  for (int i = 1; i <= 4; ++i) {
    const std::string node = "cn" + std::to_string(i);
    campaign.cases.push_back(hpl_on("hpl-1n-" + node, 1, node, 92 + 0.1 * i));
  }
  CaseRecord& third = campaign.cases[3];
  third.attempts = {crashed(third.planned.id, "cn3")};
  campaign.exclusions = {{"cn3", third.planned.id + ": " + third.attempts[0].failure, 1795284600}};
  campaign.cases.push_back(hpl_on("hpl-2n", 2, "cn[1-2]", 180));
  campaign.cases.push_back(hpl_on("hpl-4n", 4, "cn[1-4]", 350));
  campaign.cases.back().attempts.clear();
  campaign.cases.back().not_run = "needs 4 nodes, and cn3 is excluded: hpl-3n took its place";
  campaign.cases.push_back(hpl_on("hpl-3n", 3, "cn[1-2,4]", 30));
  campaign.cases.back().planned.stands_for = "hpl-4n";
  campaign.cases.back().attempts[0].wall_s = 36.4;
  campaign.cases.back().planned.predicted = {{"wall_time_s", 5, 4, 7}};
  return campaign;
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), regex); it != std::sregex_iterator(); ++it)
    found.push_back((*it)[1]);
  return found;
}

/// The number in front of `words` on the first page.
int counter(const std::string& page, const std::string& words) {
  const auto found = matches(first_page(page), "<b>([0-9]+) of [0-9]+</b><span>(?:<a[^>]*>)?" + words);
  return found.empty() ? -1 : std::stoi(found.front());
}

/// How many criteria of a document have a verdict, by it; those that are waived apart.
std::map<std::string, int> by_verdict(const json& document) {
  std::map<std::string, int> counts;
  for (const json& each : document["criteria"]) {
    const bool waived = each.contains("waiver") && each["waiver"]["lifts"];
    ++counts[waived ? "waived" : each["verdict"].get<std::string>()];
  }
  return counts;
}

std::vector<std::pair<std::string, CampaignRecord>> campaigns() {
  CampaignRecord disturbed = fixture::five_suites();
  for (CaseRecord& record : disturbed.cases) record.attempts[0].conditions->foreign_cores = 1.2;
  return {{"a screening", fixture::quick_campaign()},
          {"five suites", fixture::five_suites()},
          {"all disturbed", std::move(disturbed)},
          {"a crash", with_a_crash()},
          {"a hundred nodes", fixture::hundred_nodes()}};
}

}  // namespace

TEST_CASE("counts of criteria, cases, attempts, results and exceptions agree in every format") {
  for (const auto& [name, campaign] : campaigns()) {
    INFO(name);
    const MeasuredCampaign measured(campaign);
    const Judgement judgement = fixture::judged(campaign);
    const std::string page = rendered("html", campaign);
    const std::string markdown = rendered("markdown", campaign);
    const json document = json::parse(rendered("json", campaign));
    const json& counts = document["counts"];

    for (const auto& [verdict, number] : by_verdict(document)) {
      INFO(verdict);
      CHECK(counts["mandatory"][verdict].get<int>() + counts["advisory"][verdict].get<int>() == number);
    }
    for (const char* severity : {"mandatory", "advisory", "limits"}) {
      int sum = 0;
      for (const auto& [key, value] : counts[severity].items())
        if (key != "all") sum += value.get<int>();
      CHECK(sum == counts[severity]["all"]);
    }
    const auto words =
        matches(fixture::results_section(page), "data-label=\"Verdict\"><span[^>]*>.*?</svg>([^<]*)");
    const auto left_out = std::ranges::count(words, "Left out");
    CHECK(words.size() - static_cast<std::size_t>(left_out) == document["criteria"].size());
    CHECK(std::ranges::count(words, "Pass") == by_verdict(document)["pass"]);
    CHECK(std::ranges::count_if(words, [](const std::string& word) { return word.ends_with(", waived"); }) ==
          by_verdict(document)["waived"]);

    CHECK(counter(page, "cases ran correctly") == counts["cases"]["ran_correctly"]);
    const json& limits = counts["limits"];
    CHECK(counter(page, "performance limits decided") ==
          (limits["all"] == 0
               ? -1
               : limits["pass"].get<int>() + limits["fail"].get<int>() + limits["waived"].get<int>()));
    CHECK(counter(page, "results (?:known to be )?eligible") == counts["results"]["eligible"]);
    int attempts = 0;
    int good = 0;
    for (const json& each : document["reliability"])
      if (each["suite"] != whole_campaign) {
        attempts += each["started"].get<int>();
        good += each["succeeded"].get<int>();
      }
    CHECK(attempts == counts["attempts"]["all"]);
    CHECK(good == counts["attempts"]["succeeded"]);

    const std::string list = fixture::section(page, "exceptions");
    const int exceptions = counts["exceptions"];
    if (exceptions <= 20) CHECK(matches(list, "(<li>)").size() == static_cast<std::size_t>(exceptions));
    if (exceptions > 0)
      CHECK(matches(first_page(page), fmt::format("(<li>{} (?:more|exception))", exceptions)).size() == 1);

    // The terminal prints these two lines as they are.
    for (const std::string& line : {criteria_counts(judgement), run_counts(judgement.tally)}) {
      INFO(line);
      CHECK(markdown.find(line) != std::string::npos);
    }
    CHECK(fixture::results_section(page).find(criteria_counts(judgement)) != std::string::npos);
    const Tally& tally = judgement.tally;
    CHECK(tally.cases - tally.not_run + tally.repeats == tally.attempts);
    CHECK(tally.succeeded + tally.failed + tally.not_valid + tally.stopped == tally.attempts);
    CHECK(tally.attempts - tally.without_result - tally.set_aside == tally.runs);
    CHECK(first_page(page).find(derived_counts(tally)) != std::string::npos);
    CHECK(counts["results"]["all"] == tally.results);
    for (const std::string& alarm : judgement.alarms)
      CHECK(markdown.find(alarm.substr(0, 20)) != std::string::npos);
  }
}

TEST_CASE("the numbers of the first page follow from each other") {
  CHECK(
      derived_counts(fixture::judged(fixture::hundred_nodes()).tally) ==
      "206 cases; 210 attempts (4 repeats): 207 succeeded, 2 failed, 1 invalid. 2 left no result; the other "
      "208 left 208 results: 108 of benchmarks, 100 of screens. 1 attempt disturbed.");
  CHECK(derived_counts(fixture::judged(with_a_crash()).tally) ==
        "7 cases; 7 attempts: 6 succeeded, 1 failed. 1 left no result; the other 6 left 6 "
        "results: 5 of benchmarks, 1 of screens.");
  Tally several;
  several.cases = 8;
  several.attempts = several.succeeded = 9;
  several.repeats = several.set_aside = 1;
  several.runs = 8;
  several.results = 9;
  CHECK(derived_counts(several) ==
        "8 cases; 9 attempts (1 repeat): 9 succeeded. 1 was disturbed: the speed of its repeat "
        "counts instead; the other 8 left 9 results (a run may print several).");

  CampaignRecord campaign = fixture::quick_campaign();
  for (CaseRecord& record : campaign.cases) record.attempts[0].conditions->foreign_cores = 1.2;
  CaseRecord& repeated = campaign.cases[0];
  repeated.attempts.push_back(repeated.attempts[0]);
  repeated.attempts[1].index = 2;
  repeated.attempts[1].conditions->foreign_cores = 0;
  repeated.attempts[0].set_aside = "disturbed";
  campaign.cases[1].attempts.clear();
  campaign.cases[1].not_run = "it was not needed";
  CHECK(derived_counts(fixture::judged(campaign).tally) ==
        "2 cases (1 not run); 2 attempts (1 repeat): 2 succeeded. 1 was disturbed: the speed of its "
        "repeat counts instead; the other one left 1 result.");
}

TEST_CASE("a crashed node is failed in every table, listed once, and no result of it is counted") {
  const CampaignRecord campaign = with_a_crash();
  const MeasuredCampaign measured(campaign);
  CHECK(run_state(campaign, measured.cases[3]) == RunState::failed);
  const Judgement judgement = fixture::judged(campaign);
  CHECK(judgement.tally.cases == 7);
  CHECK(judgement.tally.ran == 6);
  CHECK(judgement.tally.attempts == 7);
  CHECK(judgement.tally.failed == 1);
  CHECK(judgement.tally.results == 5);     // GEMM is a screen
  CHECK(judgement.tally.exceptions == 2);  // the exclusion with its reason, and the run on fewer nodes
  const std::string page = rendered("html", campaign);
  for (const char* gone : {"Not run<", "Validity unknown", "finished with exit code", "attempt 1 finished"}) {
    INFO(gone);
    CHECK(page.find(gone) == std::string::npos);
  }
  CHECK(page.find("cn3 (attempt 1 failed: rank 0 on cn3 ended with exit code 9)") != std::string::npos);
  CHECK(fixture::section(page, "suite-hpl").find("</svg>Failed</span>") != std::string::npos);
  CHECK(fixture::section(page, "suite-hpl").find("</svg>Replaced</span>") != std::string::npos);
  CHECK(fixture::section(page, "suite-hpl").find("5 of 5 results") != std::string::npos);
  CHECK(fixture::section(page, "suite-hpl").find("<b>HPL-03</b> asks") == std::string::npos);
}

TEST_CASE("criteria with one title say what each of them covers") {
  const Judgement judgement = fixture::judged(with_a_crash());
  CHECK(fixture::criterion(judgement, "each").full_title() == "HPL on each node (each of 4 nodes)");
  CHECK(fixture::criterion(judgement, "valid@hpl-2n").full_title() == "HPL is valid on all nodes (2 nodes)");
  CHECK(fixture::criterion(judgement, "valid@hpl-3n").full_title() ==
        "HPL is valid on all nodes (3 of 4 nodes)");
}

TEST_CASE("a waived criterion is a failed one with a waiver, the same on each page") {
  const CampaignRecord campaign = with_a_crash();
  const Judgement judgement = fixture::judged(campaign);
  CHECK(criteria_counts(judgement).starts_with(
      "2 of 4 mandatory criteria pass, 1 without a result, 1 waived."));
  const std::string page = rendered("html", campaign);
  CHECK(matches(page, "(>Fail, waived<)").size() == 2);  // on page one, and in the table of criteria
  CHECK(matches(page, "<td[^>]*>(?:<[^>]*>)*(Waived)<").empty());
  CHECK(
      first_page(page).find("<p>2 of 4 mandatory criteria pass, 1 waived, 1 without a result (each).</p>") !=
      std::string::npos);
}

TEST_CASE("what a signer must not miss is on the first page, a sentence each") {
  const CampaignRecord campaign = with_a_crash();
  const std::vector<std::string> expected = {
      "1 waived: gemm (111.2 GFLOP/s < 500.0 GFLOP/s) by board, until 2027-03-31: a fan is on order",
      "1 run on fewer nodes than planned: hpl-4n on 3 of 4 nodes, as hpl-3n",
      "HPL, netlib: 3 nodes together gave 30.00 GFLOP/s, less than one node alone (92.20 GFLOP/s)",
      "1 of 6 runs took longer than predicted, setting up included: 36.4 s, at most 7.00 s predicted "
      "(hpl-3n)",
      "the criteria state no limit for disturbances: other processes used up to 0.03 of 2 cores during a "
      "run"};
  CHECK(fixture::judged(campaign).alarms == expected);
  const std::string page = first_page(rendered("html", campaign));
  for (const std::string& each : expected) CHECK(page.find(escaped(each.substr(1))) != std::string::npos);
}

TEST_CASE("a run that took little longer than predicted has times that differ") {
  CampaignRecord campaign = with_a_crash();
  campaign.cases.back().planned.predicted = {{"wall_time_s", 60, 50, 68.8}};
  campaign.cases.back().attempts.back().wall_s = 69.3;
  const std::vector<std::string> alarms = fixture::judged(campaign).alarms;
  CHECK(std::ranges::any_of(alarms, [](const std::string& each) {
    return each.find("69.30 s, at most 68.80 s predicted") != std::string::npos;
  }));
}

TEST_CASE("a late run that was disturbed and measured again is none of the late ones") {
  CampaignRecord campaign = fixture::quick_campaign();
  CaseRecord& hpl = fixture::hpl(campaign);
  hpl.planned.predicted = {{"wall_time_s", 10, 8, 12}};
  hpl.attempts.push_back(hpl.attempts[0]);
  hpl.attempts[1].index = 2;
  for (AttemptRecord& attempt : hpl.attempts) attempt.wall_s = 60;
  hpl.attempts[0].set_aside = "another process";
  const Judgement judgement = fixture::judged(campaign);
  const auto late = std::ranges::find_if(judgement.alarms, [](const std::string& alarm) {
    return alarm.find("took longer than predicted") != std::string::npos;
  });
  REQUIRE(late != judgement.alarms.end());
  CHECK(late->starts_with("1 of "));
}

TEST_CASE("HPCG above HPL on the same nodes is an alarm, on others it is none") {
  CampaignRecord campaign = fixture::five_suites();
  const auto above = [&] {
    auto found = fixture::judged(campaign).alarms;
    std::erase_if(found,
                  [](const std::string& each) { return !each.starts_with("HPCG gave more than HPL"); });
    return found;
  };
  CHECK(above().empty());
  for (Metric& metric : fixture::case_of(campaign, "hpcg").attempts[0].results[0].parsed.metrics)
    if (metric.name == "rating_gflops") metric.value = 1000;
  CHECK(above().size() == 1);
  fixture::case_of(campaign, "hpcg").planned.hosts = "n2";
  CHECK(above().empty());
}

TEST_CASE("a ratio that can't be is an alarm, its number is no ratio") {
  CampaignRecord campaign = fixture::five_suites();
  const std::string refuted =
      "HPCG-like solver (shakedown) (hpcg-reference-1n): no ratio, implausible: 4.6 times STREAM";
  CHECK(fixture::judged(campaign).alarms == std::vector{refuted});
  CHECK(first_page(rendered("html", campaign)).find(refuted) != std::string::npos);
  for (Metric& metric : fixture::case_of(campaign, "hpcg").attempts[0].results[0].parsed.metrics)
    if (metric.name == "bandwidth_gb_s") metric.value /= 10;
  CHECK(fixture::judged(campaign).alarms.empty());
}

TEST_CASE(
    "exceptions beside alarms are counted as more, and their list says that the alarms are no part of it") {
  CampaignRecord campaign = with_a_crash();
  const int count = fixture::judged(campaign).tally.exceptions;
  REQUIRE_FALSE(fixture::judged(campaign).alarms.empty());
  const std::string page = rendered("html", campaign);
  CHECK(first_page(page).find(fmt::format("<li>{} more", count)) != std::string::npos);
  CHECK(fixture::section(page, "exceptions").find("Also:") != std::string::npos);
  CHECK(rendered("html", fixture::quick_campaign()).find("Also:") == std::string::npos);
}

TEST_CASE("runs of one set that overlap in time are an alarm") {
  CampaignRecord campaign = fixture::five_suites();
  campaign.set_scores.emplace_back().suite = "mlperf";
  campaign.set_scores.back().overlap = "2 pairs overlap, first a and b";
  campaign.set_scores.push_back(campaign.set_scores.back());
  const auto found = fixture::judged(campaign).alarms;
  CHECK(std::ranges::find(found, "MLPerf: 2 pairs overlap, first a and b; 2 pairs overlap, first a and b" +
                                     std::string(overlap_means)) != found.end());
}

TEST_CASE("that every run was disturbed is an alarm, and the run that decides is always listed") {
  CampaignRecord campaign = fixture::five_suites();
  for (CaseRecord& record : campaign.cases) record.attempts[0].conditions->foreign_cores = 1.2;
  const Judgement judgement = fixture::judged(campaign);
  const auto every = [](const Judgement& of) {
    return std::ranges::count(of.alarms, "every run was disturbed, 7 of 7");
  };
  CHECK(every(judgement) == 1);
  const std::string table = fixture::section(rendered("html", campaign), "exceptions");
  for (const CriterionResult& each : judgement.criteria)
    if (each.severity == CriterionSeverity::mandatory && !each.disturbed.empty())
      CHECK(table.find(each.case_id) != std::string::npos);
  fixture::gemm(campaign).attempts[0].conditions->foreign_cores = 0;
  CHECK(every(fixture::judged(campaign)) == 0);
}

TEST_CASE("a training without its target is invalid in every table, and listed once") {
  CampaignRecord campaign = fixture::five_suites();
  AttemptRecord& attempt = fixture::case_of(campaign, "mlperf").attempts[0];
  attempt.exit_code = 1;
  attempt.failure = "it failed after its result: rank 1 on n1 ended with exit code 1";
  ResultRecord& result = attempt.results[0];
  result.validity = Validity::invalid;
  result.rules = {fixture::rule("ML-02", "The last evaluation meets the target", RuleStatus::fail, "", 0)};
  result.rules[0].text = "the run ended without reaching the target";
  const Judgement judgement = fixture::judged(campaign);
  std::vector<std::string> listed;
  for (const std::string& each : exceptions(campaign, judgement))
    if (each.find("shakedown_pretrain-1n") != std::string::npos) listed.push_back(each);
  REQUIRE(listed.size() == 1);
  CHECK(
      listed[0] ==
      "mlperf-reference-shakedown_pretrain-1n, attempt 1: a result is invalid: ML-02: the run ended without "
      "reaching the target; it failed after its result: rank 1 on n1 ended with exit code 1");
}

TEST_CASE("where a node fails, the lower value of a disturbed one does not stand beside the verdict") {
  const CampaignRecord campaign = fixture::hundred_nodes();  // cn063 was disturbed, and slower than cn017
  const Judgement judgement = fixture::judged(campaign);
  const CriterionResult& rate = fixture::criterion(judgement, "hpl-rate");
  const auto value = [&](const char* node) {
    return std::ranges::find(rate.nodes, node, &NodeResult::node)->measured.value();
  };
  REQUIRE(value("cn063") < value("cn017"));
  CHECK(rate.verdict == Verdict::fail);
  CHECK(rate.measured.value() == value("cn017"));
  REQUIRE(rate.n == 99);
  CHECK(rate.aggregate ==
        "worst of 98 of 100 nodes, without cn042 (no result) and cn063 (undecided); 99 results, 1 of "
        "them (of cn063) left out");
  CHECK(contains(fixture::results_section(rendered("html", campaign)),
                 "each of 99 of 100 nodes: without cn042 (no result)"));
  CHECK(first_page(rendered("html", campaign)).find("worst of 98 decided of 100 nodes<") !=
        std::string::npos);
}

TEST_CASE("why no official list takes a result stands beside the number, with the counts") {
  CHECK(fixture::judged(fixture::five_suites()).tally.ineligible ==
        "5 by shakedown's own programs, which no list takes");
  CampaignRecord campaign = with_a_crash();
  campaign.cases[1].attempts[0].results[0].validity = Validity::invalid;
  for (RuleResult& rule : campaign.cases[2].attempts[0].results[0].rules)
    if (rule.severity == Severity::eligibility) rule.status = RuleStatus::fail;
  const Tally counted = fixture::judged(campaign).tally;
  CHECK(counted.ineligible ==
        "1 invalid; 1 breaks what the list asks for: HPL-07c (Rmax is not above Rpeak), HPL-08 (The run is "
        "long "
        "enough for the list)");
  CHECK(counted.eligibility_open == 3);
  CHECK(counted.results == 5);
  const std::string open =
      "; not decided for 3: the log does not show HPL-01 (The system is solved in 64-bit arithmetic, without "
      "refinement or Strassen's method), HPL-02 (FP64 is computed by the hardware, not emulated)";
  const std::string text =
      "0 of 5 benchmark results eligible for official lists (" + counted.ineligible + ")" + open + ".";
  CHECK(contains(fixture::results_section(rendered("html", campaign)), escaped(text)));
  CHECK(contains(run_counts(counted), text));
  CHECK(
      contains(first_page(rendered("html", campaign)), "known to be eligible for lists, 3 not decided</a>"));
}

TEST_CASE("a row of the first page says pass of a limit alone, and hides no advisory limit") {
  const auto cells =
      matches(first_page(rendered("html", fixture::five_suites())), "data-label=\"State\">(.*?)</td>");
  const auto word = [](const std::string& cell) {
    const std::size_t mark = cell.find("<span class=\"why\">");
    const std::string why = mark == std::string::npos ? "" : "; " + matches(cell, "\"why\">([^<]*)").front();
    return matches(cell, "</svg>(?:<a[^>]*>)?([^<]*)").front() + why;
  };
  std::vector<std::string> words;
  words.reserve(cells.size());
  for (const std::string& cell : cells) words.push_back(word(cell));
  CHECK(words ==
        std::vector<std::string>{
            "Pass",
            "Valid; 1 advisory limit undecided; short of the official rules; no ratio to its reference: see "
            "Exceptions",
            "Valid; 102.0 % of its reference, which is too low",
            "Complete; short of the official rules: its log marks it [INVALID]", "Valid", "Pass",
            "Valid; 1 advisory limit not comparable"});
}

TEST_CASE("what planning warned of is listed once with its cases, open in the results, and counted before") {
  CampaignRecord campaign = fixture::five_suites();
  for (CaseRecord& record : campaign.cases) record.planned.warnings = {"mpirun runs as root"};
  campaign.cases[1].planned.warnings.emplace_back("its arrays are small");
  const std::string page = rendered("html", campaign);
  CHECK(first_page(page).find("2 warnings: see Results.") != std::string::npos);
  const std::string results = fixture::results_section(page);
  CHECK(results.find("<li>mpirun runs as root (all 7 cases).</li>") != std::string::npos);
  CHECK(results.find("<li>its arrays are small (stream-reference-1n).</li>") != std::string::npos);
  CHECK(results.find("<details") == std::string::npos);
}

TEST_CASE("a pass on the first page says which value was disturbed, and what is no valid official result") {
  CampaignRecord campaign = fixture::five_suites();
  constexpr std::string_view disturbed = "disturbed: no measure of speed";
  CHECK(first_page(rendered("html", campaign)).find(disturbed) == std::string::npos);
  fixture::case_of(campaign, "hpcg").attempts[0].conditions->foreign_cores = 1.2;
  const std::string page = rendered("html", campaign);
  const std::string first = first_page(page);
  const std::size_t at = first.find(disturbed);
  REQUIRE(at != std::string::npos);
  CHECK(first.find(disturbed, at + 1) == std::string::npos);  // HPCG's row alone
  CHECK(first.rfind("HPCG-like", at) > first.rfind("<tr>", at));
  CHECK(first.find("short of the official rules") != std::string::npos);
  CHECK(matches(page, "(data-label=\"Measured\">complete<)").size() ==
        1);  // IO500's: HPCG's result and the training's are valid
}

TEST_CASE("a campaign of one run that was disturbed says so on the first page") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.cases.resize(1);
  campaign.cases[0].attempts[0].conditions->foreign_cores = 1.2;
  CHECK(first_page(rendered("html", campaign))
            .find("1 case; 1 attempt: 1 succeeded. It left 1 result. 1 attempt disturbed.") !=
        std::string::npos);
}

TEST_CASE("a rule that one result breaks is not listed as one that could not be checked") {
  CampaignRecord campaign = with_a_crash();
  for (RuleResult& rule : campaign.cases[1].attempts[0].results[0].rules)
    if (rule.id == "HPL-06c") rule.status = RuleStatus::unknown;
  const std::string section = fixture::section(rendered("html", campaign), "suite-hpl");
  CHECK(section.find("<b>HPL-06c</b>") != std::string::npos);
  CHECK(section.find("4 of 5 results") != std::string::npos);
  const std::size_t unchecked = section.find("Not checked in 5 results, as");
  REQUIRE(unchecked != std::string::npos);
  CHECK(section.find("HPL-06c", unchecked) == std::string::npos);
  CHECK(section.find("<b>HPL-02</b> FP64 is computed by the hardware, not emulated", unchecked) !=
        std::string::npos);
}

TEST_CASE("an acceptance does not explain screenings, and a system that nobody stated is not stated") {
  CampaignRecord campaign = with_a_crash();
  campaign.inventory.groups[0].software = {};
  const std::string page = rendered("html", campaign);
  CHECK(page.find("creening") == std::string::npos);
  CHECK(page.find(", kernel ") == std::string::npos);
  CHECK(page.find("<dt>System</dt><dd>not stated</dd>") != std::string::npos);
  CHECK(rendered("html", fixture::quick_campaign()).find("<b>Screening.</b>") != std::string::npos);
}

TEST_CASE("the time before the first run is reported apart from the runs, where it was long") {
  CampaignRecord campaign = fixture::quick_campaign();
  double first_s = 0;
  for (CaseRecord& record : campaign.cases)
    for (AttemptRecord& attempt : record.attempts)
      first_s = first_s > 0 ? std::min(first_s, attempt.started_s) : attempt.started_s;
  campaign.created_s = first_s - 2;
  campaign.finished_s = first_s + 98;
  CHECK(first_page(rendered("html", campaign)).find(", 1m 40s<") != std::string::npos);
  campaign.created_s = first_s - 60;
  CHECK(first_page(rendered("html", campaign)).find(", 2m 38s, 1m 00s of it waiting before the first run") !=
        std::string::npos);
}

TEST_CASE("vendor and customer can accept or refuse, the witness can not") {
  const std::string page = first_page(rendered("html", with_a_crash()));
  CHECK(matches(page, "(</span>accepts)").size() == 2);
  CHECK(matches(page, "(</span>refuses)").size() == 2);
}

TEST_CASE("a lost node that no log names is reported as unknown, among how many") {
  CampaignRecord campaign = fixture::hundred_nodes();
  for (CaseRecord& record : campaign.cases)
    if (record.planned.id == "hpl-netlib-50n") {
      record.attempts.front().failure = "the job was requeued: node failure";
      record.attempts.front().failure_kind = FailureKind::node_failure;
    }
  const Judgement judgement = fixture::judged(campaign);
  CHECK(std::ranges::find(
            judgement.deviations,
            "hpl-netlib-50n needed 2 attempts: attempt 1 lost: the job was requeued: node failure, "
            "on which of its 50 nodes is not known") != judgement.deviations.end());
}

TEST_CASE("of logs made elsewhere the counts say that nothing ran here") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "external";
  const Judgement judgement = fixture::judged(campaign);
  CHECK(run_counts(judgement.tally)
            .starts_with("2 of 2 logged runs are correct. 2 logged runs: 2 with a valid result. They left "));
  CHECK(fixture::rendered("html", MeasuredCampaign(campaign), judgement).find("ran correctly") ==
        std::string::npos);
}
