#include "reports/judge/criteria.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/plan/configuration_keys.hpp"

namespace shakedown {
namespace {

std::optional<IdleLimit> idle_limit(TomlTable idle, std::string_view key) {
  TomlTable table = idle.table(key);  // also when absent, so that a misspelled key is told from a known one
  if (!idle.has(key)) return std::nullopt;
  IdleLimit limit{table.required_real("limit"), table.required_text("reason")};
  if (table.has("limit") && (!(limit.limit > 0) || !std::isfinite(limit.limit)))
    table.reject("limit", fmt::format("the limit must be a number above 0, not {}", limit.limit));
  return limit;
}

}  // namespace

Result<Criteria> read_criteria(std::string_view text, std::string_view name) {
  auto file = TomlTable::parse(text, name);
  if (!file) return failure_of(file);
  Criteria criteria;
  criteria.title = file->required_text("title");
  TomlTable idle = file->table("idle");
  criteria.steal = idle_limit(idle, "steal");
  criteria.load = idle_limit(idle, "load");
  criteria.gemm_spread = idle_limit(idle, "gemm_spread");
  std::vector<std::string> ids;
  for (TomlTable& table : file->tables("criteria")) {
    criteria.criteria.push_back(criterion_from(table));
    const std::string& id = criteria.criteria.back().id;
    if (!id.empty() && std::ranges::find(ids, id) != ids.end())
      table.reject("id", fmt::format("two criteria are called '{}'", id),
                   "give each criterion an id of its own");
    ids.push_back(id);
  }
  criteria.waivers = waivers_from(*file, ids);
  // In a configuration these stand beside the criteria; planning reads them.
  for (const std::string_view of_the_plan : keys_of_the_plan) file->skip(of_the_plan);
  if (auto ok = file->finished(); !ok) return failure_of(ok);
  return criteria;
}

}  // namespace shakedown
