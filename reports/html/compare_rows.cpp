#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/compare_page.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_drawn = 60;

/// How a change is drawn, and in which word.
struct ChangeLook {
  Verdict verdict = Verdict::not_comparable;
  std::string_view word;
  ForestRow::Look plotted = ForestRow::Look::plain;
};

ChangeLook look_of(ChangeVerdict change) {
  switch (change) {
    case ChangeVerdict::worse:
      return {Verdict::fail, "Worse", ForestRow::Look::worse};
    case ChangeVerdict::better:
      return {Verdict::pass, "Better", ForestRow::Look::better};
    case ChangeVerdict::same:
      return {Verdict::pass, "Same"};
    case ChangeVerdict::undecided:
      return {Verdict::undecided, "Undecided"};
    case ChangeVerdict::not_compared:
      break;
  }
  return {Verdict::not_comparable, "Not compared"};
}

std::string group_of(const MetricComparison& comparison) {
  return fmt::format("{}, {}", benchmark_title(comparison.suite, comparison.implementation),
                     case_text(comparison));
}

std::string group_of(const BaselineComparison& compared) {
  return fmt::format("{}, {}", compared.title, compared.subject);
}

/// What the interval of such a row is of.
std::string interval_of(const BaselineComparison& compared) {
  if (!compared.coverage) return "range of all runs";
  const std::string coverage = percent_text(*compared.coverage, 0);
  return compared.row.set.empty() ? coverage + " interval" : coverage + " interval of the runs’ median";
}

/// Where the runs of such a row, or the interval of their median, lie beside the published value, as shifts;
/// nothing for one run.
std::optional<std::pair<double, double>> range_of(const BaselineComparison& compared) {
  const auto& published = compared.row.baseline;
  if (!published || !compared.row.ratio || compared.runs.size() < 2) return std::nullopt;
  return std::pair(compared.low / *published - 1, compared.high / *published - 1);
}

/// A value with what must stand beside it: "4.95 min, unverified".
std::string marked(std::string value, std::string_view mark) {
  if (!mark.empty() && value != dash) value += fmt::format(", {}", mark);
  return value;
}

/// What can be compared goes first, each in its order.
template <class Rows, class IsCompared>
std::vector<const typename Rows::value_type*> compared_first(const Rows& rows, IsCompared is_compared) {
  std::vector<const typename Rows::value_type*> order;
  for (const bool first : {true, false})
    for (const auto& row : rows)
      if (is_compared(row) == first) order.push_back(&row);
  return order;
}

/// "−5.3 % to −4.9 %"; a dash where there is no interval.
std::string interval_text(const std::optional<double>& low, const std::optional<double>& high) {
  if (!low || !high) return std::string(dash);
  return fmt::format("{} to {}", shift_text(low), shift_text(high));
}

/// The part behind a text's first colon, or all of it.
std::string reason_of(const std::string& verdict) {
  const std::size_t colon = verdict.find(": ");
  return capitalised(colon == std::string::npos ? verdict : verdict.substr(colon + 2));
}

Fields campaign_row(const MetricComparison& each) {
  const ChangeLook look = look_of(each.change);
  const auto [n_before, n_after] = counts_of(each);
  const bool compared = each.change != ChangeVerdict::not_compared;
  const auto& found = each.statistics;
  Fields row;
  row.text("group", group_of(each))
      .text("metric", each.metric.empty() ? "No metric" : capitalised(compared_title(each)))
      .flag("way", false)
      .text_if("role", each.leading ? "leading metric" : "")
      .text("before", compared_text(each, each.median_before))
      .text("after", compared_text(each, each.median_after))
      .text_if("n_before", n_before > 0 ? fmt::format("n = {}", n_before) : "")
      .text_if("n_after", n_after > 0 ? fmt::format("n = {}", n_after) : "")
      .text("shift", shift_text(each.shift))
      .text("interval", found ? interval_text(found->low, found->high) : std::string(dash))
      .text_if("interval_is", found ? percent_text(found->coverage, 0) + " interval" : "")
      .text("class", verdict_class(look.verdict))
      .markup("icon", verdict_icon(look.verdict))
      .text("word", look.word)
      .text("because", compared ? capitalised(each.verdict) : reason_of(each.verdict))
      .text_if("note", each.note.empty() ? "" : "Although " + each.note);
  return row;
}

Fields published_row(const BaselineComparison& compared) {
  const Comparison& row = compared.row;
  const bool set_beside = row.ratio.has_value();
  const std::size_t colon = compared.verdict.find(": ");
  std::optional<double> shift;
  if (row.ratio) shift = *row.ratio - 1;
  const auto range = range_of(compared);
  const std::string interval = range ? interval_text(range->first, range->second) : std::string(dash);
  Fields fields;
  fields.text("group", group_of(compared))
      .text("metric", capitalised(metric_title(row.metric)))
      .flag("role", false)
      .text_if("way", row.normalisation == "absolute" ? "" : row.normalisation)
      .text("before", published_value_text(row.baseline, row.unit))
      .text("after", marked(published_value_text(row.measured, row.unit), compared.mark))
      .text_if("n_before", row.source)
      .text_if("n_after", compared.runs.empty() ? "" : fmt::format("n = {}", compared.runs.size()))
      .text("shift", shift_text(shift))
      .text("interval", interval)
      .text_if("interval_is", range ? interval_of(compared) : "");
  if (set_beside) {
    fields.text("class", "")
        .markup("icon", "")
        .text("word", capitalised(compared.verdict.substr(0, colon)))
        .text("because", colon == std::string::npos ? "" : reason_of(compared.verdict))
        .text_if("note", capitalised(row.condition));
  } else {
    fields.text("class", verdict_class(Verdict::not_comparable))
        .markup("icon", verdict_icon(Verdict::not_comparable))
        .text("word", "Not comparable")
        .text("because", reason_of(compared.verdict))
        .flag("note", false);
  }
  return fields;
}

void draw(ComparedRows& rows, ForestRow row) {
  if (rows.plot.rows.size() < most_drawn)
    rows.plot.rows.push_back(std::move(row));
  else
    ++rows.not_drawn;
}

}  // namespace

ComparedRows compared_rows(const ComparedCampaigns& compared) {
  ComparedRows rows;
  rows.plot.gate = BeforeAfterLimits{}.magnitude;
  const auto is_compared = [](const MetricComparison& each) {
    return each.change != ChangeVerdict::not_compared;
  };
  for (const MetricComparison* place : compared_first(compared.metrics, is_compared)) {
    const MetricComparison& each = *place;
    rows.table.push_back(campaign_row(each));
    if (each.change == ChangeVerdict::not_compared || !each.shift) continue;
    ForestRow drawn{.group = group_of(each),
                    .name = capitalised(compared_title(each)),
                    .shift = *each.shift,
                    .low = {},
                    .high = {},
                    .look = look_of(each.change).plotted};
    if (each.statistics) {
      drawn.low = each.statistics->low;
      drawn.high = each.statistics->high;
    }
    draw(rows, std::move(drawn));
  }
  return rows;
}

ComparedRows compared_rows(const std::vector<BaselineComparison>& compared) {
  ComparedRows rows;
  const auto is_compared = [](const BaselineComparison& each) { return each.row.ratio.has_value(); };
  for (const BaselineComparison* place : compared_first(compared, is_compared)) {
    const BaselineComparison& each = *place;
    rows.table.push_back(published_row(each));
    if (!each.row.ratio) continue;
    const double shift = *each.row.ratio - 1;
    ForestRow drawn{.group = group_of(each),
                    .name = capitalised(metric_title(each.row.metric)),
                    .shift = shift,
                    .low = {},
                    .high = {},
                    .look = ForestRow::Look::plain};
    if (each.row.normalisation != "absolute") drawn.name += ", " + each.row.normalisation;
    if (const auto range = range_of(each)) {
      drawn.low = range->first;
      drawn.high = range->second;
    }
    if (each.row.information)
      drawn.look = ForestRow::Look::information;
    else if (each.better && shift != 0)
      drawn.look =
          (shift > 0) == (*each.better == Better::higher) ? ForestRow::Look::better : ForestRow::Look::worse;
    draw(rows, std::move(drawn));
  }
  return rows;
}

}  // namespace shakedown
