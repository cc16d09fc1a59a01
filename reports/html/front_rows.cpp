#include "reports/html/front_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/case_text.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/suite_table.hpp"
#include "reports/judge/each_node.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/set_score.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// How much a verdict weighs: the state of a suite is the heaviest of its criteria.
std::ptrdiff_t weight(const CriterionResult& criterion) {
  static constexpr std::array lightest_first = {Verdict::pass,    Verdict::not_comparable, Verdict::undecided,
                                                Verdict::not_run, Verdict::invalid,        Verdict::fail};
  if (criterion.waived) return 1;
  return 2 * (std::ranges::find(lightest_first, criterion.verdict) - lightest_first.begin());
}

/// Whether a value was judged by a limit, and both may be shown.
bool is_judged_limit(const CriterionResult& criterion) {
  const bool decided = criterion.verdict == Verdict::pass || criterion.verdict == Verdict::fail;
  return decided && criterion.metric != "validity" && criterion.measured && criterion.limit &&
         !criterion.withheld;
}

/// The criterion that a row shows: the heaviest, and of those that weigh the same one with a limit.
const CriterionResult* shown_criterion(const FrontRow& row) {
  const CriterionResult* shown = nullptr;
  for (const CriterionResult* each : row.criteria)
    if (shown == nullptr || weight(*each) > weight(*shown) ||
        (weight(*each) == weight(*shown) && each->limit && !shown->limit))
      shown = each;
  return shown;
}

using ResultsByCase = std::unordered_map<std::string_view, std::vector<const SuiteResult*>>;

ResultsByCase results_by_case(const Judgement& judgement) {
  ResultsByCase all;
  for (const SuiteResult& each : judgement.suite_results) all[each.case_id].push_back(&each);
  return all;
}

/// Whether shakedown's own program made a case's results, by its plan or by its log.
bool is_own_case(const MeasuredCase& record) {
  return is_own_program(record.planned) || std::ranges::any_of(record.own, [](const CountedResult& each) {
           return each.result->parsed.implementation == "reference";
         });
}

/// Of a suite's headline values those on the most nodes, of official programs where there are some: the first
/// of them, and their score or their median.
void put_headline(const ReportInput& input, const ResultsByCase& results, FrontRow& row) {
  std::vector<double> points;
  int most = 0;
  const bool any_official = std::ranges::any_of(row.cases, [&](const MeasuredCase* each) {
    return results.contains(each->planned.id) && !is_own_case(*each);
  });
  for (const MeasuredCase* each : row.cases) {
    if (any_official && is_own_case(*each)) continue;
    const auto own = results.find(each->planned.id);
    if (own == results.end()) continue;
    for (const SuiteResult* shown : own->second) {
      const SuiteResult& result = *shown;
      const bool more = row.result == nullptr || each->planned.nodes > most;
      const bool alike = !more && each->planned.nodes == most && result.metric == row.result->metric &&
                         result.benchmark == row.result->benchmark;
      const bool first = more || (alike && result.measured && !row.result->measured);
      if (first) {
        row.result = &result;
        most = each->planned.nodes;
        if (more) {
          points.clear();
          row.score = nullptr;
        }
      }
      if ((more || alike) && row.score == nullptr)
        row.score = score_of_case(input.campaign, *each, result.metric);
      if ((first || alike) && result.measured) points.push_back(*result.measured);
    }
  }
  row.n = points.size();
  if (!points.empty()) row.measured = median(points);
  if (row.score != nullptr) row.measured = row.score->score_min;
}

}  // namespace

std::vector<FrontRow> front_rows(const ReportInput& input) {
  std::vector<FrontRow> rows;
  const ResultsByCase results = results_by_case(input.judgement);
  for (const bool screens : {false, true})
    for (const SuiteFacts* facts : suites_in_order()) {
      if (facts->screen != screens) continue;
      FrontRow row;
      row.suite = facts->id;
      for (const MeasuredCase& each : input.measured.cases)
        if (each.planned.suite == facts->id && !each.replaced && !each.planned.confirms)
          row.cases.push_back(&each);
      std::ranges::stable_partition(row.cases, [](const MeasuredCase* each) { return !is_own_case(*each); });
      for (const CriterionSeverity severity : {CriterionSeverity::mandatory, CriterionSeverity::advisory})
        for (const CriterionResult& each : input.judgement.criteria)
          if (each.suite == facts->id && each.severity == severity &&
              (row.criteria.empty() || row.criteria.front()->severity == severity))
            row.criteria.push_back(&each);
      for (const CriterionResult& each : input.judgement.criteria)
        if (each.suite == facts->id && each.severity != CriterionSeverity::mandatory &&
            each.verdict != Verdict::pass && row.criteria.front()->severity == CriterionSeverity::mandatory)
          row.open.push_back(&each);
      for (const CriterionResult& each : input.judgement.criteria)
        if (each.suite == facts->id && is_judged_limit(each)) row.limits.push_back(&each);
      put_headline(input, results, row);
      if (!row.cases.empty() || !row.criteria.empty()) rows.push_back(std::move(row));
    }
  return rows;
}

std::vector<FrontRow> rows_by_size(const ReportInput& input) {
  constexpr std::size_t most_sizes = 5;
  const ResultsByCase results = results_by_case(input.judgement);
  std::vector<FrontRow> rows;
  for (FrontRow& row : front_rows(input)) {
    std::map<std::pair<int, std::string_view>, FrontRow> sizes;  // the most nodes first
    if (row.criteria.empty())
      for (const MeasuredCase* each : row.cases)
        sizes[{-each->planned.nodes, each->benchmark}].cases.push_back(each);
    if (sizes.size() < 2) {
      rows.push_back(std::move(row));
      continue;
    }
    std::size_t left = sizes.size();
    for (auto& [size, part] : sizes) {
      if (sizes.size() - left == most_sizes) break;
      --left;
      part.suite = row.suite;
      part.is_size = true;
      put_headline(input, results, part);
      rows.push_back(std::move(part));
    }
    rows.back().more_sizes = left;
  }
  return rows;
}

namespace {

/// The case of a row's result, else its first.
const MeasuredCase& case_of_result(const FrontRow& row) {
  for (const MeasuredCase* each : row.cases)
    if (row.result != nullptr && each->planned.id == row.result->case_id) return *each;
  return *row.cases.front();
}

/// What a row's value is of several runs: "median of 3 cases"; of a suite that scores them together, whether
/// it is that score. Empty: one run's.
std::string runs_text(const CampaignRecord& campaign, const FrontRow& row) {
  const MeasuredCase& shown = case_of_result(row);
  const std::string_view mark = unreviewed_mark(shown.planned);
  if (row.score != nullptr) return score_words(shown.planned, *row.score);
  if (mark.empty() || row.n == 0) return row.n > 1 ? fmt::format("median of {} cases", row.n) : "";
  const SetScore* set = set_of_case(campaign, shown);
  const std::string why = set == nullptr ? "" : why_no_score(*set);
  return fmt::format("{}, {} and no {} score{}", mark,
                     row.n > 1 ? fmt::format("median of {} single runs", row.n) : "a single run",
                     suite_title(row.suite), why.empty() ? "" : fmt::format(" ({})", why));
}

/// "1 of 100 nodes", "8 nodes"; empty: the machine has one node, or the runs were each of another one.
std::string nodes_text(const CampaignRecord& campaign, const FrontRow& row, int nodes) {
  const int all = campaign.inventory.nodes();
  if (nodes >= 1 && nodes < all && (nodes > 1 || row.n < 2)) return fmt::format("{} of {} nodes", nodes, all);
  return nodes > (row.is_size ? 0 : 1) ? plural(nodes, "node") : "";
}

/// "8 nodes, N = 2 706 432; 12 cases".
std::string about_text(const CampaignRecord& campaign, const FrontRow& row) {
  if (row.cases.empty()) return "";
  const Case* shown = &case_of_result(row).planned;
  std::vector<std::string> parts;
  if (row.result != nullptr && !row.result->metric.empty()) parts.push_back(metric_title(row.result->metric));
  if (!shown->benchmark.empty()) parts.push_back(shown->benchmark);
  if (std::string size = size_text(case_of_result(row)); !size.empty()) {
    std::set<std::string> sizes;
    for (const MeasuredCase* each : row.cases)
      if (each->planned.benchmark == shown->benchmark) sizes.insert(size_text(*each));
    sizes.erase("");
    parts.push_back(sizes.size() < 2 ? std::move(size)
                    : row.n > 1      ? fmt::format("{} sizes", sizes.size())
                                     : fmt::format("{} (1 of {} sizes)", size, sizes.size()));
  }
  if (std::string nodes = nodes_text(campaign, row, shown->nodes); !nodes.empty())
    parts.push_back(std::move(nodes));
  if (std::string of_runs = runs_text(campaign, row); !of_runs.empty()) parts.push_back(std::move(of_runs));
  const std::size_t of = row.score == nullptr ? row.n : static_cast<std::size_t>(row.score->runs);
  std::set<std::string_view> benchmarks;
  for (const MeasuredCase* each : row.cases) benchmarks.insert(each->benchmark);
  if (benchmarks.size() > 1)
    parts.push_back(fmt::format("1 of {} workloads, all under Results and criteria", benchmarks.size()));
  else if (row.cases.size() > std::max<std::size_t>(1, of))
    parts.push_back(fmt::format("{} of {} cases", std::max<std::size_t>(1, of), row.cases.size()));
  if (row.more_sizes > 0)
    parts.push_back(fmt::format("and {} under Results and criteria",
                                plural(static_cast<std::int64_t>(row.more_sizes), "more size or workload",
                                       "more sizes or workloads")));
  return joined(parts, ", ");
}

/// ", N = 5760": the problem size of the case that a criterion shows.
std::string size_of(const FrontRow& row, const CriterionResult& criterion) {
  for (const MeasuredCase* each : row.cases)
    if (std::string size = size_text(*each); each->planned.id == criterion.case_id && !size.empty())
      return ", " + size;
  return "";
}

/// "Rmax, N = 16 896, worst of 100 nodes": of a criterion on every node, with the size on the worst.
std::string about_nodes(const FrontRow& row, const CriterionResult& criterion) {
  return fmt::format("{}{}, {}", metric_title(criterion.metric), size_of(row, criterion),
                     brief_worst_of_nodes(criterion));
}

/// Whether the run whose value a row shows was disturbed.
bool is_disturbed(const Judgement& judgement, const FrontRow& row) {
  return row.result != nullptr && row.measured &&
         std::ranges::any_of(judgement.disturbances, [&](const Disturbance& each) {
           return each.case_id == row.result->case_id && each.cause != Disturbance::Cause::not_recorded;
         });
}

/// "1 advisory limit undecided": what the state of the mandatory criteria would hide.
std::vector<std::string> open_limits(const FrontRow& row) {
  std::map<std::string, int> counts;
  for (const CriterionResult* each : row.open) ++counts[verdict_text(*each)];
  std::vector<std::string> texts;
  texts.reserve(counts.size());
  for (const auto& [word, count] : counts)
    texts.push_back(fmt::format("{} {}", plural(count, "advisory limit"), word));
  return texts;
}

/// Whether the official program itself marks phases of the shown run [INVALID] in its log.
bool marked_invalid(const FrontRow& row) {
  const MeasuredCase& shown = case_of_result(row);
  return !shown.own.empty() &&
         std::ranges::any_of(shown.own.back().result->parsed.phases,
                             [](const Phase& phase) { return phase.scored && !phase.valid; });
}

/// What may go with a state: what it leaves open, and that its value says nothing of speed.
std::string mark_text(const Judgement& judgement, const FrontRow& row, const CriterionResult* shown) {
  std::vector<std::string> marks = open_limits(row);
  if (row.result != nullptr && !row.result->mark.empty())
    marks.push_back(row.result->mark != short_of_rules ? row.result->mark
                    : marked_invalid(row) ? "short of the official rules: its log marks it [INVALID]"
                                          : "short of the official rules");
  const std::size_t marked = marks.size();
  if (row.result != nullptr && row.result->impossible)
    marks.emplace_back("no ratio to its reference: see Exceptions");
  if (!row.criteria.empty() && row.criteria.front()->severity != CriterionSeverity::mandatory)
    marks.emplace_back("advisory");
  const bool of_screen = row.result != nullptr && screen_of(row.result->efficiency_metric) != nullptr;
  const double efficiency = of_screen ? row.result->efficiency.value_or(0) : 0;
  if (marks.size() == marked && efficiency > 1)
    marks.push_back(fmt::format("{} of its reference, which is too low", percent_text(efficiency)));
  if ((shown == nullptr || shown->verdict == Verdict::pass) && is_disturbed(judgement, row))
    marks.emplace_back(all_disturbed(judgement.tally) ? "disturbed" : "disturbed: no measure of speed");
  return joined(marks, "; ");
}

/// The state of a row whose criteria pass, and none of which is a limit: that of its run. Only a limit that
/// is met is a pass.
std::optional<RunState> state_without_limit(const CampaignRecord& campaign, const FrontRow& row) {
  const bool only_validity =
      !row.cases.empty() && std::ranges::all_of(row.criteria, [](const CriterionResult* each) {
        return each->metric == "validity" && each->verdict == Verdict::pass;
      });
  return only_validity ? std::optional(run_state(campaign, case_of_result(row))) : std::nullopt;
}

/// The term of the glossary that explains a state; empty: it explains itself.
std::string_view term_of(const CriterionResult& criterion) {
  if (criterion.waived) return "waived";
  if (criterion.verdict == Verdict::undecided) return "undecided";
  return criterion.verdict == Verdict::not_comparable ? "not-comparable" : "";
}

constexpr std::size_t most_bars = 3;

/// On how many nodes each a criterion was judged; 0: on no case.
int run_size(const FrontRow& row, const CriterionResult& criterion) {
  for (const MeasuredCase* each : row.cases)
    if (each->planned.id == criterion.case_id) return each->planned.nodes;
  return 0;
}

/// What a bar is of where the row does not show it: "worst node", "8 nodes, N = 5760, fail", "advisory,
/// pass".
std::string bar_remark(const FrontRow& row, const CriterionResult& criterion, const CriterionResult& shown) {
  const bool is_shown = &criterion == &shown;
  std::vector<std::string> parts;
  if (!criterion.nodes.empty() && !is_shown) parts.emplace_back("worst node");
  const int size = run_size(row, criterion);
  if (criterion.nodes.empty() && size > 0 && size != run_size(row, shown))
    parts.push_back(plural(size, "node") + size_of(row, criterion));
  if (criterion.severity != CriterionSeverity::mandatory) parts.emplace_back("advisory");
  if (!is_shown) parts.push_back(verdict_text(criterion));
  if (criterion.measured.value_or(0) > 1 && criterion.metric == "efficiency_rpeak" && row.result != nullptr &&
      row.result->basis.find("base clock") != std::string::npos)
    parts.emplace_back("a turbo exceeds this peak");
  return joined(parts, ", ");
}

/// A percentage is not broken over two lines.
std::string unbroken(std::string text) {
  for (std::size_t at = text.find(" %"); at != std::string::npos; at = text.find(" %", at + 1))
    text.replace(at, 1, "\u00a0");
  return text;
}

/// A limit with what it is of, unless the row's value is that: "83.6 % ≥ 70.5 % of 111.2 GFLOP/s measured
/// GEMM".
std::string limit_text(const CriterionResult& criterion, const FrontRow& row, const std::string& limit) {
  const SuiteResult* result = row.result;
  if (result != nullptr && result->metric == criterion.metric) return unbroken(limit);
  const bool same = result != nullptr && result->efficiency_metric == criterion.metric &&
                    result->case_id == criterion.case_id && criterion.nodes.empty();
  if (same && result->efficiency && !result->basis.empty())
    return unbroken(fmt::format("{} {}", limit, result->basis));
  return unbroken(fmt::format("{} {}", metric_title(criterion.metric), limit));
}

/// The limits of a row, those of the criterion that it shows and those that fail in front.
std::vector<const CriterionResult*> limits_with_bar(const FrontRow& row, const CriterionResult& shown) {
  std::vector<const CriterionResult*> limits = row.limits;
  std::ranges::stable_sort(limits, std::greater<>(), [&](const CriterionResult* each) {
    return std::pair(each == &shown, weight(*each));
  });
  if (limits.size() > most_bars) limits.resize(most_bars);
  return limits;
}

/// "8 nodes: no result (≥ 5.000 GFLOP/s)", "99 nodes, N = 168 000: 8.265 TFLOP/s (valid)": what became of the
/// runs on other numbers of nodes than the row shows; those that do not pass, and of the others the largest.
std::vector<std::string> other_sizes(const Judgement& judgement, const FrontRow& row,
                                     const CriterionResult& shown) {
  const auto bars = limits_with_bar(row, shown);
  const int shown_size = run_size(row, shown);
  std::map<int, const CriterionResult*, std::greater<>> by_size;
  for (const CriterionResult* each : row.criteria) {
    const int size = run_size(row, *each);
    if (size == 0 || size == shown_size || !each->nodes.empty()) continue;
    const CriterionResult*& heaviest = by_size[size];
    if (heaviest == nullptr || weight(*each) > weight(*heaviest) ||
        (weight(*each) == weight(*heaviest) && each->limit && !heaviest->limit))
      heaviest = each;
  }
  std::vector<std::string> lines;
  bool any_passed = false;
  for (const auto& [size, each] : by_size) {
    const bool passed = each->verdict == Verdict::pass;
    if (std::ranges::find(bars, each) != bars.end() || (passed && any_passed)) continue;
    any_passed = any_passed || passed;
    const auto result = std::ranges::find_if(judgement.suite_results, [&](const SuiteResult& of) {
      return of.case_id == each->case_id && of.measured;
    });
    const std::string state = passed && each->metric == "validity" ? "valid" : verdict_text(*each);
    std::string value;
    if (result != judgement.suite_results.end() && each->verdict != Verdict::not_run && result->measured)
      value = metric_text(result->metric, result->measured.value_or(0));
    const std::string limit = each->limit ? fmt::format("{} {}", relation(each->direction, true),
                                                        metric_text(each->metric, *each->limit))
                                          : "";
    lines.push_back(unbroken(fmt::format("{}{}: {}{}", plural(size, "node"), size_of(row, *each),
                                         value.empty() ? state : value,
                                         !value.empty()  ? fmt::format(" ({})", state)
                                         : limit.empty() ? ""
                                                         : fmt::format(" ({})", limit))));
  }
  return lines;
}

/// The value is left out where it is the row's result.
std::vector<Fields> limit_bars(const FrontRow& row, const CriterionResult& shown, std::string_view result) {
  return rows_of(limits_with_bar(row, shown), [&](const CriterionResult* each) {
    const ShownPair pair = shown_beside(each->metric, *each->measured, *each->limit);
    const bool passed = each->verdict == Verdict::pass;
    return Fields()
        .markup("bar",
                bullet_bar({*each->measured, each->limit, std::nullopt,
                            fmt::format("{}: measured {}, limit {}", each->id, pair.value, pair.limit)}))
        .text("against", limit_text(*each, row,
                                    // Beside the result stands what is asked for, else what was found.
                                    pair.value == result
                                        ? fmt::format("{} {}", relation(each->direction, true), pair.limit)
                                        : fmt::format("{} {} {}", pair.value,
                                                      relation(each->direction, passed), pair.limit)))
        .text_if("of", bar_remark(row, *each, shown));
  });
}

}  // namespace

bool all_disturbed(const Tally& tally) {
  return tally.disturbed > 1 && tally.disturbed == tally.runs;
}

Fields front_row(const ReportInput& input, const FrontRow& row) {
  Fields fields;
  const SuiteFacts* facts = suite_facts(row.suite);
  const CriterionResult* shown = shown_criterion(row);
  // A criterion on every node is judged by the worst one: that value stands beside it, not the whole
  // system's.
  const bool of_nodes = shown != nullptr && !shown->nodes.empty() && shown->measured && !shown->withheld &&
                        shown->metric != "validity";
  std::string result(empty_cell);
  if (of_nodes)
    result = metric_text(shown->metric, *shown->measured);
  else if (row.result != nullptr)
    result = row.measured ? metric_text(row.result->metric, *row.measured) : row.result->absent;
  fields
      .text("suite", row.cases.empty() ? std::string(facts == nullptr ? row.suite : facts->title)
                                       : benchmark_title(row.cases.front()->planned))
      .text("about", of_nodes ? about_nodes(row, *shown) : about_text(input.campaign, row))
      .text("result", result)
      .text_if("mark", mark_text(input.judgement, row, shown));
  const auto state = [&](Verdict verdict, std::string_view word, std::string icon) {
    fields
        .text_if("term", verdict == Verdict::pass && word == "Valid" ? "valid"
                         : word == "Complete"                        ? "complete"
                         : word == "Not judged"                      ? "not-judged"
                         : shown == nullptr                          ? ""
                                                                     : term_of(*shown))
        .text("word", word)
        .text("class", verdict_class(verdict))
        .markup("icon", std::move(icon));
  };
  if (shown == nullptr) {
    fields.list("bars", {}).list("not_judged", {}).text_if("more_bars", "");
    const bool any =
        std::ranges::any_of(row.cases, [](const MeasuredCase* each) { return !each->own.empty(); });
    const RunState run = run_state(input.campaign, case_of_result(row));
    if (any && run == RunState::invalid)
      state(Verdict::invalid, fmt::format("{}, not judged", marked_invalid(row) ? "[INVALID]" : "Invalid"),
            verdict_icon(Verdict::invalid));
    else if (any)
      state(Verdict::not_run, "Not judged", verdict_icon(Verdict::not_run));
    else
      state(as_verdict(run), capitalised(to_string(run)), state_icon(run));
    return fields;
  }
  const bool judged = std::ranges::find(row.limits, shown) != row.limits.end();
  std::vector<std::string> open = other_sizes(input.judgement, row, *shown);
  if (shown->limit && !judged)
    open.insert(open.begin(), limit_text(*shown, row,
                                         fmt::format("{} {}", relation(shown->direction, true),
                                                     metric_text(shown->metric, *shown->limit))));
  fields.list("bars", limit_bars(row, *shown, result))
      .list("not_judged", rows_of(open, [](const std::string& text) { return Fields().text("text", text); }))
      .text_if("more_bars", row.limits.size() > most_bars
                                ? fmt::format("{} more limits below", row.limits.size() - most_bars)
                                : "");
  if (const auto of_run = state_without_limit(input.campaign, row))
    state(as_verdict(*of_run), capitalised(to_string(*of_run)), state_icon(*of_run));
  else
    state(shown->verdict, capitalised(verdict_text(*shown)), verdict_icon(shown->verdict));
  return fields;
}

}  // namespace shakedown
