#include "orchestrator/regression/check_history.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

std::vector<std::string> hosts_of(const std::string& hostlist) {
  auto hosts = expanded_hostlist(hostlist);
  return hosts ? *std::move(hosts) : std::vector<std::string>{hostlist};
}

/// What a suite is watched by instead of its headlines, the first that its runs have.
std::span<const std::string_view> watched_rates(std::string_view suite) {
  const SuiteFacts* facts = suite_facts(suite);
  return facts == nullptr ? std::span<const std::string_view>() : facts->watched;
}

bool are_of_one_run(const MetricSeries& a, const MetricSeries& b) {
  return a.suite == b.suite && a.implementation == b.implementation && a.nodes == b.nodes &&
         a.node_kind == b.node_kind && a.parameters == b.parameters;
}

bool has_value_in(const SystemSeries& all, const MetricSeries& series, std::string_view campaign) {
  return std::ranges::any_of(
      series.points, [&](const SeriesPoint& point) { return all.runs[point.run].campaign == campaign; });
}

std::vector<std::string_view> watched_metrics(std::string_view suite) {
  auto metrics = counting_metrics(suite);
  const auto rates = watched_rates(suite);
  metrics.insert(metrics.end(), rates.begin(), rates.end());
  return metrics;
}

/// Of all suites.
WantedMetrics all_watched_metrics() {
  WantedMetrics all;
  for (const SuiteFacts* suite : suites_in_order())
    for (const std::string_view metric : watched_metrics(suite->id))
      all[std::string(suite->id)].emplace_back(metric);
  return all;
}

/// Whether a check is judged by that metric of its runs.
bool is_watched(const SystemSeries& all, const MetricSeries& series, std::string_view campaign,
                const RegressionFloor& floor) {
  if (std::ranges::any_of(floor.limits, [&](const FloorLimit& limit) {
        return limit.suite == series.suite && limit.metric == series.metric;
      }))
    return true;
  for (const std::string_view rate : watched_rates(series.suite))
    for (const MetricSeries& other : all.series)
      if (other.metric == rate && are_of_one_run(other, series) && has_value_in(all, other, campaign))
        return series.metric == rate;
  const auto metrics = counting_metrics(series.suite);
  return std::find(metrics.begin(), metrics.end(), series.metric) != metrics.end();
}

Better better_of(std::string_view metric) {
  return direction_of(metric).value_or(Better::higher);
}

std::string attempt_name(const SeriesRun& run) {
  return fmt::format("{}/attempt-{}", run.case_id, run.attempt);
}

/// Whether a run is a value: by its check's line of the log, `left_out`, or, if there is none, by its own
/// judgement.
bool is_value(const SeriesRun& run, const std::set<std::string_view>* left_out) {
  return left_out == nullptr ? run.complete && run.validity != Validity::invalid
                             : !left_out->contains(every_run) && !left_out->contains(attempt_name(run));
}

/// What of the runs are values of checks, asked once for each run: a long history has thousands of values
/// each.
class Selection {
 public:
  explicit Selection(const CheckHistory& history) : history_(history) {
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < history.checks.size(); ++i) places[history.checks[i].id] = i;
    std::map<std::string_view, std::set<std::string_view>> left_out;
    for (const LoggedCheck& each : history.log.checks)
      left_out[each.campaign] = {each.left_out.begin(), each.left_out.end()};
    place_.resize(history.series.runs.size());
    for (std::size_t i = 0; i < place_.size(); ++i) {
      const SeriesRun& run = history.series.runs[i];
      const auto each = places.find(run.campaign);
      if (each == places.end()) continue;
      const auto judged = left_out.find(run.campaign);
      if (is_value(run, judged == left_out.end() ? nullptr : &judged->second)) place_[i] = each->second;
    }
  }
  /// The place in time of the check that the run is a value of; nothing: it is none of a check.
  [[nodiscard]] std::optional<std::size_t> place(std::size_t run) const { return place_[run]; }
  [[nodiscard]] const std::vector<std::string>& hosts(std::size_t run) {
    const std::string& hostlist = history_.series.runs[run].hosts;
    const auto [at, fresh] = hosts_.try_emplace(hostlist);
    if (fresh) at->second = hosts_of(hostlist);
    return at->second;
  }

 private:
  const CheckHistory& history_;
  std::vector<std::optional<std::size_t>> place_;
  std::map<std::string_view, std::vector<std::string>> hosts_;
};

/// A series in the making: its checks by their place in time.
struct Growing {
  struct Values {
    std::vector<std::pair<double, double>> runs;  // when, value
    std::set<std::string> hosts;
  };
  std::map<std::size_t, Values> checks;
};

/// Something that happened to a node.
struct Happened {
  std::string node;
  double at_s = 0;
  std::string what;  ///< the same for nodes to which the same happened
  std::string text;
};

std::vector<Happened> happened(const CheckHistory& history) {
  std::vector<Happened> all;
  all.reserve(history.events.size() + history.log.changes.size());
  for (const NodeEvent& event : history.events)
    all.push_back({event.node, event.at_s,
                   fmt::format("{} {} {}", to_string(event.kind), utc_text(event.at_s), event.note),
                   fmt::format("{} declared '{}' by {} on {}{}", event.node, to_string(event.kind), event.by,
                               utc_text(event.at_s), event.note.empty() ? "" : " (" + event.note + ")")});
  for (const LoggedChange& change : history.log.changes) {
    if (change.system != history.system) continue;
    std::string what;
    for (const std::string& each : change.what) what += (what.empty() ? "" : "; ") + each;
    all.push_back({change.node, change.at_s, what,
                   fmt::format("found on {} on {}: {}", change.node, utc_text(change.at_s), what)});
  }
  std::ranges::stable_sort(all, {}, &Happened::at_s);
  return all;
}

/// In a series of several nodes, whose groups rotate, the same finding on one node after the other, or one
/// declaration for several at once, is one event: the baseline is reset with the first, not again with each
/// group that shows the same. If the same happens to a node twice, it is two.
void put_control_region(CheckSeries& series, const Growing& growing, const CheckHistory& history,
                        std::span<const Happened> all, bool of_groups) {
  std::map<std::string_view, std::set<std::string_view>> known;  // what: the nodes to which it happened
  for (const Happened& event : all) {
    std::size_t index = 0;
    for (const auto& [place, each] : growing.checks) {
      if (history.checks[place].created_s >= event.at_s && each.hosts.contains(event.node)) {
        std::set<std::string_view>& nodes = known[event.what];
        const bool again = nodes.contains(event.node);
        if (again) nodes.clear();
        const bool opens = !of_groups || nodes.empty();
        nodes.insert(event.node);
        if (opens && index > series.control_from) {
          series.control_from = index;
          series.reopened = event.text;
        }
        break;
      }
      ++index;
    }
  }
}

/// The first run of each other node's newest check; of a node whose series was reset, of checks since.
std::vector<double> like_values(const std::map<std::string, Growing>& by_nodes, const std::string& node,
                                const CheckSeries& series) {
  std::size_t from = 0;
  if (!series.reopened.empty()) {
    const auto& own = by_nodes.at(node).checks;
    from = std::next(own.begin(), static_cast<std::ptrdiff_t>(series.control_from))->first;
  }
  std::vector<double> values;
  for (const auto& [name, growing] : by_nodes) {
    const auto& [place, newest] = *growing.checks.rbegin();
    if (name != node && place >= from) values.push_back(std::ranges::min_element(newest.runs)->second);
  }
  return values;
}

/// The values of the series' shape in a campaign: of its node, where that was measured there; else of each
/// other its median, since slow ones are repeated.
std::vector<double> values_in(const CheckHistory& history, const MetricSeries& shape,
                              const std::string& campaign, const std::string& node, bool own_only) {
  std::vector<double> own;
  std::map<std::string_view, std::vector<double>> all;
  std::optional<std::set<std::string_view>> left_out;
  for (const LoggedCheck& each : history.log.checks)
    if (each.campaign == campaign) left_out.emplace(each.left_out.begin(), each.left_out.end());
  for (const SeriesPoint& point : shape.points) {
    const SeriesRun& run = history.series.runs[point.run];
    if (run.campaign != campaign || !is_value(run, left_out ? &*left_out : nullptr)) continue;
    all[run.hosts].push_back(point.value);
    if (run.hosts == node) own.push_back(point.value);
  }
  if (!own.empty() || (own_only && shape.nodes == 1)) return own;
  std::vector<double> medians;
  medians.reserve(all.size());
  for (const auto& [hosts, values] : all) medians.push_back(median(values));
  return medians;
}

void put_floor(CheckSeries& series, const MetricSeries& shape, const CheckHistory& history,
               const RegressionFloor& floor) {
  for (const FloorLimit& limit : floor.limits) {
    if (limit.suite != shape.suite || limit.metric != shape.metric) continue;
    series.floor = limit.limit;
    series.floor_source = "as the configuration states it";
    return;
  }
  if (floor.relative_to.empty()) return;
  const bool last = floor.relative_to == "accepted";
  if (last && history.accepted.empty()) {
    series.floor_source = "no campaign of this system is accepted yet";
    return;
  }
  std::string campaign = last ? history.accepted.front() : floor.relative_to;
  auto values = values_in(history, shape, campaign, series.name.nodes, /*own_only=*/false);
  // A part holds for the nodes that it measured again.
  for (std::size_t i = 1; last && i < history.accepted.size(); ++i)
    if (auto again = values_in(history, shape, history.accepted[i], series.name.nodes, /*own_only=*/true);
        !again.empty()) {
      values = std::move(again);
      campaign = history.accepted[i];
    }
  if (values.empty()) {
    series.floor_source = fmt::format("{} has no run of the same parameters on as many nodes", campaign);
    return;
  }
  const double middle = median(values);
  series.floor = series.better == Better::higher ? floor.factor * middle : middle / floor.factor;
  series.floor_source = fmt::format("{} of {}, the median of {}", percent_text(floor.factor, 0),
                                    metric_text(shape.metric, middle), campaign);
}

}  // namespace

Result<CheckHistory> check_history(const Workspace& workspace, const Database& database,
                                   std::string_view system, Metrics metrics) {
  CheckHistory history;
  history.system = system;
  auto campaigns = database.campaigns_of(system, regression_kind);
  if (!campaigns) return failure_of(campaigns);
  history.checks = *std::move(campaigns);
  auto series = database.series_of(system, metrics == Metrics::all ? WantedMetrics() : all_watched_metrics());
  if (!series) return failure_of(series);
  history.series = *std::move(series);
  auto log = read_check_log(workspace);
  if (!log) return failure_of(log);
  history.log = *std::move(log);
  auto events = database.node_events(system);
  if (!events) return failure_of(events);
  history.events = *std::move(events);
  const auto accepted = read_acceptances(workspace);
  if (!accepted) return failure_of(accepted);
  for (const AcceptedCampaign& each : holding(*accepted, system, std::numeric_limits<double>::infinity()))
    history.accepted.push_back(each.campaign);
  return history;
}

std::map<std::string, double> coverage(const CheckHistory& history) {
  Selection selection(history);
  std::map<std::string, double> last;
  for (std::size_t i = 0; i < history.series.runs.size(); ++i) {
    if (!selection.place(i)) continue;
    for (const std::string& host : selection.hosts(i))
      last[host] = std::max(last[host], history.series.runs[i].at_s);
  }
  return last;
}

std::set<std::string> nodes_of(const CheckHistory& history, std::string_view campaign) {
  std::set<std::string> nodes;
  for (const SeriesRun& run : history.series.runs)
    if (run.campaign == campaign)
      for (std::string& host : hosts_of(run.hosts)) nodes.insert(std::move(host));
  return nodes;
}

Result<void> watched_floors(const RegressionFloor& floor, const std::string& name) {
  for (const FloorLimit& limit : floor.limits) {
    const auto metrics = watched_metrics(limit.suite);
    if (std::ranges::find(metrics, limit.metric) != metrics.end()) continue;
    const std::vector<std::string> known(metrics.begin(), metrics.end());
    return fail(name,
                fmt::format("[[floor.limits]]: a check watches no '{}' of suite '{}', and such a floor would "
                            "never be judged",
                            limit.metric, limit.suite),
                known.empty() ? "leave it out: checks watch no metric of that suite"
                              : "it watches " + joined(known, ", "));
  }
  return {};
}

namespace {

/// What the series of a shape are made of.
struct SeriesSource {
  const CheckHistory& history;
  Selection& selection;
  std::span<const Happened> happened;
  const RegressionFloor& floor;
  std::size_t last = 0;    ///< place of the last check that counts
  bool last_only = false;  ///< only series that this one has a value of
};

void add_series(std::vector<CheckSeries>& found, const MetricSeries& shape, const SeriesSource& source) {
  const CheckHistory& history = source.history;
  std::map<std::string, Growing> by_nodes;
  for (const SeriesPoint& point : shape.points) {
    const SeriesRun& run = history.series.runs[point.run];
    const auto place = source.selection.place(point.run);
    if (!place || *place > source.last || !(point.value > 0)) continue;
    const std::string nodes = shape.nodes == 1 ? run.hosts : fmt::format("{} nodes", shape.nodes);
    Growing::Values& each = by_nodes[nodes].checks[*place];
    each.runs.emplace_back(run.at_s, point.value);
    const auto& hosts = source.selection.hosts(point.run);
    each.hosts.insert(hosts.begin(), hosts.end());
  }
  for (auto& [nodes, growing] : by_nodes) {
    if (source.last_only && !growing.checks.contains(source.last)) continue;
    CheckSeries series;
    series.name = {shape.suite, shape.implementation, shape.metric, nodes, shape.node_kind, shape.parameters};
    series.better = better_of(shape.metric);
    for (auto& [place, each] : growing.checks) {
      std::sort(each.runs.begin(), each.runs.end());
      SeriesCheck& one = series.checks.emplace_back(SeriesCheck{history.checks[place].id, {}});
      for (const auto& [at_s, value] : each.runs) one.runs.push_back(value);
    }
    put_control_region(series, growing, history, source.happened, shape.nodes != 1);
    if (source.last_only) {
      if (shape.nodes == 1) series.like = like_values(by_nodes, nodes, series);
      put_floor(series, shape, history, source.floor);
    }
    found.push_back(std::move(series));
  }
}

}  // namespace

std::vector<CheckSeries> series_of_check(const CheckHistory& history, std::string_view campaign,
                                         const RegressionFloor& floor) {
  const auto check_now = std::ranges::find(history.checks, campaign, &CampaignSummary::id);
  std::vector<CheckSeries> found;
  if (check_now == history.checks.end()) return found;
  Selection selection(history);
  const auto all = happened(history);
  const auto now = static_cast<std::size_t>(check_now - history.checks.begin());
  const SeriesSource source{history, selection, all, floor, now, /*last_only=*/true};
  for (const MetricSeries& shape : history.series.series)
    if (is_watched(history.series, shape, campaign, floor)) add_series(found, shape, source);
  return found;
}

std::vector<CheckSeries> series_of_all_checks(const CheckHistory& history) {
  std::vector<CheckSeries> found;
  if (history.checks.empty()) return found;
  Selection selection(history);
  const auto all = happened(history);
  const RegressionFloor no_floor;
  const SeriesSource source{history,
                            selection,
                            all,
                            no_floor,
                            history.checks.size() - 1,
                            /*last_only=*/false};
  for (const MetricSeries& shape : history.series.series)
    if (const auto metrics = watched_metrics(shape.suite);
        std::ranges::find(metrics, shape.metric) != metrics.end())
      add_series(found, shape, source);
  return found;
}

std::vector<bool> runs_that_count(const CheckHistory& history) {
  std::map<std::string_view, std::set<std::string_view>> left_out;
  for (const LoggedCheck& each : history.log.checks)
    left_out[each.campaign] = {each.left_out.begin(), each.left_out.end()};
  std::vector<bool> counts;
  counts.reserve(history.series.runs.size());
  for (const SeriesRun& run : history.series.runs) {
    const auto judged = left_out.find(run.campaign);
    counts.push_back(run.complete && run.validity != Validity::invalid &&
                     is_value(run, judged == left_out.end() ? nullptr : &judged->second));
  }
  return counts;
}

}  // namespace shakedown
