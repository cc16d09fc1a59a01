#include "orchestrator/campaign/change.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

using Hosts = std::set<std::string>;

Hosts hosts_of(std::string_view list) {
  const auto hosts = expanded_hostlist(list);
  return hosts ? Hosts(hosts->begin(), hosts->end()) : Hosts();
}

std::string folded(const Hosts& hosts) {
  const std::vector<std::string> all(hosts.begin(), hosts.end());
  return folded_hostlist(all);
}

Hosts hosts_in(const Inventory& inventory) {
  Hosts all;
  for (const NodeGroup& group : inventory.groups) all.merge(hosts_of(group.hosts));
  return all;
}

Reach reach_of(const Change& change) {
  if (change.kind == FeatureKind::nodes) return change.after.empty() ? Reach::nothing : Reach::both;
  if (change.kind == FeatureKind::nic || change.kind == FeatureKind::fabric) return Reach::network;
  return Reach::both;
}

Reach reach_of(NodeEventKind event) {
  switch (event) {
    case NodeEventKind::reboot:
      return Reach::node;
    case NodeEventKind::moved:
      return Reach::network;
    case NodeEventKind::replaced:
      break;
  }
  return Reach::both;
}

/// Cases of the reference that one `[[runs]]` table can plan again.
struct ReferenceRun {
  std::string suite;
  std::string implementation;
  std::string benchmark;
  int nodes = 1;
  bool bound = false;
  std::vector<Parameter> pins;  ///< its size, by the suite's names
  int stage = 0;
  int repetitions = 1;
  std::optional<double> node_hours;  ///< predicted, of one repetition

  [[nodiscard]] auto key() const { return std::tie(suite, implementation, benchmark, nodes, bound, pins); }
};

/// The parameters of a case that its suite lets a configuration fix.
std::vector<Parameter> pins_of(const Case& planned) {
  std::vector<Parameter> pins;
  const auto suite = std::ranges::find(suites(), planned.suite, [](const Suite* each) { return each->id; });
  if (suite == suites().end()) return pins;
  for (const Parameter& each : planned.parameters)
    if (std::ranges::find((*suite)->pins, each.name) != (*suite)->pins.end()) pins.push_back(each);
  return pins;
}

/// Today's nodes that the reference ran on, and those that changed.
Hosts hosts_in_question(const CampaignRecord& reference, const Inventory& today,
                        const std::vector<FoundChange>& changes) {
  Hosts hosts;
  for (const CaseRecord& record : reference.cases)
    for (const std::string* list : {&record.planned.hosts, &record.planned.among})
      hosts.merge(hosts_of(*list));
  for (const FoundChange& change : changes) hosts.merge(hosts_of(change.hosts));
  const Hosts there = hosts_in(today);
  std::erase_if(hosts, [&](const std::string& host) { return !there.contains(host); });
  return hosts.empty() ? there : hosts;
}

std::vector<ReferenceRun> runs_of(const CampaignRecord& reference) {
  std::vector<ReferenceRun> runs;
  for (const CaseRecord& record : reference.cases) {
    const Case& planned = record.planned;
    if (planned.screen || planned.program.empty() || !planned.stands_for.empty() || planned.confirms)
      continue;
    ReferenceRun run;
    run.suite = planned.suite;
    run.implementation = planned.implementation;
    run.benchmark = planned.benchmark;
    run.nodes = planned.nodes;
    run.bound = planned.bound;
    run.pins = pins_of(planned);
    run.stage = planned.stage;
    run.repetitions = planned.repetition;
    if (const Prediction* time = predicted_wall_time(planned))
      run.node_hours = planned.nodes * time->value / 3600;
    const auto known =
        std::ranges::find_if(runs, [&](const ReferenceRun& each) { return each.key() == run.key(); });
    if (known == runs.end())
      runs.push_back(std::move(run));
    else
      known->repetitions = std::max(known->repetitions, run.repetitions);
  }
  return runs;
}

/// Writes the proposal, run by run.
class Proposer {
 public:
  Proposer(const CampaignRecord& reference, const Inventory& today, ChangeProposal& proposal)
      : proposal_(proposal),
        runs_(runs_of(reference)),
        all_(hosts_in_question(reference, today, proposal.changes)) {
    if (!reference.config_text.empty())
      if (auto read = acceptance_from_toml(reference.config_text, "the reference's configuration"))
        config_ = *std::move(read);
    for (const CaseRecord& record : reference.cases)
      if (record.planned.program.empty() && !record.planned.screen) by_hand_.push_back(record.planned.id);
  }

  void propose() {
    Hosts node;     // whose own runs are to be made again
    Hosts network;  // that a run on several nodes must hold
    std::vector<const FoundChange*> whole;
    for (const FoundChange& change : proposal_.changes) {
      if (change.reach == Reach::nothing) {
        proposal_.not_covered.push_back(
            fmt::format("{} on {}: what is gone can't be measured; totals of all nodes no longer stand",
                        change.what, change.hosts));
        continue;
      }
      Hosts here = hosts_of(change.hosts);
      std::erase_if(here, [&](const std::string& host) { return !all_.contains(host); });
      if (change.hosts.empty() || here == all_) {
        whole.push_back(&change);
      } else if (here.empty()) {
        proposal_.not_covered.push_back(
            fmt::format("{}: {} is not in today's inventory", change.what, change.hosts));
      } else {
        if (change.reach != Reach::network) node.merge(Hosts(here));
        if (change.reach != Reach::node) network.merge(std::move(here));
      }
    }
    proposal_.everywhere = !whole.empty();
    for (const FoundChange* change : whole) add_whole(*change);
    add_screens(node);
    add_network(network);
    if (!proposal_.changes.empty() && !by_hand_.empty())
      proposal_.not_covered.push_back(fmt::format(
          "{} of the reference: planned by hand, and can't be planned again", joined(by_hand_, ", ")));
  }

 private:
  /// Whether a change that is not on every node, of one of these hosts, can have moved the run.
  [[nodiscard]] bool moved(const ReferenceRun& run, const Hosts& hosts, Reach other) const {
    return std::ranges::any_of(proposal_.changes, [&](const FoundChange& change) {
      if (change.reach == other || change.reach == Reach::nothing || !moves(change, run.suite)) return false;
      const Hosts here = hosts_of(change.hosts);
      if (here == all_) return false;
      return std::ranges::any_of(here, [&](const auto& host) { return hosts.contains(host); });
    });
  }

  /// Whether one of the nodes is not what it was, so that the reference's sizes need not fit it.
  [[nodiscard]] bool resized(const Hosts& hosts) const {
    return std::ranges::any_of(proposal_.changes, [&](const FoundChange& change) {
      if (!change.resized) return false;
      const Hosts here = hosts_of(change.hosts);
      return std::ranges::any_of(here, [&](const auto& host) { return hosts.contains(host); });
    });
  }

  void add(const ReferenceRun& run, const Hosts& hosts, bool each_node, std::string because) {
    AcceptanceRun wanted = configured(run);
    wanted.suite = run.suite;
    wanted.implementation = run.implementation;
    wanted.benchmark = run.benchmark;
    wanted.each_node = each_node;
    wanted.nodes.clear();
    wanted.exclude.clear();
    wanted.hosts = hosts == all_ ? "" : folded(hosts);
    if (!each_node) wanted.nodes.push_back(run.nodes);
    wanted.stage = run.stage;
    wanted.repetitions = run.repetitions;
    if (resized(hosts)) {
      because += "; its size is planned again: the node has changed";
    } else if (!run.pins.empty()) {
      wanted.minutes = 0;  // the size is the reference's
      for (const Parameter& pin : run.pins) {
        const auto known = std::ranges::find(wanted.pins, pin.name, &Parameter::name);
        known == wanted.pins.end() ? wanted.pins.push_back(pin) : (void)(known->value = pin.value);
      }
    }
    const bool known = std::ranges::any_of(proposal_.runs, [&](const ProposedRun& each) {
      const AcceptanceRun& a = each.run;
      const bool holds = each_node || a.hosts == wanted.hosts;  // one of all nodes need not hold these
      return a.suite == wanted.suite && a.implementation == wanted.implementation &&
             a.benchmark == wanted.benchmark && a.nodes == wanted.nodes && a.each_node == wanted.each_node &&
             a.pins == wanted.pins && holds;
    });
    if (!known) proposal_.runs.push_back({std::move(wanted), folded(hosts), std::move(because)});
  }

  /// The run's table in the reference's configuration, for its minutes and what else it fixes.
  [[nodiscard]] AcceptanceRun configured(const ReferenceRun& run) const {
    for (const AcceptanceRun& each : config_.runs) {
      const bool build = each.implementation.empty() || each.implementation == run.implementation;
      const bool benchmark = each.benchmark.empty() || each.benchmark == run.benchmark;
      const bool size =
          each.each_node ? run.bound
                         : each.nodes.empty() || std::ranges::find(each.nodes, run.nodes) != each.nodes.end();
      const bool pins = std::ranges::all_of(each.pins, [&](const Parameter& pin) {
        const auto own = std::ranges::find(run.pins, pin.name, &Parameter::name);
        return own == run.pins.end() || value_text(own->value) == value_text(pin.value);
      });
      if (each.suite == run.suite && build && benchmark && size && pins) return each;
    }
    return {};
  }

  void add_whole(const FoundChange& change) {
    bool any = false;
    for (const ReferenceRun& run : runs_) {
      if (!moves(change, run.suite) || (change.reach == Reach::network && run.nodes == 1)) continue;
      if (change.reach == Reach::node && run.nodes > 1) continue;
      any = true;
      if (run.nodes > static_cast<int>(all_.size())) {
        proposal_.not_covered.push_back(
            fmt::format("{} on {} nodes: today there are {}", run.suite, run.nodes, all_.size()));
        continue;
      }
      add(run, all_, run.bound, fmt::format("{}, on every node", change.what));
    }
    if (!any) report_not_covered(change);
  }

  void report_not_covered(const FoundChange& change) {
    proposal_.not_covered.push_back(fmt::format("{}: the reference has no run {}that shows it", change.what,
                                                change.reach == Reach::network ? "on several nodes " : ""));
  }

  void add_screens(const Hosts& hosts) {
    if (hosts.empty()) return;
    bool any = false;
    for (const ReferenceRun& run : runs_) {
      if (run.nodes != 1) continue;
      Hosts own;
      for (const std::string& host : hosts)
        if (moved(run, {host}, Reach::network)) own.insert(host);
      if (own.empty()) continue;
      any = true;
      const bool only_one = all_.size() == 1;
      add(run, own, !only_one,
          fmt::format("what changed on {} shows in runs on {} alone", folded(own),
                      own.size() == 1 ? "that node" : "each of these nodes"));
    }
    if (!any)
      proposal_.not_covered.push_back(
          fmt::format("{}: the reference has no run on one node of a suite that it moves", folded(hosts)));
  }

  void add_network(Hosts hosts) {
    if (hosts.empty()) return;
    const ReferenceRun* best = nullptr;
    const auto cost = [](const ReferenceRun& run) {
      return std::pair(run.node_hours.value_or(std::numeric_limits<double>::max()), run.nodes);
    };
    for (const ReferenceRun& run : runs_) {
      const bool holds = run.nodes > 1 && run.nodes >= static_cast<int>(hosts.size()) &&
                         run.nodes <= static_cast<int>(all_.size());
      if (holds && moved(run, hosts, Reach::node) && (best == nullptr || cost(run) < cost(*best)))
        best = &run;
    }
    if (best == nullptr) {
      proposal_.not_covered.push_back(
          fmt::format("{}: the reference has no run on several nodes that holds {}", folded(hosts),
                      hosts.size() == 1 ? "it" : "them"));
      return;
    }
    const std::string changed = folded(hosts);
    for (const std::string& host : all_) {
      if (static_cast<int>(hosts.size()) >= best->nodes) break;
      hosts.insert(host);
    }
    add(*best, hosts, false,
        fmt::format("one run on several nodes with {} among them: the least node-hours of those that the "
                    "reference has",
                    changed));
  }

  ChangeProposal& proposal_;
  std::vector<ReferenceRun> runs_;
  Hosts all_;
  Acceptance config_;
  std::vector<std::string> by_hand_;
};

}  // namespace

bool moves(const FoundChange& change, std::string_view id) {
  const auto names = [&](std::string_view name) {
    return change.suites.empty() || std::ranges::find(change.suites, name) != change.suites.end();
  };
  return names(id) || std::ranges::any_of(suites(), [&](const Suite* suite) {
           return names(suite->id) && std::ranges::count(screens_of(suite->id), id) > 0;
         });
}

std::vector<FoundChange> found_changes(const Inventory& reference, const Inventory& today,
                                       const std::vector<NodeEvent>& events) {
  std::vector<FoundChange> found;
  for (const Change& change : differences(reference, today)) {
    const auto said = [](const std::string& value) {
      return value.empty() ? std::string("not there") : value;
    };
    const auto suites = suites_to_run_again(change.kind);
    FoundChange each;
    each.what = fmt::format("{}: {} → {}", change.what, said(change.before), said(change.after));
    each.hosts = change.hosts;
    each.reach = reach_of(change);
    each.suites.assign(suites.begin(), suites.end());
    each.resized = change.kind == FeatureKind::cpu || change.kind == FeatureKind::memory ||
                   change.kind == FeatureKind::gpu;
    found.push_back(std::move(each));
  }
  for (const NodeEvent& event : events)
    found.push_back({fmt::format("{}, declared by {} at {}{}", to_string(event.kind), event.by,
                                 utc_text(event.at_s), event.note.empty() ? "" : ": " + event.note),
                     event.node,
                     reach_of(event.kind),
                     {},
                     false});
  return found;
}

ChangeProposal proposed_campaign(const CampaignRecord& reference, const Inventory& today,
                                 std::vector<FoundChange> changes) {
  ChangeProposal proposal;
  proposal.changes = std::move(changes);
  Proposer(reference, today, proposal).propose();
  return proposal;
}

}  // namespace shakedown
