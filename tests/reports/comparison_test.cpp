#include "reports/compare/comparison.hpp"

#include <catch2/catch.hpp>

#include "reports/measure/conditions.hpp"
#include "reports/measure/measurement.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::hpl;
using fixture::judged;
using fixture::quick_campaign;
using fixture::sakuraone_again;

namespace {

Comparison comparison_found(const CampaignRecord& campaign, std::string_view suite, std::string_view metric) {
  for (const Comparison& comparison : judged(campaign).comparisons)
    if (comparison.suite == suite && comparison.metric == metric) return comparison;
  FAIL("no comparison of " << metric);
  return {};
}

/// A case of any suite on SAKURAONE's GPUs, with the metrics and parameters of one log.
struct Run {
  std::string suite;
  std::string implementation;
  int nodes = 1;
  std::vector<Parameter> parameters;
  std::vector<Metric> metrics;
};

CampaignRecord comparison_campaign_of(const Run& run) {
  CampaignRecord campaign = sakuraone_again();
  CaseRecord record;
  record.planned.id = run.suite + "-1";
  record.planned.suite = run.suite;
  record.planned.implementation = run.implementation;
  record.planned.nodes = run.nodes;
  record.planned.ranks = run.nodes * 8;
  record.planned.hosts = "n1";
  ResultRecord result;
  result.parsed.suite = run.suite;
  result.parsed.complete = true;
  result.parsed.parameters = run.parameters;
  result.parsed.metrics = run.metrics;
  result.validity = Validity::valid;
  record.attempts.push_back(fixture::attempt(1, record.planned.id, std::move(result)));
  campaign.cases = {record};
  return campaign;
}

Run hpcg(double memory_gb) {
  return {"hpcg",
          "nvidia",
          98,
          {{"gnx", std::int64_t{4096}}},
          {{"rating_gflops", 400000, 1}, {"memory_total_gb", memory_gb, 2}}};
}

Run mxp(int nodes, const std::string& precision) {
  return {
      "hpl-mxp", "nvidia", nodes, {{"precision", precision}}, {{"rmax_gflops", 442520.81 * 8 * nodes, 1}}};
}

Run comparison_io500(int nodes) {
  return {"io500",
          "official",
          nodes,
          {},
          {{"score", 200, 1}, {"bandwidth_gib_s", 140, 1}, {"iops_kiops", 300, 1}, {"find_kiops", 2000, 1}}};
}

Run gpt3(int nodes, std::int64_t GBS, const std::string& version = "v4.1.0") {
  return {"mlperf",
          "nvidia",
          nodes,
          {{"benchmark", std::string("gpt3")},
           {"version", version},
           {"GBS", GBS},
           {"sequence_length", std::int64_t{2048}}},
          {{"time_to_train_min", 60, 1}, {"samples_per_s", 190, 1}}};
}

/// All comparisons of a metric, as "absolute: condition".
std::vector<std::string> said(const CampaignRecord& campaign, std::string_view metric) {
  std::vector<std::string> lines;
  for (const Comparison& comparison : judged(campaign).comparisons)
    if (comparison.metric == metric) lines.push_back(comparison.normalisation + ": " + comparison.condition);
  return lines;
}

}  // namespace

TEST_CASE("totals of unlike machines are not comparable, with every condition that differs") {
  const Comparison rmax = comparison_found(quick_campaign(), "hpl", "rmax_gflops");
  CHECK_FALSE(rmax.comparable);
  CHECK_FALSE(rmax.ratio);
  CHECK(rmax.measured.value() == Approx(93.182));
  CHECK(rmax.baseline.value() == 33950000);
  CHECK(rmax.condition ==
        "98 nodes there, 1 here; 784 GPUs there, none here; GPU NVIDIA H100 80GB HBM3 there, none "
        "here; "
        "implementation nvidia there, reference here; N 2706432 there, 16896 here, more than 2.5 % apart");
}

TEST_CASE("totals are compared at a matrix of nearly the same size alone") {
  CampaignRecord campaign = sakuraone_again();
  Value& N = hpl(campaign).attempts[0].results[0].parsed.parameters[0].value;
  N = std::int64_t{2650000};  // 2.1 % less
  CHECK(comparison_found(campaign, "hpl", "rmax_gflops").condition ==
        "equal: nodes, gpus, gpu, precision, fp64_mode, implementation; N within 2.5 %");
  N = std::int64_t{2600000};
  const Comparison small = comparison_found(campaign, "hpl", "rmax_gflops");
  CHECK_FALSE(small.comparable);
  CHECK(small.condition == "N 2706432 there, 2600000 here, more than 2.5 % apart");
}

TEST_CASE("a rate per GPU needs GPUs here") {
  const Comparison per_gpu = comparison_found(quick_campaign(), "hpl", "rmax_gflops_per_gpu");
  CHECK_FALSE(per_gpu.comparable);
  CHECK_FALSE(per_gpu.measured);
  CHECK(per_gpu.condition.starts_with("98 nodes there, 1 here; device gpu there, cpu here"));
}

TEST_CASE(
    "an efficiency over the best of 784 GPUs is not compared with one over a median, nor with one of one "
    "node") {
  const Comparison efficiency = comparison_found(quick_campaign(), "hpl", "efficiency_gemm");
  CHECK_FALSE(efficiency.comparable);
  CHECK(efficiency.condition ==
        "98 nodes there, 1 here; denominator: best of the GPUs there, median of the screens here");
  CHECK(efficiency.source == "Table 5, row 'Per-GPU efficiency'");
}

TEST_CASE("efficiencies of one precision and kind are compared across machines of as many nodes") {
  Baseline other = fixture::sakuraone();
  for (BaselineValue& value : other.values)
    for (Parameter& condition : value.conditions) {
      if (condition.name == "nodes") condition.value = std::int64_t{1};
      if (condition.name == "denominator") condition.value = std::string(median_of_screens);
    }
  const CampaignRecord campaign = quick_campaign();
  const auto judgement = judge(MeasuredCampaign(campaign), &other, fixture::comparability());
  REQUIRE(judgement);
  for (const Comparison& each : judgement->comparisons) {
    if (each.metric != "efficiency_gemm") continue;
    CHECK(each.comparable);
    CHECK(each.ratio.value() == Approx(93.182 / 111.2 / 0.783));
    CHECK(each.condition == "equal: nodes, precision, fp64_mode, denominator");
    return;
  }
  FAIL("no comparison of the efficiency");
}

TEST_CASE("another precision is not comparable") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].results[0].parsed.parameters.push_back({"precision", std::string("fp8")});
  const Comparison efficiency = comparison_found(campaign, "hpl", "efficiency_gemm");
  CHECK_FALSE(efficiency.comparable);
  CHECK(efficiency.condition.find("precision fp64 there, fp8 here") != std::string::npos);
}

TEST_CASE("the same system with the same build is compared in total and per GPU") {
  const Comparison rmax = comparison_found(sakuraone_again(), "hpl", "rmax_gflops");
  CHECK(rmax.comparable);
  CHECK(rmax.ratio.value() == Approx(33.0 / 33.95));
  CHECK(comparison_found(sakuraone_again(), "hpl", "rmax_gflops_per_gpu").measured.value() ==
        Approx(33000000 / 784.0));
}

TEST_CASE("HPL per GPU is compared on as many nodes, where GPU, arithmetic and memory agree") {
  CampaignRecord campaign = sakuraone_again();
  Case& planned = hpl(campaign).planned;
  std::vector<Parameter>& logged = hpl(campaign).attempts[0].results[0].parsed.parameters;
  const Comparison same = comparison_found(campaign, "hpl", "rmax_gflops_per_gpu");
  CHECK(same.comparable);
  CHECK(same.condition == "equal: nodes, device, gpu, precision, fp64_mode; memory_fraction within 5 %");

  planned.nodes = 8;
  planned.ranks = 64;
  logged[0].value = std::int64_t{773120};
  CHECK(comparison_found(campaign, "hpl", "rmax_gflops_per_gpu").condition == "98 nodes there, 8 here");
  CHECK_FALSE(comparison_found(campaign, "hpl", "rmax_gflops").comparable);

  planned.nodes = 98;
  planned.ranks = 784;
  logged[0].value = std::int64_t{1400000};
  const Comparison small = comparison_found(campaign, "hpl", "rmax_gflops_per_gpu");
  CHECK_FALSE(small.comparable);
  CHECK(small.condition == "memory fraction 0.880 there, 0.235 here, more than 5 % apart");

  logged[0].value = std::int64_t{2706432};
  hpl(campaign).attempts[0].results[0].rules.back().status = RuleStatus::unknown;
  CHECK(comparison_found(campaign, "hpl", "rmax_gflops_per_gpu").condition ==
        "native FP64 there, not known here");
  planned.environment = {{"HPL_EMULATE_DOUBLE_PRECISION", std::string("1")}};
  CHECK(comparison_found(campaign, "hpl", "rmax_gflops_per_gpu").condition ==
        "native FP64 there, emulated here");
  planned.environment = {{"HPL_EMULATE_DOUBLE_PRECISION", std::string("0")}};
  CHECK(comparison_found(campaign, "hpl", "rmax_gflops_per_gpu").comparable);

  campaign.inventory.groups[0].gpus[0].model = "NVIDIA H200";
  CHECK(comparison_found(campaign, "hpl", "rmax_gflops_per_gpu").condition ==
        "GPU NVIDIA H100 80GB HBM3 there, NVIDIA H200 here");
}

TEST_CASE("HPCG per GPU is compared where the GPUs have as much memory and the problem fills as much") {
  const Comparison same =
      comparison_found(comparison_campaign_of(hpcg(39961.4)), "hpcg", "rating_gflops_per_gpu");
  CHECK(same.comparable);
  CHECK(same.ratio.value() == Approx(400000 / 784.0 / 505.48));
  CHECK(comparison_found(comparison_campaign_of(hpcg(20000)), "hpcg", "rating_gflops_per_gpu").condition ==
        "51.0 GB of problem per GPU there, 25.5 here, more than 10 % apart");
  CampaignRecord larger = comparison_campaign_of(hpcg(39961.4));
  for (Gpu& gpu : larger.inventory.groups[0].gpus) gpu.memory_bytes = std::int64_t{140} << 30;
  CHECK(comparison_found(larger, "hpcg", "rating_gflops_per_gpu").condition ==
        "79.1 GiB of memory per GPU there, 140 here, more than 2 % apart");
  CampaignRecord another = comparison_campaign_of(hpcg(39961.4));
  another.inventory.groups[0].gpus[0].model = "NVIDIA H100 PCIe";
  CHECK(comparison_found(another, "hpcg", "rating_gflops_per_gpu").condition ==
        "GPU NVIDIA H100 80GB HBM3 there, NVIDIA H100 PCIe here");
  CHECK(comparison_found(comparison_campaign_of(hpcg(39961.4)), "hpcg", "rating_gflops").comparable);
}

TEST_CASE("HPL-MxP is compared in one precision and from 256 GPUs on") {
  const Comparison same =
      comparison_found(comparison_campaign_of(mxp(96, "FP8")), "hpl-mxp", "rmax_gflops_per_gpu");
  CHECK(same.comparable);
  CHECK(same.ratio.value() == Approx(1));
  CHECK(same.condition == "equal: nodes, device, gpu, precision, rule_epoch; gpus at least 256");
  CHECK(
      comparison_found(comparison_campaign_of(mxp(31, "FP8")), "hpl-mxp", "rmax_gflops_per_gpu").condition ==
      "96 nodes there, 31 here; 768 GPUs there, 248 here, below 256");
  CHECK(
      comparison_found(comparison_campaign_of(mxp(96, "FP16")), "hpl-mxp", "rmax_gflops_per_gpu").condition ==
      "precision fp8 there, FP16 here; rules until June 2025 there, since June 2025 here");
}

TEST_CASE("IO500 is set beside the row of as many nodes, and never taken per node or per GPU") {
  const Comparison ten = comparison_found(comparison_campaign_of(comparison_io500(10)), "io500", "score");
  CHECK(ten.comparable);
  CHECK(ten.baseline.value() == 181.907263);
  CHECK(ten.baseline_id == "io500-10n-submitted-score");
  CHECK(comparison_found(comparison_campaign_of(comparison_io500(96)), "io500", "score").baseline.value() ==
        214.086239);
  CHECK(comparison_found(comparison_campaign_of(comparison_io500(96)), "io500", "find_kiops").ratio.value() ==
        Approx(2000 / 2637.168208));
  CHECK(said(comparison_campaign_of(comparison_io500(20)), "score") ==
        std::vector<std::string>{"absolute: 96 nodes there, 20 here",
                                 "per node: an IO500 score belongs to the storage, not to its clients",
                                 "per GPU: an IO500 score belongs to the storage, not to its clients"});
}

TEST_CASE(
    "time-to-train is compared at equal version, GPUs and batch, tokens per GPU at equal nodes and batch") {
  const Comparison same =
      comparison_found(comparison_campaign_of(gpt3(64, 1536)), "mlperf", "time_to_train_min");
  CHECK(same.comparable);
  CHECK(same.baseline_id == "gpt3-64n-ttt");
  CHECK(same.ratio.value() == Approx(60 / 58.30));
  CHECK(same.condition == "equal: benchmark, version, gpus, gpu, GBS; number of runs there unknown");

  const CampaignRecord other = comparison_campaign_of(gpt3(64, 2048));
  CHECK(comparison_found(other, "mlperf", "time_to_train_min").condition == "GBS 1536 there, 2048 here");
  const Comparison tokens =
      comparison_found(comparison_campaign_of(gpt3(32, 1024)), "mlperf", "tokens_per_s_per_gpu");
  CHECK(tokens.comparable);
  CHECK(tokens.baseline_id == "gpt3-32n-tokens");
  CHECK(tokens.measured.value() == Approx(190 * 2048 / 256.0));
  // A rate of one GPU depends on the batch as the time does.
  CHECK(said(comparison_campaign_of(gpt3(32, 2048)), "tokens_per_s_per_gpu") ==
        std::vector<std::string>{"per GPU: GBS 1024 there, 2048 here"});
  const auto elsewhere = said(comparison_campaign_of(gpt3(48, 1536)), "tokens_per_s_per_gpu");
  REQUIRE(elsewhere.size() == 2);
  CHECK(elsewhere[1].starts_with("per GPU of another number of nodes: information, no criterion"));
  CHECK(comparison_found(comparison_campaign_of(gpt3(64, 1536, "v4.0")), "mlperf", "time_to_train_min")
            .condition == "version 4.1 there, v4.0 here");
}

TEST_CASE("logs that hold the published values to the last digit are named as the published logs") {
  const Baseline baseline = fixture::sakuraone();
  Run run = comparison_io500(10);
  for (Metric& each : run.metrics)
    for (const BaselineValue& row : baseline.values)
      if (row.metric == each.name && row.id.starts_with("io500-10n-submitted")) each.value = row.value;
  CampaignRecord campaign = comparison_campaign_of(run);
  const auto shown = [&](const CampaignRecord& record) {
    const MeasuredCampaign measured(record);
    const auto page = fixture::rendered(
        "html", measured, judge(measured, &baseline, fixture::comparability()).value(), &baseline);
    const auto first = page.find("these are the published logs themselves");
    CHECK((first == std::string::npos) == (page.find(">1.00<") != std::string::npos));  // no ratio to itself
    return first < page.find("id=\"sign-off\"") &&
           page.find("these are the published", first + 1) < page.size();
  };
  CHECK_FALSE(shown(campaign));  // measured here
  campaign.kind = "external";
  CHECK(shown(campaign));
  // No row says that it may not be compared, above conditions that are all alike.
  const MeasuredCampaign elsewhere(campaign);
  const std::string section = fixture::results_section(fixture::rendered(
      "html", elsewhere, judge(elsewhere, &baseline, fixture::comparability()).value(), &baseline));
  CHECK(contains(section, "same log</span>"));
  CHECK(contains(section, "<th scope=\"col\">Alike?</th>"));
  CHECK_FALSE(contains(section, ">no</span>"));
  campaign.cases[0].attempts[0].results[0].parsed.metrics[0].value += 0.001;
  CHECK_FALSE(shown(campaign));
}

TEST_CASE("a comparison and the report's conditions take the same published row, the nearest in size") {
  Run run = gpt3(128, 128, "v5.0");
  run.parameters[0].value = std::string("llama2_70b_lora");
  const Judgement judgement = judged(comparison_campaign_of(run));
  const Comparison row = comparison_found(comparison_campaign_of(run), "mlperf", "time_to_train_min");
  CHECK(row.condition == "version 4.1 there, v5.0 here; 768 GPUs there, 1024 here; GBS 96 there, 128 here");
  std::string there;
  for (const OrientationCondition& each : judgement.orientation.value().conditions)
    if (each.condition == "gpus") there = each.there;
  CHECK(there == "768");
  // Of several sizes each is named, and which published row stands beside it.
  CampaignRecord campaign = comparison_campaign_of(run);
  const auto conditions = [&](int nodes, std::int64_t gpus) {
    campaign.cases.push_back(campaign.cases[0]);
    CaseRecord& more = campaign.cases.back();
    more.planned.nodes = nodes;
    more.planned.ranks = nodes * 8;
    more.planned.id += std::to_string(nodes);
    for (Parameter& each : more.attempts[0].results[0].parsed.parameters)
      if (each.name == "gpus") each.value = gpus;
    const Judgement several = judged(campaign);
    const auto& values = several.orientation->values;
    CHECK(std::ranges::count(values, std::optional(1), &PublishedValue::nodes) == (nodes == 1 ? 1 : 0));
    std::vector<std::string> found;
    for (const OrientationCondition& each : several.orientation.value().conditions)
      if (each.condition == "gpus" || each.condition == "version")
        found.push_back(fmt::format("{}: {}: {}", each.of, each.condition, each.here));
    return found;
  };
  CHECK(conditions(120, 960) ==
        std::vector<std::string>{": version: v5.0", ": gpus: 1024 on 128 nodes; 960 on 120 nodes"});
  CHECK(conditions(1, 8) ==
        std::vector<std::string>{
            "llama2_70b_lora, nodes: 128, 120 here, 96 there: version: v5.0",
            "llama2_70b_lora, nodes: 128, 120 here, 96 there: gpus: 1024 on 128 nodes; 960 on 120 nodes",
            "llama2_70b_lora, nodes: 1 here, 1 there: version: v5.0"});
  // A log made elsewhere has no known nodes, a baseline of one's own may state none, nor a benchmark.
  campaign.cases.back().planned.nodes = 0;
  Baseline baseline = fixture::sakuraone();
  for (BaselineValue& each : baseline.values)
    std::erase_if(each.conditions, [](const Parameter& condition) { return condition.name == "nodes"; });
  const MeasuredCampaign measured(campaign);
  const Judgement elsewhere = judge(measured, &baseline, fixture::comparability()).value();
  CHECK(elsewhere.orientation.value().conditions.back().of ==
        "llama2_70b_lora, nodes: not known here, not stated there");
}

TEST_CASE("what a model scaled is information, never a criterion") {
  const auto lines = said(comparison_campaign_of(gpt3(48, 1536)), "time_to_train_min");
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].starts_with("scaled to this number of GPUs: information, no criterion: scaled by a model"));
  const Comparison scaled = judged(comparison_campaign_of(gpt3(48, 1536))).comparisons.back();
  CHECK(scaled.information);
  CHECK_FALSE(scaled.comparable);
  CHECK(scaled.baseline.value() == Approx(58.30 * 512 / 384));
  CHECK(scaled.baseline_id == "gpt3-64n-ttt");
  CHECK(said(comparison_campaign_of(gpt3(64, 1536)), "time_to_train_min").size() == 1);

  const auto table = read_comparability(
      "[[comparisons]]\nsuite = 'mlperf'\nmetric = 'time_to_train_min'\nnormalisation = 'scaled'\n"
      "must_match = ['benchmark']\nscaled_by = { gpus = -1 }\n",
      "c.toml");
  REQUIRE(table);
  const MeasuredCampaign campaign(comparison_campaign_of(gpt3(48, 1536)));
  const Comparison asked =
      criterion_comparison(campaign, campaign.cases[0], "time_to_train_min", fixture::sakuraone(), *table);
  CHECK_FALSE(asked.comparable);
  CHECK_FALSE(asked.ratio);
  CHECK(asked.condition ==
        "mlperf time_to_train_min is only scaled by a model, which is information, no criterion");
}

TEST_CASE("a criterion leans on what the table compares, and gives the reason where it can't") {
  const auto table = read_comparability(fixture::comparability(), "comparability.toml");
  REQUIRE(table);
  const Baseline baseline = fixture::sakuraone();
  const auto asked = [&](CampaignRecord record, std::string_view metric) {
    const MeasuredCampaign campaign(std::move(record));
    return criterion_comparison(campaign, campaign.cases[0], metric, baseline, *table);
  };
  CHECK(asked(comparison_campaign_of(gpt3(64, 1536)), "time_to_train_min").comparable);
  CHECK(asked(comparison_campaign_of(comparison_io500(96)), "score").baseline.value() == 214.086239);
  CHECK(asked(comparison_campaign_of(gpt3(64, 1536)), "mfu").condition ==
        "no comparison of mlperf mfu is defined");
  CHECK(asked(comparison_campaign_of(comparison_io500(96)), "ior_easy_write_time_s").condition ==
        "no comparison of io500 ior_easy_write_time_s is defined");
  Baseline empty = baseline;
  empty.values.clear();
  const MeasuredCampaign campaign(comparison_campaign_of(comparison_io500(96)));
  CHECK(criterion_comparison(campaign, campaign.cases[0], "score", empty, *table).condition ==
        "sakuraone holds no score of io500");
}

TEST_CASE("a published value that contradicts itself is no measure") {
  const auto table = read_comparability(
      "gpu_implementations = ['nvidia']\n[[comparisons]]\nsuite = 'hpcg'\nmetric = 'bandwidth_tb_s'\n"
      "normalisation = 'absolute'\nmust_match = ['gpus']\n",
      "c.toml");
  REQUIRE(table);
  Run run = hpcg(39961.4);
  run.metrics.push_back({"bandwidth_tb_s", 3316, 3});
  const auto all = comparisons(MeasuredCampaign(comparison_campaign_of(run)), fixture::sakuraone(), *table);
  REQUIRE(all.size() == 1);
  CHECK_FALSE(all[0].comparable);
  CHECK(all[0].condition == "the published value is marked unit-suspect");
}

TEST_CASE("a condition that two logs of a case state differently is not known") {
  CampaignRecord campaign = comparison_campaign_of(gpt3(64, 1536));
  campaign.cases[0].attempts.push_back(campaign.cases[0].attempts[0]);
  campaign.cases[0].attempts[1].results[0].parsed.parameters[2].value = std::int64_t{2048};
  CHECK(
      comparison_found(campaign, "mlperf", "time_to_train_min").condition.ends_with("there, not known here"));
}

TEST_CASE("a GEMM measured on CPUs says nothing about HPL on GPUs") {
  const Comparison efficiency = comparison_found(sakuraone_again(), "hpl", "efficiency_gemm");
  CHECK_FALSE(efficiency.comparable);
  const MeasuredCampaign campaign(sakuraone_again());
  CHECK(measured(campaign, campaign.cases[1], "efficiency_gemm",
                 read_comparability(fixture::comparability(), "c.toml").value())
            .missing == "no reference: GEMM was measured on other devices than those that ran the case");
}

TEST_CASE("an invalid result is not compared") {
  CampaignRecord campaign = sakuraone_again();
  hpl(campaign).attempts[0].results[0].validity = Validity::invalid;
  const Comparison rmax = comparison_found(campaign, "hpl", "rmax_gflops");
  CHECK_FALSE(rmax.comparable);
  CHECK_FALSE(rmax.measured);
  CHECK(rmax.condition == "no valid result here");
}

TEST_CASE("a condition that the table misspells is refused") {
  const auto table = read_comparability(
      "[[comparisons]]\nsuite = 'hpl'\nmetric = 'm'\nnormalisation = 'absolute'\nmust_match = ['node']\n",
      "c.toml");
  REQUIRE_FALSE(table);
  CHECK(table.error().what == "'node' is no condition (did you mean 'nodes'?)");
  CHECK(table.error().where == "c.toml:5");
  const auto limit = read_comparability(
      "[[comparisons]]\nsuite = 'hpl'\nmetric = 'm'\nnormalisation = 'absolute'\nwithin = { memory = 0.1 }\n",
      "c.toml");
  REQUIRE_FALSE(limit);
  CHECK(limit.error().what.starts_with("'memory' is no condition"));
}
