#include "reports/html/file_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

bool measures_storage(std::string_view suite) {
  const SuiteFacts* facts = suite_facts(suite);
  return facts != nullptr && std::ranges::find(facts->resources, Resource::storage) != facts->resources.end();
}

/// The folder that the configuration states for the suite's files; empty: none, they lie in the run
/// directories.
std::string stated_folder(const CampaignRecord& campaign, std::string_view suite) {
  if (campaign.config_text.empty()) return "";
  const auto read = acceptance_from_toml(campaign.config_text, "configuration");
  const SuiteSite* site = read ? read->site.of_suite(suite) : nullptr;
  const Value* folder = site == nullptr ? nullptr : find_parameter(site->values, "datadir");
  return folder == nullptr ? "" : value_text(*folder);
}

bool lies_below(std::string_view path, std::string_view folder) {
  if (folder.empty() || !path.starts_with(folder)) return false;
  return folder.ends_with('/') || path.size() == folder.size() || path[folder.size()] == '/';
}

/// What the inventory says of the file system that a folder is on: "lustre on /scratch"; empty: nothing.
std::string described(const Inventory& inventory, const std::string& folder) {
  const Storage* shared = nullptr;
  for (const Storage& each : inventory.storage)
    if (lies_below(folder, each.mount) ||
        (inventory.storage.size() == 1 && (each.mount.empty() || folder.empty())))
      shared = &each;
  if (shared != nullptr && !shared->type.empty()) {
    std::string text = shared->type;
    if (shared->servers > 0)
      text += fmt::format(", {}{}", plural(shared->servers, "server"),
                          shared->server_model.empty() ? "" : fmt::format(" ({})", shared->server_model));
    return text + (shared->mount.empty() ? ", mount not stated" : " on " + shared->mount);
  }
  const Mount* found = nullptr;
  for (const NodeGroup& group : inventory.groups)
    for (const Mount& each : group.mounts)
      if (lies_below(folder, each.path) && (found == nullptr || each.path.size() > found->path.size()))
        found = &each;
  return found == nullptr ? "" : fmt::format("{} on {}", found->type, found->path);
}

}  // namespace

std::string file_system_text(const ReportInput& input, std::string_view suite) {
  const CampaignRecord& campaign = input.campaign;
  if (!measures_storage(suite)) return "";
  const std::string folder = stated_folder(campaign, suite);
  if (is_external(campaign)) {
    const std::string system = described(campaign.inventory, "");
    return system.empty()
               ? "File system not stated: [[storage]] of an inventory states it (import --inventory)."
               : fmt::format("File system: {}, as the inventory states.", system);
  }
  const std::string key = fmt::format("datadir of [site.{}]", suite);
  if (folder.empty())
    return fmt::format(
        "File system not stated: the files lay in the run directory; {} chooses another folder.", key);
  const std::string system = described(campaign.inventory, folder);
  return fmt::format("File system: {}; target folder {}.",
                     system.empty() ? "type and mount not stated ([[storage]] of the inventory)" : system,
                     folder);
}

}  // namespace shakedown
