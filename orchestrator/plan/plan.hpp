#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

/// How a case's prediction came about. A fit with as many parameters as points proves nothing: both are
/// shown.
struct Model {
  std::string text;    ///< the formula with its numbers; if no model applies, why
  std::string source;  ///< "spec" (data sheet), "baseline-scaled", "fit", "assumed"; empty: no prediction
  int parameters = 0;  ///< fitted ones
  int points = 0;      ///< measurements that they were fitted to
  friend bool operator==(const Model&, const Model&) = default;
};

/// The container that a case runs in.
struct Container {
  std::string runtime;  ///< "apptainer", "pyxis"; empty: none, the program is started as it is
  std::string image;    ///< reference, or a local .sif or .sqsh
  std::string digest;   ///< "sha256:..." as the site states it; empty: not stated
  std::vector<std::string> mounts;
  friend bool operator==(const Container&, const Container&) = default;
};

struct TextFile {
  std::string name;  ///< relative to the run directory, without folders above it
  std::string content;
  friend bool operator==(const TextFile&, const TextFile&) = default;
};

/// The fewer nodes that a plan recommends instead.
struct BetterNodes {
  int count = 0;        ///< 0: none
  std::string because;  ///< "the grid 8 x 97 is long and slow; better: 96 nodes: 24 x 32"
  friend bool operator==(const BetterNodes&, const BetterNodes&) = default;
};

/// One planned run of a suite; or one that was made elsewhere, of which only the log is known: then nodes,
/// ranks and threads are 0 if the log doesn't show them, and there is no command.
struct Case {
  std::string id;              ///< "hpl-reference-1n"; unique in the plan; also a folder's name
  std::string suite;           ///< suite id: "hpl", "gemm"
  std::string implementation;  ///< "reference", "hpcc", ...
  std::string benchmark;       ///< its name within the suite (MLPerf: "gpt3"); empty: the suite is one
  std::string parser;          ///< grammar of its output; empty: the output is not parsed
  std::string tested;          ///< "run-here", "run-at-site", "rendered"
  bool screen = false;         ///< measured before the suites, which refer to it (not in the document)
  int nodes = 1;
  int ranks = 1;
  int ranks_per_node = 1;
  int threads_per_rank = 1;
  int cpus_per_rank = 0;  ///< as Slurm counts CPUs, be they hardware threads or cores; 0: threads_per_rank
  int gpus_per_node = 0;  ///< that its job asks its batch system for
  std::string hosts;      ///< hostlist
  std::string among;      ///< hostlist of the nodes that may replace `hosts`; empty: none but these
  bool bound = false;     ///< it measures just these hosts
  int stage = 0;          ///< of a staged campaign: begins when those below have ended
  int repetition = 1;     ///< of a case that is run several times, from 1
  bool confirms = false;  ///< it repeats what made its node suspect, and decides no criterion
  std::string
      stands_for;  ///< the case that it took the place of when nodes were lost; empty: it was planned so
  std::string launcher;  ///< "mpirun"; empty: `argv` is started as it is
  std::string binding;   ///< "core", "none": what a rank is bound to
  Container container;
  std::string program;  ///< absolute path
  std::vector<std::string> arguments;
  std::vector<std::string> argv;     ///< composed by the launcher (or given whole, where there is none)
  std::vector<std::string> modules;  ///< of the site's module system, loaded before it
  std::vector<Parameter> environment;
  std::vector<Parameter> parameters;
  std::vector<Reason> why;
  std::vector<Prediction> predicted;
  Model model;
  std::vector<TextFile> files;                        ///< inputs, rendered to the last byte
  std::vector<std::vector<std::string>> preparation;  ///< command lines that job.sh runs before it
  /// Command lines that job.sh runs once on each of its nodes, outside its container, after `preparation`.
  std::vector<std::vector<std::string>> node_preparation;
  std::string result_file;  ///< file the program writes its result to; empty: stdout
  double time_limit_s = 0;  ///< 0: none
  std::vector<std::string> warnings;
  BetterNodes better_nodes;  ///< that one of the warnings names (not in the document)
  std::string unallowed;  ///< what it would do that the site has not allowed: one of the warnings (likewise)
  std::vector<std::string> obstacles;  ///< of the warnings, those that stop its run (likewise)
  std::string fewer_nodes;  ///< "98 of 100 nodes: as a.toml:131 states"; empty: all, or a wider case has it
                            ///< (likewise)
  std::string origin;       ///< where the log of a run made elsewhere came from; empty: it is run here
  friend bool operator==(const Case&, const Case&) = default;
};

/// A suite that a hard rule forbids here.
struct Refusal {
  std::string suite;
  std::string benchmark;  ///< MLPerf's name, or empty
  std::string rule;
  std::string because;
  std::string next_good;
  bool by_name =
      false;  ///< the user asked for just this: the plan is not what was wanted (not in the document)
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

/// What a plan costs. 0: not known, but for what is always known.
struct Cost {
  double node_hours = 0;     ///< sum over the cases of nodes x predicted wall time
  double wall_time_s = 0;    ///< of the campaign, its cases side by side where they fit
  double bytes_written = 0;  ///< to the filesystem
  double energy_kwh = 0;     ///< nodes x stated power x time
  int jobs = 0;
  int unpredicted = 0;  ///< cases without a predicted time: they are in none of the sums
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct Plan {
  std::string system;
  std::vector<Case> cases;
  std::vector<Refusal> refused;
  std::optional<Cost> cost;
  std::vector<std::string> warnings;
  friend bool operator==(const Plan&, const Plan&) = default;
};

/// The plan as `shakedown.plan/1`, keys in a fixed order, indented.
std::string plan_json(const Plan& plan);

/// What the repetitions of a case have in common: the id of the first, "hpl-reference-1n" of
/// "hpl-reference-1n-r2".
std::string first_repetition_id(const Case& planned);

/// The predicted metric, or null.
const Prediction* find_prediction(const Case& planned, std::string_view metric);

/// How long a case is expected to take, start to end: "wall_time_s", else "time_s"; null: no model applies.
const Prediction* predicted_wall_time(const Case& planned);

/// One case as in the plan document.
std::string case_json(const Case& planned);
Result<Case> case_from_json(std::string_view text, std::string_view name);

/// Reads `shakedown.plan/1`. A case needs an `id` and either a `program` or a whole `argv`; unknown keys,
/// double ids, ids that are no file names and files outside the run directory are refused with their place.
/// `name` is shown in errors.
Result<Plan> plan_from_json(std::string_view text, std::string_view name);

/// The configuration that a plan comes from, as it was then: a plan that is carried elsewhere brings its
/// site, its settings and its criteria along.
struct PlanConfiguration {
  std::string name;  ///< the file, absolute
  std::string text;  ///< TOML
  friend bool operator==(const PlanConfiguration&, const PlanConfiguration&) = default;
};

/// The plan as `shakedown.plan/1` with its configuration under `configuration`; without one as `plan_json`
/// has it.
std::string plan_json(const Plan& plan, const std::optional<PlanConfiguration>& configuration);

/// The configuration in a plan's document; nothing where it has none. `plan_from_json` reads the rest. `name`
/// is shown in errors.
Result<std::optional<PlanConfiguration>> plan_configuration_from_json(std::string_view text,
                                                                      std::string_view name);

}  // namespace shakedown
