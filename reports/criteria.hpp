#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// One clause: what is demanded of a suite's results.
struct Criterion {
  std::string id;
  std::string title;  ///< a sentence: what is demanded
  std::string suite;
  std::string metric;  ///< "validity", a metric of the suite's parser, or an efficiency (reports/metrics.md)
  std::string direction;                   ///< ">=" or "<="; empty for validity
  std::optional<double> limit;             ///< in the metric's unit; none for validity
  std::string limit_source;                ///< where the limit comes from, with its arithmetic
  std::string aggregation;                 ///< "median"; empty for validity, where every result must be valid
  std::string severity;                    ///< "mandatory" or "advisory"
  std::string severity_without_reference;  ///< where an efficiency's denominator is not known
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

/// Reads a criteria file's text; `name` stands in errors. Unknown keys, doubled ids, and clauses without a
/// limit or its source are refused.
Result<Criteria> read_criteria(std::string_view text, std::string_view name);

}  // namespace shakedown
