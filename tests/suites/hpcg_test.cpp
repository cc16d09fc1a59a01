#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "orchestrator/plan/calibration.hpp"
#include "suites/hpcg/local_domain.hpp"
#include "suites/hpcg/rank_grid.hpp"
#include "suites/hpcg/suite.hpp"
#include "tests/cpu_time.hpp"
#include "tests/suites/golden.hpp"
#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;
using namespace shakedown::tests;
using hpcg::Box;

namespace {

Box grid_of(const Case& planned) {
  const auto side = [&](std::string_view name) {
    return static_cast<std::int64_t>(parameter(planned, name));
  };
  return {side("npx"), side("npy"), side("npz")};
}

Box local_of(const Case& planned) {
  const auto side = [&](std::string_view name) {
    return static_cast<std::int64_t>(parameter(planned, name));
  };
  return {side("nx"), side("ny"), side("nz")};
}

Implementation hpcg_official() {
  Implementation implementation = shipped("hpcg", "official");
  implementation.program = "/usr/local/bin/xhpcg";
  return implementation;
}

}  // namespace

TEST_CASE("the process grid is the one that HPCG chooses, axis by axis") {
  struct Row {
    int ranks;
    Box grid;
  };
  const Row rows[] = {{1, {1, 1, 1}},    {2, {2, 1, 1}},    {4, {2, 2, 1}},    {6, {2, 3, 1}},
                      {7, {7, 1, 1}},    {8, {2, 2, 2}},    {12, {2, 3, 2}},   {30, {2, 3, 5}},
                      {64, {4, 4, 4}},   {80, {4, 4, 5}},   {768, {8, 8, 12}}, {776, {2, 4, 97}},
                      {784, {8, 7, 14}}, {792, {8, 9, 11}}, {800, {8, 10, 10}}};
  for (const Row& row : rows) {
    CAPTURE(row.ranks);
    CHECK(hpcg::box_text(hpcg::minimal_surface_grid(row.ranks)) == hpcg::box_text(row.grid));
  }
}

TEST_CASE("HPCG's memory model gives SAKURAONE's published memory for its shape and no other") {
  const auto use = hpcg::memory_use({8, 7, 14}, {512, 512, 272});
  CHECK(use.linear_system / 1e9 == Approx(35168.958).margin(0.001));
  CHECK(use.total / 1e9 == Approx(39961.384).margin(0.005));  // the structs, 2 MB in all, are not counted
  const auto runner_up = hpcg::memory_use({8, 14, 7}, {512, 256, 544});
  CHECK(runner_up.total / 1e9 > 39961.45);  // Table 6 prints 39,961.4
}

TEST_CASE("the memory model is that of the official program at a small size") {
  // HPCG 3.1 on 2 ranks of 32 x 24 x 16 prints 0.0154708 and 0.0175837 GB.
  const auto use = hpcg::memory_use({2, 1, 1}, {32, 24, 16});
  CHECK(use.linear_system / 1e9 == Approx(0.0154708).margin(3e-7));
  CHECK(use.total / 1e9 == Approx(0.0175837).margin(2e-5));
}

TEST_CASE("the planned HPCG of SAKURAONE's 98 nodes is the published one") {
  const auto planned_case = planned(sakuraone_nodes(98), shipped("hpcg", "nvidia"));
  REQUIRE(planned_case);
  CHECK(planned_case->id == "hpcg-nvidia-98n");
  CHECK(grid_of(*planned_case) == Box{8, 7, 14});
  CHECK(local_of(*planned_case) == Box{512, 512, 272});
  CHECK(parameter(*planned_case, "gnx") == 4096);
  CHECK(parameter(*planned_case, "gny") == 3584);
  CHECK(parameter(*planned_case, "gnz") == 3808);
  CHECK(parameter(*planned_case, "rt") == 1860);
  CHECK(reason_for(*planned_case, "nz") == "published for 784 GPUs of this kind");
  CHECK(value_text(*find_parameter(planned_case->environment, "OMP_NUM_THREADS")) == "16");
  CHECK(reason_for(*planned_case, "OMP_NUM_THREADS") ==
        "published for 784 GPUs of this kind; a rank has 12 cores");
  CHECK(reason_for(*planned_case, "memory") ==
        "by HPCG's own model; the quarter of HPCG-03 counts the GPU memory: 60.0 % of 60.6 TiB; neither the "
        "host "
        "memory (25.3 % of 144 TiB) nor both together (17.8 % of 204 TiB)");
  const Prediction rating = prediction(*planned_case, "rating_gflops");
  CHECK(rating.value == Approx(396295).epsilon(0.005));
  CHECK(rating.low < 396295);
  CHECK(rating.high > 396295);
  CHECK(planned_case->model.source == "fit");
  CHECK(planned_case->model.parameters == 2);
  CHECK(planned_case->model.points == 2);
  CHECK(prediction(*planned_case, "wall_time_s").low > 1860);
}

TEST_CASE("776 ranks are too flat for HPCG: refused with the next good number of nodes") {
  const auto refused = planned(sakuraone_nodes(97), shipped("hpcg", "nvidia"));
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) ==
        "HPCG-04: 776 ranks give the process grid 2 x 4 x 97: its shortest side is 0.021 of its longest, and "
        "HPCG aborts below 0.125\nhint: 96 nodes: 8 x 8 x 12");
}

TEST_CASE("a good number of ranks is named where one node has too many of an odd number") {
  NodeGroup node = two_core_node();
  node.usable.cores = 11;
  const auto refused = planned(node, hpcg_official());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == "HPCG-04");
  CHECK(refused.error().hint == "10 ranks: 2 x 5 x 1");
}

TEST_CASE("other GPUs get a domain that their memory holds") {
  struct Row {
    const char* model;
    double memory_gib;
    Box local;
  };
  // 40 GB: scaled down; 141 GB: the sample; 288 GB: a quarter is out of reach of 32-bit indices.
  const Row rows[] = {{"NVIDIA A100-SXM4-40GB", 39.39, {416, 416, 232}},
                      {"NVIDIA H200", 139.8, {512, 512, 288}},
                      {"NVIDIA B300", 268.0, {520, 520, 288}}};
  for (const Row& row : rows) {
    CAPTURE(row.model);
    NodeGroup node = sakuraone_nodes(8);
    for (Gpu& gpu : node.gpus) {
      gpu.model = row.model;
      gpu.memory_bytes = static_cast<std::int64_t>(row.memory_gib * gibi);
    }
    const auto planned_case = planned(node, shipped("hpcg", "nvidia"));
    REQUIRE(planned_case);
    CHECK(hpcg::box_text(local_of(*planned_case)) == hpcg::box_text(row.local));
    CHECK(mentions(planned_case->warnings,
                   "less than the quarter of an official run (HPCG-03): a domain of more "
                   "rows would pass 2^31 nonzeros") == (row.memory_gib > 200));
  }
}

TEST_CASE("the smallest near-cube with a quarter of the memory is taken on CPUs") {
  const auto planned_case = planned(cpu_nodes(4), hpcg_official());
  REQUIRE(planned_case);
  CHECK(grid_of(*planned_case) == hpcg::minimal_surface_grid(768));
  const Box local = local_of(*planned_case);
  const double memory = 4 * 768 * gibi;
  CHECK(hpcg::memory_use(grid_of(*planned_case), local).total >= memory / 4);
  CHECK(hpcg::memory_use(grid_of(*planned_case), {local.x - 8, local.y, local.z}).total < memory / 4);
  CHECK(planned_case->files.front().content ==
        fmt::format("HPCG benchmark input file\nplanned by shakedown\n{} {} {}\n1860\n", local.x, local.y,
                    local.z));
  CHECK(planned_case->predicted.size() == 1);  // wall time alone
  CHECK(planned_case->model.source.empty());
  CHECK(planned_case->model.text.find("no rating is predicted: it follows the memory bandwidth") !=
        std::string::npos);
}

TEST_CASE("memory in use leaves less than a quarter, which is said; hardly any is refused") {
  NodeGroup node = two_core_node();
  node.usable.available_bytes = static_cast<std::int64_t>(2 * gibi);
  const auto busy = planned(node, hpcg_official());
  REQUIRE(busy);
  CHECK(mentions(
      busy->warnings,
      "of the main memory before OptimizeProblem, less than the quarter of an official run (HPCG-03)"));
  node.usable.available_bytes = 1 << 20;
  const auto none = planned(node, hpcg_official());
  REQUIRE_FALSE(none);
  CHECK(none.error().where == "HPCG-03");
  node.usable.available_bytes = node.usable.memory_bytes = node.memory_bytes = 0;
  CHECK(to_string(planned(node, hpcg_official()).error()) ==
        "HPCG-03: no memory is known of the nodes 'vm'\nhint: state memory_bytes in the inventory");
}

TEST_CASE("a wished time cuts rt, and a run under 1800 s is said to be no official one") {
  const auto brief = planned(two_core_node(), hpcg_official(), {600, 0});
  REQUIRE(brief);
  CHECK(parameter(*brief, "rt") < 600);
  CHECK(parameter(*brief, "rt") >= 10);
  CHECK(mentions(brief->warnings, "a run under 1800 s is no official result (HPCG-02)"));
  const auto instant = planned(two_core_node(), hpcg_official(), {5, 0});
  REQUIRE(instant);
  CHECK(parameter(*instant, "rt") == 10);
  CHECK(mentions(instant->warnings, " and the shortest timed part 10 s: longer than the wished 5.00 s"));
  const auto ample = planned(two_core_node(), hpcg_official(), {7200, 0});
  REQUIRE(ample);
  CHECK(parameter(*ample, "rt") == 1860);
  CHECK_FALSE(mentions(ample->warnings, "HPCG-02"));
}

TEST_CASE("pins that break a hard rule of HPCG are refused with the rule") {
  struct Row {
    std::vector<Parameter> pins;
    const char* message;
  };
  const Row rows[] = {
      {{{"npx", std::int64_t{8}}, {"npy", std::int64_t{8}}, {"npz", std::int64_t{12}}},
       "HPCG-04: the pinned npx x npy x npz = 8 x 8 x 12 = 768, but the case has 784 ranks\nhint: change the "
       "pin or drop it: HPCG's own grid is 8 x 7 x 14"},
      {{{"npx", std::int64_t{8}}, {"npy", std::int64_t{5}}},
       "HPCG-04: 784 ranks are no multiple of the pinned sides' product 40\nhint: change the pin or drop it: "
       "HPCG's own grid is 8 x 7 x 14"},
      {{{"npx", std::int64_t{784}}, {"npy", std::int64_t{784}}, {"npz", std::int64_t{784}}},
       "HPCG-04: the pinned sides' product 614656 is more than the 784 ranks\nhint: change the pin or drop "
       "it: HPCG's own grid is 8 x 7 x 14"},
      {{{"npx", std::int64_t{8}}},
       "HPCG-04: one side of the process grid is pinned: two others are open\nhint: pin two or three of npx, "
       "npy, npz; or change the pin or drop it: HPCG's own grid is 8 x 7 x 14"},
      {{{"npx", std::int64_t{1'000'000'000'000}}},
       "HPCG-04: the pinned npx = 1000000000000 is more than the 784 ranks\nhint: change the pin or drop it: "
       "HPCG's own grid is 8 x 7 x 14"},
      {{{"npx", std::int64_t{1}}, {"npy", std::int64_t{1}}, {"npz", std::int64_t{784}}},
       "HPCG-04: the pinned npx x npy x npz = 1 x 1 x 784 is too flat: its shortest side is 0.001 of its "
       "longest, and HPCG aborts below 0.125\nhint: change the pin or drop it: HPCG's own grid is 8 x 7 x "
       "14"},
      {{{"nz", std::int64_t{270}}},
       "HPCG-04: the pinned nz = 270 is no multiple of 8: HPCG halves it three times\nhint: nz = 272"},
      {{{"nx", std::int64_t{8}}},
       "HPCG-04: the pinned nx = 8 is below 16: HPCG would raise it silently\nhint: nx = 16"},
      {{{"nz", std::int64_t{16}}},
       "HPCG-04: the local domain 512 x 512 x 16 is too flat: its shortest side is 0.031 of its longest, and "
       "HPCG "
       "aborts below 0.125\nhint: 512 x 512 x 272 is the rule's own"},
      {{{"nz", std::int64_t{512}}},
       "HPCG-03: the pinned domain 512 x 512 x 512 needs 68.4 TiB for HPCG's data, and the nodes have 60.6 "
       "TiB\nhint: 512 x 512 x 272 is the rule's own"},
      {{{"rt", std::int64_t{5}}},
       "HPCG-02: the pinned rt = 5 s is below 10 s, which HPCG can take for 0, its QuickPath\nhint: rt = "
       "1860 for "
       "an official run"},
      {{{"nx", std::string("wide")}}, "pin nx: 'wide' is no whole number above 0"}};
  const Implementation nvidia = shipped("hpcg", "nvidia");
  for (const Row& row : rows) {
    const auto refused = planned(sakuraone_nodes(98), nvidia, {0, 0, row.pins});
    CAPTURE(row.message);
    REQUIRE_FALSE(refused);
    CHECK(to_string(refused.error()) == row.message);
  }
}

TEST_CASE("pins that break a soft rule of HPCG are warned about, others are taken") {
  const Implementation nvidia = shipped("hpcg", "nvidia");
  const auto large = planned(sakuraone_nodes(98), nvidia, {0, 0, {{"nz", std::int64_t{304}}}});
  REQUIRE(large);
  CHECK(mentions(large->warnings, "HPCG counts them with 32 bits unless it is built otherwise (HPCG-08)"));
  const auto brief = planned(sakuraone_nodes(98), nvidia, {0, 0, {{"rt", std::int64_t{120}}}});
  REQUIRE(brief);
  CHECK(mentions(brief->warnings, "rt = 120 s: a run under 1800 s is no official result (HPCG-02)"));
  const auto small =
      planned(sakuraone_nodes(98), nvidia,
              {0, 0, {{"nx", std::int64_t{128}}, {"ny", std::int64_t{128}}, {"nz", std::int64_t{128}}}});
  REQUIRE(small);
  CHECK(mentions(small->warnings, "less than the quarter of an official run (HPCG-03)"));
  const auto turned =
      planned(sakuraone_nodes(98), nvidia, {0, 0, {{"npx", std::int64_t{14}}, {"npz", std::int64_t{8}}}});
  REQUIRE(turned);
  CHECK(grid_of(*turned) == Box{14, 7, 8});
}

TEST_CASE("a pinned HPCG grid is reported where HPCG's own is too flat as well") {
  const auto refused =
      planned(sakuraone_nodes(97), shipped("hpcg", "nvidia"),
              {0, 0, {{"npx", std::int64_t{8}}, {"npy", std::int64_t{8}}, {"npz", std::int64_t{8}}}});
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) ==
        "HPCG-04: the pinned npx x npy x npz = 8 x 8 x 8 = 512, but the case has 776 ranks\n"
        "hint: change the pin; HPCG's own grid 2 x 4 x 97 is too flat, too: 96 nodes: 8 x 8 x 12");
}

TEST_CASE("a pinned grid of the official program stands in hpcg.dat's fifth line") {
  const auto pinned =
      planned(two_core_node(), hpcg_official(), {0, 0, {{"npx", std::int64_t{1}}, {"npy", std::int64_t{2}}}});
  REQUIRE(pinned);
  CHECK(pinned->files.front().content.ends_with("1860\n1 2 1\n"));
  CHECK(hpcg::hpcg_dat({104, 96, 88}, 60, std::nullopt) ==
        "HPCG benchmark input file\nplanned by shakedown\n104 96 88\n60\n");
}

TEST_CASE("H100 of another system are rated as others' are: SAKURAONE's own lies in their band") {
  const auto other = planned(sakuraone_nodes(98), shipped("hpcg", "nvidia"), {.system = "another"});
  REQUIRE(other);
  const Prediction rating = prediction(*other, "rating_gflops");
  CHECK(rating.low < 396295);
  CHECK(rating.high > 396295);
  CHECK(rating.high / rating.low > 1.3);
  CHECK(rating.high / rating.low < 2);
}

TEST_CASE("a measured Triad rates processors, on several nodes with the halo exchange") {
  NodeGroup node = two_core_node();
  const auto rated = planned(node, shipped("hpcg", "reference"), {.triad_gb_s = 39.9});
  REQUIRE(rated);
  // Measured here: 7.66 GFLOP/s (docs/benchmarks.md).
  CHECK(prediction(*rated, "rating_gflops").value == Approx(7.66).epsilon(0.02));
  CHECK(rated->model.text.find("39.9 GB/s of Triad, measured") != std::string::npos);
  const auto one = planned(cpu_nodes(1), hpcg_official(), {.triad_gb_s = 600});
  const auto four = planned(cpu_nodes(4), hpcg_official(), {.triad_gb_s = 600});
  REQUIRE(one);
  REQUIRE(four);
  CHECK(prediction(*four, "rating_gflops").value ==
        Approx(4 * 0.9665 * prediction(*one, "rating_gflops").value).epsilon(0.001));
  CHECK(four->model.text.find("4 nodes x 600 GB/s of Triad, measured") != std::string::npos);
  CHECK(four->model.text.find("x 0.9665 for the halo exchange (assumed on several nodes") !=
        std::string::npos);
  // Nothing is known of nodes that were not screened.
  CHECK(planned(cpu_nodes(4), hpcg_official())->predicted.size() == 1);
}

TEST_CASE("a measured Triad of GPUs stands for the bandwidth that their vendor states") {
  const NodeGroup nodes = sakuraone_nodes(4);
  const Implementation nvidia = shipped("hpcg", "nvidia");
  const Prediction stated =
      prediction(planned(nodes, nvidia, {.system = "northern"}).value(), "rating_gflops");
  // Memory that is a tenth slower than H100's usual Triad, on each of the eight.
  const auto slow = planned(nodes, nvidia, {.system = "northern", .gpu_triad_gb_s = 0.9 * 0.91 * 8 * 3352});
  REQUIRE(slow);
  const Prediction rating = prediction(*slow, "rating_gflops");
  CHECK(rating.value == Approx(0.9 * stated.value).epsilon(0.001));
  CHECK(rating.low == Approx(0.9 * stated.low).epsilon(0.001));
  CHECK(slow->model.text.find("2745 GB/s of Triad on each GPU, measured, over 0.91") != std::string::npos);
  // So GPUs that no list names are rated, too.
  NodeGroup unknown = nodes;
  for (Gpu& gpu : unknown.gpus) {
    gpu.model = "NVIDIA X1000";
    gpu.peak = {};
  }
  CHECK(planned(unknown, nvidia, {.system = "northern"})->predicted.size() == 1);
  const auto screened = planned(unknown, nvidia, {.system = "northern", .gpu_triad_gb_s = 8 * 6000});
  REQUIRE(screened);
  const Prediction guess = prediction(*screened, "rating_gflops");
  CHECK(guess.value > 0);
  CHECK(guess.high / guess.low < 2);
}

TEST_CASE("GPUs that nobody measured are rated by the bandwidth that the inventory states, or not at all") {
  NodeGroup node = mi300x_nodes(4);
  const auto scaled = planned(node, shipped("hpcg", "amd"));
  REQUIRE(scaled);
  CHECK(scaled->model.source == "fit");
  CHECK(scaled->model.text.find("with none for 'AMD Instinct MI300X'") != std::string::npos);
  const Prediction rating = prediction(*scaled, "rating_gflops");
  CHECK(rating.high / rating.low < widest_prediction);
  for (Gpu& gpu : node.gpus) gpu.peak = {};
  const auto blind = planned(node, shipped("hpcg", "amd"));
  REQUIRE(blind);
  CHECK(blind->model.text.starts_with(
      "no rating is predicted: it follows the memory bandwidth, and the inventory "
      "states none for 'AMD Instinct MI300X'"));
  CHECK(blind->predicted.size() == 1);
}

TEST_CASE("HPCG on any machine has a legal shape, or a refusal names a number of nodes that has one") {
  const Implementation nvidia = shipped("hpcg", "nvidia");
  const Implementation cpus = hpcg_official();
  const bool holds = rc::check([&] {
    const int nodes = *rc::gen::inRange(1, 20'001);
    const int gpus = *rc::gen::inRange(0, 17);
    NodeGroup node = sakuraone_nodes(nodes);
    node.usable.cores = *rc::gen::inRange(1, 257);
    node.usable.available_bytes = *rc::gen::inRange<std::int64_t>(1LL << 26, 1LL << 42);
    Gpu gpu = node.gpus.front();
    gpu.memory_bytes = *rc::gen::inRange<std::int64_t>(1LL << 26, 1LL << 39);
    node.gpus.assign(static_cast<size_t>(gpus), gpu);
    node.nics.clear();
    const Implementation& implementation = gpus > 0 ? nvidia : cpus;
    const auto planned_case = planned(node, implementation);
    if (!planned_case) {
      if (planned_case.error().where == "HPCG-03") return;  // hardly any memory
      RC_ASSERT(planned_case.error().where == "HPCG-04");
      int count = 0;
      std::string noun(9, '\0');
      RC_ASSERT(std::sscanf(planned_case.error().hint.c_str(), "%d %8[a-z]", &count, noun.data()) == 2);
      const int each = gpus > 0 ? gpus : node.usable.cores;
      RC_ASSERT(hpcg::is_good_rank_count(noun.starts_with("node") ? count * each : count));
      return;
    }
    const Box grid = grid_of(*planned_case);
    const Box local = local_of(*planned_case);
    RC_ASSERT(grid.cells() == planned_case->ranks);
    RC_ASSERT(hpcg::aspect(grid) >= 0.125);
    RC_ASSERT(hpcg::aspect(local) >= 0.125);
    for (const std::int64_t side : {local.x, local.y, local.z}) {
      RC_ASSERT(side % 8 == 0);
      RC_ASSERT(side >= 16);
    }
    RC_ASSERT(27 * local.cells() < (std::int64_t{1} << 31));
    RC_ASSERT(parameter(*planned_case, "gnz") == static_cast<double>(grid.z * local.z));
    const double memory = gpus > 0 ? static_cast<double>(gpu.memory_bytes) * planned_case->ranks
                                   : static_cast<double>(node.usable.available_bytes) * planned_case->nodes;
    RC_ASSERT(hpcg::memory_use(grid, local).total <= memory);
    RC_ASSERT(planned_case->time_limit_s > prediction(*planned_case, "wall_time_s").high);
  });
  CHECK(holds);
}

TEST_CASE("100,000 GPUs are planned in milliseconds") {
  const NodeGroup node = sakuraone_nodes(12'500);
  const Implementation nvidia = shipped("hpcg", "nvidia");
  const CpuTime took;
  const auto planned_case = planned(node, nvidia);
  const double seconds = took.seconds();
  REQUIRE(planned_case);
  CHECK(grid_of(*planned_case).cells() == 100'000);
  CHECK(seconds < 0.2);
}

TEST_CASE("plans of HPCG are rendered to the last byte") {
  check_golden("hpcg-nvidia-98.json",
               case_json(planned(sakuraone_nodes(98), shipped("hpcg", "nvidia")).value()));
  Implementation amd = shipped("hpcg", "amd");
  amd.program = "/opt/rochpcg/bin/rochpcg";
  check_golden("hpcg-amd-4.json", case_json(planned(mi300x_nodes(4), amd).value()));
  check_golden("hpcg-official-4.json", case_json(planned(cpu_nodes(4), hpcg_official()).value()));
}

TEST_CASE("our own HPCG shrinks its domain to what a wished time sets up, the official one doesn't") {
  const auto ours = planned(two_core_node(), shipped("hpcg", "reference"), {30, 0});
  REQUIRE(ours);
  CHECK(prediction(*ours, "wall_time_s").value < 40);
  CHECK(reason_for(*ours, "nx").find("that is set up within 33.0 % of the wished 30") != std::string::npos);
  CHECK(reason_for(*planned(two_core_node(), hpcg_official(), {30, 0}), "nx").find("wished") ==
        std::string::npos);
}

TEST_CASE("where the wished time holds neither setting up nor a timed part, the reasons say so and add up") {
  const auto ours = planned(two_core_node(), shipped("hpcg", "reference"), {1.2, 0});
  REQUIRE(ours);
  CHECK(parameter(*ours, "rt") == 10);
  CHECK(reason_for(*ours, "rt").find("the shortest timed part") == 0);
  CHECK(reason_for(*ours, "rt").find("leave beside") == std::string::npos);
  CHECK(reason_for(*ours, "nx")
            .find("HPCG's smallest domain; even that takes more than 33.0 % of the wished 1.20 s") == 0);
  CHECK(reason_for(*planned(two_core_node(), shipped("hpcg", "reference"), {60, 0}), "rt")
            .find("leave beside") != std::string::npos);
}

TEST_CASE("HPCG outgrows the last-level caches wherever the wished time and the memory allow it") {
  const auto reference = shipped("hpcg", "reference");
  NodeGroup node = two_core_node();
  node.cpu.caches = {{3, 260 << 20, 1}};
  const auto times = [&](const Case& planned_case) {
    return hpcg::memory_use(grid_of(planned_case), local_of(planned_case)).total /
           static_cast<double>(last_level_cache_bytes(node));
  };
  const auto quick = planned(node, reference, {30, 0});
  REQUIRE(quick);
  CHECK(times(*quick) >= least_times_caches);
  CHECK(prediction(*quick, "wall_time_s").value <= 31);
  CHECK(reason_for(*quick, "nx").find("whose data are 4 times the last-level caches (HPCG-10b)") !=
        std::string::npos);
  CHECK_FALSE(mentions(quick->warnings, "HPCG-10b"));

  const auto brief = planned(node, reference, {16, 0});
  REQUIRE(brief);
  CHECK(times(*brief) < least_times_caches);
  CHECK(
      reason_for(*brief, "nx").find("that the wished 16.0 s hold, with 10 s of a timed part; HPCG's data") !=
      std::string::npos);
  CHECK(mentions(brief->warnings, " times the last-level caches; the rate is the memory's from 4 times on"));

  node.memory_bytes = node.usable.memory_bytes = node.usable.available_bytes = std::int64_t{2} << 30;
  const auto acceptance = planned(node, reference);
  REQUIRE(acceptance);
  CHECK(times(*acceptance) >= least_times_caches);  // a quarter of this memory is less

  node.memory_bytes = node.usable.memory_bytes = node.usable.available_bytes = std::int64_t{1} << 30;
  const auto small = planned(node, reference);
  REQUIRE(small);
  CHECK(times(*small) < least_times_caches);
  CHECK(reason_for(*small, "nx").find("with fewer than 2^31 nonzeros; HPCG's data are ") !=
        std::string::npos);
}
