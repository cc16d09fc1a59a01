#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/value.hpp"

namespace shakedown {

/// One published or accepted value.
struct BaselineValue {
  std::string id;     ///< "hpl-rmax"
  std::string run;    ///< the experiment it belongs to: "hpl", "io500-10n"
  std::string title;  ///< of that experiment
  std::string suite;
  std::string metric;  ///< "rmax_gflops"
  double value = 0;
  std::string unit;     ///< "GFLOP/s", as the benchmark prints
  std::string printed;  ///< as published: "33.95 PFLOP/s"
  std::string source;   ///< "Table 5, row 'Sustained performance (Rmax)'"
  std::string status;   ///< "ok", "rounding", "unit-suspect", "inconsistent", "legacy-rule", "unverified"
  std::string note;
  std::string runs;                   ///< how many runs the figure stands for: "1", "unknown"
  std::string score_rule;             ///< how one figure was made of them: "one published run", "unknown"
  std::string bound_by;               ///< what limits the experiment: "memory bandwidth"; empty: not said
  std::vector<Parameter> conditions;  ///< nodes, gpus, precision, implementation, N, NB, P, Q, ...
};

/// The published values of one system, in the order of their file.
struct Baseline {
  std::string name;  ///< "sakuraone"
  std::string title;
  std::string source;  ///< citation
  std::string sha256;  ///< of the file
  std::vector<BaselineValue> values;

  /// The first row of a suite's metric, or null.
  [[nodiscard]] const BaselineValue* find(std::string_view suite, std::string_view metric) const;
  /// All rows of a suite's metric (several scales, several sources), in the order of the file.
  [[nodiscard]] std::vector<const BaselineValue*> rows(std::string_view suite, std::string_view metric) const;
};

}  // namespace shakedown
