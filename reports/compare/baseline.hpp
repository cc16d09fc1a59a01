#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/toml.hpp"
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

/// Conditions by free names: each a single value.
std::vector<Parameter> conditions_from(TomlTable table);

Result<Baseline> read_baseline(const std::filesystem::path& path);

/// The baselines shipped in <share>/baselines, by name.
Result<std::vector<Baseline>> shipped_baselines(const std::filesystem::path& share);

/// An identity of a baseline recomputed: "Rmax = (2/3 N^3 + 3/2 N^2) / t".
struct IdentityCheck {
  std::string suite;
  std::string value_id;
  std::string identity;
  double published = 0;
  double recomputed = 0;
  bool holds = false;       ///< within the rounding of the printed figures
  std::string status;       ///< of the row
  std::string explanation;  ///< why it need not hold; empty: it must

  /// Whether it contradicts a row that is marked `ok`.
  [[nodiscard]] bool contradicts() const { return !holds && status == "ok" && explanation.empty(); }
};

/// Every identity that the baseline's figures suffice for, run by run.
std::vector<IdentityCheck> checked_identities(const Baseline& baseline);

}  // namespace shakedown
