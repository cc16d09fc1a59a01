// Open MPI's mpirun (4.x; the words used here are in 3.x too). MPICH's Hydra spells binding, hosts and
// variables in other words and wants a launcher of its own.
//
// Source: mpirun(1) of Open MPI 4.1, "Mapping, Ranking, and Binding".
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/launcher.hpp"

namespace shakedown::launcher {

extern const Launcher mpirun;

namespace {

bool more_ranks_than_cores(const Case& planned, const LaunchContext& context) {
  return context.usable_cores > 0 && planned.ranks_per_node * planned.threads_per_rank > context.usable_cores;
}

/// Consecutive ranks share a node and, where bound, each has the next `threads_per_rank` cores for its own.
/// Spelled as ranks per node, because the plainer `--map-by core` goes by the node's slots, and they depend
/// on the allocation.
void add_binding(std::vector<std::string>& argv, const Case& planned, bool crowded) {
  const std::string per_node = fmt::format("ppr:{}:node", planned.ranks_per_node);
  if (planned.binding != "core" || crowded)
    argv.insert(argv.end(), {"--map-by", per_node, "--bind-to", "none"});
  else
    argv.insert(argv.end(), {"--map-by", fmt::format("{}:PE={}", per_node, planned.threads_per_rank),
                             "--bind-to", "core"});
}

Result<void> add_hosts(std::vector<std::string>& argv, const Case& planned) {
  if (planned.nodes == 1 || planned.hosts.empty()) return {};
  const auto hosts = expanded_hostlist(planned.hosts);
  if (!hosts) return failure_of(hosts);
  if (static_cast<int>(hosts->size()) != planned.nodes)
    return fail(planned.id, fmt::format("{} hosts are named for {} nodes", hosts->size(), planned.nodes));
  const std::string ranks = fmt::format(":{}", planned.ranks_per_node);
  std::string list;
  for (const std::string& host : *hosts) {
    if (!list.empty()) list += ',';
    list += host;
    list += ranks;
  }
  argv.insert(argv.end(), {"--host", list});
  return {};
}

Result<std::vector<std::string>> mpirun_argv(const Case& planned, const LaunchContext& context) {
  if (planned.binding != "core" && planned.binding != "none" && !planned.binding.empty())
    return fail(planned.id, fmt::format("mpirun knows no binding '{}'", planned.binding), "core or none");
  const bool crowded = more_ranks_than_cores(planned, context);
  std::vector<std::string> argv = {context.launcher_program.empty() ? "mpirun" : context.launcher_program};
  if (context.as_root) argv.emplace_back("--allow-run-as-root");
  argv.insert(argv.end(), {"-np", fmt::format("{}", planned.ranks)});
  if (auto ok = add_hosts(argv, planned); !ok) return failure_of(ok);
  add_binding(argv, planned, crowded);
  if (crowded) argv.emplace_back("--oversubscribe");
  for (const Parameter& variable : planned.environment) argv.insert(argv.end(), {"-x", variable.name});
  argv.push_back(planned.program);
  argv.insert(argv.end(), planned.arguments.begin(), planned.arguments.end());
  return argv;
}

std::vector<std::string> mpirun_once_per_node(const Case& planned, const LaunchContext& context) {
  Case one_rank = planned;
  one_rank.ranks_per_node = 1;
  std::vector<std::string> argv = {context.launcher_program.empty() ? "mpirun" : context.launcher_program};
  if (context.as_root) argv.emplace_back("--allow-run-as-root");
  argv.insert(argv.end(), {"-np", fmt::format("{}", planned.nodes)});
  if (!add_hosts(argv, one_rank)) return {};
  argv.insert(argv.end(), {"--map-by", "ppr:1:node", "--bind-to", "none"});
  return argv;
}

std::vector<Parameter> mpirun_environment(const Case& /*planned*/, const LaunchContext& /*context*/) {
  return {};
}

std::vector<std::string> mpirun_notes(const Case& planned, const LaunchContext& context) {
  std::vector<std::string> notes;
  if (context.as_root) notes.emplace_back("mpirun runs as root: --allow-run-as-root was added");
  if (more_ranks_than_cores(planned, context))
    notes.push_back(
        fmt::format("{} ranks x {} threads on {} usable cores of a node: --oversubscribe was added and "
                    "nothing is bound",
                    planned.ranks_per_node, planned.threads_per_rank, context.usable_cores));
  if (planned.nodes > 1 && planned.hosts.empty())
    notes.push_back(
        fmt::format("no hosts are named for {} nodes: mpirun takes those of the allocation", planned.nodes));
  return notes;
}

}  // namespace

const Launcher mpirun = {"mpirun",
                         "mpirun",
                         "Open MPI's mpirun",
                         "apt-get install openmpi-bin, or load the site's MPI module",
                         mpirun_argv,
                         mpirun_environment,
                         mpirun_notes,
                         mpirun_once_per_node};

}  // namespace shakedown::launcher
