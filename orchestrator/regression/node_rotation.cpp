#include "orchestrator/regression/node_rotation.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/watch_among.hpp"

namespace shakedown {
namespace {

constexpr double week_days = 7;

/// When a node was seen last, or the system's first check where it never was; now where there was none.
double seen_s(const std::map<std::string, double>& seen, const std::string& host, const CheckHistory& history,
              double now_s) {
  if (const auto at = seen.find(host); at != seen.end()) return at->second;
  return history.checks.empty() ? now_s : std::min(now_s, history.checks.front().created_s);
}

/// How many nodes the runs use at most: others would be chosen in vain.
std::size_t nodes_used(const Regression& regression) {
  int most = 0;
  for (const AcceptanceRun& run : regression.facts.runs)
    most = std::max(most, run.nodes.empty() ? regression.nodes : run.nodes.front());
  return static_cast<std::size_t>(most);
}

bool is_free(const SchedulerNode& node, double until_s) {
  return node.kind == SchedulerNode::Kind::idle && node.free_until_s.value_or(until_s) >= until_s;
}

bool is_share(double value) {
  return value >= 0 && value < 1;
}

/// The share of checks that find as many idle nodes, were nodes held independently: normal approximation.
double share_of_full_checks(const RotationTerms& terms) {
  const double nodes = static_cast<double>(terms.nodes);
  const double idle = nodes * (1 - terms.busy);
  const double deviation = std::sqrt(idle * terms.busy);
  const double off = static_cast<double>(terms.per_check) - 0.5 - idle;
  if (!(deviation > 0)) return 1;
  return 0.5 * std::erfc(off / deviation / std::sqrt(2.0));
}

}  // namespace

std::string Coverage::text() const {
  constexpr std::size_t most = 5;
  const std::string within = days == 0 ? "" : fmt::format(" within {} days", days);
  std::string text = fmt::format("coverage: {} of {} nodes seen{}; longest not seen: {}, for {:.1f} days",
                                 seen, nodes, within, oldest, oldest_days);
  if (late.empty()) return text;
  const auto first = std::span(late).first(std::min(most, late.size()));
  text += "; later than promised: " + joined(std::vector<std::string>(first.begin(), first.end()), ", ");
  return late.size() > most ? fmt::format("{} and {} more", text, late.size() - most) : text;
}

Coverage coverage_of(const Regression& regression, std::span<const std::string> hosts,
                     const CheckHistory& history, double now) {
  const auto seen = coverage(history);
  Coverage counted;
  counted.nodes = static_cast<int>(hosts.size());
  counted.days = regression.days;
  for (const std::string& host : hosts) {
    const double days = (now - seen_s(seen, host, history, now)) / day_s;
    const bool in_time = regression.days == 0 || days <= regression.days;
    if (seen.contains(host) && in_time) ++counted.seen;
    if (!in_time) counted.late.push_back(host);
    if (counted.oldest.empty() || days > counted.oldest_days) {
      counted.oldest = host;
      counted.oldest_days = days;
    }
  }
  return counted;
}

std::vector<std::string> reachable_hosts(const Scheduler& scheduler, std::span<const std::string> hosts) {
  std::vector<std::string> found(hosts.begin(), hosts.end());
  if (!scheduler.objection({}).empty()) return found;  // to a job of any node: not for where it is
  std::erase_if(found, [&](const std::string& host) { return !scheduler.objection({1, 0, {host}}).empty(); });
  return found;
}

std::vector<std::string> next_in_rotation(const Regression& regression,
                                          std::span<const SchedulerNode> known_nodes,
                                          const CheckHistory& history, double now) {
  auto turns = coverage(history);
  for (const LoggedCheck& each : history.log.checks)
    if (each.system == history.system)
      for (const std::string& node : each.nodes) turns[node] = std::max(turns[node], each.at_s);
  const double until_s = now + regression.minutes * 60;
  std::vector<RotationNode> nodes;
  nodes.reserve(known_nodes.size());
  for (const SchedulerNode& node : known_nodes) {
    const double at = seen_s(turns, node.host, history, now);
    // One that never had a turn comes before those of the very first check, as old as it is itself.
    nodes.push_back({node.host, static_cast<long>(std::floor(at / day_s)), is_free(node, until_s),
                     turns.contains(node.host) ? at : 0});
  }
  std::vector<std::string> chosen;
  for (const std::size_t i : rotation(nodes, nodes_used(regression))) chosen.push_back(nodes[i].name);
  return chosen;
}

std::string learning_remark(const Regression& regression, std::size_t nodes) {
  const std::size_t per_check = nodes_used(regression);
  if (per_check == 0 || per_check >= nodes) return "";
  const double round_days = std::ceil(static_cast<double>(nodes) / static_cast<double>(per_check)) *
                            week_days / regression.checks_per_week;
  const bool pooled = nodes > like_nodes_least && regression.alarm.repeats > 0;
  return fmt::format(
      "rotation: each of {} nodes is measured every {:.4g} days, so that a node's own series can alarm after "
      "{:.4g} days "
      "({} checks){}",
      nodes, round_days, round_days * static_cast<double>(control_least), control_least,
      pooled ? "; until then it is judged beside the nodes like it, from its first check on" : "");
}

std::string promise_remark(const Regression& regression, std::size_t nodes) {
  if (regression.days == 0) return "";
  const std::size_t per_check = nodes_used(regression);
  const auto checks = promised_days({.nodes = nodes, .per_check = per_check});  // a check a day, all idle
  if (!checks) return "";
  const double days = static_cast<double>(*checks) * week_days / regression.checks_per_week;
  if (days <= regression.days) return "";
  return fmt::format(
      "[coverage] promises each node within {} days, and a round of {} nodes, {} a check and {} checks a "
      "week, "
      "takes {:.0f}: more nodes a check ([budget] nodes), or more checks",
      regression.days, nodes, per_check, regression.checks_per_week, std::ceil(days));
}

Result<std::size_t> promised_days(const RotationTerms& terms) {
  if (terms.nodes == 0 || terms.per_check == 0)
    return fail("", fmt::format("{} of {} nodes a check cover none", terms.per_check, terms.nodes),
                "measure at least one node per check");
  if (!is_share(terms.busy) || !is_share(terms.still_busy) || !(terms.risk > 0) || !(terms.risk < 1) ||
      !(terms.checks >= 1))
    return fail("",
                fmt::format("no promise with {} of the nodes held, {} of them the next day too", terms.busy,
                            terms.still_busy),
                "shares below 1, a risk above 0: a node that is always held is never measured");
  const double still = terms.still_busy > 0 ? terms.still_busy : terms.busy;
  const double per_check = static_cast<double>(std::min(terms.per_check, terms.nodes));
  const double full = share_of_full_checks(terms);
  if (!(full > 0.5))
    return fail("",
                fmt::format("fewer than {} of {} nodes are idle on most days with {} of them held",
                            terms.per_check, terms.nodes, terms.busy),
                "measure fewer nodes per check, or reserve some");
  const double round = std::ceil(static_cast<double>(terms.nodes) / (per_check * full));
  const double held =
      still > 0 ? std::ceil(std::log(terms.risk / (per_check * terms.checks)) / std::log(still)) : 0;
  return static_cast<std::size_t>(round + (still > 0 ? 1 : 0) + held);
}

std::vector<std::size_t> rotation(std::span<const RotationNode> nodes, std::size_t count) {
  std::vector<std::size_t> order(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) order[i] = i;
  std::erase_if(order, [&](std::size_t i) { return !nodes[i].idle; });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (nodes[a].covered_day != nodes[b].covered_day) return nodes[a].covered_day < nodes[b].covered_day;
    if (nodes[a].covered_s != nodes[b].covered_s) return nodes[a].covered_s < nodes[b].covered_s;
    return nodes[a].name < nodes[b].name;
  });
  order.resize(std::min(count, order.size()));
  return order;
}

}  // namespace shakedown
