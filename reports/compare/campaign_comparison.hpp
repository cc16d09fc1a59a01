#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/store/series.hpp"
#include "reports/compare/node_comparison.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/measure/like_runs.hpp"
#include "reports/statistics/before_after.hpp"
#include "reports/statistics/proportion.hpp"

namespace shakedown {

/// How the attempts at like runs ended. Every one that began counts, as in `reliability`.
struct AttemptCounts {
  int started = 0;
  int succeeded = 0;  ///< gave a result that counts
  int failed = 0;     ///< without a result
  int invalid = 0;    ///< with one that breaks a rule
  int stopped = 0;    ///< by hand

  [[nodiscard]] int lost() const { return started - succeeded; }
};

AttemptCounts attempt_counts(const LikeRuns& like);

/// The attempts of two campaigns at the same thing.
struct AttemptComparison {
  AttemptCounts before;
  AttemptCounts after;
  RateChange rates;
  ChangeFinding change = ChangeFinding::undecided;
  std::string verdict;  ///< in words: "5 of 5 attempts succeeded before (...), 5 of 10 after (...): ..."
};

/// Whether as many attempts succeed as before. Same if none was lost on either side; else as `before_after`,
/// with the difference of the rates: worse or better by the magnitude and beyond chance, the same where its
/// interval refutes the magnitude, else undecided, since the results of the others prove nothing about those
/// that were lost. Nothing if a side began none.
std::optional<AttemptComparison> attempt_comparison(const LikeRuns& before, const LikeRuns& after,
                                                    const BeforeAfterLimits& limits);

/// The outcome of the comparison of a metric of two campaigns.
enum class ChangeVerdict {
  worse,         ///< beyond noise, and by more than counts
  better,        ///< likewise
  same,          ///< no difference of the size that counts, which would have been found
  undecided,     ///< too few runs, or too much noise, to decide
  not_compared,  ///< the runs are not alike, or one side has no valid result
};
std::string_view to_string(ChangeVerdict change);  ///< "worse", ..., "not-compared"

/// The row that sets the shares of attempts that succeeded beside each other, as medians.
inline constexpr std::string_view attempts_metric = "reliability";

ChangeVerdict change_verdict(ChangeFinding change);

/// One metric of like runs in two campaigns; see `judge_metric` for what one value is of.
struct MetricComparison {
  std::string suite;
  std::string implementation;
  std::string benchmark;  ///< empty: the suite is one
  int nodes = 0;
  std::string before_case;  ///< the first of those that were taken together; empty: there is none
  std::string after_case;
  std::string metric;  ///< empty: no metric of it was looked at
  std::string unit;    ///< of a phase; else the metric's name has it
  Better better = Better::higher;
  bool leading = false;        ///< decides the exit code: the suite's own metric, not those beside it
  std::vector<double> before;  ///< of valid results, in their order
  std::vector<double> after;
  std::optional<double> median_before;  ///< of the values, or of the nodes' medians
  std::optional<double> median_after;
  std::optional<double> shift;            ///< share of the median before: Hodges-Lehmann, or of the medians
  std::optional<BeforeAfter> statistics;  ///< none with too few runs or nodes
  std::optional<AttemptComparison> attempts;  ///< of the metric `attempts_metric` alone
  std::vector<NodeChange> by_node;            ///< the worst first; where nodes were set beside themselves
  ChangeVerdict change = ChangeVerdict::not_compared;
  std::string verdict;  ///< in words, with the values that it rests on; why they are not compared
  std::string note;     ///< what differs and does not forbid it: "N 80000 before, 81920 after"; may be empty
};

/// Compares the metrics of two campaigns. Runs are alike where suite, build, benchmark, nodes, ranks and
/// parameters are the same; where those differ, only if comparability.toml allows the metric and all its
/// conditions hold on both sides. What has no counterpart is listed with the reason. Only valid results are
/// taken; how many attempts gave one is a metric of its own, leading where any was lost. Metrics without a
/// direction (residuals, counts) are not looked at.
///
/// `past`: the system's series, by which days differ (`DayHistory`). Statistics and words: `judge_metric`.
/// Formulas: reports/metrics.md.
std::vector<MetricComparison> campaign_comparison(const MeasuredCampaign& before,
                                                  const MeasuredCampaign& after,
                                                  const Comparability& comparability,
                                                  const BeforeAfterLimits& limits = {},
                                                  const SystemSeries* past = nullptr);

/// The leading metrics together: worse where any is; else undecided where any is, or where one has lost its
/// valid results; else better where any is, else the same; not_compared where none was compared.
ChangeVerdict overall_change(const std::vector<MetricComparison>& metrics);

/// The conditions of comparability.toml between like runs of two campaigns: of every case with a valid
/// result, not of the first of them alone.
class PairConditions {
 public:
  /// All outlive it.
  PairConditions(const LikeRuns& before, const LikeRuns& after, const Comparability& table)
      : before_(before), after_(after), table_(table), alike_(differing_shape(before, after).empty()) {}

  /// Those of a rule that don't hold, as sentences. A condition that neither side states counts as equal if
  /// both run the same; one that only one side states does not.
  [[nodiscard]] std::vector<std::string> broken(const ComparisonRule& rule);

 private:
  /// The values of a condition among the cases of a side, each once; `unknown`: some case does not state it.
  struct Stated {
    std::vector<Value> values;
    bool unknown = false;
  };
  struct Both {
    Stated before;
    Stated after;
  };

  const Both& stated(const std::string& name);
  [[nodiscard]] Stated stated_by(const LikeRuns& side, const std::string& name) const;

  const LikeRuns& before_;
  const LikeRuns& after_;
  const Comparability& table_;
  bool alike_ = false;
  std::map<std::string, Both> stated_;
};

}  // namespace shakedown
