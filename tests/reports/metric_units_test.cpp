#include "reports/measure/metric_units.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "reports/judge/criteria.hpp"

using namespace shakedown;

namespace {

std::string one(const std::string& metric, const std::string& keys) {
  return "title = 'T'\n[[criteria]]\nid = 'a'\ntitle = 'A'\nsuite = 'hpl'\nmetric = '" + metric +
         "'\nseverity = 'mandatory'\ndirection = '>='\naggregation = 'every'\nlimit_source = 'contract "
         "4.2'\n" +
         keys;
}

Criterion read_one(const std::string& metric, const std::string& keys) {
  const auto read = read_criteria(one(metric, keys), "c.toml");
  if (!read) FAIL(to_string(read.error()));
  return read->criteria.at(0);
}

std::string refused(const std::string& metric, const std::string& keys) {
  const auto read = read_criteria(one(metric, keys), "c.toml");
  REQUIRE_FALSE(read.has_value());
  return to_string(read.error());
}

}  // namespace

TEST_CASE("a value in another unit is the same in the metric's own") {
  struct Row {
    const char* metric;
    double value;
    const char* unit;
    double own;
  };
  for (const Row& row : {Row{"rmax_gflops", 33.9, "PFLOP/s", 33'900'000},
                         {"rmax_gflops_per_gpu", 43.31, "TFLOP/s", 43'310},
                         {"triad_mb_s", 780, "GB/s", 780'000},
                         {"triad_mb_s", 1, "GiB/s", 1073.741824},
                         {"ior_easy_write_gib_s", 1, "TiB/s", 1024},
                         {"time_to_train_min", 2, "h", 120},
                         {"time_to_train_min", 90, "s", 1.5},
                         {"latency_us", 1500, "ns", 1.5},
                         {"read_iops", 1.2, "MIOPS", 1'200'000},
                         {"iops_kiops", 250'000, "IOPS", 250},
                         {"efficiency_gemm", 78.3, "%", 0.783},
                         {"reliability", 99, "%", 0.99},
                         {"rmax_gflops", 5, "GFLOP/s", 5}}) {
    INFO(row.metric << " " << row.value << " " << row.unit);
    const auto own = in_metric_unit(row.metric, row.value, row.unit);
    REQUIRE(own.has_value());
    CHECK(*own == Approx(row.own).epsilon(1e-14));
  }
}

TEST_CASE("a unit that is none, or measures something else, is refused with those that fit") {
  const auto error = [](const char* metric, const char* unit) {
    return to_string(in_metric_unit(metric, 1, unit).error());
  };
  CHECK(error("rmax_gflops", "PFLOPS/s")
            .find("'PFLOPS/s' is no unit that is known (did you mean 'PFLOP/s'?)") != std::string::npos);
  CHECK(error("rmax_gflops", "GB/s").find("'GB/s' is no unit of rmax_gflops") != std::string::npos);
  CHECK(error("rmax_gflops", "GB/s").find("MFLOP/s, GFLOP/s, TFLOP/s, PFLOP/s, EFLOP/s") !=
        std::string::npos);
  CHECK(error("efficiency_gemm", "GFLOP/s").find("efficiency_gemm takes %") != std::string::npos);
  CHECK(error("score", "%").find("score is a bare number") != std::string::npos);
  CHECK_FALSE(in_metric_unit("time_s", 1, "GB").has_value());
}

TEST_CASE("a limit may stand with its unit, and its source keeps both") {
  const Criterion stated = read_one("rmax_gflops", "limit = 33.9\nunit = 'PFLOP/s'\n");
  CHECK(stated.limit == 33'900'000);
  CHECK(stated.limit_source == "contract 4.2; 33.9 PFLOP/s = 33900000 GFLOP/s");
  CHECK(read_one("rmax_gflops", "limit = 5\nunit = 'GFLOP/s'\n").limit_source == "contract 4.2");
  CHECK(read_one("efficiency_gemm", "limit = 78\nunit = '%'\n").limit == 0.78);
  const Criterion contract = read_one("rmax_gflops",
                                      "relative_to = 'contract'\nfactor = 0.95\ncontract = { value = 34, "
                                      "unit = 'PFLOP/s', source = 'clause 4' }\n");
  CHECK(contract.contract->value == 34'000'000);
  CHECK(contract.contract->source == "clause 4; 34 PFLOP/s = 34000000 GFLOP/s");
}

TEST_CASE("a derived limit is met by the value that its arithmetic gives on paper") {
  struct Row {
    const char* factor;
    const char* contract;
    double limit;
  };
  for (const Row& row :
       {Row{"0.9", "10.3", 9.27}, Row{"0.95", "33950000", 32252500}, Row{"0.9", "0.783", 0.7047},
        Row{"1.1", "1.1", 1.21}, Row{"0.7", "0.1", 0.07}, Row{"0.333333333333", "3", 0.999999999999}}) {
    INFO(row.factor << " x " << row.contract);
    const auto frozen = frozen_criteria(
        one("rmax_gflops",
            fmt::format("relative_to = 'contract'\nfactor = {}\ncontract = {{ value = {}, source = 'c' }}\n",
                        row.factor, row.contract)),
        "c.toml", {});
    REQUIRE(frozen.has_value());
    CHECK(read_criteria(*frozen, "frozen.toml")->criteria.at(0).limit == row.limit);
  }
  CHECK(derived_value(9.27 / 10.3) == 0.9);
  CHECK(derived_value(1.0 / 3) < 1.0 / 3);
  CHECK(std::isinf(derived_value(HUGE_VAL)));
}

TEST_CASE("a frozen limit is in the metric's own unit, and reads as it was") {
  const auto frozen = frozen_criteria(one("rmax_gflops", "limit = 33.9\nunit = 'PFLOP/s'\n"), "c.toml", {});
  REQUIRE(frozen.has_value());
  CHECK(frozen->find("unit") == std::string::npos);
  const auto again = read_criteria(*frozen, "frozen.toml");
  REQUIRE(again.has_value());
  CHECK(again->criteria.at(0).limit == 33'900'000);
}

TEST_CASE("a unit without a limit, an unknown one and a negative limit are refused with their line") {
  CHECK(refused("rmax_gflops", "limit = 1\nunit = 'PFLOP'\n").find("c.toml:12") != std::string::npos);
  CHECK(refused("rmax_gflops", "unit = 'PFLOP/s'\nrelative_to = 'last-accepted'\nfactor = 0.9\n")
            .find("'unit' is that of a limit") != std::string::npos);
  CHECK(refused("rmax_gflops", "limit = -3\n").find("'limit' is -3, and rmax_gflops is never below 0") !=
        std::string::npos);
  CHECK(refused("rmax_gflops",
                "relative_to = 'contract'\nfactor = 1\ncontract = { value = -1, source = 's' }\n")
            .find("never below 0") != std::string::npos);
}
