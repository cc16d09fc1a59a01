#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/value.hpp"
#include "orchestrator/plan/gpu_code.hpp"
#include "orchestrator/plan/published_results.hpp"
#include "orchestrator/plan/requirement.hpp"

namespace shakedown {

/// The options that place a node's ranks, as the program spells them; each takes a list separated by colons,
/// in the order of the local ranks. Empty: the program has no such option.
struct AffinityOptions {
  std::string gpu;     ///< "--gpu-affinity": indices of GPUs
  std::string nic;     ///< "--ucx-affinity": RDMA devices
  std::string cpu;     ///< "--cpu-affinity": ranges of cores
  std::string memory;  ///< "--mem-affinity": NUMA nodes
};

/// One build of a suite, described by data: share/shakedown/implementations/<suite>/<id>.toml.
///
/// `program`, `arguments`, `mounts` and the values of `environment` may hold placeholders. Planning fills
/// {libexec} (the folder of the reference kernels), {threads} (per rank), {ranks}, {nodes}, {ranks_per_node},
/// and the case's parameters by their names ({N}, {nx}, {TP}); {run} (the run directory) is only known to the
/// job and is filled when it is launched (`placeholders.hpp`).
struct Implementation {
  std::string suite;
  std::string id;
  std::string benchmark;  ///< its name within the suite (MLPerf: "gpt3"); empty: the suite is one benchmark
  std::string title;
  std::string parser;                           ///< grammar of its output
  std::string tested;                           ///< "run-here", "run-at-site", "rendered"
  std::string tested_note;                      ///< who, when, or why not
  std::string program;                          ///< "{libexec}/hpl", "hpcc", "./hpl.sh"
  std::vector<std::string> arguments;           ///< may use the placeholders below
  std::vector<std::string> one_node_arguments;  ///< added where a case has one node
  std::string install_hint;                     ///< what to do where the program is missing
  std::string requires_gpu;                     ///< "nvidia", "amd" or empty
  GpuCode gpu_code;                             ///< of its container, or of our own build
  std::string container;                        ///< image reference; empty: bare
  std::vector<std::string> mounts;              ///< of the container: "{run}:/my-dat-files"
  AffinityOptions affinity;
  std::vector<std::string> fabric;      ///< whose variables the site's fabric sets: "nccl", "ucx", "nvshmem"
  std::vector<Parameter> with_nvshmem;  ///< variables of a case on several nodes where the site allows it
  std::vector<Parameter> without_nvshmem;  ///< ... and where it does not
  std::string launcher = "mpirun";
  std::string rank_per = "core";       ///< "core", "numa", "socket", "node", "gpu"
  bool each_node = false;              ///< runs on one node: a case for each that is planned
  std::string input_file;              ///< "HPL.dat", "hpccinf.txt"; empty: none
  std::string result_file;             ///< empty: stdout
  std::vector<Parameter> environment;  ///< value may use {threads}
  double memory_fraction = 0.8;        ///< of the memory that the job may use
  std::vector<Parameter> tuning;       ///< suite's own: NB by vector extension, extra time, ...
  /// Published settings per scale, with their source; variables of the scale's as "environment/NAME".
  std::vector<std::vector<Parameter>> recipes;
  std::vector<PublishedResult> results;   ///< of other systems, from the suite's results.tsv
  std::vector<Requirement> requirements;  ///< of a compute node, looked at before a case runs
  std::string source;                     ///< where the facts come from

  /// A tuning value by name, or the fallback.
  [[nodiscard]] double tuned(std::string_view name, double fallback) const;
  /// A tuning value by name as text; empty where there is none.
  [[nodiscard]] std::string tuned_text(std::string_view name) const;
};

/// Reads one TOML file: <suite>/<id>.toml, or <suite>/<id>-<benchmark>.toml; and, for ranks on GPUs, the
/// published results beside it: results.tsv, or results-<benchmark>.tsv. Unknown keys and a name or folder
/// that contradicts `id`, `benchmark` or `suite` are refused with file and line.
Result<Implementation> read_implementation(const std::filesystem::path& path);

/// All implementations of a folder (one sub-folder per suite), sorted by suite and id.
Result<std::vector<Implementation>> read_implementations(const std::filesystem::path& folder);

}  // namespace shakedown
