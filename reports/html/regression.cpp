#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/page.hpp"
#include "reports/judge/regression.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

constexpr size_t most_series = 200;

Verdict verdict_of(const JudgedSeries& judged) {
  if (judged.alarm() || judged.watched.below_floor) return Verdict::fail;
  const WatchState state = judged.watched.state;
  if (judged.learning() || judged.floor_unknown() || state == WatchState::suspect ||
      state == WatchState::not_confirmed || state == WatchState::warning)
    return Verdict::undecided;
  return Verdict::pass;
}

Fields series_row(const JudgedSeries& judged) {
  const SeriesName& name = judged.series.name;
  const Verdict verdict = verdict_of(judged);
  const bool expected = judged.watched.expected > 0;
  std::string value = metric_text(name.metric, judged.value);
  std::string floor = "–";
  std::string floor_source = judged.series.floor_source;
  const std::size_t runs = judged.series.checks.back().runs.size();
  if (judged.series.floor) {
    const Watched& watched = judged.watched;
    value = shown_beside(name.metric, judged.value, *judged.series.floor).value;
    ShownPair shown = shown_beside(name.metric, watched.floor_value, *judged.series.floor);
    floor = std::move(shown.limit);
    floor_source = fmt::format("judged on {}, {}{}{}", shown.value, floor_value_name(watched),
                               floor_source.empty() ? "" : "; ", floor_source);
  }
  return Fields()
      .text("name", series_text(name))
      .text("parameters", name.parameters)
      .text("value", value)
      .text("value_of", runs > 1 ? fmt::format("first of {} runs", runs) : "")
      .text("expected", expected ? metric_text(name.metric, judged.watched.expected) : "–")
      .text("loss", expected ? percent_text(judged.watched.loss) : "–")
      .text("loss_interval",
            expected ? fmt::format("95 % interval {} to {}", percent_text(judged.watched.interval.low),
                                   percent_text(judged.watched.interval.high))
                     : "")
      .text("floor", floor)
      .text("floor_source", floor_source)
      .text("checks", fmt::format("{}", judged.series.checks.size()))
      .text("class", verdict_class(verdict))
      .markup("icon", verdict_icon(verdict))
      .text("state", judged.state())
      .text("text", judged.watched.text)
      .text_if("reopened", judged.series.reopened);
}

/// Where each series changed, over all checks.
std::vector<Fields> changes(std::span<const JudgedSeries> all) {
  std::vector<Fields> found;
  for (const JudgedSeries& judged : all)
    for (const ChangePoint& point : judged.changes)
      found.push_back(Fields().text(
          "text", fmt::format("{}: {}", series_text(judged.series.name), change_text(judged, point))));
  return found;
}

std::vector<ContentsLine> regression_contents(const ReportInput& input) {
  if (!input.judgement.check) return {};
  return {{"regression", "Regression check"}};
}

Result<std::string> regression_section(const ReportInput& input) {
  if (!input.judgement.check) return std::string();
  const CheckVerdict& check = *input.judgement.check;
  const auto shown = std::span(check.series).first(std::min(most_series, check.series.size()));
  std::vector<Fields> notes;
  notes.reserve(check.missing.size() + check.notes.size());
  for (const MissingSeries& missing : check.missing)
    notes.push_back(Fields().text("text", fmt::format("{}: {}", missing.what, missing.because)));
  for (const std::string& note : check.notes) notes.push_back(Fields().text("text", note));
  std::vector<Fields> changed = changes(shown);
  Fields section;
  section.flag("has_changes", !changed.empty()).list("changes", std::move(changed));
  section.text("sentence", capitalised(check.sentence))
      .flag("has_series", !shown.empty())
      .list("series", rows_of(shown, series_row))
      .text_if("more", check.series.size() > most_series
                           ? fmt::format("{} more in results.json.", check.series.size() - most_series)
                           : "")
      .flag("has_notes", !notes.empty())
      .list("notes", std::move(notes));
  return filled("regression.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection regression;
const ReportSection regression = {.rank = 10, .contents = regression_contents, .html = regression_section};
}  // namespace report_section

}  // namespace shakedown
