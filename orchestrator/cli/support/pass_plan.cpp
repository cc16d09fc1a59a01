#include "orchestrator/cli/support/pass_plan.hpp"

#include <algorithm>
#include <numeric>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/node_kind.hpp"

namespace shakedown {
namespace {

/// Why no node can be used, by the scheduler's words. `all`: the system's, those included that no job can
/// get.
std::string busy_text(std::span<const NodeStanding> standings, std::size_t all) {
  if (standings.empty())
    return fmt::format("none of {} nodes is in the partition, or reservation, of [site]", all);
  std::string text = fmt::format("none of {} nodes is idle", standings.size());
  if (!standings.front().reason.empty())
    text += fmt::format(" ({}: {}{})", standings.front().host, standings.front().reason,
                        standings.size() > 1 ? ", ..." : "");
  return text;
}

/// When a run was last part of a pass; 0: never.
double last_made_s(const PassHistory& history, const std::string& label) {
  double last = 0;
  for (const LoggedPass& pass : history.log.passes)
    if (pass.system == history.system && std::ranges::find(pass.runs, label) != pass.runs.end())
      last = std::max(last, pass.at_s);
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
  double all = plan.price ? plan.price->wall_time_s : 0;
  if (plan.price) all += plan.price->unpredicted * run.minutes * 60;
  return all;
}

/// What the configuration asks for and can't be measured here.
Refusal refusal_of(const AcceptanceRun& run, const std::string& label, const Error& error) {
  return {run.suite, run.benchmark, error.where.empty() ? "plan" : error.where,
          fmt::format("{} can't be planned: {}", label, error.what), error.hint};
}

/// The runs that can be planned on so many nodes of a system's `of`, with their times. What can't be is told.
Result<std::vector<Candidate>> candidates(PassPlan& pass, const Regression& regression, std::size_t nodes,
                                          std::size_t of, const Inventory& inventory,
                                          const PassHistory& history, const Layout& layout) {
  std::vector<Candidate> found;
  for (const AcceptanceRun& run : regression.facts.runs) {
    const std::string label = run_label(run);
    if (!run.nodes.empty() && run.nodes.front() > static_cast<int>(of)) {
      pass.plan.refused.push_back(
          refusal_of(run, label,
                     {"nodes", fmt::format("the system has {} nodes that its jobs can get", of),
                      "ask for fewer, or leave the run out", Fault::input}));
      continue;
    }
    if (!run.nodes.empty() && run.nodes.front() > static_cast<int>(nodes)) {
      pass.notes.push_back(fmt::format("left to a later pass: {}: {} nodes are idle", label, nodes));
      continue;
    }
    Acceptance alone = regression.facts;
    alone.runs = {run};
    alone.runs.front().repetitions = regression.alarm.runs;
    const auto plan = derived_plan(pass.options, alone, inventory, layout);
    if (!plan) {
      const Error& error = plan.error();
      if (error.where.starts_with(pass.options.config) || error.fault == Fault::environment)
        return pass_on(plan);
      pass.plan.refused.push_back(refusal_of(run, label, error));
      continue;
    }
    found.push_back({alone.runs.front(), label, last_made_s(history, label), wall_time_s(*plan, run)});
  }
  return found;
}

/// Those that fit into the budget, those longest not made first; in the order of the configuration.
std::vector<Candidate> fitting(PassPlan& pass, std::vector<Candidate> all, double budget_s) {
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
      pass.notes.push_back(fmt::format("left to a later pass: {}: it takes about {}, and {} of {} are left",
                                       each.label, duration_text(each.wall_s),
                                       duration_text(std::max(0.0, budget_s - used_s)),
                                       duration_text(budget_s)));
      continue;
    }
    if (each.wall_s > budget_s)
      pass.notes.push_back(fmt::format("{} takes about {} alone, over the budget of {}", each.label,
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

Result<PassPlan> planned_pass(const Regression& regression, const std::string& file,
                              const Inventory& inventory, const PassHistory& history, Scheduler& scheduler) {
  const Layout layout = installed_layout();
  PassPlan pass;
  pass.options.config = file;
  pass.regression = regression;
  const auto kind = largest_kind(inventory);
  if (!kind) return pass_on(kind);
  if (auto learned = scheduler.learn_limits(); !learned) return pass_on(learned);
  pass.hosts = reachable_hosts(scheduler, kind->hosts);
  const auto standings = scheduler.nodes(pass.hosts);
  if (!standings) return pass_on(standings);
  const auto chosen = nodes_in_turn(regression, *standings, history, now_s());
  if (chosen.empty()) {
    pass.busy = busy_text(*standings, kind->hosts.size());
    return pass;
  }
  pass.options.exclude = others(kind->hosts, chosen);
  auto all = candidates(pass, regression, chosen.size(), pass.hosts.size(), inventory, history, layout);
  if (!all) return pass_on(all);
  if (all->empty() && !pass.plan.refused.empty()) {
    const Refusal& first = pass.plan.refused.front();
    return fail(first.rule, first.because,
                first.next_good.empty() ? "`shakedown plan --explain` says more" : first.next_good);
  }
  if (all->empty()) {
    pass.busy =
        fmt::format("{} of {} nodes are idle, and each run needs more", chosen.size(), standings->size());
    return pass;
  }
  Acceptance& facts = pass.regression.facts;
  facts.runs.clear();
  for (Candidate& each : fitting(pass, *std::move(all), regression.minutes * 60)) {
    pass.runs.push_back(each.label);
    facts.runs.push_back(std::move(each.run));
  }
  auto plan = derived_plan(pass.options, facts, inventory, layout);
  if (!plan) return pass_on(plan);
  plan->refused.insert(plan->refused.begin(), pass.plan.refused.begin(), pass.plan.refused.end());
  pass.plan = *std::move(plan);
  return pass;
}

}  // namespace shakedown
