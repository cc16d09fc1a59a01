#include "orchestrator/cli/support/planning.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/readers.hpp"
#include "orchestrator/launch/launcher.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/suite.hpp"
#include "parsers/parser.hpp"

namespace shakedown {
namespace {

constexpr double screen_time_s = 5;  // of a plan with a time budget, what the screens take

/// Whether the implementation's program can be started on this machine.
bool is_installed(const Implementation& implementation, const Layout& layout) {
  if (!implementation.container.empty()) return false;
  constexpr std::string_view libexec = "{libexec}/";
  if (implementation.program.starts_with(libexec))
    return !program_in_path((layout.libexec / implementation.program.substr(libexec.size())).string())
                .empty();
  return !program_in_path(implementation.program).empty();
}

/// The vendor's where the nodes have its GPUs, else an installed real program, else `reference`.
const Implementation* chosen(std::span<const Implementation> all, std::string_view suite,
                             const NodeGroup& group, const std::string& asked, const Layout& layout) {
  const auto first = [&](auto condition) -> const Implementation* {
    for (const Implementation& each : all)
      if (each.suite == suite && condition(each)) return &each;
    return nullptr;
  };
  if (!asked.empty()) return first([&](const Implementation& i) { return i.id == asked; });
  if (!group.gpus.empty()) {
    const bool nvidia = group.gpus.front().model.find("AMD") == std::string::npos;
    if (const auto* vendor =
            first([&](const Implementation& i) { return i.requires_gpu == (nvidia ? "nvidia" : "amd"); }))
      return vendor;
  }
  if (const auto* real = first([&](const Implementation& i) {
        return i.id != "reference" && i.requires_gpu.empty() && is_installed(i, layout);
      }))
    return real;
  return first([](const Implementation& i) { return i.id == "reference"; });
}

const NodeGroup* largest_group(const Inventory& inventory) {
  const NodeGroup* largest = nullptr;
  size_t most = 0;
  for (const NodeGroup& group : inventory.groups) {
    const auto hosts = expanded_hostlist(group.hosts);
    if (hosts && hosts->size() > most) {
      most = hosts->size();
      largest = &group;
    }
  }
  return largest;
}

/// The hosts of a group that the plan may use.
Result<std::vector<std::string>> usable_hosts(const NodeGroup& group, const PlanOptions& options) {
  auto hosts = expanded_hostlist(group.hosts);
  if (!hosts) return hosts;
  if (!options.exclude.empty()) {
    const auto excluded = expanded_hostlist(options.exclude);
    if (!excluded) return fail("--exclude", excluded.error().what, excluded.error().hint);
    for (const std::string& host : *excluded)
      if (std::find(hosts->begin(), hosts->end(), host) == hosts->end())
        return fail("--exclude",
                    fmt::format("no host '{}' in the inventory{}", host, did_you_mean(host, *hosts)));
    std::erase_if(*hosts, [&](const std::string& host) {
      return std::find(excluded->begin(), excluded->end(), host) != excluded->end();
    });
  }
  if (hosts->empty()) return fail("--exclude", "leaves no node");
  if (options.nodes > static_cast<int>(hosts->size()))
    return fail("--nodes", fmt::format("{} asked for, {} there", options.nodes, hosts->size()));
  if (options.nodes > 0) hosts->resize(static_cast<size_t>(options.nodes));
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

/// A time budget that the smallest case of a suite exceeds, screens included, as a sentence; empty: it is
/// kept.
std::string over_budget(const Case& planned, double budget_s, bool with_screens) {
  if (budget_s <= 0) return "";
  for (const Prediction& prediction : planned.predicted) {
    if (prediction.metric != "wall_time_s") continue;
    const double least_s = prediction.value + (with_screens ? screen_time_s : 0);
    if (least_s > budget_s)
      return fmt::format("the smallest {} case takes about {}{}, over the budget of {}", planned.suite,
                         duration_text(least_s), with_screens ? " with the screens" : "",
                         duration_text(budget_s));
  }
  return "";
}

/// Says that a launcher is missing, once; a plan that was written where it was missing may be read where it
/// is there.
void warn_of_missing(const Launcher& launcher, bool missing, Case& planned) {
  const std::string warning = fmt::format(
      "{} is not in this machine's PATH: the command begins with its bare name, and cannot be run "
      "here; apt-get install openmpi-bin, or load the site's MPI module",
      launcher.program);
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
  app.add_option("--inventory", options.inventory, "inventory file (default: this machine)")->type_name("F");
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

Result<Inventory> chosen_inventory(const PlanOptions& options, const Layout& layout) {
  if (options.inventory.empty()) return discovered_inventory();
  const fs::path shipped = layout.share / "systems" / (options.inventory + ".toml");
  const bool is_name = options.inventory.find_first_of("/.") == std::string::npos;
  return read_inventory(is_name && fs::exists(shipped) ? shipped : fs::path(options.inventory));
}

Result<void> compose_argv(Case& planned, int usable_cores) {
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
                              ::geteuid() == 0, usable_cores};
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
  const NodeGroup* group = largest_group(inventory);
  for (Case& planned : plan->cases)
    for (const Parser* parser : parsers())
      if (planned.parser.empty() && parser->suite == planned.suite) planned.parser = parser->id;
  for (Case& planned : plan->cases)
    if (auto composed = compose_argv(planned, group == nullptr ? 0 : group->usable.cores); !composed)
      return pass_on(composed);
  return plan;
}

Result<Plan> derived_plan(const PlanOptions& options, const Inventory& inventory, const Layout& layout) {
  const auto implementations = read_implementations(layout.share / "implementations");
  if (!implementations) return pass_on(implementations);
  const auto list = chosen_suites(options);
  if (!list) return pass_on(list);
  const NodeGroup* group = largest_group(inventory);
  if (group == nullptr) return fail(inventory.source, "the inventory has no nodes");
  const auto hosts = usable_hosts(*group, options);
  if (!hosts) return pass_on(hosts);

  Plan plan;
  plan.system = inventory.system;
  if (inventory.groups.size() > 1)
    plan.warnings.push_back(fmt::format("the inventory has {} kinds of nodes; planned for '{}' ({} nodes)",
                                        inventory.groups.size(), group->name, hosts->size()));
  for (const Suite* suite : *list) {
    const bool by_name =
        std::find(options.suites.begin(), options.suites.end(), suite->id) != options.suites.end() ||
        (!suite->screen && !options.implementation.empty());
    const std::string asked = suite->screen ? "" : options.implementation;
    const Implementation* implementation = chosen(*implementations, suite->id, *group, asked, layout);
    if (implementation == nullptr) {
      std::vector<std::string> names;
      for (const Implementation& each : *implementations)
        if (each.suite == suite->id) names.push_back(each.id);
      return fail(
          "--implementation",
          fmt::format("{} has no implementation '{}'{}", suite->title, asked, did_you_mean(asked, names)),
          fmt::format("implementations of {}: {}", suite->id, joined(names, ", ")));
    }
    PlanRequest request{&inventory, implementation, group, *hosts, layout, 0, 0};
    if (options.minutes > 0 && !suite->screen)
      request.time_s = std::max(1.0, options.minutes * 60 - screen_time_s);
    auto planned = suite->plan(request);
    if (!planned) {
      if (by_name) return pass_on(planned);
      const Error& error = planned.error();
      plan.refused.push_back({std::string(suite->id), "", error.where, error.what, error.hint});
      continue;
    }
    if (auto composed = compose_argv(*planned, group->usable.cores); !composed) return pass_on(composed);
    const bool with_screens =
        std::any_of(list->begin(), list->end(), [](const Suite* s) { return s->screen; });
    if (std::string warning = over_budget(*planned, options.minutes * 60, with_screens);
        !suite->screen && !warning.empty())
      plan.warnings.push_back(std::move(warning));
    plan.cases.push_back(std::move(*planned));
  }
  if (plan.cases.empty())
    return plan.refused.empty() ? fail("", "nothing to plan")
                                : fail(plan.refused.front().rule, plan.refused.front().because,
                                       plan.refused.front().next_good);
  return plan;
}

}  // namespace shakedown
