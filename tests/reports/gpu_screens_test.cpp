// Efficiencies of programs for GPUs refer to the screens of GPUs, or to what the inventory states of them.
#include <catch2/catch.hpp>

#include "reports/measure/efficiency.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

constexpr double best_gemm_of_sakuraone = 55340;  // GFLOP/s a GPU, Table 5
constexpr double hpl_of_sakuraone = 43310;

/// A GEMM of processor cores, one of GPUs for each of two nodes, and HPL on both.
CampaignRecord gpu_campaign() {
  CampaignRecord campaign = fixture::quick_campaign();
  CaseRecord hpl = campaign.cases[1];
  REQUIRE(hpl.planned.suite == "hpl");
  NodeGroup& group = campaign.inventory.groups.front();
  group.hosts = "vm,vm2";
  Gpu gpu;
  gpu.model = "NVIDIA H100 80GB HBM3";
  gpu.peak.fp64_vector_tflops = 33.5;
  gpu.peak.fp64_tensor_tflops = 66.9;
  gpu.peak.memory_bandwidth_gb_s = 3352;
  group.gpus.assign(8, gpu);
  for (const char* host : {"vm", "vm2"}) {
    CaseRecord screen = fixture::gemm_case(8 * best_gemm_of_sakuraone);
    screen.planned.implementation = "cuda";
    screen.planned.id = std::string("gemm-cuda-1n-") + host;
    screen.planned.hosts = host;
    campaign.cases.push_back(screen);
  }
  hpl.planned.implementation = "nvidia";
  hpl.planned.id = "hpl-nvidia-2n";
  hpl.planned.nodes = 2;
  hpl.planned.ranks = 16;
  hpl.planned.hosts = "vm,vm2";
  for (Metric& metric : hpl.attempts.front().results.front().parsed.metrics)
    if (metric.name == "rmax_gflops") metric.value = 16 * hpl_of_sakuraone;
  campaign.cases.push_back(hpl);
  return campaign;
}

/// An efficiency of the last case.
Measurement of(const CampaignRecord& record, std::string_view metric) {
  const MeasuredCampaign campaign(record);
  const auto comparability = read_comparability(fixture::comparability(), "comparability.toml").value();
  return efficiency(campaign, campaign.cases.back(), metric, comparability);
}

}  // namespace

TEST_CASE("HPL on GPUs is held against the GEMM of GPUs: SAKURAONE's 78.3 %") {
  const CampaignRecord campaign = gpu_campaign();
  const Measurement hpl = of(campaign, "efficiency_gemm");
  REQUIRE(hpl.points.size() == 1);
  CHECK(hpl.points.front() == Approx(0.783).epsilon(0.001));
  CHECK(hpl.screens == std::vector<std::string>{"gemm-cuda-1n-vm", "gemm-cuda-1n-vm2"});
  CampaignRecord without = campaign;
  std::erase_if(without.cases, [](const CaseRecord& each) { return each.planned.implementation == "cuda"; });
  CHECK(of(without, "efficiency_gemm").missing ==
        "no reference: GEMM was measured on other devices than those that ran the case");
}

TEST_CASE("rates of GPUs are held against the peaks that the inventory states of them") {
  CampaignRecord campaign = gpu_campaign();
  const Measurement hpl = of(campaign, "efficiency_rpeak");
  REQUIRE(hpl.points.size() == 1);
  CHECK(hpl.points.front() == Approx(0.647).epsilon(0.001));  // SAKURAONE's baseline
  CaseRecord stream = fixture::gemm_case();
  stream.planned.suite = "stream";
  stream.planned.implementation = "cuda";
  stream.planned.parameters = {{"gpus", std::int64_t{8}}};
  ParsedResult& parsed = stream.attempts.front().results.front().parsed;
  parsed.suite = "stream";
  parsed.metrics = {{"triad_mb_s", 8 * 2.97e6, 1}};
  campaign.cases.push_back(stream);
  const Measurement memory = of(campaign, "efficiency_memory");
  REQUIRE(memory.points.size() == 1);
  CHECK(memory.points.front() == Approx(2.97 / 3.352));
  campaign.cases.back().planned.parameters = {{"gpus", std::int64_t{4}}};
  CHECK(of(campaign, "efficiency_memory").points.front() == Approx(2 * 2.97 / 3.352));
  campaign.inventory.groups.front().gpus[3].peak = {};
  CHECK(of(campaign, "efficiency_memory").missing ==
        "no peak to compare with: the inventory does not give the bandwidth of the GPUs' memory");
}
