#include "orchestrator/cli/text/difference_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/text_layout.hpp"
#include "orchestrator/plan/affected_suites.hpp"

namespace shakedown {
namespace {

std::vector<std::string> suites_of(const Change& change) {
  const auto suites = suites_to_run_again(change.kind);
  return {suites.begin(), suites.end()};
}

}  // namespace

std::string differences_text(const std::vector<Change>& changes, const Sides& sides) {
  if (changes.empty()) return fmt::format("no differences between {} and {}\n", sides.before, sides.after);
  std::vector<Row> rows = {{"hosts", "what", sides.before, sides.after, "run again"}};
  for (const Change& change : changes)
    rows.push_back({change.hosts.empty() ? "system" : change.hosts, change.what,
                    change.before.empty() ? "-" : change.before, change.after.empty() ? "-" : change.after,
                    joined(suites_of(change), " ")});
  std::string text;
  for (const std::string& line : aligned(rows)) text += line + "\n";
  return text + fmt::format("\n{} difference{}; worth running again: {}\n", changes.size(),
                            changes.size() == 1 ? "" : "s", joined(suites_to_run_again(changes), ", "));
}

std::string differences_json(const std::vector<Change>& changes, const Sides& sides,
                             const std::vector<std::string>& silent) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["schema"] = "shakedown.inventory-diff/1";
  json["before"] = sides.before;
  json["after"] = sides.after;
  json["changes"] = Json::array();
  for (const Change& change : changes) {
    Json row;
    if (!change.hosts.empty()) row["hosts"] = change.hosts;
    row["kind"] = kind_name(change.kind);
    row["what"] = change.what;
    if (!change.before.empty()) row["before"] = change.before;
    if (!change.after.empty()) row["after"] = change.after;
    row["run_again"] = suites_of(change);
    json["changes"].push_back(std::move(row));
  }
  json["run_again"] = suites_to_run_again(changes);
  if (!silent.empty()) json["no_answer"] = silent;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
