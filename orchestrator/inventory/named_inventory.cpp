#include "orchestrator/inventory/named_inventory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/readers.hpp"

namespace shakedown {

std::vector<std::string> shipped_systems(const Layout& layout) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(layout.share / "systems", code))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Result<Inventory> named_inventory(const std::string& name, const Layout& layout) {
  const bool is_name = name.find_first_of("/.") == std::string::npos;
  std::error_code code;
  if (!is_name || fs::exists(name, code)) return read_inventory(name);
  const auto names = shipped_systems(layout);
  if (std::find(names.begin(), names.end(), name) == names.end())
    return fail("inventory",
                fmt::format("no file and no shipped system '{}'{}", name, did_you_mean(name, names)),
                fmt::format("shipped systems: {}", joined(names, ", ")));
  return read_inventory(layout.share / "systems" / (name + ".toml"));
}

}  // namespace shakedown
