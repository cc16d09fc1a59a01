#include "reports/judge/disturbance.hpp"

#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::gemm;
using fixture::hpl;
using fixture::judged;
using fixture::quick_campaign;

namespace {

/// The one disturbance of a campaign, of whose criteria `gemm_rpeak` becomes of the screen's.
std::string only_disturbance(const CampaignRecord& campaign, Verdict gemm_rpeak = Verdict::pass) {
  const Judgement judgement = judged(campaign);
  REQUIRE(judgement.disturbances.size() == 1);
  const std::string& sentence = judgement.disturbances.front().sentence;
  CHECK(criterion(judgement, "hpl-efficiency").verdict == Verdict::undecided);
  CHECK(criterion(judgement, "hpl-efficiency").disturbed == sentence);
  CHECK(criterion(judgement, "gemm-rpeak").verdict == gemm_rpeak);
  CHECK(criterion(judgement, "hpl-valid").verdict == Verdict::pass);
  CHECK(judgement.exit_code == 3);
  CHECK(judgement.sentence.starts_with("screening undecided – repeat the test: "));
  return sentence;
}

}  // namespace

TEST_CASE("a quiet machine gives no disturbance") {
  CHECK(judged(quick_campaign()).disturbances.empty());
}

TEST_CASE("stolen CPU time makes performance undecided and leaves validity alone") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].conditions->steal_ratio = 0.034;
  CHECK(only_disturbance(campaign) ==
        "hpl-reference-1n, attempt 1: the hypervisor took 3.4 % of the CPU time (limit 2.0 %)");
  hpl(campaign).attempts[0].conditions->steal_ratio = 0.02;
  CHECK(judged(campaign).disturbances.empty());
}

TEST_CASE("criteria that allow other processes all cores are named beside the verdict") {
  CampaignRecord campaign = quick_campaign();
  for (CaseRecord& each : campaign.cases)
    for (AttemptRecord& attempt : each.attempts) attempt.conditions->foreign_cores = 1.5;
  const auto at = campaign.criteria_text.find("[disturbance.load]");
  REQUIRE(at != std::string::npos);
  const auto limit = campaign.criteria_text.find("limit = ", at);
  campaign.criteria_text.replace(limit, campaign.criteria_text.find('\n', limit) - limit, "limit = 2");
  const Judgement judgement = judged(campaign);
  CHECK(std::ranges::none_of(judgement.disturbances, [](const Disturbance& each) {
    return each.cause == Disturbance::Cause::processes;
  }));
  CHECK(std::ranges::any_of(judgement.alarms, [](const std::string& each) {
    return each.starts_with(
               "no run counts as disturbed by other processes, since the criteria allow them "
               "all cores (") &&
           each.ends_with("): other processes used up to 1.50 of 2 cores during a run");
  }));
}

TEST_CASE("a steal that rounds to its limit is printed with the digits that tell them apart") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].conditions->steal_ratio = 0.02004;
  CHECK(only_disturbance(campaign).ends_with("the hypervisor took 2.004 % of the CPU time (limit 2.000 %)"));
}

TEST_CASE("other processes count where they and the job need more CPUs than there are") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].conditions->foreign_cores = 0.9;
  CHECK(only_disturbance(campaign) ==
        "hpl-reference-1n, attempt 1: other processes used 0.9 of 2 cores while the job needed 2 (they may "
        "use 0.10 "
        "cores)");
  hpl(campaign).planned.ranks_per_node = 1;
  CHECK(judged(campaign).disturbances.empty());
}

TEST_CASE(
    "a limit for other processes that all cores together do not reach is none, and no figure prints it") {
  CampaignRecord campaign = quick_campaign();
  Criteria criteria;
  criteria.load = {.limit = 1.9, .reason = ""};
  const auto room = [&] {
    return cores_for_others(hpl(campaign).planned, hpl(campaign).attempts[0], criteria);
  };
  CHECK(*room() == Approx(1.8));
  criteria.load->limit = 2.1;
  CHECK_FALSE(room());
  const auto caption = [&] {
    const std::string page = fixture::rendered("html", campaign);
    const std::size_t at = page.find("<figcaption>Disturbance over time");
    return page.substr(at, page.find("</figcaption>", at) - at);
  };
  CHECK(caption().find("cores for other processes") != std::string::npos);
  const std::size_t load = campaign.criteria_text.find("[disturbance.load]");
  campaign.criteria_text.replace(campaign.criteria_text.find("1.05", load), 4, "2.10");
  CHECK(caption().find("cores for other processes") == std::string::npos);
  CHECK(caption().find("none for other processes: the criteria allow them more cores than there are") !=
        std::string::npos);
}

TEST_CASE("what other processes used adds up: the largest by name, the rest by number") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].conditions->foreign_cores = 1.5;
  NodeState node;
  node.node = "n1";
  node.other_processes = {
      {41, 0, "cc1plus", "", 0.3}, {42, 0, "cc1plus", "", 0.2}, {43, 0, "cc1plus", "", 0.2}};
  hpl(campaign).attempts[0].nodes = {node};
  CHECK(only_disturbance(campaign).ends_with(
      ": cc1plus (pid 41, uid 0), up to 0.30 cores; 2 others 1.2 cores"));
  hpl(campaign).attempts[0].nodes[0].other_processes->resize(1);
  CHECK(only_disturbance(campaign).ends_with(
      ": cc1plus (pid 41, uid 0), up to 0.30 cores; others, not seen at its end, 1.2 cores"));
  hpl(campaign).attempts[0].nodes[0].other_processes->front().cores = 1.5;
  CHECK(only_disturbance(campaign).ends_with(": cc1plus (pid 41, uid 0), up to 1.5 cores"));
}

TEST_CASE("a run beside what a lost attempt left is disturbed, however idle the machine was") {
  CampaignRecord campaign = quick_campaign();
  NodeState node;
  node.node = "n1";
  node.other_processes = {{41, 1000, "xhpl", "orphan of gemm/attempt-1", 0}};
  hpl(campaign).attempts[0].nodes = {node};
  CHECK(
      only_disturbance(campaign) ==
      "hpl-reference-1n, attempt 1: xhpl (pid 41, uid 1000), an orphan of gemm/attempt-1, ran beside it and "
      "could not be ended");
  hpl(campaign).attempts[0].nodes[0].other_processes->front().job = "4711";
  CHECK(judged(campaign).disturbances.empty());
}

TEST_CASE("another program on the GPUs disturbs a program for GPUs, and no other") {
  CampaignRecord campaign = quick_campaign();
  NodeState node;
  node.node = "n1";
  node.readings = {{"gpu0", "gpu_processes", "0", "1"},
                   {"gpu0", "gpu_programs", std::nullopt, "vllm (pid 41)"}};
  hpl(campaign).attempts[0].nodes = {node};
  CHECK(judged(campaign).disturbances.empty());
  hpl(campaign).planned.implementation = "nvidia";
  REQUIRE(judged(campaign).disturbances.size() == 1);
  CHECK(
      judged(campaign).disturbances[0].sentence ==
      "hpl-reference-1n, attempt 1: other programs computed on its GPUs (n1 gpu0: 1 other process, vllm (pid "
      "41))");
  hpl(campaign).attempts[0].nodes[0].readings[0].after = "0";
  CHECK(judged(campaign).disturbances.empty());
}

TEST_CASE("GEMM repetitions that differ are a disturbance") {
  CampaignRecord campaign = quick_campaign();
  gemm(campaign) = fixture::gemm_case(111.2, 7.12);
  CHECK(only_disturbance(campaign, Verdict::undecided) ==
        "gemm-reference-1n, attempt 1: GEMM repetitions differ by 7.1 % (limit 5.0 %)");
  gemm(campaign) = fixture::gemm_case(111.2, 1.3);
  std::vector<Metric>& metrics = gemm(campaign).attempts[0].results[0].parsed.metrics;
  metrics.push_back({"fp32_spread_pct", 4.9, 14});
  CHECK(judged(campaign).disturbances.empty());
  metrics.back().value = 9.4;  // what HPL-MxP and the training are compared with
  CHECK(only_disturbance(campaign, Verdict::undecided) ==
        "gemm-reference-1n, attempt 1: GEMM repetitions in FP32 differ by 9.4 % (limit 5.0 %)");
}

TEST_CASE("a case that no performance criterion is judged on disturbs none of them") {
  CampaignRecord campaign = quick_campaign();
  CaseRecord training = hpl(campaign);
  training.planned.id = "mlperf-reference-shakedown_lora-1n";
  training.planned.suite = "mlperf";
  training.attempts[0].conditions->steal_ratio = 0.034;
  campaign.cases.push_back(training);
  const Judgement judgement = judged(campaign);
  REQUIRE(judgement.disturbances.size() == 1);
  CHECK(judgement.disturbances.front().case_id == training.planned.id);
  CHECK(criterion(judgement, "hpl-efficiency").verdict == Verdict::pass);
  CHECK(judgement.exit_code == 0);
}

TEST_CASE("conditions that were not recorded are not taken for idle") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].conditions.reset();
  CHECK(only_disturbance(campaign) ==
        "hpl-reference-1n, attempt 1: whether it was disturbed is not recorded");
}

TEST_CASE("attempts that don't count give no disturbance, and criteria without idle limits none at all") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts.push_back(fixture::attempt(2, "hpl-reference-1n", fixture::hpl_result(90, 35)));
  hpl(campaign).attempts[1].state = AttemptState::interrupted;
  hpl(campaign).attempts[1].results[0].parsed.complete = false;
  hpl(campaign).attempts[1].conditions->steal_ratio = 0.5;
  CHECK(judged(campaign).disturbances.empty());
  hpl(campaign).attempts[0].conditions->steal_ratio = 0.5;
  CHECK(disturbances(MeasuredCampaign(campaign), Criteria{}).empty());
}
