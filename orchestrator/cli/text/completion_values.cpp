#include "orchestrator/cli/text/completion_values.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "orchestrator/campaign/starting_configuration.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/inventory_keys.hpp"
#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/configuration_keys.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/schedulers/template_file.hpp"
#include "orchestrator/schedulers/template_keys.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/formats/format.hpp"
#include "reports/judge/criteria_keys.hpp"

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

namespace {

constexpr std::array files = {
    FileKeys{"acceptance", "acceptance.toml",
             "What is measured, where, and by what it is judged: `shakedown plan|run --config`. `shakedown "
             "init` writes one. "
             "Criteria stand in the same file, see [criteria](#criteria).",
             acceptance_keys},
    FileKeys{"criteria", "criteria",
             "The contract: in `acceptance.toml`, or in a file of its own for `--criteria`. A limit is "
             "absolute (`limit`), a "
             "part of another value (`relative_to`, `factor`), or follows from a training (`requirement`).",
             criteria_keys},
    FileKeys{"regression", "regression.toml",
             "A scheduled check: `shakedown regress --config`. `[site]`, `[settings]`, `[[calibration]]` and "
             "`[[runs]]` are as in "
             "[acceptance.toml](#acceptancetoml); a run has no `stage`, `repetitions`, `hosts`, `exclude` "
             "here, and one number of "
             "`nodes`.",
             regression_keys},
    FileKeys{"inventory", "inventory",
             "What a system consists of. `shakedown inventory discover` writes one. Each key that ends in "
             "`_bytes` and holds a "
             "size of memory or storage may be written in GiB instead: `memory_gib = 1536`.",
             inventory_keys},
    FileKeys{"scheduler", "batch system",
             "How jobs are submitted, polled and cancelled: [batch systems](batch-systems.md). Patterns are "
             "as of `grep -E`.",
             template_keys},
};

std::string code(std::string_view text) {
  return text.empty() ? "" : "`" + markdown_cell(text) + "`";
}

/// The settings of a node, which have a table of their own.
std::string settings_markdown() {
  std::string text =
      "### `[settings]`\n\nThe nodes as they were delivered. A result is invalid unless these are verified "
      "on every node before and "
      "after the run.\n\n| key | type | meaning |\n|---|---|---|\n";
  for (const ReadingName& each : reading_names())
    if (each.is_setting)
      text += fmt::format("| `{}` | {} | {} |\n", each.name,
                          each.kind == ReadingKind::on_off   ? "true or false"
                          : each.kind == ReadingKind::number ? "number"
                                                             : "text",
                          markdown_cell(each.about));
  return text + "\n";
}

}  // namespace

std::span<const FileKeys> file_keys() {
  return files;
}

std::string markdown_cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string keys_markdown(const FileKeys& file) {
  std::string text = fmt::format("## {}\n\n{}\n\n", file.title, file.about);
  std::string_view table = "none";
  for (const FileKey& each : file.keys) {
    if (each.table != table) {
      table = each.table;
      text += fmt::format(
          "{}### {}\n\n| key | type | default | unit | example | meaning |\n|---|---|---|---|---|---|\n",
          text.ends_with("\n\n") ? "" : "\n", table.empty() ? "Top of the file" : code(table));
    }
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", each.key == "*" ? "any name" : code(each.key),
                        each.type, markdown_cell(each.fallback), each.unit, code(each.example),
                        markdown_cell(each.about));
  }
  return text + "\n" + (file.id == "acceptance" ? settings_markdown() : "");
}

std::string keys_page() {
  std::string text =
      "# Configuration files\n\nAll keys of all files that you write, as `shakedown list --keys all` prints "
      "them. All are TOML. Unknown keys "
      "and wrong values are refused with file and line.\n\nDefault: the value where the key is absent; "
      "\"required\" means that the key must "
      "be there.\n\n";
  for (const FileKeys& each : files) text += keys_markdown(each);
  text.pop_back();
  return text;
}

}  // namespace shakedown
