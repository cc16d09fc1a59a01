// What the scheduler allows: cases that no job could run, and nodes that get none.
#include <algorithm>
#include <utility>

#include "orchestrator/campaign/execution.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {

Demand Execution::demand_of(std::size_t work) const {
  const Work& each = dispatcher_.work(work);
  Demand demand{each.nodes, limit_with_grace(planned(work)), {}};
  for (const int host : each.hosts) demand.hosts.push_back(pool_[static_cast<std::size_t>(host)]);
  if (each.hosts.empty() && each.among)
    for (std::size_t host = 0; host < pool_.size(); ++host)
      if ((*each.among)[host]) demand.hosts.push_back(pool_[host]);
  return demand;
}

Result<void> Execution::heed_limits() {
  if (dispatcher_.waiting() == 0) return {};
  if (auto learned = scheduler_->learn_limits(); !learned) return learned;
  traits_ = scheduler_->traits();
  for (std::size_t work = 0; work < campaign_.cases.size(); ++work) {
    const std::string why = dispatcher_.is_waiting(work) ? scheduler_->objection(demand_of(work)) : "";
    if (why.empty()) continue;
    if (auto given = give_up(work, why); !given) return given;
  }
  return {};
}

bool Execution::too_soon_taken(int host) const {
  for (std::size_t work = 0; work < campaign_.cases.size(); ++work) {
    const Work& each = dispatcher_.work(work);
    const bool may_run_there = each.hosts.empty()
                                   ? !each.among || (*each.among)[static_cast<std::size_t>(host)]
                                   : std::ranges::find(each.hosts, host) != each.hosts.end();
    if (dispatcher_.is_waiting(work) && may_run_there && !dispatcher_.fits(work, host)) return true;
  }
  return false;
}

Result<void> Execution::look_at_nodes() {
  if (steady_s() < ask_nodes_at_s_) return {};
  ask_nodes_at_s_ = steady_s() + options_.pauses.nodes_s;
  auto known_nodes = scheduler_->nodes(pool_);
  if (!known_nodes) {
    // What it last said stands: it comes back, and what is in its queue needs it least.
    if (nodes_.empty() && dispatcher_.waiting() > 0) return failure_of(known_nodes);
    ask_nodes_at_s_ = steady_s() + std::min(options_.pauses.hold_s, options_.pauses.nodes_s);
    tell_silent(to_string(known_nodes.error()));
    return {};
  }
  silent_ = false;
  nodes_asked_s_ = steady_s();
  for (std::size_t place = 0; place < pool_.size(); ++place) {
    const SchedulerNode& now = (*known_nodes)[place];
    const auto host = static_cast<int>(place);
    dispatcher_.set_available(host, now.kind != SchedulerNode::Kind::out);
    dispatcher_.set_idle(host, now.kind == SchedulerNode::Kind::idle);
    dispatcher_.set_window(host, now.free_until_s ? *now.free_until_s - now_s() : Dispatcher::unlimited_s);
  }
  note_nodes(*known_nodes);
  nodes_ = *std::move(known_nodes);
  return {};
}

}  // namespace shakedown
