#include "orchestrator/launch/probe.hpp"

#include <unistd.h>

#include <mutex>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/parallel.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {
namespace {

constexpr double probe_patience_s = 60;  // of one node; a discovery takes under a second
constexpr size_t most_at_a_time = 32;    // launches, each an mpirun and a connection

/// The node's answer, or why there is none.
Result<NodeAnswer> asked(const std::string& host, const Layout& layout,
                         const std::filesystem::path& sessions) {
  const auto output = command_output(probe_argv(host, layout, sessions, ::geteuid() == 0), probe_patience_s);
  if (!output) return fail_environment(host, output.error().what);
  return node_answer(output->text, host);
}

}  // namespace

std::vector<std::string> probe_argv(const std::string& host, const Layout& layout,
                                    const std::filesystem::path& sessions, bool as_root) {
  // Of mpiruns that begin and end at the same time, one removes the folder that another is about to use.
  std::vector<std::string> argv = {"mpirun", "--mca", "orte_local_tmpdir_base", sessions.string()};
  if (as_root) argv.emplace_back("--allow-run-as-root");
  argv.insert(argv.end(), {"-np", "1", "--host", host, "--bind-to", "none", layout.executable.string(),
                           "inventory", "discover", "--json"});
  return argv;
}

Result<Probe> probed(const std::vector<std::string>& hosts, const Layout& layout,
                     const std::function<void(size_t)>& progress) {
  if (program_in_path("mpirun").empty())
    return fail_environment("mpirun", "no such program in PATH", "load Open MPI's module, or install it");
  const PrivateFolder folder;
  if (folder.path().empty())
    return fail_environment("TMPDIR", "no folder can be made there",
                            "free some space, or set TMPDIR to a folder of yours");
  std::vector<Result<NodeAnswer>> results(hosts.size(), fail_environment("", "was not asked"));
  size_t done = 0;
  std::mutex reporting;
  for_each_index(hosts.size(), most_at_a_time, [&](size_t i) {
    results[i] = asked(hosts[i], layout, folder.path() / fmt::format("{}", i));
    const std::lock_guard lock(reporting);
    progress(++done);
  });
  Probe probe;
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (results[i])
      probe.answers.push_back(std::move(*results[i]));
    else
      probe.silent.push_back({hosts[i], results[i].error().what});
  }
  return probe;
}

}  // namespace shakedown
