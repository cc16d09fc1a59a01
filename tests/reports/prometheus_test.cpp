#include "reports/formats/prometheus.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace shakedown;

TEST_CASE("a family is its help, its type and its samples") {
  const std::vector<MetricFamily> families = {
      {"shakedown_checks_total", "Checks so far.", true, {{{{"system", "a"}}, 3}}},
      {"shakedown_series_loss_ratio",
       "Loss.",
       false,
       {{{}, 0.25}, {{{"nodes", "cn1"}, {"suite", "hpl"}}, -0.5}}},
      {"shakedown_nothing", "Left out.", false, {}}};
  CHECK(prometheus_text(families) ==
        "# HELP shakedown_checks_total Checks so far.\n"
        "# TYPE shakedown_checks_total counter\n"
        "shakedown_checks_total{system=\"a\"} 3\n"
        "# HELP shakedown_series_loss_ratio Loss.\n"
        "# TYPE shakedown_series_loss_ratio gauge\n"
        "shakedown_series_loss_ratio 0.25\n"
        "shakedown_series_loss_ratio{nodes=\"cn1\",suite=\"hpl\"} -0.5\n");
}

TEST_CASE("labels and help are escaped, values that are no numbers have their names") {
  const std::vector<MetricFamily> families = {
      {"x",
       "a\\b\n\"c\"",
       false,
       {{{{"l", "a\\b\n\"c\""}}, std::numeric_limits<double>::infinity()},
        {{}, std::numeric_limits<double>::quiet_NaN()}}}};
  CHECK(prometheus_text(families) ==
        "# HELP x a\\\\b\\n\"c\"\n# TYPE x gauge\nx{l=\"a\\\\b\\n\\\"c\\\"\"} +Inf\nx NaN\n");
}

TEST_CASE("values are reported in base units") {
  CHECK(base_unit("rmax_gflops").name == "shakedown_measured_flops_per_second");
  CHECK(base_unit("rmax_gflops").factor == 1e9);
  CHECK(base_unit("triad_mb_s").name == "shakedown_measured_bytes_per_second");
  CHECK(base_unit("ior_easy_write_gib_s").factor == 1073741824);
  CHECK(base_unit("time_to_train_min").name == "shakedown_measured_seconds");
  CHECK(base_unit("time_to_train_min").factor == 60);
  CHECK(base_unit("mdtest_easy_write_kiops").factor == 1000);
  CHECK(base_unit("score").name == "shakedown_measured_value");
}
