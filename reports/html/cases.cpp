#include <algorithm>
#include <cmath>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/case_text.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/log_excerpt.hpp"
#include "reports/html/other_cases.hpp"
#include "reports/html/page.hpp"
#include "reports/html/rule_table.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/set_score.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr size_t most_columns = 4;
constexpr size_t most_attempts = 100;

/// The median of a metric over the results that may be used; nothing where there is none. The time from start
/// to end is the attempt's, not the log's.
std::optional<double> median_of(const MeasuredCase& record, std::string_view metric) {
  std::vector<double> points;
  if (metric == "wall_time_s")
    for (const AttemptRecord& attempt : record.attempts)
      if (attempt.state == AttemptState::finished) points.push_back(attempt.wall_s);
  for (const CountedResult& counted : record.own)
    if (const Metric* found = counted.result->parsed.metric(metric);
        found != nullptr && usable(*counted.result))
      points.push_back(found->value);
  return points.empty() ? std::nullopt : std::optional(median(points));
}

Fields prediction_row(const MeasuredCase& record, const Prediction& predicted) {
  const auto measured = median_of(record, predicted.metric);
  std::string deviation(dash);
  std::string inside = "not measured";
  if (measured) {
    inside = *measured >= predicted.low && *measured <= predicted.high ? "yes" : "no";
    if (predicted.value != 0) {
      const double over = *measured / predicted.value - 1;
      deviation = (over > 0 ? "+" : "") + percent_text(over);
    }
  }
  const std::string range = range_text(predicted.metric, predicted.low, predicted.high);
  Fields row;
  row.text("metric", capitalised(metric_title(predicted.metric)))
      .text("measured", measured ? metric_text(predicted.metric, *measured) : std::string(dash));
  return row.text("value", metric_text(predicted.metric, predicted.value))
      .text("band", range)
      .text("deviation", deviation)
      .text("inside", inside);
}

/// The useful predictions beside what was measured; of the others why they are none.
void put_predictions(Fields& section, const MeasuredCase& record, const NodeGroup* node) {
  std::vector<Fields> rows;
  std::vector<std::string> useless;
  std::string why;
  for (const Prediction& predicted : record.planned.predicted) {
    const std::string reason = is_peak_alone(predicted, record.planned)
                                   ? std::string(not_yet_predicted)
                                   : no_useful_prediction(predicted, record.planned, node);
    if (reason.empty())
      rows.push_back(prediction_row(record, predicted));
    else
      useless.push_back(metric_title(predicted.metric)), why = reason;
  }
  section.flag("has_predicted", !rows.empty())
      .list("predicted", std::move(rows))
      .text_if("not_predicted",
               useless.empty() ? "" : fmt::format("{}: {}.", capitalised(joined(useless, ", ")), why));
}

/// The metrics that get a column: those of the first results, in the parser's order.
std::vector<std::string> columns(const MeasuredCase& record) {
  std::vector<std::string> names;
  for (const CountedResult& counted : record.counted)
    for (const Metric& metric : counted.result->parsed.metrics)
      if (names.size() < most_columns && metric.name.find("_trial_") == std::string::npos &&
          std::find(names.begin(), names.end(), metric.name) == names.end())
        names.push_back(metric.name);
  return names;
}

/// A row of the table of attempts is made of these.
struct AttemptRow {
  const CampaignRecord& campaign;
  const MeasuredCase& record;
  const AttemptRecord& attempt;
  const ResultRecord* result = nullptr;  ///< null: it gave none
  bool is_median = false;
  bool only_short = false;  ///< invalid by rules of run length alone
};

std::string_view started_title(const CampaignRecord& campaign) {
  return is_external(campaign) ? "When, by the log" : "Started (UTC)";
}

Fields attempt_row(const AttemptRow& of, const std::vector<std::string>& names) {
  const AttemptRecord& attempt = of.attempt;
  const ResultRecord* result = of.result;
  std::vector<Fields> values = rows_of(names, [&](const std::string& name) {
    return Fields().text("title", capitalised(metric_title(name))).text("value", value_of(result, name));
  });
  const RunState state = run_state(of.campaign, of.record, attempt, result);
  Fields row;
  row.text("name", fmt::format("{}", attempt.index))
      .text_if("which", benchmark_among(attempt, result))
      .flag("median", of.is_median)
      .text_if("remark", of.only_short ? correct_but_short(result->parsed.suite) : "")
      .text("ended", ending_without_reason(attempt))
      .text_if("hosts", other_hosts(of.record.planned, attempt))
      .text("started", attempt.started_s > 0 ? utc_text(attempt.started_s)
                       : result == nullptr   ? std::string(dash)
                                             : started_text(result->parsed))
      .text("wall", attempt.finished_s > 0 ? duration_text(attempt.wall_s) : std::string(dash))
      .list("values", std::move(values))
      .text("class", verdict_class(as_verdict(state)))
      .markup("icon", state_icon(state))
      .text("state", fmt::format("{}{}", run_state_text(of.campaign, of.record, attempt, result),
                                 attempt.set_aside.empty()
                                     ? ""
                                     : "; disturbed, its speed does not count: that of its repeat does"))
      .text("steal", attempt.conditions ? percent_text(attempt.conditions->steal_ratio) : std::string(dash))
      .text("foreign", attempt.conditions ? fmt::format("{:.2f} of {}", attempt.conditions->foreign_cores,
                                                        number(attempt.conditions->cores, 1))
                                          : std::string(dash));
  return row;
}

/// The result whose rate lies nearest to the median; null if fewer than three make the median.
const ResultRecord* median_result(const MeasuredCase& record) {
  const std::string_view metric = rate_metric(record.planned.suite);
  const auto middle = metric.empty() ? std::nullopt : median_of(record, metric);
  const ResultRecord* nearest = nullptr;
  double least = 0;
  size_t points = 0;
  for (const CountedResult& counted : record.own) {
    const Metric* rate = counted.result->parsed.metric(metric);
    if (!middle || rate == nullptr || !usable(*counted.result)) continue;
    ++points;
    const double distance = std::abs(rate->value - *middle);
    if (nearest == nullptr || distance < least) {
      nearest = counted.result;
      least = distance;
    }
  }
  return points < 3 ? nullptr : nearest;
}

void put_attempts(Fields& section, const CampaignRecord& campaign, const MeasuredCase& record) {
  const std::vector<std::string> names = columns(record);
  std::vector<Fields> titles = rows_of(
      names, [](const auto& name) { return Fields().text("title", capitalised(metric_title(name))); });
  const ResultRecord* middle = median_result(record);
  std::vector<Fields> rows;
  const size_t shown = std::min(most_attempts, record.attempts.size());
  for (size_t i = 0; i < shown; ++i) {
    const AttemptRecord& attempt = record.attempts[i];
    if (attempt.results.empty())
      rows.push_back(attempt_row({.campaign = campaign, .record = record, .attempt = attempt}, names));
    for (const ResultRecord& result : attempt.results)
      rows.push_back(attempt_row({.campaign = campaign,
                                  .record = record,
                                  .attempt = attempt,
                                  .result = &result,
                                  .is_median = &result == middle,
                                  .only_short = valid_but_for_length(campaign, result)},
                                 names));
  }
  section.text("started_title", started_title(campaign));
  section.list("columns", std::move(titles)).list("attempts", std::move(rows));
  section.text_if("more_attempts",
                  record.attempts.size() > shown
                      ? fmt::format("{} more in results.json.", record.attempts.size() - shown)
                      : "");
}

void put_files(Fields& section, const MeasuredCase& record) {
  std::vector<Fields> rows;
  for (const AttemptRecord& attempt : record.attempts)
    for (const FileRecord& file : attempt.files)
      if (rows.size() < most_attempts)
        rows.push_back(
            Fields().text("name", attempt.run_folder + "/" + file.name).text("sha256", file.sha256));
  section.flag("has_files", !rows.empty()).list("files", std::move(rows));
}

std::string job_script_of(const AttemptRecord& attempt) {
  const auto file = std::ranges::find(attempt.files, job_script_file, &FileRecord::name);
  return file == attempt.files.end() ? "" : file->excerpt;
}

/// The job script; the run directory has the whole of a long one.
void put_job(Fields& section, const MeasuredCase& record) {
  static constexpr size_t most_bytes = 512;
  std::string job = record.attempts.empty() ? "" : job_script_of(record.attempts.back());
  std::string cut;
  if (job.size() > most_bytes) {
    cut = fmt::format("Its first lines of {}; the whole lies in {}.",
                      bytes_text(static_cast<double>(job.size())), record.attempts.back().run_folder);
    job.resize(job.rfind('\n', most_bytes) == std::string::npos ? most_bytes : job.rfind('\n', most_bytes));
  }
  section.text_if("job", job).text_if("job_cut", cut);
}

/// One case with all its evidence.
Result<std::string> case_section(const CampaignRecord& campaign, const MeasuredCase& record) {
  const Case& planned = record.planned;
  Case ran = planned;
  if (!record.attempts.empty())
    if (std::string hosts = other_hosts(planned, record.attempts.back()); !hosts.empty())
      ran.hosts = std::move(hosts);
  Fields section;
  section.text("anchor", case_anchor(planned.id))
      .text("suite", benchmark_title(planned))
      .text("id", planned.id)
      .text("lead", case_lead(ran) +
                        (record.not_run.empty() ? "" : fmt::format(" Not run again: {}.", record.not_run)))
      .flag("reference", is_own_program(planned) && !is_screen(planned.suite))
      .text_if("model", model_shown(planned.model));
  const std::string_view mark = unreviewed_mark(planned);
  const SuiteFacts* facts = suite_facts(planned.suite);
  section.text_if("unreviewed", mark)
      .text("footnote",
            mark.empty() || facts == nullptr || !facts->unreviewed ? "" : facts->unreviewed->footnote);
  section.flag("has_notes", !planned.warnings.empty())
      .list("notes", rows_of(planned.warnings,
                             [](const std::string& warning) { return Fields().text("text", warning); }));
  // Those that the reasons don't name.
  std::vector<Fields> parameters;
  for (const Parameter& parameter : planned.parameters)
    if (std::ranges::find(planned.why, parameter.name, &Reason::what) == planned.why.end())
      parameters.push_back(fact(parameter.name, value_shown(parameter.value)));
  section.flag("has_parameters", !parameters.empty()).list("parameters", std::move(parameters));
  section.flag("has_why", !planned.why.empty()).list("why", reason_rows(planned.why));
  put_predictions(section, record, node_group(campaign.inventory, planned));
  put_attempts(section, campaign, record);
  std::vector<Fields> phases = phase_rows(record);
  section.flag("has_phases", !phases.empty()).list("phases", std::move(phases));
  section.list("rule_groups", rule_tables(campaign, record)).list("logs", log_excerpts(record));
  put_files(section, record);
  put_job(section, record);
  return filled("case.mustache", section);
}

std::vector<ContentsLine> cases_contents(const ReportInput& input) {
  const std::vector<bool> sections = sections_of(input.measured);
  if (std::ranges::find(sections, true) == sections.end()) return {};
  return {{"runs", "Runs in full"}};
}

Result<std::string> cases_section(const ReportInput& input) {
  std::vector<const MeasuredCase*> cases;
  const std::vector<bool> sections = sections_of(input.measured);
  for (size_t i = 0; i < input.measured.cases.size(); ++i)
    if (sections[i]) cases.push_back(&input.measured.cases[i]);
  std::ranges::stable_sort(cases, {},
                           [](const MeasuredCase* each) { return reported_place(each->planned.suite); });
  std::string all;
  for (const MeasuredCase* each : cases) {
    const auto section = case_section(input.campaign, *each);
    if (!section) return section;
    all += *section;
  }
  return all.empty()
             ? all
             : filled("cases.mustache", Fields()
                                            .flag("external", is_external(input.campaign))
                                            .flag("has_others", cases.size() < input.measured.cases.size())
                                            .markup("cases", all));
}

}  // namespace

namespace report_section {
extern const ReportSection cases;
const ReportSection cases = {.rank = 100, .contents = cases_contents, .html = cases_section};
}  // namespace report_section

}  // namespace shakedown
