#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/measure/comparability.hpp"

namespace shakedown {

/// The case that is set beside published values, with what its conditions are read from.
struct Subject {
  const CampaignRecord& campaign;
  const CaseRecord& record;
  const Comparability& comparability;
};

/// The conditions of a rule that don't hold between a case and a published row, as sentences; empty: all
/// hold. A row marked unit-suspect or inconsistent is one: what contradicts itself is no measure.
std::vector<std::string> differences(const ComparisonRule& rule, const BaselineValue& row,
                                     const Subject& subject);

/// What a rule demands, said where all of it holds, and how many runs the published value stands for where it
/// isn't one: "equal: device, gpu; memory_fraction within 5 %".
std::string held_conditions(const ComparisonRule& rule, const BaselineValue& row);

/// The published value carried to the case by the rule's model. Its conditions must be known on both sides.
double scaled_value(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject);

/// By how much the rule's model has to carry the row to the case, as a logarithm; 0 where it has no model or
/// a side is not known.
double model_distance(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject);

}  // namespace shakedown
