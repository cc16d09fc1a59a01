#include "reports/criteria.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"

namespace shakedown {
namespace {

using Words = std::span<const std::string>;

/// The text at `key`, which must be one of `known`.
std::string one_of(TomlTable& table, std::string_view key, std::string text, Words known) {
  if (std::find(known.begin(), known.end(), text) == known.end() && table.has(key))
    table.reject(key, fmt::format("'{}' can't be '{}'{}", key, text, did_you_mean(text, known)),
                 fmt::format("it is one of: {}", joined(known, ", ")));
  return text;
}

std::optional<IdleLimit> idle_limit(TomlTable idle, std::string_view key) {
  TomlTable table = idle.table(key);  // also when absent, so that a misspelled key is told from a known one
  if (!idle.has(key)) return std::nullopt;
  IdleLimit limit{table.required_real("limit"), table.required_text("reason")};
  if (table.has("limit") && limit.limit <= 0)
    table.reject("limit", fmt::format("the limit must be above 0, not {}", limit.limit));
  return limit;
}

/// A whole number from `least`; nothing where it is not stated.
std::optional<int> stated_count(TomlTable& table, std::string_view key, std::int64_t least) {
  constexpr std::int64_t most = 1'000'000;
  const auto stated = table.optional_integer(key);
  if (!stated) return std::nullopt;
  if (*stated >= least && *stated <= most) return static_cast<int>(*stated);
  table.reject(key, fmt::format("'{}' is {}, outside {} to {}", key, *stated, least, most));
  return std::nullopt;
}

Criterion criterion(TomlTable table) {
  static const std::array<std::string, 2> severities = {"mandatory", "advisory"};
  static const std::array<std::string, 2> directions = {">=", "<="};
  static const std::array<std::string, 1> aggregations = {"median"};
  Criterion clause;
  clause.id = table.required_text("id");
  clause.title = table.required_text("title");
  clause.suite = table.required_text("suite");
  clause.metric = table.required_text("metric");
  clause.approver = table.text("approver", "");
  clause.relative_to = table.text("relative_to", "");
  clause.limit_source =
      clause.relative_to.empty() ? table.required_text("limit_source") : table.text("limit_source", "");
  clause.severity = one_of(table, "severity", table.required_text("severity"), severities);
  clause.if_planned = table.boolean("if_planned", false);
  clause.severity_without_reference =
      one_of(table, "severity_without_reference", table.text("severity_without_reference", clause.severity),
             severities);
  if (table.has("each_node")) clause.each_node = table.boolean("each_node", false);
  clause.nodes_required = stated_count(table, "nodes_required", 1);
  clause.exclusions_max = stated_count(table, "exclusions_max", 0);
  clause.attempts_max = stated_count(table, "attempts_max", 1);
  if (clause.metric == "validity") return clause;
  clause.direction = one_of(table, "direction", table.required_text("direction"), directions);
  clause.aggregation = one_of(table, "aggregation", table.required_text("aggregation"), aggregations);
  if (clause.relative_to.empty()) {
    clause.limit = table.required_real("limit");
    return clause;
  }
  clause.factor = table.required_real("factor");
  if (table.has("factor") && !(clause.factor > 0))
    table.reject("factor", fmt::format("the factor must be above 0, not {}", clause.factor));
  if (table.has("limit"))
    table.reject("limit", "a clause has a limit or is relative to a baseline, not both",
                 "leave 'limit' or 'relative_to' out");
  return clause;
}

}  // namespace

Result<Criteria> read_criteria(std::string_view text, std::string_view name) {
  auto file = TomlTable::parse(text, name);
  if (!file) return pass_on(file);
  Criteria criteria;
  criteria.title = file->required_text("title");
  TomlTable idle = file->table("idle");
  criteria.steal = idle_limit(idle, "steal");
  criteria.load = idle_limit(idle, "load");
  criteria.gemm_spread = idle_limit(idle, "gemm_spread");
  std::set<std::string> ids;
  for (TomlTable& table : file->tables("criteria")) {
    criteria.criteria.push_back(criterion(table));
    const std::string& id = criteria.criteria.back().id;
    if (!id.empty() && !ids.insert(id).second)
      table.reject("id", fmt::format("two criteria are called '{}'", id),
                   "give each clause an id of its own");
  }
  // In a configuration these stand beside the criteria; planning reads them.
  for (const char* of_the_plan : {"system", "baseline", "site", "runs", "settings"}) file->skip(of_the_plan);
  if (auto ok = file->finished(); !ok) return pass_on(ok);
  return criteria;
}

}  // namespace shakedown
