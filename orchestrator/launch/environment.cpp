#include "orchestrator/launch/environment.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/secret.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/loaded_files.hpp"
#include "orchestrator/launch/process.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace shakedown {
namespace {

/// Files of the kernel that show its setup; what may change from run to run is read with each attempt.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kernel_files = {{
    {"address space randomisation", "/proc/sys/kernel/randomize_va_space"},
    {"kernel command line", "/proc/cmdline"},
}};

/// Variables that change what runs; everything else in the environment is nobody's business.
constexpr std::array<std::string_view, 18> relevant_prefixes = {
    "OMP_",  "OPENBLAS_", "MKL_", "BLIS_",  "KMP_", "GOMP_", "OMPI_",         "PMIX_",      "UCX_",
    "NCCL_", "CUDA_",     "HPL_", "SLURM_", "PBS_", "LD_",   "LOADEDMODULES", "MODULEPATH", "I_MPI_"};

constexpr std::string_view variable_mark = "environment ";  // these are another job's with each job

/// The facts of one node.
class Capture {
 public:
  Capture(std::string node, std::span<const EnvironmentRecord> known) : node_(std::move(node)) {
    for (const EnvironmentRecord& record : known)
      if (record.node == node_ && !record.name.starts_with(variable_mark)) records_.push_back(record);
  }
  [[nodiscard]] bool knows(std::string_view name) const {
    return std::ranges::find(records_, name, &EnvironmentRecord::name) != records_.end();
  }
  void add(std::string_view name, std::string_view value) {
    if (!knows(name)) records_.push_back({node_, std::string(name), std::string(trimmed(value))});
  }
  void file(std::string_view name, const fs::path& path) {
    const std::string key = fmt::format("sha256 {}", name);
    if (knows(key)) return;
    if (const auto hash = sha256_of_file(path)) add(key, fmt::format("{}  {}", *hash, path.string()));
  }
  std::vector<EnvironmentRecord> take() { return std::move(records_); }

 private:
  std::string node_;
  std::vector<EnvironmentRecord> records_;
};

/// Whether a library is one whose version decides the result.
bool decides(std::string_view path) {
  static constexpr std::array<std::string_view, 12> names = {"blas",        "mkl",     "blis",    "libmpi.",
                                                             "libopen-pal", "cublas",  "cudart",  "nccl",
                                                             "ucp",         "libgomp", "libiomp", "lapack"};
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return path.find(name) != std::string_view::npos; });
}

}  // namespace

std::vector<EnvironmentRecord> captured_environment(const RunPrograms& ran,
                                                    std::span<const EnvironmentRecord> known) {
  Capture capture(ran.node, known);
  utsname name{};
  ::uname(&name);
  capture.add("kernel", fmt::format("{} {} {}", name.sysname, name.release, name.version));
  capture.add("architecture", name.machine);
  for (const auto& [fact, path] : kernel_files)
    if (!capture.knows(fact))
      if (const auto content = file_content(fs::path(path))) capture.add(fact, *content);

  if (!ran.launcher.empty() && !capture.knows("version " + ran.launcher)) {
    if (const auto version = command_output({ran.launcher, "--version"}, 2))
      capture.add("version " + ran.launcher, split(version->text, '\n').front());
    capture.file(ran.launcher, ran.launcher);
  }
  const std::string program = ran.program.empty() ? "" : program_in_path(ran.program).string();
  if (!program.empty() && !capture.knows("sha256 " + program)) {
    capture.file(program, program);
    if (!ran.launcher.empty()) {  // else no MPI program: its libraries decide nothing
      for (const std::string& path : linked_libraries(program)) {
        std::error_code code;
        if (decides(path)) capture.file(path, fs::canonical(path, code));
      }
      if (const auto compilers = compilers_of(program); !compilers.empty())
        capture.add("compiler " + program, joined(compilers, "; "));
    }
  }
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view variable = text.substr(0, text.find('='));
    if (variable.size() == text.size()) continue;
    const bool tells = std::any_of(relevant_prefixes.begin(), relevant_prefixes.end(),
                                   [&](std::string_view prefix) { return variable.starts_with(prefix); });
    if (tells)
      capture.add(fmt::format("{}{}", variable_mark, variable),
                  shown_value(variable, text.substr(variable.size() + 1)));
  }
  return capture.take();
}

std::string environment_json(const EnvironmentFile& file) {
  nlohmann::ordered_json document;
  document["schema"] = "shakedown.environment/1";
  document["nodes"] = nlohmann::ordered_json::object();
  for (const EnvironmentRecord& record : file.records)
    document["nodes"][record.node][record.name] = record.value;
  put_loaded(document, file.loaded);
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

EnvironmentFile environment_from_json(std::string_view text) {
  const auto document = json_or_discarded<nlohmann::ordered_json>(text);
  EnvironmentFile file{{}, loaded_in(document)};
  if (!document.is_object() || !document.contains("nodes") || !document["nodes"].is_object()) return file;
  for (const auto& [node, facts] : document["nodes"].items())
    for (const auto& [name, value] : facts.items())
      if (value.is_string()) file.records.push_back({node, name, value.get<std::string>()});
  return file;
}

}  // namespace shakedown
