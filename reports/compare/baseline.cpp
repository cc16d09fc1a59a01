#include "reports/compare/baseline.hpp"

#include <algorithm>
#include <set>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/last_made.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

BaselineValue baseline_value(TomlTable table) {
  BaselineValue value;
  value.id = table.required_text("id");
  value.metric = table.required_text("metric");
  value.value = table.required_real("value");
  value.unit = table.required_text("unit");
  value.printed = table.required_text("printed");
  value.source = table.required_text("source");
  value.status = required_one_of<BaselineStatus>(table, "status", baseline_statuses);
  value.note = table.text("note", "");
  return value;
}

/// "1" or "unknown": a whole number or a text.
std::string number_of_runs(TomlTable& run) {
  const auto scalar = run.scalar("runs");
  if (!scalar) {
    run.reject("runs", run.has("runs") ? "'runs' must be a number or \"unknown\"" : "'runs' is missing",
               "how many runs the values stand for; \"unknown\" if the source does not state it");
    return "";
  }
  if (scalar->type != "integer" && scalar->text != "unknown")
    run.reject("runs", fmt::format("'{}' is no number of runs", scalar->text), "a number or \"unknown\"");
  return scalar->text;
}

}  // namespace

std::vector<Parameter> conditions_from(TomlTable table) {
  std::vector<Parameter> found;
  for (const std::string& key : table.keys()) {
    const auto scalar = table.scalar(key);
    if (!scalar) {
      table.reject(key, fmt::format("condition '{}' must be a single value", key));
      continue;
    }
    Value value = scalar->text;
    if (scalar->type == "integer") value = parsed_integer(scalar->text).value_or(0);
    if (scalar->type == "float") value = parsed_number(scalar->text).value_or(0);
    found.push_back({key, std::move(value)});
  }
  return found;
}

Result<Baseline> read_baseline(const std::filesystem::path& path) {
  const auto text = named_file_content(path);
  if (!text) return failure_of(text);
  static LastMade<Baseline> last;
  return last.of(path.string() + '\n' + *text, [&] { return baseline_from(*text, path.string()); });
}

bool is_baseline_file(std::string_view name) {
  return name.ends_with(".toml") || name.find('/') != name.npos;
}

std::filesystem::path campaign_baseline(const std::filesystem::path& campaign_folder, const std::string& name,
                                        const std::filesystem::path& share) {
  std::error_code code;
  const std::filesystem::path own = campaign_folder / campaign_baseline_file;
  return !campaign_folder.empty() && std::filesystem::exists(own, code)
             ? own
             : share / "baselines" / (name + ".toml");
}

Result<Baseline> named_baseline(const std::string& name, const std::filesystem::path& share) {
  std::error_code code;
  const bool is_file = is_baseline_file(name);
  if (is_file && std::filesystem::exists(name, code)) return read_baseline(name);
  const auto of_name = share / "baselines" / (name + ".toml");
  if (of_name.filename() == name + ".toml" && std::filesystem::exists(of_name, code))
    return read_baseline(of_name);
  const auto shipped = shipped_baselines(share);
  if (!shipped) return failure_of(shipped);
  std::vector<std::string> names;
  for (const Baseline& each : *shipped) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  const std::string shipped_ones =
      fmt::format("baselines: {}; a file of your own ends in .toml", joined(names, ", "));
  if (is_file) return fail(name, "there is no such file", shipped_ones);
  return fail("baseline", fmt::format("no baseline '{}'{}", name, did_you_mean(name, names)), shipped_ones);
}

Result<Baseline> baseline_from(std::string_view text, const std::string& name) {
  auto file = TomlTable::parse(text, name);
  if (!file) return failure_of(file);
  Baseline baseline;
  baseline.sha256 = sha256(text);
  baseline.name = file->required_text("name");
  baseline.title = file->required_text("title");
  baseline.source = file->required_text("source");
  std::set<std::string> ids;
  std::set<std::string> run_ids;
  for (TomlTable& run : file->tables("runs")) {
    const std::string id = run.required_text("id");
    if (!id.empty() && !run_ids.insert(id).second)
      run.reject("id", fmt::format("two runs are called '{}'", id));
    const std::string suite = run.required_text("suite");
    const std::string title = run.required_text("title");
    const std::string runs = number_of_runs(run);
    const std::string score_rule = run.required_text("score_rule");
    const std::string bound_by = run.text("bound_by", "");
    const std::vector<Parameter> shared = conditions_from(run.table("conditions"));
    for (TomlTable& table : run.tables("values")) {
      BaselineValue value = baseline_value(table);
      value.run = id;
      value.title = title;
      value.suite = suite;
      value.runs = runs;
      value.score_rule = score_rule;
      value.bound_by = bound_by;
      value.conditions = shared;
      if (!value.id.empty() && !ids.insert(value.id).second)
        table.reject("id", fmt::format("two values are called '{}'", value.id));
      baseline.values.push_back(std::move(value));
    }
  }
  if (auto ok = file->finished(); !ok) return failure_of(ok);
  return baseline;
}

Result<std::vector<Baseline>> shipped_baselines(const std::filesystem::path& share) {
  std::vector<std::filesystem::path> paths;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(share / "baselines", code))
    if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  if (code)
    return fail_environment((share / "baselines").string(),
                            fmt::format("can't be listed: {}", code.message()));
  std::sort(paths.begin(), paths.end());
  std::vector<Baseline> baselines;
  for (const auto& path : paths) {
    auto baseline = read_baseline(path);
    if (!baseline) return failure_of(baseline);
    baselines.push_back(std::move(*baseline));
  }
  return baselines;
}

std::vector<IdentityCheck> checked_identities(const Baseline& baseline) {
  IdentityList found;
  for (const PublishedRun& run : published_runs(baseline))
    if (const SuiteFacts* facts = suite_facts(run.suite); facts != nullptr && facts->identities != nullptr)
      facts->identities(run, baseline, found);
  return std::move(found).taken();
}

}  // namespace shakedown
