#include "reports/measure/display.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "orchestrator/core/file.hpp"
#include "parsers/parser.hpp"

using namespace shakedown;

namespace {

namespace fs = std::filesystem;

/// Every metric that the parsers give of the logs in tests/fixtures.
std::set<std::string> parsed_metrics() {
  std::set<std::string> metrics;
  for (const auto& entry :
       fs::recursive_directory_iterator(std::string(PROJECT_FOLDER) + "/tests/fixtures")) {
    if (!entry.is_regular_file()) continue;
    const auto text = file_content(entry.path());
    const auto results = text ? parsed_log(*text) : Result<std::vector<ParsedResult>>();
    if (!results) continue;
    for (const ParsedResult& result : *results)
      for (const Metric& metric : result.metrics) metrics.insert(metric.name);
  }
  return metrics;
}

}  // namespace

TEST_CASE("every metric that a parser gives has a direction, or is known to have none") {
  const auto metrics = parsed_metrics();
  CHECK(metrics.size() > 100);
  for (const std::string& metric : metrics) {
    INFO(metric);
    CHECK(metric_kind(metric).has_value());
  }
  for (const char* metric : {"messages_s", "read_lat_mean_us", "host_device_latency_sm_ns", "write_iops",
                             "time_to_train_min", "rating_gflops", "triad_mb_s"})
    CHECK(metrics.contains(metric));
}

TEST_CASE("rates are better higher, times lower, at either end of a sweep and in each trial") {
  for (const char* rate : {"rmax_gflops",
                           "rmax_gflops_per_gpu",
                           "triad_mb_s",
                           "triad_mib_s",
                           "read_bw_kib_s",
                           "read_bw_b_s",
                           "samples_per_s",
                           "tokens_per_s_per_gpu",
                           "score",
                           "extended_score",
                           "messages_s",
                           "messages_s_at_max_bytes",
                           "million_ops_s",
                           "bandwidth_mb_s_at_min_bytes",
                           "read_iops",
                           "find_kiops",
                           "fp64_gflops_trial_2",
                           "overlap_pct_at_max_bytes",
                           "efficiency_gemm",
                           "reliability",
                           "ior_easy_write_gib_s"})
    CHECK(direction_of(rate) == Better::higher);
  for (const char* time :
       {"time_s", "lu_time_s", "time_to_train_min", "latency_us", "latency_us_at_max_bytes",
        "host_device_latency_sm_ns", "init_avg_ms", "read_clat_p99_us"})
    CHECK(direction_of(time) == Better::lower);
}

TEST_CASE("what is given, counted or merely reached has no direction") {
  for (const char* metric : {"residual", "memory_total_gb", "unknowns", "wrong_elements", "final_quality",
                             "target_quality", "spread_pct", "compute_us_at_max_bytes", "total_time_s",
                             "ior_easy_read_time_s", "mdtest_hard_stat_time_s", "find_time_s"}) {
    INFO(metric);
    REQUIRE(metric_kind(metric).has_value());
    CHECK_FALSE(direction_of(metric));
  }
  CHECK_FALSE(metric_kind("nobody_knows"));
}

TEST_CASE("a phase has the direction of its unit") {
  CHECK(direction_of("ior-easy-write", "GiB/s") == Better::higher);
  CHECK(direction_of("find", "kIOPS") == Better::higher);
  CHECK(direction_of("wait", "s") == Better::lower);
  CHECK_FALSE(direction_of("what", "furlongs"));
}
