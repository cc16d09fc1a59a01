#include "orchestrator/cli/plan_options.hpp"

#include <CLI/CLI.hpp>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {

std::string positive_number(const std::string& text) {
  const auto value = parsed_number(text);
  if (value && *value > 0 && std::isfinite(*value)) return "";
  return fmt::format("'{}' is no number above 0", text);
}

namespace {

std::string positive_whole_number(const std::string& text) {
  const auto value = parsed_integer(text);
  if (value && *value > 0) return "";
  return fmt::format("'{}' is no whole number above 0", text);
}

}  // namespace

void add_plan_options(CLI::App& app, PlanOptions& options) {
  app.add_option("--config", options.config, "acceptance.toml: system, site, runs, pins, criteria")
      ->type_name("F");
  app.add_option("--inventory", options.inventory,
                 "inventory file, or a shipped system's name (default: this machine)")
      ->type_name("F|NAME");
  app.add_option("--suite", options.suites, "plan this suite (repeatable; default: all)")->type_name("S");
  app.add_option("--implementation", options.implementation, "use this build of the suites")->type_name("I");
  app.add_option("--nodes", options.nodes, "use K nodes (default: all)")
      ->type_name("K")
      ->check(CLI::Validator(positive_whole_number, ""));
  app.add_option("--exclude", options.exclude, "exclude these hosts")->type_name("HOSTLIST");
  app.add_option("--minutes", options.minutes, "time budget for the whole plan")
      ->type_name("M")
      ->check(CLI::Validator(positive_number, ""));
}

std::vector<const CLI::Option*> options_of_cases(CLI::App& app) {
  std::vector<const CLI::Option*> options;
  for (const char* name : {"--suite", "--implementation", "--nodes", "--exclude", "--minutes"})
    options.push_back(app.get_option(name));
  return options;
}

Result<void> plan_stands_alone(const std::string& file, std::span<const CLI::Option* const> options) {
  if (file.empty()) return {};
  for (const CLI::Option* option : options)
    if (option->count() > 0)
      return fail(option->get_name(),
                  fmt::format("would do nothing beside --plan: {} has its cases already", file),
                  fmt::format("leave it out, or give it to `shakedown plan -o {}`", shell_quoted(file)));
  return {};
}

}  // namespace shakedown
