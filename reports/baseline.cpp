#include "reports/baseline.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

const std::array<std::string, 6> statuses = {"ok",           "rounding",    "unit-suspect",
                                             "inconsistent", "legacy-rule", "unverified"};

std::vector<Parameter> conditions(TomlTable table) {
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

BaselineValue baseline_value(TomlTable table) {
  BaselineValue value;
  value.id = table.required_text("id");
  value.metric = table.required_text("metric");
  value.value = table.required_real("value");
  value.unit = table.required_text("unit");
  value.printed = table.required_text("printed");
  value.source = table.required_text("source");
  value.status = table.required_text("status");
  value.note = table.text("note", "");
  if (table.has("status") && std::find(statuses.begin(), statuses.end(), value.status) == statuses.end())
    table.reject("status",
                 fmt::format("'{}' is no status{}", value.status, did_you_mean(value.status, statuses)),
                 fmt::format("it is one of: {}", joined(statuses, ", ")));
  return value;
}

}  // namespace

const BaselineValue* Baseline::find(std::string_view suite, std::string_view metric) const {
  const auto it = std::find_if(values.begin(), values.end(), [&](const BaselineValue& value) {
    return value.suite == suite && value.metric == metric;
  });
  return it == values.end() ? nullptr : &*it;
}

Result<Baseline> read_baseline(const std::filesystem::path& path) {
  const auto text = file_content(path);
  if (!text) return pass_on(text);
  auto file = TomlTable::parse(*text, path.string());
  if (!file) return pass_on(file);
  Baseline baseline;
  baseline.sha256 = sha256(*text);
  baseline.name = file->required_text("name");
  baseline.title = file->required_text("title");
  baseline.source = file->required_text("source");
  std::set<std::string> ids;
  for (TomlTable& run : file->tables("runs")) {
    const std::string suite = run.required_text("suite");
    run.required_text("title");
    const std::vector<Parameter> shared = conditions(run.table("conditions"));
    for (TomlTable& table : run.tables("values")) {
      BaselineValue value = baseline_value(table);
      value.suite = suite;
      value.conditions = shared;
      if (!value.id.empty() && !ids.insert(value.id).second)
        table.reject("id", fmt::format("two values are called '{}'", value.id));
      baseline.values.push_back(std::move(value));
    }
  }
  if (auto ok = file->finished(); !ok) return pass_on(ok);
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
    if (!baseline) return pass_on(baseline);
    baselines.push_back(std::move(*baseline));
  }
  return baselines;
}

}  // namespace shakedown
