// Plans that an expert would sign: for each scale the numbers with which the benchmarks are run, each with
// where it comes from. What the plan says of a number (`why`) is checked beside it.
#include <catch2/catch.hpp>

#include "tests/suites/expert_rows.hpp"

using namespace shakedown;
using namespace shakedown::tests;

TEST_CASE("HPL on H100: N by the samples on up to four nodes, then by Table 5; the grid on the rails") {
  struct Row {
    int nodes, gpus;
    std::int64_t N;  // floor to 1024 of sqrt(share x 79.11 GiB x GPUs / 8)
    const char* grid;
    const char* because;  // of the grid
  };
  const char* const sample = "the vendor's sample for 8 GPUs of one node is 4x2";  // HPL-dgx-1N.dat
  const char* const rails = "so that a process row joins GPUs with one number";    // Tables 5 and 7
  const char* const by_node = "the 8 GPUs of a node by";  // 8 x 4: AWS on 4 x p5.48xlarge
  const char* const square =
      "on the rails would be more than twice as tall as wide, and a process column stays";
  const Row rows[] = {
      {1, 8, 264192, "4x2", sample},    // HPL-dgx-1N.dat
      {2, 8, 372736, "4x4", square},    //
      {3, 8, 456704, "4x6", square},    //
      {4, 8, 528384, "8x4", by_node},   // N and grid: awsome-distributed-training, hpc-benchmarks
      {5, 8, 611328, "8x5", by_node},   //
      {6, 8, 669696, "8x6", by_node},   //
      {7, 8, 722944, "8x7", by_node},   //
      {13, 8, 985088, "8x13", rails},   //
      {31, 8, 1521664, "8x31", rails},  // long: warned about
      {40, 8, 1728512, "16x20", rails},
      {64, 8, 2186240, "16x32", rails},
      {80, 8, 2445312, "16x40", rails},
      {97, 8, 2692096, "8x97", rails},
      {98, 8, 2706432, "16x49", rails},  // SAKURAONE, Table 5
      {100, 8, 2733056, "16x50", rails},
      {12500, 8, 30567424, "200x500", rails},
      {1, 4, 186368, "2x2", "largest divisor of 4 that is <= sqrt(4)"},
      {2, 4, 264192, "4x2", "the 4 GPUs of a node by 2 nodes"},
      {3, 4, 323584, "4x3", "the 4 GPUs of a node by 3 nodes"},
      {5, 4, 432128, "4x5", rails},
      {8, 4, 545792, "4x8", rails},  // 4 x 8 on 8 nodes of 4 GH200: CSCS, NVIDIA HPC Benchmarks container
      {13, 4, 696320, "4x13", rails},
      {40, 4, 1222656, "8x20", rails},
      {100, 4, 1932288, "20x20", rails},
      {1, 6, 228352, "2x3", "largest divisor of 6 that is <= sqrt(6)"},
      {2, 6, 323584, "3x4", square},
      {3, 6, 396288, "6x3", "the 6 GPUs of a node by 3 nodes"},
      {5, 6, 529408, "6x5", "the 6 GPUs of a node by 5 nodes"},
      {7, 6, 625664, "6x7", rails},
      {40, 6, 1497088, "12x20", rails},
      {100, 6, 2367488, "24x25", rails}};
  const Implementation nvidia = shipped("hpl", "nvidia");
  for (const Row& row : rows) {
    CAPTURE(row.nodes, row.gpus);
    const auto hpl = planned(nodes_of(row.nodes, row.gpus), nvidia);
    REQUIRE(hpl);
    CHECK(number(*hpl, "N") == std::to_string(row.N));
    CHECK(number(*hpl, "NB") == "1024");
    CHECK(sides(hpl, {"P", "Q"}) == row.grid);
    CHECK(why(*hpl, "P").because.find(row.because) != std::string::npos);
    CHECK(why(*hpl, "N").rule.starts_with(row.nodes <= 4 ? "0.822 of" : "0.88 of"));
    const bool is_long = parameter(*hpl, "Q") > 4 * parameter(*hpl, "P");
    CHECK(mentions(hpl->warnings, "is long and slow") == is_long);
  }
}

TEST_CASE("HPL's reason for the rails holds only where ranks fill columns") {
  const auto row_major =
      planned(sakuraone_nodes(98), shipped("hpl", "nvidia"), {.pins = {{"PMAP", std::string("row")}}});
  REQUIRE(row_major);
  CHECK(why(*row_major, "P")
            .because.ends_with("as with PMAP = column, where a process row then stays on one rail"));
}

TEST_CASE("HPL on nodes of 2 x 96 cores: one rank a core, the squarest grid (netlib HPL, Tuning)") {
  struct Row {
    int nodes;
    const char* grid;
  };
  const Row rows[] = {{1, "12x16"}, {2, "16x24"},  {3, "24x24"},  {5, "30x32"},
                      {7, "32x42"}, {13, "48x52"}, {40, "80x96"}, {100, "128x150"}};
  for (const Row& row : rows) {
    CAPTURE(row.nodes);
    const auto hpl = planned(cpu_nodes(row.nodes), shipped("hpl", "netlib"));
    REQUIRE(hpl);
    CHECK(sides(hpl, {"P", "Q"}) == row.grid);
    CHECK(hpl->ranks == 192 * row.nodes);
  }
}

TEST_CASE("HPCG on H100: HPCG's own grid, and the sample's 512 x 512 x 288 but for SAKURAONE's 784 GPUs") {
  struct Row {
    int nodes, gpus;
    const char* grid;  // HPCG 3.1, ComputeOptimalShapeXYZ.cpp; HPCG-04: CheckAspectRatio.cpp aborts
    int nz;
  };
  const Row rows[] = {{1, 8, "2x2x2", 288},     {2, 8, "4x2x2", 288},        {3, 8, "2x4x3", 288},
                      {5, 8, "2x4x5", 288},     {7, 8, "2x4x7", 288},        {13, 8, "2x4x13", 288},
                      {31, 8, "HPCG-04", 0},    {40, 8, "8x8x5", 288},       {64, 8, "8x8x8", 288},
                      {80, 8, "8x8x10", 288},   {97, 8, "HPCG-04", 0},       {98, 8, "8x7x14", 272},
                      {100, 8, "8x10x10", 288}, {12500, 8, "40x50x50", 288}, {3, 4, "2x3x2", 288},
                      {40, 4, "4x8x5", 288},    {3, 6, "2x3x3", 288},        {40, 6, "8x6x5", 288}};
  const Implementation nvidia = shipped("hpcg", "nvidia");
  for (const Row& row : rows) {
    CAPTURE(row.nodes, row.gpus);
    const auto hpcg = planned(nodes_of(row.nodes, row.gpus), nvidia);
    CHECK(sides(hpcg, {"npx", "npy", "npz"}) == row.grid);
    if (!hpcg) continue;
    CHECK(sides(hpcg, {"nx", "ny", "nz"}) == fmt::format("512x512x{}", row.nz));
    CHECK(why(*hpcg, "nz").rule.find(row.nz == 288 ? "run_sample.sh" : "SAKURAONE, Table 6") !=
          std::string::npos);
    CHECK(number(*hpcg, "rt") == "1860");
    // Table 6: 16 threads a process; elsewhere the cores that a rank has.
    CHECK(value_text(*find_parameter(hpcg->environment, "OMP_NUM_THREADS")) ==
          std::to_string(row.nz == 272 ? 16 : 96 / row.gpus));
  }
}

TEST_CASE(
    "HPL-MxP on H100: FP16, as the list takes it; the sample's memory on one node, Table 7's on several") {
  struct Row {
    int nodes;
    std::int64_t N;  // floor to 1024 of sqrt(share x 79.11 GiB x GPUs / 4)
    const char* grid;
  };
  const Row rows[] = {{1, 379904, "4x2"},      {2, 431104, "4x4"},          {3, 528384, "4x6"},
                      {5, 681984, "8x5"},      {7, 806912, "8x7"},          {13, 1099776, "8x13"},
                      {31, 1698816, "8x31"},   {40, 1929216, "16x20"},      {64, 2440192, "16x32"},
                      {80, 2728960, "16x40"},  {96, 2989056, "24x32"},      {97, 3004416, "8x97"},
                      {100, 3050496, "16x50"}, {12500, 34112512, "200x500"}};
  const Implementation nvidia = shipped("hpl-mxp", "nvidia");
  for (const Row& row : rows) {
    CAPTURE(row.nodes);
    const auto mxp = planned(sakuraone_nodes(row.nodes), nvidia);
    REQUIRE(mxp);
    CHECK(number(*mxp, "N") == std::to_string(row.N));
    CHECK(sides(mxp, {"P", "Q"}) == row.grid);
    CHECK(number(*mxp, "precision") == "FP16");
    CHECK(why(*mxp, "precision")
              .rule.starts_with("hpl-mxp.org, rules: results submitted after the list of June 2025"));
    CHECK_FALSE(mentions(mxp->warnings, "not eligible"));
  }
}

TEST_CASE("GPT-3 on H100: divisions that are published, batches that divide and are of the closed division") {
  struct Row {
    int nodes;
    const char* division;  // TP x PP x DP, GBS, MBS; or the rule that refuses
    const char* source;
  };
  const Row rows[] = {{1, "ML-09", ""},
                      {2, "ML-09", ""},
                      {3, "ML-09", ""},  // 24 GPUs, and a copy takes 32 at least
                      {4, "ML-09", ""},
                      {5, "ML-09", ""},   // 40, 56 and 104 GPUs are no multiple of 32
                      {7, "ML-09", ""},   //
                      {8, "memory", ""},  // DP = 1: nobody shares the optimizer's state
                      {13, "ML-09", ""},
                      {16, "4x16x2x1536x2", "Table 9, 32 N"},
                      {31, "ML-09", ""},
                      {32, "4x16x4x1024x2", "Table 9, 32 N"},
                      {40, "4x16x5x1600x2", "Table 9, 32 N"},
                      {64, "4x16x8x1536x2", "Table 9, 64 N"},
                      {80, "8x16x5x1920x6", "Table 9, 96 N"},
                      {96, "8x16x6x2304x6", "Table 9, 96 N"},
                      {97, "ML-09", ""},
                      {100, "4x8x25x2400x2", "eos_n64"},
                      {384, "8x16x24x2304x6", "Table 9, 96 N"},
                      {1452, "4x8x363x5808x2", "eos_n64"},
                      {12500, "ML-09", ""}};
  const Implementation gpt3 = shipped("mlperf", "nvidia-gpt3");
  for (const Row& row : rows) {
    CAPTURE(row.nodes);
    const auto run = planned(sakuraone_nodes(row.nodes), gpt3);
    CHECK(sides(run, {"TP", "PP", "DP", "GBS", "MBS"}) == row.division);
    if (!run) continue;
    CHECK(why(*run, "TP").rule.find(row.source) != std::string::npos);
    CHECK(why(*run, "memory_per_gpu").rule.starts_with("Korthikanti et al."));
    CHECK(why(*run, "LR").rule.starts_with("NVIDIA's conf/custom.yaml"));
  }
  const auto forty = planned(sakuraone_nodes(40), gpt3);
  REQUIRE(forty);
  CHECK(why(*forty, "GBS").because ==
        "1024 on 256 GPUs, in proportion 1280, raised to the closed division's 1536, up to a multiple of DP "
        "5 x "
        "MBS 2 x PP 16 = 160");
  // 3125 copies of 32 GPUs each would need a batch of 50000.
  CHECK(planned(sakuraone_nodes(12500), gpt3).error().what.find("no multiple of TP x PP = 128") !=
        std::string::npos);
}

TEST_CASE("Llama 2 LoRA on H100: the least batch from 8 on that the copies divide") {
  struct Row {
    int nodes, gpus;
    const char* division;  // TP x CP x DP, GBS
  };
  const Row rows[] = {
      {1, 8, "4x1x2x8"},     // SAKURAONE, Table 11; NVIDIA, config_DGXH100_1x8x4xtp4pp1cp1.sh
      {2, 8, "4x2x2x8"},     //
      {3, 8, "4x2x3x9"},     //
      {5, 8, "4x2x5x10"},    //
      {7, 8, "4x2x7x14"},    //
      {8, 8, "4x2x8x8"},     // Table 11
      {13, 8, "4x2x13x13"},  //
      {31, 8, "4x2x31x31"},  //
      {40, 8, "4x2x40x40"},  //
      {64, 8, "4x2x64x64"},  // Table 11
      {80, 8, "4x2x80x80"},  //
      {96, 8, "4x2x96x96"},  // Table 11
      {97, 8, "4x2x97x97"},  //
      {100, 8, "4x2x100x100"}, {1, 4, "4x1x1x8"},  // as Dell's config_XE8640_1x4x4xtp4pp1cp1_2.sh
      {2, 4, "4x2x1x8"},       {3, 4, "4x1x3x9"},  // 12 GPUs are no multiple of 8
      {1, 6, "ML-09"},         {2, 6, "ML-09"}};   // TP 4 would cross nodes of 6
  const Implementation lora = shipped("mlperf", "nvidia-llama2_70b_lora");
  for (const Row& row : rows) {
    CAPTURE(row.nodes, row.gpus);
    const auto run = planned(nodes_of(row.nodes, row.gpus), lora);
    CHECK(sides(run, {"TP", "CP", "DP", "GBS"}) == row.division);
    if (!run) continue;
    CHECK(why(*run, "environment").rule.starts_with("NVIDIA, config_DGXH100_"));
    CHECK(why(*run, "LR").rule.starts_with("MLPerf Training v4.1"));
  }
}

TEST_CASE("Llama 3.1 8B on H100: the reference's division on one node, Cisco's on 8 and 16") {
  struct Row {
    int nodes;
    const char* division;  // TP x CP x DP, GBS
    const char* rate;
    int warmup, evaluation;  // steps: the image's own are those of the 405B model
  };
  const Row rows[] = {{1, "4x1x2x32", "0.0005", 512, 384},   // MLCommons, config_H100_1x8x4_8b.sh
                      {2, "1x1x16x32", "0.0005", 192, 384},  //
                      {8, "1x1x64x64", "0.0008", 192, 192},  // Cisco, v5.1, config_DGXH100_8x8x1xtp1pp1cp1.sh
                      {16, "2x1x64x64", "0.0008", 192, 192},
                      {64, "4x1x128x128", "0.0008", 512, 96}};
  const Implementation small = shipped("mlperf", "nvidia-llama31_8b");
  for (const Row& row : rows) {
    CAPTURE(row.nodes);
    const auto run = planned(sakuraone_nodes(row.nodes), small);
    CHECK(sides(run, {"TP", "CP", "DP", "GBS"}) == row.division);
    if (!run) continue;
    const auto variable = [&](std::string_view name) {
      return value_text(*find_parameter(run->environment, name));
    };
    CHECK(variable("LR") == row.rate);
    CHECK(variable("WARMUP_STEPS") == std::to_string(row.warmup));
    CHECK(variable("VAL_CHECK_INTERVAL") == std::to_string(row.evaluation));
    CHECK(variable("SEQ_PARALLEL") == (number(*run, "TP") == "1" ? "False" : "True"));
    CHECK(why(*run, "environment").rule.starts_with("WARMUP_STEPS: "));
    CHECK(why(*run, "VAL_CHECK_INTERVAL").rule.starts_with("every 12288 samples"));
  }
}

TEST_CASE("a pinned division above the memory's estimate is warned about: NVIDIA's own on H200 is one") {
  NodeGroup node = nodes_of(1, 8);
  for (Gpu& gpu : node.gpus) {
    gpu.model = "NVIDIA H200";
    gpu.memory_bytes = static_cast<std::int64_t>(139.8 * gibi);
  }
  const Implementation lora = shipped("mlperf", "nvidia-llama2_70b_lora");
  const auto whole =
      planned(node, lora, {.pins = {{"TP", std::int64_t{1}}, {"CP", std::int64_t{2}}}});  // MINIBS = 2
  CHECK(sides(whole, {"TP", "CP", "DP", "GBS"}) == "1x2x4x8");
  REQUIRE(whole);
  CHECK(mentions(whole->warnings, "it is planned since it is pinned"));
  const auto own = planned(node, lora);
  REQUIRE(own);
  CHECK_FALSE(mentions(own->warnings, "it is planned since it is pinned"));
}

TEST_CASE("IO500's clients: the published 128 ranks a node, fewer where all are more than 4096") {
  struct Row {
    int nodes, ranks;
  };
  const Row rows[] = {{1, 128},  {3, 128},  {10, 128},                                // submission 743
                      {13, 128}, {31, 128}, {40, 64},  {64, 64}, {80, 32}, {96, 32},  // submission 746
                      {100, 32}, {12500, 1}};
  for (const Row& row : rows) {
    CAPTURE(row.nodes);
    const auto io500 = planned(sakuraone_nodes(row.nodes), shipped("io500", "official"));
    REQUIRE(io500);
    CHECK(io500->ranks_per_node == row.ranks);
    CHECK(
        why(*io500, "ranks_per_node").rule.starts_with("128 ranks a node as in SAKURAONE's submission 743"));
  }
}
