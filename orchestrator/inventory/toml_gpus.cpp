#include "orchestrator/inventory/toml_gpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/check.hpp"

namespace shakedown {
namespace {

constexpr std::int64_t most_gpus = 1024;

/// How many GPUs the table describes, by `count` and by a list of `listed` values under `key`.
std::int64_t agreed_count(TomlTable& table, std::string_view key, std::string_view noun, size_t listed,
                          std::int64_t count, const NodeGroup& group) {
  if (!table.has(key)) return count;
  const auto values = static_cast<std::int64_t>(listed);
  const bool one = is_one_node(group);
  const bool said = count >= 0;
  if (said && values != count)
    table.reject(key, fmt::format("{} {} gpus = {} but {} {} {}", subject(group), one ? "has" : "have", count,
                                  one ? "lists" : "list", values, noun));
  return said ? count : values;
}

std::string quoted_list(std::span<const std::string> texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(toml_quoted(text));
  return joined(quoted, ", ");
}

}  // namespace

std::vector<Gpu> expanded_gpus(TomlTable& table, const Gpu& shared, const NodeGroup& group) {
  const auto said = table.optional_integer("count");
  if (said && (*said < 1 || *said > most_gpus))
    table.reject("count", fmt::format("'count' must be between 1 and {}, not {}", most_gpus, *said));
  const auto uuids = table.texts("uuids");
  const auto addresses = table.texts("pci_addresses");
  const auto nodes = table.integers("numa_nodes");
  std::int64_t count = said.value_or(-1);
  count = agreed_count(table, "uuids", "uuids", uuids.size(), count, group);
  count = agreed_count(table, "pci_addresses", "PCI addresses", addresses.size(), count, group);
  count = agreed_count(table, "numa_nodes", "NUMA nodes", nodes.size(), count, group);
  if (count < 0) count = 1;
  for (const auto& [one, many] :
       {std::pair{"uuid", "uuids"}, {"pci_address", "pci_addresses"}, {"numa_node", "numa_nodes"}})
    if (table.has(one) && table.has(many))
      table.reject(one, fmt::format("give '{}' or '{}', not both", one, many));
  if (count > 1 && !shared.uuid.empty())
    table.reject("uuid", fmt::format("{} gpus can't share one uuid", count));
  for (const std::int64_t node : nodes)
    if (node < -1 || node > std::numeric_limits<int>::max())
      table.reject("numa_nodes", fmt::format("'numa_nodes' must hold node numbers, not {}", node));
  const auto size = static_cast<size_t>(std::min(count, most_gpus));
  std::vector<Gpu> gpus(size, shared);
  for (size_t i = 0; i < size; ++i) {
    if (i < uuids.size()) gpus[i].uuid = uuids[i];
    if (i < addresses.size()) gpus[i].pci_address = addresses[i];
    if (i < nodes.size()) gpus[i].numa_node = static_cast<int>(nodes[i]);
  }
  return gpus;
}

Gpu shared_part(Gpu gpu) {
  gpu.uuid.clear();
  gpu.pci_address.clear();
  gpu.numa_node = Gpu{}.numa_node;
  return gpu;
}

std::vector<size_t> gpu_runs(std::span<const Gpu> gpus) {
  std::vector<size_t> runs;
  for (size_t i = 0; i < gpus.size(); ++i) {
    const bool same = i > 0 && shared_part(gpus[i]) == shared_part(gpus[i - 1]);
    if (same && static_cast<std::int64_t>(runs.back()) < most_gpus)
      ++runs.back();
    else
      runs.push_back(1);
  }
  return runs;
}

std::string gpu_run_lines(std::span<const Gpu> run) {
  if (run.size() < 2) return "";
  std::vector<std::string> uuids;
  std::vector<std::string> addresses;
  std::vector<std::string> nodes;
  for (const Gpu& gpu : run) {
    uuids.push_back(gpu.uuid);
    addresses.push_back(gpu.pci_address);
    nodes.push_back(fmt::format("{}", gpu.numa_node));
  }
  const auto any = [&](auto member) {
    return std::any_of(run.begin(), run.end(), [&](const Gpu& gpu) { return gpu.*member != Gpu{}.*member; });
  };
  std::string lines = fmt::format("count = {}\n", run.size());
  if (any(&Gpu::uuid)) lines += fmt::format("uuids = [{}]\n", quoted_list(uuids));
  if (any(&Gpu::pci_address)) lines += fmt::format("pci_addresses = [{}]\n", quoted_list(addresses));
  if (any(&Gpu::numa_node)) lines += fmt::format("numa_nodes = [{}]\n", joined(nodes, ", "));
  return lines;
}

}  // namespace shakedown
