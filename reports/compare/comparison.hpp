#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare/baseline.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// A condition under which two values may be compared, on both sides.
struct ConditionSides {
  std::string name;   ///< "gpu"
  std::string there;  ///< "NVIDIA H100"; empty: not stated
  std::string here;   ///< empty: not known
  bool holds = false;
};

/// A measured value beside a baseline's.
struct Comparison {
  std::string case_id;
  std::string suite;
  std::string metric;
  std::string normalisation;  ///< "absolute", "per GPU", "efficiency vs GEMM", "efficiency vs Rpeak"
  std::optional<double> measured;
  std::optional<double> baseline;
  std::optional<double> ratio;  ///< only where comparable, or information
  std::string unit;
  bool comparable = false;
  bool published_log = false;  ///< the values are those of the published log itself: no second measurement
  bool information = false;    ///< scaled by a model: a ratio to look at, never a criterion
  std::string condition;       ///< the condition that fails, or that all hold
  std::string source;          ///< the baseline's table and row
  std::string baseline_id;     ///< the baseline's row; empty: none was set beside it
  std::string set;             ///< the set of runs whose score `measured` is; empty: it is the case's own
  int set_runs = 0;            ///< runs of that set
  std::vector<ConditionSides> conditions;  ///< that the rule asks for, in its order
};

/// Every case beside the baseline's values of its suite, by the rules of `comparability`: with a ratio where
/// all conditions hold, else with those that don't. Where a metric has several rows, the one with the fewest
/// differences is taken, then the one nearest in size, then the one whose other conditions are most alike.
/// What several runs have one score of (MLPerf's time to train) is compared by that score, if there is one
/// and it is valid. A value scaled by a model is listed only where its conditions hold, as information. What
/// is never compared, and why, is listed only where the metric may not be compared in any other way. Cases of
/// suites that the baseline does not hold give none.
std::vector<Comparison> comparisons(const MeasuredCampaign& campaign, const Baseline& baseline,
                                    const Comparability& comparability);

/// Whether two comparisons of one suite are of different cases: each then has to be named.
bool of_several_cases(const std::vector<Comparison>& comparisons);

/// Of logs made elsewhere: marks suites whose values all equal the published ones to the last digit. These
/// are the published logs, or a copy: their ratio of 1 says nothing of a machine.
void mark_published_logs(const CampaignRecord& campaign, std::vector<Comparison>& comparisons);

/// What a criterion relative to `baseline` may lean on: comparable, or not with the condition that fails.
/// Metrics that the table does not name, or only scaled by a model, are not comparable.
Comparison criterion_comparison(const MeasuredCampaign& campaign, const MeasuredCase& record,
                                std::string_view metric, const Baseline& baseline,
                                const Comparability& comparability);

/// The case that is set beside published values, with what its conditions are read from.
struct Subject {
  const MeasuredCampaign& campaign;
  const MeasuredCase& record;
  const Comparability& comparability;
};

/// The conditions of a rule that don't hold between a case and a published row, as sentences; empty: all
/// hold. A row marked unit-suspect or inconsistent is one: what contradicts itself is no measure.
std::vector<std::string> differences(const ComparisonRule& rule, const BaselineValue& row,
                                     const Subject& subject);

/// A rule's conditions, for a comparison where all of them hold, and how many runs the published value is of
/// if not one: "equal: device, gpu; memory_fraction within 5 %".
std::string held_conditions(const ComparisonRule& rule, const BaselineValue& row);

/// The published value carried to the case by the rule's model. Its conditions must be known on both sides.
double scaled_value(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject);

/// By how much the rule's model has to carry the row to the case, as a logarithm; 0 where it has no model or
/// a side is not known.
double model_distance(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject);

}  // namespace shakedown
