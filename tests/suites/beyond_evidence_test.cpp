// Plans far from what was published: what has no evidence is refused, bound or said to be missing.
#include <catch2/catch.hpp>

#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;
using namespace shakedown::tests;

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
