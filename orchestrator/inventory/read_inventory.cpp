#include "orchestrator/core/bounded_file.hpp"
#include "orchestrator/inventory/readers.hpp"

namespace shakedown {

Result<Inventory> read_inventory(const std::filesystem::path& path) {
  const auto content = named_file_content(path);
  if (!content) return failure_of(content);
  if (path.extension() == ".json") return inventory_from_json(*content, path.string());
  return inventory_from_toml(*content, path.string());
}

}  // namespace shakedown
