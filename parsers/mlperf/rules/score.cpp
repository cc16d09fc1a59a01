#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "parsers/mlperf/rules/set.hpp"

namespace shakedown {
namespace {

void add(SetScore& score, std::string_view id, std::string_view title, Severity severity, Finding finding) {
  score.rules.push_back({std::string(id), std::string(title), "mlcommons/training_policies, 'Scoring'",
                         severity, finding.status, std::move(finding.value), finding.line,
                         std::move(finding.text)});
}

std::optional<double> score_of(std::span<const MlperfSetRun> runs, int dropped) {
  std::vector<double> minutes;
  for (const MlperfSetRun& run : runs)
    if (run.minutes) minutes.push_back(*run.minutes);
  const int failed = static_cast<int>(runs.size() - minutes.size());
  return olympic_mean(std::move(minutes), failed, dropped);
}

/// The runs that count: all, or, of more than the benchmark takes, the window of consecutive ones whose score
/// is the median of all windows; a window without a score counts as the slowest.
std::vector<MlperfSetRun> counted(const MlperfSet& set, const MlperfBenchmark& benchmark) {
  std::vector<MlperfSetRun> runs = set.runs;
  const auto N = static_cast<size_t>(benchmark.runs);
  if (runs.size() <= N) return runs;
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
    return std::pair(a.start.value_or(0), a.source) < std::pair(b.start.value_or(0), b.source);
  });
  std::vector<std::pair<double, size_t>> windows;
  for (size_t first = 0; first + N <= runs.size(); ++first) {
    const auto window = score_of(std::span(runs).subspan(first, N), benchmark.dropped);
    windows.emplace_back(window.value_or(std::numeric_limits<double>::infinity()), first);
  }
  std::sort(windows.begin(), windows.end());
  const auto first = static_cast<std::ptrdiff_t>(windows[windows.size() / 2].second);
  return {runs.begin() + first, runs.begin() + first + benchmark.runs};
}

/// The files that the score drops.
std::vector<std::string> left_out(const MlperfSet& set, std::vector<MlperfSetRun> runs, int dropped) {
  std::vector<std::string> names;
  for (const MlperfSetRun& run : set.runs)
    if (std::none_of(runs.begin(), runs.end(), [&](const auto& other) { return other.source == run.source; }))
      names.push_back(run.name);
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
    constexpr double never = std::numeric_limits<double>::infinity();
    return std::pair(a.minutes.value_or(never), a.source) < std::pair(b.minutes.value_or(never), b.source);
  });
  for (size_t i = 0; i < runs.size(); ++i)
    if (i < static_cast<size_t>(dropped) || i + static_cast<size_t>(dropped) >= runs.size())
      names.push_back(runs[i].name);
  return names;
}

Finding alike(const MlperfSet& set) {
  for (const char* name : {"GBS", "platform", "division"}) {
    std::set<std::string> values;
    for (const MlperfSetRun& run : set.runs)
      if (const std::string value = text_parameter(run.source->result, name); !value.empty())
        values.insert(value);
    if (values.size() > 1)
      return failed(fmt::format("{} {} and {}", name, *values.begin(), *values.rbegin()), 0,
                    "runs of one score differ in it");
  }
  return passed("same batch size, platform and division");
}

/// Only a run that did not converge may be dropped.
Finding by_the_rules(const MlperfSet& set) {
  for (const MlperfSetRun& run : set.runs)
    if (!run.broken.empty()) return failed(run.name, 0, run.broken);
  const auto missed = std::ranges::count_if(set.runs, [](const MlperfSetRun& run) { return !run.minutes; });
  return passed(missed == 0
                    ? "no run breaks a rule that was checked"
                    : fmt::format("no run breaks a rule that was checked; {} did not converge", missed));
}

Finding different_seeds(const MlperfSet& set, const MlperfDoubts& found) {
  if (!found.copies.empty()) return failed("copies", 0, found.copies.front());
  if (found.seeds.empty()) return passed("all different");
  const auto start = set.runs.front().start;
  const int version = set.version != 0 ? set.version : start ? mlperf_version_after(*start) : 0;
  if (version != 0 && version < 41) return not_applicable("seeds may repeat before version 4.1");
  return failed("equal seeds", 0, found.seeds.front());
}

void judge_runs(SetScore& score, const MlperfSet& set, const MlperfBenchmark* benchmark) {
  constexpr std::string_view enough = "A score is the mean of the benchmark's number of runs";
  constexpr std::string_view converged = "All runs but those that may be dropped converged";
  if (benchmark == nullptr) {
    add(score, "ML-01", enough, Severity::validity, unknown("the benchmark is not known"));
    add(score, "ML-02", converged, Severity::validity, unknown("the benchmark is not known"));
    return;
  }
  const int missing = benchmark->runs - score.runs;
  const std::string count = fmt::format("{} of {} runs", score.runs, benchmark->runs);
  add(score, "ML-01", enough, Severity::validity,
      checked(missing <= 0, count, 0,
              fmt::format("{} {} missing", missing, missing == 1 ? "run is" : "runs are")));
  if (missing > 0)
    score.warnings.push_back(fmt::format("{} of the {} runs that {} takes {} missing: no score", missing,
                                         benchmark->runs, benchmark->name, missing == 1 ? "is" : "are"));
  const auto runs = counted(set, *benchmark);
  const auto failures = std::count_if(runs.begin(), runs.end(), [](const auto& run) { return !run.minutes; });
  add(score, "ML-02", converged, Severity::validity,
      checked(failures <= benchmark->dropped, fmt::format("{} of {} converged", score.converged, score.runs),
              0, fmt::format("at most {} of them may fail to converge", benchmark->dropped)));
  if (missing > 0) return;
  score.score_min = score_of(runs, benchmark->dropped);
  if (score.score_min) score.dropped = left_out(set, runs, benchmark->dropped);
  if (set.runs.size() > runs.size())
    score.warnings.push_back(fmt::format(
        "{} runs where {} count: the score is that of the {} consecutive ones whose score is the median",
        set.runs.size(), runs.size(), runs.size()));
}

SetScore score_of(const MlperfSet& set) {
  SetScore score;
  score.schema = "shakedown.mlperf-score/1";
  score.suite = "mlperf";
  score.benchmark = set.benchmark;
  score.name = set.name;
  score.runs = static_cast<int>(set.runs.size());
  for (const MlperfSetRun& run : set.runs) {
    score.files.push_back(run.name);
    if (run.minutes)
      ++score.converged;
    else
      score.warnings.push_back(fmt::format("{} does not count as converged: {}", run.name, run.why_not));
  }
  const MlperfDoubts found = doubts(set);
  judge_runs(score, set, mlperf_benchmark(set.benchmark));
  const MlperfConvergence converged = convergence(set);
  add(score, "ML-05", "The set does not converge faster than the reference allows", Severity::validity,
      converged.finding);
  add(score, "ML-06h", "The runs are of one system, batch size and division", Severity::validity, alike(set));
  add(score, "ML-06i", "No two runs have a seed in common, and none is a copy", Severity::validity,
      different_seeds(set, found));
  add(score, "ML-06k",
      "Each run keeps the rules; at most one may not converge (the score drops it as the slowest)",
      Severity::validity, by_the_rules(set));
  add(score, "ML-07", "A result that MLCommons has not verified is quoted as unverified", Severity::warning,
      passed("unverified", 0, "Result not verified by MLCommons Association."));
  add(score, "ML-08", "All runs that were launched are shown", Severity::eligibility,
      unknown("whether more runs were made than are shown can't be seen in their logs"));
  if (converged.factor && score.score_min) {
    score.normalised_min = *score.score_min * *converged.factor;
    score.warnings.push_back(
        fmt::format("The runs converge faster than the reference's mean, within what ML-05 allows. MLCommons "
                    "multiplies such a score by {:.6g} (normalisation), which gives {} min",
                    *converged.factor, number(*score.normalised_min, 6)));
  }
  for (const auto* sentences : {&found.copies, &found.seeds})
    score.warnings.insert(score.warnings.end(), sentences->begin(), sentences->end());
  if (!found.overlap.empty()) score.warnings.push_back(found.overlap + std::string(overlap_means));
  score.overlap = found.overlap;
  score.validity = validity(score.rules, "ML-02");
  return score;
}

}  // namespace

std::vector<SetScore> mlperf_scores(std::span<const FileResult> results) {
  std::vector<SetScore> scores;
  for (const MlperfSet& set : mlperf_sets(results)) {
    const MlperfBenchmark* benchmark = mlperf_benchmark(set.benchmark);
    // A score of fewer runs is missed by MLPerf's benchmarks alone.
    if (benchmark != nullptr && benchmark->is_own && static_cast<int>(set.runs.size()) < benchmark->runs)
      continue;
    scores.push_back(score_of(set));
  }
  return scores;
}

}  // namespace shakedown
