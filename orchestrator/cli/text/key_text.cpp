#include "orchestrator/cli/text/key_text.hpp"

#include <fmt/format.h>

#include <array>

#include "orchestrator/inventory/inventory_keys.hpp"
#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/plan/acceptance_keys.hpp"
#include "orchestrator/plan/regression_keys.hpp"
#include "orchestrator/schedulers/template_keys.hpp"
#include "reports/judge/criteria_keys.hpp"

namespace shakedown {
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

/// The text within a cell of a table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string code(std::string_view text) {
  return text.empty() ? "" : "`" + cell(text) + "`";
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
                          cell(each.about));
  return text + "\n";
}

}  // namespace

std::span<const FileKeys> file_keys() {
  return files;
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
                        each.type, cell(each.fallback), each.unit, code(each.example), cell(each.about));
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
