#include <catch2/catch.hpp>

#include "reports/judge/disturbance.hpp"
#include "reports/measure/comparability.hpp"
#include "tests/reports/five_suites.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::gemm;
using fixture::hpl;
using fixture::quick_campaign;

namespace {

Comparability aside_table() {
  return read_comparability(fixture::comparability(), "comparability.toml").value();
}

MeasuredCampaign counted(CampaignRecord campaign) {
  return without_disturbed(std::move(campaign), aside_table()).value();
}

Judgement judged_counted(const CampaignRecord& campaign) {
  const Baseline baseline = fixture::sakuraone();
  return judge(counted(campaign), &baseline, fixture::comparability()).value();
}

/// Another attempt at HPL.
AttemptRecord hpl_attempt(int index, double gflops, double foreign_cores = 0.03) {
  AttemptRecord attempt = fixture::attempt(index, "hpl-reference-1n", fixture::hpl_result(gflops, 35));
  attempt.conditions->foreign_cores = foreign_cores;
  return attempt;
}

AttemptRecord gemm_attempt(int index, double gflops, double foreign_cores = 0.03) {
  AttemptRecord attempt = fixture::gemm_case(gflops).attempts.front();
  attempt.index = index;
  attempt.conditions->foreign_cores = foreign_cores;
  return attempt;
}

std::vector<Disturbance> again(const CampaignRecord& campaign) {
  const auto criteria = read_criteria(campaign.criteria_text, campaign.criteria_name);
  return to_measure_again(counted(campaign), *criteria, aside_table());
}

}  // namespace

TEST_CASE("of a case, all undisturbed attempts count and no disturbed one, whichever is faster") {
  struct Row {
    const char* what;
    std::vector<AttemptRecord> attempts;  ///< at HPL; GEMM gave 111.2, the limit is 70.5 % of it
    Verdict verdict;
    int n;
    std::size_t aside;
  };
  const std::vector<Row> rows = {
      {"an undisturbed one takes the place of a slow disturbed one",
       {hpl_attempt(1, 20, 1.0), hpl_attempt(2, 93)},
       Verdict::pass,
       1,
       1},
      {"and that of a fast disturbed one",
       {hpl_attempt(1, 93, 1.0), hpl_attempt(2, 70)},
       Verdict::fail,
       1,
       1},
      {"two undisturbed ones both count: their median, not the best",
       {hpl_attempt(1, 93, 1.0), hpl_attempt(2, 60), hpl_attempt(3, 90)},
       Verdict::fail,
       2,
       1},
      {"a later one that is disturbed does not count",
       {hpl_attempt(1, 70), hpl_attempt(2, 93, 1.0)},
       Verdict::fail,
       1,
       1},
      {"all disturbed: undecided, and all are kept",
       {hpl_attempt(1, 93, 1.0), hpl_attempt(2, 93, 1.0), hpl_attempt(3, 93, 1.0)},
       Verdict::undecided,
       3,
       0},
      {"none disturbed: all count", {hpl_attempt(1, 93), hpl_attempt(2, 90)}, Verdict::pass, 2, 0},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    CampaignRecord campaign = quick_campaign();
    hpl(campaign).attempts = row.attempts;
    const Judgement judgement = judged_counted(campaign);
    CHECK(criterion(judgement, "hpl-efficiency").verdict == row.verdict);
    CHECK(criterion(judgement, "hpl-efficiency").n == row.n);
    CHECK(judgement.set_aside.size() == row.aside);
    CHECK(criterion(judgement, "hpl-valid").n == static_cast<int>(row.attempts.size()));
    CHECK((judgement.sentence.find("disturbed attempt") != std::string::npos) == (row.aside > 0));
  }
}

TEST_CASE("what was set aside stands in the sentence and among the exceptions") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts = {hpl_attempt(1, 20, 1.0), hpl_attempt(2, 93)};
  const Judgement judgement = judged_counted(campaign);
  CHECK(judgement.sentence ==
        "screening passed: 1 disturbed attempt was measured again undisturbed (hpl-reference-1n)");
  CHECK(judgement.disturbances.empty());
  const std::string exception =
      "hpl-reference-1n, attempt 1: other processes used 1 of 2 cores while the job needed 2 (they may use "
      "0.10 "
      "cores); its speed does not count, that of an undisturbed repeat does";
  CHECK(std::ranges::count(judgement.deviations, exception) == 1);
  const std::string runs =
      fixture::section(fixture::rendered("html", counted(campaign), judgement), "suite-hpl");
  CHECK(runs.find("disturbed: its speed does not count, that of its repeat does") != std::string::npos);
}

TEST_CASE("an attempt that several causes set aside is one exception, with each cause once") {
  CampaignRecord campaign = quick_campaign();
  AttemptRecord first = gemm_attempt(1, 90, 1.0);
  first.results[0].parsed.metrics[1].value = 32;  // its repetitions differ, too
  first.conditions->steal_ratio = 0.2;
  first.results.push_back(first.results[0]);
  gemm(campaign).attempts = {first, gemm_attempt(2, 111.2)};
  std::vector<std::string> lines = judged_counted(campaign).deviations;
  std::erase_if(lines,
                [](const std::string& each) { return !each.starts_with("gemm-reference-1n, attempt 1"); });
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("gemm-reference-1n, attempt 1: the hypervisor took 20"));
  CHECK(contains(lines[0], "; other processes used 1 of 2 cores"));
  CHECK(contains(lines[0], "; GEMM repetitions differ by 32"));
  CHECK(lines[0].find("GEMM repetitions") == lines[0].rfind("GEMM repetitions"));
  CHECK(lines[0].ends_with("; its speed does not count, that of an undisturbed repeat does"));
}

TEST_CASE("an invalid result counts however disturbed its attempt was: measuring again heals nothing") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts = {hpl_attempt(1, 20, 1.0), hpl_attempt(2, 93)};
  hpl(campaign).attempts[0].results[0].validity = Validity::invalid;
  const Judgement judgement = judged_counted(campaign);
  CHECK(criterion(judgement, "hpl-valid").verdict == Verdict::invalid);
  CHECK(criterion(judgement, "hpl-efficiency").verdict == Verdict::invalid);
  CHECK(judgement.exit_code == 1);
}

TEST_CASE("an attempt that failed, or of which nothing was recorded, sets no other aside") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts = {hpl_attempt(1, 93, 1.0), hpl_attempt(2, 93)};
  AttemptRecord& second = hpl(campaign).attempts[1];
  SECTION("it was interrupted") {
    second.state = AttemptState::interrupted;
  }
  SECTION("it left no whole result") {
    second.results[0].parsed.complete = false;
  }
  SECTION("whether it was disturbed is not recorded") {
    second.conditions.reset();
  }
  const Judgement judgement = judged_counted(campaign);
  CHECK(judgement.set_aside.empty());
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("a disturbed repeat of a suspect does not count where another of that node was undisturbed") {
  const auto repeat = [](int repetition, const char* node, double gflops, double foreign_cores,
                         const char* what = "") {
    CaseRecord record = fixture::hpl_case(gflops);
    record.planned.id += fmt::format("{}-{}-r{}", what, node, repetition);
    record.planned.repetition = repetition;
    record.planned.hosts = node;
    record.planned.confirms = true;
    record.attempts = {hpl_attempt(1, gflops, foreign_cores)};
    return record;
  };
  CampaignRecord campaign = quick_campaign();
  campaign.cases.push_back(repeat(2, "n1", 40, 1.0));
  campaign.cases.push_back(repeat(3, "n1", 93, 0.03));
  campaign.cases.push_back(repeat(2, "n2", 40, 1.0));                // the only one of its node
  campaign.cases.push_back(repeat(2, "n1", 40, 1.0, "-4-threads"));  // of another case there
  campaign.cases.push_back(repeat(2, "n3", 40, 1.0));                // beside one that is of no use
  campaign.cases.push_back(repeat(3, "n3", 93, 0.03));
  campaign.cases.back().attempts[0].results[0].validity = Validity::invalid;
  const MeasuredCampaign measured = counted(campaign);
  const auto left_aside = [&](std::size_t from_end) {
    return !measured.record.cases[measured.record.cases.size() - from_end].attempts[0].set_aside.empty();
  };
  CHECK(left_aside(6));
  for (const std::size_t from_end : {5, 4, 3, 2, 1}) CHECK_FALSE(left_aside(from_end));
}

TEST_CASE("a screen that HPL refutes is measured again and does not count then") {
  CampaignRecord campaign = quick_campaign();
  gemm(campaign).attempts = {gemm_attempt(1, 62)};  // HPL: 93.2, 150 % of it
  REQUIRE(again(campaign).size() == 1);
  CHECK(again(campaign).front().sentence ==
        "gemm-reference-1n, attempt 1: refuted by hpl-reference-1n: HPL is faster than the matrix "
        "multiplication it consists of");
  CHECK(criterion(judged_counted(campaign), "hpl-efficiency").verdict == Verdict::undecided);
  gemm(campaign).attempts.push_back(gemm_attempt(2, 111.2));
  CHECK(again(campaign).empty());
  const Judgement judgement = judged_counted(campaign);
  // Not the median of 62 and 111.2, by which HPL reaches 107.6 %.
  CHECK(criterion(judgement, "hpl-efficiency").measured.value() == Approx(93.182 / 111.2));
  CHECK(judgement.set_aside.size() == 1);
  gemm(campaign).attempts[1] = gemm_attempt(2, 70);  // still impossible
  REQUIRE(again(campaign).size() == 2);
  CHECK(criterion(judged_counted(campaign), "hpl-efficiency").verdict == Verdict::undecided);
}

TEST_CASE("what is measured again is every disturbed case and no other") {
  CampaignRecord campaign = quick_campaign();
  CHECK(again(campaign).empty());
  hpl(campaign).attempts[0].conditions.reset();  // not recorded is not disturbed
  CHECK(again(campaign).empty());
  gemm(campaign).attempts[0].conditions->steal_ratio = 0.1;
  REQUIRE(again(campaign).size() == 1);
  CHECK(again(campaign).front().case_id == "gemm-reference-1n");
  gemm(campaign).attempts.push_back(gemm_attempt(2, 111.2));
  CHECK(again(campaign).empty());
}

TEST_CASE("a verdict by an earlier revision counts the attempts by its own limits") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts = {hpl_attempt(1, 93, 0.5), hpl_attempt(2, 60)};
  std::string loose = campaign.criteria_text;
  const std::size_t at = loose.find("limit = 1.05");
  REQUIRE(at != std::string::npos);
  loose.replace(at, 12, "limit = 2.00");
  campaign.criteria_revisions.push_back({2, "loose.toml", loose, "the site: shared node", 1795284500});
  const Judgement judgement = judged_counted(campaign);
  CHECK(criterion(judgement, "hpl-efficiency").n == 2);
  REQUIRE(judgement.revisions.size() == 2);
  CHECK(judgement.revisions[0].overall == Verdict::fail);
  CHECK(judgement.sentence.starts_with(
      "screening failed by revision 2 of the criteria (the site, shared node): hpl-efficiency: "));
}

TEST_CASE("what happened is in the verdict's sentence") {
  CampaignRecord campaign = quick_campaign();
  campaign.kind = "acceptance";
  campaign.earlier = {{"2026-11-20T08-00-00Z-n1", "not accepted", true},
                      {"2026-11-20T09-00-00Z-n1", "", false}};
  hpl(campaign).attempts.insert(hpl(campaign).attempts.begin(), hpl_attempt(1, 93));
  hpl(campaign).attempts[0].state = AttemptState::interrupted;
  hpl(campaign).attempts[0].results.clear();
  hpl(campaign).attempts[1].index = 2;
  CHECK(judged_counted(campaign).sentence ==
        "accepted: second campaign by these criteria; the first: not accepted (2026-11-20T08-00-00Z-n1); by "
        "other criteria before: not judged (2026-11-20T09-00-00Z-n1); 1 attempt stopped by hand; a median of "
        "one run (hpl-efficiency, gemm-rpeak); not planned: HPCG, HPL-MxP, IO500 and 2 more");
  hpl(campaign).attempts[0].failure = "stopped by alice on login1 at 2026-11-21T18:06:00Z (SIGTERM)";
  CHECK(judged_counted(campaign).sentence.find("; 1 attempt stopped by SIGTERM; ") != std::string::npos);
}

TEST_CASE("campaigns as another system are named, and counted where nothing tells their nodes") {
  CampaignRecord campaign = quick_campaign();
  campaign.kind = "acceptance";
  EarlierCampaign other{"2026-11-20T08-00-00Z-n1", "not accepted"};
  other.other_system = other.removed = true;
  EarlierCampaign unknown = other;
  unknown.nodes_unknown = unknown.gone = true;
  campaign.earlier = {unknown, other, unknown};
  CHECK(judged_counted(campaign).sentence.starts_with(
      "accepted: 2 campaigns as another system before, whether on these nodes is not known; as another "
      "system "
      "before: not accepted (2026-11-20T08-00-00Z-n1, removed); "));
}

TEST_CASE("criteria of suites that were left out are kept as such") {
  const Judgement judgement = judged_counted(quick_campaign());
  CHECK(std::ranges::none_of(judgement.criteria,
                             [](const CriterionResult& each) { return each.suite == "hpcg"; }));
  CHECK(std::ranges::count(judgement.left_out, "hpcg", &CriterionResult::suite) == 2);
  CHECK(judgement.exit_code == 0);
}
