// Nodes that are down: waited for, then excluded.
#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "orchestrator/campaign/execution.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {

void Execution::note_nodes(const std::vector<SchedulerNode>& now) {
  for (std::size_t place = 0; place < pool_.size(); ++place) {
    const SchedulerNode& node = now[place];
    const auto host = static_cast<int>(place);
    if (dispatcher_.is_excluded(host)) continue;
    const bool down = node.kind == SchedulerNode::Kind::out && node.down;
    if (down)
      down_since_s_.try_emplace(host, nodes_asked_s_);
    else
      down_since_s_.erase(host);
    // Looked at again as soon as its wait is over.
    if (down && wait_left_s(host) > 0)
      ask_nodes_at_s_ = std::min(ask_nodes_at_s_, down_since_s_.at(host) + node_wait_s_);
    const bool out = node.kind == SchedulerNode::Kind::out || (node.free_until_s && too_soon_taken(host));
    if (!out) told_out_.erase(host);
    if (!out || std::exchange(told_out_[host], node.reason) == node.reason) continue;
    Event event;
    event.kind = Event::Kind::node_unavailable;
    event.hosts = node.host;
    event.text = node.reason;
    if (down)
      event.text +=
          fmt::format("; excluded if still down in {} and a case needs it", duration_text(node_wait_s_));
    tell(event);
  }
}

double Execution::waited_s(int host) const {
  const auto since = down_since_s_.find(host);
  return since == down_since_s_.end() ? 0 : nodes_asked_s_ - since->second;
}

double Execution::wait_left_s(int host) const {
  return down_since_s_.contains(host) ? std::max(0.0, node_wait_s_ - waited_s(host)) : 0;
}

Execution::Shortage Execution::shortage(std::size_t work) const {
  const Work& each = dispatcher_.work(work);
  Shortage found;
  const auto count = [&](int host) {
    if (dispatcher_.is_excluded(host)) return;
    if (nodes_[static_cast<std::size_t>(host)].kind != SchedulerNode::Kind::out &&
        dispatcher_.fits(work, host)) {
      ++found.there;
      return;
    }
    found.out.push_back(host);
    if (down_since_s_.contains(host)) found.down.push_back(host);
  };
  if (nodes_.empty()) return found;
  for (const int host : each.hosts) count(host);
  for (std::size_t place = 0; each.hosts.empty() && place < nodes_.size(); ++place)
    if (!each.among || (*each.among)[place]) count(static_cast<int>(place));
  return found;
}

std::vector<int> Execution::nodes_in_use() const {
  std::set<int> used;
  std::set<const void*> known;  // most cases run on the same
  for (std::size_t work = 0; work < campaign_.cases.size(); ++work) {
    const Work& each = dispatcher_.work(work);
    used.insert(each.hosts.begin(), each.hosts.end());
    if (!each.hosts.empty() || !known.insert(each.among.get()).second) continue;
    for (std::size_t place = 0; place < pool_.size(); ++place)
      if (!each.among || (*each.among)[place]) used.insert(used.end(), static_cast<int>(place));
  }
  std::vector<int> left;
  std::ranges::copy_if(used, std::back_inserter(left),
                       [&](int host) { return !dispatcher_.is_excluded(host); });
  return left;
}

bool Execution::is_outage() const {
  const std::vector<int> used = nodes_in_use();
  const auto down = std::ranges::count_if(used, [&](int host) { return down_since_s_.contains(host); });
  return 2 * down > std::ssize(used);
}

std::set<std::size_t> Execution::not_begun() const {
  std::set<std::size_t> works;
  const auto add = [&](const std::vector<RunningLane>& lanes) {
    for (const RunningLane& lane : lanes)
      for (const RunningStep& step : lane.steps) works.insert(step.work);
  };
  for (const RunningJob& running : running_)
    if (running.pending && !running.began()) add(running.lanes);
  for (const ReadyJob& ready : ready_) add(ready.lanes);
  for (const ReadyJob& ready : put_off_) add(ready.lanes);
  for (std::size_t work = 0; work < campaign_.cases.size(); ++work)
    if (dispatcher_.is_waiting(work)) works.insert(work);
  return works;
}

Result<void> Execution::exclude_down() {
  const auto is_over = [&](int host) { return !dispatcher_.is_excluded(host) && wait_left_s(host) <= 0; };
  if (std::ranges::none_of(down_since_s_, [&](const auto& each) { return is_over(each.first); })) return {};
  const std::set<std::size_t> works = not_begun();
  const std::tuple judged(nodes_asked_s_, dispatcher_.stage(), works.size());
  if (std::exchange(down_judged_, judged) == judged || is_outage()) return {};
  std::set<int> lacking;
  for (const std::size_t work : works) {
    const Work& each = dispatcher_.work(work);
    if (each.stage != dispatcher_.stage()) continue;
    const Shortage found = shortage(work);
    if (found.there >= each.nodes) continue;
    std::ranges::copy_if(found.down, std::inserter(lacking, lacking.end()), is_over);
  }
  for (const int host : lacking) {
    const auto place = static_cast<std::size_t>(host);
    const std::string why =
        fmt::format("stayed down for {}: {}", duration_text(waited_s(host)), nodes_[place].reason);
    if (auto excluded = exclude(pool_[place], why); !excluded) return excluded;
    down_since_s_.erase(host);
  }
  return {};
}

std::string Execution::shortage_text(const std::vector<int>& out) const {
  std::vector<std::string> hosts;
  hosts.reserve(out.size());
  for (const int host : out) hosts.push_back(pool_[static_cast<std::size_t>(host)]);
  std::string text = fmt::format("{} get{} no jobs: {}", folded_hostlist(hosts), out.size() == 1 ? "s" : "",
                                 nodes_[static_cast<std::size_t>(out.back())].reason);
  double left_s = 0;
  for (const int host : out) left_s = std::max(left_s, wait_left_s(host));
  if (left_s > 0)
    text += fmt::format("; waiting up to {} for {}", duration_text(left_s), out.size() == 1 ? "it" : "them");
  return text;
}

std::vector<std::string> Execution::excluded_nodes(const RunningJob& running) const {
  std::vector<std::string> hosts;
  for (const RunningLane& lane : running.lanes)
    for (const int host : lane.pool)
      if (dispatcher_.is_excluded(host)) hosts.push_back(pool_[static_cast<std::size_t>(host)]);
  return hosts;
}

std::vector<std::string> Execution::nodes_in_outage(const RunningJob& running) const {
  std::vector<std::string> down;
  if (!is_outage()) return down;
  for (const RunningLane& lane : running.lanes)
    for (const int host : lane.pool)
      if (down_since_s_.contains(host) && wait_left_s(host) <= 0)
        down.push_back(pool_[static_cast<std::size_t>(host)]);
  if (running.lanes.size() > 1 && down.size() < running.job.hosts().size()) down.clear();
  return down;
}

void Execution::withdraw(RunningJob& running, std::string because) const {
  scheduler_->withdraw(running.job);
  running.withdrawn = true;
  running.withdrawn_s = steady_s();
  JobState withdrawn;
  withdrawn.reason = std::move(because);
  tell_waiting(running, withdrawn);
}

}  // namespace shakedown
