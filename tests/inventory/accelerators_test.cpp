#include "orchestrator/inventory/accelerators.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "orchestrator/core/file.hpp"
#include "tests/inventory/nodes.hpp"

using namespace shakedown;

namespace {

Gpu gpu_of(const std::string& model, const std::string& pci_id = "", double mib = 0) {
  Gpu gpu;
  gpu.model = model;
  gpu.pci_id = pci_id;
  gpu.memory_bytes = static_cast<std::int64_t>(mib * 1024 * 1024);
  return gpu;
}

std::string found(const Gpu& gpu) {
  const CatalogueAnswer answer = catalogued(gpu);
  return answer.row == nullptr ? answer.why_not : answer.row->id;
}

const Accelerator& row(const std::string& id) {
  const auto it =
      std::ranges::find_if(accelerators(), [&](const Accelerator& each) { return each.id == id; });
  REQUIRE(it != accelerators().end());
  return *it;
}

const std::string one_row = R"([sources]
sheet = "a data sheet"

[[accelerators]]
id = "x1"
vendor = "V"
family = "X"
form = "OAM"
architecture = "A"
seen.names = ["V X1"]
seen.pci_ids = ["1234:0001"]
seen.source = "sheet"
memory.sold_gb = 10
memory.source = "sheet"
link.gb_s = 100
link.kind = "wire"
link.source = "sheet"
power.tdp_watts = 100
power.source = "sheet"
peak.fp64_vector_tflops = 1
peak.fp32_tflops = 2
peak.fp16_dense_tflops = 4
peak.memory_bandwidth_gb_s = 8
peak.source = "sheet"
)";

}  // namespace

TEST_CASE("the shipped catalogue has all accelerators that it must, each with its sources") {
  const auto text =
      named_file_content(std::string(PROJECT_FOLDER) + "/orchestrator/inventory/accelerators.toml");
  REQUIRE(text);
  const auto rows = accelerators_from_toml(*text, "accelerators.toml");
  if (!rows) FAIL(to_string(rows.error()));
  CHECK(rows->size() == accelerators().size());
  std::set<std::string> families;
  for (const Accelerator& each : *rows) families.insert(each.family);
  for (const char* family : {"V100", "A100", "H100", "H200", "GH200", "B200", "GB200", "B300", "GB300",
                             "MI210", "MI250X", "MI300X", "MI300A", "MI325X", "MI355X"})
    CHECK(families.contains(family));
}

TEST_CASE("a catalogue of accelerators whose row lacks a value or a source is refused") {
  REQUIRE(accelerators_from_toml(one_row, "a.toml"));
  size_t lines = 0;
  for (size_t at = one_row.find("id = "); at < one_row.size(); at = one_row.find('\n', at) + 1) {
    std::string damaged = one_row;
    const std::string line = one_row.substr(at, one_row.find('\n', at) - at);
    CAPTURE(line);
    damaged.erase(at, line.size());
    CHECK_FALSE(accelerators_from_toml(damaged, "a.toml"));
    ++lines;
  }
  CHECK(lines == 20);
  std::string elsewhere = one_row;
  elsewhere.replace(elsewhere.rfind("sheet"), 5, "shift");
  const auto refused = accelerators_from_toml(elsewhere, "a.toml");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == "a.toml:24");
  CHECK_THAT(refused.error().what, Catch::Contains("no document 'shift' under [sources]"));
}

TEST_CASE("the rates of a row agree with each other") {
  // Matrix units of these architectures double their rate with each halving of the width; MI210 and later
  // have the same for FP16 and BF16.
  for (const Accelerator& each : accelerators()) {
    CAPTURE(each.id);
    const GpuPeak& peak = each.peak;
    CHECK_FALSE(peak.source.empty());
    const auto ratio = [](const std::optional<double>& a, const std::optional<double>& b, double expected) {
      if (a && b) CHECK(*a / *b == Approx(expected).epsilon(0.005));
    };
    ratio(peak.bf16_dense_tflops, peak.fp16_dense_tflops, 1);
    ratio(peak.fp16_dense_tflops, peak.tf32_dense_tflops, 2);
    ratio(peak.fp8_dense_tflops, peak.fp16_dense_tflops, 2);
    if (each.sold_gb * 1e9 < 1e12) CHECK(each.sold_gb > 10);
    if (each.shown_bytes > 0) {
      // Sold in 10^9 or 2^30 bytes, less what the driver keeps.
      const double gb = static_cast<double>(each.shown_bytes) * each.devices / 1e9;
      CHECK(gb > 0.95 * each.sold_gb);
      CHECK(gb < 1.08 * each.sold_gb);
      CHECK(each.usable_bytes <= each.shown_bytes);
    }
    // What fits is planned by it. Of MI350X, public logs show two sizes.
    CHECK((each.usable_bytes > 0.7e9 * each.sold_gb / each.devices) == (each.id != "mi350x"));
    if (each.units > 0) {
      // AMD: 128 or 256 FP64 operations per cycle and unit, at 1.6 to 2.5 GHz.
      const double gigahertz = *peak.fp64_vector_tflops * 1000 / each.units / 128;
      CHECK(gigahertz > 1.6);
      CHECK(gigahertz < 2.5);
    }
  }
}

TEST_CASE("GPUs are found by PCI device, by the tools' name and by what Slurm writes") {
  CHECK(found(gpu_of("NVIDIA H100 80GB HBM3", "10de:2330", 81080)) == "h100-sxm5-80gb");
  CHECK(found(gpu_of("NVIDIA H100 PCIe", "10de:2331", 81080)) == "h100-pcie-80gb");
  CHECK(found(gpu_of("NVIDIA H200", "", 143157)) == "h200-sxm-141gb");
  CHECK(found(gpu_of("NVIDIA H200 NVL")) == "h200-nvl-141gb");
  CHECK(found(gpu_of("nvidia_a100-sxm4-80gb")) == "a100-sxm4-80gb");
  CHECK(found(gpu_of("A100-SXM4-40GB")) == "a100-sxm4-40gb");  // older drivers leave the vendor out
  CHECK(found(gpu_of("NVIDIA GH200 480GB", "10de:2342", 97280)) == "gh200-96gb");
  CHECK(found(gpu_of("NVIDIA GH200 144G HBM3e", "10de:2348", 146200)) == "gh200-144gb");
  CHECK(found(gpu_of("NVIDIA B200", "10de:2901", 182630)) == "b200");
  CHECK(found(gpu_of("NVIDIA B200", "10de:ffff", 182630)) == "b200");  // a new device with a known name
  CHECK(found(gpu_of("mi300x")) == "mi300x");
  CHECK(found(gpu_of("", "1002:74a1", 196592)) == "mi300x");
  CHECK(found(gpu_of("h100", "", 95830)) == "h100-nvl-94gb");
  Gpu die = gpu_of("", "1002:740c", 65520);
  die.sm_count = 110;
  CHECK(found(die) == "mi250x");
  die.sm_count = 104;
  CHECK(found(die) == "mi250");
}

TEST_CASE("what the catalogue doesn't know stays unknown, with a sentence") {
  CHECK(found(gpu_of("Radical 9000", "10de:ffff")) ==
        "GPU 'Radical 9000' (PCI 10de:ffff) is not in the catalogue of accelerators: no peak is known; an "
        "inventory "
        "file can state it in [groups.gpus.peak]");
  CHECK(found(gpu_of("h100")) ==
        "GPU 'h100' can be NVIDIA H100 SXM5 80 GB, NVIDIA H100 PCIe 80 GB, NVIDIA H100 NVL 94 GB: no peak is "
        "taken; "
        "write the model as nvidia-smi or amd-smi prints it");
  CHECK_THAT(found(gpu_of("NVIDIA H100 80GB HBM3", "10de:2330", 143771)),
             Catch::Contains("has 140 GiB of memory, which no NVIDIA H100 SXM5 80 GB has"));
  CHECK_THAT(found(gpu_of("")), Catch::StartsWith("a GPU without a model is not in the catalogue"));
  // A board that calls itself H100 and is none of those here: its name is not one that a tool prints of them.
  CHECK_THAT(found(gpu_of("NVIDIA H100", "10de:2339", 95830)), Catch::Contains("is not in the catalogue"));
}

TEST_CASE("what an inventory states of its GPUs goes first, and the source says which is which") {
  Inventory inventory = inventory_of({gpu_node("cn1", 2)});
  for (Gpu& gpu : inventory.groups[0].gpus) {
    gpu.model = "NVIDIA H200";
    gpu.memory_bytes = 0;
  }
  inventory.groups[0].gpus[1].peak.fp64_tensor_tflops = 60;
  inventory.groups[0].gpus[1].peak.source = "measured by us";
  fill_from_catalogue(inventory);
  const Gpu& empty = inventory.groups[0].gpus[0];
  CHECK(empty.peak.fp64_tensor_tflops == 67);
  CHECK(empty.peak.fp8_dense_tflops == 1979);
  CHECK(empty.peak.memory_bandwidth_gb_s == 4800);
  CHECK(empty.peak.link_gb_s == 900);
  CHECK(empty.peak.tdp_watts == 700);
  CHECK_FALSE(empty.peak.fp4_dense_tflops);
  CHECK_FALSE(empty.peak.fp64_emulated_tflops);
  CHECK(empty.peak.source ==
        "catalogue, NVIDIA H200 SXM5 141 GB: NVIDIA H200 Tensor Core GPU data sheet, November 2024");
  CHECK(empty.memory_bytes == std::int64_t{143157} * 1024 * 1024);
  const GpuPeak& stated = inventory.groups[0].gpus[1].peak;
  CHECK(stated.fp64_tensor_tflops == 60);
  CHECK(stated.fp64_vector_tflops == 34);
  CHECK_THAT(stated.source, Catch::StartsWith("measured by us; fp64_vector_tflops, fp32_tflops, "));
  CHECK_THAT(stated.source, Catch::Contains("from the catalogue, NVIDIA H200 SXM5 141 GB: "));
  REQUIRE(inventory.notes.size() == 1);
  CHECK_THAT(inventory.notes[0],
             Catch::StartsWith("memory of GPU 'NVIDIA H200', 140 GiB, is that of the catalogue"));
  const Inventory once = inventory;
  fill_from_catalogue(inventory);
  CHECK(inventory == once);
}

TEST_CASE("a GPU that is one of two devices of a package has half of what the vendor states") {
  const GpuPeak& peak = row("mi250x").peak;
  CHECK(peak.fp64_vector_tflops == Approx(47.9 / 2));
  CHECK(peak.tdp_watts == Approx(280));
  CHECK_THAT(peak.source, Catch::EndsWith("one of 2 devices of a package"));
}

TEST_CASE("power that a CPU shares is none of the GPU's") {
  CHECK_FALSE(row("gh200-96gb").peak.tdp_watts);
  CHECK(row("gh200-96gb").tdp_watts == 1000);
  CHECK_FALSE(row("mi300a").peak.tdp_watts);
}

TEST_CASE("an unknown GPU adds one note, none where its FP64 is stated") {
  Inventory inventory = inventory_of({gpu_node("cn1", 8)});
  for (Gpu& gpu : inventory.groups[0].gpus) gpu.model = "Radical 9000";
  fill_from_catalogue(inventory);
  CHECK(inventory.notes.size() == 1);
  CHECK(inventory.groups[0].gpus[0].peak == GpuPeak{});
  inventory.notes.clear();
  for (Gpu& gpu : inventory.groups[0].gpus) gpu.peak.fp64_vector_tflops = 5;
  fill_from_catalogue(inventory);
  CHECK(inventory.notes.empty());
}
