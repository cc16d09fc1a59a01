#pragma once
#include <initializer_list>

#include "tests/suites/gpu_nodes.hpp"

namespace shakedown::tests {

/// SAKURAONE's nodes with as many GPUs, half of them on each NUMA node.
inline NodeGroup nodes_of(int nodes, int gpus) {
  NodeGroup node = sakuraone_nodes(nodes);
  node.gpus.resize(static_cast<size_t>(gpus));
  for (int gpu = 0; gpu < gpus; ++gpu) node.gpus[static_cast<size_t>(gpu)].numa_node = 2 * gpu / gpus;
  std::erase_if(node.nics, [gpus](const Nic& nic) { return nic.gpu.value_or(0) >= gpus; });
  return node;
}

inline std::string number(const Case& planned, std::string_view name) {
  const Value* value = find_parameter(planned.parameters, name);
  return value == nullptr ? "none" : value_text(*value);
}

inline const Reason& why(const Case& planned, std::string_view what) {
  const auto found = std::ranges::find(planned.why, what, &Reason::what);
  if (found == planned.why.end()) throw std::runtime_error("no reason for " + std::string(what));
  return *found;
}

/// "8x5", or the rule that refuses.
inline std::string sides(const Result<Case>& planned, std::initializer_list<std::string_view> names) {
  if (!planned) return planned.error().where;
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : "x") + number(*planned, name);
  return text;
}

}  // namespace shakedown::tests
