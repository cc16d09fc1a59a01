// Plans far from what was published: what has no evidence is refused, bound or said to be missing.
#include <catch2/catch.hpp>

#include "suites/hpl/run_time.hpp"
#include "suites/mlperf/scaling.hpp"
#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

NodeGroup with_links(NodeGroup node, double gbit_s) {
  for (Nic& nic : node.nics) nic.speed_gb_s = gbit_s;
  return node;
}

double width(const Prediction& predicted) {
  return predicted.high / predicted.low;
}

NodeGroup b200_nodes(int nodes) {
  NodeGroup node = sakuraone_nodes(nodes);
  for (Gpu& gpu : node.gpus) {
    gpu.model = "NVIDIA B200";
    gpu.memory_bytes = static_cast<std::int64_t>(178 * gibi);
    gpu.peak.fp16_dense_tflops = 2250;
  }
  return node;
}

NodeGroup b300_nodes(int nodes) {
  NodeGroup node = sakuraone_nodes(nodes);
  for (Gpu& gpu : node.gpus) {
    gpu.model = "NVIDIA B300 SXM6 AC";
    gpu.memory_bytes = static_cast<std::int64_t>(268 * gibi);
    gpu.peak.fp64_tensor_tflops = 1.25;
  }
  return node;
}

}  // namespace

TEST_CASE("a batch above the largest published convergence is refused, with the most nodes below it") {
  struct Row {
    const char* benchmark;
    int nodes;
    const char* refused;  // empty: it is planned
    const char* next;
  };
  const char* const lora =
      "is 12500, above 128, the largest whose convergence is published (mlcommons/logging, rcp_checker of "
      "training 4.1.0: batches of 8, 16, 32 and 128)";
  const Row rows[] = {{"llama2_70b_lora", 97, "", ""},
                      {"llama2_70b_lora", 128, "", ""},
                      {"llama2_70b_lora", 129, "is 129, above 128", "128 nodes"},
                      {"llama2_70b_lora", 12500, lora, "128 nodes"},
                      {"llama31_8b", 32, "", ""},
                      {"llama31_8b", 64, "", ""},
                      {"llama31_8b", 65, "above 128", "64 nodes"},
                      {"llama31_8b", 12500, "is 50000, above 128", "64 nodes"}};
  for (const Row& row : rows) {
    CAPTURE(row.benchmark, row.nodes);
    const auto plan =
        planned(sakuraone_nodes(row.nodes), shipped("mlperf", std::string("nvidia-") + row.benchmark));
    if (*row.refused == '\0') {
      REQUIRE(plan);
      CHECK(parameter(*plan, "GBS") <= 128);
      continue;
    }
    REQUIRE_FALSE(plan);
    CHECK(plan.error().where == "ML-05");
    CHECK(plan.error().what.find(row.refused) != std::string::npos);
    CHECK(plan.error().hint == row.next);
  }
}

TEST_CASE("a pinned batch above it is planned, with the warning") {
  const auto plan = planned(sakuraone_nodes(12500), shipped("mlperf", "nvidia-llama31_8b"),
                            {.pins = {{"GBS", std::int64_t{50000}}}});
  REQUIRE(plan);
  CHECK(mentions(plan->warnings, "GBS = 50000 is above the largest reference convergence point (128)"));
}

TEST_CASE("LoRA's band knows the network, and is no prediction on one that the results do not resemble") {
  const Implementation lora = shipped("mlperf", "nvidia-llama2_70b_lora");
  const auto on = [&](int nodes, double gbit_s) {
    return planned(with_links(sakuraone_nodes(nodes), gbit_s), lora, {.system = "another"}).value();
  };
  const double usual = width(prediction(on(100, 400), "time_to_train_min"));
  CHECK(usual < 2);
  CHECK(width(prediction(on(100, 200), "time_to_train_min")) > usual);
  const Case slow = on(100, 25);
  CHECK(slow.predicted.empty());
  CHECK(slow.model.text.find("the network has 3.12 GB/s a GPU and theirs 50.0") != std::string::npos);
  CHECK(slow.model.text.find("that is wider than a factor of 4") != std::string::npos);
  // One node does not wait for it.
  CHECK(prediction(on(1, 25), "time_to_train_min") == prediction(on(1, 400), "time_to_train_min"));
}

TEST_CASE("outside of the scales of the results a training's time is uncertain by what each doubling loses") {
  const std::vector<PublishedResult> results = shipped("mlperf", "nvidia-llama2_70b_lora").results;
  const mlperf::Scaling scaling = mlperf::fitted_scaling(results, 64);
  CHECK(mlperf::scale_uncertainty(results, scaling, 1024) == 0);
  CHECK(mlperf::scale_uncertainty(results, scaling, 4) == 0);
  const double doubling = (1 - scaling.beyond) * std::log(2);
  CHECK(mlperf::scale_uncertainty(results, scaling, 2048) == Approx(doubling));
  CHECK(mlperf::scale_uncertainty(results, scaling, 102400) == Approx(std::log2(100) * doubling));
  CHECK(mlperf::scale_uncertainty(results, scaling, 2) == Approx((1 - scaling.up_to) * std::log(2)));
}

TEST_CASE("HPL-MxP's band in FP8 widens with the distance from its one run, until it is no prediction") {
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  const auto on = [&](int nodes, double gbit_s, const char* system = "another") {
    return planned(with_links(sakuraone_nodes(nodes), gbit_s), nvidia,
                   {.pins = {{"precision", std::string("FP8")}}, .system = system})
        .value();
  };
  const double at_its_scale = width(prediction(on(96, 400), "rmax_gflops"));
  CHECK(at_its_scale == Approx(1.82 / 0.81).epsilon(0.001));
  const double twice = width(prediction(on(192, 400), "rmax_gflops"));
  CHECK(twice > at_its_scale);
  CHECK(width(prediction(on(48, 400), "rmax_gflops")) > at_its_scale);
  CHECK(width(prediction(on(384, 400), "rmax_gflops")) > twice);
  CHECK(width(prediction(on(96, 200), "rmax_gflops")) > at_its_scale);
  for (const int nodes : {1800, 12500}) {
    const Case far = on(nodes, 400);
    CHECK(far.predicted.empty());
    CHECK(far.time_limit_s > 0);
    CHECK(far.model.source.empty());
    CHECK(far.model.text.find(fmt::format("published runs on about {} GPUs with such a network are missing",
                                          8 * nodes)) != std::string::npos);
  }
  // The system that it is fitted to keeps its band.
  CHECK(width(prediction(on(96, 400, "sakuraone"), "rmax_gflops")) ==
        Approx(width(prediction(on(192, 400, "sakuraone"), "rmax_gflops"))).epsilon(0.0001));
}

TEST_CASE("HPL-MxP in FP16 on another system is predicted by what other systems published") {
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  const auto on = [&](const NodeGroup& nodes) {
    return planned(nodes, nvidia, {.system = "another"}).value();
  };
  const Case many = on(b200_nodes(511));
  const Prediction rate = prediction(many, "rmax_gflops");
  CHECK(rate.low < 3.304e9);  // CHIE-4, which is among them
  CHECK(rate.high > 3.304e9);
  CHECK(width(rate) < 2);
  CHECK(many.model.source == "fit");
  CHECK(many.model.points == 12);
  CHECK(many.model.text.find("as 4 published results with this GPU show") != std::string::npos);
  // One result of H100: the same chip's others and the other models say more of the band than it does.
  const Case hopper = on(sakuraone_nodes(98));
  CHECK(width(prediction(hopper, "rmax_gflops")) < 2);
  CHECK(width(prediction(hopper, "rmax_gflops")) > width(rate));
  CHECK(hopper.model.text.find("as 1 published result with this GPU shows") != std::string::npos);
  // Links that are slower than theirs make it slower and less certain.
  const Prediction usual = prediction(hopper, "rmax_gflops");
  const Prediction slow = prediction(on(with_links(sakuraone_nodes(98), 100)), "rmax_gflops");
  CHECK(slow.value < usual.value);
  CHECK(width(slow) > width(usual));
  CHECK(prediction(on(with_links(sakuraone_nodes(98), 800)), "rmax_gflops") == usual);
  // A smaller matrix is refined as long for each of its elements.
  const auto small =
      planned(b200_nodes(511), nvidia, {.pins = {{"N", std::int64_t{2'000'000}}}, .system = "another"});
  CHECK(prediction(small.value(), "rmax_gflops").value < 0.9 * rate.value);
}

TEST_CASE("where HPL-MxP's results say too little, nothing is predicted, with what is missing") {
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  const Case few = planned(b200_nodes(11), nvidia, {.system = "another"}).value();
  CHECK(few.predicted.empty());
  CHECK(few.model.text.starts_with(
      "nothing is predicted: the published runs begin at 96 GPUs and these are 88"));
  NodeGroup unlike = sakuraone_nodes(98);
  for (Gpu& gpu : unlike.gpus) {
    gpu.model = "NVIDIA A100-SXM4-80GB";
    gpu.peak.fp16_dense_tflops = 312;
  }
  const Case older = planned(unlike, nvidia, {.system = "another"}).value();
  CHECK(older.predicted.empty());
  CHECK(older.model.text.find("with none for 'NVIDIA A100-SXM4-80GB' among 12") != std::string::npos);
  CHECK(older.time_limit_s > 0);
}

TEST_CASE("what HPL-MxP takes of HPL's results is what they show") {
  const Implementation mxp = shipped("hpl-mxp", "nvidia");
  CHECK(mxp.tuned("hpl_doubling_uncertainty", 0) ==
        Approx(hpl::doubling_uncertainty(shipped("hpl", "nvidia"))).margin(0.00005));
  CHECK(mxp.tuned("times_hpl", 0) == Approx(442.52 / 43.31).margin(0.05));
}

TEST_CASE("HPL that a slow network or a wide range makes longer than any published run is not FP64's fault") {
  const auto on = [](int nodes) {
    return planned(with_links(sakuraone_nodes(nodes), 25), shipped("hpl", "nvidia"), {.system = "another"})
        .value();
  };
  const Case wide = on(4000);
  CHECK(mentions(wide.warnings, "the range of predicted rates is wide: N = "));
  CHECK(
      mentions(wide.warnings, "longer than the longest published run (2h 07m of JUPITER Booster), so N = "));
  CHECK_FALSE(mentions(wide.warnings, "native FP64"));
  const Case slow = on(12500);
  CHECK(mentions(slow.warnings, "the network is slow for so large a matrix: N = "));
  CHECK_FALSE(mentions(slow.warnings, "native FP64"));
}

TEST_CASE("HPL takes no longer than any published run, where native FP64 is slow for its memory") {
  const auto hpl = planned(b300_nodes(4), shipped("hpl", "nvidia"), {.system = "another"});
  REQUIRE(hpl);
  const double longest = 7630.5;  // JUPITER Booster: 2/3 N^3 / Rmax at N = 22536192 and 1 EFLOP/s
  CHECK(prediction(*hpl, "time_s").high <= longest);
  CHECK(prediction(*hpl, "time_s").high > 0.98 * longest);
  CHECK(hpl->time_limit_s < 4 * longest);
  CHECK(reason_for(*hpl, "N").find("no longer than the longest published one on GPUs, 2h 07m of JUPITER") !=
        std::string::npos);
  CHECK(mentions(hpl->warnings, "native FP64 of 'NVIDIA B300 SXM6 AC' is slow for its memory"));
  CHECK(mentions(hpl->warnings, "HPL_EMULATE_DOUBLE_PRECISION = 1"));
  // A wished time or a pinned N goes first; one node of H100 is not bound.
  const std::int64_t pinned_N = 971776;
  const auto pinned = planned(b300_nodes(4), shipped("hpl", "nvidia"), {.pins = {{"N", pinned_N}}});
  REQUIRE(pinned);
  CHECK(parameter(*pinned, "N") == static_cast<double>(pinned_N));
  const auto usual = planned(sakuraone_nodes(4), shipped("hpl", "nvidia"), {.system = "another"});
  REQUIRE(usual);
  CHECK_FALSE(mentions(usual->warnings, "native FP64"));
}

TEST_CASE("HPL on a GPU outside the catalogue is shortened by a rate that is assumed, and says so") {
  NodeGroup unknown = mi300x_nodes(4);
  for (Gpu& gpu : unknown.gpus) {
    gpu.model = "AMD Instinct MI999X";
    gpu.peak = {};
  }
  const auto hpl = planned(unknown, shipped("hpl", "amd"), {.system = "another"});
  REQUIRE(hpl);
  CHECK(mentions(hpl->warnings,
                 "the FP64 rate of 'AMD Instinct MI999X' is assumed, the GPU is not in the catalogue: N = "));
  CHECK_FALSE(mentions(hpl->warnings, "the range of predicted rates is wide"));
  for (Gpu& gpu : unknown.gpus) gpu.memory_bytes *= 16;
  const auto larger = planned(unknown, shipped("hpl", "amd"), {.system = "another"});
  REQUIRE(larger);
  CHECK(mentions(larger->warnings, "is assumed, the GPU is not in the catalogue: N = "));
  CHECK_FALSE(mentions(larger->warnings, "native FP64"));
}
