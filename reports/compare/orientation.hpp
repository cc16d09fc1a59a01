#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/baseline.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// A published value that is compared with nothing.
struct PublishedValue {
  std::string suite;
  std::string benchmark;  ///< its name within the suite; empty: the suite is one
  std::string metric;
  double value = 0;
  std::string unit;
  std::string precision;  ///< "FP64"; empty: not stated, or no arithmetic is counted
  std::optional<int> nodes;
  std::optional<int> gpus;
  std::string bound_by;  ///< what limits it: "memory bandwidth"
  std::string source;
  BaselineStatus status = BaselineStatus::ok;  ///< of the baseline's row
};

/// A ratio of two metrics of one machine, for each of two machines: a property of the machines, not a
/// comparison of them. `here` is of two suites on the same number of nodes; a screen's rate is per node.
struct OrientationRatio {
  std::string name;    ///< "HPCG / HPL"
  std::string says;    ///< what it is a measure of
  bool share = false;  ///< to be read in per cent
  double most = 0;     ///< a larger one is impossible; 0: no limit
  std::optional<double> here;
  std::string here_on;                  ///< "FP64, 1 node without GPU"; where `here` is empty why
  std::vector<std::string> cases;       ///< whose runs are the numerator of `here`
  std::vector<std::string> references;  ///< whose runs are its denominator
  std::optional<double> there;
  std::string there_on;  ///< "FP8 over FP64, per GPU: 768 and 784 of them"
};

/// A condition of a published value beside the campaign's own.
struct OrientationCondition {
  std::string suite;
  std::string of;         ///< "gpt3, nodes: 128 here, 96 there"; empty: all are of one published value
  std::string condition;  ///< "nodes"
  std::string there;      ///< "98"
  std::string here;       ///< "1", or why it is not known
  bool is_known = true;   ///< on both sides, and it differs
};

/// Published values for a campaign that none of them may be compared with.
struct Orientation {
  std::string why;                               ///< why nothing is compared, as sentences
  std::vector<OrientationCondition> conditions;  ///< those that differ, of the first suite
  std::vector<PublishedValue> values;
  std::vector<OrientationRatio> ratios;
};

/// A baseline's values for a campaign that none of them may be compared with: they show the order of
/// magnitude and the bottleneck. Empty if something may be compared: then comparisons report it. The
/// efficiencies of a screening don't count: they carry across machines, and are in its own table.
std::optional<Orientation> orientation(const MeasuredCampaign& campaign, const Baseline& baseline,
                                       const Comparability& comparability,
                                       const std::vector<Comparison>& comparisons);

}  // namespace shakedown
