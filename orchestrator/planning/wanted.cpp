#include "orchestrator/planning/wanted.hpp"

#include <algorithm>

#include "orchestrator/core/objections.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view one) {
  return std::ranges::find(list, one) != list.end();
}

/// The suites to plan in order: screens first. Those that the named suites refer to come along.
Result<std::vector<const Suite*>> chosen_suites(const PlanOptions& options) {
  std::vector<std::string> ids;
  std::vector<std::string> chosen = options.suites;
  for (const Suite* suite : suites()) {
    ids.emplace_back(suite->id);
    if (options.suites.empty() && !suite->only_by_name) chosen.emplace_back(suite->id);
    if (contains(options.suites, suite->id))
      for (const std::string_view screen : screens_of(suite->id)) chosen.emplace_back(screen);
  }
  for (const std::string& name : options.suites)
    if (!contains(ids, name))
      return fail("--suite", fmt::format("no suite '{}'{}", name, did_you_mean(name, ids)),
                  fmt::format("suites: {}", joined(ids, ", ")));
  std::vector<const Suite*> list;
  for (const bool screens : {true, false})
    for (const Suite* suite : suites())
      if (is_screen(suite->id) == screens && contains(chosen, suite->id)) list.push_back(suite);
  return list;
}

/// What the options want, without a configuration.
Result<std::vector<Wanted>> wanted_by_options(const PlanOptions& options, const Acceptance& acceptance) {
  const auto list = chosen_suites(options);
  if (!list) return failure_of(list);
  std::vector<Wanted> all;
  for (const Suite* suite : *list) {
    Wanted wanted;
    wanted.suite = suite;
    wanted.nodes = options.nodes;
    wanted.exclude = options.exclude;
    wanted.by_name = contains(options.suites, suite->id);
    // One screen on all nodes would be as slow as the slowest of them, and name none.
    wanted.each_node = is_screen(suite->id);
    wanted.implementation = {is_screen(suite->id) ? "" : options.implementation, "", wanted.by_name,
                             options.inventory.empty() && acceptance.system.empty()};
    all.push_back(std::move(wanted));
  }
  return all;
}

/// What the configuration's runs want, in their order; `--suite` and `--nodes` choose among them.
Result<std::vector<Wanted>> wanted_by_runs(const PlanOptions& options, const Acceptance& acceptance) {
  for (const auto& [option, given] : {std::pair("--implementation", !options.implementation.empty()),
                                      std::pair("--minutes", options.minutes > 0)})
    if (given)
      return fail(option, fmt::format("would do nothing: {} has [[runs]]", options.config),
                  "leave it out, or change the runs");
  std::vector<std::string> ids;
  for (const Suite* suite : suites()) ids.emplace_back(suite->id);
  std::vector<Wanted> all;
  std::vector<Error> objections;
  for (const AcceptanceRun& run : acceptance.runs) {
    const auto at = std::ranges::find(ids, run.suite);
    if (at == ids.end()) {
      objections.push_back({run.place,
                            fmt::format("no suite '{}'{}", run.suite, did_you_mean(run.suite, ids)),
                            fmt::format("suites: {}", joined(ids, ", "))});
      continue;
    }
    if (!options.suites.empty() && !contains(options.suites, run.suite)) continue;
    for (const int nodes : run.nodes.empty() ? std::vector<int>{0} : run.nodes) {
      if (options.nodes > 0 && nodes != options.nodes && !run.each_node) continue;
      Wanted wanted;
      wanted.suite = suites()[static_cast<size_t>(at - ids.begin())];
      wanted.nodes = nodes;
      wanted.implementation = {run.implementation, run.benchmark, !run.implementation.empty(), false};
      wanted.hosts = run.hosts;
      wanted.exclude = run.exclude.empty() ? options.exclude : run.exclude;
      wanted.time_s = run.minutes * 60;
      wanted.each_node = run.each_node;
      wanted.stage = run.stage;
      wanted.repetitions = run.repetitions;
      wanted.pins = run.pins;
      wanted.by_name = !run.optional;
      wanted.place = run.place;
      all.push_back(std::move(wanted));
    }
  }
  if (auto known = all_objections(objections); !known) return failure_of(known);
  if (all.empty())
    return fail(options.config, "none of its [[runs]] is left by --suite and --nodes", "leave them out");
  return all;
}

}  // namespace

Result<std::vector<Wanted>> wanted_runs(const PlanOptions& options, const Acceptance& acceptance) {
  return acceptance.runs.empty() ? wanted_by_options(options, acceptance)
                                 : wanted_by_runs(options, acceptance);
}

Result<void> check_pins(const Wanted& wanted) {
  const std::vector<std::string> known(wanted.suite->pins.begin(), wanted.suite->pins.end());
  for (const Parameter& pin : wanted.pins)
    if (!contains(known, pin.name))
      return fail(wanted.place,
                  fmt::format("{} has no parameter '{}' to pin{}", suite_title(wanted.suite->id), pin.name,
                              did_you_mean(pin.name, known)),
                  known.empty() ? std::string("nothing can be pinned here")
                                : fmt::format("parameters: {}", joined(known, ", ")));
  return {};
}

namespace {

/// Whether the implementation's program can be started on this machine.
bool is_installed(const Implementation& implementation, const Layout& layout) {
  if (!implementation.container.empty()) return false;
  constexpr std::string_view libexec = "{libexec}/";
  if (implementation.program.starts_with(libexec))
    return !program_in_path((layout.libexec / implementation.program.substr(libexec.size())).string())
                .empty();
  return !program_in_path(implementation.program).empty();
}

std::vector<std::string> ids_of(std::span<const Implementation* const> list) {
  std::vector<std::string> ids;
  for (const Implementation* each : list)
    if (std::ranges::find(ids, each->id) == ids.end()) ids.push_back(each->id);
  return ids;
}

std::string default_id(std::span<const Implementation* const> list, const NodeGroup& group, bool here,
                       const Layout& layout) {
  const auto first = [&](auto condition) -> std::string {
    const auto found = std::ranges::find_if(list, condition);
    return found == list.end() ? std::string() : (*found)->id;
  };
  if (!group.gpus.empty()) {
    const std::string make(gpu_make(group.gpus.front()));
    if (std::string vendor = first([&](const Implementation* i) {
          return !make.empty() && i->requires_gpu == make &&
                 (!here || is_installed(*i, layout) || !i->container.empty());
        });
        !vendor.empty())
      return vendor;
  }
  if (std::string real = first([&](const Implementation* i) {
        return i->id != "reference" && i->requires_gpu.empty() && is_installed(*i, layout);
      });
      !real.empty())
    return real;
  if (std::string ours = first([](const Implementation* i) { return i->id == "reference"; }); !ours.empty())
    return ours;
  return here ? std::string() : first([](const Implementation* i) { return i->requires_gpu.empty(); });
}

Error none_here(const Suite& suite, std::span<const Implementation* const> list, bool here) {
  std::string hints;
  for (const Implementation* each : list)
    if ((each->requires_gpu.empty() || list.size() == 1) && hints.empty()) hints = each->install_hint;
  return Error{"requirements",
               fmt::format("no implementation of {} {}; there are: {}", suite_title(suite.id),
                           here ? "is installed here" : "fits these nodes", joined(ids_of(list), ", ")),
               hints};
}

}  // namespace

Result<std::vector<const Implementation*>> chosen_implementation(std::span<const Implementation> all,
                                                                 const Suite& suite, const NodeGroup& group,
                                                                 const ImplementationWish& wish,
                                                                 const Layout& layout) {
  std::vector<const Implementation*> list;
  for (const Implementation& each : all)
    if (each.suite == suite.id && (!wish.requires_gpu || each.requires_gpu == *wish.requires_gpu))
      list.push_back(&each);
  const std::vector<std::string> ids = ids_of(list);
  const bool known = std::ranges::find(ids, wish.id) != ids.end();
  if (!wish.id.empty() && !known && wish.strict)
    return fail("--implementation",
                fmt::format("{} has no implementation '{}'{}", suite_title(suite.id), wish.id,
                            did_you_mean(wish.id, ids)),
                fmt::format("implementations of {}: {}", suite.id, joined(ids, ", ")));
  const std::string id = known ? wish.id : default_id(list, group, wish.here, layout);
  if (id.empty()) return tl::unexpected<Error>(none_here(suite, list, wish.here));
  std::vector<const Implementation*> chosen;
  std::vector<std::string> benchmarks;
  for (const Implementation* each : list) {
    if (each->id != id) continue;
    benchmarks.push_back(each->benchmark);
    if (wish.benchmark.empty() || each->benchmark == wish.benchmark) chosen.push_back(each);
  }
  if (chosen.empty())
    return fail("benchmark",
                fmt::format("{}/{} has no benchmark '{}'{}", suite.id, id, wish.benchmark,
                            did_you_mean(wish.benchmark, benchmarks)),
                benchmarks.front().empty() ? "it is one benchmark: leave the name out"
                                           : fmt::format("benchmarks: {}", joined(benchmarks, ", ")));
  return chosen;
}

std::string cores_beside_gpus(const Wanted& wanted, const NodeGroup& like,
                              const std::vector<const Implementation*>& chosen,
                              std::span<const Implementation> implementations) {
  if (like.gpus.empty() || is_screen(wanted.suite->id) || chosen.front()->id == wanted.implementation.id ||
      !std::ranges::all_of(chosen, [](const Implementation* each) {
        return each->requires_gpu.empty() && each->rank_per != "gpu";
      }))
    return {};
  std::vector<std::string> of_gpus;
  for (const Implementation& each : implementations)
    if (each.suite == wanted.suite->id && !each.requires_gpu.empty() &&
        std::ranges::find(of_gpus, each.id) == of_gpus.end())
      of_gpus.push_back(each.id);
  if (of_gpus.empty()) return {};
  return fmt::format(
      "none of {}'s programs for GPUs ({}) is for {}", suite_title(wanted.suite->id), joined(of_gpus, ", "),
      like.gpus.front().model + (wanted.implementation.here ? ", or none is installed here" : ""));
}

}  // namespace shakedown
