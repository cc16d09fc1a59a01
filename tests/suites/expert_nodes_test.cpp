// Plans that an expert would sign, for other nodes than those of eight H100: each number by the rule that the
// plan states beside it. The process grids of HPCG are what HPCG 3.1's own ComputeOptimalShapeXYZ.cpp
// returns.
#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "tests/suites/expert_rows.hpp"
#include "tests/suites/shipped_system.hpp"

using namespace shakedown;
using namespace shakedown::tests;

TEST_CASE("HPL, HPCG and HPL-MxP on nodes of 4 and 6 H100 follow the rules of nodes of 8") {
  struct Row {
    int nodes, gpus;
    std::int64_t
        N;  // HPL: floor to 1024 of sqrt(share x 79.11 GiB x GPUs / 8); 0.822 up to 4 nodes, then 0.88
    const char* grid;    // of HPL and HPL-MxP
    const char* cube;    // of HPCG
    std::int64_t mixed;  // N of HPL-MxP: the same with 4 bytes; 0.85 on one node, 0.548 on several
  };
  const Row rows[] = {{1, 4, 186368, "2x2", "2x2x1", 268288},
                      {2, 4, 264192, "4x2", "2x2x2", 304128},
                      {3, 4, 323584, "4x3", "2x3x2", 372736},
                      {5, 4, 432128, "4x5", "2x5x2", 482304},
                      {7, 4, 510976, "4x7", "2x7x2", 570368},
                      {13, 4, 696320, "4x13", "2x13x2", 777216},
                      {31, 4, 1076224, "4x31", "HPCG-04", 1201152},  // 2 x 31 x 2: HPCG aborts below 1/8
                      {40, 4, 1222656, "8x20", "4x8x5", 1363968},
                      {64, 4, 1546240, "16x16", "8x8x4", 1725440},
                      {80, 4, 1728512, "16x20", "8x8x5", 1929216},
                      {97, 4, 1903616, "4x97", "HPCG-04", 2124800},
                      {100, 4, 1932288, "20x20", "8x5x10", 2156544},
                      {12500, 4, 21613568, "200x250", "40x25x50", 24121344},
                      {1, 6, 228352, "2x3", "2x3x1", 328704},
                      {2, 6, 323584, "3x4", "2x3x2", 372736},
                      {3, 6, 396288, "6x3", "2x3x3", 456704},
                      {5, 6, 529408, "6x5", "2x3x5", 590848},
                      {7, 6, 625664, "6x7", "2x3x7", 698368},
                      {13, 6, 852992, "6x13", "2x3x13", 952320},
                      {31, 6, 1317888, "6x31", "HPCG-04", 1470464},
                      {40, 6, 1497088, "12x20", "8x6x5", 1671168},
                      {64, 6, 1893376, "12x32", "8x8x6", 2113536},
                      {80, 6, 2117632, "12x40", "8x6x10", 2363392},
                      {97, 6, 2331648, "6x97", "HPCG-04", 2601984},
                      {100, 6, 2367488, "24x25", "6x10x10", 2641920},
                      {12500, 6, 26471424, "150x500", "30x50x50", 29542400}};
  for (const Row& row : rows) {
    CAPTURE(row.nodes, row.gpus);
    const NodeGroup node = nodes_of(row.nodes, row.gpus);
    const auto hpl = planned(node, shipped("hpl", "nvidia"));
    REQUIRE(hpl);
    CHECK(number(*hpl, "N") == std::to_string(row.N));
    CHECK(why(*hpl, "N").rule.starts_with(row.nodes <= 4 ? "0.822 of" : "0.88 of"));
    CHECK(sides(hpl, {"P", "Q"}) == row.grid);
    CHECK(mentions(hpl->warnings, "is long and slow") == (parameter(*hpl, "Q") > 4 * parameter(*hpl, "P")));
    const auto hpcg = planned(node, shipped("hpcg", "nvidia"));
    CHECK(sides(hpcg, {"npx", "npy", "npz"}) == row.cube);
    if (hpcg) {
      CHECK(sides(hpcg, {"nx", "ny", "nz"}) == "512x512x288");
      CHECK(why(*hpcg, "nz").rule.find("run_sample.sh") != std::string::npos);
      CHECK_FALSE(mentions(hpcg->warnings, "less than the quarter"));
    }
    const auto mixed = planned(node, shipped("hpl-mxp", "nvidia"));
    REQUIRE(mixed);
    CHECK(number(*mixed, "N") == std::to_string(row.mixed));
    CHECK(sides(mixed, {"P", "Q"}) == row.grid);
    CHECK(number(*mixed, "precision") == "FP16");
    CHECK(why(*mixed, "N")
              .rule.starts_with(row.nodes == 1 ? "NVIDIA HPC Benchmarks, HPL-MxP sample"
                                               : "fitted: 0.548 of the CUDA-visible memory"));
  }
}

TEST_CASE("HPL, HPCG and HPL-MxP on nodes of 2 x 96 cores: a rank a core, 80 % of the memory, a near-cube") {
  struct Row {
    int nodes;
    std::int64_t N;      // HPL: floor to 192 of sqrt(0.8 x 768 GiB x nodes / 8)
    const char* grid;    // of HPL and HPL-MxP: the squarest with P <= Q
    const char* cube;    // of HPCG
    std::int64_t mixed;  // N of HPL-MxP: floor to 192 of sqrt(0.8 x 768 GiB x nodes / 4), the FP32 factors
  };
  const Row rows[] = {{1, 287040, "12x16", "4x8x6", 406080},
                      {2, 406080, "16x24", "8x8x6", 574272},
                      {3, 497280, "24x24", "8x8x9", 703296},
                      {5, 642048, "30x32", "8x12x10", 907968},
                      {7, 759744, "32x42", "8x12x14", 1074432},
                      {13, 1035264, "48x52", "16x12x13", 1464192},
                      {31, 1598784, "64x93", "16x12x31", 2260992},
                      {40, 1816128, "80x96", "16x24x20", 2568384},
                      {64, 2297280, "96x128", "16x32x24", 3248832},
                      {80, 2568384, "120x128", "32x24x20", 3632256},
                      {97, 2828160, "97x192", "HPCG-04", 3999552},  // 16 x 12 x 97: HPCG aborts below 1/8
                      {100, 2871552, "128x150", "32x24x25", 4060992},
                      {12500, 32105856, "1500x1600", "128x150x125", 45404544}};
  for (const Row& row : rows) {
    CAPTURE(row.nodes);
    const NodeGroup node = cpu_nodes(row.nodes);
    const auto hpl = planned(node, shipped("hpl", "netlib"));
    REQUIRE(hpl);
    CHECK(number(*hpl, "N") == std::to_string(row.N));
    CHECK(number(*hpl, "NB") == "192");
    CHECK(sides(hpl, {"P", "Q"}) == row.grid);
    CHECK(why(*hpl, "N").rule == "netlib HPL FAQ: 80 % of the memory");
    const auto hpcg = planned(node, shipped("hpcg", "official"));
    CHECK(sides(hpcg, {"npx", "npy", "npz"}) == row.cube);
    if (hpcg) {
      // A quarter of 768 GiB is 1 GiB of a rank. By HPCG's own model (ReportResults.cpp) 112^3 take 0.94 GiB,
      // and 120 x 112 x 112 take 1.003 GiB.
      CHECK(sides(hpcg, {"nx", "ny", "nz"}) == "120x112x112");
      CHECK(why(*hpcg, "nz").because.starts_with("the smallest near-cube of multiples of 8"));
      CHECK(why(*hpcg, "nz").rule.starts_with("HPCG-03"));
      CHECK(number(*hpcg, "rt") == "1860");
    }
    const auto mixed = planned(node, shipped("hpl-mxp", "reference"));
    REQUIRE(mixed);
    CHECK(number(*mixed, "N") == std::to_string(row.mixed));
    CHECK(number(*mixed, "NB") == "192");
    CHECK(sides(mixed, {"P", "Q"}) == row.grid);
    CHECK(number(*mixed, "precision") == "FP32");
    CHECK(mixed->ranks == 192 * row.nodes);
  }
}

TEST_CASE("MLPerf's memory of a GPU is Korthikanti's, with the optimizer's state shared by the copies") {
  struct Row {
    const char* benchmark;
    int nodes;
    const char* division;  // TP x PP x CP x DP
    const char* memory;    // parameters / (TP x PP) x (state + optimizer / DP / CP) + activations + 5 GiB
  };
  const Row rows[] = {
      {"nvidia-gpt3", 16, "4x16x1x2", "68.3 GiB"},  // 30.5 + 32.8 + 5
      {"nvidia-gpt3", 32, "4x16x1x4", "60.7 GiB"},  // 22.9 + 32.8 + 5
      {"nvidia-gpt3", 40, "4x16x1x5", "59.2 GiB"},          {"nvidia-gpt3", 64, "4x16x1x8", "56.9 GiB"},
      {"nvidia-gpt3", 80, "8x16x1x5", "64.9 GiB"},  // 10.7 + 49.2 + 5: three times the micro batch
      {"nvidia-gpt3", 96, "8x16x1x6", "64.4 GiB"},          {"nvidia-gpt3", 100, "4x8x1x25", "70.4 GiB"},
      {"nvidia-llama2_70b_lora", 1, "4x1x1x2", "68.1 GiB"},  // 32.1 + 31.0 + 5
      {"nvidia-llama2_70b_lora", 3, "4x1x2x3", "52.6 GiB"},  // half a sequence each
      {"nvidia-llama2_70b_lora", 7, "4x1x2x7", "52.6 GiB"}, {"nvidia-llama31_8b", 1, "4x1x1x2", "32.2 GiB"},
      {"nvidia-llama31_8b", 8, "1x1x1x64", "70.2 GiB"}};
  for (const Row& row : rows) {
    CAPTURE(row.benchmark, row.nodes);
    const auto run = planned(sakuraone_nodes(row.nodes), shipped("mlperf", row.benchmark));
    REQUIRE(run);
    CHECK(sides(run, {"TP", "PP", "CP", "DP"}) == row.division);
    CHECK(value_text(why(*run, "memory_per_gpu").value) == row.memory);
  }
}

TEST_CASE(
    "a planned training divides the GPUs, the batch and the pipeline as its recipe does, or is refused") {
  for (const char* benchmark : {"nvidia-gpt3", "nvidia-llama2_70b_lora", "nvidia-llama31_8b"}) {
    const Implementation implementation = shipped("mlperf", benchmark);
    int refused = 0;
    for (int nodes = 1; nodes <= 130; ++nodes)
      for (const int gpus : {4, 6, 8}) {
        CAPTURE(benchmark, nodes, gpus);
        const auto run = planned(nodes_of(nodes, gpus), implementation);
        if (!run) {
          const std::string& rule = run.error().where;
          CHECK((rule == "ML-09" || rule == "memory" || rule == "ML-04" || rule == "ML-05"));
          ++refused;
          continue;
        }
        const auto whole = [&](std::string_view name) { return std::llround(parameter(*run, name)); };
        CHECK(whole("TP") * whole("PP") * whole("CP") * whole("DP") == nodes * gpus);
        CHECK(gpus % whole("TP") == 0);  // a layer's parts stay within a node
        CHECK(whole("GBS") % (whole("DP") * whole("MBS")) == 0);
        if (whole("VP") > 1) CHECK(whole("GBS") / (whole("DP") * whole("MBS")) % whole("PP") == 0);
        CHECK(why(*run, "memory_per_gpu").because.find("of 79.1 GiB of a GPU, visible to CUDA") !=
              std::string::npos);
      }
    CHECK(refused > 0);
  }
}

TEST_CASE("IO500's sizes last 1.3 x 300 s at what the clients' links or the published rates carry") {
  struct Row {
    int nodes;
    double link_gbit_s;     // of a client to the storage
    int ranks;              // of a node
    const char* block;      // ior-easy's of a rank: links x 390 s / ranks, up to a GiB
    std::int64_t segments;  // ior-hard's: links x 390 s / 47008 B / ranks, up to 1000
  };
  const std::int64_t usual = 10'000'000;            // IO500's default
  const Row rows[] = {{1, 25, 128, "9g", 203'000},  // 3.125 GB/s x 390 s = 1219 GB, 8.87 GiB a rank
                      {10, 25, 128, "9g", 203'000},       {40, 25, 64, "18g", 406'000},
                      {96, 25, 32, "36g", 811'000},       {12500, 25, 1, "1136g", usual},
                      {1, 3200, 128, "1136g", usual},  // 400 GB/s x 390 s = 156 TB, 1135.05 GiB a rank
                      {40, 3200, 64, "2271g", usual},     {96, 3200, 32, "4541g", usual},
                      {12500, 3200, 1, "9920000m", usual}};  // 145 287 GiB: more than IO500's default
  for (const Row& row : rows) {
    CAPTURE(row.nodes, row.link_gbit_s);
    NodeGroup node = sakuraone_nodes(row.nodes);
    node.nics.resize(1);
    node.nics.front().role = "storage";
    node.nics.front().speed_gb_s = row.link_gbit_s;
    const auto run = planned(node, shipped("io500", "official"));
    REQUIRE(run);
    CHECK(run->ranks_per_node == row.ranks);
    CHECK(number(*run, "block_size") == row.block);
    CHECK(parameter(*run, "segment_count") == static_cast<double>(row.segments));
    CHECK(parameter(*run, "mdtest_easy_n") == 1e6);  // no bytes that a link would bound
    CHECK(parameter(*run, "mdtest_hard_n") == 1e6);  // 3901 bytes each: 2.4 million of a rank at 25 Gbit/s
    CHECK(parameter(*run, "stonewall_s") == 300);
    const bool by_links = number(*run, "block_size") != "9920000m";
    CHECK(why(*run, "block_size")
              .rule.starts_with(by_links ? "no storage is faster than the links to it"
                                         : "IO500, defaults of src/phase_*.c"));
    if (by_links)
      CHECK(why(*run, "block_size").because.find(plural(row.nodes, "client") + " carry ") !=
            std::string::npos);
  }

  // SAKURAONE's own storage: submissions 743 and 746. Longer than 390 s where 1.1 x the published phase is:
  // 10 nodes, ior-hard 390.06 s; 96 nodes, ior-easy 391.25 s, ior-hard 540.92 s, mdtest-easy 400.19 s.
  struct Published {
    int nodes;
    const char* block;  // 262.91 x 390 / 1280 = 80.1 GiB; 198.80 x 391.25 / 3072 = 25.3 GiB
    int segments;       // 15.841 GiB/s: 110 265; 24.606 GiB/s: 98 967
    int easy, hard;     // files of a rank: 62 290 and 36 819; 33 433 and 19 245
  };
  ShippedSystem system("sakuraone");
  for (const Published& row :
       {Published{10, "81g", 111'000, 63'000, 37'000}, Published{96, "26g", 99'000, 34'000, 20'000}}) {
    CAPTURE(row.nodes);
    const auto run = system.plan(shipped("io500", "official"), row.nodes, {});
    REQUIRE(run);
    CHECK(number(*run, "block_size") == row.block);
    CHECK(parameter(*run, "segment_count") == row.segments);
    CHECK(parameter(*run, "mdtest_easy_n") == row.easy);
    CHECK(parameter(*run, "mdtest_hard_n") == row.hard);
    for (const char* size : {"block_size", "segment_count", "mdtest_easy_n", "mdtest_hard_n"})
      CHECK(why(*run, size).rule.starts_with("IO500's rules: a write phase that ends before the stonewall"));
  }
  // One client of 2 x 400 Gbit/s: 93.13 GiB/s x 390 s / 128 = 283.8 GiB, less than ten nodes reach.
  const auto one = system.plan(shipped("io500", "official"), 1, {});
  REQUIRE(one);
  CHECK(number(*one, "block_size") == "284g");
}

TEST_CASE("each parameter of a plan has its reason, with the same value and a source") {
  struct Row {
    const char* suite;
    const char* implementation;
    NodeGroup node;
  };
  std::vector<Row> rows;
  for (const int nodes : {1, 3, 40, 100}) {
    for (const int gpus : {4, 6, 8})
      for (const char* suite : {"hpl", "hpcg", "hpl-mxp"})
        rows.push_back({suite, "nvidia", nodes_of(nodes, gpus)});
    for (const char* suite : {"hpl", "hpcg", "hpl-mxp"}) rows.push_back({suite, "amd", mi300x_nodes(nodes)});
    rows.push_back({"hpl", "netlib", cpu_nodes(nodes)});
    rows.push_back({"hpcg", "official", cpu_nodes(nodes)});
    rows.push_back({"hpl-mxp", "reference", cpu_nodes(nodes)});
    rows.push_back({"mlperf", "nvidia-llama2_70b_lora", nodes_of(nodes, 8)});
    rows.push_back({"io500", "official", nodes_of(nodes, 8)});
  }
  rows.push_back({"mlperf", "nvidia-gpt3", nodes_of(40, 8)});
  rows.push_back({"mlperf", "nvidia-gpt3", nodes_of(80, 8)});
  rows.push_back({"mlperf", "nvidia-llama31_8b", nodes_of(8, 8)});
  // Products of others, and what was asked for.
  const std::initializer_list<std::string_view> no_choice = {"gnx", "gny", "gnz", "benchmark", "gpus"};
  for (const Row& row : rows) {
    CAPTURE(row.suite, row.implementation, row.node.hosts, row.node.gpus.size());
    const auto run = planned(row.node, shipped(row.suite, row.implementation));
    REQUIRE(run);
    for (const Parameter& parameter : run->parameters) {
      if (std::ranges::find(no_choice, parameter.name) != no_choice.end()) continue;
      CAPTURE(parameter.name);
      const Reason& reason = why(*run, parameter.name);
      CHECK(value_text(reason.value) == value_text(parameter.value));
      CHECK_FALSE(reason.because.empty());
      CHECK_FALSE(reason.rule.empty());
    }
  }
}
