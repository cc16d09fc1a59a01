#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/launcher.hpp"

using namespace shakedown;

namespace {

const Launcher& srun() {
  for (const Launcher* launcher : launchers())
    if (launcher->id == "srun") return *launcher;
  throw std::runtime_error("no launcher 'srun'");
}

Case two_nodes() {
  Case planned;
  planned.id = "hpl-nvidia-2n";
  planned.nodes = 2;
  planned.ranks = 16;
  planned.ranks_per_node = 8;
  planned.hosts = "cn[001-002]";
  planned.binding = "none";
  planned.program = "/workspace/hpl.sh";
  planned.arguments = {"--dat", "/my-dat-files/HPL.dat"};
  planned.container = {"pyxis", "/images/hpc.sqsh", "sha256:ab", {"{run}:/my-dat-files", "/data:/data"}};
  return planned;
}

}  // namespace

TEST_CASE("srun starts a container through Pyxis, ranks in blocks") {
  Site site;
  site.mpi = "pmix";
  const auto argv = srun().argv(two_nodes(), {"/usr/bin/srun", false, 0, &site});
  REQUIRE(argv);
  CHECK(
      shell_line(*argv) ==
      "/usr/bin/srun --nodes=2 --ntasks=16 --ntasks-per-node=8 --distribution=block:block --cpus-per-task=1 "
      "--mem=0 --cpu-bind=none --gpu-bind=none --kill-on-bad-exit=1 '--nodelist=cn[001-002]' --mpi=pmix "
      "--container-image=/images/hpc.sqsh "
      "'--container-mounts={run}:/my-dat-files,/data:/data' /workspace/hpl.sh --dat /my-dat-files/HPL.dat");
  CHECK(srun().notes(two_nodes(), {"/usr/bin/srun", false, 0, &site}).empty());
}

TEST_CASE("srun binds ranks to their cores where the case asks for it, and an unstated MPI is said") {
  Case planned = two_nodes();
  planned.binding = "core";
  planned.threads_per_rank = 4;
  planned.container = {};
  const auto argv = srun().argv(planned, {"", false, 0, nullptr});
  REQUIRE(argv);
  CHECK(shell_line(*argv).find("srun --nodes=2 --ntasks=16 --ntasks-per-node=8 --distribution=block:block "
                               "--cpus-per-task=4 --mem=0 --cpu-bind=cores") == 0);
  CHECK(srun().notes(planned, {}).size() == 1);
  // Slurm counts two CPUs for a core: without all of them a step has half of its cores.
  planned.cpus_per_rank = 8;
  CHECK(shell_line(*srun().argv(planned, {"", false, 0, nullptr})).find(" --cpus-per-task=8 ") !=
        std::string::npos);
  planned.binding = "hyperthread";
  CHECK_FALSE(srun().argv(planned, {}));
}

TEST_CASE("srun starts a look at the nodes once on each of them, whatever the ranks") {
  CHECK(shell_line(srun().once_per_node(two_nodes(), {"/usr/bin/srun", false, 0, nullptr})) ==
        "/usr/bin/srun --nodes=2 --ntasks=2 --ntasks-per-node=1 --cpus-per-task=1 --mem=0 --overlap "
        "--cpu-bind=none --mpi=none --input=none --quiet '--nodelist=cn[001-002]'");
}
