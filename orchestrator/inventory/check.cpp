#include "orchestrator/inventory/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/fields.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr int unsaid = -1;
constexpr size_t most_nodes = 1'000'000;  // of a system

/// The place of a value in its file, looked up for a failure alone: a look goes through all groups.
using Place = std::function<std::string()>;

Spot hosts_of(size_t group) {
  return {.group = group, .part = "", .index = 0, .key = "hosts"};
}

/// The keys of a part and of the parts in it, "cpu.base_mhz".
template <class Owner>
void collect_keys(const std::string& prefix, std::vector<std::string>& keys) {
  Fields<Owner>::visit([&]<class Member>(const Key& key, Member Owner::* /*member*/) {
    const std::string name = prefix + std::string(key.name);
    keys.push_back(name);
    if constexpr (Part<Member>)
      collect_keys<Member>(name + ".", keys);
    else if constexpr (Parts<Member>)
      collect_keys<typename Member::value_type>(name + ".", keys);
  });
}

template <class Owner>
Result<void> checked_assumed(const Owner& part, const Place& place) {
  std::vector<std::string> keys;
  if (!part.assumed.empty()) collect_keys<Owner>("", keys);
  for (const std::string& name : part.assumed)
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      return fail(place(), fmt::format("'assumed' names no key: '{}'{}", name, did_you_mean(name, keys)),
                  "write the key and the table it is in: cpu.base_mhz");
  return {};
}

Result<std::vector<std::string>> hosts_at(const std::string& hostlist, const Place& place) {
  auto hosts = expanded_hostlist(hostlist);
  if (!hosts) return fail(place(), hosts.error().what, hosts.error().hint);
  return hosts;
}

/// The hosts that there are, each with the number of its group.
using GroupOf = std::unordered_map<std::string_view, size_t>;

Result<void> checked_pods(const Inventory& inventory, const GroupOf& group_of, const PlaceOf& place_of) {
  GroupOf pod_of;  // names of `group_of`, which outlive a pod's own
  for (size_t p = 0; p < inventory.pods.size(); ++p) {
    const Place place = [&, p] { return place_of({.group = 0, .part = "pods", .index = p, .key = "hosts"}); };
    const auto hosts = hosts_at(inventory.pods[p].hosts, place);
    if (!hosts) return failure_of(hosts);
    for (const std::string& host : *hosts) {
      const auto known = group_of.find(host);
      if (known == group_of.end())
        return fail(place(), fmt::format("pod '{}' has host '{}', which is in no group",
                                         inventory.pods[p].name, host));
      const auto [it, fresh] = pod_of.try_emplace(known->first, p);
      if (!fresh)
        return fail(place(),
                    fmt::format("host '{}' is already in pod '{}'", host, inventory.pods[it->second].name));
    }
  }
  return {};
}

Result<void> checked_hosts(const Inventory& inventory, const PlaceOf& place_of) {
  std::vector<std::vector<std::string>> names;  // what `group_of` has views of
  names.reserve(inventory.groups.size());
  GroupOf group_of;
  for (size_t g = 0; g < inventory.groups.size(); ++g) {
    const NodeGroup& group = inventory.groups[g];
    const Place place = [&, g] { return place_of(hosts_of(g)); };
    auto hosts = hosts_at(group.hosts, place);
    if (!hosts) return failure_of(hosts);
    if (group_of.size() + hosts->size() > most_nodes)
      return fail(place(), fmt::format("the groups have more than {} hosts in all", most_nodes));
    for (const std::string& host : names.emplace_back(*std::move(hosts))) {
      const auto [it, fresh] = group_of.try_emplace(host, g);
      if (fresh) continue;
      return fail(place(), fmt::format("host '{}' is already in group '{}' ({})", host,
                                       inventory.groups[it->second].name, place_of(hosts_of(it->second))));
    }
  }
  return checked_pods(inventory, group_of, place_of);
}

Result<void> checked_group(const Inventory& inventory, size_t g, const PlaceOf& place_of) {
  const NodeGroup& group = inventory.groups[g];
  const bool discovered = !inventory.discovered.empty();
  const int rails = inventory.fabric.rails;
  const Cpu& cpu = group.cpu;
  const Usable& usable = group.usable;
  const auto at = [&](std::string_view part, std::string_view key, size_t index = 0) {
    return place_of({.group = g, .part = part, .index = index, .key = key});
  };
  if (cpu.cores % cpu.sockets != 0 && !discovered)
    return fail(at("cpu", "cores"),
                fmt::format("{} cores can't be shared by {} equal sockets", cpu.cores, cpu.sockets),
                "'cores' counts the physical cores of the whole node");
  if (usable.cores > cpu.cores)
    return fail(at("usable", "cores"),
                fmt::format("{} cores are usable but the node has {}", usable.cores, cpu.cores));
  if (usable.hardware_threads > cpu.cores * cpu.threads_per_core)
    return fail(at("usable", "hardware_threads"),
                fmt::format("{} hardware threads are usable but the node has {} x {}",
                            usable.hardware_threads, cpu.cores, cpu.threads_per_core));
  if (usable.memory_bytes > group.memory_bytes)
    return fail(at("usable", "memory_bytes"),
                fmt::format("{} of memory are usable but the node has {}",
                            bytes_text(static_cast<double>(usable.memory_bytes)),
                            bytes_text(static_cast<double>(group.memory_bytes))));
  for (size_t n = 0; n < group.nics.size(); ++n) {
    const Nic& nic = group.nics[n];
    if (nic.rail && rails > 0 && *nic.rail >= rails)
      return fail(at("nics", "rail", n),
                  fmt::format("nic '{}' is on rail {} but the fabric has {}", nic.name, *nic.rail, rails),
                  "rails are numbered from 0");
    if (!nic.gpu || static_cast<size_t>(*nic.gpu) < group.gpus.size()) continue;
    const std::string has = is_one_node(group) ? "has" : "have";
    return fail(at("nics", "gpu", n),
                fmt::format("nic '{}' serves gpu {} but {} {} {} gpus", nic.name, *nic.gpu, subject(group),
                            has, group.gpus.size()),
                "gpus are numbered from 0");
  }
  return checked_assumed(group, [&] { return at("", "assumed"); });
}

}  // namespace

template <>
Cpu unread<Cpu>() {
  Cpu cpu;
  cpu.numa_nodes = unsaid;
  return cpu;
}

template <>
Usable unread<Usable>() {
  Usable usable;
  usable.cores = unsaid;
  usable.hardware_threads = unsaid;
  usable.memory_bytes = unsaid;
  return usable;
}

NodeGroup with_defaults(NodeGroup group) {
  Cpu& cpu = group.cpu;
  Usable& usable = group.usable;
  if (cpu.numa_nodes == unsaid) cpu.numa_nodes = cpu.sockets;
  if (usable.cores == unsaid) usable.cores = cpu.cores;
  if (usable.hardware_threads == unsaid) usable.hardware_threads = usable.cores * cpu.threads_per_core;
  if (usable.memory_bytes == unsaid) usable.memory_bytes = group.memory_bytes;
  return group;
}

Result<void> checked(const Inventory& inventory, const PlaceOf& place_of) {
  if (auto ok = checked_hosts(inventory, place_of); !ok) return ok;
  for (size_t g = 0; g < inventory.groups.size(); ++g)
    if (auto ok = checked_group(inventory, g, place_of); !ok) return ok;
  for (size_t i = 0; i < inventory.storage.size(); ++i)
    if (auto ok = checked_assumed(
            inventory.storage[i],
            [&] { return place_of({.group = 0, .part = "storage", .index = i, .key = "assumed"}); });
        !ok)
      return ok;
  return checked_assumed(inventory.fabric, [&] {
    return place_of({.group = 0, .part = "fabric", .index = 0, .key = "assumed"});
  });
}

bool is_one_node(const NodeGroup& group) {
  const auto hosts = expanded_hostlist(group.hosts);
  return !hosts || hosts->size() == 1;
}

std::string subject(const NodeGroup& group) {
  return fmt::format("{} '{}'", is_one_node(group) ? "node" : "nodes", group.hosts);
}

}  // namespace shakedown
