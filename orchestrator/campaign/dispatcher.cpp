#include "orchestrator/campaign/dispatcher.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shakedown {

Dispatcher::Dispatcher(std::vector<Work> works, int nodes)
    : works_(std::move(works)),
      states_(works_.size(), State::waiting),
      out_(static_cast<std::size_t>(nodes), false),
      available_(static_cast<std::size_t>(nodes), true),
      held_(static_cast<std::size_t>(nodes), false),
      busy_(static_cast<std::size_t>(nodes), false),
      window_s_(static_cast<std::size_t>(nodes), unlimited_s) {
  for (int host = 0; host < nodes; ++host) free_.insert(free_.end(), host);
  open_stage();
}

/// Retries first, while other nodes remain to choose from; then earlier repetitions, longer works, and the
/// order they were given in.
Dispatcher::Turn Dispatcher::turn(std::size_t work) const {
  const Work& each = works_[work];
  return {!is_retry(work), each.repetition, -each.time_s, work};
}

void Dispatcher::avoid(std::size_t work, int host) {
  const bool queued = is_queued(work);
  if (queued) dequeue(work);  // its turn changes
  avoided_[work].insert(host);
  if (queued) enqueue(work);
}

void Dispatcher::suspect(std::size_t work, const std::vector<int>& hosts) {
  const bool queued = is_queued(work);
  if (queued) dequeue(work);  // its turn changes
  for (const int host : hosts) ++suspected_[work][host];
  if (queued) enqueue(work);
}

/// Whether the hosts that a work is bound to are free, and long enough.
bool Dispatcher::all_free(const Work& work) const {
  return std::ranges::all_of(work.hosts, [&](int host) { return free_.contains(host) && fits(work, host); });
}

double Dispatcher::longest_limit_on(const std::vector<int>& hosts) const {
  double longest_s = longest_limit_s_;
  for (const int host : hosts) longest_s = std::min(longest_s, window_s_[static_cast<std::size_t>(host)]);
  return longest_s;
}

void Dispatcher::enqueue(std::size_t work) {
  const Work& each = works_[work];
  if (each.alone)
    lonely_.insert(turn(work));
  else if (each.hosts.empty())
    any_[each.nodes].insert(turn(work));
  else if (each.hosts.size() == 1)
    bound_[each.hosts.front()].insert(turn(work));
  else
    bound_together_.insert(turn(work));
}

void Dispatcher::dequeue(std::size_t work) {
  const Work& each = works_[work];
  if (each.alone)
    lonely_.erase(turn(work));
  else if (each.hosts.empty())
    any_[each.nodes].erase(turn(work));
  else if (each.hosts.size() == 1)
    bound_[each.hosts.front()].erase(turn(work));
  else
    bound_together_.erase(turn(work));
}

/// Goes to the lowest stage that has works to do.
void Dispatcher::open_stage() {
  if (left_in_stage_ > 0) return;
  bool found = false;
  for (std::size_t i = 0; i < works_.size(); ++i)
    if (states_[i] != State::ended && (!found || works_[i].stage < stage_)) {
      stage_ = works_[i].stage;
      found = true;
    }
  if (!found) return;
  for (std::size_t i = 0; i < works_.size(); ++i)
    if (states_[i] != State::ended && works_[i].stage == stage_) {
      ++left_in_stage_;
      if (states_[i] == State::waiting) enqueue(i);  // what was adopted runs already
    }
}

void Dispatcher::begin(std::size_t work) {
  states_[work] = State::begun;
  ++running_;
  alone_ = works_[work].alone;
}

void Dispatcher::take(const std::vector<int>& hosts) {
  for (const int host : hosts) {
    free_.erase(host);
    held_[static_cast<std::size_t>(host)] = true;
  }
}

bool Dispatcher::may_run(std::size_t work, int host) const {
  const auto& among = works_[work].among;
  return (!among || (*among)[static_cast<std::size_t>(host)]) && fits(works_[work], host);
}

/// Whether a work waits for other nodes than those where it failed: as long as there are enough of them.
bool Dispatcher::avoids_failed_nodes(std::size_t work) const {
  if (!avoided_.contains(work)) return false;
  int others = 0;
  for (int host = 0; host < static_cast<int>(out_.size()); ++host) {
    const auto place = static_cast<std::size_t>(host);
    if (!out_[place] && available_[place] && may_run(work, host) && !avoids(work, host)) ++others;
  }
  return others >= works_[work].nodes;
}

int Dispatcher::failures_on(std::size_t work, int host) const {
  const auto of = suspected_.find(work);
  if (of == suspected_.end()) return avoids(work, host) ? 1 : 0;
  const auto on = of->second.find(host);
  return (on == of->second.end() ? 0 : on->second) + (avoids(work, host) ? 1 : 0);
}

/// The free nodes that a work gets: as many as it needs, or none. Of a retry those where it failed least
/// often come first, then idle ones, then the order of the pool.
std::vector<int> Dispatcher::free_for(std::size_t work) const {
  const auto wanted = static_cast<std::size_t>(works_[work].nodes);
  const bool avoiding = avoids_failed_nodes(work);
  const bool retry = is_retry(work);
  std::vector<int> found;
  for (const bool busy : {false, true})
    for (auto it = free_.begin(); it != free_.end() && (retry || found.size() < wanted); ++it)
      if (busy_[static_cast<std::size_t>(*it)] == busy && may_run(work, *it) &&
          !(avoiding && avoids(work, *it)))
        found.push_back(*it);
  if (found.size() < wanted) return {};
  if (retry) std::ranges::stable_sort(found, {}, [&](int host) { return failures_on(work, host); });
  found.resize(wanted);
  std::ranges::sort(found);
  return found;
}

bool Dispatcher::has_idle_nodes(std::size_t work, const std::vector<int>& held) const {
  const bool avoiding = avoids_failed_nodes(work);
  const auto is_idle = [&](int host) {
    return !busy_[static_cast<std::size_t>(host)] && may_run(work, host) && !(avoiding && avoids(work, host));
  };
  return std::ranges::count_if(free_, is_idle) + std::ranges::count_if(held, is_idle) >= works_[work].nodes;
}

/// Puts a work of the queue on the lane, and those behind it as long as they end in time. Returns the next.
Dispatcher::Queue::iterator Dispatcher::chain(DispatchedLane& lane, Queue& queue, Queue::iterator at,
                                              double longest_s) {
  double time_s = 0;
  double limit_s = 0;
  const double most_s = longest_limit_on(lane.hosts);
  while (at != queue.end()) {
    const std::size_t next = std::get<std::size_t>(*at);
    const double more_s = works_[next].time_s;
    const double more_limit_s = works_[next].limit_s > 0 ? works_[next].limit_s : unlimited_s;
    if (!lane.works.empty() && works_[next].among != works_[lane.works.front()].among) break;
    const bool failed_there = std::ranges::any_of(lane.hosts, [&](int host) { return avoids(next, host); });
    if (!lane.works.empty() && failed_there) break;
    constexpr double rounding = 1e-9;
    if (!lane.works.empty() && (more_s <= 0 || time_s + more_s > longest_s * (1 + rounding))) break;
    if (!lane.works.empty() && limit_s + more_limit_s > most_s) break;
    at = queue.erase(at);
    begin(next);
    lane.works.push_back(next);
    time_s += more_s;
    limit_s += more_limit_s;
    if (more_s <= 0 || failed_there) break;  // what may fail again takes no others with it
  }
  return at;
}

void Dispatcher::dispatch_bound(double longest_s, std::vector<DispatchedLane>& lanes) {
  for (auto it = bound_.begin(); it != bound_.end();) {
    auto& [host, queue] = *it;
    const auto first = std::ranges::find_if(
        queue, [&, at = host](const Turn& each) { return fits(works_[std::get<std::size_t>(each)], at); });
    if (first != queue.end() && free_.contains(host)) {
      DispatchedLane lane{{host}, {}};
      chain(lane, queue, first, longest_s);
      take(lane.hosts);
      lanes.push_back(std::move(lane));
    }
    it = queue.empty() ? bound_.erase(it) : std::next(it);
  }
  for (auto it = bound_together_.begin(); it != bound_together_.end();) {
    const std::size_t next = std::get<std::size_t>(*it);
    if (!all_free(works_[next])) {
      ++it;
      continue;
    }
    it = bound_together_.erase(it);
    begin(next);
    take(works_[next].hosts);
    lanes.push_back({works_[next].hosts, {next}});
  }
}

void Dispatcher::dispatch_any(double longest_s, std::vector<DispatchedLane>& lanes) {
  for (auto it = any_.begin(); it != any_.end();) {
    auto& [width, queue] = *it;
    // Works of one node share the nodes evenly: else the first lanes would take all, and nodes stay idle.
    double even_s = 0;
    if (width == 1 && longest_s > 0 && !free_.empty()) {
      for (const Turn& each : queue) even_s += works_[std::get<std::size_t>(each)].time_s;
      even_s = std::min(longest_s, even_s / static_cast<double>(free_.size()));
    }
    for (auto at = queue.begin(); at != queue.end() && static_cast<int>(free_.size()) >= width;) {
      DispatchedLane lane{free_for(std::get<std::size_t>(*at)), {}};
      if (lane.hosts.empty()) {  // too few of its kind: another's may be there
        ++at;
        continue;
      }
      at = chain(lane, queue, at, even_s);
      take(lane.hosts);
      lanes.push_back(std::move(lane));
    }
    it = queue.empty() ? any_.erase(it) : std::next(it);
  }
}

void Dispatcher::dispatch_alone(std::vector<DispatchedLane>& lanes) {
  if (lonely_.empty() || running_ > 0 || !lanes.empty()) return;
  const std::size_t next = std::get<std::size_t>(*lonely_.begin());
  const Work& work = works_[next];
  std::vector<int> hosts = work.hosts;
  if (hosts.empty()) {
    hosts = free_for(next);
    if (hosts.empty()) return;
  } else if (!all_free(work)) {
    return;
  }
  lonely_.erase(lonely_.begin());
  begin(next);
  take(hosts);
  lanes.push_back({std::move(hosts), {next}});
}

std::vector<DispatchedLane> Dispatcher::next(double longest_s, double longest_limit_s) {
  std::vector<DispatchedLane> lanes;
  longest_limit_s_ = longest_limit_s;
  if (alone_ && running_ > 0) return lanes;
  dispatch_bound(longest_s, lanes);
  dispatch_any(longest_s, lanes);
  dispatch_alone(lanes);
  return lanes;
}

void Dispatcher::adopt(const DispatchedLane& lane) {
  for (const std::size_t work : lane.works) {
    if (states_[work] != State::waiting) continue;
    if (works_[work].stage == stage_) dequeue(work);
    begin(work);
  }
  take(lane.hosts);
}

std::size_t Dispatcher::add(Work work) {
  const std::size_t place = works_.size();
  nodes_changed_ = true;
  // It goes into the stage that is open, or a later one: what lies below has ended.
  work.stage = left_in_stage_ > 0 ? std::max(work.stage, stage_) : work.stage;
  works_.push_back(std::move(work));
  states_.push_back(State::waiting);
  if (left_in_stage_ > 0 && works_[place].stage == stage_) {
    ++left_in_stage_;
    enqueue(place);
  } else {
    open_stage();
  }
  return place;
}

void Dispatcher::end(std::size_t work) {
  if (states_[work] == State::ended) return;
  if (states_[work] == State::begun)
    --running_;
  else if (works_[work].stage == stage_)
    dequeue(work);
  states_[work] = State::ended;
  if (works_[work].stage != stage_) return;
  --left_in_stage_;
  open_stage();
}

void Dispatcher::again(std::size_t work) {
  if (states_[work] != State::begun) return;
  --running_;
  states_[work] = State::waiting;
  if (left_in_stage_ > 0 && works_[work].stage == stage_) enqueue(work);  // else with its stage
}

void Dispatcher::restart(std::size_t work) {
  if (states_[work] != State::ended) return;
  for (std::size_t i = 0; i < works_.size(); ++i)
    if (is_queued(i)) dequeue(i);  // its stage may be a higher one
  states_[work] = State::waiting;
  left_in_stage_ = 0;
  nodes_changed_ = true;
  open_stage();
}

void Dispatcher::release(const std::vector<int>& hosts) {
  for (const int host : hosts) {
    const auto place = static_cast<std::size_t>(host);
    held_[place] = false;
    if (!out_[place] && available_[place]) free_.insert(host);
  }
}

void Dispatcher::exclude(int host) {
  nodes_changed_ = true;
  out_[static_cast<std::size_t>(host)] = true;
  free_.erase(host);
}

void Dispatcher::set_available(int host, bool available) {
  const auto place = static_cast<std::size_t>(host);
  available_[place] = available;
  if (!available)
    free_.erase(host);
  else if (!held_[place] && !out_[place])
    free_.insert(host);
}

std::vector<std::size_t> Dispatcher::impossible() {
  if (std::exchange(nodes_changed_, false)) {
    std::map<const void*, int> left;  // nodes, by the set of which they may be
    const auto left_for = [&](const Work& work) {
      const auto [it, fresh] = left.try_emplace(work.among.get(), 0);
      for (std::size_t host = 0; fresh && host < out_.size(); ++host)
        if (!out_[host] && (!work.among || (*work.among)[host])) ++it->second;
      return it->second;
    };
    without_nodes_.clear();
    for (std::size_t i = 0; i < works_.size(); ++i) {
      if (states_[i] == State::ended) continue;
      const Work& work = works_[i];
      const bool bound_to_none =
          std::ranges::any_of(work.hosts, [&](int host) { return out_[static_cast<std::size_t>(host)]; });
      if (bound_to_none || (work.hosts.empty() && work.nodes > left_for(work))) without_nodes_.push_back(i);
    }
  }
  std::vector<std::size_t> found;
  std::ranges::copy_if(without_nodes_, std::back_inserter(found),
                       [&](std::size_t work) { return states_[work] == State::waiting; });
  return found;
}

std::size_t Dispatcher::waiting() const {
  return static_cast<std::size_t>(std::ranges::count(states_, State::waiting));
}

}  // namespace shakedown
