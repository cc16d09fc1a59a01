#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/time_plots.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

/// Whether an attempt was disturbed more than the criteria allow.
bool is_disturbed(const Judgement& judgement, const std::string& case_id, int attempt) {
  const auto is_it = [&](const Disturbance& each) {
    return each.case_id == case_id && each.attempt == attempt;
  };
  return std::ranges::any_of(judgement.disturbances, is_it) ||
         std::ranges::any_of(judgement.set_aside, is_it);
}

/// The cores that the hypervisor may take of a run; nothing where the criteria state no limit.
std::optional<double> cores_for_hypervisor(const Criteria& criteria, const Conditions& conditions) {
  if (const auto& steal = criteria.steal) return steal->limit * conditions.cores;
  return std::nullopt;
}

std::string limit_shown(const std::optional<double>& cores) {
  return cores ? fmt::format("{:.2f}", std::max(0.0, *cores)) : std::string(dash);
}

/// ", 0.10 cores for other processes, 0.04 cores for the hypervisor": limits that all runs share.
std::string only_limits(const std::vector<TimedRun>& runs) {
  const auto shared = [&](std::optional<double> TimedRun::*limit, std::string_view whose) {
    std::set<std::string> all;
    for (const TimedRun& run : runs) all.insert(limit_shown(run.*limit));
    return all.size() == 1 && (runs.front().*limit).has_value()
               ? fmt::format(", {} cores for {}", *all.begin(), whose)
               : "";
  };
  return shared(&TimedRun::limit_cores, "other processes") +
         shared(&TimedRun::stolen_limit_cores, "the hypervisor");
}

/// Whether a run lies beyond a limit of the criteria, disturbed by what counts or not.
bool is_beyond(const TimedRun& run) {
  return (run.limit_cores && run.others_cores > *run.limit_cores) ||
         (run.stolen_limit_cores && run.stolen_cores > *run.stolen_limit_cores);
}

/// "; beyond a limit, and without effect: a, attempt 1 (left no result)": runs that look as if they had
/// spoilt a result. Empty: there is none.
std::string without_effect(const std::vector<TimedRun>& runs, const Judgement& judgement) {
  static constexpr std::size_t most_named = 2;
  std::vector<std::string> found;
  for (const TimedRun& run : runs) {
    const auto is_it = [&](const Disturbance& each) {
      return run.name == fmt::format("{}, attempt {}", each.case_id, each.attempt);
    };
    if (is_beyond(run) && std::ranges::none_of(judgement.disturbances, is_it))
      found.push_back(fmt::format("{} ({})", run.name,
                                  std::ranges::any_of(judgement.set_aside, is_it)
                                      ? "measured again, its speed does not count"
                                      : "it left no result that counts"));
  }
  if (found.empty()) return "";
  const std::size_t more = found.size() - std::min(most_named, found.size());
  found.resize(found.size() - more);
  return "; beyond a limit, without effect on any verdict: " + joined(found, ", ") +
         (more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

std::optional<Figure> disturbance_figure(const ReportInput& input) {
  static constexpr std::size_t most_shown = 60;  // of more each would be a sliver
  static constexpr std::size_t most_plot_rows = 6;
  static constexpr std::size_t spans = 48;
  static constexpr std::size_t most_table_rows = 40;
  std::vector<TimedRun> runs;
  const CriteriaRevision judging = judging_criteria(input.campaign);
  const auto criteria = read_criteria(judging.text, judging.name);
  for (const CaseRecord& record : input.campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      if (attempt.conditions && attempt.started_s > 0 && attempt.finished_s > attempt.started_s)
        runs.push_back(
            {.name = fmt::format("{}, attempt {}", record.planned.id, attempt.index),
             .from_s = attempt.started_s,
             .to_s = attempt.finished_s,
             .others_cores = attempt.conditions->foreign_cores,
             .stolen_cores = attempt.conditions->steal_ratio * attempt.conditions->cores,
             .beyond_limit = is_disturbed(input.judgement, record.planned.id, attempt.index),
             .limit_cores = criteria ? cores_for_others(record.planned, attempt, *criteria) : std::nullopt,
             .stolen_limit_cores =
                 criteria ? cores_for_hypervisor(*criteria, *attempt.conditions) : std::nullopt});
  if (runs.size() < 2) return std::nullopt;
  const auto lost = [](const TimedRun& run) { return run.others_cores + run.stolen_cores; };
  std::ranges::stable_sort(runs, {}, &TimedRun::from_s);
  const std::size_t rows = std::ranges::max(rows_without_overlap(runs)) + 1;
  const bool in_spans = runs.size() > most_shown || rows > most_plot_rows;
  const bool limited = std::ranges::any_of(runs, [](const TimedRun& run) {
    return run.limit_cores.has_value() || run.stolen_limit_cores.has_value();
  });
  const bool out_of_reach = criteria && criteria->load && std::ranges::none_of(runs, [](const TimedRun& run) {
                              return run.limit_cores.has_value();
                            });
  Figure figure{
      .title = "Disturbance over time",
      .caption = fmt::format(
          "cores that other processes used (filled, left half of each {0}{1}) and that the hypervisor "
          "took (outline, right half), mean of each run{2}; {0}s are shaded{4}; {3}{5}",
          in_spans ? "span" : "run",
          limited ? "; orange: a run disturbed by these, or whose repetitions differ" : "",
          in_spans ? fmt::format(", the most of the {} runs in each span of time", runs.size()) : "",
          (limited        ? "lines: the limits" + only_limits(runs)
           : out_of_reach ? "no limit can be reached"
                          : "the criteria state no limit") +
              (out_of_reach ? "; none for other processes: the criteria allow them more cores than there are"
                            : ""),
          !in_spans && rows > 1 ? ", those at the same time in rows" : "",
          without_effect(runs, input.judgement)),
      .drawn = {},
      .columns = {"Run", "Started (UTC)", "Other processes, cores", "Limit", "Hypervisor, cores",
                  "Limit of the hypervisor"},
      .rows = {}};
  figure.drawn = disturbance_plot(in_spans ? worst_of_spans(runs, spans) : runs);
  std::ranges::stable_sort(runs, std::greater<>(), lost);
  for (std::size_t i = 0; i < std::min(most_table_rows, runs.size()); ++i)
    figure.rows.push_back({runs[i].name, utc_text(runs[i].from_s),
                           fmt::format("{:.2f}", runs[i].others_cores), limit_shown(runs[i].limit_cores),
                           fmt::format("{:.2f}", runs[i].stolen_cores),
                           limit_shown(runs[i].stolen_limit_cores)});
  return figure;
}

}  // namespace shakedown
