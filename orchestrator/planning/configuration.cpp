#include "orchestrator/planning/configuration.hpp"

#include "orchestrator/core/bounded_file.hpp"
#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/inventory/readers.hpp"

namespace shakedown {

fs::path configuration_file(const PlanOptions& options, const Layout& layout) {
  if (options.config.empty()) return {};
  const fs::path shipped = layout.share / "templates" / (options.config + ".toml");
  std::error_code code;
  return fs::exists(shipped, code) ? shipped : fs::path(options.config);
}

void find_system_beside(Acceptance& acceptance, const fs::path& file) {
  const fs::path beside = file.parent_path() / acceptance.system;
  std::error_code code;
  if (!acceptance.system.empty() && fs::is_regular_file(beside, code)) acceptance.system = beside.string();
}

Result<Acceptance> chosen_acceptance(const PlanOptions& options, const Layout& layout) {
  if (options.config.empty()) return Acceptance();
  const fs::path path = configuration_file(options, layout);
  const auto text = named_file_content(path);
  if (!text)
    return fail(options.config, text.error().what,
                "--config takes an acceptance.toml, or a shipped campaign's name");
  auto acceptance = acceptance_from_toml(*text, path.string());
  if (!acceptance) return acceptance;
  find_system_beside(*acceptance, path);
  return acceptance;
}

Result<Inventory> chosen_inventory(const PlanOptions& options, const Acceptance& acceptance,
                                   const Layout& layout) {
  const std::string& wanted = options.inventory.empty() ? acceptance.system : options.inventory;
  if (wanted.empty()) return discovered_inventory();
  return named_inventory(wanted, layout);
}

}  // namespace shakedown
