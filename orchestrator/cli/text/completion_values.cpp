#include "orchestrator/cli/text/completion_values.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/campaign/starting_configuration.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/text/key_text.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/schedulers/template_file.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/formats/format.hpp"

namespace shakedown {
namespace {

using Values = std::vector<std::string>;

Values suite_ids(const std::string&) {
  Values ids;
  for (const Suite* suite : suites()) ids.emplace_back(suite->id);
  return ids;
}

Values implementation_ids(const std::string&) {
  Values ids;
  const auto known = read_implementations(installed_layout().share / "implementations");
  if (!known) return ids;
  for (const Implementation& each : *known)
    if (std::ranges::find(ids, each.id) == ids.end()) ids.push_back(each.id);
  return ids;
}

Values system_names(const std::string&) {
  return shipped_systems(installed_layout());
}

Values configuration_names(const std::string&) {
  return shipped_configurations(installed_layout());
}

Values criteria_names(const std::string& workspace) {
  Values names = configuration_names(workspace);
  names.emplace_back("quick");
  return names;
}

Values campaign_ids(const std::string& workspace) {
  Values ids;
  std::error_code code;
  for (fs::directory_iterator entry(Workspace{workspace}.campaigns(), code), end; !code && entry != end;
       entry.increment(code))
    ids.push_back(entry->path().filename().string());
  std::ranges::sort(ids);
  return ids;
}

Values format_ids(const std::string&) {
  Values ids;
  for (const ReportFormat* format : report_formats()) ids.emplace_back(format->id);
  return ids;
}

Values scheduler_ids(const std::string&) {
  Values ids;
  for (const SchedulerType* each : schedulers()) ids.emplace_back(each->id);
  if (const auto shipped = shipped_scheduler_templates(installed_layout()))
    for (const SchedulerTemplate& each : *shipped) ids.push_back(each.id);
  return ids;
}

Values baseline_names(const std::string&) {
  Values names;
  if (const auto shipped = shipped_baselines(installed_layout().share))
    for (const Baseline& each : *shipped) names.push_back(each.name);
  return names;
}

Values kinds_of_files(const std::string&) {
  Values ids = {"all"};
  for (const FileKeys& each : file_keys()) ids.emplace_back(each.id);
  return ids;
}

const std::array kinds = {
    ValueKind{"suites", "--suite", false, suite_ids},
    ValueKind{"implementations", "--implementation", false, implementation_ids},
    ValueKind{"systems", "--inventory inventory A B", true, system_names},
    ValueKind{"configurations", "--config", true, configuration_names},
    ValueKind{"shipped-configurations", "--from", false, configuration_names},
    ValueKind{"criteria", "--criteria file", true, criteria_names},
    ValueKind{"campaigns", "--campaign campaign after", false, campaign_ids},
    ValueKind{"formats", "--format", false, format_ids},
    ValueKind{"schedulers", "--scheduler", true, scheduler_ids},
    ValueKind{"baselines", "--baseline name", false, baseline_names},
    ValueKind{"files", "--keys", false, kinds_of_files},
    ValueKind{"colors", "--color", false,
              [](const std::string&) {
                return Values{"auto", "always", "never"};
              }},
    ValueKind{"progress", "--progress", false,
              [](const std::string&) {
                return Values{"auto", "bar", "plain", "none"};
              }},
};

}  // namespace

bool ValueKind::is_taken_by(std::string_view name) const {
  return std::ranges::any_of(words(takers), [&](std::string_view taker) { return taker == name; });
}

std::span<const ValueKind> value_kinds() {
  return kinds;
}

}  // namespace shakedown
