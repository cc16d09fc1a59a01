#include "orchestrator/cli/support/planning.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "orchestrator/cli/support/implementation_choice.hpp"
#include "orchestrator/cli/support/inventory_source.hpp"
#include "orchestrator/cli/support/node_advice.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/heterogeneity.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/inventory/readers.hpp"
#include "orchestrator/launch/launcher.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/packing.hpp"
#include "orchestrator/plan/suite.hpp"
#include "parsers/parser.hpp"

namespace shakedown {
namespace {

constexpr double screen_time_s = 5;  // of a plan with a time budget, what the screens take

/// The hosts of the group's that `exclude` leaves.
Result<std::vector<std::string>> usable_hosts(const std::vector<std::string>& all,
                                              const std::string& exclude) {
  if (exclude.empty()) return all;
  const auto excluded = expanded_hostlist(exclude);
  if (!excluded) return fail("--exclude", excluded.error().what, excluded.error().hint);
  const std::unordered_set<std::string_view> known(all.begin(), all.end());
  const std::unordered_set<std::string_view> out(excluded->begin(), excluded->end());
  for (const std::string& host : *excluded)
    if (!known.contains(host))
      return fail("--exclude", fmt::format("no host '{}' in the inventory{}", host, did_you_mean(host, all)));
  std::vector<std::string> hosts;
  for (const std::string& host : all)
    if (!out.contains(host)) hosts.push_back(host);
  if (hosts.empty()) return fail("--exclude", "leaves no node");
  return hosts;
}

/// The suites to plan in order: screens first. Screens come along unless suites were named.
Result<std::vector<const Suite*>> chosen_suites(const PlanOptions& options) {
  std::vector<std::string> ids;
  for (const Suite* suite : suites()) ids.emplace_back(suite->id);
  for (const std::string& name : options.suites)
    if (std::find(ids.begin(), ids.end(), name) == ids.end())
      return fail("--suite", fmt::format("no suite '{}'{}", name, did_you_mean(name, ids)),
                  fmt::format("suites: {}", joined(ids, ", ")));
  std::vector<const Suite*> list;
  for (const bool screens : {true, false})
    for (const Suite* suite : suites()) {
      const bool named =
          std::find(options.suites.begin(), options.suites.end(), suite->id) != options.suites.end();
      if (suite->screen == screens && (named || screens || options.suites.empty())) list.push_back(suite);
    }
  return list;
}

/// A time budget that the plan exceeds though its cases are as small as they go, as a sentence; empty: it is
/// kept.
std::string over_budget(const Price& price, double budget_s) {
  if (budget_s <= 0 || price.wall_time_s <= budget_s) return "";
  return fmt::format("the smallest cases take about {} together, over the budget of {}",
                     duration_text(price.wall_time_s), duration_text(budget_s));
}

/// Says that a launcher is missing, once; a plan that was written where it was missing may be read where it
/// is there.
void warn_of_missing(const Launcher& launcher, bool missing, Case& planned) {
  const std::string warning = fmt::format(
      "{} is not in this machine's PATH: the command begins with its bare name, and cannot be run here; {}",
      launcher.program, launcher.install_hint);
  std::erase(planned.warnings, warning);
  if (missing) planned.warnings.push_back(warning);
}

}  // namespace

std::string positive_number(const std::string& text) {
  const auto value = parsed_number(text);
  if (value && *value > 0 && std::isfinite(*value)) return "";
  return fmt::format("'{}' is no number above 0", text);
}

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
      ->check(CLI::Validator(positive_number, ""));
  app.add_option("--exclude", options.exclude, "leave these hosts out")->type_name("HOSTLIST");
  app.add_option("--minutes", options.minutes, "time budget for the whole plan")
      ->type_name("M")
      ->check(CLI::Validator(positive_number, ""));
}

Result<Acceptance> chosen_acceptance(const PlanOptions& options, const Layout& layout) {
  if (options.config.empty()) return Acceptance();
  const fs::path shipped = layout.share / "campaigns" / (options.config + ".toml");
  std::error_code code;
  const fs::path path = fs::exists(shipped, code) ? shipped : fs::path(options.config);
  const auto text = file_content(path);
  if (!text)
    return fail(options.config, text.error().what,
                "--config takes an acceptance.toml, or a shipped campaign's name");
  auto acceptance = acceptance_from_toml(*text, path.string());
  if (!acceptance) return acceptance;
  // A system's file lies beside the configuration that names it.
  const fs::path beside = path.parent_path() / acceptance->system;
  if (!acceptance->system.empty() && fs::is_regular_file(beside, code)) acceptance->system = beside.string();
  return acceptance;
}

Result<Inventory> chosen_inventory(const PlanOptions& options, const Acceptance& acceptance,
                                   const Layout& layout) {
  const std::string& wanted = options.inventory.empty() ? acceptance.system : options.inventory;
  if (wanted.empty()) return discovered_inventory();
  return named_inventory(wanted, layout);
}

Result<void> compose_argv(Case& planned, int usable_cores, const Site* site) {
  if (planned.launcher.empty() || planned.program.empty()) {
    if (planned.argv.empty()) {
      planned.argv = {planned.program};
      planned.argv.insert(planned.argv.end(), planned.arguments.begin(), planned.arguments.end());
    }
    return {};
  }
  const auto known = launchers();
  const auto launcher =
      std::find_if(known.begin(), known.end(), [&](const Launcher* l) { return l->id == planned.launcher; });
  if (launcher == known.end()) {
    std::vector<std::string> names;
    for (const Launcher* each : known) names.emplace_back(each->id);
    return fail(planned.id,
                fmt::format("no launcher '{}'{}", planned.launcher, did_you_mean(planned.launcher, names)),
                fmt::format("launchers: {}", joined(names, ", ")));
  }
  const fs::path found = program_in_path((*launcher)->program);
  const LaunchContext context{found.empty() ? std::string((*launcher)->program) : found.string(),
                              ::geteuid() == 0, usable_cores, site};
  auto argv = (*launcher)->argv(planned, context);
  if (!argv) return pass_on(argv);
  planned.argv = std::move(*argv);
  warn_of_missing(**launcher, found.empty(), planned);
  for (Parameter& variable : (*launcher)->environment(planned, context))
    if (find_parameter(planned.environment, variable.name) == nullptr)
      planned.environment.push_back(std::move(variable));
  for (std::string& note : (*launcher)->notes(planned, context))
    if (std::find(planned.warnings.begin(), planned.warnings.end(), note) == planned.warnings.end())
      planned.warnings.push_back(std::move(note));
  return {};
}

Result<Plan> read_plan(const std::string& path, const Inventory& inventory) {
  const auto text = file_content(path);
  if (!text) return fail(path, text.error().what, "`shakedown plan -o plan.json` writes one");
  auto plan = plan_from_json(*text, path);
  if (!plan) return plan;
  const auto kind = largest_kind(inventory);
  const int cores = kind ? kind->like.usable.cores : 0;
  for (Case& planned : plan->cases)
    for (const Parser* parser : parsers())
      if (planned.parser.empty() && parser->suite == planned.suite) planned.parser = parser->id;
  for (Case& planned : plan->cases)
    if (auto composed = compose_argv(planned, cores); !composed) return pass_on(composed);
  return plan;
}

namespace {

/// One suite at one scale, as the options or the configuration want it.
struct Wanted {
  const Suite* suite = nullptr;
  ImplementationWish implementation;
  int nodes = 0;  ///< 0: all
  std::string exclude;
  double time_s = 0;
  int repetitions = 1;
  std::vector<Parameter> pins;
  bool by_name = false;  ///< its refusal is the user's error, not a row of the plan
  std::string place;
};

bool contains(const std::vector<std::string>& list, std::string_view one) {
  return std::ranges::find(list, one) != list.end();
}

/// What the options want, without a configuration.
Result<std::vector<Wanted>> wanted_by_options(const PlanOptions& options) {
  const auto list = chosen_suites(options);
  if (!list) return pass_on(list);
  std::vector<Wanted> all;
  for (const Suite* suite : *list) {
    Wanted wanted;
    wanted.suite = suite;
    wanted.nodes = options.nodes;
    wanted.exclude = options.exclude;
    wanted.by_name = contains(options.suites, suite->id);
    wanted.implementation = {suite->screen ? "" : options.implementation, "", wanted.by_name,
                             options.inventory.empty()};
    all.push_back(std::move(wanted));
  }
  return all;
}

/// What the configuration's runs want, in their order; `--suite` and `--nodes` choose among them.
Result<std::vector<Wanted>> wanted_by_runs(const PlanOptions& options, const Acceptance& acceptance) {
  std::vector<std::string> ids;
  for (const Suite* suite : suites()) ids.emplace_back(suite->id);
  std::vector<Wanted> all;
  for (const AcceptanceRun& run : acceptance.runs) {
    const auto at = std::ranges::find(ids, run.suite);
    if (at == ids.end())
      return fail(run.place, fmt::format("no suite '{}'{}", run.suite, did_you_mean(run.suite, ids)),
                  fmt::format("suites: {}", joined(ids, ", ")));
    if (!options.suites.empty() && !contains(options.suites, run.suite)) continue;
    for (const int nodes : run.nodes.empty() ? std::vector<int>{0} : run.nodes) {
      if (options.nodes > 0 && nodes != options.nodes) continue;
      Wanted wanted;
      wanted.suite = suites()[static_cast<size_t>(at - ids.begin())];
      wanted.nodes = nodes;
      wanted.implementation = {run.implementation, run.benchmark, !run.implementation.empty(), false};
      wanted.exclude = run.exclude.empty() ? options.exclude : run.exclude;
      wanted.time_s = run.minutes * 60;
      wanted.repetitions = run.repetitions;
      wanted.pins = run.pins;
      wanted.place = run.place;
      all.push_back(std::move(wanted));
    }
  }
  if (all.empty())
    return fail(options.config, "none of its [[runs]] is left by --suite and --nodes", "leave them out");
  return all;
}

Result<void> check_pins(const Wanted& wanted) {
  const std::vector<std::string> known(wanted.suite->pins.begin(), wanted.suite->pins.end());
  for (const Parameter& pin : wanted.pins)
    if (!contains(known, pin.name))
      return fail(wanted.place,
                  fmt::format("{} has no parameter '{}' to pin{}", wanted.suite->title, pin.name,
                              did_you_mean(pin.name, known)),
                  known.empty() ? std::string("nothing can be pinned here")
                                : fmt::format("parameters: {}", joined(known, ", ")));
  return {};
}

/// What a plan is made from, and the plan so far.
struct Derivation {
  const PlanOptions& options;
  const Acceptance& acceptance;
  const Inventory& inventory;
  const Layout& layout;
  std::vector<Implementation> implementations;
  const NodeGroup* group = nullptr;
  std::vector<std::string> hosts;  ///< of the group
  Plan plan;

  [[nodiscard]] bool has_wished(const Wanted& wanted) const;
  Result<void> add(const Wanted& wanted);
  Result<void> refuse(const Wanted& wanted, const Implementation* implementation, const Error& error);
};

/// Lists a refusal; where the suite was asked for by name, or an implementation that can't run on such nodes,
/// it is the user's error. `implementation`: the one that was refused; null: none could be chosen.
Result<void> Derivation::refuse(const Wanted& wanted, const Implementation* implementation,
                                const Error& error) {
  const bool named = (wanted.by_name && (implementation == nullptr || implementation->benchmark.empty())) ||
                     (implementation != nullptr && implementation->id == wanted.implementation.id &&
                      error.where == "requirements");
  if (named || error.fault != Fault::input) return tl::unexpected<Error>(error);
  plan.refused.push_back(
      {std::string(wanted.suite->id),
       implementation == nullptr ? wanted.implementation.benchmark : implementation->benchmark, error.where,
       error.what, error.hint});
  return {};
}

/// Whether the suite has the implementation that the options name, where they ask for no other.
bool Derivation::has_wished(const Wanted& wanted) const {
  return std::ranges::any_of(implementations, [&](const Implementation& each) {
    return each.suite == wanted.suite->id && each.id == options.implementation;
  });
}

Result<void> Derivation::add(const Wanted& wanted) {
  if (options.no_other_implementation && !wanted.by_name && !has_wished(wanted)) return {};
  if (auto ok = check_pins(wanted); !ok) return ok;
  auto usable = usable_hosts(hosts, wanted.exclude);
  if (!usable) return pass_on(usable);
  if (wanted.nodes > static_cast<int>(usable->size()))
    return fail(wanted.place.empty() ? "--nodes" : wanted.place,
                fmt::format("{} nodes asked for, {} there", wanted.nodes, usable->size()));
  std::vector<std::string> spare = *usable;
  if (wanted.nodes > 0) usable->resize(static_cast<size_t>(wanted.nodes));
  const auto chosen =
      chosen_implementation(implementations, *wanted.suite, *group, wanted.implementation, layout);
  if (!chosen) return refuse(wanted, nullptr, chosen.error());
  for (const Implementation* implementation : *chosen) {
    PlanRequest request{&inventory, implementation,   group,      *usable, layout, wanted.time_s,
                        0,          &acceptance.site, wanted.pins};
    auto planned = wanted.suite->plan(request);
    if (!planned) {
      if (auto ok = refuse(wanted, implementation, planned.error()); !ok) return ok;
      continue;
    }
    if (auto better = better_node_count(*wanted.suite, request, *planned, spare); !better.empty())
      planned->warnings.push_back(std::move(better));
    if (auto composed = compose_argv(*planned, group->usable.cores, &acceptance.site); !composed)
      return composed;
    for (int repetition = 2; repetition <= wanted.repetitions; ++repetition) {
      Case again = *planned;
      again.id += fmt::format("-r{}", repetition);
      plan.cases.push_back(std::move(again));
    }
    plan.cases.insert(plan.cases.end() - (wanted.repetitions - 1), *std::move(planned));
  }
  return {};
}

/// An implementation that no suite of the plan has is a slip of the pen, not a wish for the default.
Result<void> check_implementation_known(const PlanOptions& options,
                                        const std::vector<Implementation>& implementations,
                                        const std::vector<Wanted>& all) {
  std::vector<std::string> ids;
  for (const Implementation& each : implementations)
    for (const Wanted& wanted : all)
      if (each.suite == wanted.suite->id && !wanted.suite->screen && !contains(ids, each.id))
        ids.push_back(each.id);
  if (ids.empty() || contains(ids, options.implementation)) return {};
  return fail("--implementation",
              fmt::format("no implementation '{}'{}", options.implementation,
                          did_you_mean(options.implementation, ids)),
              fmt::format("implementations: {}", joined(ids, ", ")));
}

/// Gives the suites that can be planned equal parts of the time budget, less what the screens take.
void share_time(std::vector<Wanted>& all, const Derivation& derivation) {
  if (derivation.options.minutes <= 0) return;
  Derivation trial = derivation;
  for (const Wanted& wanted : all)
    if (!wanted.suite->screen) static_cast<void>(trial.add(wanted));  // a refusal is told when it counts
  const auto cases = static_cast<double>(std::max<size_t>(trial.plan.cases.size(), 1));
  const double budget_s = derivation.options.minutes * 60 - screen_time_s;
  for (Wanted& wanted : all)
    if (!wanted.suite->screen) wanted.time_s = std::max(1.0, budget_s / cases);
}

/// Two runs of one suite at one scale must not share a folder.
void number_equal_ids(std::vector<Case>& cases) {
  std::unordered_map<std::string, int> seen;
  for (Case& planned : cases)
    if (const int count = ++seen[planned.id]; count > 1) planned.id += fmt::format("-{}", count);
}

}  // namespace

Result<Plan> derived_plan(const PlanOptions& options, const Acceptance& acceptance,
                          const Inventory& inventory, const Layout& layout) {
  auto implementations = read_implementations(layout.share / "implementations");
  if (!implementations) return pass_on(implementations);
  auto all = acceptance.runs.empty() ? wanted_by_options(options) : wanted_by_runs(options, acceptance);
  if (!all) return pass_on(all);
  const auto kind = largest_kind(inventory);
  if (!kind) return pass_on(kind);

  Derivation derivation{options,     acceptance,  inventory, layout, *std::move(implementations),
                        &kind->like, kind->hosts, {}};
  Plan& plan = derivation.plan;
  plan.system = inventory.system;
  if (static_cast<int>(inventory.groups.size()) > kind->groups)
    plan.warnings.push_back(
        fmt::format("not all nodes are of one kind: planned for the {} of the largest, like '{}'",
                    kind->hosts.size(), kind->like.name));
  if (!options.implementation.empty() && acceptance.runs.empty()) {
    if (auto known = check_implementation_known(options, derivation.implementations, *all); !known)
      return pass_on(known);
  }
  if (acceptance.runs.empty()) share_time(*all, derivation);
  for (const Wanted& wanted : *all)
    if (auto added = derivation.add(wanted); !added) return pass_on(added);
  if (plan.cases.empty())
    return plan.refused.empty() ? fail("", "nothing to plan")
                                : fail(plan.refused.front().rule, plan.refused.front().because,
                                       plan.refused.front().next_good);
  number_equal_ids(plan.cases);
  plan.price = priced(plan, static_cast<int>(derivation.hosts.size()), kind->like.power_watts.value_or(0));
  if (std::string warning = over_budget(*plan.price, options.minutes * 60); !warning.empty())
    plan.warnings.push_back(std::move(warning));
  for (std::string& sentence : heterogeneity(inventory)) plan.warnings.push_back(std::move(sentence));
  return std::move(plan);
}

}  // namespace shakedown
