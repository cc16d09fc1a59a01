#include "orchestrator/inventory/node_kind.hpp"

#include <algorithm>
#include <unordered_set>

#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/inventory/features.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

bool decides_a_plan(const Feature& feature) {
  return feature.kind == FeatureKind::cpu || feature.kind == FeatureKind::memory ||
         feature.kind == FeatureKind::gpu || feature.kind == FeatureKind::nic;
}

bool same_kind(const NodeGroup& a, const NodeGroup& b) {
  const auto of_a = features(a);
  const auto of_b = features(b);
  if (of_a.size() != of_b.size()) {
    // Parts that only one has, a mount or a NIC: NICs decide, mounts don't.
    const auto nics = [](const std::vector<Feature>& list) {
      return std::ranges::count_if(list, decides_a_plan);
    };
    if (nics(of_a) != nics(of_b)) return false;
  }
  for (const Feature& feature : of_a) {
    if (!decides_a_plan(feature)) continue;
    const auto other = std::ranges::find(of_b, feature.name, &Feature::name);
    if (other == of_b.end() || !same_value(feature, *other)) return false;
  }
  return true;
}

void take_smaller(std::int64_t& value, std::int64_t other) {
  if (other > 0 && (value == 0 || other < value)) value = other;
}

void take_smaller_memory(NodeGroup& like, const NodeGroup& other) {
  take_smaller(like.memory_bytes, other.memory_bytes);
  take_smaller(like.usable.memory_bytes, other.usable.memory_bytes);
  take_smaller(like.usable.available_bytes, other.usable.available_bytes);
  like.usable.cores = std::min(like.usable.cores, other.usable.cores);
  like.usable.hardware_threads = std::min(like.usable.hardware_threads, other.usable.hardware_threads);
  for (size_t i = 0; i < std::min(like.gpus.size(), other.gpus.size()); ++i)
    take_smaller(like.gpus[i].memory_bytes, other.gpus[i].memory_bytes);
}

/// The name of the first feature that the ranks of a node depend on and two nodes differ in; empty: none.
std::string first_apart(const NodeGroup& a, const NodeGroup& b) {
  const auto of_a = features(a);
  const auto of_b = features(b);
  for (const Feature& feature : of_a) {
    const bool decides = (feature.kind == FeatureKind::cpu || feature.kind == FeatureKind::gpu) &&
                         !feature.amount && feature.follows.empty() &&
                         feature.name.find("memory") == std::string::npos &&
                         feature.name.find("clock") == std::string::npos;
    if (!decides) continue;
    const auto other = std::ranges::find(of_b, feature.name, &Feature::name);
    if (other == of_b.end() || !same_value(feature, *other)) return feature.name;
  }
  return "";
}

using Wanted = std::unordered_set<std::string_view>;

/// All kinds of the inventory, with all of their hosts or those that are wanted.
Result<std::vector<NodeKind>> all_kinds(const Inventory& inventory, const Wanted* wanted) {
  std::vector<NodeKind> kinds;
  for (const NodeGroup& group : inventory.groups) {
    auto hosts = expanded_hostlist(group.hosts);
    if (!hosts) return failure_of(hosts);
    if (wanted != nullptr)
      std::erase_if(*hosts, [&](const std::string& host) { return !wanted->contains(host); });
    if (wanted != nullptr && hosts->empty()) continue;
    const auto known =
        std::ranges::find_if(kinds, [&](const NodeKind& kind) { return same_kind(kind.like, group); });
    if (known == kinds.end()) {
      kinds.push_back({group, *std::move(hosts), 1});
      continue;
    }
    take_smaller_memory(known->like, group);
    known->hosts.insert(known->hosts.end(), hosts->begin(), hosts->end());
    ++known->groups;
  }
  return kinds;
}

}  // namespace

double peak_tflops(const NodeKind& kind) {
  const auto nodes = static_cast<double>(kind.hosts.size());
  if (kind.like.gpus.empty()) return nodes * cpu_peak_gflops(kind.like) / 1000;
  double node = 0;
  for (const Gpu& gpu : kind.like.gpus) {
    const auto stated = [](const GpuPeak& peak) {
      return std::max(peak.fp64_vector_tflops.value_or(0), peak.fp64_tensor_tflops.value_or(0));
    };
    double one = stated(gpu.peak);
    if (const Accelerator* row = one > 0 ? nullptr : catalogued(gpu).row; row != nullptr)
      one = stated(row->peak);
    if (one <= 0) return 0;
    node += one;
  }
  return nodes * node;
}

namespace {

bool peaks_known(std::span<const NodeKind> kinds) {
  return std::ranges::all_of(kinds, [](const NodeKind& kind) { return peak_tflops(kind) > 0; });
}

}  // namespace

std::string_view largest_because(std::span<const NodeKind> kinds) {
  return peaks_known(kinds) ? "of the highest FP64 peak" : "the most";
}

Result<NodeKind> largest_kind(const Inventory& inventory) {
  auto kinds = all_kinds(inventory, nullptr);
  if (!kinds) return failure_of(kinds);
  const bool by_peak = peaks_known(*kinds);
  const auto largest = std::ranges::max_element(*kinds, {}, [&](const NodeKind& kind) {
    return by_peak ? peak_tflops(kind) : static_cast<double>(kind.hosts.size());
  });
  if (largest == kinds->end() || largest->hosts.empty())
    return fail(inventory.source, "the inventory has no nodes");
  return std::move(*largest);
}

Result<std::vector<NodeKind>> kinds_of(const Inventory& inventory, const std::vector<std::string>& hosts) {
  const Wanted wanted(hosts.begin(), hosts.end());
  auto kinds = all_kinds(inventory, &wanted);
  if (!kinds) return kinds;
  Wanted missing = wanted;
  for (const NodeKind& kind : *kinds)
    for (const std::string& host : kind.hosts) missing.erase(host);
  for (const std::string& host : hosts)
    if (missing.contains(host))
      return fail(inventory.source, fmt::format("has no host '{}'", host), "its [[groups]] name its hosts");
  return kinds;
}

std::set<std::string> all_hosts(const Inventory& inventory) {
  std::set<std::string> all;
  for (const NodeGroup& group : inventory.groups)
    if (const auto names = expanded_hostlist(group.hosts)) all.insert(names->begin(), names->end());
  return all;
}

Result<NodeKind> common_kind(const Inventory& inventory, const std::vector<std::string>& hosts) {
  auto kinds = kinds_of(inventory, hosts);
  if (!kinds) return failure_of(kinds);
  if (kinds->empty()) return fail(inventory.source, "no host is named");
  const auto fewest =
      std::ranges::min_element(*kinds, {}, [](const NodeKind& kind) { return kind.like.nics.size(); });
  NodeKind common = *fewest;
  common.hosts.clear();
  common.groups = 0;
  for (const NodeKind& kind : *kinds) {
    if (const std::string apart = first_apart(common.like, kind.like); !apart.empty())
      return fail(inventory.source,
                  fmt::format("{} and {} differ in {}: one run can't hold them",
                              folded_hostlist(fewest->hosts), folded_hostlist(kind.hosts), apart));
    take_smaller_memory(common.like, kind.like);
    common.hosts.insert(common.hosts.end(), kind.hosts.begin(), kind.hosts.end());
    common.groups += kind.groups;
  }
  return common;
}

}  // namespace shakedown
