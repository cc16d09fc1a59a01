#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/measure/comparability.hpp"
#include "reports/measure/like_runs.hpp"

namespace shakedown {

/// The conditions of comparability.toml between like runs of two campaigns: of every case that left a valid
/// result, not of the first of them alone.
class PairConditions {
 public:
  /// All outlive it.
  PairConditions(const LikeRuns& before, const LikeRuns& after, const Comparability& table)
      : before_(before), after_(after), table_(table), alike_(differing_shape(before, after).empty()) {}

  /// Those of a rule that don't hold, as sentences. What neither side tells is the same thing where both run
  /// the same; what one side alone tells is not.
  [[nodiscard]] std::vector<std::string> broken(const ComparisonRule& rule);

 private:
  /// The values of a condition among the cases of a side, each once; `unknown`: some case does not tell.
  struct Told {
    std::vector<Value> values;
    bool unknown = false;
  };
  struct Both {
    Told before;
    Told after;
  };

  const Both& told(const std::string& name);
  [[nodiscard]] Told told_by(const LikeRuns& side, const std::string& name) const;

  const LikeRuns& before_;
  const LikeRuns& after_;
  const Comparability& table_;
  bool alike_ = false;
  std::map<std::string, Both> told_;
};

}  // namespace shakedown
