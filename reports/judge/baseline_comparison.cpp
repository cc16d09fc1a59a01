#include "reports/judge/baseline_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/compare/metric_verdict.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/like_runs.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/set_score.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// The cases of a campaign by the place of their like runs.
struct Groups {
  std::map<std::string, std::size_t> of_case;
  std::map<std::string, const MeasuredCase*> records;
};

Groups groups_of(const MeasuredCampaign& campaign) {
  Groups groups;
  std::size_t place = 0;
  for (const LikeRuns& like : like_runs(campaign)) {
    for (const MeasuredCase* record : like.cases) groups.of_case[record->planned.id] = place;
    ++place;
  }
  for (const MeasuredCase& record : campaign.cases) {
    groups.of_case.try_emplace(record.planned.id, place++);
    groups.records[record.planned.id] = &record;
  }
  return groups;
}

/// "1.8 % slower", "2.0 % lower": the words of a share of the baseline.
std::string distance(double share, const BaselineComparison& compared) {
  if (share == 0) return "equal to it";
  const ChangeTerms terms{.better = compared.better.value_or(Better::higher),
                          .limits = {},
                          .days = {},
                          .is_speed = compared.better.has_value() && is_speed(compared.row.metric)};
  return fmt::format("{} {}", percent_text(std::abs(share)), pace(share, terms));
}

/// On which side of the baseline the range lies.
std::string side(const BaselineComparison& compared, double baseline) {
  if (compared.high < baseline) return compared.coverage ? "lies below it" : "below it";
  if (compared.low > baseline) return compared.coverage ? "lies above it" : "above it";
  return compared.coverage ? "holds it" : "on both sides of it";
}

void put_range(BaselineComparison& compared) {
  if (const auto interval = median_interval(compared.runs)) {
    compared.low = interval->low;
    compared.high = interval->high;
    compared.coverage = interval->coverage;
    return;
  }
  const auto [least, most] = std::ranges::minmax(compared.runs);
  compared.low = least;
  compared.high = most;
}

std::string words(const BaselineComparison& compared, double baseline, double middle) {
  const std::string far = distance(middle / baseline - 1, compared);
  const std::size_t n = compared.runs.size();
  if (n == 1) return far + ": one run, so the spread is unknown";
  const std::string range = fmt::format("{} to {} of it", percent_text(compared.low / baseline),
                                        percent_text(compared.high / baseline));
  if (compared.coverage)
    return fmt::format("{}: median of {} runs, its {} interval ({}) {}", far, n,
                       percent_text(*compared.coverage, 0), range, side(compared, baseline));
  return fmt::format("{}: median of {} runs, too few for an interval, all ({}) {}", far, n, range,
                     side(compared, baseline));
}

void finish(BaselineComparison& compared, std::size_t not_comparable) {
  Comparison& row = compared.row;
  if (compared.runs.empty() || !row.baseline || *row.baseline == 0) {
    compared.verdict = "not comparable: " + row.condition;
    return;
  }
  put_range(compared);
  if (row.set.empty()) {
    row.measured = median(compared.runs);
    compared.verdict = words(compared, *row.baseline, *row.measured);
  } else {
    compared.verdict =
        fmt::format("{}: the score of {} runs, {} to {} of it",
                    distance(*row.measured / *row.baseline - 1, compared), row.set_runs,
                    percent_text(compared.low / *row.baseline), percent_text(compared.high / *row.baseline));
  }
  row.ratio = *row.measured / *row.baseline;
  if (not_comparable > 0)
    compared.verdict += fmt::format("; {} of {} cases not comparable", not_comparable, compared.cases);
}

/// "gpt3, 32 nodes" of a log made elsewhere; else, or where its number of nodes is not known, nothing.
std::string imported_subject(const MeasuredCase& record) {
  if (record.attempts.empty() || record.attempts.front().state != AttemptState::imported ||
      record.planned.nodes < 1)
    return "";
  return (record.benchmark.empty() ? "" : record.benchmark + ", ") + plural(record.planned.nodes, "node");
}

/// Names what each is of: in short where this is of no other like runs of the suite, else by the case's id.
void put_subjects(std::vector<BaselineComparison>& found, const std::vector<std::size_t>& place_of,
                  const Groups& groups) {
  std::vector<std::string> shorts(found.size());
  std::map<std::pair<std::string, std::string>, std::set<std::size_t>> places;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (const auto record = groups.records.find(found[i].row.case_id); record != groups.records.end())
      shorts[i] = imported_subject(*record->second);
    places[{found[i].row.suite, shorts[i]}].insert(place_of[i]);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    BaselineComparison& each = found[i];
    const bool is_short = !shorts[i].empty() && places[{each.row.suite, shorts[i]}].size() == 1;
    if (is_short)
      each.subject = shorts[i] + (each.cases > 1 ? ", " + plural(each.cases, "log") : "");
    else
      each.subject =
          each.row.case_id + (each.cases > 1 ? fmt::format(" and {} like it", each.cases - 1) : "");
  }
}

}  // namespace

std::vector<BaselineComparison> baseline_comparisons(const MeasuredCampaign& campaign,
                                                     const std::vector<Comparison>& rows,
                                                     const Comparability& comparability) {
  const Groups groups = groups_of(campaign);
  std::vector<BaselineComparison> found;
  std::vector<std::size_t> place_of;        // of each of `found`, the place of its like runs
  std::vector<std::size_t> not_comparable;  // cases of each that are not comparable
  for (const Comparison& row : rows) {
    const auto group = groups.of_case.find(row.case_id);
    const std::size_t place = group == groups.of_case.end() ? groups.of_case.size() : group->second;
    std::size_t at = 0;
    for (; at < found.size(); ++at)
      if (place_of[at] == place && found[at].row.metric == row.metric &&
          found[at].row.normalisation == row.normalisation && found[at].row.baseline_id == row.baseline_id &&
          found[at].row.information == row.information && found[at].row.set == row.set)
        break;
    if (at == found.size()) {
      found.push_back({row,
                       0,
                       {},
                       0,
                       0,
                       {},
                       direction_of(row.metric),
                       "",
                       benchmark_title(campaign, row.case_id, row.suite),
                       std::string(unreviewed_mark(campaign.record, row.suite, row.case_id)),
                       ""});
      place_of.push_back(place);
      not_comparable.push_back(0);
    }
    BaselineComparison& compared = found[at];
    ++compared.cases;
    const auto record = groups.records.find(row.case_id);
    if ((!row.comparable && !row.information) || record == groups.records.end()) {
      ++not_comparable[at];
      continue;
    }
    if (compared.runs.empty()) compared.row = row;
    const auto runs = measured(campaign, *record->second, row.metric, comparability).points;
    compared.runs.insert(compared.runs.end(), runs.begin(), runs.end());
  }
  for (std::size_t i = 0; i < found.size(); ++i) finish(found[i], not_comparable[i]);
  put_subjects(found, place_of, groups);
  std::ranges::stable_sort(found, {},
                           [](const BaselineComparison& each) { return reported_place(each.row.suite); });
  return found;
}

std::string published_value_text(const std::optional<double>& value, const std::string& unit) {
  if (!value) return std::string(dash);
  if (unit == "GFLOP/s") return flops_text(*value);
  return unit.empty() ? number(*value, 4) : fmt::format("{} {}", number(*value, 4), unit);
}

}  // namespace shakedown
