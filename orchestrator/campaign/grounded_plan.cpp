#include "orchestrator/campaign/grounded_plan.hpp"

#include <algorithm>

#include "orchestrator/campaign/measured_rates.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/objections.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/launch/composition.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "orchestrator/planning/given_cases.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "parsers/parser.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {
namespace {

/// A plan's own configuration, read.
struct Carried {
  PlanConfiguration configuration;
  Acceptance acceptance;
};

Result<std::optional<Carried>> carried_by(const std::string& text, const std::string& file) {
  auto configuration = plan_configuration_from_json(text, file);
  if (!configuration) return failure_of(configuration);
  std::optional<PlanConfiguration>& stated = *configuration;
  if (!stated) return std::nullopt;
  Carried carried{std::move(stated).value(), {}};
  auto acceptance =
      acceptance_from_toml(carried.configuration.text, fmt::format("the configuration in {}", file));
  if (!acceptance) return failure_of(acceptance);
  carried.acceptance = *std::move(acceptance);
  find_system_beside(carried.acceptance, carried.configuration.name);
  // Not there any more: never a file of that name in whatever folder this is.
  if (std::string& system = carried.acceptance.system; system.find_first_of("/.") != std::string::npos)
    system = (fs::path(carried.configuration.name).parent_path() / system).string();
  return carried;
}

/// What two configurations state differently, of what a run takes from them; empty: nothing.
Result<std::string> differences(const Acceptance& given, const Acceptance& carried, bool judged_by_it,
                                const Layout& layout) {
  // As stated: where a system's file lies, and a key's line, are no statements.
  const auto one = acceptance_from_toml(given.text, "--config");
  const auto other = acceptance_from_toml(carried.text, "the plan");
  if (!one) return failure_of(one);
  if (!other) return failure_of(other);
  Site site = one->site;
  site.launcher_place = other->site.launcher_place;
  std::vector<std::string> found;
  if (one->system != other->system) found.emplace_back("system");
  if (one->baseline != other->baseline) found.emplace_back("baseline");
  if (site != other->site) found.emplace_back("[site]");
  if (one->settings != other->settings) found.emplace_back("[settings]");
  if (judged_by_it) {
    const auto by_one = configured_criteria(given.text, "--config", layout);
    const auto by_other = configured_criteria(carried.text, "the plan", layout);
    if (!by_one) return failure_of(by_one);
    if (!by_other) return failure_of(by_other);
    if (by_one->text != by_other->text) found.emplace_back("[[criteria]]");
  }
  return joined(found, ", ");
}

/// Notes where a case names an implementation that its suite does not have: what it needs of a node is not
/// known.
Result<void> warn_of_unknown_implementations(Plan& plan, const Layout& layout) {
  const bool any =
      std::ranges::any_of(plan.cases, [](const Case& each) { return !each.implementation.empty(); });
  if (!any) return {};
  const auto known = read_implementations(layout.share / "implementations");
  if (!known) return failure_of(known);
  for (Case& planned : plan.cases) {
    std::vector<std::string> names;
    for (const Implementation& each : *known)
      if (each.suite == planned.suite && (names.empty() || names.back() != each.id)) names.push_back(each.id);
    if (planned.implementation.empty() || names.empty()) continue;
    if (std::ranges::find(names, planned.implementation) != names.end()) continue;
    planned.warnings.push_back(fmt::format(
        "{} has no implementation '{}'{}: what it needs of a node is not known, and not looked at; "
        "known: {}",
        planned.suite, planned.implementation, did_you_mean(planned.implementation, names),
        joined(names, ", ")));
  }
  return {};
}

Result<void> compose(Plan& plan, const std::string& file, const Inventory& inventory, const Site& site) {
  const auto kind = largest_kind(inventory);
  const int cores = kind ? kind->like.usable.cores : 0;
  for (Case& planned : plan.cases) {
    for (const Parser* parser : parsers())
      if (planned.parser.empty() && parser->suite == planned.suite) planned.parser = parser->id;
    if (auto composed = compose_argv(planned, cores, &site); !composed) {
      Error error = composed.error();
      error.where = fmt::format("{}: {}", file, error.where);
      return tl::unexpected<Error>(std::move(error));
    }
  }
  return {};
}

/// The configuration's file as it is now; nothing where it is gone, or can't be read.
std::optional<Acceptance> configuration_now(const PlanConfiguration& configuration) {
  const auto text = file_content(configuration.name);
  if (!text) return std::nullopt;
  auto acceptance = acceptance_from_toml(*text, configuration.name);
  if (acceptance) return *std::move(acceptance);
  Acceptance unreadable;
  unreadable.text = *text;
  return unreadable;
}

/// A note that a plan brings its configuration, and whether its file has changed since.
std::string note_on(const PlanConfiguration& configuration, const std::string& file, bool judged_by_it) {
  std::string note =
      fmt::format("{}: site{} of {}, as it was when this was planned", file,
                  judged_by_it ? ", settings and criteria" : " and settings", configuration.name);
  if (const auto now = configuration_now(configuration); now && now->text != configuration.text)
    note += "; the file has changed since: run `shakedown plan` again to follow it";
  return note;
}

}  // namespace

std::optional<PlanConfiguration> carried_configuration(const std::string& text, const fs::path& file) {
  if (text.empty()) return std::nullopt;
  std::error_code code;
  return PlanConfiguration{fs::absolute(file, code).lexically_normal().string(), text};
}

Result<GroundedPlan> grounded_plan(const PlanOptions& options, const std::string& file, bool judged_by_it,
                                   const Layout& layout) {
  GroundedPlan grounded;
  grounded.configuration = configuration_file(options, layout).string();
  auto acceptance = chosen_acceptance(options, layout);
  if (!acceptance) {
    std::vector<Error> objections = {acceptance.error()};
    if (const auto text = file_content(grounded.configuration))
      if (const auto criteria = configured_criteria(*text, grounded.configuration, layout); !criteria)
        objections.push_back(criteria.error());
    return failure_of(all_objections(objections));
  }
  const auto criteria = configured_criteria(acceptance->text, grounded.configuration, layout);
  if (file.empty()) {
    grounded.acceptance = *std::move(acceptance);
    auto inventory = chosen_inventory(options, grounded.acceptance, layout);
    if (!criteria && !inventory) return failure_of(criteria);
    if (!inventory) return failure_of(inventory);
    grounded.inventory = *std::move(inventory);
    grounded.measured = measured_rates(Workspace{options.workspace}, grounded.inventory);
    PlanOptions informed = options;
    informed.measured = grounded.measured;
    auto plan = derived_plan(informed, grounded.acceptance, grounded.inventory, layout);
    if (!criteria && !plan) return failure_of(all_objections({criteria.error(), plan.error()}));
    if (!criteria) return failure_of(criteria);
    if (!plan) return failure_of(plan);
    grounded.plan = *std::move(plan);
    return grounded;
  }
  if (!criteria) return failure_of(criteria);
  const auto text = named_file_content(file);
  if (!text) return fail(file, text.error().what, "`shakedown plan -o plan.json` writes one");
  auto plan = plan_from_json(*text, file);
  if (!plan) return failure_of(plan);
  grounded.plan = *std::move(plan);
  auto carried = carried_by(*text, file);
  if (!carried) return failure_of(carried);
  std::optional<Carried>& brought = *carried;
  Carried* own = brought.has_value() ? &brought.value() : nullptr;
  if (own != nullptr && options.config.empty()) {
    grounded.configuration = own->configuration.name;
    grounded.note = note_on(own->configuration, file, judged_by_it);
    grounded.acceptance = std::move(own->acceptance);
  } else {
    grounded.acceptance = *std::move(acceptance);
    if (own != nullptr) {
      const auto differ = differences(grounded.acceptance, own->acceptance, judged_by_it, layout);
      if (!differ) return failure_of(differ);
      if (!differ->empty())
        return fail("--config",
                    fmt::format("{} and {} state these differently: {}", options.config, file, *differ),
                    fmt::format("leave --config out to run what was planned, or plan again: shakedown plan "
                                "--config {} -o {}",
                                shell_quoted(options.config), shell_quoted(file)));
    }
  }
  std::vector<Secret>& secrets = grounded.acceptance.secrets;
  if (own != nullptr)
    if (const auto now = configuration_now(own->configuration)) take_values(secrets, now->secrets);
  if (auto taken = take_secrets(grounded.plan, file, secrets); !taken) return failure_of(taken);
  const std::string& system = grounded.acceptance.system;
  std::error_code code;
  if (options.inventory.empty() && system.starts_with('/') && !fs::exists(system, code))
    return fail(file, fmt::format("its system's inventory is not there: {}", system),
                "name one with --inventory F");
  auto inventory = chosen_inventory(options, grounded.acceptance, layout);
  if (!inventory) return failure_of(inventory);
  grounded.inventory = *std::move(inventory);
  if (auto composed = compose(grounded.plan, file, grounded.inventory, grounded.acceptance.site); !composed)
    return failure_of(composed);
  if (auto checked = check_given_cases(grounded.plan, file, grounded.inventory, grounded.acceptance, layout);
      !checked)
    return failure_of(checked);
  if (auto noted = warn_of_unknown_implementations(grounded.plan, layout); !noted) return failure_of(noted);
  return grounded;
}

}  // namespace shakedown
