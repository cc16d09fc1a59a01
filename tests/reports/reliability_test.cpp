// Every attempt that was started counts in reliability, also what performance excuses.
#include "reports/measure/reliability.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/judge/criteria.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::hpl;
using fixture::judged;

namespace {

std::string reliability_criterion(const std::string& suite, const std::string& keys) {
  return "title = 'T'\n[[criteria]]\nid = 'runs'\ntitle = 'Attempts succeed'\nsuite = '" + suite +
         "'\nmetric = 'reliability'\ndirection = '>='\nseverity = 'mandatory'\nlimit_source = 'contract "
         "5.1'\n" +
         keys;
}

AttemptRecord ended(int index, AttemptState state, std::optional<FailureKind> kind, const std::string& why) {
  AttemptRecord attempt = fixture::attempt(index, "hpl-reference-1n", {});
  attempt.state = state;
  attempt.exit_code.reset();
  attempt.results.clear();
  attempt.failure = why;
  attempt.failure_kind = kind;
  return attempt;
}

/// Four attempts at HPL: lost, stopped by hand, invalid, and at last a good one; and GEMM at once.
CampaignRecord campaign_of_four() {
  CampaignRecord campaign = fixture::quick_campaign();
  CaseRecord& record = hpl(campaign);
  AttemptRecord good = record.attempts[0];
  good.index = 4;
  AttemptRecord invalid = fixture::attempt(3, "hpl-reference-1n", fixture::hpl_result(90, 35));
  invalid.results[0].validity = Validity::invalid;
  record.attempts = {ended(1, AttemptState::lost, FailureKind::node_failure, "node failure, on cn7"),
                     ended(2, AttemptState::interrupted, FailureKind::cancelled,
                           "stopped by alice on login1 at 2026-11-21T18:06:00Z (shakedown cancel)"),
                     invalid, good};
  return campaign;
}

}  // namespace

TEST_CASE("retried failures, invalid results and stops by hand are not successes") {
  const auto rows = reliability(MeasuredCampaign(campaign_of_four()));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].suite == "campaign");
  CHECK(rows[0].started == 5);
  CHECK(rows[0].succeeded == 2);
  CHECK(rows[1].suite == "gemm");
  CHECK(rows[1].succeeded == 1);
  CHECK(rows[2].suite == "hpl");
  CHECK(rows[2].started == 4);
  CHECK(rows[2].failed == 1);
  CHECK(rows[2].not_valid == 1);
  CHECK(rows[2].stopped == 1);
  CHECK(rows[2].rate.rate == Approx(0.25));
  // R, binom.test(1, 4)$conf.int.
  CHECK(rows[2].rate.low == Approx(0.0063).margin(1e-4));
  CHECK(rows[2].rate.high == Approx(0.8059).margin(1e-4));
}

TEST_CASE("a program that dies behind its result did not succeed, and its result counts") {
  CampaignRecord campaign = fixture::quick_campaign();
  hpl(campaign).attempts[0].exit_code = 139;
  CHECK(reliability(MeasuredCampaign(campaign))[0].succeeded == 1);
  CHECK(reliability(MeasuredCampaign(campaign))[0].failed == 1);
  CHECK(criterion(judged(campaign), "hpl-efficiency").verdict == Verdict::pass);
  hpl(campaign).attempts[0].exit_code.reset();
  hpl(campaign).attempts[0].signal = 11;
  CHECK(reliability(MeasuredCampaign(campaign))[0].failed == 1);
}

TEST_CASE("what never began, and what still runs, was not started") {
  CampaignRecord campaign = fixture::quick_campaign();
  AttemptRecord never = ended(2, AttemptState::lost, std::nullopt, "");
  never.started_s = 0;
  hpl(campaign).attempts.push_back(never);
  hpl(campaign).attempts.push_back(ended(3, AttemptState::running, std::nullopt, ""));
  CHECK(reliability(MeasuredCampaign(campaign))[0].started == 2);
  campaign.cases.clear();
  CHECK(reliability(MeasuredCampaign(campaign)).empty());
}

TEST_CASE("a job that the batch system took away is a failure, one that a person stopped says who and when") {
  CampaignRecord campaign = fixture::quick_campaign();
  hpl(campaign).attempts.push_back(ended(2, AttemptState::interrupted, FailureKind::preempted, "preempted"));
  CHECK(reliability(MeasuredCampaign(campaign))[0].stopped == 0);
  CHECK(reliability(MeasuredCampaign(campaign))[0].failed == 1);
  campaign = campaign_of_four();
  campaign.criteria_text = reliability_criterion("hpl", "limit = 0.2\naggregation = 'rate'\n");
  const CriterionResult judgement = criterion(judged(campaign), "runs");
  CHECK(judgement.verdict == Verdict::pass);
  CHECK(judgement.because ==
        "25.0 % ≥ 20.0 % (1 of 4 attempts succeeded; 1 failed: hpl-reference-1n, attempt 1 lost: node "
        "failure, on "
        "cn7; 1 invalid: hpl-reference-1n, attempt 3 left an invalid result; 1 stopped: "
        "hpl-reference-1n, attempt 2 "
        "stopped by alice on login1 at 2026-11-21T18:06:00Z (shakedown cancel))");
}

TEST_CASE("reliability is judged by its rate, or by the lower limit of it") {
  CampaignRecord campaign = campaign_of_four();
  campaign.criteria_text = reliability_criterion("campaign", "limit = 0.4\naggregation = 'rate'\n");
  CHECK(criterion(judged(campaign), "runs").verdict == Verdict::pass);
  campaign.criteria_text =
      reliability_criterion("campaign", "limit = 0.4\naggregation = 'lower_confidence'\n");
  const CriterionResult limited = criterion(judged(campaign), "runs");
  CHECK(limited.verdict == Verdict::fail);
  CHECK(*limited.measured == Approx(exact_interval(2, 5, 0.9)->low));
  CHECK(limited.because.find("exact lower 95 % limit") != std::string::npos);
  campaign.criteria_text =
      reliability_criterion("campaign", "limit = 0.4\naggregation = 'rate'\nruns_min = 10\n");
  CHECK(criterion(judged(campaign), "runs").verdict == Verdict::undecided);
  campaign.criteria_text = reliability_criterion("hpcg", "limit = 0.4\naggregation = 'rate'\n");
  CHECK(criterion(judged(campaign), "runs").verdict == Verdict::not_run);
}

TEST_CASE("performance excuses a failed attempt, reliability does not") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  CaseRecord& record = hpl(campaign);
  AttemptRecord good = record.attempts[0];
  good.index = 2;
  record.attempts = {ended(1, AttemptState::lost, FailureKind::node_failure, "node failure"), good};
  CHECK(judged(campaign).sentence.starts_with("accepted: 1 attempt lost; "));
  campaign.criteria_text +=
      "\n" + reliability_criterion("campaign", "limit = 0.95\naggregation = 'rate'\n").substr(12);
  CHECK(judged(campaign).exit_code == 1);
}

TEST_CASE("a limit on reliability is none on performance") {
  CampaignRecord campaign = campaign_of_four();
  const int before = judged(campaign).tally.limits.all;
  campaign.criteria_text +=
      "\n" + reliability_criterion("campaign", "limit = 0.4\naggregation = 'rate'\n").substr(12);
  CHECK(judged(campaign).tally.limits.all == before);
}

TEST_CASE("keys that say nothing of attempts are refused, and reliability alone is of the whole campaign") {
  const auto each_node = read_criteria(
      reliability_criterion("hpl", "limit = 0.9\naggregation = 'rate'\neach_node = true\n"), "c.toml");
  REQUIRE_FALSE(each_node);
  CHECK(each_node.error().what.find("'each_node' does not apply to reliability") == 0);
  const auto median =
      read_criteria(reliability_criterion("hpl", "limit = 0.9\naggregation = 'median'\n"), "c.toml");
  REQUIRE_FALSE(median);
  CHECK(median.error().hint == "known: rate, lower_confidence");
}

TEST_CASE("the report shows attempts, successes and who stopped what") {
  const auto document = nlohmann::json::parse(fixture::rendered("json", campaign_of_four()));
  REQUIRE(document["reliability"].size() == 3);
  CHECK(document["reliability"][1]["started"] == 4);
  CHECK(document["reliability"][1]["unsuccessful"][1]["by_hand"] == true);
  const std::string page = fixture::rendered("html", campaign_of_four());
  const std::string limits = fixture::section(page, "limits");
  CHECK(limits.find("Stopped") != std::string::npos);
  CHECK(limits.find("stopped by alice on login1 at 2026-11-21T18:06:00Z") != std::string::npos);
}

TEST_CASE(
    "reliability of all suites is always asked for, takes any number of attempts, and heeds exclusions") {
  const auto vanishing = read_criteria(
      reliability_criterion("campaign", "limit = 0.9\naggregation = 'rate'\nif_planned = true\n"), "c.toml");
  REQUIRE_FALSE(vanishing);
  CHECK(vanishing.error().what ==
        "'if_planned' asks for a suite, and all suites together are always planned");

  CampaignRecord campaign = fixture::quick_campaign();
  campaign.criteria_text =
      reliability_criterion("campaign", "limit = 0.2\naggregation = 'lower_confidence'\nruns_min = 2\n");
  CriterionResult result = criterion(judged(campaign), "runs");
  CHECK(result.verdict == Verdict::pass);
  CHECK(result.runs_min == 2);
  campaign.exclusions = {{"cn7", "node failure", 1795284400}};
  campaign.criteria_text = reliability_criterion(
      "campaign", "limit = 0.2\naggregation = 'rate'\nruns_min = 5\nexclusions_max = 0\n");
  result = criterion(judged(campaign), "runs");
  CHECK(result.verdict == Verdict::fail);
  CHECK(result.because.starts_with("1 node was excluded, and the criterion allows none"));
}

TEST_CASE("an attempt that a person cancelled is called so, also where nothing recorded its end") {
  const std::string stopped = "stopped by alice on login1 at 2026-11-21T18:06:00Z (shakedown cancel)";
  const AttemptRecord attempt = ended(1, AttemptState::cancelled, FailureKind::cancelled, stopped);
  CHECK(ending(attempt) == stopped);
  const std::string by_scheduler = "cancelled: the scheduler reports 'CANCELLED'";
  CHECK(ending(ended(1, AttemptState::interrupted, FailureKind::cancelled, by_scheduler)) == by_scheduler);
  CHECK(stopped_by_hand(attempt));
  CHECK(how_stopped_by_hand(attempt) == "stopped by shakedown cancel");
  CHECK(ending(ended(1, AttemptState::lost, FailureKind::node_failure, "node failure")) ==
        "lost: node failure");
}

TEST_CASE("the signal that stopped an attempt is named where it is known") {
  const auto how = [](const std::string& failure) {
    return how_stopped_by_hand(ended(1, AttemptState::interrupted, FailureKind::cancelled, failure));
  };
  const std::string by = "stopped by alice on login1 at 2026-11-21T18:06:00Z ";
  CHECK(how(by + "(SIGTERM)") == "stopped by SIGTERM");
  CHECK(how(by + "(Ctrl-C); the log ends before its result") == "stopped by Ctrl-C");
  CHECK(how("its job step was cancelled; " + by + "(hangup: its terminal was closed)") ==
        "stopped as its terminal was closed");
  CHECK(how(by + "(shakedown cancel); the program printed (SIGTERM)") == "stopped by shakedown cancel");
  CHECK(how("stopped on request") == "stopped by hand");
}
