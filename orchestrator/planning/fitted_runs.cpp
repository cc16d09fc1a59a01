#include "orchestrator/planning/fitted_runs.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/planning/derivation.hpp"

namespace shakedown {
namespace {

constexpr double screening_minutes = 0.5;
constexpr std::string_view own_kernels = "reference";

/// What the fitting of each run refers to.
struct Fitting {
  const FittingRequest& request;
  const Layout& layout;
  std::vector<Implementation> implementations;
  FittedRuns& fitted;
  std::string make;   ///< of the nodes' GPUs; empty: none, or unknown
  std::string hosts;  ///< that the runs must name; empty: a plan takes them by itself
  int shipped_nodes;  ///< of the largest run that is shipped

  [[nodiscard]] std::string implementation_for(const AcceptanceRun& run) const;
  [[nodiscard]] std::vector<int> scales(const AcceptanceRun& run) const;
  [[nodiscard]] Result<std::vector<Case>> planned(AcceptanceRun run, int nodes) const;
  void add(const AcceptanceRun& shipped);
};

/// Empty: none of the suite's is for these nodes. Kernels for processor cores are no stand-in on a system of
/// GPUs, and the reference kernels none in an acceptance.
std::string Fitting::implementation_for(const AcceptanceRun& run) const {
  if (fitted.screening) return std::string(own_kernels);
  const auto first = [&](auto condition) -> std::string {
    const auto found = std::ranges::find_if(implementations, [&](const Implementation& each) {
      return each.suite == run.suite && condition(each);
    });
    return found == implementations.end() ? std::string() : found->id;
  };
  std::string shipped = first([&](const Implementation& each) {
    return each.id == run.implementation && (each.requires_gpu.empty() || each.requires_gpu == make);
  });
  if (!shipped.empty()) return shipped;
  if (!make.empty()) return first([&](const Implementation& each) { return each.requires_gpu == make; });
  const auto of_vendor = [&](const std::string& vendor) {
    return first([&](const Implementation& each) {
      return each.requires_gpu.empty() && each.id != own_kernels && each.tuned("other_tests", 0) == 0 &&
             each.tuned_text("processor_vendor") == vendor;
    });
  };
  const std::string& vendor = fitted.kind.like.cpu.vendor;
  std::string own = vendor.empty() ? std::string() : of_vendor(vendor);
  return own.empty() ? of_vendor("") : own;
}

/// The numbers of nodes to try. Of a run at one scale the first that can be planned is taken, of a run at
/// several all that can.
std::vector<int> Fitting::scales(const AcceptanceRun& run) const {
  const int all = fitted.nodes;
  if (run.each_node) return {1};
  if (run.nodes.empty()) return {all};
  if (fitted.same_system && all >= shipped_nodes) return run.nodes;
  std::vector<int> list;
  if (run.nodes.size() == 1) {
    const int shipped = run.nodes.front();
    list.push_back(2 * shipped >= shipped_nodes ? all : std::min(shipped, all));
    constexpr int spared = 8;  // as far as plans look for a better number
    for (int fewer = list.front() - 1; fewer > std::max(0, list.front() - spared - 1); --fewer)
      list.push_back(fewer);
    for (auto fewer = static_cast<int>(std::bit_floor(static_cast<unsigned>(list.front()))); fewer > 0;
         fewer /= 2)
      if (fewer < list.back()) list.push_back(fewer);
    return list;
  }
  for (const int shipped : run.nodes) {
    if (shipped < all) list.push_back(shipped);
    // 90 % and more of the shipped system is all of it, except for standby nodes.
    else if (10 * shipped >= 9 * shipped_nodes)
      list.push_back(all);
  }
  if (all >= 4) list.push_back(all / 2);
  std::ranges::sort(list);
  const auto repeated = std::ranges::unique(list);
  list.erase(repeated.begin(), repeated.end());
  return list;
}

Result<std::vector<Case>> Fitting::planned(AcceptanceRun run, int nodes) const {
  Acceptance alone;
  if (!fitted.screening) alone.site = request.from->site;
  run.each_node = false;
  run.nodes = {nodes};
  run.hosts = hosts;
  run.repetitions = 1;
  alone.runs.push_back(std::move(run));
  auto plan = derived_plan({}, alone, *request.inventory, layout);
  if (!plan) return failure_of(plan);
  if (!plan->refused.empty())
    return fail(plan->refused.front().rule, plan->refused.front().because, plan->refused.front().next_good);
  return std::move(plan->cases);
}

void Fitting::add(const AcceptanceRun& shipped) {
  FittedRun fit;
  fit.run = shipped;
  fit.run.place.clear();
  fit.run.implementation = implementation_for(shipped);
  if (fit.run.implementation.empty()) {
    fitted.left_out.push_back(
        make.empty()
            ? fmt::format(
                  "{}{}{}: no program for nodes without GPUs but the kernel '{}', whose results are no "
                  "official ones",
                  shipped.suite, shipped.benchmark.empty() ? "" : " ", shipped.benchmark, own_kernels)
            : fmt::format("{}{}{}: no implementation for {} GPUs ('{}' computes on processor cores)",
                          shipped.suite, shipped.benchmark.empty() ? "" : " ", shipped.benchmark, upper(make),
                          own_kernels));
    return;
  }
  const bool another = fit.run.implementation != shipped.implementation;
  if (another) fit.run.benchmark.clear();  // by another implementation's names: all that it has
  const std::vector<int> wanted = scales(shipped);
  if (wanted != shipped.nodes || another) fit.run.pins.clear();  // sizes for that scale
  if (fitted.screening) {
    fit.run.minutes = screening_minutes;
    fit.run.repetitions = 1;
  }
  fit.run.nodes.clear();
  std::string because;
  const bool at_one_scale = shipped.nodes.size() <= 1;
  for (int nodes : wanted) {
    auto cases = planned(fit.run, nodes);
    if (!cases) {
      if (because.empty()) because = cases.error().what;
      continue;
    }
    const BetterNodes advised = cases->front().better_nodes;
    if (at_one_scale && advised.count > 0 && fit.run.pins.empty() &&
        std::ranges::find(wanted, advised.count) != wanted.end())
      if (auto better = planned(fit.run, advised.count)) {
        nodes = advised.count;
        cases = std::move(better);
        because = advised.because;
      }
    fit.cases.insert(fit.cases.end(), cases->begin(), cases->end());
    if (!shipped.each_node) fit.run.nodes.push_back(nodes);
    if (at_one_scale) {
      if (nodes < wanted.front()) {
        fit.because = because;
        fit.meant = wanted.front();
      }
      break;
    }
  }
  if (fit.cases.empty()) {
    if (!because.empty())
      fitted.left_out.push_back(fmt::format("{}{}{}: {}", shipped.suite, shipped.benchmark.empty() ? "" : " ",
                                            shipped.benchmark, because));
    return;
  }
  fit.as_shipped = fitted.same_system && fit.run.nodes == shipped.nodes && !another;
  for (const Implementation& each : implementations)
    if (const std::string version = each.tuned_text("retired");
        !fit.as_shipped && !version.empty() && each.suite == fit.run.suite && !each.benchmark.empty() &&
        each.id == fit.run.implementation && each.benchmark == fit.run.benchmark) {
      fitted.left_out.push_back(
          fmt::format("{} {}: retired after {}; what was published of it is of another system or scale",
                      shipped.suite, shipped.benchmark, version));
      return;
    }
  const auto same = [&](const FittedRun& other) {
    return other.run.suite == fit.run.suite && other.run.implementation == fit.run.implementation &&
           other.run.benchmark == fit.run.benchmark && other.run.each_node == fit.run.each_node &&
           other.run.nodes == fit.run.nodes;
  };
  if (std::ranges::any_of(fitted.runs, same)) return;
  for (const Implementation& each : implementations)
    if (std::ranges::any_of(fit.cases, [&](const Case& planned) {
          return planned.suite == each.suite && planned.implementation == each.id &&
                 planned.benchmark == each.benchmark;
        }))
      fit.implementations.push_back(each);
  fitted.runs.push_back(std::move(fit));
}

Result<void> check_suites(const FittingRequest& request) {
  std::vector<std::string> known;
  for (const AcceptanceRun& run : request.from->runs)
    if (std::ranges::find(known, run.suite) == known.end()) known.push_back(run.suite);
  for (const std::string& suite : request.suites)
    if (std::ranges::find(known, suite) == known.end())
      return fail("--suite", fmt::format("no suite '{}'{}", suite, did_you_mean(suite, known)),
                  fmt::format("suites: {}", joined(known, ", ")));
  return {};
}

/// The kind of the hosts that the request names.
Result<NodeKind> named_kind(const FittingRequest& request) {
  const auto hosts = expanded_hostlist(request.hosts);
  if (!hosts) return fail("--hosts", hosts.error().what, hosts.error().hint);
  auto kinds = kinds_of(*request.inventory, *hosts);
  if (!kinds) return fail("--hosts", "the inventory " + kinds.error().what, kinds.error().hint);
  if (kinds->size() == 1) return std::move(kinds->front());
  std::vector<std::string> lists;
  for (const NodeKind& each : *kinds) lists.push_back(folded_hostlist(each.hosts));
  return fail("--hosts", fmt::format("{} are of several kinds: {}", request.hosts, joined(lists, "; ")),
              "name those of one kind");
}

/// Which kinds the runs are not for, and why they are for theirs.
Result<void> compare_kinds(FittedRuns& fitted, const FittingRequest& request) {
  const std::set<std::string> everywhere = all_hosts(*request.inventory);
  const auto kinds = kinds_of(*request.inventory, {everywhere.begin(), everywhere.end()});
  if (!kinds) return failure_of(kinds);
  for (const NodeKind& each : *kinds)
    if (std::ranges::find(each.hosts, fitted.kind.hosts.front()) == each.hosts.end())
      fitted.other_kinds.push_back(folded_hostlist(each.hosts));
  if (!fitted.other_kinds.empty())
    fitted.kind_because = request.hosts.empty() ? largest_because(*kinds) : "as --hosts names them";
  return {};
}

}  // namespace

Result<FittedRuns> fitted_runs(const FittingRequest& request, const Layout& layout) {
  if (auto known = check_suites(request); !known) return failure_of(known);
  auto usual = largest_kind(*request.inventory);
  if (!usual) return failure_of(usual);
  auto kind = request.hosts.empty() ? usual : named_kind(request);
  if (!kind) return failure_of(kind);
  auto implementations = read_implementations(layout.share / "implementations");
  if (!implementations) return failure_of(implementations);
  FittedRuns fitted;
  fitted.kind = std::move(*kind);
  const int there = static_cast<int>(fitted.kind.hosts.size());
  if (request.nodes > there)
    return fail("--nodes",
                fmt::format("{} asked for, and {} has {}", plural(request.nodes, "node"),
                            request.inventory->system, there),
                "leave --nodes out for all");
  fitted.nodes = request.nodes > 0 ? request.nodes : there;
  fitted.all_nodes = fitted.nodes == there;
  fitted.kind.hosts.resize(static_cast<std::size_t>(fitted.nodes));
  fitted.same_system = request.inventory->system == request.from->system;
  const std::vector<Gpu>& gpus = fitted.kind.like.gpus;
  const std::string make(gpus.empty() ? std::string_view() : gpu_make(gpus.front()));
  const bool of_make = std::ranges::any_of(*implementations, [&](const Implementation& each) {
    return !make.empty() && each.requires_gpu == make;
  });
  fitted.screening = request.at_once || (!gpus.empty() && !of_make);
  int shipped_nodes = 1;
  for (const AcceptanceRun& run : request.from->runs)
    for (const int nodes : run.nodes) shipped_nodes = std::max(shipped_nodes, nodes);
  if (auto compared = compare_kinds(fitted, request); !compared) return failure_of(compared);
  // Each run names its nodes where a plan would take others, or more.
  const bool named = !fitted.all_nodes || !request.hosts.empty() || !fitted.other_kinds.empty();
  Fitting fitting{request,      layout, std::move(*implementations),
                  fitted,       make,   named ? folded_hostlist(fitted.kind.hosts) : std::string(),
                  shipped_nodes};
  for (const AcceptanceRun& run : request.from->runs)
    if (request.suites.empty() || std::ranges::find(request.suites, run.suite) != request.suites.end())
      fitting.add(run);
  // On one node a run of all nodes is the run of each node.
  if (fitted.nodes == 1) {
    std::vector<std::string> together;
    for (const FittedRun& each : fitted.runs)
      if (!each.run.each_node) together.push_back(each.run.suite);
    std::erase_if(fitted.runs, [&](const FittedRun& each) {
      return each.run.each_node && std::ranges::find(together, each.run.suite) != together.end();
    });
  }
  for (FittedRun& each : fitted.runs) each.run.hosts = fitting.hosts;
  if (fitted.runs.empty())
    return fail(request.inventory->system, "none of the runs fits it",
                fitted.left_out.empty() ? std::string() : fitted.left_out.front());
  return fitted;
}

}  // namespace shakedown
