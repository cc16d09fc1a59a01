#include "orchestrator/inventory/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {
namespace {

constexpr double tolerance = 0.01;

/// The values that may differ a little between equal nodes.
std::vector<double> sizes(const NodeGroup& node) {
  std::vector<double> list = {static_cast<double>(node.memory_bytes),
                              static_cast<double>(node.usable.memory_bytes), node.cpu.base_mhz,
                              node.cpu.max_mhz};
  for (const Mount& mount : node.mounts) list.push_back(static_cast<double>(mount.total_bytes));
  for (const Disk& disk : node.disks) list.push_back(static_cast<double>(disk.size_bytes));
  return list;
}

bool near(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return std::abs(x - y) <= tolerance * std::max(x, y); });
}

/// What equal nodes have to the letter, as one text to look it up by.
std::string shared_text(NodeGroup node) {
  node.name.clear();
  node.hosts = "x";
  node.memory_bytes = 1;
  node.usable.memory_bytes = 0;
  node.usable.available_bytes = 0;
  node.usable.limited_by.clear();
  // Jobs that ask for GPUs don't start where Slurm knows of none.
  if (node.usable.slurm_gpus.value_or(0) > 0) node.usable.slurm_gpus = 1;
  node.cpu.base_mhz = 0;
  node.cpu.base_mhz_source.clear();
  node.cpu.max_mhz = 0;
  node.assumed.clear();  // of the clocks
  for (Gpu& gpu : node.gpus) {
    gpu.uuid.clear();
    gpu.pci_address.clear();
  }
  for (Nic& nic : node.nics) nic.pci_address.clear();
  for (Mount& mount : node.mounts) mount.total_bytes = mount.free_bytes = 0;
  for (Disk& disk : node.disks) {
    disk.name.clear();
    disk.size_bytes = 0;
  }
  Inventory one;
  one.groups.push_back(std::move(node));
  return inventory_json(one);
}

/// The smaller of two, where 0 means unknown.
template <class T>
T smaller_known(T a, T b) {
  return a == 0 ? b : b == 0 ? a : std::min(a, b);
}

template <class T>
void keep_if_equal(T& kept, const T& other) {
  if (kept != other) kept = T{};
}

/// Merges an equal node's values into its group.
void absorb(NodeGroup& group, const NodeGroup& node) {
  group.memory_bytes = smaller_known(group.memory_bytes, node.memory_bytes);
  group.usable.memory_bytes = smaller_known(group.usable.memory_bytes, node.usable.memory_bytes);
  group.usable.available_bytes = smaller_known(group.usable.available_bytes, node.usable.available_bytes);
  // A job on any of them gets no less than it asks for.
  if (node.usable.slurm_gpus)
    group.usable.slurm_gpus =
        std::min(group.usable.slurm_gpus.value_or(*node.usable.slurm_gpus), *node.usable.slurm_gpus);
  const double base_mhz = smaller_known(group.cpu.base_mhz, node.cpu.base_mhz);
  if (base_mhz != group.cpu.base_mhz) group.cpu.base_mhz_source = node.cpu.base_mhz_source;
  group.cpu.base_mhz = base_mhz;
  group.cpu.max_mhz = smaller_known(group.cpu.max_mhz, node.cpu.max_mhz);
  for (const std::string& key : node.assumed)
    if (std::ranges::find(group.assumed, key) == group.assumed.end()) group.assumed.push_back(key);
  if (group.usable.limited_by != node.usable.limited_by && group.usable.limited_by.empty())
    group.usable.limited_by = node.usable.limited_by;
  for (size_t i = 0; i < group.gpus.size(); ++i) {
    keep_if_equal(group.gpus[i].uuid, node.gpus[i].uuid);
    keep_if_equal(group.gpus[i].pci_address, node.gpus[i].pci_address);
  }
  for (size_t i = 0; i < group.nics.size(); ++i)
    keep_if_equal(group.nics[i].pci_address, node.nics[i].pci_address);
  for (size_t i = 0; i < group.mounts.size(); ++i) {
    Mount& mount = group.mounts[i];
    mount.total_bytes = smaller_known(mount.total_bytes, node.mounts[i].total_bytes);
    mount.free_bytes = std::min(mount.free_bytes, node.mounts[i].free_bytes);
  }
  for (size_t i = 0; i < group.disks.size(); ++i) {
    keep_if_equal(group.disks[i].name, node.disks[i].name);
    group.disks[i].size_bytes = smaller_known(group.disks[i].size_bytes, node.disks[i].size_bytes);
  }
}

struct Growing {
  NodeGroup group;
  std::vector<double> sizes;  ///< of its first node
  std::vector<std::string> hosts;
};

void append_hosts(std::vector<std::string>& hosts, const std::string& hostlist) {
  for (std::string& host : expanded_hostlist(hostlist).value_or(std::vector<std::string>{}))
    hosts.push_back(std::move(host));
}

/// CPUs that Slurm counts for a core of the node itself: where a site configures nothing but CPUs=256, Slurm
/// takes each hardware thread for a core.
int slurm_cpus_per_core(const NodeGroup& of_slurm, const Cpu& own) {
  const int cpus = of_slurm.usable.slurm_cpus_per_core * of_slurm.cpu.cores;
  return cpus == 0 ? 0 : std::clamp(cpus / std::max(own.cores, 1), 1, std::max(own.threads_per_core, 1));
}

/// From the line "{" to the last line "}", as inventory_json writes it.
std::string_view document_in(std::string_view printed) {
  size_t begin = printed.starts_with("{\n") ? 0 : printed.find("\n{\n");
  if (begin == printed.npos) return {};
  if (begin > 0) ++begin;
  const size_t end = printed.rfind("\n}");
  return end == printed.npos || end < begin ? std::string_view() : printed.substr(begin, end + 2 - begin);
}

/// The first line with words: launchers frame their messages with dashes.
std::string first_sentence(std::string_view printed) {
  for (const std::string_view line : split(printed, '\n')) {
    const std::string_view text = trimmed(line);
    if (text.find_first_not_of("-=*") != text.npos) return std::string(text.substr(0, 160));
  }
  return "nothing was printed";
}

/// Hosts grouped by the same sentence, in the order of the first.
class Sentences {
 public:
  void add(const std::string& sentence, const std::string& host) {
    auto it =
        std::find_if(list_.begin(), list_.end(), [&](const auto& one) { return one.first == sentence; });
    if (it == list_.end()) it = list_.insert(it, {sentence, {}});
    it->second.push_back(host);
  }
  [[nodiscard]] const auto& list() const { return list_; }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> list_;
};

}  // namespace

std::vector<NodeGroup> merged_groups(const std::vector<NodeGroup>& nodes, const std::string& name) {
  std::vector<Growing> growing;
  std::unordered_map<std::string, std::vector<size_t>> known;
  for (const NodeGroup& node : nodes) {
    const std::vector<double> its_sizes = sizes(node);
    std::vector<size_t>& candidates = known[shared_text(node)];
    const auto it = std::find_if(candidates.begin(), candidates.end(),
                                 [&](size_t i) { return near(growing[i].sizes, its_sizes); });
    if (it == candidates.end()) {
      candidates.push_back(growing.size());
      growing.push_back({node, its_sizes, {}});
      append_hosts(growing.back().hosts, node.hosts);
    } else {
      absorb(growing[*it].group, node);
      append_hosts(growing[*it].hosts, node.hosts);
    }
  }
  std::stable_sort(growing.begin(), growing.end(),
                   [](const Growing& a, const Growing& b) { return a.hosts.size() > b.hosts.size(); });
  std::vector<NodeGroup> groups;
  for (Growing& one : growing) {
    one.group.name = groups.empty() ? name : fmt::format("{}-{}", name, groups.size() + 1);
    one.group.hosts = folded_hostlist(one.hosts);
    groups.push_back(std::move(one.group));
  }
  return groups;
}

Inventory merged(const std::vector<Inventory>& answers, const std::string& system) {
  Inventory whole;
  whole.system = system;
  std::vector<NodeGroup> nodes;
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> hosts_of_note;
  size_t count = 0;
  for (const Inventory& answer : answers) {
    whole.discovered = std::max(whole.discovered, answer.discovered);
    std::vector<std::string> hosts;
    for (const NodeGroup& group : answer.groups) {
      append_hosts(hosts, group.hosts);
      nodes.push_back(group);
    }
    count += hosts.size();
    for (const std::string& note : answer.notes) {
      auto& from = hosts_of_note[note];
      if (from.empty()) order.push_back(note);
      from.insert(from.end(), hosts.begin(), hosts.end());
    }
  }
  whole.groups = merged_groups(nodes, "nodes");
  for (const std::string& note : order) {
    const auto& hosts = hosts_of_note[note];
    whole.notes.push_back(hosts.size() == count ? note : fmt::format("{}: {}", folded_hostlist(hosts), note));
  }
  return whole;
}

Result<NodeAnswer> node_answer(std::string_view printed, const std::string& host) {
  const std::string_view document = document_in(printed);
  if (document.empty()) return fail_environment(host, first_sentence(printed));
  auto inventory = inventory_from_json(document, host);
  if (!inventory) return failure_of(inventory);
  if (inventory->groups.size() != 1) return fail_environment(host, "the answer is not that of one node");
  NodeAnswer answer{host, inventory->groups.front().hosts, std::move(*inventory)};
  answer.inventory.groups.front().hosts = host;
  return answer;
}

bool is_unanswered(const Inventory& inventory) {
  return std::ranges::find(inventory.notes, no_node_answered) != inventory.notes.end();
}

std::vector<std::string> silence_notes(const std::vector<SilentNode>& silent) {
  Sentences reasons;
  for (const SilentNode& node : silent) {
    // The host's own name would make every reason another one.
    constexpr std::string_view anyone = "<node>";
    std::string why = node.why;
    for (size_t at = why.find(node.host); at != why.npos; at = why.find(node.host, at + anyone.size()))
      why.replace(at, node.host.size(), anyone);
    reasons.add(why, node.host);
  }
  std::vector<std::string> notes;
  for (const auto& [why, hosts] : reasons.list())
    notes.push_back(fmt::format("{}: no answer ({})", folded_hostlist(hosts), why));
  return notes;
}

Inventory merged_answers(const std::vector<NodeAnswer>& answers, const std::vector<SilentNode>& silent,
                         const std::string& system, const Inventory* expected) {
  std::vector<Inventory> inventories;
  Sentences names;
  std::map<std::string, const NodeGroup*, std::less<>> of_slurm;  // by host
  if (expected != nullptr)
    for (const NodeGroup& group : expected->groups)
      for (const std::string& host : expanded_hostlist(group.hosts).value_or(std::vector<std::string>{}))
        of_slurm[host] = &group;
  for (const NodeAnswer& answer : answers) {
    inventories.push_back(answer.inventory);
    if (const auto known = of_slurm.find(answer.host); known != of_slurm.end()) {
      NodeGroup& node = inventories.back().groups.front();
      node.usable.slurm_cpus_per_core = slurm_cpus_per_core(*known->second, node.cpu);
      node.usable.slurm_gpus = known->second->usable.slurm_gpus;
    }
    names.add(answer.calls_itself, answer.host);
  }
  Inventory whole = merged(inventories, system);
  for (std::string& note : silence_notes(silent)) whole.notes.push_back(std::move(note));
  for (const auto& [name, hosts] : names.list())
    if (hosts.size() > 1)
      whole.notes.push_back(fmt::format("{}: one machine answers to these names, it calls itself '{}'",
                                        folded_hostlist(hosts), name));
  if (expected == nullptr) return whole;
  for (const Change& change : differences(*expected, whole, {.only_stated_before = true}))
    if (change.what == "GPUs" || change.what == "cores")
      whole.notes.push_back(fmt::format("{}: {} {}, but {} has {}", change.hosts, change.after, change.what,
                                        expected->source, change.before));
  return whole;
}

}  // namespace shakedown
