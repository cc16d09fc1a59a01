#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "tests/suites/golden.hpp"
#include "tests/suites/inventories.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

std::string hosts_up_to(int nodes) {
  return "cn[001-" + std::string(nodes < 10 ? "00" : nodes < 100 ? "0" : "") + std::to_string(nodes) + "]";
}

}  // namespace

TEST_CASE("the planned HPL of SAKURAONE's 98 nodes is the published one") {
  const auto hpl = planned(h100_nodes("cn[001-098]"), shipped("hpl", "nvidia"));
  REQUIRE(hpl);
  CHECK(hpl->id == "hpl-nvidia-98n");
  CHECK(parameter(*hpl, "N") == 2706432);
  CHECK(parameter(*hpl, "NB") == 1024);
  CHECK(parameter(*hpl, "P") == 16);
  CHECK(parameter(*hpl, "Q") == 49);
  CHECK(hpl->ranks == 784);
  CHECK(hpl->hosts == "cn[001-098]");
  const Prediction rate = prediction(*hpl, "rmax_gflops");
  CHECK(rate.value == Approx(33.95e6).epsilon(0.001));
  CHECK(prediction(*hpl, "time_s").value == Approx(389.23).epsilon(0.001));
}

TEST_CASE("N and grid of H100 nodes follow memory and rails for other sizes") {
  struct Row {
    int nodes;
    double N, P, Q;
  };
  const Row rows[] = {{8, 773120, 8, 8},     {10, 864256, 8, 10},   {16, 1092608, 8, 16},
                      {32, 1546240, 16, 16}, {64, 2186240, 16, 32}, {96, 2678784, 24, 32},
                      {100, 2733056, 16, 50}};
  const Implementation nvidia = shipped("hpl", "nvidia");
  for (const Row& row : rows) {
    CAPTURE(row.nodes);
    const auto hpl = planned(h100_nodes(hosts_up_to(row.nodes)), nvidia);
    REQUIRE(hpl);
    CHECK(parameter(*hpl, "N") == row.N);
    CHECK(parameter(*hpl, "P") == row.P);
    CHECK(parameter(*hpl, "Q") == row.Q);
  }
}

TEST_CASE("the model gives the published single node its 365 TFLOP/s") {
  NodeGroup node = h100_nodes("cn001");
  for (Gpu& gpu : node.gpus)
    gpu.memory_bytes = static_cast<std::int64_t>(8.0 * 264192 * 264192 / 8 / 0.822) + 4096;
  const auto hpl = planned(node, shipped("hpl", "nvidia"));
  REQUIRE(hpl);
  CHECK(parameter(*hpl, "N") == 264192);
  CHECK(prediction(*hpl, "rmax_gflops").value == Approx(365.4e3).epsilon(0.002));
  CHECK(parameter(*hpl, "P") == 4);
  CHECK(parameter(*hpl, "Q") == 2);
}

TEST_CASE("another system is not promised SAKURAONE's rate: the band is that of published systems") {
  const Implementation nvidia = shipped("hpl", "nvidia");
  const auto own = planned(h100_nodes("cn[001-098]"), nvidia);
  const auto other = planned(h100_nodes("cn[001-098]"), nvidia, {.system = "another"});
  REQUIRE(own);
  REQUIRE(other);
  CHECK(parameter(*other, "N") == parameter(*own, "N"));
  CHECK(parameter(*other, "P") == parameter(*own, "P"));
  const Prediction rate = prediction(*other, "rmax_gflops");
  CHECK(rate.low < 33.95e6);
  CHECK(rate.high > 33.95e6);
  CHECK(rate.high / rate.low > 1.3);
  CHECK(rate.high / rate.low < 2);
  CHECK(other->model.points > 100);
  CHECK(other->model.text.find("published results with this GPU show") != std::string::npos);
}

TEST_CASE("the band is wider for a GPU without results, and for more GPUs than were seen") {
  const Implementation nvidia = shipped("hpl", "nvidia");
  const auto width = [&](const char* model, double peak, const char* hosts) {
    NodeGroup node = h100_nodes(hosts);
    for (Gpu& gpu : node.gpus) {
      gpu.model = model;
      gpu.peak.fp64_tensor_tflops = peak;
    }
    const Prediction rate = prediction(planned(node, nvidia, {.system = "another"}).value(), "rmax_gflops");
    return rate.high / rate.low;
  };
  const double known = width("NVIDIA H100 80GB HBM3", 66.9, "n[1-64]");
  const double unseen = width("NVIDIA R200", 33, "n[1-64]");
  CHECK(unseen > known);
  CHECK(unseen < widest_prediction);
  const double seen = width("NVIDIA B200", 37, "n[1-64]");
  CHECK(seen < known);
  CHECK(width("NVIDIA H100 80GB HBM3", 66.9, "n[1-12500]") > known);
}

TEST_CASE("a network that no published run resembles leaves a range that is no prediction") {
  const Implementation nvidia = shipped("hpl", "nvidia");
  NodeGroup node = h100_nodes("n[1-64]");
  for (Gpu& gpu : node.gpus) gpu.peak.fp64_tensor_tflops = 66.9;
  Nic nic;
  nic.role = "compute";
  nic.speed_gb_s = 1;
  node.nics = {nic};
  const auto hpl = planned(node, nvidia, {.system = "another"});
  REQUIRE(hpl);
  CHECK_FALSE(is_useful(prediction(*hpl, "rmax_gflops")));
  CHECK(hpl->model.text.find("wider than a factor of 4") != std::string::npos);
  node.nics.front().speed_gb_s = 3200;
  CHECK(is_useful(prediction(planned(node, nvidia, {.system = "another"}).value(), "rmax_gflops")));
}

TEST_CASE("eight H200 are predicted within a quarter of what public nodes reach") {
  NodeGroup node = h100_nodes("n1");
  for (Gpu& gpu : node.gpus) {
    gpu.model = "NVIDIA H200";
    gpu.memory_bytes = static_cast<std::int64_t>(139.8 * gibi);
    gpu.peak.fp64_tensor_tflops = 66.9;
  }
  const auto hpl = planned(node, shipped("hpl", "nvidia"), {.system = "another"});
  REQUIRE(hpl);
  // Vader: 49.1 TFLOP/s a GPU on 64 (TOP500, June 2025, rank 365).
  CHECK(prediction(*hpl, "rmax_gflops").value / 8 == Approx(49100).epsilon(0.25));
}

TEST_CASE("eight B200 were predicted within a quarter before any result of B200 was known") {
  Implementation before = shipped("hpl", "nvidia");
  std::erase_if(before.results, [](const PublishedResult& row) { return row.published > "2025-06"; });
  CHECK(std::ranges::none_of(before.results, [](const PublishedResult& row) { return row.gpu == "b200"; }));
  NodeGroup node = h100_nodes("n1");
  for (Gpu& gpu : node.gpus) {
    gpu.model = "NVIDIA B200";
    gpu.memory_bytes = static_cast<std::int64_t>(178.3 * gibi);
    gpu.peak.fp64_tensor_tflops = 37;
  }
  const auto hpl = planned(node, before, {.system = "another"});
  REQUIRE(hpl);
  // MGHPCC AICR: 271.96 TFLOP/s, mean of 30 nodes (mghpcc/aicr-benchmarks, April 2026).
  const Prediction rate = prediction(*hpl, "rmax_gflops");
  CHECK(rate.value == Approx(271960).epsilon(0.25));
  CHECK(rate.low < 271960);
  CHECK(rate.high > 271960);
}

TEST_CASE("a measured GEMM narrows the band and sizes a timed run on an unknown processor") {
  NodeGroup node = two_core_node();
  node.cpu.base_mhz = 0;
  const Implementation reference = shipped("hpl", "reference");
  const auto blind = planned(node, reference, {60, 0});
  const auto measured = planned(node, reference, {60, 107});
  REQUIRE(blind);
  REQUIRE(measured);
  CHECK(parameter(*measured, "N") > 1.5 * parameter(*blind, "N"));
  const Prediction before = prediction(*blind, "wall_time_s");
  const Prediction after = prediction(*measured, "wall_time_s");
  CHECK(before.high / before.low > 4);
  CHECK(after.high / after.low < 2);
  CHECK(measured->warnings.size() < blind->warnings.size() + 1);
}

TEST_CASE("97 nodes give a long grid, and the warning names a better size") {
  const auto hpl = planned(h100_nodes("cn[001-097]"), shipped("hpl", "nvidia"));
  REQUIRE(hpl);
  CHECK(parameter(*hpl, "Q") == 97);
  CHECK(mentions(hpl->warnings, "the grid 8 x 97 is long and slow; better: 96 nodes: 24 x 32"));
  CHECK(hpl->better_nodes.count == 96);
  CHECK(mentions(hpl->warnings, hpl->better_nodes.because));
}

TEST_CASE("at least 8 GiB of a GPU stay free for work space") {
  NodeGroup node = h100_nodes("cn001");
  for (Gpu& gpu : node.gpus) gpu.memory_bytes = static_cast<std::int64_t>(40 * gibi);
  const auto hpl = planned(node, shipped("hpl", "nvidia"));
  REQUIRE(hpl);
  CHECK(8 * std::pow(parameter(*hpl, "N"), 2) / 8 <= 32 * gibi);
  CHECK(8 * std::pow(parameter(*hpl, "N") + 1024, 2) / 8 > 32 * gibi);
}

TEST_CASE("GPUs that nobody measured get a conservative rate, said in a warning") {
  NodeGroup node = h100_nodes("cn001");
  for (Gpu& gpu : node.gpus) gpu.model = "NVIDIA A100-SXM4-80GB";
  const auto hpl = planned(node, shipped("hpl", "nvidia"));
  REQUIRE(hpl);
  CHECK(mentions(hpl->warnings, "no FP64 GEMM rate is known for 'NVIDIA A100-SXM4-80GB'"));
}

TEST_CASE("of GPUs that no list names the plan begins from the GEMM that their node was screened with") {
  NodeGroup node = h100_nodes("cn001");
  for (Gpu& gpu : node.gpus) {
    gpu.model = "NVIDIA X1000";
    gpu.peak = {};
  }
  const auto blind = planned(node, shipped("hpl", "nvidia"), {.system = "northern"});
  REQUIRE(blind);
  CHECK(mentions(blind->warnings, "no FP64 GEMM rate is known for 'NVIDIA X1000'"));
  const auto screened =
      planned(node, shipped("hpl", "nvidia"), {.system = "northern", .gpu_gemm_gflops = 480'000});
  REQUIRE(screened);
  CHECK_FALSE(mentions(screened->warnings, "no FP64 GEMM rate is known"));
  const Prediction& rate = prediction(*screened, "rmax_gflops");
  CHECK(rate.value < 480'000);
  CHECK(rate.value > 0.8 * 480'000);
  CHECK(rate.high <= 480'000 * 1.05);
  CHECK(rate.high / rate.low < 2);  // as no prediction of known GPUs is wider
  const Prediction& guess = prediction(*blind, "rmax_gflops");
  CHECK(guess.high / guess.low > 4);
}

TEST_CASE("an implementation for NVIDIA's GPUs is refused on nodes without them") {
  const auto none = planned(two_core_node(), shipped("hpl", "nvidia"));
  REQUIRE_FALSE(none);
  CHECK(to_string(none.error()).starts_with("requirements: the nodes 'vm' have no GPU"));
  NodeGroup node = h100_nodes("cn001");
  for (Gpu& gpu : node.gpus) gpu.model = "AMD Instinct MI300X";
  const auto other = planned(node, shipped("hpl", "nvidia"));
  REQUIRE_FALSE(other);
  CHECK(to_string(other.error()) ==
        "requirements: 'nvidia' needs nvidia GPUs; the nodes 'compute' have AMD Instinct MI300X\n"
        "hint: another implementation, or nodes with such GPUs");
}

TEST_CASE("the reference HPL of a two-core machine runs one rank on each core") {
  const auto hpl = planned(two_core_node(), shipped("hpl", "reference"), {60, 107});
  REQUIRE(hpl);
  CHECK(hpl->id == "hpl-reference-1n");
  CHECK(hpl->program == "/opt/shakedown/libexec/shakedown/hpl");
  CHECK(hpl->ranks == 2);
  CHECK(hpl->threads_per_rank == 1);
  CHECK(hpl->binding == "core");
  CHECK(parameter(*hpl, "P") == 1);
  CHECK(parameter(*hpl, "Q") == 2);
  CHECK(hpl->environment == std::vector<Parameter>{{"OMP_NUM_THREADS", std::string("1")},
                                                   {"OPENBLAS_NUM_THREADS", std::string("1")}});
  CHECK(prediction(*hpl, "wall_time_s").value <= 60);
  CHECK(prediction(*hpl, "wall_time_s").value > 58);
  CHECK(hpl->time_limit_s >= 3 * prediction(*hpl, "wall_time_s").high);
}

TEST_CASE("one rank per NUMA node shares the cores among its threads") {
  Implementation hybrid = shipped("hpl", "reference");
  hybrid.rank_per = "numa";
  NodeGroup node = h100_nodes("cn001");
  node.gpus.clear();
  const auto hpl = planned(node, hybrid);
  REQUIRE(hpl);
  CHECK(hpl->ranks == 2);
  CHECK(hpl->threads_per_rank == 48);
  CHECK(value_text(hpl->environment.front().value) == "48");
}

TEST_CASE("a CPU quota cuts the ranks and unbinds them") {
  NodeGroup node = two_core_node();
  node.usable.cpu_quota = 1.5;
  const auto hpl = planned(node, shipped("hpl", "reference"));
  REQUIRE(hpl);
  CHECK(hpl->ranks == 1);
  CHECK(hpl->binding == "none");
  CHECK(mentions(hpl->warnings, "a CPU quota of 1.50 cores is below the 2 cores"));
}

TEST_CASE("memory that is in use now is not planned for") {
  NodeGroup node = two_core_node();
  const auto free = planned(node, shipped("hpl", "reference"));
  node.usable.available_bytes = static_cast<std::int64_t>(2 * gibi);
  const auto busy = planned(node, shipped("hpl", "reference"));
  REQUIRE(free);
  REQUIRE(busy);
  CHECK(8 * std::pow(parameter(*free, "N"), 2) <= 0.8 * 24290032.0 * 1024);
  CHECK(8 * std::pow(parameter(*busy, "N"), 2) <= 0.8 * 2 * gibi);
  CHECK(8 * std::pow(parameter(*busy, "N") + 192, 2) > 0.8 * 2 * gibi);
}

TEST_CASE("a machine with hardly any memory still gets a valid case, one without any a refusal") {
  NodeGroup node = two_core_node();
  node.usable.available_bytes = 40000;
  const auto tiny = planned(node, shipped("hpl", "reference"));
  REQUIRE(tiny);
  CHECK(parameter(*tiny, "N") >= parameter(*tiny, "NB"));
  CHECK(8 * std::pow(parameter(*tiny, "N"), 2) <= 0.8 * 40000);
  node.usable.available_bytes = 100;
  const auto none = planned(node, shipped("hpl", "reference"));
  REQUIRE_FALSE(none);
  CHECK(none.error().where == "HPL-06");
  node.usable.available_bytes = node.usable.memory_bytes = node.memory_bytes = 0;
  CHECK(to_string(planned(node, shipped("hpl", "reference")).error()) ==
        "HPL-06: no memory is known for the matrix on the nodes 'vm'\nhint: state memory_bytes in the "
        "inventory");
}

TEST_CASE("without a measured GEMM the theoretical peak is used, without that a conservative rate is said") {
  NodeGroup node = two_core_node();
  const auto peak = planned(node, shipped("hpl", "reference"), {30, 0});
  REQUIRE(peak);
  CHECK(peak->model.text.find("83.20 GFLOP/s theoretical at the base clock, not measured") !=
        std::string::npos);
  const Prediction wide = prediction(*peak, "rmax_gflops");
  CHECK(wide.high / wide.low > 4);
  node.cpu.base_mhz = 0;
  const auto blind = planned(node, shipped("hpl", "reference"), {30, 0});
  REQUIRE(blind);
  CHECK(mentions(blind->warnings, "a conservative 10 GFLOP/s per core is assumed"));
  CHECK(parameter(*blind, "N") < parameter(*peak, "N"));
}

TEST_CASE("the prediction of hpcc includes its six other tests") {
  Implementation hpcc = shipped("hpl", "hpcc");
  const Implementation reference = shipped("hpl", "reference");
  const auto with_them = planned(two_core_node(), hpcc, {34, 107});
  REQUIRE(with_them);
  // Measured here: 34 s in total at N = 8000, 4 s of them HPL.
  CHECK(parameter(*with_them, "N") == Approx(8000).margin(800));
  CHECK(prediction(*with_them, "time_s").value < 6);
  CHECK(prediction(*with_them, "wall_time_s").value > 30);
  const auto without = planned(two_core_node(), reference, {34, 107});
  REQUIRE(without);
  CHECK(parameter(*without, "N") > 1.5 * parameter(*with_them, "N"));
}

TEST_CASE("a prime number of ranks is warned of") {
  NodeGroup node = two_core_node();
  node.usable.cores = 7;
  const auto hpl = planned(node, shipped("hpl", "reference"));
  REQUIRE(hpl);
  CHECK(parameter(*hpl, "P") == 1);
  CHECK(mentions(hpl->warnings,
                 "1 x 7 is long and slow (the number of ranks is prime); better: 6 ranks: 2 x 3"));
}

TEST_CASE("a wished time that is short warns of a small matrix") {
  const auto hpl = planned(two_core_node(), shipped("hpl", "reference"), {10, 107});
  REQUIRE(hpl);
  CHECK(mentions(hpl->warnings, " GiB of memory "));
  const auto instant = planned(two_core_node(), shipped("hpl", "reference"), {0.1, 107});
  REQUIRE(instant);
  CHECK(parameter(*instant, "N") == parameter(*instant, "NB"));
  CHECK(mentions(instant->warnings, "longer than the wished 0.10 s"));
}

TEST_CASE("what is not tested on hardware is reported") {
  const auto netlib = planned(two_core_node(), shipped("hpl", "netlib"));
  REQUIRE(netlib);
  CHECK(netlib->tested == "rendered");
  CHECK(mentions(netlib->warnings,
                 "'netlib' is not tested on hardware: only its command line and inputs were checked: Debian "
                 "has no xhpl"));
}

TEST_CASE("a program that is not installed is said with what installs it") {
  Implementation missing = shipped("hpl", "hpcc");
  missing.program = "hpcc-of-nobody";
  const auto hpl = planned(two_core_node(), missing);
  REQUIRE(hpl);
  CHECK(hpl->program == "hpcc-of-nobody");
  CHECK(mentions(hpl->warnings, "'hpcc-of-nobody' is not in this machine's PATH: apt install hpcc"));
}

TEST_CASE("every planned number has a reason with a source") {
  for (const char* id : {"reference", "hpcc", "netlib"}) {
    const auto hpl = planned(two_core_node(), shipped("hpl", id), {30, 107});
    REQUIRE(hpl);
    for (const char* what : {"N", "NB", "P", "Q", "PMAP", "ranks", "threads_per_rank", "time_limit_s"}) {
      CAPTURE(id, what);
      const auto reason = std::ranges::find(hpl->why, what, &Reason::what);
      REQUIRE(reason != hpl->why.end());
      CHECK_FALSE(reason->because.empty());
      CHECK_FALSE(reason->rule.empty());
    }
  }
}

TEST_CASE("any machine gets a grid of its ranks, a multiple of NB, and a matrix that fits its memory") {
  const Implementation reference = shipped("hpl", "reference");
  const bool holds = rc::check([&reference] {
    NodeGroup node = two_core_node();
    node.hosts = hosts_up_to(*rc::gen::inRange(1, 20'001));
    node.usable.cores = *rc::gen::inRange(1, 300);
    node.usable.available_bytes = *rc::gen::inRange<std::int64_t>(1 << 20, std::int64_t{1} << 42);
    node.memory_bytes = node.usable.memory_bytes =
        *rc::gen::inRange<std::int64_t>(1 << 20, std::int64_t{1} << 42);
    const double wished_s = *rc::gen::inRange(0, 3600);
    const auto hpl = planned(node, reference, {wished_s, 0});
    RC_ASSERT(hpl.has_value());
    const double N = parameter(*hpl, "N");
    const double memory =
        static_cast<double>(std::min(node.usable.available_bytes, node.memory_bytes)) * hpl->nodes;
    RC_ASSERT(parameter(*hpl, "P") * parameter(*hpl, "Q") == hpl->ranks);
    RC_ASSERT(hpl->ranks == hpl->nodes * node.usable.cores);
    RC_ASSERT(parameter(*hpl, "P") <= parameter(*hpl, "Q"));
    RC_ASSERT(std::fmod(N, parameter(*hpl, "NB")) == 0);
    RC_ASSERT(N >= parameter(*hpl, "NB"));
    RC_ASSERT(8 * N * N <= 0.8 * memory);
    if (wished_s > 0 && N > parameter(*hpl, "NB"))
      RC_ASSERT(prediction(*hpl, "wall_time_s").value <= wished_s * (1 + 1e-4));
    for (const Prediction& one : hpl->predicted) {
      RC_ASSERT(one.low <= one.value);
      RC_ASSERT(one.value <= one.high);
    }
    RC_ASSERT(hpl->time_limit_s > prediction(*hpl, "wall_time_s").high);
  });
  CHECK(holds);
}

TEST_CASE("plans are rendered to the last byte") {
  Plan plan;
  plan.system = "two-core";
  for (const char* id : {"reference", "hpcc", "netlib"})
    plan.cases.push_back(planned(two_core_node(), shipped("hpl", id), {60, 107}).value());
  for (const char* screen : {"gemm", "stream"})
    plan.cases.push_back(planned(two_core_node(), shipped(screen, "reference")).value());
  check_golden("two-core.json", plan_json(plan));
  check_golden("one-h100-node.json",
               case_json(planned(h100_nodes("cn001"), shipped("hpl", "nvidia")).value()));
  check_golden("sakuraone-98.json",
               case_json(planned(h100_nodes("cn[001-098]"), shipped("hpl", "nvidia")).value()));
}
