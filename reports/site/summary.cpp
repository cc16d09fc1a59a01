#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/plan/regression.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/template.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "reports/site/document_parts.hpp"
#include "reports/site/page.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_rows = 12;      // of headline metrics, of each system
constexpr std::size_t most_findings = 20;  // criteria that are not pass
constexpr std::string_view not_judged = "not-judged";
constexpr std::size_t most_points = 60;  // of a line

std::optional<Verdict> verdict_of_word(std::string_view word) {
  for (const Verdict verdict : {Verdict::pass, Verdict::fail, Verdict::invalid, Verdict::not_run,
                                Verdict::not_comparable, Verdict::undecided})
    if (to_string(verdict) == word) return verdict;
  return std::nullopt;
}

/// `word` as it is stored: "pass"; of a waived criterion "invalid, waived".
std::string verdict_markup(std::string_view word) {
  static constexpr std::string_view waived = ", waived";
  const bool is_waived = word.ends_with(waived);
  if (is_waived) word.remove_suffix(waived.size());
  if (word == not_judged) return R"(<span class="v v-open">Not judged</span>)";
  const auto verdict = verdict_of_word(word);
  if (!verdict) return R"(<span class="v v-open">No verdict yet</span>)";
  return fmt::format(R"(<span class="v {}">{}{}{}</span>)", verdict_class(*verdict), verdict_icon(*verdict),
                     verdict_word(*verdict), is_waived ? waived : "");
}

/// Values over time as a line without axes; its text is beside it.
std::string sparkline(std::span<const double> values, std::string_view label) {
  static constexpr double width = 120;
  static constexpr double height = 24;
  const auto [low, high] = std::ranges::minmax(values);
  const double range = high > low ? high - low : 1;
  std::string path;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values.size() > 1
                         ? 2 + (width - 4) * static_cast<double>(i) / static_cast<double>(values.size() - 1)
                         : width / 2;
    const double y = high > low ? height - 3 - (height - 6) * (values[i] - low) / range : height / 2;
    path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x, y);
  }
  if (values.size() == 1) path += "h.1";
  return fmt::format(
      R"(<svg class="spark" viewBox="0 0 {} {}" role="img" aria-label="{}"><path d="{}"/></svg>)", width,
      height, escaped(label), path);
}

/// The medians of a series' campaigns.
struct Line {
  std::vector<double> medians;
  std::size_t campaign = 0;  ///< of the last
};

Line line_of(const SiteSystem& system, const MetricSeries& series,
             const std::unordered_map<std::string_view, std::size_t>& places) {
  std::map<std::size_t, std::vector<double>> by_campaign;
  for (const SeriesPoint& point : series.points)
    if (const auto at = places.find(system.series.runs[point.run].campaign);
        at != places.end() && system.counts[point.run])
      by_campaign[at->second].push_back(point.value);
  Line line;
  for (auto& [campaign, values] : by_campaign) {
    line.medians.push_back(median(std::move(values)));
    line.campaign = campaign;
  }
  return line;
}

std::string series_row(const SiteSystem& system, const MetricSeries& series, const Line& line) {
  const std::string value = metric_text(series.metric, line.medians.back());
  std::span<const double> shown(line.medians);
  if (shown.size() > most_points) shown = shown.last(most_points);
  const std::string name = fmt::format("{} {}", series_suite_title(series), metric_title(series.metric));
  const std::string nodes = series.nodes == 0   ? "nodes not known"
                            : series.nodes == 1 ? "each node"
                                                : plural(series.nodes, "node");
  return fmt::format(
      R"(<tr><th scope="row">{}<span class="why">{}, {}</span></th><td class="num" data-label="Median">{}</td><td class="nowrap" data-label="Date">{}</td><td data-label="Earlier">{}</td></tr>)",
      escaped(name), escaped(series.implementation), nodes, escaped(value),
      escaped(utc_text(system.campaigns[line.campaign].created_s).substr(0, 10)),
      sparkline(shown, fmt::format("{}: {} campaigns, last {}", name, shown.size(), value)));
}

std::string series_table(const SiteSystem& system) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < system.campaigns.size(); ++i) places.emplace(system.campaigns[i].id, i);
  std::string rows;
  std::size_t count = 0;
  for (const std::size_t index : shown_series(system.series, most_rows * 4)) {
    const MetricSeries& series = system.series.series[index];
    const auto metrics = counting_metrics(series.suite);
    if (count >= most_rows || std::ranges::find(metrics, series.metric) == metrics.end()) continue;
    const Line line = line_of(system, series, places);
    if (line.medians.empty()) continue;
    rows += series_row(system, series, line);
    ++count;
  }
  if (rows.empty()) return "<p>No campaign has a result yet.</p>";
  return fmt::format(
      R"(<table class="stack"><caption>{0}: last values</caption><thead><tr><th scope="col">Metric</th><th scope="col" class="num">Median of the campaign</th><th scope="col">Date</th><th scope="col">Earlier campaigns</th></tr></thead><tbody>{1}</tbody></table>)",
      escaped(system.name), rows);
}

std::string open_criteria(const HistoryCampaign& campaign) {
  std::string items;
  std::size_t count = 0;
  for (const HistoryCriterion& each : campaign.criteria) {
    if (each.verdict == to_string(Verdict::pass) || each.verdict.empty()) continue;
    if (++count > most_findings) continue;
    items += fmt::format("<li>{} {}: {}</li>", verdict_markup(each.verdict), escaped(each.id),
                         escaped(each.because));
  }
  if (count > most_findings) items += fmt::format("<li>and {} more</li>", count - most_findings);
  return items;
}

/// The last judged campaign of each kind, the newest first; where none is judged the last campaign.
std::vector<const HistoryCampaign*> last_verdicts(const SiteSystem& system) {
  std::vector<const HistoryCampaign*> found;
  for (auto each = system.campaigns.rbegin(); each != system.campaigns.rend(); ++each)
    if (const std::string verdict = shown_verdict(*each);
        !verdict.empty() && verdict != not_judged &&
        std::ranges::none_of(found, [&](const auto* known) { return known->kind == each->kind; }))
      found.push_back(&*each);
  if (found.empty()) found.push_back(&system.campaigns.back());
  return found;
}

std::string system_section(const SiteSystem& system) {
  std::string text = fmt::format("<section><h2>{}</h2>", escaped(system.name));
  std::string open;
  for (const HistoryCampaign* each : last_verdicts(system)) {
    text += fmt::format("<p>{} {}</p>", verdict_markup(shown_verdict(*each)), escaped(shown_sentence(*each)));
    text += fmt::format(R"(<p class="muted small">{}, {}, {}</p>)", escaped(each->id),
                        each->kind == regression_kind ? "scheduled check" : escaped(each->kind),
                        escaped(utc_text(each->created_s)));
    open += open_criteria(*each);
  }
  if (!open.empty()) text += "<h3>Not pass</h3><ul class=\"plain\">" + open + "</ul>";
  text += fmt::format(R"(<p class="small">{} in this history</p>)",
                      plural(static_cast<std::int64_t>(system.campaigns.size()), "campaign"));
  return text + series_table(system) + "</section>";
}

}  // namespace

std::string shown_verdict(const HistoryCampaign& campaign) {
  const bool by_criteria = campaign.kind != regression_kind;
  return by_criteria && campaign.criteria_text.empty() ? std::string(not_judged) : campaign.overall;
}

std::string shown_sentence(const HistoryCampaign& campaign) {
  return campaign.sentence.empty() && shown_verdict(campaign) == not_judged
             ? "not judged: no criteria were given"
             : campaign.sentence;
}

std::string site_summary(const SiteHistory& history) {
  std::string text;
  if (history.systems.empty())
    text += "<p>This workspace has no campaign yet. <code>shakedown quick</code> makes one.</p>";
  for (const SiteSystem& system : history.systems) text += system_section(system);
  return text;
}

}  // namespace shakedown
