#include "orchestrator/cli/support/planning.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "orchestrator/cli/support/criteria_choice.hpp"
#include "orchestrator/cli/support/inventory_source.hpp"
#include "orchestrator/core/bounded_file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/readers.hpp"

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
  app.add_option("--exclude", options.exclude, "leave these hosts out")->type_name("HOSTLIST");
  app.add_option("--minutes", options.minutes, "time budget for the whole plan")
      ->type_name("M")
      ->check(CLI::Validator(positive_number, ""));
}

fs::path configuration_file(const PlanOptions& options, const Layout& layout) {
  if (options.config.empty()) return {};
  const fs::path shipped = layout.share / "campaigns" / (options.config + ".toml");
  std::error_code code;
  return fs::exists(shipped, code) ? shipped : fs::path(options.config);
}

void find_system_beside(Acceptance& acceptance, const fs::path& file) {
  const fs::path beside = file.parent_path() / acceptance.system;
  std::error_code code;
  if (!acceptance.system.empty() && fs::is_regular_file(beside, code)) acceptance.system = beside.string();
}

Result<Acceptance> chosen_acceptance(const PlanOptions& options, const Layout& layout) {
  if (options.config.empty()) return Acceptance();
  const fs::path path = configuration_file(options, layout);
  const auto text = named_file_content(path);
  if (!text)
    return fail(options.config, text.error().what,
                "--config takes an acceptance.toml, or a shipped campaign's name");
  auto acceptance = acceptance_from_toml(*text, path.string());
  if (!acceptance) return acceptance;
  if (auto criteria = configured_criteria(*text, path.string(), layout); !criteria) return pass_on(criteria);
  find_system_beside(*acceptance, path);
  return acceptance;
}

Result<Inventory> chosen_inventory(const PlanOptions& options, const Acceptance& acceptance,
                                   const Layout& layout) {
  const std::string& wanted = options.inventory.empty() ? acceptance.system : options.inventory;
  if (wanted.empty()) return discovered_inventory();
  return named_inventory(wanted, layout);
}

Result<void> named_refusal(const Plan& plan) {
  for (const Refusal& refusal : plan.refused)
    if (refusal.by_name) return fail(refusal.rule, refusal.because, refusal.next_good);
  return {};
}

}  // namespace shakedown
