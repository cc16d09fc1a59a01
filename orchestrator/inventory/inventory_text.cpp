#include "orchestrator/inventory/inventory_text.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/inventory_toml.hpp"

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
  const std::string source = cpu.base_mhz_source.empty() ? "" : fmt::format(" ({})", cpu.base_mhz_source);
  lines.push_back(list({cpu.base_mhz > 0 ? gigahertz(cpu.base_mhz) + " base" + source : "",
                        cpu.max_mhz > 0 ? gigahertz(cpu.max_mhz) + " max" : "",
                        cpu.fp64_flop_per_cycle > 0
                            ? fmt::format("{} FP64 FLOP per cycle and core", cpu.fp64_flop_per_cycle)
                            : ""}));
  if (!cpu.fp64_source.empty())
    for (const std::string& line : wrapped("source: " + cpu.fp64_source)) lines.push_back(line);
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
  const std::string link = peak.link_gb_s ? grouped(*peak.link_gb_s, 4) + " GB/s link" : "";
  const std::string power = peak.tdp_watts ? fmt::format("{:g} W", *peak.tdp_watts) : "";
  const Row pieces = {rate(peak.fp64_tensor_tflops, "FP64 tensor"),
                      rate(peak.fp64_vector_tflops, "FP64 vector"),
                      rate(peak.fp64_emulated_tflops, "FP64 emulated"),
                      rate(peak.fp32_tflops, "FP32"),
                      rate(peak.tf32_dense_tflops, "TF32"),
                      rate(peak.bf16_dense_tflops, "BF16"),
                      rate(peak.fp16_dense_tflops, "FP16"),
                      rate(peak.fp8_dense_tflops, "FP8"),
                      rate(peak.fp6_dense_tflops, "FP6"),
                      rate(peak.fp4_dense_tflops, "FP4"),
                      bandwidth,
                      link,
                      power};
  if (list(pieces).empty()) return {};
  Lines lines = wrapped_list(pieces);
  lines.front() = "peak: " + lines.front();
  if (!peak.source.empty())
    for (const std::string& line : wrapped("source: " + peak.source)) lines.push_back(line);
  return lines;
}

Lines gpu_lines(const std::vector<Gpu>& gpus) {
  Lines lines;
  size_t first = 0;
  for (const size_t count : gpu_runs(gpus)) {
    const Gpu& gpu = gpus[first];
    const std::string model = gpu.model.empty() ? "unknown model" : gpu.model;
    const Row pieces = {
        fmt::format("{} x {}", count, model),
        gpu.memory_bytes > 0 ? bytes_text(gpu.memory_bytes) : "",
        gpu.sm_count > 0 ? fmt::format("{} {}", gpu.sm_count, model.starts_with("AMD") ? "CUs" : "SMs") : "",
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

/// What the plan's settings of the network are from.
Lines rdma_lines(const std::vector<Nic>& nics) {
  std::vector<Row> rows;
  rows.reserve(nics.size());
  for (const Nic& nic : nics)
    if (!nic.link_layer.empty())
      rows.push_back({nic.rdma_device, nic.link_layer,
                      nic.roce_gid_index ? fmt::format("RoCE v2 GID {}", *nic.roce_gid_index) : "",
                      nic.mtu_bytes > 0 ? fmt::format("MTU {}", nic.mtu_bytes) : ""});
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

Lines disk_lines(const std::vector<Disk>& disks) {
  std::vector<Row> rows;
  for (size_t i = 0; i < disks.size();) {
    const Disk& disk = disks[i];
    const auto same = [&](const Disk& other) {
      return other.model == disk.model && other.size_bytes == disk.size_bytes && other.bus == disk.bus &&
             other.firmware == disk.firmware && other.rotational == disk.rotational &&
             other.mounts == disk.mounts;
    };
    Row names;
    size_t count = 0;
    for (; i + count < disks.size() && same(disks[i + count]); ++count)
      names.push_back(disks[i + count].name);
    rows.push_back({fmt::format("{} x {}", count, disk.model.empty() ? "unknown model" : disk.model),
                    bytes_text(static_cast<double>(disk.size_bytes)), disk.bus,
                    disk.rotational.value_or(false) ? "hard disk" : "", joined(disk.mounts, " "), list(names),
                    disk.firmware.empty() ? "" : "firmware " + disk.firmware});
    i += count;
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
  text += block("RDMA", rdma_lines(node.nics));
  text += block("mounts", mount_lines(node.mounts));
  text += block("disks", disk_lines(node.disks));
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

namespace {

constexpr size_t label_width = 12;
constexpr size_t text_width = 96 - label_width;
constexpr const char* nothing = "–";

/// Columns on a screen, each code point being one.
size_t columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80; }));
}

std::string padded(const std::string& text, size_t width) {
  return text + std::string(width - std::min(width, columns(text)), ' ');
}

/// The pieces in as few lines as hold them, none of them broken.
Lines filled(const Row& pieces, std::string_view separator) {
  Lines lines(1);
  for (const std::string& piece : pieces) {
    if (piece.empty()) continue;
    if (!lines.back().empty()) {
      const bool fits = columns(lines.back()) + separator.size() + columns(piece) <= text_width;
      lines.back() += fits ? separator : trimmed(separator);
      if (!fits) lines.emplace_back();
    }
    lines.back() += piece;
  }
  return lines;
}

bool all_empty_from(const Row& row, size_t first) {
  return std::all_of(row.begin() + static_cast<std::ptrdiff_t>(first), row.end(),
                     [](const std::string& cell) { return cell.empty(); });
}

}  // namespace

std::string list(const Row& pieces) {
  Row said;
  for (const std::string& piece : pieces)
    if (!piece.empty()) said.push_back(piece);
  return joined(said, ", ");
}

Lines wrapped(std::string_view text) {
  const auto pieces = words(text);
  return filled({pieces.begin(), pieces.end()}, " ");
}

Lines wrapped_list(const Row& pieces) {
  return filled(pieces, ", ");
}

Lines aligned(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  Lines lines;
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      if (widths[i] > 0)
        line += padded(row[i].empty() && !all_empty_from(row, i) ? nothing : row[i], widths[i] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

std::string block(std::string_view label, const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const std::string_view head = text.empty() ? label : "";
    text += fmt::format("  {:<{}}{}\n", head, label_width - 2, line);
  }
  return text;
}

namespace {

std::string speed(double gbit_s) {
  return grouped(gbit_s, 4) + " Gbit/s";
}

std::string assumed_text(const std::vector<std::string>& keys) {
  return keys.empty() ? "" : "assumed: " + joined(keys, ", ");
}

std::string counted(int count, std::string_view noun) {
  return count > 0 ? fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s") : "";
}

void append_filled(Lines& lines, const Lines& more) {
  for (const std::string& line : more)
    if (!line.empty()) lines.push_back(line);
}

Lines fabric_lines(const Fabric& fabric) {
  Lines lines;
  append_filled(lines, wrapped_list({fabric.technology, fabric.topology, counted(fabric.rails, "rail"),
                                     fabric.link_gbit_s > 0 ? speed(fabric.link_gbit_s) + " a NIC" : "",
                                     fabric.mtu_bytes > 0 ? fmt::format("MTU {}", fabric.mtu_bytes) : ""}));
  std::string switches;
  if (fabric.leaf_switches > 0 || fabric.spine_switches > 0)
    switches = fmt::format("{} leaf and {} spine switches", fabric.leaf_switches, fabric.spine_switches);
  append_filled(
      lines, wrapped_list({switches,
                           fabric.switch_port_gbit_s > 0 ? speed(fabric.switch_port_gbit_s) + " a port" : "",
                           fabric.switch_model, fabric.switch_software}));
  append_filled(lines, wrapped(assumed_text(fabric.assumed)));
  return lines;
}

Lines pod_lines(const std::vector<Pod>& pods) {
  std::vector<Row> rows;
  for (const Pod& pod : pods) {
    const auto hosts = expanded_hostlist(pod.hosts);
    rows.push_back({pod.name, pod.hosts, hosts ? counted(static_cast<int>(hosts->size()), "node") : "",
                    pod.assumed ? "assumed" : ""});
  }
  return aligned(rows);
}

Lines storage_lines(const std::vector<Storage>& all) {
  const auto bytes = [](std::int64_t value) { return bytes_text(static_cast<double>(value)); };
  Lines lines;
  for (const Storage& storage : all) {
    const std::string model = storage.server_model.empty() ? "" : " (" + storage.server_model + ")";
    append_filled(
        lines,
        wrapped_list({storage.name, storage.type == storage.name ? "" : storage.type, storage.mount,
                      storage.servers > 0 ? counted(storage.servers, "server") + model : "",
                      storage.nics_per_server > 0
                          ? fmt::format("{} x {} each", storage.nics_per_server, speed(storage.nic_gbit_s))
                          : "",
                      storage.usable_bytes > 0 ? bytes(storage.usable_bytes) + " usable" : "",
                      storage.raw_bytes > 0 ? bytes(storage.raw_bytes) + " raw" : "",
                      storage.inode_limit > 0 ? fmt::format("at most {} files", storage.inode_limit) : ""}));
    append_filled(lines, wrapped(assumed_text(storage.assumed)));
  }
  return lines;
}

}  // namespace

std::string system_text(const Inventory& inventory) {
  std::string text = block("fabric", fabric_lines(inventory.fabric));
  text += block("pods", pod_lines(inventory.pods));
  text += block("storage", storage_lines(inventory.storage));
  return text.empty() ? text : "\n" + text;
}

}  // namespace shakedown
