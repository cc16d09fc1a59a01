#include "orchestrator/inventory/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

struct KindRow {
  FeatureKind kind;
  std::string_view name;
  Resource resource;
};
constexpr std::array<KindRow, 12> kinds = {{
    {FeatureKind::cpu, "CPU", Resource::node},
    {FeatureKind::memory, "memory", Resource::node},
    {FeatureKind::gpu, "GPU", Resource::compute},
    {FeatureKind::nic, "NIC", Resource::network},
    {FeatureKind::firmware, "firmware", Resource::network},
    {FeatureKind::gpu_driver, "GPU driver", Resource::compute},
    {FeatureKind::kernel, "kernel", Resource::node},
    {FeatureKind::mount, "mount", Resource::storage},
    {FeatureKind::disk, "disk", Resource::storage},
    {FeatureKind::board, "board", Resource::node},
    {FeatureKind::nodes, "nodes", Resource::node},
    {FeatureKind::fabric, "fabric", Resource::network},
}};

const KindRow& row_of(FeatureKind kind) {
  return *std::find_if(kinds.begin(), kinds.end(), [&](const KindRow& row) { return row.kind == kind; });
}

class List {
 public:
  void text(FeatureKind kind, std::string name, std::string value) {
    list_.push_back({kind, std::move(name), std::move(value), false, false, {}, {}});
  }
  void part(FeatureKind kind, std::string name, std::string value) {
    list_.push_back({kind, std::move(name), std::move(value), false, true, {}, {}});
  }
  void count(FeatureKind kind, std::string name, size_t number) {
    list_.push_back({kind, std::move(name), fmt::format("{}", number), true, false, {}, {}});
  }
  void bytes(FeatureKind kind, std::string name, std::int64_t value) {
    const auto amount = static_cast<double>(value);
    list_.push_back({kind, std::move(name), value > 0 ? bytes_text(amount) : "", false, false, amount, {}});
  }
  /// Of the last one.
  void follows(std::string_view name) { list_.back().follows = name; }
  void clock(std::string name, double mhz) {
    list_.push_back(
        {FeatureKind::cpu, std::move(name), mhz > 0 ? number(mhz, 4) + " MHz" : "", false, false, mhz, {}});
  }
  std::vector<Feature> done() { return std::move(list_); }

 private:
  std::vector<Feature> list_;
};

/// What the GPUs or disks of a node have in common, or how many have what: "H100", "7 x 79.1 GiB, 1 x 39.4
/// GiB".
template <class Part, class ValueOf>
std::string common_values(const std::vector<Part>& parts, const ValueOf& value_of) {
  std::vector<std::pair<std::string, int>> values;
  for (const Part& part : parts) {
    const std::string value = value_of(part);
    const auto it =
        std::find_if(values.begin(), values.end(), [&](const auto& known) { return known.first == value; });
    if (it == values.end())
      values.emplace_back(value, 1);
    else
      ++it->second;
  }
  if (values.empty()) return "";
  if (values.size() == 1) return values.front().first;
  std::vector<std::string> pieces;
  pieces.reserve(values.size());
  for (const auto& [value, times] : values)
    pieces.push_back(fmt::format("{} x {}", times, value.empty() ? "unknown" : value));
  return joined(pieces, ", ");
}

std::string known_number(double value, std::string_view unit) {
  return value > 0 ? fmt::format("{:.6g}{}", value, unit) : "";
}

void add_cpu(List& list, const NodeGroup& group) {
  const Cpu& cpu = group.cpu;
  list.text(FeatureKind::cpu, "CPU", cpu.model);
  list.count(FeatureKind::cpu, "sockets", static_cast<size_t>(cpu.sockets));
  list.count(FeatureKind::cpu, "cores", static_cast<size_t>(cpu.cores));
  list.count(FeatureKind::cpu, "SMT threads", static_cast<size_t>(cpu.threads_per_core));
  list.count(FeatureKind::cpu, "NUMA nodes", static_cast<size_t>(cpu.numa_nodes));
  list.count(FeatureKind::cpu, "usable cores", static_cast<size_t>(group.usable.cores));
  list.follows("cores");
  list.clock("CPU base clock", cpu.base_mhz);
  list.clock("CPU maximum clock", cpu.max_mhz);
  list.bytes(FeatureKind::memory, "memory", group.memory_bytes);
  list.bytes(FeatureKind::memory, "usable memory", group.usable.memory_bytes);
  list.follows("memory");
  list.text(FeatureKind::memory, "memory modules", group.memory_modules);
  list.text(FeatureKind::memory, "memory bandwidth",
            known_number(group.memory_bandwidth_gb_s.value_or(0), " GB/s"));
}

void add_gpus(List& list, const NodeGroup& group) {
  const auto values = [&](const std::string& name, const std::function<std::string(const Gpu&)>& value_of,
                          FeatureKind kind = FeatureKind::gpu) {
    list.text(kind, name, common_values(group.gpus, value_of));
  };
  list.count(FeatureKind::gpu, "GPUs", group.gpus.size());
  if (group.gpus.empty()) return;
  values("GPU model", [](const Gpu& gpu) { return gpu.model; });
  values("GPU memory", [](const Gpu& gpu) {
    return gpu.memory_bytes > 0 ? bytes_text(static_cast<double>(gpu.memory_bytes)) : "";
  });
  values("GPU SMs", [](const Gpu& gpu) { return known_number(gpu.sm_count, ""); });
  values("GPU clock", [](const Gpu& gpu) { return known_number(gpu.sm_mhz_max, " MHz"); });
  values("GPU memory clock", [](const Gpu& gpu) { return known_number(gpu.memory_mhz_max, " MHz"); });
  values("GPU ECC", [](const Gpu& gpu) { return gpu.ecc ? (*gpu.ecc ? "on" : "off") : ""; });
  values(
      "GPU VBIOS", [](const Gpu& gpu) { return gpu.vbios; }, FeatureKind::firmware);
}

void add_nics(List& list, const NodeGroup& group) {
  list.count(FeatureKind::nic, "NICs", group.nics.size());
  for (const Nic& nic : group.nics) {
    const std::string name = "NIC " + (nic.rdma_device.empty() ? nic.name : nic.rdma_device);
    list.part(FeatureKind::nic, name, "there");
    list.text(FeatureKind::nic, name + " state", nic.state);
    list.text(FeatureKind::nic, name + " speed", known_number(nic.speed_gb_s, " Gbit/s"));
    list.text(FeatureKind::firmware, name + " firmware", nic.firmware);
    list.text(FeatureKind::nic, name + " driver", nic.driver);
    // These change settings, not the size of a plan: nodes that differ in them are of one kind.
    list.text(FeatureKind::fabric, name + " link layer", nic.link_layer);
    list.text(FeatureKind::fabric, name + " RoCE v2 GID index",
              nic.roce_gid_index ? fmt::format("{}", *nic.roce_gid_index) : "");
    list.text(FeatureKind::fabric, name + " MTU", known_number(nic.mtu_bytes, ""));
    list.text(FeatureKind::nic, name + " GPU", nic.gpu ? fmt::format("{}", *nic.gpu) : "");
  }
}

void add_mounts(List& list, const NodeGroup& group) {
  for (const Mount& mount : group.mounts) {
    const std::string name = "mount " + mount.path;
    list.part(FeatureKind::mount, name, mount.source.empty() ? mount.type : mount.type + " " + mount.source);
    list.bytes(FeatureKind::mount, name + " size", mount.total_bytes);
    list.text(FeatureKind::mount, name + " mode", mount.writable ? "rw" : "ro");
  }
}

void add_disks(List& list, const NodeGroup& group) {
  list.count(FeatureKind::disk, "local disks", group.disks.size());
  if (group.disks.empty()) return;
  list.text(FeatureKind::disk, "disk model",
            common_values(group.disks, [](const Disk& disk) { return disk.model; }));
  list.text(FeatureKind::disk, "disk size", common_values(group.disks, [](const Disk& disk) {
              return bytes_text(static_cast<double>(disk.size_bytes));
            }));
  list.text(FeatureKind::disk, "disk mount points", common_values(group.disks, [](const Disk& disk) {
              return disk.mounts.empty() ? std::string("not mounted") : joined(disk.mounts, " ");
            }));
  list.text(FeatureKind::firmware, "disk firmware",
            common_values(group.disks, [](const Disk& disk) { return disk.firmware; }));
}

void add_software(List& list, const NodeGroup& group) {
  const Software& software = group.software;
  list.text(
      FeatureKind::gpu_driver, "GPU driver",
      software.gpu_driver.empty() && !group.gpus.empty() ? group.gpus.front().driver : software.gpu_driver);
  list.text(FeatureKind::kernel, "kernel", software.kernel);
  list.text(FeatureKind::kernel, "operating system", software.os);
  list.text(FeatureKind::firmware, "firmware", software.firmware);
  list.text(FeatureKind::board, "board", software.board);
}

}  // namespace

std::vector<Feature> features(const NodeGroup& group) {
  List list;
  add_cpu(list, group);
  add_gpus(list, group);
  add_nics(list, group);
  add_mounts(list, group);
  add_disks(list, group);
  add_software(list, group);
  return list.done();
}

bool same_value(const Feature& a, const Feature& b, double tolerance) {
  if (!a.amount || !b.amount) return a.value == b.value;
  return std::abs(*a.amount - *b.amount) <= tolerance * std::max(*a.amount, *b.amount);
}

std::string_view kind_name(FeatureKind kind) {
  return row_of(kind).name;
}

Resource resource_of(FeatureKind kind) {
  return row_of(kind).resource;
}

}  // namespace shakedown
