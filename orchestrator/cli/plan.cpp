#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/grounded_plan.hpp"
#include "orchestrator/cli/support/plan_text.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/cli/support/unmeasurable.hpp"
#include "orchestrator/core/bounded_file.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown::command {
namespace {

struct PlanCommandOptions : PlanOptions {
  bool explain = false;
  std::string output;
};

/// The command that runs the plan, with what the plan itself doesn't say.
std::string next_command(const PlanCommandOptions& options, const Acceptance& acceptance) {
  std::string command = "shakedown run --plan " + shell_quoted(options.output);
  if (!options.inventory.empty()) command += " --inventory " + shell_quoted(options.inventory);
  if (acceptance.text.empty()) command += " --criteria quick";
  return command;
}

Result<int> run_plan(const PlanCommandOptions& options, const CommonOptions& common) {
  const Layout layout = installed_layout();
  const auto acceptance = chosen_acceptance(options, layout);
  if (!acceptance) return pass_on(acceptance);
  const auto inventory = chosen_inventory(options, *acceptance, layout);
  if (!inventory) return pass_on(inventory);
  const auto plan = derived_plan(options, *acceptance, *inventory, layout);
  if (!plan) return pass_on(plan);
  tell_unmeasurable(acceptance->text, options.config, common);
  const std::string document =
      plan_json(*plan, carried_configuration(acceptance->text, configuration_file(options, layout)));
  if (!options.output.empty()) {
    if (auto written = write_named_file(options.output, document); !written)
      return pass_on(written, "choose another file with -o");
    if (!common.quiet)
      std::cerr << "wrote " << options.output << "; next: " << next_command(options, *acceptance) << "\n";
  }
  if (common.json)
    std::cout << document;
  else if (options.output.empty() || options.explain)
    std::cout << shown(plan_text(*plan, *inventory, options.explain));
  // What was asked for by name and refused is the user's error, and takes none of the others with it.
  if (auto refused = named_refusal(*plan); !refused) return pass_on(refused);
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
      return [options, &common] { return run_plan(*options, common); };
    },
};

}  // namespace shakedown::command
