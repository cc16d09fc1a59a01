#include "orchestrator/cli/inventory_discovery.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iostream>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/text/change_text.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/launch/slurm_view.hpp"

namespace shakedown {
namespace {

std::vector<std::string> hosts_of(const Inventory& inventory) {
  std::vector<std::string> hosts;
  for (const NodeGroup& group : inventory.groups)
    for (std::string& host : expanded_hostlist(group.hosts).value_or(std::vector<std::string>{}))
      hosts.push_back(std::move(host));
  return hosts;
}

std::string source_text(const DiscoveryOptions& options, size_t answers) {
  const std::string nodes = fmt::format("{} node{}", answers, answers == 1 ? "" : "s");
  if (options.slurm && !options.partition.empty())
    return fmt::format("discovered on {} of Slurm's partition {}", nodes, options.partition);
  if (options.slurm) return fmt::format("discovered on {} of Slurm", nodes);
  return fmt::format("discovered on {} of {}", nodes, options.hostfile);
}

Result<Discovered> from_slurm(const DiscoveryOptions& options, const CommonOptions& common) {
  auto view = slurm_view(options.partition);
  if (!view) return failure_of(view);
  auto probe = answers_of(hosts_of(*view), common);
  if (probe && !probe->answers.empty()) {
    Discovered found{merged_answers(probe->answers, probe->silent, view->system, &*view), probe->silent};
    found.inventory.source = source_text(options, probe->answers.size());
    const auto& notes = view->notes;
    found.inventory.notes.insert(found.inventory.notes.end(), notes.begin(), notes.end());
    found.inventory.pods = slurm_pods(hosts_of(found.inventory));
    return found;
  }
  Discovered found{std::move(*view), {}};
  found.inventory.pods = slurm_pods(hosts_of(found.inventory));
  fill_from_catalogue(found.inventory);
  if (probe)
    found.silent = probe->silent;
  else
    for (const std::string& host : hosts_of(found.inventory))
      found.silent.push_back({host, probe.error().what});
  found.inventory.notes.emplace_back(no_node_answered);
  for (std::string& note : silence_notes(found.silent)) found.inventory.notes.push_back(std::move(note));
  return found;
}

Result<Discovered> from_hostfile(const DiscoveryOptions& options, const CommonOptions& common) {
  const auto text = named_file_content(options.hostfile);
  if (!text) return failure_of(text, "name an Open MPI hostfile, one host a line: cn001 slots=8");
  const auto entries = hostfile_entries(*text, options.hostfile);
  if (!entries) return failure_of(entries);
  std::vector<std::string> hosts;
  for (const HostfileEntry& entry : *entries) hosts.push_back(entry.host);
  auto probe = answers_of(hosts, common);
  if (!probe) return failure_of(probe);
  if (probe->answers.empty())
    return fail_environment(options.hostfile,
                            fmt::format("no node answered; {}", silence_notes(probe->silent).front()),
                            "can `mpirun --host NODE hostname` be run from here?");
  const std::string name = fs::path(options.hostfile).stem().string();
  Discovered found{merged_answers(probe->answers, probe->silent, name), probe->silent};
  found.inventory.source = source_text(options, probe->answers.size());
  return found;
}

}  // namespace

Result<Probe> answers_of(const std::vector<std::string>& hosts, const CommonOptions& common) {
  if (hosts.size() == 1 && (hosts.front() == host_name() || hosts.front() == "localhost")) {
    const Inventory inventory = discovered_inventory();
    return Probe{{{hosts.front(), inventory.groups.front().hosts, inventory}}, {}};
  }
  const Terminal terminal(common);
  const auto progress = [&](size_t done) {
    if (!terminal.talks()) return;
    if (terminal.redraws()) {
      write_sequence(std::cerr, "\r");
      std::cerr << fmt::format("asking nodes: {} of {}{}", done, hosts.size(),
                               done == hosts.size() ? "\n" : "")
                << std::flush;
    } else if (done == hosts.size()) {
      std::cerr << fmt::format("asked {} node{}\n", done, done == 1 ? "" : "s");
    }
  };
  return probed(hosts, installed_layout(), progress);
}

Result<Discovered> discovery(const DiscoveryOptions& options, const CommonOptions& common) {
  if (options.slurm) return from_slurm(options, common);
  if (!options.hostfile.empty()) return from_hostfile(options, common);
  return Discovered{discovered_inventory(), {}};
}

namespace {

// Files state what is on the board, nodes what the kernel makes of it: 1 to 2 % less. A lost memory module of
// 24 is 4 %.
constexpr double board_tolerance = 0.03;

/// The inventory without the nodes that gave no answer: of them nothing is known to differ.
Inventory without(const Inventory& inventory, const std::vector<SilentNode>& silent) {
  std::vector<std::string> gone;
  gone.reserve(silent.size());
  for (const SilentNode& node : silent) gone.push_back(node.host);
  std::sort(gone.begin(), gone.end());
  Inventory rest = inventory;
  for (NodeGroup& group : rest.groups) {
    auto hosts = expanded_hostlist(group.hosts).value_or(std::vector<std::string>{});
    std::erase_if(
        hosts, [&](const std::string& host) { return std::binary_search(gone.begin(), gone.end(), host); });
    group.hosts = folded_hostlist(hosts);
  }
  std::erase_if(rest.groups, [](const NodeGroup& group) { return group.hosts.empty(); });
  return rest;
}

int code(InventoryMatch comparison) {
  return static_cast<int>(comparison);
}

}  // namespace

Result<int> check_inventory(const Inventory& inventory, const std::string& name,
                            const CommonOptions& common) {
  std::vector<std::string> hosts;
  for (const NodeGroup& group : inventory.groups) {
    const auto names = expanded_hostlist(group.hosts);
    if (!names) return failure_of(names);
    hosts.insert(hosts.end(), names->begin(), names->end());
  }
  const auto probe = answers_of(hosts, common);
  if (!probe) return failure_of(probe);
  const Inventory live = merged_answers(probe->answers, probe->silent, inventory.system);
  const auto changes = differences(without(inventory, probe->silent), live,
                                   {.only_stated_before = true, .tolerance = board_tolerance});
  const Sides sides{name, "live"};
  if (common.json) {
    std::vector<std::string> silent;
    for (const SilentNode& node : probe->silent) silent.push_back(node.host);
    std::cout << differences_json(changes, sides, silent);
  } else {
    if (!probe->answers.empty()) std::cout << differences_text(changes, sides);
    for (const std::string& sentence : heterogeneity(live)) std::cout << "nodes differ: " << sentence << "\n";
  }
  for (const std::string& note : silence_notes(probe->silent)) std::cerr << note << "\n";
  if (!probe->silent.empty()) return code(InventoryMatch::silent_nodes);
  return code(changes.empty() ? InventoryMatch::same : InventoryMatch::different);
}

Result<int> diff_inventories(const std::string& before, const std::string& after,
                             const CommonOptions& common) {
  const auto a = named_inventory(before, installed_layout());
  if (!a) return failure_of(a);
  const auto b = named_inventory(after, installed_layout());
  if (!b) return failure_of(b);
  const auto changes = differences(*a, *b);
  const Sides sides{before, after};
  std::cout << (common.json ? differences_json(changes, sides) : differences_text(changes, sides));
  return code(changes.empty() ? InventoryMatch::same : InventoryMatch::different);
}

Result<Inventory> last_campaigns_inventory(const CommonOptions& common) {
  const Workspace workspace{common.workspace};
  const auto ids = campaign_ids(workspace);
  if (ids.empty())
    return fail("inventory check",
                fmt::format("no inventory was named and {} has no campaign", common.workspace),
                "name one: shakedown inventory check cluster.toml");
  return read_inventory(workspace.campaign(ids.back()) / "inventory.json");
}

}  // namespace shakedown
