#include <fmt/format.h>

#include <algorithm>
#include <set>

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

}  // namespace

std::optional<Figure> disturbance_figure(const ReportInput& input) {
  static constexpr std::size_t most_runs = 400;
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
             .limit_cores = criteria ? cores_for_others(record.planned, attempt, *criteria) : std::nullopt});
  if (runs.size() < 2) return std::nullopt;
  const auto lost = [](const TimedRun& run) { return run.others_cores + run.stolen_cores; };
  // Of very many those that lost most.
  std::ranges::stable_sort(runs, std::greater<>(), lost);
  if (runs.size() > most_runs) runs.resize(most_runs);
  std::set<std::string> limits;
  for (const TimedRun& run : runs)
    if (run.limit_cores) limits.insert(fmt::format("{:.2f} cores", std::max(0.0, *run.limit_cores)));
  const bool limited = !limits.empty();
  const std::string limit = limits.size() == 1 ? ", " + *limits.begin() : "";
  Figure figure{.title = "Disturbance over time",
                .caption = fmt::format(
                    "cores that other processes used (filled{}) and that the hypervisor took (outline), "
                    "mean of each run; runs are shaded{}",
                    limited ? "; orange: a disturbed run" : "",
                    limited ? "; line: what others may use" + limit : "; the criteria state no limit"),
                .drawn = {},
                .columns = {"Run", "Started (UTC)", "Other processes, cores", "Limit", "Hypervisor, cores"},
                .rows = {}};
  for (std::size_t i = 0; i < std::min(most_table_rows, runs.size()); ++i)
    figure.rows.push_back(
        {runs[i].name, utc_text(runs[i].from_s), fmt::format("{:.2f}", runs[i].others_cores),
         runs[i].limit_cores ? fmt::format("{:.2f}", std::max(0.0, runs[i].limit_cores.value_or(0)))
                             : std::string(dash),
         fmt::format("{:.2f}", runs[i].stolen_cores)});
  std::ranges::stable_sort(runs, {}, &TimedRun::from_s);
  figure.drawn = disturbance_plot(runs);
  return figure;
}

}  // namespace shakedown
