#include "orchestrator/inventory/inventory_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/heterogeneity.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/system_text.hpp"
#include "orchestrator/inventory/text_layout.hpp"
#include "orchestrator/inventory/toml_gpus.hpp"

namespace shakedown {
namespace {

std::string gigahertz(double mhz) {
  return number(mhz / 1000, 3) + " GHz";
}
std::string counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

Lines cpu_lines(const NodeGroup& node) {
  const Cpu& cpu = node.cpu;
  const std::string model = cpu.model.empty() ? "unknown model" : cpu.model;
  Lines lines = {list({fmt::format("{} x {}", cpu.sockets, model), cpu.architecture})};
  const auto count = [](int number_of, std::string_view noun) {
    return counted(static_cast<size_t>(number_of), noun);
  };
  lines.push_back(
      list({count(cpu.cores, "core"), count(cpu.threads_per_core, "hardware thread") + " per core",
            count(cpu.numa_nodes, "NUMA node"), cpu.vector_extension}));
  lines.push_back(list({cpu.base_mhz > 0 ? gigahertz(cpu.base_mhz) + " base" : "",
                        cpu.max_mhz > 0 ? gigahertz(cpu.max_mhz) + " max" : "",
                        cpu.fp64_flop_per_cycle > 0
                            ? fmt::format("{} FP64 FLOP per cycle and core", cpu.fp64_flop_per_cycle)
                            : ""}));
  if (const double peak = cpu_peak_gflops(node); peak > 0)
    lines.push_back(flops_text(peak) + " peak of the usable cores at the base clock");
  std::erase(lines, "");
  return lines;
}

Lines cache_lines(const Cpu& cpu) {
  Row pieces;
  for (const Cache& cache : cpu.caches)
    pieces.push_back(fmt::format("L{}{} {} x {}", cache.level, cache.level == 1 ? "d" : "", cache.instances,
                                 bytes_text(cache.bytes)));
  return wrapped_list(pieces);
}

Lines memory_lines(const NodeGroup& node) {
  const double peak = node.memory_bandwidth_gb_s.value_or(0);
  return wrapped_list({node.memory_bytes > 0 ? bytes_text(node.memory_bytes) : "unknown", node.memory_modules,
                       peak > 0 ? grouped(peak, 4) + " GB/s peak" : ""});
}

Lines usable_lines(const NodeGroup& node) {
  const Usable& usable = node.usable;
  const int threads = node.cpu.cores * node.cpu.threads_per_core;
  const bool whole = usable.cores == node.cpu.cores && usable.hardware_threads == threads &&
                     usable.memory_bytes == node.memory_bytes && usable.cpu_quota == 0;
  const std::string available =
      usable.available_bytes > 0 ? bytes_text(usable.available_bytes) + " free now" : "";
  if (whole) return {list({"the whole board", available})};
  const bool smt = node.cpu.threads_per_core > 1;
  const bool all_memory = usable.memory_bytes == node.memory_bytes;
  Lines lines = wrapped_list(
      {fmt::format("{} of {} cores", usable.cores, node.cpu.cores),
       smt ? fmt::format("{} of {} hardware threads", usable.hardware_threads, threads) : "",
       usable.cpu_quota > 0 ? fmt::format("CPU time of {}", grouped(usable.cpu_quota, 3)) : "",
       all_memory ? "all memory"
                  : fmt::format("{} of {}", bytes_text(usable.memory_bytes), bytes_text(node.memory_bytes)),
       available});
  for (const std::string& reason : usable.limited_by)
    for (const std::string& line : wrapped("- " + reason)) lines.push_back(line);
  return lines;
}

Lines peak_lines(const GpuPeak& peak) {
  const auto rate = [](const std::optional<double>& tflops, std::string_view precision) {
    return tflops ? fmt::format("{} {}", flops_text(*tflops * 1000), precision) : "";
  };
  const std::string bandwidth =
      peak.memory_bandwidth_gb_s ? grouped(*peak.memory_bandwidth_gb_s, 4) + " GB/s memory" : "";
  const Row pieces = {rate(peak.fp64_tensor_tflops, "FP64 tensor"),
                      rate(peak.fp64_vector_tflops, "FP64 vector"), rate(peak.fp16_dense_tflops, "FP16"),
                      rate(peak.fp8_dense_tflops, "FP8"), bandwidth};
  if (list(pieces).empty()) return {};
  Lines lines = wrapped_list(pieces);
  lines.front() = "peak: " + lines.front();
  return lines;
}

Lines gpu_lines(const std::vector<Gpu>& gpus) {
  Lines lines;
  size_t first = 0;
  for (const size_t count : gpu_runs(gpus)) {
    const Gpu& gpu = gpus[first];
    const std::string model = gpu.model.empty() ? "unknown model" : gpu.model;
    const Row pieces = {fmt::format("{} x {}", count, model),
                        gpu.memory_bytes > 0 ? bytes_text(gpu.memory_bytes) : "",
                        gpu.sm_count > 0 ? fmt::format("{} SMs", gpu.sm_count) : "",
                        gpu.sm_mhz_max > 0 ? gigahertz(gpu.sm_mhz_max) + " max" : "",
                        gpu.ecc ? (*gpu.ecc ? "ECC on" : "ECC off") : "",
                        gpu.vbios.empty() ? "" : "VBIOS " + gpu.vbios};
    for (const std::string& line : wrapped_list(pieces)) lines.push_back(line);
    for (const std::string& line : peak_lines(gpu.peak)) lines.push_back(line);
    first += count;
  }
  return lines;
}

Lines nic_lines(const std::vector<Nic>& nics) {
  std::vector<Row> rows;
  rows.reserve(nics.size());
  for (const Nic& nic : nics)
    rows.push_back({nic.name, nic.state, nic.speed_gb_s > 0 ? grouped(nic.speed_gb_s, 4) + " Gbit/s" : "",
                    nic.rdma_device == nic.name ? "" : nic.rdma_device, nic.driver,
                    nic.numa_node >= 0 ? fmt::format("NUMA {}", nic.numa_node) : "",
                    nic.gpu ? fmt::format("GPU {}", *nic.gpu) : "",
                    nic.rail ? fmt::format("rail {}", *nic.rail) : "", nic.role, nic.firmware});
  return aligned(rows);
}

Lines mount_lines(const std::vector<Mount>& mounts) {
  std::vector<Row> rows;
  rows.reserve(mounts.size());
  for (const Mount& mount : mounts) {
    const bool known = mount.total_bytes > 0;
    rows.push_back({mount.path, mount.type, known ? bytes_text(mount.total_bytes) : "",
                    known ? bytes_text(mount.free_bytes) + " free" : "", mount.writable ? "rw" : "ro",
                    mount.source == mount.type ? "" : mount.source});
  }
  return aligned(rows);
}

Lines software_lines(const Software& software) {
  Lines lines = wrapped_list(
      {software.os, software.kernel.empty() ? "" : "kernel " + software.kernel,
       software.gpu_driver.empty() ? "" : "GPU driver " + software.gpu_driver,
       software.virtualisation.empty() ? "" : "in a " + software.virtualisation + " virtual machine"});
  for (const std::string& line :
       wrapped_list({software.board, software.firmware.empty() ? "" : "firmware " + software.firmware}))
    lines.push_back(line);
  std::erase(lines, "");
  return lines;
}

std::string group_text(const NodeGroup& node) {
  const auto hosts = expanded_hostlist(node.hosts);
  const std::string count = hosts && hosts->size() > 1 ? fmt::format("  {} nodes", hosts->size()) : "";
  const std::string names = node.hosts.empty() ? "no hosts" : node.hosts;
  std::string text = fmt::format("\n{}  {}{}\n", node.name, names, count);
  text += block("CPU", cpu_lines(node));
  if (!node.cpu.caches.empty()) text += block("caches", cache_lines(node.cpu));
  text += block("memory", memory_lines(node));
  text += block("usable", usable_lines(node));
  text += block("GPUs", node.gpus.empty() ? Lines{"none"} : gpu_lines(node.gpus));
  if (!node.gpu_link.empty()) text += block("GPU link", {node.gpu_link});
  text += block("network", nic_lines(node.nics));
  text += block("mounts", mount_lines(node.mounts));
  text += block("software", software_lines(node.software));
  if (node.power_watts) text += block("power", {number(*node.power_watts, 5) + " W under full load"});
  if (!node.assumed.empty()) text += block("assumed", wrapped_list(node.assumed));
  return text;
}

std::string bullets(std::string_view title, const Lines& sentences) {
  if (sentences.empty()) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (const std::string& sentence : sentences) {
    std::string_view head = "- ";
    for (const std::string& line : wrapped(sentence)) {
      text += fmt::format("  {}{}\n", head, line);
      head = "  ";
    }
  }
  return text;
}

}  // namespace

std::string inventory_text(const Inventory& inventory) {
  const auto nodes = static_cast<size_t>(std::max(0, inventory.nodes()));
  const std::string origin = list({inventory.source, inventory.discovered});
  std::string text = fmt::format("{}  {}{}{}\n", inventory.system, counted(nodes, "node"),
                                 origin.empty() ? "" : "  ", origin);
  text += system_text(inventory);
  for (const NodeGroup& group : inventory.groups) text += group_text(group);
  text += bullets("differences between nodes", heterogeneity(inventory));
  text += bullets("notes", inventory.notes);
  return text;
}

}  // namespace shakedown
