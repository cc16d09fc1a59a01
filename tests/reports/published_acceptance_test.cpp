// The published values of SAKURAONE, and altered copies of them, judged by the acceptance that is shipped for
// it.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "reports/judge/criteria.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::judged;

namespace {

std::string published_acceptance_shipped() {
  return fixture::project_file("orchestrator/templates/sakuraone.toml");
}

Criteria shipped_criteria() {
  const std::vector<Baseline> baselines = {fixture::sakuraone()};
  const auto frozen = frozen_criteria(published_acceptance_shipped(), "sakuraone.toml", baselines);
  if (!frozen) throw std::runtime_error(to_string(frozen.error()));
  return read_criteria(*frozen, "frozen").value();
}

/// An experiment of the paper as its log and its plan state it. Written down from the paper's tables, and not
/// from the baseline that it is judged by.
struct Experiment {
  std::string id;
  std::string suite;
  std::string benchmark;
  int nodes = 0;
  std::vector<Parameter> logged;  ///< by the program
  std::string metric;
  double value = 0;
};

Experiment published_acceptance_training(const std::string& id, const std::string& benchmark, int nodes,
                                         std::int64_t GBS, double minutes) {
  return {id,
          "mlperf",
          benchmark,
          nodes,
          {{"benchmark", benchmark},
           {"version", std::string("4.1.0")},
           {"gpus", std::int64_t{8} * nodes},
           {"GBS", GBS}},
          "time_to_train_min",
          minutes};
}

/// Tables 5 to 9 and 11.
std::vector<Experiment> experiments() {
  return {{"hpl",
           "hpl",
           "",
           98,
           {{"N", std::int64_t{2706432}},
            {"NB", std::int64_t{1024}},
            {"P", std::int64_t{16}},
            {"Q", std::int64_t{49}}},
           "rmax_gflops",
           33.95e6},
          {"hpcg",
           "hpcg",
           "",
           98,
           {{"gnx", std::int64_t{4096}}, {"gny", std::int64_t{3584}}, {"gnz", std::int64_t{3808}}},
           "rating_gflops",
           396295},
          {"mxp",
           "hpl-mxp",
           "",
           96,
           {{"N", std::int64_t{2989056}},
            {"NB", std::int64_t{4096}},
            {"P", std::int64_t{24}},
            {"Q", std::int64_t{32}},
            {"precision", std::string("FP8")}},
           "rmax_gflops",
           339.86e6},
          {"io500-10n", "io500", "", 10, {}, "score", 181.91},
          {"io500-96n", "io500", "", 96, {}, "score", 214.09},
          published_acceptance_training("gpt3-32n", "gpt3", 32, 1024, 105.31),
          published_acceptance_training("gpt3-64n", "gpt3", 64, 1536, 58.30),
          published_acceptance_training("gpt3-96n", "gpt3", 96, 2304, 41.86),
          published_acceptance_training("lora-1n", "llama2_70b_lora", 1, 8, 28.44),
          published_acceptance_training("lora-8n", "llama2_70b_lora", 8, 8, 4.79),
          published_acceptance_training("lora-64n", "llama2_70b_lora", 64, 64, 1.94),
          published_acceptance_training("lora-96n", "llama2_70b_lora", 96, 96, 1.26)};
}

bool is_time(std::string_view metric) {
  return metric == "time_to_train_min";
}

/// The experiment with `part` of its performance, by a result that passes its own checks.
CaseRecord published_acceptance_case_of(const Experiment& experiment, double part) {
  CaseRecord record;
  Case& planned = record.planned;
  planned.id = experiment.id;
  planned.suite = planned.parser = experiment.suite;
  planned.benchmark = experiment.benchmark;
  planned.implementation = experiment.suite == "io500" ? "official" : "nvidia";
  planned.nodes = experiment.nodes;
  planned.ranks = planned.nodes * 8;
  planned.hosts = "n1";
  ResultRecord result;
  result.parsed.suite = experiment.suite;
  result.parsed.complete = true;
  result.parsed.parameters = experiment.logged;
  result.parsed.metrics = {
      {experiment.metric, is_time(experiment.metric) ? experiment.value / part : experiment.value * part, 1}};
  if (experiment.suite == "hpcg") result.parsed.metrics.push_back({"memory_total_gb", 39961.4, 2});
  result.validity = Validity::valid;
  if (experiment.suite == "hpl")
    result.rules = {
        fixture::rule("HPL-02", "FP64 is computed by the hardware", RuleStatus::pass, "version 25.4.0", 1)};
  record.attempts = {fixture::attempt(1, planned.id, std::move(result))};
  return record;
}

/// The campaign whose every metric is `part` of the published one's performance.
CampaignRecord campaign_at(double part) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  Gpu gpu;
  gpu.model = "NVIDIA H100 80GB HBM3";
  gpu.memory_bytes = 84943715696;  // 79.11 GiB
  campaign.inventory.groups[0].gpus.assign(8, gpu);
  const std::vector<Baseline> baselines = {fixture::sakuraone()};
  campaign.criteria_text =
      frozen_criteria(published_acceptance_shipped(), "sakuraone.toml", baselines).value();
  campaign.criteria_name = "sakuraone.toml";
  campaign.cases.clear();
  for (const Experiment& each : experiments())
    campaign.cases.push_back(published_acceptance_case_of(each, part));
  return campaign;
}

CaseRecord& published_acceptance_named(CampaignRecord& campaign, std::string_view id) {
  for (CaseRecord& record : campaign.cases)
    if (record.planned.id == id) return record;
  throw std::runtime_error("no case " + std::string(id));
}

/// A criterion of a campaign; where it is judged on several cases, on that one.
Verdict published_acceptance_verdict(const Judgement& judgement, const std::string& id) {
  return criterion(judgement, id).verdict;
}

}  // namespace

TEST_CASE("the shipped acceptance names every benchmark and scale that was published, each at 95 %") {
  const Criteria criteria = shipped_criteria();
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

TEST_CASE("all values at 0.96 of the published ones pass under a limit of 0.95, at 0.94 they fail") {
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

TEST_CASE("with one node missing, HPL on 97 nodes is set beside nothing") {
  CampaignRecord campaign = campaign_at(1);
  CaseRecord planned = published_acceptance_named(campaign, "hpl");
  planned.attempts.clear();
  planned.not_run = "needs 98 nodes, and cn7 is excluded (node failure)";
  CaseRecord& replacement = published_acceptance_named(campaign, "hpl");
  replacement.planned.id = "hpl-97n";
  replacement.planned.nodes = 97;
  replacement.planned.ranks = 776;
  replacement.planned.stands_for = "hpl";
  for (Parameter& each : replacement.attempts[0].results[0].parsed.parameters) {  // 776 = 8 x 97 GPUs
    if (each.name == "P") each.value = std::int64_t{8};
    if (each.name == "Q") each.value = std::int64_t{97};
  }
  campaign.cases.push_back(planned);
  campaign.exclusions = {{"cn7", "node failure", 1795284400}};
  const Judgement judgement = judged(campaign);
  CHECK(published_acceptance_verdict(judgement, "hpl-valid") == Verdict::pass);
  CHECK(published_acceptance_verdict(judgement, "hpl-rmax") == Verdict::not_comparable);
  CHECK(criterion(judgement, "hpl-rmax").because.find("98 nodes there, 97 here") != std::string::npos);
  CHECK(published_acceptance_verdict(judgement, "hpl-rmax-per-gpu") == Verdict::not_comparable);
  CHECK(published_acceptance_verdict(judgement, "hpcg-rating") == Verdict::pass);
  CHECK(judgement.overall == Verdict::undecided);
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("97 nodes that were planned so are as little comparable") {
  CampaignRecord campaign = campaign_at(1);
  published_acceptance_named(campaign, "hpl").planned.nodes = 97;
  published_acceptance_named(campaign, "hpl").planned.ranks = 776;
  published_acceptance_named(campaign, "hpcg").planned.nodes = 97;
  published_acceptance_named(campaign, "hpcg").planned.ranks = 776;
  const Judgement judgement = judged(campaign);
  CHECK(published_acceptance_verdict(judgement, "hpl-rmax") == Verdict::not_comparable);
  CHECK(published_acceptance_verdict(judgement, "hpcg-rating") == Verdict::not_comparable);
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("one invalid run fails the mandatory criterion on validity, whatever the others reach") {
  CampaignRecord campaign = campaign_at(1);
  ResultRecord& result = published_acceptance_named(campaign, "hpcg").attempts[0].results[0];
  result.validity = Validity::invalid;
  result.rules = {fixture::rule("HPCG-01", "HPCG says VALID", RuleStatus::fail, "INVALID", 7)};
  const Judgement judgement = judged(campaign);
  CHECK(published_acceptance_verdict(judgement, "hpcg-valid") == Verdict::invalid);
  CHECK(published_acceptance_verdict(judgement, "hpcg-rating") == Verdict::invalid);
  CHECK(published_acceptance_verdict(judgement, "hpl-rmax") == Verdict::pass);
  CHECK(judgement.sentence.starts_with("not accepted: hpcg-valid: "));
  CHECK(judgement.exit_code == 1);
}

TEST_CASE("one invalid run among several leaves its criterion invalid, however the others are put together") {
  // Three runs of HPL: above the limit, and the invalid one the fastest of all.
  const auto three = [](const std::string& aggregation, std::size_t invalidated) {
    CampaignRecord campaign = campaign_at(1);
    const std::string every = "aggregation = \"every\"\n";
    std::string& text = campaign.criteria_text;
    const std::size_t at = text.find(every, text.find("id = \"hpl-rmax\""));
    REQUIRE(at < text.find("id = \"hpl-rmax-per-gpu\""));
    text.replace(at, every.size(), aggregation);
    const CaseRecord first = published_acceptance_named(campaign, "hpl");
    for (std::size_t run = 1; run <= 3; ++run) {
      CaseRecord record = first;
      record.planned.repetition = static_cast<int>(run);
      if (run > 1) record.planned.id += fmt::format("-r{}", run);
      ResultRecord& result = record.attempts[0].results[0];
      if (run == invalidated) {
        result.validity = Validity::invalid;
        result.rules.push_back(
            fixture::rule("HPL-03", "the residual check passes", RuleStatus::fail, "FAILED", 9));
        result.parsed.metrics[0].value *= 1.5;
      }
      if (run == 1)
        published_acceptance_named(campaign, "hpl") = record;
      else
        campaign.cases.push_back(record);
    }
    return judged(campaign);
  };
  for (const std::string aggregation : {"aggregation = \"every\"\n", "aggregation = \"median\"\n",
                                        "aggregation = \"best_of\"\nbest_of = { k = 1, n = 3 }\n",
                                        "aggregation = \"best_of\"\nbest_of = { k = 2, n = 3 }\n"}) {
    INFO(aggregation);
    const Judgement sound = three(aggregation, 0);
    CHECK(published_acceptance_verdict(sound, "hpl-rmax") == Verdict::pass);
    CHECK(criterion(sound, "hpl-rmax").n == 3);
    CHECK(sound.exit_code == 0);
    for (const std::size_t invalidated : {1, 2, 3}) {
      INFO(invalidated);
      const Judgement judgement = three(aggregation, invalidated);
      const CriterionResult& rate = criterion(judgement, "hpl-rmax");
      CHECK(rate.verdict == Verdict::invalid);
      CHECK(rate.because == fmt::format("hpl{}, attempt 1 is invalid: HPL-03: FAILED",
                                        invalidated == 1 ? "" : fmt::format("-r{}", invalidated)));
      CHECK_FALSE(rate.measured);
      CHECK(published_acceptance_verdict(judgement, "hpl-valid") == Verdict::invalid);
      CHECK(published_acceptance_verdict(judgement, "hpcg-rating") == Verdict::pass);
      CHECK(judgement.overall == Verdict::fail);
      CHECK(judgement.exit_code == 1);
    }
  }
}

TEST_CASE(
    "an invalid attempt beside a valid one, and an invalid result beside a valid one in a log, spoil as "
    "much") {
  CampaignRecord attempts = campaign_at(1);
  ResultRecord broken = published_acceptance_named(attempts, "hpcg").attempts[0].results[0];
  broken.validity = Validity::invalid;
  broken.rules = {fixture::rule("HPCG-01", "HPCG says VALID", RuleStatus::fail, "INVALID", 7)};
  published_acceptance_named(attempts, "hpcg").attempts.push_back(fixture::attempt(2, "hpcg", broken));
  CampaignRecord results = campaign_at(1);
  published_acceptance_named(results, "hpcg").attempts[0].results.push_back(broken);
  for (const CampaignRecord& campaign : {attempts, results}) {
    const Judgement judgement = judged(campaign);
    CHECK(published_acceptance_verdict(judgement, "hpcg-valid") == Verdict::invalid);
    CHECK(published_acceptance_verdict(judgement, "hpcg-rating") == Verdict::invalid);
    CHECK(judgement.exit_code == 1);
  }
}

TEST_CASE("an invalid run and a value below its limit fail together") {
  CampaignRecord campaign = campaign_at(1);
  published_acceptance_named(campaign, "hpcg").attempts[0].results[0].validity = Validity::invalid;
  published_acceptance_named(campaign, "hpl").attempts[0].results[0].parsed.metrics[0].value *= 0.9;
  const Judgement judgement = judged(campaign);
  CHECK(published_acceptance_verdict(judgement, "hpcg-rating") == Verdict::invalid);
  CHECK(published_acceptance_verdict(judgement, "hpl-rmax") == Verdict::fail);
  CHECK(judgement.exit_code == 1);
}

TEST_CASE("copies that differ in a condition of their own are not comparable, at twice the value") {
  const auto altered = [](const std::string& id, const std::string& of,
                          const std::function<void(CaseRecord&)>& change) {
    CampaignRecord campaign = campaign_at(2);
    change(published_acceptance_named(campaign, id));
    const Judgement judgement = judged(campaign);
    CHECK(judgement.exit_code == 3);
    CHECK(published_acceptance_verdict(judgement, of) == Verdict::not_comparable);
    return criterion(judgement, of).because;
  };
  const auto log = [](const std::string& name, std::int64_t value) {
    return [name, value](CaseRecord& record) {
      for (Parameter& each : record.attempts[0].results[0].parsed.parameters)
        if (each.name == name) each.value = value;
    };
  };
  CHECK(altered("gpt3-32n", "gpt3-ttt-32n", log("GBS", 2048)).find("2048 here") != std::string::npos);
  CHECK(altered("lora-8n", "lora-ttt-8n", [](CaseRecord& record) {
          record.planned.ranks = 32;
        }).find("32 here") != std::string::npos);
  CHECK(altered("hpl", "hpl-rmax", log("N", 2000000)).find("N ") != std::string::npos);
  CHECK(altered("hpl", "hpl-rmax", [](CaseRecord& record) {
          record.attempts[0].results[0].rules[0].status = RuleStatus::fail;
        }).find("emulated here") != std::string::npos);
}

TEST_CASE("HPL-MxP in FP16 is not comparable with FP8, whatever it reaches") {
  CampaignRecord campaign = campaign_at(2);
  for (Parameter& each : published_acceptance_named(campaign, "mxp").attempts[0].results[0].parsed.parameters)
    if (each.name == "precision") each.value = std::string("FP16");
  const Judgement judgement = judged(campaign);
  CHECK(published_acceptance_verdict(judgement, "mxp-rmax") == Verdict::not_comparable);
  CHECK(
      criterion(judgement, "mxp-rmax")
          .because.starts_with("the limit is a part of sakuraone/mxp-rmax: precision fp8 there, FP16 here"));
  CHECK(published_acceptance_verdict(judgement, "mxp-valid") == Verdict::pass);
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("a criterion without a result is not run, and a scale that was never planned too") {
  CampaignRecord campaign = campaign_at(1);
  published_acceptance_named(campaign, "io500-96n").attempts.clear();
  std::erase_if(campaign.cases, [](const CaseRecord& record) { return record.planned.id == "lora-64n"; });
  const Judgement judgement = judged(campaign);
  CHECK(published_acceptance_verdict(judgement, "io500-score-96n") == Verdict::not_run);
  CHECK(published_acceptance_verdict(judgement, "io500-score-10n") == Verdict::pass);
  CHECK(criterion(judgement, "lora-ttt-64n").because ==
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
  // A bandwidth in the wrong unit, and Table 9's values for 96 nodes, which contradict each other.
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
  const CriterionResult mxp = criterion(judged(campaign_at(1)), "mxp-rmax");
  CHECK(mxp.limit_source.find("status legacy-rule") != std::string::npos);
  REQUIRE(mxp.references.size() == 1);
  CHECK(mxp.references[0].status == BaselineStatus::legacy_rule);
  CHECK(criterion(judged(campaign_at(1)), "gpt3-ttt-64n").references.at(0).status ==
        BaselineStatus::unverified);
  const std::string page = fixture::rendered("html", campaign_at(1));
  CHECK(page.find("339.9 PFLOP/s (legacy-rule)") != std::string::npos);
  const auto document = nlohmann::json::parse(fixture::rendered("json", campaign_at(1)));
  for (const auto& each : document["criteria"])
    if (each["id"] == "mxp-rmax") CHECK(each["references"][0]["status"] == "legacy-rule");
}

TEST_CASE("published values decide nothing unless a criterion names them") {
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
