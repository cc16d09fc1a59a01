#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// Why a planned number is what it is.
struct Reason {
  std::string what;  ///< the parameter: "N"
  Value value;
  std::string because;  ///< a sentence with the arithmetic
  std::string rule;     ///< the rule's name or source
  friend bool operator==(const Reason&, const Reason&) = default;
};

/// A predicted metric with its band.
struct Prediction {
  std::string metric;  ///< "rmax_gflops", "time_s"; named as the parser names it
  double value = 0;
  double low = 0;
  double high = 0;
  friend bool operator==(const Prediction&, const Prediction&) = default;
};

struct TextFile {
  std::string name;  ///< relative to the run directory, without folders above it
  std::string content;
  friend bool operator==(const TextFile&, const TextFile&) = default;
};

/// One planned run of a suite.
struct Case {
  std::string id;              ///< "hpl-reference-1n"; unique in the plan; also a folder's name
  std::string suite;           ///< suite id: "hpl", "gemm"
  std::string implementation;  ///< "reference", "hpcc", ...
  std::string parser;          ///< grammar of its output; empty: the output is not parsed
  std::string exercised;       ///< "run-here", "run-at-site", "rendered-only"
  int nodes = 1;
  int ranks = 1;
  int ranks_per_node = 1;
  int threads_per_rank = 1;
  std::string hosts;     ///< hostlist
  std::string launcher;  ///< "mpirun"; empty: `argv` is started as it is
  std::string binding;   ///< "core", "none": what a rank is bound to
  std::string program;   ///< absolute path
  std::vector<std::string> arguments;
  std::vector<std::string> argv;  ///< composed by the launcher (or given whole, where there is none)
  std::vector<Parameter> environment;
  std::vector<Parameter> parameters;
  std::vector<Reason> why;
  std::vector<Prediction> predicted;
  std::string model;            ///< how the prediction was made
  std::vector<TextFile> files;  ///< inputs, rendered to the last byte
  std::string result_file;      ///< file the program writes its result to; empty: stdout
  double time_limit_s = 0;      ///< 0: none
  std::vector<std::string> warnings;
  friend bool operator==(const Case&, const Case&) = default;
};

/// A suite that a hard rule forbids here.
struct Refusal {
  std::string suite;
  std::string benchmark;  ///< MLPerf's name, or empty
  std::string rule;
  std::string because;
  std::string next_good;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

struct Plan {
  std::string system;
  std::vector<Case> cases;
  std::vector<Refusal> refused;
  std::vector<std::string> warnings;
  friend bool operator==(const Plan&, const Plan&) = default;
};

/// The plan as `shakedown.plan/1`, keys in a fixed order, indented.
std::string plan_json(const Plan& plan);

/// One case as it stands in the plan document.
std::string case_json(const Case& planned);
Result<Case> case_from_json(std::string_view text, std::string_view name);

/// Reads `shakedown.plan/1`. A case needs an `id` and either a `program` or a whole `argv`; unknown keys,
/// double ids, ids that are no file names and files outside the run directory are refused with their place.
/// `name` stands in errors.
Result<Plan> plan_from_json(std::string_view text, std::string_view name);

}  // namespace shakedown
