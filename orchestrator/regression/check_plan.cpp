#include "orchestrator/regression/check_plan.hpp"

#include <algorithm>
#include <numeric>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/planning/derivation.hpp"

namespace shakedown {
namespace {

/// Why no node can be used, by the scheduler's words. `all`: the system's, those included that no job can
/// get.
std::string busy_text(std::span<const SchedulerNode> nodes, std::size_t all) {
  if (nodes.empty())
    return fmt::format("none of {} nodes is in the partition, or reservation, of [site]", all);
  std::string text = fmt::format("none of {} nodes is idle", nodes.size());
  if (!nodes.front().reason.empty())
    text +=
        fmt::format(" ({}: {}{})", nodes.front().host, nodes.front().reason, nodes.size() > 1 ? ", ..." : "");
  return text;
}

/// When a run was last part of a check; 0: never.
double last_made_s(const CheckHistory& history, const std::string& label) {
  double last = 0;
  for (const LoggedCheck& planned : history.log.checks)
    if (planned.system == history.system && std::ranges::find(planned.runs, label) != planned.runs.end())
      last = std::max(last, planned.at_s);
  return last;
}

/// A run with its plan and the time that all its repetitions take.
struct Candidate {
  AcceptanceRun run;
  std::string label;
  double last_s = 0;
  double wall_s = 0;
};

/// How long the cases take: by their predictions, and where there is none by the time that the run is given.
double wall_time_s(const Plan& plan, const AcceptanceRun& run) {
  double all = plan.cost ? plan.cost->wall_time_s : 0;
  if (plan.cost) all += plan.cost->unpredicted * run.minutes * 60;
  return all;
}

/// What the configuration asks for and can't be measured here.
Refusal refusal_of(const AcceptanceRun& run, const std::string& label, const Error& error) {
  return {run.suite, run.benchmark, error.where.empty() ? "plan" : error.where,
          fmt::format("{} can't be planned: {}", label, error.what), error.hint};
}

/// The runs that can be planned on so many nodes of a system's `of`, with their times. Others are reported.
Result<std::vector<Candidate>> candidates(CheckPlan& planned, const Regression& regression, std::size_t nodes,
                                          std::size_t of, const Inventory& inventory,
                                          const CheckHistory& history, const Layout& layout) {
  std::vector<Candidate> found;
  for (const AcceptanceRun& run : regression.facts.runs) {
    const std::string label = run_label(run);
    if (!run.nodes.empty() && run.nodes.front() > static_cast<int>(of)) {
      planned.plan.refused.push_back(
          refusal_of(run, label,
                     {"nodes", fmt::format("the system has {} nodes that its jobs can get", of),
                      "ask for fewer, or leave the run out", Fault::input}));
      continue;
    }
    if (!run.nodes.empty() && run.nodes.front() > static_cast<int>(nodes)) {
      planned.notes.push_back(fmt::format("left to a later check: {}: {} nodes are idle", label, nodes));
      continue;
    }
    Acceptance alone = regression.facts;
    alone.runs = {run};
    alone.runs.front().repetitions = regression.alarm.runs;
    const auto plan = derived_plan(planned.options, alone, inventory, layout);
    if (!plan) {
      const Error& error = plan.error();
      if (error.where.starts_with(planned.options.config) || error.fault == Fault::environment)
        return failure_of(plan);
      planned.plan.refused.push_back(refusal_of(run, label, error));
      continue;
    }
    found.push_back({alone.runs.front(), label, last_made_s(history, label), wall_time_s(*plan, run)});
  }
  return found;
}

/// Those that fit into the budget, those longest not made first; in the order of the configuration.
std::vector<Candidate> fitting(CheckPlan& planned, std::vector<Candidate> all, double budget_s) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return all[a].last_s != all[b].last_s ? all[a].last_s < all[b].last_s : a < b;
  });
  std::vector<bool> taken(all.size(), false);
  double used_s = 0;
  for (const std::size_t i : order) {
    const Candidate& each = all[i];
    if (used_s > 0 && used_s + each.wall_s > budget_s) {
      planned.notes.push_back(
          fmt::format("left to a later check: {}: it takes about {}, and {} of {} are left", each.label,
                      duration_text(each.wall_s), duration_text(std::max(0.0, budget_s - used_s)),
                      duration_text(budget_s)));
      continue;
    }
    if (each.wall_s > budget_s)
      planned.notes.push_back(fmt::format("{} takes about {} alone, over the budget of {}", each.label,
                                          duration_text(each.wall_s), duration_text(budget_s)));
    taken[i] = true;
    used_s += std::max(each.wall_s, 1e-9);
  }
  std::vector<Candidate> chosen;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (taken[i]) chosen.push_back(std::move(all[i]));
  return chosen;
}

/// The hosts of the inventory's that are none of `chosen`.
std::string others(const std::vector<std::string>& hosts, const std::vector<std::string>& chosen) {
  std::vector<std::string> rest;
  for (const std::string& host : hosts)
    if (std::ranges::find(chosen, host) == chosen.end()) rest.push_back(host);
  return rest.empty() ? "" : folded_hostlist(rest);
}

}  // namespace

std::string run_label(const AcceptanceRun& run) {
  std::string text = run.suite;
  for (const std::string& more : {run.implementation, run.benchmark})
    if (!more.empty()) text += " " + more;
  if (run.each_node) return text + ", each node";
  return run.nodes.empty() ? text : fmt::format("{}, {} nodes", text, run.nodes.front());
}

Result<CheckPlan> planned_check(const Regression& regression, const std::string& file,
                                const Inventory& inventory, const CheckHistory& history,
                                Scheduler& scheduler) {
  const Layout layout = installed_layout();
  CheckPlan planned;
  planned.options.config = file;
  planned.regression = regression;
  const auto kind = largest_kind(inventory);
  if (!kind) return failure_of(kind);
  if (auto learned = scheduler.query_limits(); !learned) return failure_of(learned);
  planned.hosts = reachable_hosts(scheduler, kind->hosts);
  const auto nodes = scheduler.nodes(planned.hosts);
  if (!nodes) return failure_of(nodes);
  const auto chosen = next_in_rotation(regression, *nodes, history, now_s());
  if (chosen.empty()) {
    planned.busy = busy_text(*nodes, kind->hosts.size());
    return planned;
  }
  planned.options.exclude = others(kind->hosts, chosen);
  auto all = candidates(planned, regression, chosen.size(), planned.hosts.size(), inventory, history, layout);
  if (!all) return failure_of(all);
  if (all->empty() && !planned.plan.refused.empty()) {
    const Refusal& first = planned.plan.refused.front();
    return fail(first.rule, first.because,
                first.next_good.empty() ? "`shakedown plan --explain` shows why" : first.next_good);
  }
  if (all->empty()) {
    planned.busy =
        fmt::format("{} of {} nodes are idle, and each run needs more", chosen.size(), nodes->size());
    return planned;
  }
  Acceptance& facts = planned.regression.facts;
  facts.runs.clear();
  for (Candidate& each : fitting(planned, *std::move(all), regression.minutes * 60)) {
    planned.runs.push_back(each.label);
    facts.runs.push_back(std::move(each.run));
  }
  auto plan = derived_plan(planned.options, facts, inventory, layout);
  if (!plan) return failure_of(plan);
  plan->refused.insert(plan->refused.begin(), planned.plan.refused.begin(), planned.plan.refused.end());
  planned.plan = *std::move(plan);
  return planned;
}

}  // namespace shakedown
