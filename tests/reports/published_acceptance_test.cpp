// The published values of SAKURAONE, and altered copies of them, judged by the acceptance that is shipped for
// it.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/criteria.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;
using fixture::clause;
using fixture::judged;

namespace {

std::string shipped() {
  return fixture::project_file("orchestrator/campaigns/sakuraone.toml");
}

Criteria clauses() {
  const std::vector<Baseline> baselines = {fixture::sakuraone()};
  const auto frozen = frozen_criteria(shipped(), "sakuraone.toml", baselines);
  if (!frozen) throw std::runtime_error(to_string(frozen.error()));
  return read_criteria(*frozen, "frozen").value();
}

/// A case as the published row was made, with a result that passes its own checks.
CaseRecord case_as(const BaselineValue& row) {
  CaseRecord record;
  Case& planned = record.planned;
  planned.id = row.run;
  planned.suite = row.suite;
  planned.implementation = row.suite == "io500" ? "official" : "nvidia";
  planned.parser = row.suite;
  planned.nodes = static_cast<int>(value_number(*find_parameter(row.conditions, "nodes")));
  planned.ranks = planned.nodes * 8;
  planned.hosts = "n1";
  if (const Value* benchmark = find_parameter(row.conditions, "benchmark"))
    planned.benchmark = value_text(*benchmark);
  ResultRecord result;
  result.parsed.suite = row.suite;
  result.parsed.complete = true;
  result.parsed.parameters = row.conditions;
  result.validity = Validity::valid;
  result.rules = {
      fixture::rule("HPL-02", "FP64 is computed by the hardware", RuleStatus::pass, "version 24.9", 1)};
  record.attempts = {fixture::attempt(1, planned.id, std::move(result))};
  return record;
}

bool is_time(std::string_view metric) {
  return metric == "time_to_train_min";
}

/// The campaign whose every figure is `part` of the published one's performance.
CampaignRecord campaign_at(double part) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  Gpu gpu;
  gpu.model = "NVIDIA H100 80GB HBM3";
  gpu.memory_bytes = 84943715696;  // 79.11 GiB
  campaign.inventory.groups[0].gpus.assign(8, gpu);
  const std::vector<Baseline> baselines = {fixture::sakuraone()};
  campaign.criteria_text = frozen_criteria(shipped(), "sakuraone.toml", baselines).value();
  campaign.criteria_name = "sakuraone.toml";
  campaign.cases.clear();
  std::map<std::string, size_t> places;
  for (const Criterion& each : clauses().criteria) {
    if (!each.published || each.metric.ends_with("_per_gpu")) continue;
    const std::string value_id = each.published->id.substr(each.published->id.find('/') + 1);
    for (const BaselineValue& row : baselines[0].values) {
      if (row.id != value_id) continue;
      const auto [it, is_new] = places.emplace(row.run, campaign.cases.size());
      if (is_new) campaign.cases.push_back(case_as(row));
      ResultRecord& result = campaign.cases[it->second].attempts[0].results[0];
      result.parsed.metrics.push_back(
          {row.metric, is_time(row.metric) ? row.value / part : row.value * part, 1});
      if (row.suite == "hpcg") result.parsed.metrics.push_back({"memory_total_gb", 39961.4, 2});
    }
  }
  return campaign;
}

CaseRecord& named(CampaignRecord& campaign, std::string_view id) {
  for (CaseRecord& record : campaign.cases)
    if (record.planned.id == id) return record;
  throw std::runtime_error("no case " + std::string(id));
}

/// A clause of a campaign; where it is judged on several cases, on that one.
Verdict verdict(const Judgement& judgement, const std::string& id) {
  return clause(judgement, id).verdict;
}

}  // namespace

TEST_CASE("the shipped acceptance names every benchmark and scale that was published, each at 95 %") {
  const Criteria criteria = clauses();
  int relative = 0;
  for (const Criterion& each : criteria.criteria) {
    if (each.metric == "validity") continue;
    ++relative;
    REQUIRE(each.published);
    const double part = *each.limit / each.published->value;
    CHECK((is_time(each.metric) ? 1 / part : part) == Approx(0.95).epsilon(1e-4));
    CHECK(each.limit_source.find(" x ") != std::string::npos);
    CHECK(each.limit_source.find(each.published->source) != std::string::npos);
  }
  CHECK(relative == 13);
}

TEST_CASE("the values as published are accepted") {
  const Judgement judgement = judged(campaign_at(1));
  for (const CriterionResult& each : judgement.criteria) {
    INFO(each.id << ": " << each.because);
    CHECK(each.verdict == Verdict::pass);
  }
  CHECK(judgement.sentence == "accepted");
  CHECK(judgement.exit_code == 0);
}

TEST_CASE("all figures at 0.96 of the published ones pass under a limit of 0.95, at 0.94 they fail") {
  const Judgement above = judged(campaign_at(0.96));
  CHECK(above.sentence == "accepted");
  const Judgement below = judged(campaign_at(0.94));
  for (const CriterionResult& each : below.criteria) {
    INFO(each.id << ": " << each.because);
    CHECK(each.verdict == (each.metric == "validity" ? Verdict::pass : Verdict::fail));
  }
  CHECK(below.exit_code == 1);
  CHECK(below.sentence.starts_with("not accepted: hpl-rmax: 31.91 PFLOP/s < 32.25 PFLOP/s"));
}

TEST_CASE("with one node missing, HPL on 97 nodes is set beside nothing, but for its rate per GPU") {
  CampaignRecord campaign = campaign_at(1);
  CaseRecord planned = named(campaign, "hpl");
  planned.attempts.clear();
  planned.not_run = "needs 98 nodes, and cn7 is excluded (node failure)";
  CaseRecord& stand_in = named(campaign, "hpl");
  stand_in.planned.id = "hpl-97n";
  stand_in.planned.nodes = 97;
  stand_in.planned.ranks = 776;
  stand_in.planned.stands_for = "hpl";
  for (Parameter& each : stand_in.attempts[0].results[0].parsed.parameters) {
    if (each.name == "nodes") each.value = std::int64_t{97};
    if (each.name == "gpus") each.value = std::int64_t{776};
  }
  campaign.cases.push_back(planned);
  campaign.exclusions = {{"cn7", "node failure", 1795284400}};
  const Judgement judgement = judged(campaign);
  CHECK(verdict(judgement, "hpl-valid") == Verdict::pass);
  CHECK(verdict(judgement, "hpl-rmax") == Verdict::not_comparable);
  CHECK(clause(judgement, "hpl-rmax").because.find("98 nodes there, 97 here") != std::string::npos);
  CHECK(verdict(judgement, "hpl-rmax-per-gpu") == Verdict::pass);
  CHECK(verdict(judgement, "hpcg-rating") == Verdict::pass);
  CHECK(judgement.overall == Verdict::undecided);
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("97 nodes that were planned so are as little comparable, and fewer than the clause asks for") {
  CampaignRecord campaign = campaign_at(1);
  named(campaign, "hpl").planned.nodes = 97;
  named(campaign, "hpl").planned.ranks = 776;
  named(campaign, "hpcg").planned.nodes = 97;
  for (Parameter& each : named(campaign, "hpcg").attempts[0].results[0].parsed.parameters)
    if (each.name == "nodes") each.value = std::int64_t{97};
  const Judgement judgement = judged(campaign);
  CHECK(verdict(judgement, "hpl-rmax") == Verdict::not_comparable);
  CHECK(verdict(judgement, "hpcg-rating") == Verdict::not_comparable);
  CHECK(judgement.exit_code == 3);
}

TEST_CASE(
    "one invalid run leaves its clauses invalid and the acceptance undecided, whatever the others reach") {
  CampaignRecord campaign = campaign_at(1);
  ResultRecord& result = named(campaign, "hpcg").attempts[0].results[0];
  result.validity = Validity::invalid;
  result.rules = {fixture::rule("HPCG-01", "HPCG says VALID", RuleStatus::fail, "INVALID", 7)};
  const Judgement judgement = judged(campaign);
  CHECK(verdict(judgement, "hpcg-valid") == Verdict::invalid);
  CHECK(verdict(judgement, "hpcg-rating") == Verdict::invalid);
  CHECK(verdict(judgement, "hpl-rmax") == Verdict::pass);
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("HPL-MxP in FP16 is not comparable with FP8, whatever it reaches") {
  CampaignRecord campaign = campaign_at(2);
  for (Parameter& each : named(campaign, "mxp").attempts[0].results[0].parsed.parameters) {
    if (each.name == "precision") each.value = std::string("fp16");
    if (each.name == "rule_epoch") each.value = std::string("since June 2025");
    if (each.name == "sloppy_type") each.value = std::int64_t{2};
  }
  const Judgement judgement = judged(campaign);
  CHECK(verdict(judgement, "mxp-rmax") == Verdict::not_comparable);
  CHECK(
      clause(judgement, "mxp-rmax")
          .because.starts_with("the limit is a part of sakuraone/mxp-rmax: precision fp8 there, fp16 here"));
  CHECK(verdict(judgement, "mxp-valid") == Verdict::pass);
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("a clause without a result is not run, and a scale that was never planned too") {
  CampaignRecord campaign = campaign_at(1);
  named(campaign, "io500-96n").attempts.clear();
  std::erase_if(campaign.cases, [](const CaseRecord& record) { return record.planned.id == "lora-64n"; });
  const Judgement judgement = judged(campaign);
  CHECK(verdict(judgement, "io500-score-96n") == Verdict::not_run);
  CHECK(verdict(judgement, "io500-score-10n") == Verdict::pass);
  CHECK(clause(judgement, "lora-ttt-64n").because ==
        "the campaign has no case of MLPerf llama2_70b_lora on 64 nodes");
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("doubtful rows carry no limit, or carry their status with it") {
  const std::vector<Baseline> baselines = {fixture::sakuraone()};
  const auto limit_from = [&](const std::string& suite, const std::string& metric, const std::string& id) {
    return frozen_criteria("title = 'T'\n[[criteria]]\nid = 'a'\ntitle = 'A'\nsuite = '" + suite +
                               "'\nmetric = '" + metric +
                               "'\ndirection = '>='\naggregation = 'every'\nseverity = 'mandatory'\n"
                               "relative_to = 'sakuraone/" +
                               id + "'\nfactor = 0.95\n",
                           "c.toml", baselines);
  };
  // A bandwidth in the wrong unit, and Table 9's figures for 96 nodes, which contradict each other.
  const auto bandwidth = limit_from("hpcg", "bandwidth_tb_s", "hpcg-bandwidth");
  REQUIRE_FALSE(bandwidth);
  CHECK(bandwidth.error().what.find("its status is unit-suspect") != std::string::npos);
  CHECK(bandwidth.error().hint.find("PB/s was meant") != std::string::npos);
  for (const char* id : {"gpt3-96n-tokens", "gpt3-96n-mfu", "gpt3-96n-tflops"}) {
    const std::string metric = id == std::string("gpt3-96n-tokens") ? "tokens_per_s_per_gpu"
                               : id == std::string("gpt3-96n-mfu")  ? "mfu"
                                                                    : "tflops_per_gpu";
    const auto row = limit_from("mlperf", metric, id);
    REQUIRE_FALSE(row);
    CHECK(row.error().what.find("its status is inconsistent") != std::string::npos);
  }
  // FP8 under rules that no longer hold, and times that nobody but the authors has checked.
  const CriterionResult mxp = clause(judged(campaign_at(1)), "mxp-rmax");
  CHECK(mxp.limit_source.find("status legacy-rule") != std::string::npos);
  REQUIRE(mxp.references.size() == 1);
  CHECK(mxp.references[0].status == "legacy-rule");
  CHECK(clause(judged(campaign_at(1)), "gpt3-ttt-64n").references.at(0).status == "unverified");
  const std::string page = fixture::rendered("html", campaign_at(1));
  CHECK(page.find("339.9 PFLOP/s (legacy-rule)") != std::string::npos);
  const auto document = nlohmann::json::parse(fixture::rendered("json", campaign_at(1)));
  for (const auto& each : document["criteria"])
    if (each["id"] == "mxp-rmax") CHECK(each["references"][0]["status"] == "legacy-rule");
}

TEST_CASE("published values decide nothing unless a clause names them") {
  CampaignRecord campaign = campaign_at(0.5);
  std::string absolute = "title = 'Contract'\n";
  absolute +=
      "[[criteria]]\nid = 'rate'\ntitle = 'HPL reaches 10 PFLOP/s'\nsuite = 'hpl'\nmetric = 'rmax_gflops'\n"
      "direction = '>='\nlimit = 10000000\naggregation = 'every'\nseverity = 'mandatory'\n"
      "limit_source = 'contract 4.2'\n";
  campaign.criteria_text = absolute;
  const Judgement judgement = judged(campaign);
  CHECK(judgement.sentence == "accepted");
  bool beside = false;
  for (const Comparison& each : judgement.comparisons)
    if (each.comparable && each.metric == "rmax_gflops" && each.suite == "hpl")
      beside = each.ratio && *each.ratio == Approx(0.5);
  CHECK(beside);
}
