#include "orchestrator/inventory/node_kind.hpp"

#include <algorithm>

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

}  // namespace

Result<NodeKind> largest_kind(const Inventory& inventory) {
  std::vector<NodeKind> kinds;
  for (const NodeGroup& group : inventory.groups) {
    auto hosts = expanded_hostlist(group.hosts);
    if (!hosts) return pass_on(hosts);
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
  const auto largest =
      std::ranges::max_element(kinds, {}, [](const NodeKind& kind) { return kind.hosts.size(); });
  if (largest == kinds.end() || largest->hosts.empty())
    return fail(inventory.source, "the inventory has no nodes");
  return std::move(*largest);
}

}  // namespace shakedown
