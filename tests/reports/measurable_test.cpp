// Which metrics a criterion on a suite can be judged by, against what is measured.
#include "reports/judge/measurable.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "parsers/parser.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;

namespace {

constexpr std::array<const char*, 4> efficiencies = {"efficiency_gemm", "efficiency_rpeak",
                                                     "efficiency_stream", "efficiency_memory"};

/// All names that any grammar declares, and what is made of them.
std::set<std::string> all_names() {
  std::set<std::string> names = {"tokens_per_s"};
  for (const Parser* parser : parsers())
    for (const std::string_view metric : parser->metrics)
      if (metric.find('*') == std::string_view::npos) names.emplace(metric);
  for (const std::string& name : std::set<std::string>(names)) names.insert(name + "_per_gpu");
  names.insert(efficiencies.begin(), efficiencies.end());
  return names;
}

/// A case of a suite on GPUs with one result that has all metrics that its grammar names.
CaseRecord measurable_case_of(const Parser& grammar) {
  CaseRecord record;
  record.planned.id = record.planned.suite = grammar.suite;
  record.planned.implementation = "reference";
  record.planned.nodes = record.planned.ranks = 1;
  record.planned.hosts = "n1";
  record.planned.parameters = {
      {"gpus", std::int64_t{2}}, {"sequence_length", std::int64_t{128}}, {"precision", std::string("fp64")}};
  ResultRecord result;
  result.validity = Validity::valid;
  result.parsed.suite = grammar.suite;
  result.parsed.complete = true;
  result.parsed.parameters = record.planned.parameters;
  for (const std::string_view metric : grammar.metrics)
    if (metric.find('*') == std::string_view::npos)
      result.parsed.metrics.push_back({std::string(metric), 2, 1});
  record.attempts = {fixture::attempt(1, record.planned.id, std::move(result))};
  return record;
}

}  // namespace

TEST_CASE("what can be measured is what is measured of a result that has all metrics of its grammar") {
  CampaignRecord with_all = fixture::quick_campaign();
  with_all.inventory.groups[0].memory_bandwidth_gb_s = 100;
  with_all.cases.clear();
  for (const Parser* parser : parsers()) with_all.cases.push_back(measurable_case_of(*parser));
  const MeasuredCampaign campaign(std::move(with_all));
  const auto comparability = read_comparability(fixture::comparability(), "t").value();
  for (const MeasuredCase& record : campaign.cases)
    for (const std::string& metric : all_names()) {
      INFO(record.planned.suite << " " << metric);
      const Measurement found = measured(campaign, record, metric, comparability);
      INFO(found.missing);
      // Names that only a log makes can be measured too, and this result has none of them.
      if (!found.points.empty()) CHECK(measurable(record.planned.suite, metric));
      if (found.points.empty() && found.missing.empty() && !metric.ends_with("_gb_s") &&
          !metric.ends_with("_gb_s_per_gpu") && !metric.ends_with("_ns"))
        CHECK_FALSE(measurable(record.planned.suite, metric));
    }
}

TEST_CASE("validity and reliability are asked of every suite") {
  for (const char* suite : {"hpl", "campaign", "none"}) {
    CHECK(measurable(suite, "validity"));
    CHECK(measurable(suite, "reliability"));
  }
}

TEST_CASE("an efficiency belongs to the suites that have what it divides") {
  const auto suites = [](std::string_view metric) {
    std::set<std::string> found;
    for (const Parser* parser : parsers())
      if (measurable(parser->suite, metric)) found.emplace(parser->suite);
    return found;
  };
  const std::set<std::string> rates = {"gemm", "hpcg", "hpl", "hpl-mxp", "mlperf"};
  CHECK(suites("efficiency_gemm") == rates);
  CHECK(suites("efficiency_rpeak") == rates);
  CHECK(suites("efficiency_stream") == std::set<std::string>{"hpcg"});
  CHECK(suites("efficiency_memory") == std::set<std::string>{"stream"});
  CHECK_FALSE(measurable("none", "efficiency_gemm"));
  CHECK(measurable("none", "rmax_gflops"));
  CHECK(suites("efficiency_gem").empty());
  CHECK(suites("tokens_per_s") == std::set<std::string>{"mlperf"});
  CHECK(suites("lu_gflops_per_gpu") == std::set<std::string>{"hpl-mxp"});
}

TEST_CASE("what reports show, compare and ship is measurable") {
  for (const Parser* parser : parsers()) {
    for (const std::string_view metric : counting_metrics(parser->suite)) {
      INFO(parser->suite << " " << metric);
      CHECK(measurable(parser->suite, metric));
    }
    const std::string_view rate = rate_metric(parser->suite);
    CHECK((rate.empty() || measurable(parser->suite, rate)));
  }
  const auto quick = read_criteria(fixture::project_file("reports/criteria/quick.toml"), "quick").value();
  for (const Criterion& each : quick.criteria) CHECK(why_unmeasurable(each.suite, each.metric).empty());
}

TEST_CASE("of the published values those of a profiler, of ratios and of suspect units are no log's") {
  std::set<std::string> never;
  for (const BaselineValue& value : fixture::sakuraone().values)
    if (!measurable(value.suite, value.metric)) never.insert(value.suite + " " + value.metric);
  CHECK(never == std::set<std::string>{
                     "hpcg bandwidth_tb_s", "hpl gemm_gflops_per_gpu", "mlperf communication_overlap_pct",
                     "mlperf communication_pct", "mlperf gpu_compute_pct", "mlperf idle_pct", "mlperf mfu",
                     "mlperf nccl_allgather_pct", "mlperf nccl_allreduce_pct",
                     "mlperf nccl_reducescatter_pct", "mlperf nccl_sendrecv_pct", "mlperf tflops_per_gpu",
                     "mlperf time_to_train_over_eos", "mlperf time_to_train_over_eos_high_pct",
                     "mlperf time_to_train_over_eos_low_pct"});
}

TEST_CASE("a misspelled name is refused with the nearest, also of what reports compute") {
  CHECK(why_unmeasurable("hpl", "rmax_gflops_per_gp").ends_with("(did you mean 'rmax_gflops_per_gpu'?)"));
  CHECK(why_unmeasurable("hpl", "eficiency_gemm").ends_with("(did you mean 'efficiency_gemm'?)"));
  CHECK(why_unmeasurable("mlperf", "token_per_s").ends_with("(did you mean 'tokens_per_s'?)"));
  CHECK(why_unmeasurable("io500", "scoer").ends_with("(did you mean 'score'?)"));
  // nvbandwidth's tests have any name: they are no reason to take this for one of them.
  CHECK(why_unmeasurable("hpcg", "bandwith_gb_s").ends_with("(did you mean 'bandwidth_gb_s'?)"));
  CHECK(why_unmeasurable("hpcg", "rmax_gflops").ends_with("(it is a metric of hpl, hpl-mxp)"));
  CHECK(why_unmeasurable("hpl", "watts") == "no result of HPL can have a metric 'watts'");
  CHECK(why_unmeasurable("hpl", "lu_gflops").ends_with("(it is a metric of hpl-mxp)"));
}

TEST_CASE("a time has no value per GPU, and a rate in bytes has a unit that is one") {
  CHECK(why_unmeasurable("mlperf", "time_to_train_min_per_gpu") != "");
  CHECK(why_unmeasurable("hpl", "time_s_per_gpu") != "");
  CHECK(why_unmeasurable("hpl", "rmax_gflops_per_gpu") == "");
  CHECK(why_unmeasurable("mlperf", "tokens_per_s_per_gpu") == "");
  CHECK(why_unmeasurable("stream", "triad_gb_s") == "");
  CHECK(why_unmeasurable("stream", "triad_xb_s") != "");
  CHECK(why_unmeasurable("fio", "read_bw_qqb_s") != "");
  CHECK(why_unmeasurable("mlperf", "final_qualty") != "");
}
