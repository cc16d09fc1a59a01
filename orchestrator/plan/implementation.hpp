#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// One build of a suite, described by data: share/shakedown/implementations/<suite>/<id>.toml.
///
/// `program`, `arguments`, `container_argv` and the values of `environment` may hold placeholders. Planning
/// fills {libexec} (the folder of the reference kernels), {threads} (per rank), {ranks}, {nodes} and {image};
/// {run} (the run directory) is only known to the job and is filled when it is launched (`placeholders.hpp`).
struct Implementation {
  std::string suite;
  std::string id;
  std::string title;
  std::string parser;                           ///< grammar of its output
  std::string exercised;                        ///< "run-here", "run-at-site", "rendered-only"
  std::string exercised_note;                   ///< who, when, or why not
  std::string program;                          ///< "{libexec}/hpl", "hpcc", "./hpl.sh"
  std::vector<std::string> arguments;           ///< may use the placeholders below
  std::vector<std::string> one_node_arguments;  ///< added where a case has one node
  std::string install_hint;                     ///< what to do where the program is missing
  std::string requires_gpu;                     ///< "nvidia", "amd" or empty
  std::string container;                        ///< image reference; empty: bare
  std::vector<std::string> container_argv;      ///< words before program: "apptainer exec --nv {image}"
  std::string launcher = "mpirun";
  std::string rank_per = "core";       ///< "core", "numa", "socket", "node", "gpu"
  std::string input_file;              ///< "HPL.dat", "hpccinf.txt"; empty: none
  std::string result_file;             ///< empty: stdout
  std::vector<Parameter> environment;  ///< value may use {threads}
  double memory_fraction = 0.8;        ///< of the memory that the job may use
  std::vector<Parameter> tuning;       ///< suite's own: NB by vector extension, extra time, ...
  std::string source;                  ///< where the facts come from

  /// A tuning value by name, or the fallback.
  [[nodiscard]] double tuned(std::string_view name, double fallback) const;
  /// A tuning value by name as text; empty where there is none.
  [[nodiscard]] std::string tuned_text(std::string_view name) const;
};

/// Reads one TOML file: <suite>/<id>.toml. Unknown keys, unknown placeholders and a name or folder that
/// contradicts `id` or `suite` are refused with file and line.
Result<Implementation> read_implementation(const std::filesystem::path& path);

/// All implementations of a folder (one sub-folder per suite), sorted by suite and id.
Result<std::vector<Implementation>> read_implementations(const std::filesystem::path& folder);

}  // namespace shakedown
