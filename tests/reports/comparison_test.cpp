#include "reports/comparison.hpp"

#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::hpl;
using fixture::judged;
using fixture::quick_campaign;

namespace {

Comparison found(const CampaignRecord& campaign, std::string_view suite, std::string_view metric) {
  for (const Comparison& comparison : judged(campaign).comparisons)
    if (comparison.suite == suite && comparison.metric == metric) return comparison;
  FAIL("no comparison of " << metric);
  return {};
}

/// HPL by NVIDIA's build on 98 nodes of 8 GPUs.
CampaignRecord sakuraone_again() {
  CampaignRecord campaign = quick_campaign();
  Gpu gpu;
  gpu.model = "NVIDIA H100 SXM 80 GB";
  campaign.inventory.groups[0].gpus.assign(8, gpu);
  CaseRecord& record = hpl(campaign);
  record = fixture::hpl_case(33000000);
  record.planned.implementation = "nvidia";
  record.planned.nodes = 98;
  record.planned.ranks = 784;
  return campaign;
}

}  // namespace

TEST_CASE("totals of unlike machines are not comparable, with every condition that differs") {
  const Comparison rmax = found(quick_campaign(), "hpl", "rmax_gflops");
  CHECK_FALSE(rmax.comparable);
  CHECK_FALSE(rmax.ratio);
  CHECK(rmax.measured.value() == Approx(93.182));
  CHECK(rmax.baseline.value() == 33950000);
  CHECK(rmax.condition ==
        "98 nodes there, 1 here; 784 GPUs there, none here; GPU NVIDIA H100 SXM 80 GB there, none "
        "here; "
        "implementation nvidia there, reference here");
}

TEST_CASE("a rate per GPU needs GPUs here") {
  const Comparison per_gpu = found(quick_campaign(), "hpl", "rmax_gflops_per_gpu");
  CHECK_FALSE(per_gpu.comparable);
  CHECK_FALSE(per_gpu.measured);
  CHECK(per_gpu.condition.starts_with("device gpu there, cpu here"));
}

TEST_CASE("efficiencies of one precision are compared across machines") {
  const Comparison efficiency = found(quick_campaign(), "hpl", "efficiency_gemm");
  CHECK(efficiency.comparable);
  CHECK(efficiency.ratio.value() == Approx(93.182 / 111.2 / 0.783));
  CHECK(efficiency.condition == "equal: precision");
  CHECK(efficiency.source == "Table 5, row 'Per-GPU efficiency'");
}

TEST_CASE("another precision is not comparable") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].results[0].parsed.parameters.push_back({"precision", std::string("fp8")});
  const Comparison efficiency = found(campaign, "hpl", "efficiency_gemm");
  CHECK_FALSE(efficiency.comparable);
  CHECK(efficiency.condition == "precision fp64 there, fp8 here");
}

TEST_CASE("the same system with the same build is compared in total and per GPU") {
  const Comparison rmax = found(sakuraone_again(), "hpl", "rmax_gflops");
  CHECK(rmax.comparable);
  CHECK(rmax.ratio.value() == Approx(33.0 / 33.95));
  CHECK(found(sakuraone_again(), "hpl", "rmax_gflops_per_gpu").measured.value() == Approx(33000000 / 784.0));
}

TEST_CASE("a GEMM measured on CPUs says nothing about HPL on GPUs") {
  const Comparison efficiency = found(sakuraone_again(), "hpl", "efficiency_gemm");
  CHECK_FALSE(efficiency.comparable);
  CHECK(efficiency.condition == "GEMM was measured on other devices than those that ran the case");
}

TEST_CASE("an invalid result is not compared") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].results[0].validity = Validity::invalid;
  const Comparison efficiency = found(campaign, "hpl", "efficiency_gemm");
  CHECK_FALSE(efficiency.comparable);
  CHECK_FALSE(efficiency.measured);
  CHECK(efficiency.condition == "no valid result here");
}

TEST_CASE("a condition that the table misspells is refused") {
  const auto table = read_comparability(
      "[[comparisons]]\nsuite = 'hpl'\nmetric = 'm'\nnormalisation = 'absolute'\nmust_match = ['node']\n",
      "c.toml");
  REQUIRE_FALSE(table);
  CHECK(table.error().what == "'node' is no condition (did you mean 'nodes'?)");
  CHECK(table.error().where == "c.toml:5");
}
