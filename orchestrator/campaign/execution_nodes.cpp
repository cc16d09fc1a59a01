// Nodes that get no more work, and the cases that they are missing to.
#include "orchestrator/campaign/execution.hpp"
#include "orchestrator/campaign/replanning.hpp"

#include <algorithm>

#include "orchestrator/campaign/counterpart.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr std::size_t max_blames = 2;  // of a node: then it is out

}  // namespace

Result<void> Execution::blame(const std::string& node, const std::string& job, const std::string& because) {
  std::set<std::string>& jobs = blames_[node];
  jobs.insert(job);
  if (!leaves() || jobs.size() < max_blames) return {};
  return exclude(node, because);
}

Result<void> Execution::exclude(const std::string& node, const std::string& because) {
  if (std::ranges::find(journal_.excluded(), node, &Exclusion::node) != journal_.excluded().end()) return {};
  if (auto noted = journal_.exclude(node, because); !noted) return noted;
  leave_out(node);
  Event event;
  event.kind = Event::Kind::node_excluded;
  event.hosts = node;
  event.text = because;
  tell(event);
  return database_.put_exclusions(campaign_.id, journal_.excluded());
}

void Execution::withdraw_late(const std::string& job_id) const {
  Job late;
  late.id = job_id;
  late.campaign = campaign_.id;
  late.folder = folder_ / "jobs" / job_id;
  if (const auto known_as = scheduler_->found(late); known_as && !known_as->empty())
    scheduler_->withdraw(late);
}

void Execution::leave_out(const std::string& node) {
  const auto it = std::ranges::find(pool_, node);
  if (it == pool_.end()) return;
  const auto host = static_cast<int>(it - pool_.begin());
  dispatcher_.exclude(host);
  // What was to begin there waits for another node.
  for_each_ready([&](ReadyJob& ready) {
    const auto taken = std::erase_if(ready.lanes, [&](const RunningLane& lane) {
      if (std::ranges::find(lane.pool, host) == lane.pool.end()) return false;
      for (const RunningStep& step : lane.steps) {
        --attempts_[step.work];
        dispatcher_.again(step.work);
      }
      dispatcher_.release(lane.pool);
      return true;
    });
    if (taken > 0 && !ready.job_id.empty()) {
      withdraw_late(ready.job_id);
      ready.job_id.clear();  // it is another job now
    }
  });
  for (auto* jobs : {&ready_, &put_off_})
    std::erase_if(*jobs, [](const ReadyJob& ready) { return ready.lanes.empty(); });
}

Result<void> Execution::plan_again() {
  std::vector<std::size_t> wide;
  for (const std::size_t work : dispatcher_.impossible())
    if (!planned(work).bound && dispatcher_.work(work).stage == dispatcher_.stage()) wide.push_back(work);
  if (wide.empty()) return {};
  std::vector<std::string> out;
  std::string because;
  for (const Exclusion& exclusion : journal_.excluded()) {
    out.push_back(exclusion.node);
    because +=
        fmt::format("{}{} is excluded ({})", because.empty() ? "" : "; ", exclusion.node, exclusion.because);
  }
  const Result<std::vector<Case>> fresh =
      options_.replan ? options_.replan(campaign_, out) : planned_again(campaign_, out, options_.layout);
  for (const std::size_t work : wide) {
    const Case old = planned(work);
    std::string why = fresh ? "no such case is planned without them" : fresh.error().what;
    const Case* found = fresh ? counterpart(campaign_.cases, work, *fresh) : nullptr;
    if (found != nullptr && found->nodes < old.nodes) {
      if (auto added = stand_in(*found, old, because); !added) return added;
      why = planned_again_as(campaign_.cases.back().planned);
    }
    if (auto given = give_up(work, fmt::format("needs {} nodes, and {}: {}", old.nodes, because, why));
        !given)
      return given;
  }
  return {};
}

Result<void> Execution::stand_in(Case fresh, const Case& old, const std::string& because) {
  fresh.stands_for = old.id;
  fresh.why.insert(fresh.why.begin(),
                   {"nodes", std::int64_t{fresh.nodes},
                    fmt::format("planned for {}, and {}", old.nodes, because), "the nodes that are left"});
  const std::string name = fresh.id;
  for (int k = 2; work_of(fresh.id) < campaign_.cases.size(); ++k) fresh.id = fmt::format("{}-{}", name, k);
  if (auto noted = journal_.add(fresh); !noted) return noted;
  if (auto put = database_.add_case(campaign_.id, {fresh}); !put) return put;
  campaign_.cases.push_back({std::move(fresh)});
  for (RunningJob& running : running_)
    for (RunningLane& lane : running.lanes) point_anew(lane);
  for_each_ready([&](ReadyJob& ready) {
    for (RunningLane& lane : ready.lanes) point_anew(lane);
  });
  if (unsure_)
    for (RunningLane& lane : unsure_->lanes) point_anew(lane);
  dispatcher_.add(works_of(campaign_, pool_, traits_).back());
  lost_.emplace_back();
  ends_.push_back(CaseState::waiting);
  spent_s_.push_back(0);
  Event event = event_of(Event::Kind::case_replanned, campaign_.cases.size() - 1, 0);
  event.text = fmt::format("in place of {}: {}", old.id, because);
  tell(event);
  return {};
}

void Execution::point_anew(RunningLane& lane) {
  for (RunningStep& step : lane.steps) step.place.planned = &planned(step.work);
}

std::string Execution::planned_again_as(const Case& fresh) {
  return fmt::format("{} on {} nodes took its place", fresh.id, fresh.nodes);
}

Result<bool> Execution::gave_up() {
  bool any = false;
  const int stage = dispatcher_.stage();
  for (const std::size_t work : dispatcher_.impossible()) {
    if (dispatcher_.work(work).stage != stage) continue;  // it is planned again when its stage begins
    const Case& each = planned(work);
    const std::vector<std::string> hosts = expanded_hostlist(each.hosts).value_or(std::vector<std::string>());
    const auto out = std::ranges::find_if(journal_.excluded(), [&](const Exclusion& exclusion) {
      return std::ranges::find(hosts, exclusion.node) != hosts.end();
    });
    const std::string why = each.bound && out != journal_.excluded().end()
                                ? fmt::format("{} is excluded: {}", out->node, out->because)
                                : fmt::format("needs {} nodes, and too few are left", each.nodes);
    if (auto given = give_up(work, why); !given) return failure_of(given);
    any = true;
  }
  if (any || !running_.empty() || !ready_.empty() || !put_off_.empty() || unsure_) return any;
  for (std::size_t work = 0; work < campaign_.cases.size(); ++work) {
    const std::string why = dispatcher_.is_waiting(work) ? blocked(work) : "";
    if (why.empty()) continue;
    if (auto given = give_up(work, why); !given) return failure_of(given);
    any = true;
  }
  return any;
}

std::string Execution::blocked(std::size_t work) const {
  const Work& each = dispatcher_.work(work);
  if (each.stage != dispatcher_.stage() || nodes_.empty()) return "";
  const Shortage found = shortage(work);
  if (found.there >= each.nodes || found.out.empty()) return "";
  std::string why = shortage_text(found.out);
  if (found.there + std::ssize(found.down) < each.nodes) return why;
  // Those that are down may come back, or are excluded when they were waited for.
  const bool waits = std::ranges::any_of(found.down, [&](int host) { return wait_left_s(host) > 0; });
  if (waits || !is_outage()) return "";
  return fmt::format(
      "{}; waited {}. More than half of the campaign's nodes are down, so none is excluded: resume when they "
      "are back, or exclude them by hand (resume --exclude)",
      why, duration_text(node_wait_s_));
}

Result<void> Execution::give_up(std::size_t work, std::string because, bool aloud) {
  if (work >= campaign_.cases.size()) return {};
  dispatcher_.end(work);
  ends_[work] = CaseState::not_run;
  CaseRecord& record = campaign_.cases[work];
  if (auto noted = journal_.give_up(record.planned.id, because); !noted) return noted;
  // A batch system's words may be no UTF-8, which the journal replaces: the store has what the journal has.
  if (const auto noted = journal_.content().not_run.find(record.planned.id);
      noted != journal_.content().not_run.end())
    because = noted->second;
  record.not_run = because;
  if (auto put = database_.put_not_run(campaign_.id, record.planned.id, because); !put) return put;
  if (!aloud) return {};
  Event event = event_of(Event::Kind::case_given_up, work, attempts_[work]);
  event.text = std::move(because);
  tell(event);
  return {};
}

}  // namespace shakedown
