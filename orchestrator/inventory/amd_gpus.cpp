#include "orchestrator/inventory/amd_gpus.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

/// A node of kfd's topology: a GPU, or one of the partitions of a GPU.
struct KfdNode {
  int compute_units = 0;
  double max_mhz = 0;
};

/// "simd_count 1216" -> 1216; 0 where the key is absent.
std::int64_t property(std::string_view text, std::string_view key) {
  for (const std::string_view line : split(text, '\n')) {
    const auto pieces = words(line);
    if (pieces.size() == 2 && pieces[0] == key) return parsed_integer(pieces[1]).value_or(0);
  }
  return 0;
}

/// The nodes of kfd by the PCI address of their GPU. The function of the address counts the partitions.
std::map<std::string, std::vector<KfdNode>> kfd_nodes(const std::filesystem::path& root) {
  std::map<std::string, std::vector<KfdNode>> nodes;
  const auto folder = root / "sys/class/kfd/kfd/topology/nodes";
  for (const std::string& name : names_in(folder)) {
    const auto text = system_file(folder / name / "properties");
    if (!text) continue;
    const std::int64_t simds = property(*text, "simd_count");
    if (simds <= 0) continue;  // a processor
    const std::int64_t location = property(*text, "location_id");
    const std::string address = fmt::format("{:04x}:{:02x}:{:02x}.0", property(*text, "domain"),
                                            (location >> 8) & 0xff, (location >> 3) & 0x1f);
    const std::int64_t per_unit = std::max<std::int64_t>(1, property(*text, "simd_per_cu"));
    nodes[address].push_back({static_cast<int>(simds / per_unit),
                              static_cast<double>(property(*text, "max_engine_clk_fcompute"))});
  }
  return nodes;
}

/// The highest of "0: 900Mhz\n1: 1300Mhz *"; 0: not readable.
double highest_clock_mhz(const std::filesystem::path& file) {
  double highest = 0;
  const std::string text = system_file(file).value_or("");
  for (const std::string_view line : split(text, '\n'))
    if (const auto pieces = words(line); pieces.size() >= 2)
      highest = std::max(highest, std::strtod(std::string(pieces[1]).c_str(), nullptr));
  return highest;
}

/// "0x74a1" -> "74a1"
std::string hexadecimal(const std::filesystem::path& file) {
  const std::string text = system_file(file).value_or("");
  return lower(text.starts_with("0x") ? text.substr(2) : text);
}

/// The memory's bit is the lowest of "feature mask: 0x7fff".
std::optional<bool> amd_memory_ecc(const std::filesystem::path& device) {
  const auto mask = field_of(system_file(device / "ras/features").value_or(""), "feature mask");
  if (!mask) return std::nullopt;
  return (std::strtoull(mask->c_str(), nullptr, 16) & 1) != 0;
}

/// PCI classes: a display controller without a screen, a 3D controller, a processing accelerator.
bool is_accelerator(const std::filesystem::path& device) {
  const std::string kind = hexadecimal(device / "class");
  return kind.starts_with("0380") || kind.starts_with("0302") || kind.starts_with("1200");
}

Gpu amd_gpu(const std::filesystem::path& device, const std::string& address, const std::string& driver) {
  Gpu gpu;
  gpu.pci_address = address;
  gpu.pci_id = fmt::format("{}:{}", hexadecimal(device / "vendor"), hexadecimal(device / "device"));
  gpu.model = system_file(device / "product_name").value_or("");
  if (const std::string unique = system_file(device / "unique_id").value_or(""); !unique.empty())
    gpu.uuid = "GPU-" + unique;
  gpu.memory_bytes = system_number(device / "mem_info_vram_total").value_or(0);
  gpu.sm_mhz_max = highest_clock_mhz(device / "pp_dpm_sclk");
  gpu.memory_mhz_max = highest_clock_mhz(device / "pp_dpm_mclk");
  gpu.ecc = amd_memory_ecc(device);
  gpu.numa_node = static_cast<int>(system_number(device / "numa_node").value_or(-1));
  gpu.driver = driver;
  gpu.vbios = system_file(device / "vbios_version").value_or("");
  return gpu;
}

}  // namespace

FoundGpus read_amd_gpus(const std::filesystem::path& root) {
  FoundGpus found;
  const auto devices = root / "sys/bus/pci/devices";
  const auto nodes = kfd_nodes(root);
  const std::string driver = system_file(root / "sys/module/amdgpu/version").value_or("");
  for (const std::string& address : names_in(devices)) {
    const auto device = devices / address;
    if (link_name(device / "driver") != "amdgpu" || !is_accelerator(device)) continue;
    Gpu gpu = amd_gpu(device, address, driver);
    const auto it = nodes.find(address);
    if (it != nodes.end()) {
      for (const KfdNode& node : it->second) gpu.sm_count += node.compute_units;
      if (it->second.front().max_mhz > 0) gpu.sm_mhz_max = it->second.front().max_mhz;
      if (it->second.size() > 1)
        found.notes.push_back(fmt::format(
            "GPU {} is in {} partitions ({}), which HIP shows as so many devices; here it is one GPU",
            address, it->second.size(),
            system_file(device / "current_compute_partition").value_or("mode unknown")));
    }
    if (gpu.memory_bytes == 0)
      found.notes.push_back(fmt::format("GPU {} does not report its memory", address));
    found.gpus.push_back(std::move(gpu));
  }
  if (!found.gpus.empty()) found.driver = driver.empty() ? "amdgpu of the kernel" : "amdgpu " + driver;
  return found;
}

}  // namespace shakedown
