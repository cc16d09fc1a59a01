#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/campaign/grounded_plan.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/plan_options.hpp"
#include "orchestrator/cli/text/plan_text.hpp"
#include "orchestrator/cli/text/prerequisites.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "orchestrator/planning/plan_options.hpp"

namespace shakedown::command {
namespace {

struct PlanCommandOptions : PlanOptions {
  bool explain = false;
  std::string output;
};

/// The command that runs the plan, with what the plan itself doesn't state.
std::string next_command(const PlanCommandOptions& options, const Acceptance& acceptance) {
  std::string command = "shakedown run --plan " + shell_quoted(options.output);
  if (!options.inventory.empty()) command += " --inventory " + shell_quoted(options.inventory);
  if (acceptance.text.empty()) command += " --criteria quick";
  return command;
}

Result<int> run_plan(const PlanCommandOptions& options, const CommonOptions& common) {
  const Layout layout = installed_layout();
  const auto grounded = grounded_plan(options, "", /*judged_by_it=*/false, layout);
  if (!grounded) return failure_of(grounded);
  const Plan& plan = grounded->plan;
  const Acceptance& acceptance = grounded->acceptance;
  // What was asked for by name and refused is the user's error: no plan is written or shown. A document lists
  // the refusals.
  const auto refused = named_refusal(plan, acceptance);
  if (!refused && !common.json) return failure_of(refused);
  if (!options.config.empty()) {
    note_criteria(acceptance.text, options.config, plan.cases, common);
    note_draft(acceptance.text, acceptance.text, options.config, common);
  }
  const std::string document =
      plan_json(plan, carried_configuration(acceptance.text, grounded->configuration));
  if (!options.output.empty() && refused) {
    if (auto written = write_named_file(options.output, document); !written)
      return failure_of(written, "choose another file with -o");
    if (!common.quiet)
      std::cerr << "wrote " << options.output << "; next: " << next_command(options, acceptance) << "\n";
  }
  if (common.json)
    std::cout << document;
  else if (options.output.empty() || options.explain)
    std::cout << shown(plan_text(plan, grounded->inventory, options.explain));
  if (!refused) return failure_of(refused);
  return 0;
}

}  // namespace

extern const Command plan;
const Command plan = {
    .id = "plan",
    .about = "derive every case from an inventory, with the arithmetic",
    .rank = 30,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<PlanCommandOptions>();
      add_plan_options(app, *options);
      app.add_flag("--explain", options->explain, "show each number's derivation");
      app.add_option("-o,--output", options->output, "write plan.json here")->type_name("FILE");
      app.footer("Example: shakedown plan --suite hpl --explain");
      return [options, &common] {
        options->workspace = common.workspace;
        options->each_node_once = true;
        return run_plan(*options, common);
      };
    },
};

}  // namespace shakedown::command
