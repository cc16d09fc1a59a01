#include "orchestrator/campaign/node_watch.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr std::size_t jobs_until_excluded = 2;  // that failed on a node

}  // namespace

NodeWatch::NodeWatch(ExecutionContext& context, ProgressEvents& events)
    : context_(context),
      events_(events),
      node_wait_s_(context.options.pauses.down_s.value_or(context.campaign.site.node_wait_s)) {}

Result<void> NodeWatch::look() {
  if (steady_s() < ask_at_s_) return {};
  ask_at_s_ = steady_s() + context_.options.pauses.nodes_s;
  auto answer = context_.scheduler->nodes(context_.pool);
  if (!answer) {
    // Its last answer is valid until it answers again; the jobs in its queue need no newer one.
    if (nodes_.empty() && context_.dispatcher.waiting() > 0) return failure_of(answer);
    ask_at_s_ = steady_s() + std::min(context_.options.pauses.hold_s, context_.options.pauses.nodes_s);
    events_.report_silent(to_string(answer.error()));
    return {};
  }
  events_.note_answer();
  asked_s_ = steady_s();
  for (std::size_t place = 0; place < context_.pool.size(); ++place) {
    const SchedulerNode& now = (*answer)[place];
    const auto host = static_cast<int>(place);
    context_.dispatcher.set_available(host, now.kind != SchedulerNode::Kind::out && !settles(host, now.kind));
    context_.dispatcher.set_idle(host, now.kind == SchedulerNode::Kind::idle);
    context_.dispatcher.set_window(host,
                                   now.free_until_s ? *now.free_until_s - now_s() : Dispatcher::unlimited_s);
  }
  note_nodes(*answer);
  nodes_ = *std::move(answer);
  return {};
}

bool NodeWatch::settles(int host, SchedulerNode::Kind kind) {
  const auto ended = ended_s_.find(host);
  if (ended == ended_s_.end()) return false;
  const EnginePauses& pauses = context_.options.pauses;
  if (kind != SchedulerNode::Kind::busy || asked_s_ - ended->second >= pauses.given_back_s) {
    ended_s_.erase(ended);
    return false;
  }
  ask_at_s_ = std::min(ask_at_s_, asked_s_ + 0.1 * pauses.given_back_s);
  return true;
}

void NodeWatch::note_ended(const std::vector<int>& hosts) {
  for (const int host : hosts) ended_s_[host] = steady_s();
  ask_at_s_ = 0;
}

Result<void> NodeWatch::look_again() {
  ask_at_s_ = 0;
  return look();
}

void NodeWatch::look_soon() {
  ask_at_s_ = std::min(ask_at_s_, asked_s_ + context_.options.pauses.fresh_s);
}

bool NodeWatch::is_fresh() const {
  return steady_s() - asked_s_ <= context_.options.pauses.fresh_s;
}

bool NodeWatch::all_are(const std::vector<int>& hosts, SchedulerNode::Kind kind) const {
  return std::ranges::all_of(hosts, [&](int host) { return node(host).kind == kind; });
}

void NodeWatch::note_nodes(const std::vector<SchedulerNode>& now) {
  for (std::size_t place = 0; place < context_.pool.size(); ++place) {
    const SchedulerNode& node = now[place];
    const auto host = static_cast<int>(place);
    if (context_.dispatcher.is_excluded(host)) continue;
    const bool down = node.kind == SchedulerNode::Kind::out && node.down;
    if (down)
      down_since_s_.try_emplace(host, asked_s_);
    else
      down_since_s_.erase(host);
    // Looked at again as soon as its wait is over.
    if (down && wait_left_s(host) > 0) ask_at_s_ = std::min(ask_at_s_, down_since_s_.at(host) + node_wait_s_);
    const bool out = node.kind == SchedulerNode::Kind::out || (node.free_until_s && is_taken_too_soon(host));
    if (!out) reported_out_.erase(host);
    if (!out || std::exchange(reported_out_[host], node.reason) == node.reason) continue;
    Event event;
    event.kind = Event::Kind::node_unavailable;
    event.hosts = node.host;
    event.text = node.reason;
    if (down)
      event.text +=
          fmt::format("; excluded if still down in {} and a case needs it", duration_text(node_wait_s_));
    events_.report(event);
  }
}

bool NodeWatch::is_taken_too_soon(int host) const {
  for (std::size_t work = 0; work < context_.campaign.cases.size(); ++work) {
    const Work& each = context_.dispatcher.work(work);
    const bool may_run_there = each.hosts.empty()
                                   ? !each.among || (*each.among)[static_cast<std::size_t>(host)]
                                   : std::ranges::find(each.hosts, host) != each.hosts.end();
    if (context_.dispatcher.is_waiting(work) && may_run_there && !context_.dispatcher.fits(work, host))
      return true;
  }
  return false;
}

Result<void> NodeWatch::suspect(const std::string& node, const std::string& job, const std::string& because) {
  std::set<std::string>& jobs = suspicions_[node];
  jobs.insert(job);
  if (!context_.outlives_us() || jobs.size() < jobs_until_excluded) return {};
  return exclude(node, because);
}

Result<void> NodeWatch::exclude(const std::string& node, const std::string& because) {
  if (std::ranges::find(context_.journal.excluded(), node, &Exclusion::node) !=
      context_.journal.excluded().end())
    return {};
  if (auto noted = context_.journal.exclude(node, because); !noted) return noted;
  for (const int host : context_.pool_places({node})) context_.dispatcher.exclude(host);
  Event event;
  event.kind = Event::Kind::node_excluded;
  event.hosts = node;
  event.text = because;
  events_.report(event);
  return context_.database.record_exclusions(context_.campaign.id, context_.journal.excluded());
}

Result<void> NodeWatch::exclude_earlier() {
  for (const Exclusion& exclusion : context_.journal.excluded())
    for (const int host : context_.pool_places({exclusion.node})) context_.dispatcher.exclude(host);
  return context_.database.record_exclusions(context_.campaign.id, context_.journal.excluded());
}

bool NodeWatch::is_overdue(int host) const {
  return !context_.dispatcher.is_excluded(host) && wait_left_s(host) <= 0;
}

bool NodeWatch::any_overdue() const {
  return std::ranges::any_of(down_since_s_, [&](const auto& each) { return is_overdue(each.first); });
}

Result<void> NodeWatch::exclude_down(const std::set<std::size_t>& not_begun) {
  if (!any_overdue()) return {};
  const std::tuple judged(asked_s_, context_.dispatcher.stage(), not_begun.size());
  if (std::exchange(down_judged_, judged) == judged || is_outage()) return {};
  std::set<int> lacking;
  for (const std::size_t work : not_begun) {
    const Work& each = context_.dispatcher.work(work);
    if (each.stage != context_.dispatcher.stage()) continue;
    const NodeShortage found = shortage(work);
    if (found.there >= each.nodes) continue;
    std::ranges::copy_if(found.down, std::inserter(lacking, lacking.end()),
                         [&](int host) { return is_overdue(host); });
  }
  for (const int host : lacking) {
    const auto place = static_cast<std::size_t>(host);
    const std::string why =
        fmt::format("was still down after {}: {}", duration_text(waited_s(host)), nodes_[place].reason);
    if (auto excluded = exclude(context_.pool[place], why); !excluded) return excluded;
    down_since_s_.erase(host);
  }
  return {};
}

bool NodeWatch::is_outage() const {
  const std::vector<int> used = nodes_in_use();
  const auto down = std::ranges::count_if(used, [&](int host) { return down_since_s_.contains(host); });
  return 2 * down > std::ssize(used);
}

std::vector<int> NodeWatch::nodes_in_use() const {
  std::set<int> used;
  std::set<const void*> known;  // most cases run on the same
  for (std::size_t work = 0; work < context_.campaign.cases.size(); ++work) {
    const Work& each = context_.dispatcher.work(work);
    used.insert(each.hosts.begin(), each.hosts.end());
    if (!each.hosts.empty() || !known.insert(each.among.get()).second) continue;
    for (std::size_t place = 0; place < context_.pool.size(); ++place)
      if (!each.among || (*each.among)[place]) used.insert(used.end(), static_cast<int>(place));
  }
  std::vector<int> left;
  std::ranges::copy_if(used, std::back_inserter(left),
                       [&](int host) { return !context_.dispatcher.is_excluded(host); });
  return left;
}

double NodeWatch::waited_s(int host) const {
  const auto since = down_since_s_.find(host);
  return since == down_since_s_.end() ? 0 : asked_s_ - since->second;
}

double NodeWatch::wait_left_s(int host) const {
  return down_since_s_.contains(host) ? std::max(0.0, node_wait_s_ - waited_s(host)) : 0;
}

NodeShortage NodeWatch::shortage(std::size_t work) const {
  const Work& each = context_.dispatcher.work(work);
  NodeShortage found;
  const auto count = [&](int host) {
    if (context_.dispatcher.is_excluded(host)) return;
    if (nodes_[static_cast<std::size_t>(host)].kind != SchedulerNode::Kind::out &&
        context_.dispatcher.fits(work, host)) {
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

std::string NodeWatch::shortage_text(const std::vector<int>& out) const {
  std::vector<std::string> hosts;
  hosts.reserve(out.size());
  for (const int host : out) hosts.push_back(context_.host(host));
  std::string text = fmt::format("{} get{} no jobs: {}", folded_hostlist(hosts), out.size() == 1 ? "s" : "",
                                 nodes_[static_cast<std::size_t>(out.back())].reason);
  double left_s = 0;
  for (const int host : out) left_s = std::max(left_s, wait_left_s(host));
  if (left_s > 0)
    text += fmt::format("; waiting up to {} for {}", duration_text(left_s), out.size() == 1 ? "it" : "them");
  return text;
}

std::string NodeWatch::why_blocked(std::size_t work) const {
  const Work& each = context_.dispatcher.work(work);
  if (each.stage != context_.dispatcher.stage() || nodes_.empty()) return "";
  const NodeShortage found = shortage(work);
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

std::vector<std::string> NodeWatch::excluded_nodes(const RunningJob& running) const {
  std::vector<std::string> hosts;
  for (const RunningLane& lane : running.lanes)
    for (const int host : lane.pool)
      if (context_.dispatcher.is_excluded(host)) hosts.push_back(context_.host(host));
  return hosts;
}

std::vector<std::string> NodeWatch::nodes_in_outage(const RunningJob& running) const {
  std::vector<std::string> down;
  if (!is_outage()) return down;
  for (const RunningLane& lane : running.lanes)
    for (const int host : lane.pool)
      if (down_since_s_.contains(host) && wait_left_s(host) <= 0) down.push_back(context_.host(host));
  if (running.lanes.size() > 1 && down.size() < running.job.hosts().size()) down.clear();
  return down;
}

}  // namespace shakedown
