// What an acceptance says of criteria that ask for less than they seem to, and of results that prove less.
#include <catch2/catch.hpp>

#include "parsers/lost_run.hpp"
#include "reports/judge/judgement.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::gemm;
using fixture::hpl;

namespace {

std::string hpl_contract(const std::string& metric, const std::string& keys) {
  return "title = 'Contract'\n[disturbance]\nsteal = { limit = 1, reason = 'a test' }\nload = { limit = 1e9, "
         "reason "
         "= 'a test' }\n[[criteria]]\nid = 'rate'\ntitle = 'HPL is fast'\nsuite = 'hpl'\nmetric = '" +
         metric + "'\nseverity = 'mandatory'\nlimit_source = 'contract 4.2'\n" + keys;
}

/// HPL and GEMM of one node, judged by `criteria`.
std::string sentence_by(CampaignRecord campaign, const std::string& criteria) {
  campaign.kind = "acceptance";
  campaign.criteria_text = criteria;
  return judge(MeasuredCampaign(campaign), nullptr, fixture::comparability()).value().sentence;
}

const std::string every = "direction = '>='\naggregation = 'every'\n";

}  // namespace

TEST_CASE("an acceptance by sound criteria says no more than that") {
  const CampaignRecord campaign = fixture::quick_campaign();
  CHECK(sentence_by(campaign, hpl_contract("rmax_gflops", every + "limit = 60\n")) == "accepted");
  CHECK(sentence_by(campaign, hpl_contract("efficiency_gemm", every + "limit = 0.7\n")) == "accepted");
}

TEST_CASE("an acceptance by criteria that ask for less than they seem to says so") {
  const CampaignRecord campaign = fixture::quick_campaign();
  CHECK(sentence_by(campaign, hpl_contract("rmax_gflops", every + "limit = 0.06\n"))
            .find("accepted: rate is met ") == 0);
  CHECK(sentence_by(campaign,
                    hpl_contract("rmax_gflops", "direction = '<='\naggregation = 'every'\nlimit = 300\n")) ==
        "accepted: rate asks for at most its limit of rmax_gflops, where more is better");
  CHECK(sentence_by(campaign,
                    hpl_contract("rmax_gflops", "direction = '>='\naggregation = 'median'\nlimit = 60\n")) ==
        "accepted: a median of one run (rate)");
  // An advisory one decides nothing, and is not named.
  std::string advisory = hpl_contract("rmax_gflops", every + "limit = 60\n");
  advisory +=
      "[[criteria]]\nid = 'other'\ntitle = 'HPL'\nsuite = 'hpl'\nmetric = 'rmax_gflops'\nseverity = "
      "'advisory'\n"
      "limit_source = 'none'\ndirection = '>='\naggregation = 'every'\nlimit = 0.06\n";
  CHECK(sentence_by(campaign, advisory) == "accepted");
}

TEST_CASE("an acceptance by limits that no contract states says so") {
  const CampaignRecord campaign = fixture::quick_campaign();
  const auto criteria = [](const std::string& source) {
    return hpl_contract("rmax_gflops", every +
                                           "limit = 57\nlimit_of = 'contract'\ncontract = { value = 60, "
                                           "source = '" +
                                           source + "' }\n");
  };
  CHECK(sentence_by(campaign, criteria("prediction of the plan, not a contract")) ==
        "accepted: 1 limit is the plan's own prediction (rate)");
  CHECK(sentence_by(campaign, criteria("contract, annex 2")) == "accepted");
}

TEST_CASE("an acceptance on the best of several runs says so") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.cases.push_back(hpl(campaign));
  CaseRecord& second = campaign.cases.back();
  second.planned.repetition = 2;
  second.planned.id += "-r2";
  second.attempts = {fixture::attempt(1, second.planned.id, fixture::hpl_result(30, 35))};
  CHECK(sentence_by(campaign, hpl_contract("rmax_gflops",
                                           "direction = '>='\naggregation = 'best_of'\nbest_of = { k = "
                                           "1, n = 2 }\nlimit = 60\n")) ==
        "accepted: rate takes the best of 2 results");
}

TEST_CASE("a ratio over a screen below its prediction is named, unless the screen is judged itself") {
  CampaignRecord campaign = fixture::quick_campaign();
  const std::string criteria = hpl_contract("efficiency_gemm", every + "limit = 0.7\n");
  gemm(campaign).planned.predicted = {{"fp64_gflops", 300, 200, 400}};
  CHECK(sentence_by(campaign, criteria) ==
        "accepted: GEMM gave 111.2 GFLOP/s where at least 200.0 GFLOP/s was predicted, and rate is relative "
        "to it");
  CHECK(sentence_by(campaign, criteria +
                                  "[[criteria]]\nid = 'gemm'\ntitle = 'GEMM'\nsuite = 'gemm'\nmetric = "
                                  "'fp64_gflops'\nseverity = 'mandatory'\nlimit_source = 'contract 4.3'\n" +
                                  every + "limit = 100\n") == "accepted");
  gemm(campaign).planned.predicted = {{"fp64_gflops", 115, 100, 130}};
  CHECK(sentence_by(campaign, criteria) == "accepted");
}

TEST_CASE("a log of shakedown's own program where another was planned is named") {
  CampaignRecord campaign = fixture::quick_campaign();
  hpl(campaign).planned.implementation = "netlib";
  hpl(campaign).attempts[0].results[0].parsed.implementation = "reference";
  CHECK(sentence_by(campaign, hpl_contract("rmax_gflops", every + "limit = 60\n")) ==
        "accepted: measured with shakedown's own program, where hpl-reference-1n was planned with netlib");
}

TEST_CASE("a rule that must be noted is named with its cases, unless it is met") {
  CampaignRecord campaign = fixture::quick_campaign();
  RuleResult rule;
  rule.id = "HPL-04j";
  rule.severity = Severity::warning;
  rule.text = "the time of 0.01 s allows rates 3.0 times apart";
  std::vector<RuleResult>& rules = hpl(campaign).attempts[0].results[0].rules;
  std::erase_if(rules, [](const RuleResult& each) { return each.id == "HPL-04j" || each.id == "HPL-05b"; });
  const std::string criteria = hpl_contract("rmax_gflops", every + "limit = 60\n");
  rule.status = RuleStatus::pass;
  rules.push_back(rule);
  CHECK(sentence_by(campaign, criteria) == "accepted");
  rules.back().status = RuleStatus::fail;
  CHECK(sentence_by(campaign, criteria) ==
        "accepted: HPL-04j: the time of 0.01 s allows rates 3.0 times apart (hpl-reference-1n)");
}

TEST_CASE("two runs that left one and the same log are named") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.cases.push_back(hpl(campaign));
  CaseRecord& second = campaign.cases.back();
  second.planned.repetition = 2;
  second.planned.id += "-r2";
  const std::string criteria = hpl_contract("rmax_gflops", every + "limit = 60\n");
  CHECK(sentence_by(campaign, criteria) ==
        "accepted: 2 runs left one and the same log (hpl-reference-1n, attempt 1, hpl-reference-1n-r2, "
        "attempt 1)");
  for (FileRecord& file : campaign.cases.back().attempts[0].files) file.sha256 = std::string(64, 'a');
  CHECK(sentence_by(campaign, criteria) == "accepted");
}

TEST_CASE("a node that was excluded, a program that failed and a run without a result are named") {
  CampaignRecord campaign = fixture::quick_campaign();
  const std::string criteria = hpl_contract("rmax_gflops", every + "limit = 60\n");
  campaign.exclusions = {{"cn17", "slow", 1795284500}};
  CHECK(sentence_by(campaign, criteria) == "accepted: 1 node excluded");
  campaign.exclusions.clear();
  hpl(campaign).attempts[0].exit_code = 3;
  CHECK(sentence_by(campaign, criteria) == "accepted: it failed after its result: hpl-reference-1n");
  hpl(campaign).attempts[0].exit_code = 0;
  hpl(campaign).attempts[0].results[0].parsed.warnings = {lost_run_warning(56, "the log ends")};
  CHECK(sentence_by(campaign, criteria) ==
        "accepted: a further run in its log left no result: hpl-reference-1n");
}

TEST_CASE("a rate above the theoretical peak is named, for the inventory's clock may be too low") {
  CampaignRecord campaign = fixture::quick_campaign();
  const std::string criteria = hpl_contract("efficiency_rpeak", every + "limit = 0.5\n");
  CHECK(sentence_by(campaign, criteria) == "accepted");
  campaign.inventory.groups.front().cpu.base_mhz = 1000;
  CHECK(sentence_by(campaign, criteria) == "accepted: rate is 145.6 % of the theoretical peak");
}

TEST_CASE("a case on fewer nodes than planned is named") {
  CampaignRecord campaign = fixture::quick_campaign();
  hpl(campaign).planned.nodes = 4;
  CaseRecord smaller = hpl(campaign);
  hpl(campaign).attempts.clear();
  smaller.planned.id = "hpl-3n";
  smaller.planned.nodes = 3;
  smaller.planned.stands_for = hpl(campaign).planned.id;
  campaign.cases.push_back(smaller);
  CHECK(sentence_by(campaign, hpl_contract("rmax_gflops", every + "limit = 60\n")) ==
        "accepted: hpl-reference-1n on 3 of 4 nodes");
}

TEST_CASE("a library that the plan puts in front of a program is named") {
  CampaignRecord campaign = fixture::quick_campaign();
  hpl(campaign).planned.environment = {{"OMP_NUM_THREADS", std::string("1")},
                                       {"LD_PRELOAD", std::string("/opt/libclock.so")}};
  CHECK(sentence_by(campaign, hpl_contract("rmax_gflops", every + "limit = 60\n")) ==
        "accepted: LD_PRELOAD is set for hpl-reference-1n");
}

TEST_CASE("an acceptance without delivered settings says so, and one whose nodes were checked does not") {
  CampaignRecord campaign = fixture::quick_campaign();
  const std::string criteria = hpl_contract("rmax_gflops", every + "limit = 60\n");
  RuleResult rule;
  rule.id = "COND-02";
  rule.severity = Severity::validity;
  rule.status = RuleStatus::not_applicable;
  for (CaseRecord& record : campaign.cases)
    for (AttemptRecord& attempt : record.attempts)
      for (ResultRecord& result : attempt.results) result.rules.push_back(rule);
  CHECK(sentence_by(campaign, criteria) ==
        "accepted: no delivered settings were stated, so none were checked");
  campaign.kind = "screening";
  campaign.criteria_text = criteria;
  const std::string screened =
      judge(MeasuredCampaign(campaign), nullptr, fixture::comparability()).value().sentence;
  CHECK(screened.find("delivered settings") == std::string::npos);
  hpl(campaign).attempts[0].results[0].rules.back().status = RuleStatus::pass;
  CHECK(sentence_by(campaign, criteria) == "accepted");
}

TEST_CASE("an acceptance that knows none before it says how far it knows") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.first_known = true;
  CHECK(sentence_by(campaign, hpl_contract("rmax_gflops", every + "limit = 60\n")) ==
        "accepted: the first acceptance of this system in this workspace (others are not known)");
  CHECK(sentence_by(campaign, hpl_contract("rmax_gflops", every + "limit = 600000\n")).find("workspace") ==
        std::string::npos);
}
