#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "reports/baseline.hpp"

namespace shakedown {

/// One clause: what is demanded of a suite's results.
struct Criterion {
  std::string id;
  std::string title;  ///< a sentence: what is demanded
  std::string suite;
  std::string metric;  ///< "validity", a metric of the suite's parser, or an efficiency (reports/metrics.md)
  std::string direction;        ///< ">=" or "<="; empty for validity
  std::optional<double> limit;  ///< in the metric's unit; none for validity
  std::string limit_source;     ///< where the limit comes from, with its arithmetic
  std::string relative_to;  ///< "sakuraone/hpl-rmax-per-gpu": the published value that `factor` is a part of
  double factor = 0;        ///< limit / that value; 0: the limit is absolute
  std::string approver;     ///< who agreed to the clause; empty: not said
  std::string aggregation;  ///< "median"; empty for validity, where every result must be valid
  std::string severity;     ///< "mandatory" or "advisory"
  bool if_planned = false;  ///< concerns only campaigns that were to measure the suite; else it is not-run
  std::string severity_without_reference;  ///< where an efficiency's denominator is not known
  std::optional<bool> each_node;      ///< true: on cases that measure one node each; false: on the others
  std::optional<int> nodes_required;  ///< that a result must come from
  std::optional<int> exclusions_max;  ///< nodes that the campaign may have excluded for their failures
  std::optional<int> attempts_max;    ///< that a case may have needed
};

/// A limit beyond which a machine is not idle, and why it lies there.
struct IdleLimit {
  double limit = 0;
  std::string reason;
};

/// A criteria file: the clauses, and when a machine counts as idle.
struct Criteria {
  std::string title;
  std::optional<IdleLimit> steal;        ///< CPU time taken by the hypervisor / all CPU time
  std::optional<IdleLimit> load;         ///< (CPUs of the job + CPUs of others) / CPUs
  std::optional<IdleLimit> gemm_spread;  ///< of the GEMM screen's repetitions, per cent
  std::vector<Criterion> criteria;
};

/// Reads a criteria file's text, or the criteria of a configuration; `name` stands in errors. Unknown keys,
/// doubled ids, and clauses without a limit or its source are refused. A clause relative to a baseline has no
/// limit yet: `frozen_criteria` gives it one.
Result<Criteria> read_criteria(std::string_view text, std::string_view name);

/// The criteria of `text` as a criteria file of their own, with each limit that is relative to a baseline as
/// a number and its arithmetic: what a campaign is judged by must not move with a baseline's file.
///
/// Fails where the baseline or the value is not there, or the value's status says that it can't carry a
/// limit.
Result<std::string> frozen_criteria(std::string_view text, std::string_view name,
                                    std::span<const Baseline> baselines);

}  // namespace shakedown
