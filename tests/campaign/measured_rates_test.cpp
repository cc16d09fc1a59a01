#include "orchestrator/campaign/measured_rates.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/store/database.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

Inventory one_machine() {
  Inventory inventory;
  inventory.system = "vm";
  NodeGroup group;
  group.name = "cpu";
  group.hosts = "n1";
  group.cpu.model = "Unknown Processor";
  group.cpu.cores = 4;
  group.memory_bytes = group.usable.memory_bytes = std::int64_t{16} << 30;
  inventory.groups = {group};
  return inventory;
}

ResultRecord result_of(const std::string& suite, const std::string& metric, double value, Validity validity) {
  ResultRecord record;
  record.parsed.suite = suite;
  record.parsed.complete = true;
  record.parsed.metrics = {{metric, value, 1}};
  record.validity = validity;
  return record;
}

struct Place {
  TemporaryFolder temporary;
  Workspace workspace{temporary.path};
  Database database = Database::open(workspace.database()).value();

  /// A campaign with a run of GEMM and one of STREAM on n1.
  void add(const std::string& id, double gemm_gflops, double triad_mb_s, const Inventory& inventory,
           Validity validity = Validity::valid, int gpus = 0) {
    CampaignRecord campaign;
    campaign.id = id;
    campaign.system = inventory.system;
    campaign.kind = "screening";
    campaign.created_s = static_cast<double>(++made);
    campaign.inventory = inventory;
    for (const char* suite : {"gemm", "stream"}) {
      CaseRecord& record = campaign.cases.emplace_back();
      record.planned.id = suite;
      record.planned.suite = suite;
      record.planned.hosts = "n1";
      record.planned.argv = {"/bin/true"};
      if (gpus > 0) record.planned.parameters = {{"gpus", std::int64_t{gpus}}};
    }
    REQUIRE(database.add_campaign(campaign));
    AttemptRecord attempt;
    attempt.state = AttemptState::finished;
    attempt.results = {result_of("gemm", "fp64_gflops", gemm_gflops, validity)};
    REQUIRE(database.record_attempt(id, "gemm", attempt));
    attempt.results = {result_of("stream", "triad_mb_s", triad_mb_s, validity)};
    REQUIRE(database.record_attempt(id, "stream", attempt));
  }
  int made = 0;
};

}  // namespace

TEST_CASE("plans begin from what the oldest campaign with these nodes measured") {
  Place place;
  CHECK(measured_rates(place.workspace, one_machine()).empty());
  place.add("c1", 100, 40000, one_machine());
  place.add("c2", 110, 44000, one_machine());
  const MeasuredRates found = measured_rates(place.workspace, one_machine()).at("cpu");
  CHECK(found.gemm_gflops == 100);
  CHECK(found.triad_gb_s == Approx(40));
  CHECK(found.source == "campaign c1");
}

TEST_CASE("invalid results, other systems and changed nodes are not taken") {
  Place place;
  place.add("c1", 50, 20000, one_machine(), Validity::invalid);
  Inventory other = one_machine();
  other.system = "another";
  place.add("c2", 60, 24000, other);
  Inventory before = one_machine();
  before.groups.front().cpu.cores = 8;
  place.add("c3", 70, 28000, before);
  CHECK(measured_rates(place.workspace, one_machine()).empty());
  place.add("c4", 80, 32000, one_machine());
  CHECK(measured_rates(place.workspace, one_machine()).at("cpu").gemm_gflops == 80);
}

TEST_CASE("what GPUs reached is no rate of processors, and holds for the same GPUs alone") {
  Place place;
  Inventory with_gpus = one_machine();
  with_gpus.groups.front().gpus.resize(8);
  for (Gpu& gpu : with_gpus.groups.front().gpus) gpu.model = "NVIDIA H100 80GB HBM3";
  place.add("c1", 440'000, 24e6, with_gpus, Validity::valid, 8);
  MeasuredRates found = measured_rates(place.workspace, with_gpus).at("cpu");
  CHECK(found.gemm_gflops == 0);
  CHECK(found.triad_gb_s == 0);
  CHECK(found.gpu_gemm_gflops == 440'000);
  CHECK(found.gpu_triad_gb_s == Approx(24'000));
  place.add("c2", 3000, 400'000, with_gpus);
  CHECK(measured_rates(place.workspace, with_gpus).at("cpu").gemm_gflops == 3000);
  for (Gpu& gpu : with_gpus.groups.front().gpus) gpu.model = "NVIDIA H200";
  found = measured_rates(place.workspace, with_gpus).at("cpu");
  CHECK(found.gpu_gemm_gflops == 0);
  CHECK(found.gpu_triad_gb_s == 0);
  CHECK(found.gemm_gflops == 3000);
}

TEST_CASE("each kind of a mixed cluster has its own rates") {
  Place place;
  Inventory mixed = one_machine();
  NodeGroup gpus = mixed.groups.front();
  gpus.name = "gpu";
  gpus.hosts = "g[1-4]";
  gpus.gpus.resize(8);
  for (Gpu& gpu : gpus.gpus) gpu.peak.fp64_tensor_tflops = 67;
  mixed.groups.push_back(gpus);
  place.add("c1", 100, 40000, mixed);
  const KindRates found = measured_rates(place.workspace, mixed);
  REQUIRE(found.size() == 1);
  CHECK(found.at("cpu").gemm_gflops == 100);
}

TEST_CASE("a workspace without a store measured nothing") {
  const TemporaryFolder empty;
  CHECK(measured_rates(Workspace{empty.path / "none"}, one_machine()).empty());
  CHECK_FALSE(std::filesystem::exists(empty.path / "none"));
}
