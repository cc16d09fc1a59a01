#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "reports/site/document_parts.hpp"
#include "reports/site/level.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// A value of one run, placed.
struct PlacedValue {
  std::uint32_t campaign = 0;
  std::uint32_t place = 0;  ///< of its node, or of its hostlist's text
  double value = 0;
  bool counts = true;
};

std::vector<PlacedValue> placed_values(const SiteSystem& system, const MetricSeries& series,
                                       SystemPlaces& places, TextTable& texts) {
  std::vector<PlacedValue> found;
  found.reserve(series.points.size());
  for (const SeriesPoint& point : series.points) {
    const SeriesRun& run = system.series.runs[point.run];
    const auto campaign = places.campaigns.find(run.campaign);
    if (campaign == places.campaigns.end()) continue;
    found.push_back({campaign->second,
                     series.nodes == 1 ? node_place(places, run.hosts) : texts.number(run.hosts), point.value,
                     system.counts[point.run]});
  }
  std::ranges::stable_sort(found, [](const PlacedValue& a, const PlacedValue& b) {
    return std::tie(a.campaign, a.place) < std::tie(b.campaign, b.place);
  });
  return found;
}

CampaignLevel level_of(std::span<const PlacedValue> values) {
  CampaignLevel level{.campaign = values.front().campaign};
  std::vector<double> good;
  std::vector<double> bad;
  for (const PlacedValue& each : values) (each.counts ? good : bad).push_back(each.value);
  level.values = static_cast<int>(good.size());
  level.left_out = static_cast<int>(bad.size());
  const std::vector<double>& shown = good.empty() ? bad : good;
  const auto [low, high] = std::ranges::minmax(shown);
  level.low = low;
  level.high = high;
  level.median = median(shown);
  return level;
}

std::vector<CampaignLevel> levels_of(const std::vector<PlacedValue>& values) {
  std::vector<CampaignLevel> levels;
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin;
    while (end < values.size() && values[end].campaign == values[begin].campaign) ++end;
    levels.push_back(level_of(std::span(values).subspan(begin, end - begin)));
    begin = end;
  }
  return levels;
}

/// The value of a parameter in "N=8000 benchmark=gpt3"; empty: it is not there.
std::string_view parameter_of(std::string_view parameters, std::string_view name) {
  for (const std::string_view word : words(parameters))
    if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
      return word.substr(name.size() + 1);
  return {};
}

bool is_about(const Criterion& criterion, const MetricSeries& series) {
  const bool each = series.nodes == 1;
  return criterion.suite == series.suite && criterion.metric == series.metric &&
         (!criterion.nodes || *criterion.nodes == series.nodes) &&
         (!criterion.each_node || *criterion.each_node == each) &&
         (criterion.benchmark.empty() || criterion.benchmark == parameter_of(series.parameters, "benchmark"));
}

/// The limits by which campaigns judged the metrics of series.
class Limits {
 public:
  /// The limit by which a campaign judged the series; NaN: none, or several.
  double of(const HistoryCampaign& campaign, const MetricSeries& series) {
    double limit = no_number;
    for (const Criterion& criterion : criteria_of(campaign.criteria_text)) {
      if (!is_about(criterion, series)) continue;
      for (const HistoryCriterion& judged : campaign.criteria) {
        if (judged.id != criterion.id || !judged.limit) continue;
        if (!std::isnan(limit) && limit != *judged.limit) return no_number;
        limit = *judged.limit;
      }
    }
    return limit;
  }

 private:
  const std::vector<Criterion>& criteria_of(const std::string& text) {
    const auto [at, fresh] = known_.try_emplace(text);
    if (fresh && !text.empty())
      if (auto criteria = read_criteria(text, "criteria.toml")) at->second = std::move(criteria->criteria);
    return at->second;
  }

  std::map<std::string, std::vector<Criterion>> known_;
};

void write_levels(DocumentParts& parts, const SiteSystem& system, const MetricSeries& series,
                  const std::vector<CampaignLevel>& levels, Limits& limits) {
  std::vector<std::uint32_t> campaigns, values, left_out;
  std::vector<double> medians, lows, highs, limit;
  for (const CampaignLevel& level : levels) {
    campaigns.push_back(level.campaign);
    values.push_back(static_cast<std::uint32_t>(level.values));
    left_out.push_back(static_cast<std::uint32_t>(level.left_out));
    medians.push_back(level.median);
    lows.push_back(level.low);
    highs.push_back(level.high);
    limit.push_back(limits.of(system.campaigns[level.campaign], series));
  }
  JsonText& json = parts.json;
  json.key("levels");
  json.begin_object();
  write(json, "campaign", parts.core.add_ascending(campaigns));
  write(json, "median", parts.core.add(medians));
  write(json, "low", parts.core.add(lows));
  write(json, "high", parts.core.add(highs));
  write(json, "n", parts.core.add(values));
  write(json, "left_out", parts.core.add(left_out));
  if (!std::ranges::all_of(limit, [](double each) { return std::isnan(each); }))
    write(json, "limit", parts.core.add(limit));
  json.end_object();
}

/// The values of each node, or of each group of nodes, in a block of their own that is read when it is asked
/// for.
void write_node_values(DocumentParts& parts, const SiteSystem& system,
                       const std::vector<PlacedValue>& values) {
  std::vector<std::uint32_t> campaigns, places, left_out;
  std::vector<double> numbers;
  for (const PlacedValue& each : values) {
    if (system.campaigns[each.campaign].created_s < parts.node_values_from_s) continue;
    if (!each.counts) left_out.push_back(static_cast<std::uint32_t>(numbers.size()));
    campaigns.push_back(each.campaign);
    places.push_back(each.place);
    numbers.push_back(each.value);
  }
  ColumnBlock block;
  JsonText& json = parts.json;
  json.key("values");
  json.begin_object();
  json.member("block", static_cast<std::int64_t>(parts.node_values.size() + 1));
  write(json, "campaign", block.add_ascending(campaigns));
  write(json, "place", block.add_ascending(places));
  write(json, "value", block.add_rounded(numbers));
  write(json, "left_out", block.add_ascending(left_out));
  json.end_object();
  parts.node_values.push_back(std::move(block));
}

void write_change(DocumentParts& parts, const SystemPlaces& places, const CheckSeries& checked,
                  const ChangePoint& point) {
  const auto at = places.campaigns.find(checked.checks[point.index].campaign);
  if (at == places.campaigns.end()) return;
  JsonText& json = parts.json;
  json.begin_object();
  json.member("campaign", static_cast<std::int64_t>(at->second));
  json.member("before", point.before);
  json.member("after", point.after);
  json.member("p", point.p);
  json.end_object();
}

/// The series of scheduled checks that are of this one: of one node each, or of the nodes together.
void write_checked(DocumentParts& parts, const SiteSystem& system, SystemPlaces& places,
                   const MetricSeries& series) {
  JsonText& json = parts.json;
  json.key("checked");
  json.begin_array();
  for (const CheckSeries& each : system.checked) {
    const SeriesName& name = each.name;
    if (name.suite != series.suite || name.implementation != series.implementation ||
        name.metric != series.metric || name.node_kind != series.node_kind ||
        name.parameters != series.parameters ||
        (series.nodes == 1) == (name.nodes == fmt::format("{} nodes", series.nodes)))
      continue;
    if (series.nodes != 1 && name.nodes != fmt::format("{} nodes", series.nodes)) continue;
    json.begin_object();
    if (series.nodes == 1) json.member("node", static_cast<std::int64_t>(node_place(places, name.nodes)));
    json.member("checks", static_cast<std::int64_t>(each.checks.size()));
    if (const auto band = noise_band(each)) {
      json.member("centre", band->centre);
      json.member("low", band->low);
      json.member("high", band->high);
      json.member("n", static_cast<std::int64_t>(band->checks));
      if (const auto from = places.campaigns.find(each.checks[band->from].campaign);
          from != places.campaigns.end())
        json.member("from", static_cast<std::int64_t>(from->second));
    }
    if (!each.reopened.empty())
      json.member("reset", static_cast<std::int64_t>(parts.texts.number(each.reopened)));
    if (const auto points = site_change_points(each); !points.empty()) {
      json.key("changes");
      json.begin_array();
      for (const ChangePoint& point : points) write_change(parts, places, each, point);
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
}

void write_floor(DocumentParts& parts, const SiteSystem& system, const MetricSeries& series) {
  for (const SiteFloor& floor : system.floors) {
    const SeriesName& name = floor.name;
    if (name.suite != series.suite || name.implementation != series.implementation ||
        name.metric != series.metric || name.node_kind != series.node_kind ||
        name.parameters != series.parameters)
      continue;
    parts.json.member("floor", floor.limit);
    parts.json.member("floor_source", static_cast<std::int64_t>(parts.texts.number(floor.source)));
    return;
  }
}

/// How many nodes of the newest campaign are slow beside like ones, by the judgement of its report.
void write_screened(DocumentParts& parts, const SiteSystem& system, const SystemPlaces& places,
                    const MetricSeries& series) {
  const auto at = places.campaigns.find(system.screened);
  if (at == places.campaigns.end() || series.nodes != 1 || !series.unit.empty()) return;
  for (const NodeScreen& screen : system.screens) {
    if (screen.suite != series.suite || screen.implementation != series.implementation ||
        screen.metric != series.metric || screen.node_kind != series.node_kind ||
        screen.parameters != series.parameters)
      continue;
    JsonText& json = parts.json;
    json.key("screened");
    json.begin_object();
    json.member("campaign", static_cast<std::int64_t>(at->second));
    json.member("nodes", static_cast<std::int64_t>(screen.nodes.size()));
    json.member("confirmed", static_cast<std::int64_t>(screen.of(NodeFinding::confirmed).size()));
    json.member("suspect", static_cast<std::int64_t>(screen.of(NodeFinding::suspect).size()));
    if (!screen.unjudged.empty()) json.member("unjudged", screen.unjudged);
    json.end_object();
    return;
  }
}

/// A headline's rank among those of its suite; a large one for other metrics.
std::size_t headline_rank(const MetricSeries& series) {
  const auto metrics = counting_metrics(series.suite);
  const auto at = std::ranges::find(metrics, series.metric);
  if (at != metrics.end()) return static_cast<std::size_t>(at - metrics.begin());
  const SuiteFacts* facts = suite_facts(series.suite);
  const bool watched =
      facts != nullptr && std::ranges::find(facts->watched, series.metric) != facts->watched.end();
  return watched ? 50 : 1000;
}

}  // namespace

std::string series_suite_title(const MetricSeries& series) {
  const SuiteFacts* facts = suite_facts(series.suite);
  const bool own = series.implementation == "reference" && facts != nullptr && !facts->own_title.empty();
  return own ? std::string(facts->own_title) : suite_title(series.suite);
}

std::uint32_t node_place(SystemPlaces& places, const std::string& node) {
  const auto [at, fresh] =
      places.nodes.try_emplace(node, static_cast<std::uint32_t>(places.node_names.size()));
  if (fresh) places.node_names.push_back(node);
  return at->second;
}

std::vector<std::size_t> shown_series(const SystemSeries& all, std::size_t most) {
  std::vector<std::pair<std::size_t, std::size_t>> ranked;
  for (std::size_t i = 0; i < all.series.size(); ++i) {
    const MetricSeries& series = all.series[i];
    const std::size_t rank = headline_rank(series);
    // A phase that is 0 in every run measures nothing: it only marks a time.
    const bool is_phase =
        !series.unit.empty() &&
        std::ranges::any_of(series.points, [](const SeriesPoint& point) { return point.value != 0; });
    if (rank >= 1000 && !(is_phase && direction_of(series.metric, series.unit))) continue;
    ranked.emplace_back(rank, i);
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, std::size_t>::first);
  if (ranked.size() > most) ranked.resize(most);
  const auto suite_rank = [&](std::size_t index) {
    const SuiteFacts* facts = suite_facts(all.series[index].suite);
    return facts == nullptr ? std::numeric_limits<int>::max() : facts->rank;
  };
  std::ranges::stable_sort(ranked, [&](const auto& a, const auto& b) {
    return std::make_tuple(suite_rank(a.second), a.first) < std::make_tuple(suite_rank(b.second), b.first);
  });
  std::vector<std::size_t> shown;
  shown.reserve(ranked.size());
  for (const auto& [rank, index] : ranked) shown.push_back(index);
  return shown;
}

void write_series(DocumentParts& parts, const SiteSystem& system, SystemPlaces& places, std::size_t most) {
  JsonText& json = parts.json;
  Limits limits;
  json.key("series");
  json.begin_array();
  for (const std::size_t index : shown_series(system.series, most)) {
    const MetricSeries& series = system.series.series[index];
    const auto values = placed_values(system, series, places, parts.texts);
    if (values.empty()) continue;
    const auto levels = levels_of(values);
    const double largest = std::ranges::max(levels, {}, &CampaignLevel::median).median;
    const ShownUnit unit = shown_unit(series.metric, series.unit, largest);
    const auto better = direction_of(series.metric, series.unit);
    json.begin_object();
    json.member("suite", series.suite);
    json.member("suite_title", series_suite_title(series));
    json.member("screen", is_screen(series.suite));
    json.member("headline", headline_rank(series) < 1000);
    json.member("implementation", series.implementation);
    json.member("nodes", series.nodes);
    json.member("node_kind", series.node_kind);
    json.member("parameters", series.parameters);
    json.member("metric", series.metric);
    json.member("title", series.unit.empty() ? metric_title(series.metric) : series.metric);
    json.member("unit", unit.name);
    json.member("factor", unit.factor);
    json.member("digits", unit.digits);
    if (better) json.member("better", *better == Better::higher ? "higher" : "lower");
    write_levels(parts, system, series, levels, limits);
    write_floor(parts, system, series);
    write_screened(parts, system, places, series);
    write_checked(parts, system, places, series);
    write_node_values(parts, system, values);
    json.end_object();
  }
  json.end_array();
}

}  // namespace shakedown
