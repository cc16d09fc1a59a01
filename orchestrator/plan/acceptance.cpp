#include "orchestrator/plan/acceptance.hpp"

#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/placeholders.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

constexpr std::int64_t most_nodes = 1'000'000;
constexpr std::int64_t most_repetitions = 1'000;
constexpr std::int64_t most_stages = 100;

std::vector<int> node_counts(TomlTable& table) {
  std::vector<int> counts;
  for (const std::int64_t count : table.integers("nodes")) {
    if (count < 1 || count > most_nodes)
      table.reject("nodes", fmt::format("{} is no number of nodes", count));
    else
      counts.push_back(static_cast<int>(count));
  }
  if (table.has("nodes") && counts.empty()) table.reject("nodes", "'nodes' is empty", "leave it out for all");
  return counts;
}

/// Rejects a suite that there is none of, beside whatever else is wrong in the file.
void check_suite(TomlTable& table, const std::string& suite) {
  if (suite.empty() || suite_facts(suite) != nullptr) return;
  std::vector<std::string> ids;
  ids.reserve(suites_in_order().size());
  for (const SuiteFacts* each : suites_in_order()) ids.emplace_back(each->id);
  table.reject("suite", fmt::format("no suite '{}'{}", suite, did_you_mean(suite, ids)),
               fmt::format("suites: {}", joined(ids, ", ")));
}

ReportParties parties_from_toml(TomlTable table) {
  return {table.text("vendor", ""),   table.text("customer", ""), table.text("site", ""),
          table.text("contract", ""), table.text("tester", ""),   table.text("cooling", ""),
          table.text("power", "")};
}

}  // namespace

AcceptanceRun run_from_toml(TomlTable table) {
  AcceptanceRun run;
  run.place = table.place();
  run.suite = table.required_text("suite");
  check_suite(table, run.suite);
  run.implementation = table.text("implementation", "");
  run.benchmark = table.text("benchmark", "");
  run.nodes = node_counts(table);
  run.hosts = table.text("hosts", "");
  run.exclude = table.text("exclude", "");
  if (!run.hosts.empty() && !run.exclude.empty())
    table.reject("exclude", "'hosts' and 'exclude' contradict each other",
                 "leave one out: 'hosts' names the nodes that the run is on");
  run.each_node = table.boolean("each_node", false);
  if (run.each_node && table.has("nodes"))
    table.reject("nodes", "'nodes' and 'each_node' contradict each other",
                 "leave one out: each_node makes a case of one node for each");
  const std::int64_t stage = table.integer("stage", 0);
  if (stage < 0 || stage > most_stages)
    table.reject("stage", fmt::format("'stage' is {}, outside 0 to {}", stage, most_stages));
  else
    run.stage = static_cast<int>(stage);
  const std::int64_t repetitions = table.integer("repetitions", 1);
  if (repetitions < 1 || repetitions > most_repetitions)
    table.reject("repetitions",
                 fmt::format("'repetitions' is {}, outside 1 to {}", repetitions, most_repetitions));
  else
    run.repetitions = static_cast<int>(repetitions);
  run.optional = table.boolean("optional", false);
  run.minutes = table.real("minutes", 0);
  if (!(run.minutes >= 0) || !std::isfinite(run.minutes))
    table.reject("minutes", "'minutes' is no number of minutes");
  run.pins = free_parameters(table.table("pins"));
  return run;
}

Result<Acceptance> acceptance_from_toml(std::string_view text, std::string_view name) {
  auto concealed = concealed_configuration(text, name);
  if (!concealed) return failure_of(concealed);
  auto document = TomlTable::parse(concealed->text, name);
  if (!document) return failure_of(document);
  TomlTable& table = *document;
  Acceptance acceptance;
  acceptance.text = std::move(concealed->text);
  acceptance.secrets = std::move(concealed->secrets);
  acceptance.title = table.text("title", "");
  acceptance.system = table.text("system", "");
  acceptance.baseline = table.text("baseline", "");
  acceptance.parties = parties_from_toml(table.table("report"));
  acceptance.site = site_from_toml(table.table("site"));
  acceptance.settings = settings_from_toml(table.table("settings"));
  acceptance.calibrations = calibrations_from_toml(table);
  for (TomlTable& run : table.tables("runs")) acceptance.runs.push_back(run_from_toml(run));
  for (const std::string_view of_the_reports : keys_of_the_criteria) table.skip(of_the_reports);
  if (auto ok = table.finished(); !ok) return failure_of(ok);
  return acceptance;
}

}  // namespace shakedown
