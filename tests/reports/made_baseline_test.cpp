#include "reports/compare/made_baseline.hpp"

#include <catch2/catch.hpp>

#include "reports/judge/baseline_comparison.hpp"
#include "reports/judge/judged_criterion.hpp"
#include "reports/measure/like_runs.hpp"
#include "reports/measure/machines.hpp"
#include "reports/measure/measurement.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

Comparability made_comparability() {
  return read_comparability(fixture::comparability(), "comparability.toml").value();
}

/// The comparisons of a campaign with the baseline that is made of it.
std::vector<BaselineComparison> beside_itself(const CampaignRecord& campaign) {
  const auto made = made_baseline(MeasuredCampaign(campaign), "own", made_comparability());
  REQUIRE(made);
  const auto baseline = baseline_from(made->text, "own.toml");
  REQUIRE(baseline);
  CHECK(static_cast<int>(baseline->values.size()) == made->values);
  const auto judgement = judge(MeasuredCampaign(campaign), &*baseline, fixture::comparability());
  REQUIRE(judgement);
  return baseline_comparisons(MeasuredCampaign(campaign), judgement->comparisons, made_comparability());
}

void check_equal(const std::vector<BaselineComparison>& rows, std::size_t least) {
  CHECK(rows.size() >= least);
  for (const BaselineComparison& each : rows) {
    INFO(each.row.suite << " " << each.row.metric << ": " << each.row.condition);
    CHECK(each.row.comparable);
    CHECK(each.row.ratio.value_or(0) == 1);
  }
}

/// A log of a training made elsewhere, by the submission's platform.
CaseRecord made_training(const std::string& id, const std::string& platform, double minutes) {
  CaseRecord record;
  record.planned.id = id;
  record.planned.suite = "mlperf";
  record.planned.implementation = "nvidia";
  record.planned.parser = "mlperf";
  record.planned.origin = "/data/" + id + ".txt";
  record.planned.nodes = 8;
  record.planned.ranks = 0;
  ResultRecord result;
  result.parsed.suite = "mlperf";
  result.parsed.complete = true;
  result.parsed.parameters = {{"benchmark", std::string("gpt3")},
                              {"version", std::string("4.1")},
                              {"nodes", std::int64_t{8}},
                              {"gpus", std::int64_t{64}},
                              {"gpu", std::string("NVIDIA B200")},
                              {"GBS", std::int64_t{2048}},
                              {"platform", platform}};
  result.parsed.metrics = {{"time_to_train_min", minutes, 1}};
  result.validity = Validity::valid;
  record.planned.parameters = result.parsed.parameters;
  AttemptRecord attempt;
  attempt.state = AttemptState::imported;
  attempt.run_folder = id + "/attempt-1";
  attempt.results = {result};
  record.attempts = {attempt};
  return record;
}

CampaignRecord made_trainings() {
  CampaignRecord campaign;
  campaign.id = "trainings";
  campaign.system = "acme";
  campaign.kind = "external";
  campaign.state = CampaignState::finished;
  campaign.inventory.source = made_elsewhere;
  campaign.cases = {made_training("a", "8xNVIDIA HGX B200", 190),
                    made_training("b", "8xNVIDIA HGX B200", 193),
                    made_training("c", "8xNVIDIA HGX B200", 240)};
  SetScore set;
  set.suite = "mlperf";
  set.benchmark = "gpt3";
  set.name = "set";
  set.score_min = 193;
  set.runs = 3;
  set.validity = Validity::valid;
  set.files = {"/data/a.txt", "/data/b.txt", "/data/c.txt"};
  campaign.set_scores = {set};
  return campaign;
}

}  // namespace

TEST_CASE("a campaign beside the baseline that is made of it is equal to it in all that is compared") {
  check_equal(beside_itself(fixture::quick_campaign()), 3);
  check_equal(beside_itself(fixture::sakuraone_again()), 2);
}

TEST_CASE("a baseline of several sizes gives each its own value back") {
  CampaignRecord campaign = fixture::quick_campaign();
  CaseRecord larger = fixture::hpl_case(80);
  larger.planned.id = "hpl-reference-1n-2";
  for (std::vector<Parameter>* list :
       {&larger.planned.parameters, &larger.attempts[0].results[0].parsed.parameters})
    for (Parameter& each : *list)
      if (each.name == "NB") each.value = std::int64_t{256};  // N is the same
  campaign.cases.push_back(larger);
  REQUIRE(like_runs(MeasuredCampaign(campaign)).size() == 3);  // GEMM, and HPL with two block sizes
  check_equal(beside_itself(campaign), 4);
}

TEST_CASE(
    "a made baseline has each value's log with its hash, and leaves out invalid results with the reason") {
  CampaignRecord campaign = fixture::quick_campaign();
  const auto made = made_baseline(MeasuredCampaign(campaign), "own", made_comparability());
  REQUIRE(made);
  CHECK(made->text.find("campaign 2026-11-21T18-05-09Z-n1 of n1") != std::string::npos);
  CHECK(made->text.find(
            log_reference(fixture::hpl(campaign).planned, fixture::hpl(campaign).attempts[0]).sha256) !=
        std::string::npos);
  fixture::hpl(campaign).attempts[0].results[0].validity = Validity::invalid;
  const auto without = made_baseline(MeasuredCampaign(campaign), "own", made_comparability());
  REQUIRE(without);
  CHECK(without->text.find("rmax_gflops") == std::string::npos);
  CHECK(std::ranges::find(without->left_out, fixture::hpl(campaign).planned.id + ": its result is invalid") !=
        without->left_out.end());
  fixture::gemm(campaign).attempts.clear();
  const auto none = made_baseline(MeasuredCampaign(campaign), "own", made_comparability());
  REQUIRE_FALSE(none);
  CHECK(none.error().what == "has no value that a baseline can hold");
}

TEST_CASE("what several runs have one score of is compared by that score") {
  const CampaignRecord campaign = made_trainings();
  const auto rows = beside_itself(campaign);
  check_equal(rows, 1);
  CHECK(rows.front().row.set_runs == 3);
  CHECK(rows.front().verdict == "equal to it: the score of 3 runs, 98.4 % to 124.4 % of it");

  // NVIDIA's own logs of the submission: the score is the published one.
  const auto shipped = read_baseline(std::string(PROJECT_FOLDER) + "/reports/baselines/mlperf-v4.1.toml");
  REQUIRE(shipped);
  const auto judgement = judge(MeasuredCampaign(campaign), &*shipped, fixture::comparability());
  REQUIRE(judgement);
  REQUIRE(judgement->comparisons.size() == 3);
  CHECK(judgement->comparisons.front().baseline_id == "gpt3-nvidia-b200-n8-preview-nemo-ttt");
  CHECK(judgement->comparisons.front().ratio.value() == Approx(193 / 193.7383));
  CampaignRecord invalid = campaign;
  invalid.set_scores[0].validity = Validity::invalid;
  CHECK(judge(MeasuredCampaign(invalid), &*shipped, fixture::comparability())
            ->comparisons.front()
            .measured.value() == 190);
}

TEST_CASE("logs of several machines under one name are noticed, and not taken together") {
  CampaignRecord campaign = made_trainings();
  CHECK(several_machines(MeasuredCampaign(campaign)).empty());
  campaign.cases[2] = made_training("c", "32xNVIDIA HGX B200", 240);  // the same machine at another size
  CHECK(several_machines(MeasuredCampaign(campaign)).empty());
  campaign.cases[2] = made_training("c", "8xNVIDIA HGX H200", 240);
  CHECK(several_machines(MeasuredCampaign(campaign)) ==
        "the logs are of several machines: platform NVIDIA HGX B200 (a, b) and NVIDIA HGX H200 (c)");
  CHECK(like_runs(MeasuredCampaign(campaign)).size() == 2);
  campaign.kind = "acceptance";  // of nodes that the inventory knows
  CHECK(several_machines(MeasuredCampaign(campaign)).empty());
}

TEST_CASE("a criterion does not take logs of several machines for repetitions of one run") {
  CampaignRecord campaign = made_trainings();
  for (CaseRecord& record : campaign.cases) {
    ParsedResult& parsed = record.attempts[0].results[0].parsed;
    std::erase_if(parsed.parameters, [](const Parameter& each) { return each.name == "platform"; });
    record.planned.parameters = parsed.parameters;
    parsed.facts.push_back({"hosts", "cn001:8", 1});
  }
  Criterion criterion;
  criterion.id = "ttt";
  criterion.suite = "mlperf";
  criterion.metric = "time_to_train_min";
  criterion.direction = Direction::at_most;
  criterion.limit = 200;
  criterion.aggregation.kind = Aggregation::Kind::median;
  const auto judged_cases_of = [&] {
    return judged_criterion(criterion, MeasuredCampaign(campaign), made_comparability(), {});
  };
  REQUIRE(judged_cases_of().size() == 1);
  CHECK(judged_cases_of()[0].verdict == Verdict::pass);  // 190, 193 and 240 minutes
  campaign.cases[2].attempts[0].results[0].parsed.facts.back().value = "gpu001:8";
  const auto apart = judged_cases_of();
  REQUIRE(apart.size() == 2);
  CHECK(apart[1].verdict == Verdict::fail);
}
