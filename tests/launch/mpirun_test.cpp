#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <set>
#include <thread>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/launcher.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

namespace {

const Launcher& mpirun() {
  for (const Launcher* launcher : launchers())
    if (launcher->id == "mpirun") return *launcher;
  throw std::runtime_error("no launcher 'mpirun'");
}

Case two_ranks() {
  Case planned;
  planned.id = "hpl-reference-1n";
  planned.ranks = planned.ranks_per_node = 2;
  planned.launcher = "mpirun";
  planned.binding = "core";
  planned.program = "/opt/hpl";
  planned.environment = {{"OMP_NUM_THREADS", std::string("1")}};
  return planned;
}

std::string mpirun_line_of(const Case& planned, const LaunchContext& context) {
  const auto argv = mpirun().argv(planned, context);
  return argv ? shell_line(*argv) : to_string(argv.error());
}

struct Output {
  std::string text;
  int status = -1;
};

Output output_of(const std::string& line) {
  Output output;
  FILE* pipe = popen((line + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) output.text += buffer.data();
  output.status = WEXITSTATUS(pclose(pipe));
  return output;
}

/// The real mpirun of this machine, or an empty path after saying why the test is skipped.
std::string real_mpirun() {
  const auto path = program_in_path("mpirun");
  if (path.empty()) skip("mpirun is not installed");
  return path.string();
}

}  // namespace

TEST_CASE("ranks of one thread are bound to a core each, and the case's variables are exported") {
  CHECK(mpirun_line_of(two_ranks(), {"/usr/bin/mpirun", false}) ==
        "/usr/bin/mpirun -np 2 --map-by ppr:2:node:PE=1 --bind-to core -x OMP_NUM_THREADS /opt/hpl");
}

TEST_CASE("a rank with several threads is bound to as many cores") {
  Case planned = two_ranks();
  planned.threads_per_rank = 48;
  planned.arguments = {"--dat", "a file"};
  CHECK(mpirun_line_of(planned, {"/usr/bin/mpirun", false}) ==
        "/usr/bin/mpirun -np 2 --map-by ppr:2:node:PE=48 --bind-to core -x OMP_NUM_THREADS /opt/hpl --dat 'a "
        "file'");
}

TEST_CASE("a case without binding leaves its ranks to the kernel's scheduler") {
  Case planned = two_ranks();
  planned.binding = "none";
  CHECK(mpirun_line_of(planned, {"/usr/bin/mpirun", false}) ==
        "/usr/bin/mpirun -np 2 --map-by ppr:2:node --bind-to none -x OMP_NUM_THREADS /opt/hpl");
}

TEST_CASE("several nodes are named with the ranks of each") {
  Case planned = two_ranks();
  planned.nodes = 3;
  planned.ranks = 24;
  planned.ranks_per_node = 8;
  planned.hosts = "cn[001-002],gpu7";
  CHECK(mpirun_line_of(planned, {"/usr/bin/mpirun", false}) ==
        "/usr/bin/mpirun -np 24 --host cn001:8,cn002:8,gpu7:8 --map-by ppr:8:node:PE=1 --bind-to core "
        "-x OMP_NUM_THREADS /opt/hpl");
}

TEST_CASE("hosts that are not as many as the nodes are refused") {
  Case planned = two_ranks();
  planned.nodes = 3;
  planned.hosts = "cn[001-002]";
  CHECK(mpirun_line_of(planned, {}) == "hpl-reference-1n: 2 hosts are named for 3 nodes");
}

TEST_CASE("a binding that mpirun does not know is refused") {
  Case planned = two_ranks();
  planned.binding = "numa";
  CHECK(mpirun_line_of(planned, {}) ==
        "hpl-reference-1n: mpirun knows no binding 'numa'\nhint: core or none");
}

TEST_CASE("as root mpirun is allowed to run, and the user reads that") {
  const LaunchContext context{"/usr/bin/mpirun", true};
  CHECK(mpirun_line_of(two_ranks(), context) ==
        "/usr/bin/mpirun --allow-run-as-root -np 2 --map-by ppr:2:node:PE=1 --bind-to core -x "
        "OMP_NUM_THREADS /opt/hpl");
  CHECK(mpirun().notes(two_ranks(), context) ==
        std::vector<std::string>{"mpirun runs as root: --allow-run-as-root was added"});
  CHECK(mpirun().notes(two_ranks(), {"/usr/bin/mpirun", false}).empty());
}

TEST_CASE("more ranks than usable cores are oversubscribed, unbound, and said") {
  Case planned = two_ranks();
  planned.ranks = planned.ranks_per_node = 4;
  const LaunchContext context{"/usr/bin/mpirun", false, 2};
  CHECK(
      mpirun_line_of(planned, context) ==
      "/usr/bin/mpirun -np 4 --map-by ppr:4:node --bind-to none --oversubscribe -x OMP_NUM_THREADS /opt/hpl");
  CHECK(mpirun().notes(planned, context) ==
        std::vector<std::string>{
            "4 ranks x 1 threads on 2 usable cores of a node: --oversubscribe was added and "
            "nothing is bound"});
  CHECK(mpirun_line_of(two_ranks(), context).find("--oversubscribe") == std::string::npos);
}

TEST_CASE("several nodes without hosts are those of the allocation, and that is said") {
  Case planned = two_ranks();
  planned.nodes = 2;
  CHECK(mpirun_line_of(planned, {}).find("--host") == std::string::npos);
  CHECK(mpirun().notes(planned, {}).size() == 1);
}

TEST_CASE("the real mpirun starts the ranks, exports the variables and gives each its own core") {
  const std::string program = real_mpirun();
  if (program.empty()) return;
  const int ranks = std::thread::hardware_concurrency() >= 2 ? 2 : 1;
  Case planned = two_ranks();
  planned.ranks = planned.ranks_per_node = ranks;
  planned.program = "/bin/sh";
  planned.arguments = {"-c",
                       "echo $OMPI_COMM_WORLD_RANK $COLOUR $(grep Cpus_allowed_list: /proc/self/status)"};
  planned.environment = {{"COLOUR", std::string("green")}};
  const Output output = output_of("COLOUR=green " + mpirun_line_of(planned, {program, geteuid() == 0}));
  INFO(output.text);
  REQUIRE(output.status == 0);
  std::set<std::string> seen_ranks;
  std::set<std::string> seen_cores;
  for (const auto line : split(output.text, '\n')) {
    const auto parts = words(line);
    if (parts.size() != 4) continue;
    CHECK(parts[1] == "green");
    seen_ranks.emplace(parts[0]);
    seen_cores.emplace(parts[3]);
  }
  CHECK(seen_ranks.size() == static_cast<size_t>(ranks));
  CHECK(seen_cores.size() == static_cast<size_t>(ranks));
}

TEST_CASE("the real mpirun gives one rank with two threads two cores") {
  const std::string program = real_mpirun();
  if (program.empty()) return;
  if (std::thread::hardware_concurrency() < 2) {
    skip("this machine has one core");
    return;
  }
  Case planned = two_ranks();
  planned.ranks = planned.ranks_per_node = 1;
  planned.threads_per_rank = 2;
  planned.program = "/usr/bin/nproc";
  planned.environment = {};
  const Output output = output_of(mpirun_line_of(planned, {program, geteuid() == 0}));
  INFO(output.text);
  REQUIRE(output.status == 0);
  CHECK(trimmed(output.text) >= std::string_view("2"));
}

TEST_CASE("mpirun starts a look at the nodes once on each of them, whatever the ranks") {
  Case planned = two_ranks();
  planned.nodes = 2;
  planned.hosts = "cn[001-002]";
  CHECK(
      shell_line(mpirun().once_per_node(planned, {"/usr/bin/mpirun", true, 0, nullptr})) ==
      "/usr/bin/mpirun --allow-run-as-root -np 2 --host cn001:1,cn002:1 --map-by ppr:1:node --bind-to none");
}
