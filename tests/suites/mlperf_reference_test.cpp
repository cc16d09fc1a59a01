#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/suites/inventories.hpp"
#include "tests/suites/shipped_system.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

Implementation pretrain() {
  return shipped("mlperf", "reference-shakedown_pretrain");
}

Implementation mlperf_reference_lora() {
  return shipped("mlperf", "reference-shakedown_lora");
}

}  // namespace

TEST_CASE("our own training runs a rank for each core, with a time after which it gives up") {
  const auto planned_case = planned(two_core_node(), pretrain());
  REQUIRE(planned_case);
  CHECK(planned_case->id == "mlperf-reference-shakedown_pretrain-1n");
  CHECK(planned_case->program == "/opt/shakedown/libexec/shakedown/mlperf");
  CHECK(planned_case->ranks == 2);
  CHECK(planned_case->threads_per_rank == 1);
  CHECK(text_parameter(*planned_case, "benchmark") == "shakedown_pretrain");
  CHECK(text_parameter(*planned_case, "GBS") == "32");
  REQUIRE(planned_case->arguments.size() == 3);
  CHECK(planned_case->arguments[0] == "pretrain");
  CHECK(planned_case->arguments[1] == "--max-seconds");
  CHECK(std::stod(planned_case->arguments[2]) > prediction(*planned_case, "wall_time_s").high);
  CHECK(std::stod(planned_case->arguments[2]) < planned_case->time_limit_s);
}

TEST_CASE("our own training is predicted from its operations and twice the rate of FP64 GEMM") {
  // Two cores of 16 FLOP per cycle at 2.6 GHz: 166.4 GFLOP/s in FP32, of which half.
  const double rate = 0.5 * 2 * 83.2;
  CHECK(prediction(*planned(two_core_node(), pretrain()), "time_to_train_min").value ==
        Approx(1980 / rate / 60));
  CHECK(prediction(*planned(two_core_node(), pretrain()), "wall_time_s").value == Approx(1980 / rate + 2));
  CHECK(prediction(*planned(two_core_node(), mlperf_reference_lora()), "time_to_train_min").value ==
        Approx(850 / rate / 60));
  CHECK(prediction(*planned(two_core_node(), mlperf_reference_lora()), "wall_time_s").value ==
        Approx((850 + 1980) / rate + 2));
  NodeGroup blind = two_core_node();
  blind.cpu.fp64_flop_per_cycle = 0;
  const auto unknown = planned(blind, pretrain());
  REQUIRE(unknown);
  CHECK(unknown->predicted.empty());
  CHECK(mentions(unknown->warnings, "no time to train is predicted"));
  CHECK(unknown->time_limit_s == 630);
}

TEST_CASE("no rank of our own training is without a sample of each batch") {
  const ShippedSystem system("sakuraone");
  const auto on = [&](int nodes) { return system.plan(pretrain(), nodes); };
  const auto one = on(1);
  REQUIRE(one);
  CHECK(one->ranks == 32);
  const auto five = on(5);
  REQUIRE(five);
  CHECK(five->ranks_per_node == 6);
  const auto ranks = std::ranges::find(five->why, "ranks", &Reason::what);
  REQUIRE(ranks != five->why.end());
  CHECK(value_text(ranks->value) == "30");
  CHECK(ranks->because == "5 nodes x 6 ranks each");
  CHECK(five->ranks == 30);
  CHECK(on(32)->ranks == 32);
  CHECK(to_string(on(33).error()) ==
        "requirements: 33 nodes have less than one of the 32 samples of a batch each\nhint: 32 nodes");
}
