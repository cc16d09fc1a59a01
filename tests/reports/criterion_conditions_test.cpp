// Criteria that ask for nodes, few exclusions and few attempts, and cases that measure one node each.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/judge/criteria.hpp"
#include "reports/judge/each_node.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::judged;

namespace {

/// A criterion on HPL's rate of at least 50 GFLOP/s, with further keys.
std::string rate_criterion(const std::string& more, const std::string& id = "rate") {
  return "[[criteria]]\nid = '" + id +
         "'\ntitle = 'HPL reaches 50 GFLOP/s'\nsuite = 'hpl'\nmetric = 'rmax_gflops'\ndirection = '>='\n"
         "limit = 50\naggregation = 'median'\nseverity = 'mandatory'\nlimit_source = 'contract 4.2'\n" +
         more;
}

CampaignRecord conditions_campaign_of(std::vector<CaseRecord> cases, const std::string& criteria) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  campaign.criteria_text = "title = 'Contract'\n" + criteria;
  campaign.cases = std::move(cases);
  return campaign;
}

CaseRecord hpl_on(const std::string& id, int nodes, double gflops) {
  CaseRecord record = fixture::hpl_case(gflops);
  record.planned.id = id;
  record.planned.nodes = nodes;
  for (AttemptRecord& attempt : record.attempts)
    attempt.run_folder = id + "/attempt-" + std::to_string(attempt.index);
  return record;
}

/// A case that measures one node.
CaseRecord bound_to(const std::string& node, double gflops, int repetition = 1) {
  CaseRecord record =
      hpl_on("hpl-1n-" + node + (repetition > 1 ? "-r" + std::to_string(repetition) : ""), 1, gflops);
  record.planned.bound = true;
  record.planned.hosts = node;
  record.planned.repetition = repetition;
  return record;
}

/// `count` nodes with one case each: cn1 reaches 60 GFLOP/s, cn2 60.5, ...
std::vector<CaseRecord> each_of(int count) {
  std::vector<CaseRecord> cases;
  for (int i = 1; i <= count; ++i) cases.push_back(bound_to("cn" + std::to_string(i), 59.5 + 0.5 * i));
  return cases;
}

AttemptRecord lost(int index, const std::string& why) {
  AttemptRecord attempt = fixture::attempt(index, "hpl", {});
  attempt.state = AttemptState::lost;
  attempt.exit_code.reset();
  attempt.results.clear();
  attempt.failure = why;
  attempt.failure_kind = FailureKind::node_failure;
  return attempt;
}

CaseRecord not_run(CaseRecord record, const std::string& why) {
  record.attempts.clear();
  record.not_run = why;
  return record;
}

nlohmann::json document_of(const CampaignRecord& campaign) {
  return nlohmann::json::parse(fixture::rendered("json", MeasuredCampaign(campaign), judged(campaign)));
}

}  // namespace

TEST_CASE("a result on fewer nodes than the criterion asks for decides nothing, whatever its value") {
  const std::string required = "nodes_required = 100\n";
  CampaignRecord campaign = conditions_campaign_of({hpl_on("hpl-98n", 98, 60)}, rate_criterion(required));
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::undecided);
  CHECK(criterion(judged(campaign), "rate").because ==
        "60.00 GFLOP/s ≥ 50.00 GFLOP/s (one result), but on 98 nodes, and the criterion asks for 100");
  CHECK(judged(campaign).exit_code == 3);
  campaign.cases = {hpl_on("hpl-98n", 98, 40)};
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::undecided);
  campaign.cases = {hpl_on("hpl-100n", 100, 40)};
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::fail);
  campaign.cases = {hpl_on("hpl-100n", 100, 60)};
  CHECK(judged(campaign).sentence == "accepted: a median of one run (rate)");
}

TEST_CASE("a criterion that asks for nodes speaks of the cases planned for as many") {
  const CampaignRecord campaign =
      conditions_campaign_of({hpl_on("hpl-1n", 1, 1), hpl_on("hpl-32n", 32, 20), hpl_on("hpl-64n", 64, 60)},
                             rate_criterion("nodes_required = 64\n"));
  const Judgement judgement = judged(campaign);
  REQUIRE(judgement.criteria.size() == 1);
  CHECK(judgement.criteria[0].case_id == "hpl-64n");
  CHECK(judgement.overall == Verdict::pass);
}

TEST_CASE("a stand-in is judged by the limit of the case whose place it took, and names it") {
  CaseRecord planned = not_run(hpl_on("hpl-100n", 100, 0), "needs 100 nodes, and cn7 is excluded");
  CaseRecord replacement = hpl_on("hpl-98n", 98, 49);
  replacement.planned.stands_for = "hpl-100n";
  CampaignRecord campaign = conditions_campaign_of({planned, replacement}, rate_criterion(""));
  Judgement judgement = judged(campaign);
  REQUIRE(judgement.criteria.size() == 1);
  CHECK(judgement.criteria[0].verdict == Verdict::fail);
  CHECK(*judgement.criteria[0].limit == 50);
  CHECK(judgement.criteria[0].because ==
        "49.00 GFLOP/s < 50.00 GFLOP/s (one result); in place of hpl-100n on 100 nodes");
  campaign.criteria_text = "title = 'Contract'\n" + rate_criterion("nodes_required = 100\n");
  judgement = judged(campaign);
  REQUIRE(judgement.criteria.size() == 1);
  CHECK(judgement.criteria[0].verdict == Verdict::undecided);
  CHECK(
      judgement.criteria[0].because ==
      "49.00 GFLOP/s < 50.00 GFLOP/s (one result), but on 98 nodes, and the criterion asks for 100; in place "
      "of hpl-100n on 100 nodes");
}

TEST_CASE("a case that was not run says why in its criteria") {
  const CampaignRecord campaign = conditions_campaign_of(
      {not_run(hpl_on("hpl-4n", 4, 0), "stage 0 did not pass: hpl-1n: exit code 1")}, rate_criterion(""));
  const CriterionResult result = criterion(judged(campaign), "rate");
  CHECK(result.verdict == Verdict::not_run);
  CHECK(result.because == "not run: stage 0 did not pass: hpl-1n: exit code 1");
}

TEST_CASE("a case whose attempt failed before its node was excluded was not run again") {
  CaseRecord record = hpl_on("hpl-4n", 4, 50);
  record.attempts[0].results.clear();
  record.attempts[0].state = AttemptState::lost;
  record.not_run = "cn7 is excluded: node failure";
  const CriterionResult result =
      criterion(judged(conditions_campaign_of({record}, rate_criterion(""))), "rate");
  INFO(result.because);
  CHECK(result.because.starts_with("not run again: cn7 is excluded: node failure; attempt 1"));
}

TEST_CASE("more exclusions than a criterion allows fail it, and without the key none do") {
  CampaignRecord campaign =
      conditions_campaign_of({hpl_on("hpl-98n", 98, 60)}, rate_criterion("exclusions_max = 1\n"));
  campaign.exclusions = {{"cn7", "node failure", 1795284400}};
  CHECK(judged(campaign).overall == Verdict::pass);
  campaign.exclusions.push_back({"cn9", "hpl-1n-cn9: attempt 1 timed-out", 1795284401});
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::fail);
  CHECK(criterion(judged(campaign), "rate").because ==
        "2 nodes were excluded, and the criterion allows 1: cn7 (node failure), cn9 "
        "(hpl-1n-cn9: attempt 1 timed-out); 60.00 GFLOP/s ≥ 50.00 GFLOP/s (one result)");
  CHECK(judged(campaign).exit_code == 1);
  campaign.criteria_text = "title = 'Contract'\n" + rate_criterion("");
  CHECK(judged(campaign).overall == Verdict::pass);
}

TEST_CASE("more attempts than a criterion allows fail it, with their reasons") {
  CaseRecord record = hpl_on("hpl-2n", 2, 60);
  record.attempts.insert(record.attempts.begin(), lost(1, "node failure: the scheduler says 'NODE_FAIL'"));
  record.attempts.back().index = 2;
  CampaignRecord campaign = conditions_campaign_of({record}, rate_criterion("attempts_max = 2\n"));
  CHECK(judged(campaign).overall == Verdict::pass);
  campaign.criteria_text = "title = 'Contract'\n" + rate_criterion("attempts_max = 1\n");
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::fail);
  CHECK(criterion(judged(campaign), "rate").because ==
        "hpl-2n needed 2 attempts, and the criterion allows 1 (attempt 1 lost: node failure: the scheduler "
        "says "
        "'NODE_FAIL'); 60.00 GFLOP/s ≥ 50.00 GFLOP/s (one result)");

  SECTION("what a person stopped and what never began is no attempt") {
    record.attempts[0].state = AttemptState::interrupted;
    record.attempts[0].failure_kind = FailureKind::cancelled;
    campaign.cases = {record};
    CHECK(judged(campaign).overall == Verdict::pass);
    record.attempts[0].state = AttemptState::lost;
    campaign.cases = {record};
    CHECK(judged(campaign).overall == Verdict::pass);
    record.attempts[0].failure_kind = FailureKind::node_failure;
    record.attempts[0].started_s = 0;
    campaign.cases = {record};
    CHECK(judged(campaign).overall == Verdict::pass);
  }
  SECTION("what the batch system took away is one, as it is a failure in reliability") {
    for (const FailureKind taken : {FailureKind::preempted, FailureKind::node_failure}) {
      record.attempts[0].state = AttemptState::interrupted;
      record.attempts[0].failure_kind = taken;
      campaign.cases = {record};
      CHECK(criterion(judged(campaign), "rate").verdict == Verdict::fail);
    }
  }
  SECTION("one that was cut behind its result is one, and not twice") {
    record.attempts[0] = fixture::attempt(1, "hpl-2n", fixture::hpl_result(60, 35));
    record.attempts[0].state = AttemptState::timed_out;
    campaign.cases = {record};
    CHECK(criterion(judged(campaign), "rate").verdict == Verdict::fail);
    record.attempts.pop_back();
    campaign.cases = {record};
    CHECK(judged(campaign).overall == Verdict::pass);
  }
  SECTION("the attempts of the case whose place it took are its own") {
    CaseRecord planned = not_run(hpl_on("hpl-3n", 3, 0), "needs 3 nodes, and cn3 is excluded");
    planned.attempts = {lost(1, "node failure")};
    CaseRecord replacement = hpl_on("hpl-2n", 2, 60);
    replacement.planned.stands_for = "hpl-3n";
    campaign.cases = {planned, replacement};
    CHECK(criterion(judged(campaign), "rate").verdict == Verdict::fail);
    CHECK(criterion(judged(campaign), "rate").because.find("attempt 1 of hpl-3n lost: node failure") !=
          std::string::npos);
  }
}

TEST_CASE("cases that measure one node each are one row, and the worst node decides") {
  CampaignRecord campaign = conditions_campaign_of(each_of(100), rate_criterion(""));
  Judgement judgement = judged(campaign);
  REQUIRE(judgement.criteria.size() == 1);
  const CriterionResult& row = judgement.criteria[0];
  CHECK(row.id == "rate");
  CHECK(row.verdict == Verdict::pass);
  CHECK(row.because == "100 of 100 nodes: lowest 60.00 GFLOP/s (cn1) ≥ 50.00 GFLOP/s (one result of each)");
  CHECK(row.measured.value() == 60);
  CHECK(row.points.size() == 100);
  CHECK(row.nodes.size() == 100);
  CHECK(row.evidence_path == "hpl-1n-cn1/attempt-1/stdout.log");

  campaign.cases[6] = bound_to("cn7", 41.2);
  campaign.cases[11] = not_run(bound_to("cn12", 0), "cn12 gets no jobs: drained");
  judgement = judged(campaign);
  REQUIRE(judgement.criteria.size() == 1);
  CHECK(judgement.criteria[0].verdict == Verdict::fail);
  CHECK(judgement.criteria[0].because ==
        "98 of 100 nodes pass; fail: cn7 (41.20 GFLOP/s < 50.00 GFLOP/s); no result: cn12");
  CHECK(node_reasons(judgement.criteria[0]) ==
        std::vector<std::string>{"cn7, fail: 41.20 GFLOP/s < 50.00 GFLOP/s (one result)",
                                 "cn12, no result: not run: cn12 gets no jobs: drained"});
  CHECK(judgement.criteria[0].evidence_path == "hpl-1n-cn7/attempt-1/stdout.log");
  CHECK(judgement.criteria[0].case_id == "hpl-1n-cn7");
}

TEST_CASE("a node's repetitions count by their median") {
  std::vector<CaseRecord> cases;
  for (const char* node : {"cn1", "cn2"})
    for (int k = 1; k <= 3; ++k) cases.push_back(bound_to(node, 60 + k, k));
  cases[4] = bound_to("cn2", 10, 2);  // one bad run of three
  CampaignRecord campaign = conditions_campaign_of(cases, rate_criterion(""));
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::pass);
  CHECK(criterion(judged(campaign), "rate").because ==
        "2 of 2 nodes: lowest 61.00 GFLOP/s (cn2) ≥ 50.00 GFLOP/s (median of each node's, 6 results)");
  campaign.cases[5] = bound_to("cn2", 12, 3);
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::fail);
  CHECK(criterion(judged(campaign), "rate").measured.value() == 12);
}

TEST_CASE("an excluded node is missing, unless the criterion says how many nodes may be") {
  CampaignRecord campaign = conditions_campaign_of(each_of(10), rate_criterion(""));
  campaign.cases[2] = not_run(bound_to("cn3", 0), "cn3 is excluded: node failure");
  campaign.exclusions = {{"cn3", "node failure", 1795284400}};
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::not_run);
  const auto judge_by = [&](const std::string& keys) {
    campaign.criteria_text = "title = 'Contract'\n" + rate_criterion(keys);
    return criterion(judged(campaign), "rate");
  };
  CHECK(judge_by("exclusions_max = 1\n").verdict == Verdict::pass);
  CHECK(judge_by("exclusions_max = 1\n").because ==
        "9 of 9 nodes: lowest 60.00 GFLOP/s (cn1) ≥ 50.00 GFLOP/s (one result of each); excluded, not "
        "judged: cn3 (9 + 1 = 10 nodes; 1 allowed)");
  CHECK(judge_by("exclusions_max = 0\n").verdict == Verdict::fail);
  CHECK(judge_by("nodes_required = 9\n").verdict == Verdict::pass);
  CHECK(judge_by("nodes_required = 10\n").verdict == Verdict::undecided);

  // What an excluded node measured before is judged all the same, and said so.
  campaign.cases[2] = bound_to("cn3", 70);
  campaign.cases[3] = not_run(bound_to("cn4", 0), "cn4 is excluded: node failure");
  campaign.exclusions.push_back({"cn4", "node failure", 1795284401});
  CHECK(
      judge_by("exclusions_max = 2\n")
          .because.ends_with(
              "; excluded, not judged: cn4 (9 + 1 = 10 nodes; 2 allowed); judged before its exclusion: cn3"));
  campaign.exclusions.pop_back();
  campaign.cases[3] = bound_to("cn4", 60);
  campaign.cases[2] = bound_to("cn3", 20);
  CHECK(judge_by("exclusions_max = 1\n").verdict == Verdict::fail);
  // A node below the limit stays below it however few were measured.
  CHECK(judge_by("nodes_required = 12\n").verdict == Verdict::fail);
  CHECK(judge_by("nodes_required = 12\n").because.find("on 10 nodes, and the criterion asks for 12") !=
        std::string::npos);
}

TEST_CASE("an invalid result on one node makes the row of all nodes invalid, with the node's name") {
  CampaignRecord campaign = conditions_campaign_of(each_of(3), rate_criterion(""));
  ResultRecord& result = campaign.cases[1].attempts[0].results[0];
  result.validity = Validity::invalid;
  result.rules[1].status = RuleStatus::fail;
  result.rules[1].text = "the residual is 43.1";
  const CriterionResult row = criterion(judged(campaign), "rate");
  CHECK(row.verdict == Verdict::invalid);
  CHECK(row.because.find(
            "2 of 3 nodes pass; invalid: cn2 (attempt 1 is invalid: HPL-03: the residual is 43.1") == 0);
  CHECK(node_reasons(row).empty());  // it has the one reason already
}

TEST_CASE("where no node has a value, none is the worst") {
  std::vector<CaseRecord> cases = each_of(3);
  for (CaseRecord& each : cases) each = not_run(each, "drained");
  const CriterionResult row = criterion(judged(conditions_campaign_of(cases, rate_criterion(""))), "rate");
  CHECK(worst_of_nodes(row) == "none of 3 nodes decided");
  CHECK(brief_worst_of_nodes(row) == "none of 3 nodes decided");
}

TEST_CASE("many nodes that don't pass are named in short") {
  std::vector<CaseRecord> cases;
  for (int i = 1; i <= 200; ++i) cases.push_back(bound_to("cn" + std::to_string(i), 0.1 * i));
  const CriterionResult row = criterion(judged(conditions_campaign_of(cases, rate_criterion(""))), "rate");
  CHECK(row.verdict == Verdict::fail);
  CHECK(row.because.find(" GFLOP/s < 50.00 GFLOP/s) and 197 more: cn[4-200]") != std::string::npos);
  CHECK(row.because.size() < 300);
  CHECK(node_reasons(row).size() == 13);
  CHECK(node_reasons(row).back() == "188 more in results.json");
}

TEST_CASE("a criterion may speak of each node alone, or of nodes together") {
  std::vector<CaseRecord> cases = each_of(4);
  cases.push_back(hpl_on("hpl-4n", 4, 200));
  const CampaignRecord campaign = conditions_campaign_of(
      cases, rate_criterion("", "both") + rate_criterion("each_node = true\n", "each") +
                 rate_criterion("each_node = false\n", "together"));
  const Judgement judgement = judged(campaign);
  REQUIRE(judgement.criteria.size() == 4);
  CHECK(criterion(judgement, "both@hpl-4n").n == 1);
  CHECK(criterion(judgement, "both@each-node").n == 4);
  CHECK(criterion(judgement, "each").n == 4);
  CHECK(criterion(judgement, "together").case_id == "hpl-4n");
}

TEST_CASE(
    "what a criterion asks for beside its limit is a whole number in range, and frozen criteria keep it") {
  const auto refusal = [](const std::string& keys) {
    const auto criteria = read_criteria("title = 't'\n" + rate_criterion(keys), "c.toml");
    return criteria ? std::string() : criteria.error().what;
  };
  CHECK(refusal("nodes_required = 0\n") == "'nodes_required' is 0, outside 1 to 1000000");
  CHECK(refusal("exclusions_max = -1\n") == "'exclusions_max' is -1, outside 0 to 1000000");
  CHECK(refusal("attempts_max = 0\n") == "'attempts_max' is 0, outside 1 to 1000000");
  CHECK_FALSE(refusal("attempts_max = 'two'\n").empty());
  const auto frozen = frozen_criteria(
      "title = 't'\n" +
          rate_criterion("nodes_required = 98\nexclusions_max = 2\nattempts_max = 3\neach_node = false\n"),
      "c.toml", {});
  REQUIRE(frozen);
  const auto read = read_criteria(*frozen, "frozen");
  REQUIRE(read);
  CHECK(read->criteria[0].nodes_required == 98);
  CHECK(read->criteria[0].exclusions_max == 2);
  CHECK(read->criteria[0].attempts_max == 3);
  CHECK(read->criteria[0].each_node == false);
}

TEST_CASE("results.json gives a criterion on every node all of them, and what it asks for beside its limit") {
  const auto document = document_of(conditions_campaign_of(
      each_of(3), rate_criterion("nodes_required = 3\nexclusions_max = 1\nattempts_max = 2\n")));
  const auto& row = document["criteria"][0];
  CHECK(row["nodes"].size() == 3);
  CHECK(row["nodes"][0]["node"] == "cn1");
  CHECK(row["nodes"][0]["median"] == 60);
  CHECK(row["worst_node"] == 60);
  CHECK_FALSE(row.contains("median"));
  CHECK(row["nodes_required"] == 3);
  CHECK(row["exclusions_max"] == 1);
  CHECK(row["attempts_max"] == 2);
}
