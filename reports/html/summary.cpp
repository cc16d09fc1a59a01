#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/case_text.hpp"
#include "reports/html/comparison_table.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/other_cases.hpp"
#include "reports/html/page.hpp"
#include "reports/html/suite_runs.hpp"
#include "reports/html/suite_table.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/each_node.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {

namespace {

constexpr size_t most_rows = 60;
constexpr size_t most_exceptions = 20;
constexpr size_t most_disturbances = 8;  // the sign-off shares their page

/// The published value beside a criterion; none where the baseline is for orientation alone.
const Comparison* comparison_of(const CriterionResult& result, const Judgement& judgement) {
  if (judgement.orientation) return nullptr;
  for (const Comparison& comparison : judgement.comparisons)
    if (comparison.case_id == result.case_id && comparison.metric == result.metric) return &comparison;
  return nullptr;
}

void record_verdict(Fields& fields, Verdict verdict) {
  fields.text("class", verdict_class(verdict)).markup("icon", verdict_icon(verdict));
}

const ReferenceResult* reference_of(const CriterionResult& result, ReferenceKind kind) {
  const auto found = std::ranges::find(result.references, kind, &ReferenceResult::kind);
  return found == result.references.end() ? nullptr : &*found;
}

/// The published value that a criterion names, else the one that its case is compared with.
std::optional<double> published_value(const CriterionResult& result, const Judgement& judgement) {
  if (const ReferenceResult* named = reference_of(result, ReferenceKind::published)) return named->value;
  const Comparison* compared = comparison_of(result, judgement);
  return compared == nullptr ? std::nullopt : compared->baseline;
}

/// A reference as a cell: its value, and where it is doubtful the status of its row.
std::string reference_text(const CriterionResult& result, ReferenceKind kind) {
  const ReferenceResult* found = reference_of(result, kind);
  if (found == nullptr) return std::string(empty_cell);
  const BaselineStatus status = found->status.value_or(BaselineStatus::ok);
  return metric_text(result.metric, found->value) +
         (status == BaselineStatus::ok ? "" : fmt::format(" ({})", to_string(status)));
}

std::string published_text(const CriterionResult& result, const Judgement& judgement) {
  if (reference_of(result, ReferenceKind::published) != nullptr)
    return reference_text(result, ReferenceKind::published);
  const auto value = published_value(result, judgement);
  return value ? metric_text(result.metric, *value) : std::string(empty_cell);
}

/// "by the board until 2027-03-31: the switch is on order"; empty: no waiver lifts it.
std::string waived_text(const CriterionResult& result) {
  if (!result.waived) return "";
  const Waiver waiver = result.waiver.value_or(Waiver());
  return fmt::format("by {}, until {}: {}", waiver.approver, waiver.expires, waiver.reason);
}

/// Which values are shown beside the criteria: columns that would be empty are omitted.
void put_reference_columns(Fields& page, const Judgement& judgement) {
  const auto any = [&](ReferenceKind kind) {
    return std::ranges::any_of(judgement.criteria, [&](const CriterionResult& result) {
      return reference_of(result, kind) != nullptr;
    });
  };
  page.flag("published", !judgement.orientation || any(ReferenceKind::published))
      .flag("contract", any(ReferenceKind::contract))
      .flag("accepted", any(ReferenceKind::last_accepted))
      .flag("scale", !any(ReferenceKind::contract) &&
                         !any(ReferenceKind::last_accepted));  // their columns take its place
}

/// What stands below a criterion's finding, a sentence each.
std::vector<std::string> remarks_of(const CriterionResult& result) {
  std::vector<std::string> remarks = node_reasons(result);
  if (!result.remedy.empty()) remarks.push_back(capitalised(result.remedy));
  return remarks;
}

Fields criterion_row(const CriterionResult& result, const ReportInput& input) {
  const Judgement& judgement = input.judgement;
  std::string measured(empty_cell);
  std::string limit(empty_cell);
  std::string delta(empty_cell);
  std::string bar;
  if (result.limit)
    limit = fmt::format("{} {}", relation(result.direction, true), metric_text(result.metric, *result.limit));
  if (result.measured && result.limit && !result.withheld) {
    const ShownPair shown = shown_beside(result.metric, *result.measured, *result.limit);
    measured = shown.value;
    limit = fmt::format("{} {}", relation(result.direction, true), shown.limit);
    const bool decided = result.verdict == Verdict::pass || result.verdict == Verdict::fail;
    if (*result.limit != 0 && decided) delta = distance_text(*result.measured, *result.limit);
    const std::optional<double> baseline = published_value(result, judgement);
    const std::string label =
        fmt::format("{}: measured {}, limit {}{}", result.id, measured, shown.limit,
                    baseline ? ", published " + metric_text(result.metric, *baseline) : "");
    if (decided) bar = bullet_bar({*result.measured, result.limit, baseline, label});
  } else if (result.metric == "validity" && result.verdict == Verdict::pass) {
    measured = result.is_short ? "complete" : "valid";
  } else if (result.verdict == Verdict::invalid) {
    measured = "invalid";
  }
  Fields row;
  row.text("suite", result.suite.empty() ? "" : benchmark_title(input.measured, result.case_id, result.suite))
      .flag("advisory", result.severity != CriterionSeverity::mandatory)
      .text_if("asks", result.full_title())
      .text_if("because", result.because == "the result is valid" ? "" : capitalised(result.because))
      .list("nodes",
            rows_of(remarks_of(result), [](const std::string& text) { return Fields().text("text", text); }))
      .text("measured", measured)
      .text("limit", limit)
      .text("delta", delta)
      .text("contract_value", reference_text(result, ReferenceKind::contract))
      .text("baseline", published_text(result, judgement))
      .text("accepted_value", reference_text(result, ReferenceKind::last_accepted))
      .text_if("waived", waived_text(result))
      .text("word", capitalised(verdict_text(result)));
  record_verdict(row, result.verdict);
  bar.empty() ? row.flag("bar", false) : row.markup("bar", bar);
  return row;
}

/// Why no official list takes a result; empty: one takes each.
std::string ineligible_text(const Tally& tally) {
  return tally.ineligible.empty() && tally.eligibility_open == 0 ? "" : eligibility(tally) + ".";
}

/// The first of `all` as rows, and how many more there are.
std::vector<Fields> sentence_rows(std::vector<std::string> all) {
  const size_t more = all.size() > most_exceptions ? all.size() - most_exceptions : 0;
  all.resize(all.size() - more);
  if (more > 0) all.push_back(fmt::format("And {} more, listed in results.json", more));
  return rows_of(all, [](const std::string& text) { return Fields().text("text", text + "."); });
}

std::vector<Fields> exception_rows(const ReportInput& input) {
  return sentence_rows(exceptions(input.campaign, input.judgement));
}

/// Whether a disturbance is of a run that a mandatory criterion without a pass was judged on, or of its
/// reference.
bool decides(const Judgement& judgement, const Disturbance& disturbance) {
  return std::ranges::any_of(judgement.criteria, [&](const CriterionResult& each) {
    const bool open = each.severity == CriterionSeverity::mandatory && each.verdict != Verdict::pass;
    return open && (each.disturbed == disturbance.sentence || each.case_id == disturbance.case_id);
  });
}

/// The table of what disturbed the runs: those that decide first, and all of them; then the others.
void put_disturbances(Fields& page, const ReportInput& input) {
  const Judgement& judgement = input.judgement;
  std::vector<Disturbance> all = judgement.disturbances;
  const auto others =
      std::ranges::stable_partition(all, [&](const Disturbance& each) { return decides(judgement, each); });
  // The most of each cause, which the verdict states.
  std::ranges::stable_sort(others, std::greater<>(), [&](const Disturbance& each) {
    return std::ranges::none_of(all, [&](const Disturbance& other) {
      return other.cause == each.cause && other.amount > each.amount;
    });
  });
  const auto shown = std::clamp(all.size() - others.size(), most_disturbances, most_rows);
  std::vector<Fields> rows;
  for (size_t i = 0; i < std::min(shown, all.size()); ++i) {
    const Disturbance& each = all[i];
    rows.push_back(
        Fields()
            .text("benchmark",
                  fmt::format("{}, attempt {}", benchmark_title(input.measured, each.case_id, each.suite),
                              each.attempt))
            .text("case", each.case_id)
            .text("cause", disturbing(each.cause))
            .text_if("programs", each.programs)
            .text("measured", each.measured.empty() ? std::string(empty_cell) : each.measured)
            .text("limit", each.limit.empty() ? std::string(empty_cell) : each.limit));
  }
  const size_t more = all.size() - rows.size();
  page.flag("has_disturbances", !rows.empty())
      .list("disturbances", std::move(rows))
      .text_if("more_disturbances", more > 0 ? fmt::format("{} more in results.json.", more) : "");
}

/// "SAKURAONE" for "sakuraone": a baseline's name in a sentence.
std::string upper_name(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

/// Of a campaign without exceptions: what is known of disturbances.
std::string no_exceptions_text(const CampaignRecord& campaign, const Criteria* criteria, bool has_alarms,
                               bool has_warnings) {
  std::string all = fmt::format("None{}: every attempt finished with a result, and nothing was refused.",
                                has_alarms     ? " besides those of the first page"
                                : has_warnings ? " besides the warnings below"
                                               : "");
  if (criteria != nullptr && (criteria->steal || criteria->load))
    return fmt::format("{} Nothing disturbed the runs beyond the limits of the criteria.", all);
  const Conditions* worst = nullptr;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      if (attempt.conditions &&
          (worst == nullptr || attempt.conditions->foreign_cores > worst->foreign_cores))
        worst = &*attempt.conditions;
  if (worst == nullptr) return all;
  return fmt::format(
      "{} {} no limit for disturbances: other processes used up to {:.2f} of {} cores during a run.", all,
      criteria == nullptr ? "Without criteria there is" : "The criteria state", worst->foreign_cores,
      number(worst->cores, 0));
}

std::vector<Fields> facts(const ReportInput& input) {
  const bool oriented = input.judgement.orientation.has_value();
  const std::string_view limits =
      input.judgement.criteria.empty() ? "" : "; a limit that is derived from one names it as its source";
  return {fact("Comparison",
               input.baseline == nullptr ? "None"
               : oriented ? fmt::format("None; the published values of {} were measured under conditions "
                                        "that differ or are not known{}",
                                        upper_name(input.baseline->name), limits)
                          : "Published values of " + upper_name(input.baseline->name),
               input.baseline == nullptr ? "" : input.baseline->sha256.substr(0, 16))};
}

Result<std::string> summary_section(const ReportInput& input) {
  const Judgement& judgement = input.judgement;
  Fields page;
  page.text_if("counts", criteria_counts(judgement))
      .text_if("ineligible", ineligible_text(judgement.tally))
      .list("facts", facts(input));
  std::vector<Fields> suites = suite_rows(judgement.suite_results, input.measured);
  const size_t hidden = suites.size() - std::min(most_rows, suites.size());
  suites.resize(suites.size() - hidden);
  const bool any_predicted = std::ranges::any_of(
      judgement.suite_results, [](const SuiteResult& each) { return each.predicted.has_value(); });
  const bool grouped_rows = !like_nodes(input.measured).empty();  // they state median and least there
  const bool any_reference = std::ranges::any_of(judgement.suite_results,
                                                 [](const SuiteResult& each) { return !each.basis.empty(); });
  page.flag("show_predicted", any_predicted).flag("show_efficiency", any_reference || grouped_rows);
  page.flag("has_suites", !suites.empty())
      .list("suites", std::move(suites))
      .text_if("too_short", too_short(judgement.suite_results))
      .text_if("more_suites", hidden > 0 ? fmt::format("{} more in results.json.", hidden) : "");

  std::vector<Fields> criteria;
  for (const CriterionResult& result : judgement.criteria)
    if (criteria.size() < most_rows) criteria.push_back(criterion_row(result, input));
  for (Fields& row : left_out_rows(judgement.left_out)) criteria.push_back(std::move(row));
  page.text("no_criteria", judgement.check
                               ? "None: a scheduled check is judged by the checks before it, below."
                               : "No criteria were given: nothing was judged.");
  page.flag("has_criteria", !criteria.empty()).list("criteria", std::move(criteria));
  put_reference_columns(page, judgement);

  put_comparisons(page, input);
  put_disturbances(page, input);
  const CriteriaRevision judging = judging_criteria(input.campaign);
  const auto criteria_stated = read_criteria(judging.text, judging.name);
  std::vector<Fields> list = exception_rows(input);
  std::vector<Fields> warnings = sentence_rows(warnings_before(input.measured));
  const bool has_warnings = !warnings.empty();
  page.flag("has_warnings", has_warnings).list("warnings", std::move(warnings));
  page.flag("has_exceptions", !list.empty())
      .flag("beside_alarms", !judgement.alarms.empty())
      .text_if("no_exceptions",
               list.empty() && judgement.disturbances.empty()
                   ? no_exceptions_text(input.campaign, criteria_stated ? &*criteria_stated : nullptr,
                                        !judgement.alarms.empty(), has_warnings)
                   : "")
      .list("exceptions", std::move(list));
  std::vector<std::string> rules;
  for (const SuiteFacts* suite : suites_in_order())
    if (const std::string open = open_rules(input, suite->id); !open.empty())
      rules.push_back(fmt::format("{}: {}", suite_title(suite->id), open));
  page.flag("has_rules", !rules.empty()).list("rules", sentence_rows(rules));
  return filled("summary.mustache", page);
}

std::vector<ContentsLine> summary_contents(const ReportInput& /*input*/) {
  return {{"results", "Results and criteria"}};
}

}  // namespace

namespace report_section {
extern const ReportSection summary;
const ReportSection summary = {.rank = 5, .contents = summary_contents, .html = summary_section};
}  // namespace report_section

}  // namespace shakedown
