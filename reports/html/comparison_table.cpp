#include "reports/html/comparison_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/suite_table.hpp"
#include "reports/judge/alarms.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {

std::string condition_name(const std::string& key) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> names = {
      {{"gpus", "GPUs"},
       {"gpu", "GPU"},
       {"GBS", "global batch"},
       {"fp64_mode", "FP64 arithmetic"},
       {"list_class", "list"},
       {"rule_epoch", "rules"}}};
  for (const auto& [known, name] : names)
    if (known == key) return std::string(name);
  return key;
}

namespace {

constexpr std::size_t most_compared = 60;
constexpr std::size_t most_conditions = 40;

/// All where they are few; else those that may be compared, and of each case without one its first, which has
/// the reason.
std::vector<const Comparison*> shown_comparisons(const std::vector<Comparison>& all) {
  constexpr size_t few = 12;
  std::vector<const Comparison*> shown;
  std::set<std::string_view> cases;
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> sets;
  // The score of a set is one value, however many cases its runs are.
  const auto is_told = [&](const Comparison& each) {
    return !each.set.empty() && !sets.emplace(each.set, each.metric, each.normalisation).second;
  };
  for (const Comparison& each : all)
    if ((all.size() <= few || each.comparable) && !is_told(each)) {
      shown.push_back(&each);
      cases.insert(each.case_id);
    }
  for (const Comparison& each : all)
    if (cases.insert(each.case_id).second && !is_told(each)) shown.push_back(&each);
  if (shown.size() > most_compared) shown.resize(most_compared);
  return shown;
}

/// Two equal values that may not be compared: worth a word, as a reader sees no ratio beside them.
bool is_identical(const Comparison& comparison) {
  return !comparison.comparable && comparison.measured && comparison.baseline &&
         *comparison.measured == *comparison.baseline;
}

/// Which conditions differ, that the table below has; where none does, why it is compared or not.
std::string condition_cell(const Comparison& comparison) {
  std::vector<std::string> unlike;
  for (const ConditionSides& each : comparison.conditions)
    if (!each.holds) unlike.push_back(condition_name(each.name));
  std::string text = unlike.empty() ? comparison.condition : "differs: " + joined(unlike, ", ");
  return is_identical(comparison) ? "identical values; not counted: " + text : text;
}

/// Whose value it is where a suite has several: a case, or a set of runs.
std::string whose(const Comparison& comparison, const CampaignRecord& campaign) {
  if (comparison.set.empty()) return comparison.case_id;
  for (const SetScore& set : campaign.set_scores)
    if (set.name == comparison.set || (set.name.empty() && set.benchmark == comparison.set))
      return fmt::format("{}, score of {} runs", short_set_name(campaign, set), set.runs);
  return comparison.set;
}

/// What must stand beside the value measured here, and beside the published one.
std::string_view mark_here(const Comparison& comparison, const MeasuredCampaign& campaign) {
  const auto of = [](const MeasuredCase& each) -> std::string_view { return each.planned.id; };
  const auto found = std::ranges::find(campaign.cases, comparison.case_id, of);
  return found == campaign.cases.end() ? "" : unreviewed_mark(found->planned);
}

std::string_view mark_there(const Comparison& comparison, const Baseline* baseline) {
  if (baseline == nullptr) return "";
  const auto found = std::ranges::find(baseline->values, comparison.baseline_id, &BaselineValue::id);
  const bool open = found != baseline->values.end() && found->status == BaselineStatus::unverified;
  if (!open) return "";
  return found->source.starts_with("derived") ? "derived, not printed"
                                              : to_string(BaselineStatus::unverified);
}

Fields comparison_row(const Comparison& comparison, bool several_cases, const ReportInput& input) {
  const auto shown = [&](const std::optional<double>& value, std::string_view mark) {
    if (!value) return std::string(empty_cell);
    return metric_text(comparison.metric, *value) + (mark.empty() ? "" : fmt::format(", {}", mark));
  };
  const bool may_be_compared = comparison.comparable && !comparison.published_log;
  Fields row;
  row.text("metric", fmt::format("{} {}", suite_title(comparison.suite), metric_title(comparison.metric)))
      .text("case", several_cases ? whose(comparison, input.campaign) : "")
      .text("here", shown(comparison.measured, mark_here(comparison, input.measured)))
      .text("there", shown(comparison.baseline, mark_there(comparison, input.baseline)))
      .text("ratio", comparison.ratio && !comparison.published_log ? number(*comparison.ratio, 3)
                                                                   : std::string(empty_cell))
      .text("word", comparison.published_log ? "same log"
                    : may_be_compared        ? "yes"
                                             : "no")
      .text("condition", comparison.published_log ? "the published value itself" : condition_cell(comparison))
      .text("class", may_be_compared ? "" : "v-open")
      .markup("icon", may_be_compared ? "" : verdict_icon(Verdict::not_comparable));
  return row;
}

/// "MLPerf gpt3", "HPL": of what a comparison's conditions are.
std::string subject_of(const Comparison& comparison) {
  const auto benchmark = std::ranges::find(comparison.conditions, "benchmark", &ConditionSides::name);
  return benchmark == comparison.conditions.end() || benchmark->here.empty()
             ? suite_title(comparison.suite)
             : fmt::format("{} {}", suite_title(comparison.suite), benchmark->here);
}

/// The conditions of the shown comparisons, each once, those that differ in front.
std::vector<Fields> condition_rows(const std::vector<const Comparison*>& shown) {
  std::set<std::tuple<std::string, std::string, std::string, std::string>> known;
  std::vector<std::pair<const Comparison*, const ConditionSides*>> all;
  for (const Comparison* comparison : shown)
    for (const ConditionSides& each : comparison->conditions)
      if (known.insert({subject_of(*comparison), each.name, each.there, each.here}).second)
        all.emplace_back(comparison, &each);
  std::ranges::stable_sort(all, {}, [](const auto& each) { return each.second->holds; });
  if (all.size() > most_conditions) all.resize(most_conditions);
  return rows_of(all, [](const auto& each) {
    const auto& [comparison, condition] = each;
    return Fields()
        .text("suite", subject_of(*comparison))
        .text("name", condition_name(condition->name))
        .text("there", condition->there.empty() ? "not stated" : condition->there)
        .text("here", condition->here.empty() ? "not known" : condition->here)
        .text("word", condition->holds ? "yes" : "no")
        .text("class", condition->holds ? "" : "v-open")
        .markup("icon", condition->holds ? "" : verdict_icon(Verdict::not_comparable));
  });
}

}  // namespace

void put_comparisons(Fields& page, const ReportInput& input) {
  const std::vector<Comparison>& all = input.judgement.comparisons;
  const bool several = of_several_cases(all);
  std::vector<const Comparison*> shown;
  if (!input.judgement.orientation) shown = shown_comparisons(all);
  const std::size_t more = input.judgement.orientation ? 0 : all.size() - shown.size();
  std::vector<Fields> conditions = condition_rows(shown);
  page.flag("judged", !input.judgement.criteria.empty())
      .flag("has_comparisons", !shown.empty())
      .list("comparisons",
            rows_of(shown, [&](const Comparison* each) { return comparison_row(*each, several, input); }))
      .text("baseline_name", input.baseline == nullptr ? "" : input.baseline->title)
      .text_if("same_logs", published_values(input.judgement.comparisons))
      .text_if("more_comparisons", more > 0 ? fmt::format("{} more in results.json.", more) : "")
      .flag("has_conditions", !conditions.empty())
      .list("conditions", std::move(conditions));
}

}  // namespace shakedown
