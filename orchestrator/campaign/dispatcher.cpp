#include "orchestrator/campaign/dispatcher.hpp"

#include <algorithm>
#include <iterator>

namespace shakedown {

Dispatcher::Dispatcher(std::vector<Work> works, int nodes)
    : works_(std::move(works)),
      standing_(works_.size(), Standing::waiting),
      out_(static_cast<std::size_t>(nodes), false),
      available_(static_cast<std::size_t>(nodes), true),
      held_(static_cast<std::size_t>(nodes), false) {
  for (int host = 0; host < nodes; ++host) free_.insert(free_.end(), host);
  open_stage();
}

/// Earlier repetitions first, then longer works, then the order they were given in.
Dispatcher::Turn Dispatcher::turn(std::size_t work) const {
  const Work& each = works_[work];
  return {each.repetition, -each.time_s, work};
}

bool Dispatcher::all_free(const std::vector<int>& hosts) const {
  return std::ranges::all_of(hosts, [&](int host) { return free_.contains(host); });
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

/// Goes to the lowest stage that has works left.
void Dispatcher::open_stage() {
  if (left_in_stage_ > 0) return;
  bool found = false;
  for (std::size_t i = 0; i < works_.size(); ++i)
    if (standing_[i] != Standing::ended && (!found || works_[i].stage < stage_)) {
      stage_ = works_[i].stage;
      found = true;
    }
  if (!found) return;
  for (std::size_t i = 0; i < works_.size(); ++i)
    if (standing_[i] != Standing::ended && works_[i].stage == stage_) {
      ++left_in_stage_;
      enqueue(i);
    }
}

void Dispatcher::begin(std::size_t work) {
  standing_[work] = Standing::begun;
  ++running_;
  alone_ = works_[work].alone;
}

void Dispatcher::take(const std::vector<int>& hosts) {
  for (const int host : hosts) {
    free_.erase(host);
    held_[static_cast<std::size_t>(host)] = true;
  }
}

/// The first free nodes that will do for the work: as many as it needs, or none.
std::vector<int> Dispatcher::free_for(const Work& work) const {
  std::vector<int> found;
  const auto wanted = static_cast<std::size_t>(work.nodes);
  for (auto it = free_.begin(); it != free_.end() && found.size() < wanted; ++it)
    if (!work.among || (*work.among)[static_cast<std::size_t>(*it)]) found.push_back(*it);
  if (found.size() < wanted) found.clear();
  return found;
}

/// Puts a work of the queue on the lane, and those behind it as long as they end in time. Returns the next.
Dispatcher::Queue::iterator Dispatcher::chain(DispatchedLane& lane, Queue& queue, Queue::iterator at,
                                              double longest_s) {
  double time_s = 0;
  while (at != queue.end()) {
    const std::size_t next = std::get<std::size_t>(*at);
    const double more_s = works_[next].time_s;
    if (!lane.works.empty() && works_[next].among != works_[lane.works.front()].among) break;
    constexpr double rounding = 1e-9;
    if (!lane.works.empty() && (more_s <= 0 || time_s + more_s > longest_s * (1 + rounding))) break;
    at = queue.erase(at);
    begin(next);
    lane.works.push_back(next);
    time_s += more_s;
    if (more_s <= 0) break;
  }
  return at;
}

void Dispatcher::dispatch_bound(double longest_s, std::vector<DispatchedLane>& lanes) {
  for (auto it = bound_.begin(); it != bound_.end();) {
    auto& [host, queue] = *it;
    if (!queue.empty() && free_.contains(host)) {
      DispatchedLane lane{{host}, {}};
      chain(lane, queue, queue.begin(), longest_s);
      take(lane.hosts);
      lanes.push_back(std::move(lane));
    }
    it = queue.empty() ? bound_.erase(it) : std::next(it);
  }
  for (auto it = bound_together_.begin(); it != bound_together_.end();) {
    const std::size_t next = std::get<std::size_t>(*it);
    if (!all_free(works_[next].hosts)) {
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
    // Works of one node share them evenly: else the first lanes would take all, and nodes stay idle.
    double even_s = 0;
    if (width == 1 && longest_s > 0 && !free_.empty()) {
      for (const Turn& each : queue) even_s += works_[std::get<std::size_t>(each)].time_s;
      even_s = std::min(longest_s, even_s / static_cast<double>(free_.size()));
    }
    for (auto at = queue.begin(); at != queue.end() && static_cast<int>(free_.size()) >= width;) {
      DispatchedLane lane{free_for(works_[std::get<std::size_t>(*at)]), {}};
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
    hosts = free_for(work);
    if (hosts.empty()) return;
  } else if (!all_free(hosts)) {
    return;
  }
  lonely_.erase(lonely_.begin());
  begin(next);
  take(hosts);
  lanes.push_back({std::move(hosts), {next}});
}

std::vector<DispatchedLane> Dispatcher::next(double longest_s) {
  std::vector<DispatchedLane> lanes;
  if (alone_ && running_ > 0) return lanes;
  dispatch_bound(longest_s, lanes);
  dispatch_any(longest_s, lanes);
  dispatch_alone(lanes);
  return lanes;
}

void Dispatcher::adopt(const DispatchedLane& lane) {
  for (const std::size_t work : lane.works) {
    if (standing_[work] != Standing::waiting) continue;
    if (works_[work].stage == stage_) dequeue(work);
    begin(work);
  }
  take(lane.hosts);
}

std::size_t Dispatcher::add(Work work) {
  const std::size_t place = works_.size();
  // It goes into the stage that is open, or a later one: what lies below has ended.
  work.stage = left_in_stage_ > 0 ? std::max(work.stage, stage_) : work.stage;
  works_.push_back(std::move(work));
  standing_.push_back(Standing::waiting);
  if (left_in_stage_ > 0 && works_[place].stage == stage_) {
    ++left_in_stage_;
    enqueue(place);
  } else {
    open_stage();
  }
  return place;
}

void Dispatcher::end(std::size_t work) {
  if (standing_[work] == Standing::ended) return;
  if (standing_[work] == Standing::begun)
    --running_;
  else if (works_[work].stage == stage_)
    dequeue(work);
  standing_[work] = Standing::ended;
  if (works_[work].stage != stage_) return;
  --left_in_stage_;
  open_stage();
}

void Dispatcher::again(std::size_t work) {
  if (standing_[work] != Standing::begun) return;
  --running_;
  standing_[work] = Standing::waiting;
  enqueue(work);
}

void Dispatcher::release(const std::vector<int>& hosts) {
  for (const int host : hosts) {
    const auto place = static_cast<std::size_t>(host);
    held_[place] = false;
    if (!out_[place] && available_[place]) free_.insert(host);
  }
}

void Dispatcher::exclude(int host) {
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

std::vector<std::size_t> Dispatcher::impossible() const {
  const auto left = [&](const Work& work) {
    int count = 0;
    for (std::size_t host = 0; host < out_.size(); ++host)
      if (!out_[host] && (!work.among || (*work.among)[host])) ++count;
    return count;
  };
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < works_.size(); ++i) {
    if (standing_[i] != Standing::waiting) continue;
    const Work& work = works_[i];
    const bool bound_to_none =
        std::ranges::any_of(work.hosts, [&](int host) { return out_[static_cast<std::size_t>(host)]; });
    if (bound_to_none || (work.hosts.empty() && work.nodes > left(work))) found.push_back(i);
  }
  return found;
}

std::size_t Dispatcher::waiting() const {
  return static_cast<std::size_t>(std::ranges::count(standing_, Standing::waiting));
}

}  // namespace shakedown
