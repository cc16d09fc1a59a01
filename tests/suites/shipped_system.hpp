#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"
#include "tests/suites/inventories.hpp"

namespace shakedown::tests {

/// A shipped system, to plan on some of its nodes.
class ShippedSystem {
 public:
  explicit ShippedSystem(const std::string& name) {
    auto read = read_inventory(BUILD_FOLDER "/share/shakedown/systems/" + name + ".toml");
    if (!read) throw std::runtime_error(to_string(read.error()));
    inventory = *std::move(read);
  }

  [[nodiscard]] Result<Case> plan(const Implementation& implementation, int nodes, Site site = {},
                                  std::vector<Parameter> pins = {}) const {
    const NodeGroup& group = inventory.groups.front();
    PlanRequest request;
    request.inventory = &inventory;
    request.implementation = &implementation;
    request.group = &group;
    request.hosts = expanded_hostlist(group.hosts).value();
    request.hosts.resize(static_cast<size_t>(nodes));
    site.container_program = "/usr/bin/apptainer";  // so that a golden does not depend on what is installed
    request.site = &site;
    request.pins = std::move(pins);
    return suite_called(implementation.suite).plan(request);
  }

  Inventory inventory;
};

inline std::string text_parameter(const Case& planned, std::string_view name) {
  const Value* value = find_parameter(planned.parameters, name);
  return value == nullptr ? std::string() : value_text(*value);
}

/// The command lines that go before the case, one a line.
inline std::string preparation_text(const Case& planned) {
  std::string text;
  for (const auto& line : planned.preparation) {
    for (const std::string& word : line) text += (&word == &line.front() ? "" : " ") + word;
    text += "\n";
  }
  return text;
}

}  // namespace shakedown::tests
