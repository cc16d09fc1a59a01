#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/measure/machines.hpp"

namespace shakedown {

/// A result that counts, with the attempt that it came from. Both point into the campaign's record.
struct CountedResult {
  const AttemptRecord* attempt = nullptr;
  const ResultRecord* result = nullptr;
};

/// A case with the results that count. All of it refers to the case's record, which outlives it.
struct MeasuredCase {
  explicit MeasuredCase(const CaseRecord& record);

  const Case& planned;
  const std::vector<AttemptRecord>& attempts;
  const std::string& not_run;
  std::string benchmark;  ///< planned, where a suite holds several; else empty
  /// The results of all attempts, in order: of those that were cut, for whatever reason, the ones that were
  /// complete before. A result without values and without a word about validity is none. Each of them must be
  /// valid.
  std::vector<CountedResult> counted;
  /// Those of `counted` whose values count: of attempts that are not set aside, and of the case's own
  /// benchmark (the log of a fine-tuning also holds the pretraining that it starts from).
  std::vector<CountedResult> own;
  /// The cases whose place this one took when nodes were lost, the one that was planned first in front.
  std::vector<const MeasuredCase*> before;
  bool replaced = false;  ///< another case took its place

  /// The nodes that were planned for at first.
  [[nodiscard]] int planned_nodes() const {
    return before.empty() ? planned.nodes : before.front()->planned.nodes;
  }
};

/// Whether a case runs a program of shakedown's own, whose results are none of the official benchmark.
[[nodiscard]] bool is_own_program(const Case& planned);

/// A campaign, measured once: what judging, comparing and rendering read. It can be moved, not copied.
struct MeasuredCampaign {
  explicit MeasuredCampaign(CampaignRecord stored);
  MeasuredCampaign(MeasuredCampaign&&) = default;

  CampaignRecord record;
  std::vector<MeasuredCase> cases;    ///< of the record's, in the order of the plan
  std::vector<MachineMark> machines;  ///< `differing_machines` of logs made elsewhere; else empty

  /// The case with that id, the first of several; null: there is none.
  [[nodiscard]] const MeasuredCase* case_with(std::string_view id) const;

 private:
  std::unordered_map<std::string_view, const MeasuredCase*> by_id_;
};

/// "HPL", or what is measured by shakedown's own program, which is no result of the suite: "HPL-like solver
/// (shakedown)".
std::string benchmark_title(const Case& planned);
std::string benchmark_title(std::string_view suite, std::string_view implementation);
/// The same of a case by its id, or where it has none of the suite's first case, as on the first page; the
/// suite's title where the campaign has no case of it.
std::string benchmark_title(const MeasuredCampaign& campaign, std::string_view case_id,
                            std::string_view suite);

}  // namespace shakedown
