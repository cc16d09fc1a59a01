#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "suites/hpl_mxp/suite.hpp"
#include "tests/suites/golden.hpp"
#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

Implementation amd() {
  Implementation implementation = shipped("hpl-mxp", "amd");
  implementation.program = "/opt/rochplmxp/run_rochplmxp";
  return implementation;
}

const Wish in_fp8 = {.pins = {{"precision", std::string("FP8")}}};

std::string after(const Case& planned, std::string_view option) {
  const auto at = std::ranges::find(planned.arguments, option);
  return at == planned.arguments.end() || at + 1 == planned.arguments.end() ? std::string() : *(at + 1);
}

}  // namespace

TEST_CASE("the planned HPL-MxP of SAKURAONE's 96 nodes is the published one") {
  const auto planned_case = planned(sakuraone_nodes(96), shipped("hpl-mxp", "nvidia"), in_fp8);
  REQUIRE(planned_case);
  CHECK(planned_case->id == "hpl-mxp-nvidia-96n");
  CHECK(parameter(*planned_case, "N") == 2989056);
  CHECK(parameter(*planned_case, "NB") == 4096);
  CHECK(parameter(*planned_case, "P") == 24);
  CHECK(parameter(*planned_case, "Q") == 32);
  CHECK(value_text(*find_parameter(planned_case->parameters, "precision")) == "FP8");
  CHECK(after(*planned_case, "--n") == "2989056");
  CHECK(after(*planned_case, "--nprow") == "24");
  CHECK(after(*planned_case, "--nporder") == "column");
  CHECK(after(*planned_case, "--sloppy-type") == "1");
  CHECK(planned_case->files.empty());
  CHECK(prediction(*planned_case, "rmax_gflops").value == Approx(3.3986e8).epsilon(1e-3));
  CHECK(prediction(*planned_case, "lu_gflops").value == Approx(5.3919e8).epsilon(1e-3));
  CHECK(planned_case->model.source == "fit");
  CHECK(planned_case->model.parameters == 2);
}

TEST_CASE("an N that is no multiple of NB is allowed and said, as is FP8 without a place on the list") {
  const auto planned_case = planned(sakuraone_nodes(96), shipped("hpl-mxp", "nvidia"), in_fp8);
  REQUIRE(planned_case);
  CHECK(mentions(planned_case->warnings, "N = 2989056 is no multiple of NB = 4096 (729.75 blocks): allowed"));
  CHECK(mentions(planned_case->warnings, "the result is not eligible for the list"));
  // FP16 needs no pin: it is what the list takes.
  const auto half = planned(sakuraone_nodes(96), shipped("hpl-mxp", "nvidia"));
  REQUIRE(half);
  CHECK(after(*half, "--sloppy-type") == "2");
  CHECK_FALSE(mentions(half->warnings, "MXP-02"));
  const double whole = prediction(*planned_case, "rmax_gflops").value;
  const Prediction slower = prediction(*half, "rmax_gflops");
  CHECK(slower.value < 0.9 * whole);
  CHECK(slower.value > 0.5 * whole);
  CHECK(slower.high / slower.low > 1.5);
  CHECK(half->model.text.find("in the factorisation in FP16") != std::string::npos);
}

TEST_CASE("all GPUs factor in FP16, and a pinned FP8 is refused where they lack it") {
  NodeGroup node = sakuraone_nodes(8);
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  CHECK(after(planned(node, nvidia).value(), "--sloppy-type") == "2");
  CHECK(after(planned(node, nvidia, in_fp8).value(), "--sloppy-type") == "1");
  for (Gpu& gpu : node.gpus) gpu.model = "NVIDIA A100-SXM4-80GB";
  CHECK(after(planned(node, nvidia).value(), "--sloppy-type") == "2");
  const auto pinned = planned(node, nvidia, in_fp8);
  REQUIRE_FALSE(pinned);
  CHECK(to_string(pinned.error()) ==
        "requirements: FP8 is pinned and 'NVIDIA A100-SXM4-80GB' is not known to have it\nhint: precision = "
        "\"FP16\", or state fp8_dense_tflops of the GPUs in the inventory");
  for (Gpu& gpu : node.gpus) gpu.peak.fp8_dense_tflops = 1000;
  CHECK(after(planned(node, nvidia, in_fp8).value(), "--sloppy-type") == "1");
}

TEST_CASE("a GPU's rate follows the matrix and the grid: a long one costs it some") {
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  const auto at = [&](int nodes) {
    const auto planned_case = planned(sakuraone_nodes(nodes), nvidia, in_fp8);
    return prediction(planned_case.value(), "rmax_gflops").value / (8000.0 * nodes);
  };
  CHECK(at(96) == Approx(442.5).epsilon(1e-3));  // 24 x 32, as published
  CHECK(at(98) == Approx(444.6).epsilon(3e-3));  // 16 x 49
  CHECK(at(97) < 0.96 * at(96));                 // 8 x 97
}

TEST_CASE("on another system the band is wider than on the one that was fitted") {
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  const auto own = planned(sakuraone_nodes(96), nvidia, in_fp8);
  Wish elsewhere = in_fp8;
  elsewhere.system = "another";
  const auto other = planned(sakuraone_nodes(96), nvidia, elsewhere);
  REQUIRE(own);
  REQUIRE(other);
  CHECK(prediction(*other, "rmax_gflops").value == prediction(*own, "rmax_gflops").value);
  CHECK(prediction(*own, "rmax_gflops").low / prediction(*own, "rmax_gflops").value > 0.94);
  CHECK(prediction(*other, "rmax_gflops").low / prediction(*other, "rmax_gflops").value < 0.82);
  // TSUBAME4's 960 H100 reached 1.45 times as much each, ABCI 3.0's H200 1.23 times.
  CHECK(prediction(*other, "rmax_gflops").high / prediction(*other, "rmax_gflops").value > 1.45);
}

TEST_CASE("below 256 GPUs and on other GPUs nothing is predicted, and the model says why") {
  const auto few = planned(sakuraone_nodes(31), shipped("hpl-mxp", "nvidia"), in_fp8);
  REQUIRE(few);
  CHECK(few->predicted.empty());
  CHECK(few->model.source.empty());
  CHECK(few->model.text.starts_with(
      "nothing is predicted: its model holds from 256 GPUs on and these are 248"));
  CHECK(few->time_limit_s > 600);
  NodeGroup node = sakuraone_nodes(96);
  for (Gpu& gpu : node.gpus) gpu.model = "NVIDIA GH200 480GB";
  const auto other = planned(node, shipped("hpl-mxp", "nvidia"), in_fp8);
  REQUIRE(other);
  CHECK(other->model.text ==
        "nothing is predicted: its model is fitted to h100 and these GPUs are 'NVIDIA GH200 480GB'");
  NodeGroup instinct = mi300x_nodes(64);
  CHECK(planned(instinct, amd())->model.text ==
        "nothing is predicted: the inventory states no FP16 peak of 'AMD Instinct MI300X'");
  for (Gpu& gpu : instinct.gpus) gpu.peak.fp16_dense_tflops = 1307.4;
  const auto cluster = planned(instinct, amd());
  REQUIRE(cluster);
  CHECK(cluster->model.text.starts_with("nothing is predicted: "));
  CHECK(cluster->model.text.find("with none for 'AMD Instinct MI300X' among 12 published results") !=
        std::string::npos);
  CHECK(cluster->model.text.ends_with("that is wider than a factor of 4"));
}

TEST_CASE("rocHPL-MxP gets its 14 lines and the part of the grid that a node makes up") {
  CHECK(hpl_mxp::hpl_mxp_dat({125440, 2560, true, 1, 1}) ==
        "HPLinpack benchmark input file\n"
        "planned by shakedown\n"
        "HPL-MxP.out  output file name (if any)\n"
        "6            device out (6=stdout,7=stderr,file)\n"
        "1            # of problems sizes (N)\n"
        "125440       Ns\n"
        "1            # of NBs\n"
        "2560         NBs\n"
        "1            PMAP process mapping (0=Row-,1=Column-major)\n"
        "1            P\n"
        "1            Q\n"
        "16.0         threshold\n"
        "1            # of broadcast\n"
        "0            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)\n");
  for (const int nodes : {1, 2, 3, 7, 8, 10, 49, 98}) {
    CAPTURE(nodes);
    const auto planned_case = planned(mi300x_nodes(nodes), amd());
    REQUIRE(planned_case);
    const int p = std::stoi(after(*planned_case, "-p"));
    const int q = std::stoi(after(*planned_case, "-q"));
    CHECK(p * q == 8);
    CHECK(std::stoi(after(*planned_case, "-P")) % p == 0);
    CHECK(std::stoi(after(*planned_case, "-Q")) % q == 0);
  }
}

TEST_CASE("a wished time cuts N where a model applies, else that is said") {
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  const auto brief = planned(sakuraone_nodes(96), nvidia, {30, 0, in_fp8.pins});
  REQUIRE(brief);
  CHECK(parameter(*brief, "N") < 2989056);
  CHECK(std::fmod(parameter(*brief, "N"), 1024) == 0);
  CHECK(prediction(*brief, "time_s").value <= 30);
  const auto few = planned(sakuraone_nodes(1), nvidia, {30, 0});
  REQUIRE(few);
  CHECK(mentions(few->warnings, "no model of the run time applies: N is not cut to the wished 30.0 s"));
}

TEST_CASE("pins of HPL-MxP that break a hard rule are refused with the rule") {
  struct Row {
    std::vector<Parameter> pins;
    const char* message;
  };
  const Row rows[] = {
      {{{"P", std::int64_t{16}}, {"Q", std::int64_t{49}}},
       "HPL-05: the pinned grid 16 x 49 has 784 cells for 768 ranks\nhint: 24 x 32 is the rule's own"},
      {{{"N", std::int64_t{4'300'000}}},
       "MXP-size: the pinned N = 4300000 needs 67.3 TiB for its matrix, and the GPUs have 59.3 TiB\nhint: N "
       "= 2989056 "
       "fits"},
      {{{"N", std::int64_t{2048}}},
       "MXP-size: NB = 4096 is larger than the pinned N = 2048\nhint: pin NB too, or N of at least 4096"},
      {{{"NB", std::int64_t{1'000'000}}}, "pin NB: 1000000 is no block size\nhint: at most 65536"},
      {{{"precision", std::string("FP4")}},
       "MXP-02: 'nvidia' factors in FP16 or FP8, not in the pinned 'FP4'\nhint: precision = \"FP16\""}};
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  for (const Row& row : rows) {
    CAPTURE(row.message);
    const auto refused = planned(sakuraone_nodes(96), nvidia, {0, 0, row.pins});
    REQUIRE_FALSE(refused);
    CHECK(to_string(refused.error()) == row.message);
  }
  const auto full = planned(sakuraone_nodes(96), nvidia, {0, 0, {{"N", std::int64_t{3'276'800}}}});
  REQUIRE(full);
  CHECK(parameter(*full, "N") == 3276800);
  CHECK(mentions(full->warnings, "the pinned N = 3276800 fills"));
}

TEST_CASE("GPUs with hardly any memory get a smaller block, those without any a refusal") {
  NodeGroup node = sakuraone_nodes(1);
  for (Gpu& gpu : node.gpus) gpu.memory_bytes = 1 << 20;
  const auto tiny = planned(node, shipped("hpl-mxp", "nvidia"));
  REQUIRE(tiny);
  CHECK(parameter(*tiny, "NB") <= parameter(*tiny, "N"));
  for (Gpu& gpu : node.gpus) gpu.memory_bytes = 0;
  CHECK(planned(node, shipped("hpl-mxp", "nvidia")).error().where == "MXP-size");
}

TEST_CASE("HPL-MxP on any GPU machine has a grid of its ranks and a matrix that fits") {
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  const bool holds = rc::check([&nvidia] {
    NodeGroup node = sakuraone_nodes(*rc::gen::inRange(1, 20'001));
    Gpu gpu = node.gpus.front();
    gpu.memory_bytes = *rc::gen::inRange<std::int64_t>(1LL << 22, 1LL << 39);
    node.gpus.assign(static_cast<size_t>(*rc::gen::inRange(0, 17)), gpu);
    node.nics.clear();
    const auto planned_case = planned(node, nvidia);
    if (node.gpus.empty()) {
      RC_ASSERT_FALSE(planned_case.has_value());
      RC_ASSERT(planned_case.error().where == std::string("requirements"));
      return;
    }
    RC_ASSERT(planned_case.has_value());
    const double N = parameter(*planned_case, "N");
    RC_ASSERT(parameter(*planned_case, "P") * parameter(*planned_case, "Q") == planned_case->ranks);
    RC_ASSERT(N >= parameter(*planned_case, "NB"));
    const double share = planned_case->nodes == 1 ? 0.85 : 0.548;
    RC_ASSERT(4 * N * N <= share * static_cast<double>(gpu.memory_bytes) * planned_case->ranks);
    RC_ASSERT(planned_case->time_limit_s > 0);
    for (const Prediction& one : planned_case->predicted) {
      RC_ASSERT(one.low <= one.value);
      RC_ASSERT(one.value <= one.high);
    }
  });
  CHECK(holds);
}

TEST_CASE("plans of HPL-MxP are rendered to the last byte") {
  check_golden("hpl-mxp-nvidia-96.json",
               case_json(planned(sakuraone_nodes(96), shipped("hpl-mxp", "nvidia"), in_fp8).value()));
  check_golden("hpl-mxp-amd-4.json", case_json(planned(mi300x_nodes(4), amd()).value()));
}

TEST_CASE("the reference HPL-MxP is planned on processors, by host memory and a measured GEMM") {
  const auto run = planned(two_core_node(), shipped("hpl-mxp", "reference"), {30, 107, {}});
  REQUIRE(run);
  CHECK(run->id == "hpl-mxp-reference-1n");
  CHECK(run->program == "/opt/shakedown/libexec/shakedown/hpl-mxp");
  CHECK(run->ranks == 2);
  CHECK(run->files.empty());
  CHECK(parameter(*run, "P") == 1);
  CHECK(parameter(*run, "Q") == 2);
  CHECK(std::fmod(parameter(*run, "N"), 192) == 0);
  CHECK(value_text(*find_parameter(run->parameters, "precision")) == "FP32");
  CHECK(after(*run, "--n") == value_text(*find_parameter(run->parameters, "N")));
  CHECK(after(*run, "--nb") == "192");
  CHECK(after(*run, "--nprow") == "1");
  CHECK(after(*run, "--npcol") == "2");
  const std::string order = after(*run, "--nporder");
  CHECK((order == "row" || order == "column"));
  CHECK(prediction(*run, "wall_time_s").value <= 30);
  CHECK(prediction(*run, "wall_time_s").value > 28);
  CHECK(prediction(*run, "lu_gflops").value > 1.5 * 107);
  CHECK(prediction(*run, "lu_gflops").value < 2 * 107);
  CHECK(run->time_limit_s >= 3 * prediction(*run, "wall_time_s").high);

  const auto large = planned(two_core_node(), shipped("hpl-mxp", "reference"));
  REQUIRE(large);
  const auto N = parameter(*large, "N");
  const auto memory = static_cast<double>(two_core_node().usable.available_bytes);
  CHECK(4 * N * N <= 0.8 * memory);
  CHECK(4 * (N + 192) * (N + 192) > 0.8 * memory);
  CHECK(prediction(*large, "rmax_gflops").high > 2 * prediction(*large, "rmax_gflops").value);
}

TEST_CASE("the reference HPL-MxP says what its nodes lack") {
  NodeGroup node = two_core_node();
  const auto wide = planned(node, shipped("hpl-mxp", "reference"), {0, 0, {{"N", std::int64_t{200000}}}});
  REQUIRE_FALSE(wide);
  CHECK(mentions({wide.error().what},
                 "the pinned N = 200000 needs 149 GiB for its matrix, and the nodes have"));
  node.memory_bytes = node.usable.memory_bytes = node.usable.available_bytes = 0;
  const auto blind = planned(node, shipped("hpl-mxp", "reference"));
  REQUIRE_FALSE(blind);
  CHECK(blind.error().what == "no memory is known of the nodes 'vm'");
  CHECK(planned(cpu_nodes(4), shipped("hpl-mxp", "reference"), {600, 0, {}}));
}
