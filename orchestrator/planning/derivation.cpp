#include "orchestrator/planning/derivation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <unordered_set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/merge.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/launch/composition.hpp"
#include "orchestrator/plan/each_node.hpp"
#include "orchestrator/plan/packing.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "orchestrator/planning/chosen_kind.hpp"
#include "orchestrator/planning/node_counts.hpp"
#include "orchestrator/planning/screens.hpp"
#include "orchestrator/planning/wanted.hpp"

namespace shakedown {
namespace {

/// A kind's hosts without those in `exclude`, which may name hosts of other kinds.
Result<std::vector<std::string>> usable_hosts(std::span<const std::string> all,
                                              std::span<const NodeKind> kinds, const std::string& exclude) {
  if (exclude.empty()) return std::vector<std::string>(all.begin(), all.end());
  const auto excluded = expanded_hostlist(exclude);
  if (!excluded) return fail("--exclude", excluded.error().what, excluded.error().hint);
  std::unordered_set<std::string_view> known;
  for (const NodeKind& kind : kinds) known.insert(kind.hosts.begin(), kind.hosts.end());
  const std::unordered_set<std::string_view> out(excluded->begin(), excluded->end());
  for (const std::string& host : *excluded)
    if (!known.contains(host))
      return fail("--exclude", fmt::format("no host '{}' in the inventory{}", host, did_you_mean(host, all)));
  std::vector<std::string> hosts;
  for (const std::string& host : all)
    if (!out.contains(host)) hosts.push_back(host);
  if (hosts.empty()) return fail("--exclude", "excludes all nodes");
  return hosts;
}

/// The hosts that a run names, without those that are excluded altogether: a node that failed meanwhile.
Result<std::vector<std::string>> named_hosts(const Wanted& wanted) {
  auto hosts = expanded_hostlist(wanted.hosts);
  if (!hosts) return fail(fmt::format("{}: hosts", wanted.place), hosts.error().what, hosts.error().hint);
  if (wanted.exclude.empty()) return hosts;
  const auto excluded = expanded_hostlist(wanted.exclude);
  if (!excluded) return fail("--exclude", excluded.error().what, excluded.error().hint);
  std::erase_if(*hosts,
                [&](const auto& host) { return std::ranges::find(*excluded, host) != excluded->end(); });
  if (hosts->empty()) return fail("--exclude", fmt::format("excludes all nodes of {}", wanted.hosts));
  return hosts;
}

/// A time budget that the plan exceeds though its cases are as small as they go, as a sentence; empty: it
/// does not.
std::string over_budget(const Cost& cost, double budget_s) {
  if (budget_s <= 0 || cost.wall_time_s <= budget_s) return "";
  return fmt::format("the smallest cases take about {} together, over the budget of {}",
                     duration_text(cost.wall_time_s), duration_text(budget_s));
}

/// A case on fewer nodes than are usable, as its suite planned it.
struct FewerNodes {
  Wanted wanted;
  PlanRequest request;  ///< its `group` is only that of the derivation's step
  NodeGroup like;
  Case planned;
  std::vector<std::string> usable;
  std::size_t first = 0;  ///< of its repetitions in the plan
};

/// What a plan is made from, and the plan so far.
struct Derivation {
  const PlanOptions& options;
  const Acceptance& acceptance;
  const Inventory& inventory;
  const Layout& layout;
  std::span<const Implementation> implementations;
  KindChoice kinds;
  Plan plan;
  std::vector<FewerNodes>
      fewer_nodes{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it

  [[nodiscard]] bool has_wished(const Wanted& wanted) const;
  [[nodiscard]] std::string intended_implementation(const Wanted& wanted) const;
  Result<void> add(const Wanted& wanted);
  Result<void> add_on(const Wanted& wanted, const NodeGroup& like, std::span<const std::string> usable);
  Result<void> add_at(const Wanted& wanted, const PlanRequest& request, std::span<const std::string> usable);
  Result<void> refuse(const Wanted& wanted, const Implementation* implementation, const Error& error);
};

/// Lists a refusal; what is wrong with configuration or machine is an error. `implementation` may be null.
Result<void> Derivation::refuse(const Wanted& wanted, const Implementation* implementation,
                                const Error& error) {
  if (error.fault != Fault::input) return tl::unexpected<Error>(error);
  const bool of_the_pins = error.where.starts_with("pin ");
  if (of_the_pins || error.where == "benchmark" || error.where.starts_with("--"))
    return fail(wanted.place.empty() ? error.where : fmt::format("{}: {}", wanted.place, error.where),
                error.what, error.hint);
  const bool named = (wanted.by_name && (implementation == nullptr ||
                                         implementation->benchmark == wanted.implementation.benchmark)) ||
                     (implementation != nullptr && implementation->id == wanted.implementation.id &&
                      error.where == "requirements");
  plan.refused.push_back(
      {std::string(wanted.suite->id),
       implementation == nullptr ? wanted.implementation.benchmark : implementation->benchmark, error.where,
       error.what, with_option(error.hint, wanted), named});
  return {};
}

/// Whether the suite has the implementation that the options name, where they ask for no other.
bool Derivation::has_wished(const Wanted& wanted) const {
  return std::ranges::any_of(implementations, [&](const Implementation& each) {
    return each.suite == wanted.suite->id && each.id == options.implementation;
  });
}

/// The implementation that a run names; of one that names none the program for GPUs that the usual nodes
/// would get, if there is one: it may be the site's own build, for other GPUs. Screens follow the nodes of
/// the suites.
std::string Derivation::intended_implementation(const Wanted& wanted) const {
  if (!wanted.implementation.id.empty() || is_screen(wanted.suite->id)) return wanted.implementation.id;
  const auto chosen =
      chosen_implementation(implementations, *wanted.suite, kinds.usual->like, wanted.implementation, layout);
  return !chosen || chosen->front()->requires_gpu.empty() ? std::string() : chosen->front()->id;
}

Result<void> Derivation::add(const Wanted& wanted) {
  if (options.no_other_implementation && !wanted.by_name && !has_wished(wanted)) return {};
  if (auto ok = check_pins(wanted); !ok) return ok;
  if (wanted.hosts.empty()) {
    const NodeKind& kind = *kind_for(kinds, intended_implementation(wanted), wanted.suite->id);
    const auto usable = usable_hosts(kind.hosts, kinds.kinds, wanted.exclude);
    if (!usable) return failure_of(usable);
    Wanted here = wanted;
    if (wanted.place.empty() && (wanted.nodes == 1 || usable->size() == 1)) here.each_node = false;
    return add_on(here, kind.like, *usable);
  }
  const auto named = named_hosts(wanted);
  if (!named) return failure_of(named);
  const auto refused = [&](const Error& error) {
    return fail(fmt::format("{}: hosts", wanted.place), error.what, error.hint);
  };
  if (!wanted.each_node) {
    const auto common = common_kind(inventory, *named);
    return common ? add_on(wanted, common->like, common->hosts) : refused(common.error());
  }
  const auto of_hosts = kinds_of(inventory, *named);
  if (!of_hosts) return refused(of_hosts.error());
  for (const NodeKind& kind : *of_hosts)
    if (auto added = add_on(wanted, kind.like, kind.hosts); !added) return added;
  return {};
}

Result<void> Derivation::add_on(const Wanted& wanted, const NodeGroup& like,
                                std::span<const std::string> usable) {
  if (wanted.nodes > static_cast<int>(usable.size()))
    return fail(wanted.place.empty() ? "--nodes" : wanted.place,
                fmt::format("{} nodes asked for, {} there", wanted.nodes, usable.size()),
                fmt::format("state {} at most", usable.size()));
  const auto chosen =
      chosen_implementation(implementations, *wanted.suite, like, wanted.implementation, layout);
  if (!chosen) return refuse(wanted, nullptr, chosen.error());
  if (const std::string because = cores_beside_gpus(wanted, like, *chosen, implementations);
      !because.empty()) {
    std::string warning = fmt::format("{} is planned on processor cores, with '{}': {}",
                                      suite_title(wanted.suite->id), chosen->front()->id, because);
    if (std::ranges::find(plan.warnings, warning) == plan.warnings.end())
      plan.warnings.push_back(std::move(warning));
  }
  const auto measured = options.measured.find(like.name);
  PlanRequest request{.inventory = &inventory,
                      .group = &like,
                      .hosts = {},
                      .layout = layout,
                      .time_s = wanted.time_s,
                      .measured = measured == options.measured.end() ? MeasuredRates() : measured->second,
                      .site = &acceptance.site,
                      .pins = wanted.pins};
  for (const Implementation* implementation : *chosen) {
    request.implementation = implementation;
    if (!wanted.each_node && !implementation->each_node) {
      const std::ptrdiff_t nodes = wanted.nodes > 0 ? wanted.nodes : std::ssize(usable);
      request.hosts = {usable.begin(), usable.begin() + nodes};
      if (auto added = add_at(wanted, request, usable); !added) return added;
      continue;
    }
    Wanted single = wanted;
    single.each_node = true;
    const auto nodes = wanted.nodes > 0 ? usable.first(static_cast<size_t>(wanted.nodes)) : usable;
    request.hosts = {std::string(host_placeholder)};
    if (auto added = add_at(single, request, nodes); !added) return added;
  }
  return {};
}

/// A job step begins with its container's start, if it has one: that is in the time from start to end, and
/// within the limit, which is at least what the implementation states.
void allow_start(Case& planned, const Implementation& implementation) {
  const bool contained = !planned.container.runtime.empty();
  const double start_s = contained ? implementation.tuned("container_start_s", 0) : 0;
  const double least_s = implementation.tuned("least_limit_s", 0);
  for (Prediction& each : planned.predicted)
    if (each.metric == "wall_time_s" && start_s > 0) {
      each.value += start_s;
      each.high += start_s;
      planned.model.text +=
          fmt::format("; the time from start to end has {} of the container's start, {}",
                      duration_text(start_s), implementation.tuned_text("container_start_source"));
    }
  if (planned.time_limit_s <= 0 || (start_s <= 0 && least_s <= planned.time_limit_s)) return;
  planned.time_limit_s = std::max(least_s, planned.time_limit_s + start_s);
  for (Reason& reason : planned.why) {
    if (reason.what != "time_limit_s") continue;
    reason.value = static_cast<std::int64_t>(planned.time_limit_s);
    reason.because +=
        contained ? fmt::format("; {} more for the container's start ({}), and at least {} ({})",
                                duration_text(start_s), implementation.tuned_text("container_start_source"),
                                duration_text(least_s), implementation.tuned_text("least_limit_source"))
                  : fmt::format("; at least {}: {}", duration_text(least_s),
                                implementation.tuned_text("least_limit_source"));
  }
}

/// The cases of one implementation on the nodes of the request.
Result<void> Derivation::add_at(const Wanted& wanted, const PlanRequest& request,
                                std::span<const std::string> usable) {
  auto planned = wanted.suite->plan(request);
  if (!planned) return refuse(wanted, request.implementation, planned.error());
  if (auto better = better_node_count(*wanted.suite, request, *planned, usable); !better.empty())
    planned->warnings.push_back(std::move(better));
  if (!wanted.each_node && planned->nodes < std::ssize(usable))
    fewer_nodes.push_back(
        {wanted, request, *request.group, *planned, {usable.begin(), usable.end()}, plan.cases.size()});
  allow_start(*planned, *request.implementation);
  calibrate(*planned, inventory.system, acceptance.calibrations);
  if (auto composed = compose_argv(*planned, request.group->usable.cores, &acceptance.site); !composed)
    return composed;
  planned->stage = wanted.stage;
  if (!wanted.each_node && usable.size() > request.hosts.size())
    planned->among = folded_hostlist({usable.begin(), usable.end()});
  if (wanted.each_node) {
    planned->bound = true;
    planned->id += fmt::format("-{}", host_placeholder);
    planned->hosts = folded_hostlist({usable.begin(), usable.end()});
  }
  for (int repetition = 1; repetition <= wanted.repetitions; ++repetition) {
    Case& each = plan.cases.emplace_back(*planned);
    each.repetition = repetition;
    if (repetition > 1) each.id += fmt::format("-r{}", repetition);
  }
  return {};
}

/// Whether no case of a plan that the same program runs has more nodes.
bool is_widest(const Case& planned, std::span<const Case> cases) {
  return std::ranges::none_of(cases, [&](const Case& other) {
    return other.nodes > planned.nodes && other.suite == planned.suite &&
           other.benchmark == planned.benchmark && other.implementation == planned.implementation;
  });
}

/// Says of the widest case of each program why it has not all nodes: that takes another plan of its suite.
void explain_fewer_nodes(Derivation& derivation) {
  std::vector<Case>& cases = derivation.plan.cases;
  for (FewerNodes& each : derivation.fewer_nodes) {
    if (!is_widest(each.planned, cases)) continue;
    each.request.group = &each.like;
    const std::string why = why_fewer_nodes(each.wanted, each.request, each.planned, each.usable);
    for (std::size_t i = 0; i < static_cast<std::size_t>(each.wanted.repetitions); ++i)
      cases[each.first + i].fewer_nodes = why;
  }
}

/// An implementation that no suite of the plan has is a slip of the pen, not a wish for the default.
Result<void> check_implementation_known(const PlanOptions& options,
                                        const std::vector<Implementation>& implementations,
                                        const std::vector<Wanted>& all) {
  std::vector<std::string> ids;
  for (const Implementation& each : implementations)
    for (const Wanted& wanted : all)
      if (each.suite == wanted.suite->id && !is_screen(wanted.suite->id) &&
          std::ranges::find(ids, each.id) == ids.end())
        ids.push_back(each.id);
  if (ids.empty() || std::ranges::find(ids, options.implementation) != ids.end()) return {};
  return fail("--implementation",
              fmt::format("no implementation '{}'{}", options.implementation,
                          did_you_mean(options.implementation, ids)),
              fmt::format("implementations: {}", joined(ids, ", ")));
}

/// A program that the site states for an implementation that is not there would silently do nothing.
Result<void> check_site_programs(const Acceptance& acceptance, const std::string& config,
                                 const std::vector<Implementation>& implementations) {
  std::vector<std::string> known;
  for (const Implementation& each : implementations) {
    known.push_back(each.suite + "/" + each.id);
    if (!each.benchmark.empty()) known.push_back(known.back() + "-" + each.benchmark);
  }
  for (const SiteProgram& program : acceptance.site.programs)
    if (std::ranges::find(known, program.implementation) == known.end())
      return fail(config,
                  fmt::format("[[site.programs]] states '{}', and there is no such implementation{}",
                              program.implementation, did_you_mean(program.implementation, known)),
                  "`shakedown list` names them");
  return {};
}

/// The cases of a suite with the given time; a refusal is reported when it counts.
std::vector<Case> trial(const Derivation& derivation, Wanted wanted, double time_s) {
  Derivation alone = derivation;
  wanted.time_s = time_s;
  static_cast<void>(alone.add(wanted));
  return std::move(alone.plan.cases);
}

/// Gives equal parts of the time budget to the suites whose size follows it, after what the screens and the
/// others take by their predictions.
void share_time(std::vector<Wanted>& all, const Derivation& derivation) {
  if (derivation.options.minutes <= 0) return;
  double left_s = derivation.options.minutes * 60;
  std::vector<Wanted*> sized;
  for (Wanted& wanted : all) {
    const auto whole = trial(derivation, wanted, 0);
    const auto least = trial(derivation, wanted, 1);
    const bool follows = !is_screen(wanted.suite->id) &&
                         !std::ranges::equal(whole, least, {}, &Case::parameters, &Case::parameters);
    if (follows) sized.push_back(&wanted);
    double bound_s = 0;  // cases of one node each run beside each other
    for (const Case& planned : whole)
      if (const Prediction* wall = predicted_wall_time(planned); !follows && wall != nullptr)
        planned.bound ? bound_s = std::max(bound_s, wall->value) : left_s -= wall->value;
    left_s -= bound_s;
  }
  for (Wanted* wanted : sized) wanted->time_s = std::max(1.0, left_s / static_cast<double>(sized.size()));
}

/// Whether steps ask Slurm for CPUs by a count that was not asked for.
bool assumes_slurm_cpus(const std::vector<Case>& cases, const NodeGroup& node) {
  return node.usable.slurm_cpus_per_core == 0 && std::ranges::any_of(cases, [](const Case& each) {
           return each.launcher == "srun" && each.cpus_per_rank > 0;
         });
}

}  // namespace

Result<Plan> derived_plan(const PlanOptions& options, const Acceptance& acceptance,
                          const Inventory& inventory, const Layout& layout) {
  const auto implementations = read_implementations(layout.share / "implementations");
  if (!implementations) return failure_of(implementations);
  auto all = wanted_runs(options, acceptance);
  if (!all) return failure_of(all);
  if (auto ok = check_site_programs(acceptance, options.config, *implementations); !ok) return failure_of(ok);
  const auto largest = largest_kind(inventory);
  if (!largest) return failure_of(largest);
  const std::set<std::string> everywhere = all_hosts(inventory);
  const auto kinds = kinds_of(inventory, {everywhere.begin(), everywhere.end()});
  if (!kinds) return failure_of(kinds);
  const std::string wish = acceptance.runs.empty() ? options.implementation : std::string();
  std::vector<std::string> wanted_suites;
  if (acceptance.runs.empty())
    for (const Wanted& wanted : *all)
      if (!is_screen(wanted.suite->id)) wanted_suites.emplace_back(wanted.suite->id);
  const KindChoice by_peak{*kinds, &*largest, *implementations, &acceptance.site, wanted_suites};
  const NodeKind& kind = *kind_for(by_peak, wish, "");
  KindChoice by_wish = by_peak;
  by_wish.usual = &kind;

  Derivation derivation{options, acceptance, inventory, layout, *implementations, by_wish, {}};
  Plan& plan = derivation.plan;
  plan.system = inventory.system;
  for (const Calibration& each : acceptance.calibrations)
    if (each.system != inventory.system)
      plan.warnings.push_back(
          fmt::format("the calibration of {}/{} is of the system '{}', and this is '{}': not used",
                      each.suite, each.implementation, each.system, inventory.system));
  if (static_cast<int>(inventory.groups.size()) > kind.groups &&
      std::ranges::any_of(*all, [](const Wanted& each) { return each.hosts.empty(); })) {
    plan.warnings.push_back(kinds_text(by_peak, kind, wish, wanted_suites));
  }
  if (!options.implementation.empty() && acceptance.runs.empty()) {
    if (auto known = check_implementation_known(options, *implementations, *all); !known)
      return failure_of(known);
  }
  if (acceptance.runs.empty()) {
    const ScreenChoice choice{options, *implementations, inventory, kind.like, layout};
    leave_out_cores(*all, choice, plan.refused);
    place_screens(*all, choice, plan.warnings);
    share_time(*all, derivation);
  }
  for (const Wanted& wanted : *all)
    if (auto added = derivation.add(wanted); !added) return failure_of(added);
  if (plan.cases.empty())
    return plan.refused.empty() ? fail("", "nothing to plan")
                                : fail(plan.refused.front().rule, plan.refused.front().because,
                                       plan.refused.front().next_good);
  // A suite that was asked for and has no case is missed, though each of its benchmarks may be.
  for (Refusal& refusal : plan.refused)
    refusal.by_name |= std::ranges::any_of(*all, [&](const Wanted& wanted) {
      return wanted.by_name && wanted.suite->id == refusal.suite &&
             std::ranges::find(plan.cases, refusal.suite, &Case::suite) == plan.cases.end();
    });
  explain_fewer_nodes(derivation);
  number_equal_ids(plan.cases);
  plan.cost = plan_cost(plan, static_cast<int>(kind.hosts.size()), kind.like.power_watts.value_or(0));
  if (std::string warning = over_budget(*plan.cost, options.minutes * 60); !warning.empty())
    plan.warnings.push_back(std::move(warning));
  if (is_unanswered(inventory))
    plan.warnings.push_back(
        "no node answered when this inventory was made: it holds what Slurm's configuration says, not the "
        "hardware. Discover the nodes again, inside salloc");
  if (assumes_slurm_cpus(plan.cases, kind.like))
    plan.warnings.push_back(fmt::format(
        "whether Slurm counts cores or hardware threads was not asked: {} CPUs are asked for per core, one "
        "for each hardware thread. Discover with --slurm, or state slurm_cpus_per_core in [groups.usable]",
        kind.like.cpu.threads_per_core));
  for (std::string& sentence : doubtful_memory(inventory)) plan.warnings.push_back(std::move(sentence));
  for (std::string& sentence : heterogeneity(inventory)) plan.warnings.push_back(std::move(sentence));
  if (!options.each_node_once) plan.cases = written_out(std::move(plan.cases));
  return std::move(plan);
}

}  // namespace shakedown
