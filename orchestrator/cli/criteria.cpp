#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/starting_configuration.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/plan_options.hpp"
#include "orchestrator/cli/text/criteria_text.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/measurable.hpp"

namespace shakedown::command {
namespace {

struct CriteriaOptions {
  std::string file;
  std::string config;
  double cov_pct = 1;
  int runs = 1;
};

/// The configuration of the campaign's runs: --config, else the file itself if it has [[runs]]; nothing if
/// neither is so.
Result<std::optional<Acceptance>> planned_by(const CriteriaOptions& options, const CriteriaFile& file,
                                             const Layout& layout) {
  CriteriaFile source = file;
  if (!options.config.empty()) {
    auto other = criteria_file(options.config, layout);
    if (!other) return failure_of(other);
    source = std::move(*other);
  } else {
    const auto table = TomlTable::parse(file.text, file.path);
    if (!table) return failure_of(table);
    if (!table->has("runs")) return std::optional<Acceptance>();
  }
  auto acceptance = acceptance_from_toml(source.text, source.path);
  if (!acceptance) return failure_of(acceptance);
  find_system_beside(*acceptance, source.path);
  return std::optional(std::move(*acceptance));
}

Result<int> check(const CriteriaOptions& options, const CommonOptions& common) {
  const Layout layout = installed_layout();
  const auto file = criteria_file(options.file, layout);
  if (!file) return failure_of(file);
  if (auto measurable = check_metrics(file->text, file->path); !measurable) return failure_of(measurable);
  const auto planned = planned_by(options, *file, layout);
  if (!planned) return failure_of(planned);
  const std::optional<Acceptance>& acceptance = *planned;
  const auto baselines = shipped_baselines(layout.share);
  if (!baselines) return failure_of(baselines);
  CheckScene scene;
  LastAccepted accepted;
  Result<Plan> plan = Plan();
  if (acceptance.has_value()) {
    scene.planned = &acceptance.value();
    if (!acceptance->system.empty()) {
      const auto inventory = named_inventory(acceptance->system, layout);
      if (!inventory) return failure_of(inventory);
      scene.system_nodes = inventory->nodes();
      PlanOptions wanted;
      wanted.config = options.config.empty() ? file->path : options.config;
      plan = derived_plan(wanted, *acceptance, *inventory, layout);
      if (plan) scene.cases = plan->cases;
      accepted = accepted_values(Workspace{common.workspace}, inventory->system, now_s(), layout);
      scene.knows_accepted = true;
    }
  }
  const auto frozen = frozen_criteria(file->text, file->path, *baselines, accepted);
  if (!frozen) return failure_of(frozen);
  auto criteria = read_criteria(*frozen, file->path);
  if (!criteria) return failure_of(criteria);
  const auto written = read_criteria(file->text, file->path);
  if (!written) return failure_of(written);
  // Frozen criteria are in the order of the file, on other lines.
  for (std::size_t i = 0; i < criteria->criteria.size(); ++i)
    criteria->criteria[i].metric_place = written->criteria[i].metric_place;
  if (criteria->criteria.empty())
    return fail(file->path, "holds no [[criteria]]",
                "`shakedown criteria check quick` checks the shipped ones");
  const auto table = file_content(layout.share / "comparability.toml");
  if (!table) return failure_of(table);
  const auto comparability = read_comparability(*table, "comparability.toml");
  if (!comparability) return failure_of(comparability);

  constexpr double percent = 100;
  scene.cov = options.cov_pct / percent;
  scene.runs = options.runs;
  scene.now_s = now_s();
  const CriteriaCheck found = checked_criteria(*criteria, *comparability, scene);
  const std::vector<int> edits = lines_to_edit(file->text);
  std::cout << (common.json ? check_json(found, scene, edits).dump(2) + "\n"
                            : shown(check_text(found, scene, edits)));
  if (!plan && !common.quiet)
    std::cerr << fmt::format("note: no plan was made of it, so what no criterion judges is not known: {}\n",
                             to_string(plan.error()));
  return found.sound() && found.predicted.empty() && edits.empty() ? 0 : exit_undecided;
}

}  // namespace

extern const Command criteria;
const Command criteria = {
    .id = "criteria",
    .about = "check criteria before the first run: risk, contradictions, what can't be decided",
    .rank = 33,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<CriteriaOptions>();
      app.require_subcommand(1);
      CLI::App* checking = app.add_subcommand(
          "check",
          "each criterion's risk for vendor and customer; exit 3 where criteria contradict "
          "each other or can't be decided, and where lines are still to be edited");
      checking->fallthrough();
      checking->add_option("file", options->file, "criteria or configuration, a shipped one's name, or quick")
          ->type_name("FILE")
          ->required();
      checking
          ->add_option("--cov", options->cov_pct,
                       "standard deviation of single runs, in per cent of the limit (1)")
          ->type_name("PCT")
          ->check(CLI::Validator(positive_number, ""));
      checking->add_option("--config", options->config, "the configuration whose campaign decides them")
          ->type_name("FILE");
      checking->add_option("--runs", options->runs, "runs of each case, if no configuration states it (1)")
          ->type_name("N")
          ->check(CLI::Range(1, 1'000));
      for (CLI::App* each : {&app, checking})
        each->footer("Example: shakedown criteria check acceptance.toml --cov 0.5");
      return [options, &common] { return check(*options, common); };
    },
};

}  // namespace shakedown::command
