#include "orchestrator/inventory/node_state.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/composition.hpp"
#include "orchestrator/launch/environment.hpp"
#include "orchestrator/launch/loaded_files.hpp"
#include "orchestrator/launch/node_arguments.hpp"
#include "orchestrator/launch/process.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

const fs::path program = fs::path(BUILD_FOLDER) / "libexec/shakedown/node-state";

/// An attempt's folder in that of a campaign.
struct Scene {
  TemporaryFolder temporary;
  fs::path folder = temporary.path / "hpl/attempt-1";

  Scene() {
    REQUIRE(make_folder(folder));
    REQUIRE(write_file(temporary.path / "campaign.json", "{}"));
  }
  CommandOutput run(std::vector<std::string> words, const std::string& name = "") const {
    std::vector<std::string> argv = {"env", "-u", "SLURMD_NODENAME"};
    if (!name.empty()) argv = {"env", "SLURMD_NODENAME=" + name};
    argv.insert(argv.end(), {program.string(), "--folder", folder.string()});
    argv.insert(argv.end(), words.begin(), words.end());
    const auto output = command_output(argv, 20);
    REQUIRE(output);
    return *output;
  }
  [[nodiscard]] NodeState state(const std::string& node) const {
    const auto text = file_content(folder / ("node-" + node + ".json"));
    REQUIRE(text);
    const auto read = node_state_from_json(*text, node);
    REQUIRE(read);
    return *read;
  }
};

Case one_node(const std::string& launcher) {
  Case planned;
  planned.launcher = launcher;
  planned.hosts = "cn001";
  planned.program = "/opt/hpl";
  planned.argv = {"/usr/bin/" + launcher, "/opt/hpl"};
  return planned;
}

std::string node_state_line_of(const Case& planned) {
  std::string line = shell_line(node_state_command(planned, program, nullptr));
  const std::string begin = program.string() + " --folder '{run}' ";
  REQUIRE(line.starts_with(begin));
  return line.substr(begin.size());
}

}  // namespace

TEST_CASE("a real node tells what it is like, before and after, and what ran there") {
  const Scene scene;
  REQUIRE(scene.run({"--program", "/bin/true", "before"}).exit_code == 0);
  const std::string here = host_name();
  NodeState state = scene.state(here);
  CHECK(state.before_s > 0);
  REQUIRE_FALSE(state.readings.empty());
  CHECK(state.readings.front().name == "kernel");
  CHECK_FALSE(state.readings.front().after);
  CHECK_FALSE(fs::exists(scene.folder / "environment.json"));

  REQUIRE(scene.run({"--program", "/bin/true", "after"}).exit_code == 0);
  state = scene.state(here);
  CHECK(state.after_s >= state.before_s);
  CHECK(state.readings.front().after == state.readings.front().before);
  CHECK(state.processes.empty());
  const auto text = file_content(scene.folder / "environment.json");
  REQUIRE(text);
  const auto records = environment_from_json(*text).records;
  CHECK(std::ranges::find(records, "sha256 /bin/true", &EnvironmentRecord::name) != records.end());
  const auto known = file_content(scene.temporary.path / ("environment-" + here + ".json"));
  REQUIRE(known);
  CHECK(environment_from_json(*known).records.front() == records.front());
  CHECK(loaded_from_json(*text).known == KnownHashes{"environment-" + here + ".json", {}, sha256(*known)});
}

TEST_CASE("each node of a case states what it found to be loaded, and what it knew before") {
  const Scene scene;
  const std::string data = (scene.temporary.path / "data").string();
  REQUIRE(write_file(data, "1"));
  const auto look = [&](const char* node, const char* phase) {
    REQUIRE(scene.run({"--first", "cn001", "--file", "/bin/true", "--file", data, phase}, node).exit_code ==
            0);
  };
  const auto stated = [&](const char* file) {
    const auto text = file_content(scene.folder / file);
    REQUIRE(text);
    return loaded_from_json(*text);
  };
  const auto of = [](const std::vector<LoadedFile>& files, const std::string& path) {
    const auto it = std::ranges::find(files, path, &LoadedFile::path);
    REQUIRE(it != files.end());
    return *it;
  };
  for (const char* node : {"cn001", "cn002"}) look(node, "before");
  for (const char* node : {"cn001", "cn002"}) look(node, "after");
  const auto first = stated("environment.json");
  const auto second = stated("node-cn002.json");
  CHECK(stated("node-cn001.json").files.empty());
  CHECK(of(first.files, data).sha256 == sha256("1"));
  CHECK(of(second.files, data).sha256 == sha256("1"));
  CHECK(of(second.files, "/bin/true").is_program);  // whose hash the wrapper states on the first node
  CHECK(std::ranges::find(first.files, "/bin/true", &LoadedFile::path) == first.files.end());
  CHECK(second.known.read.empty());
  const auto left = sha256_of_file(scene.temporary.path / "environment-cn002.json");
  REQUIRE(left);
  CHECK(second.known.left == *left);
  REQUIRE(write_file(data, "2"));
  look("cn002", "before");
  look("cn002", "after");
  const auto again = stated("node-cn002.json");
  CHECK(of(again.files, data).before == sha256("1"));
  CHECK(again.known.read == std::vector<std::string>{*left});
}

TEST_CASE("a node is called as the batch system calls it, and only the first tells of the environment") {
  const Scene scene;
  REQUIRE(scene.run({"--first", "cn001", "before"}, "cn002").exit_code == 0);
  REQUIRE(scene.run({"--first", "cn001", "after"}, "cn002").exit_code == 0);
  CHECK(scene.state("cn002").node == "cn002");
  CHECK_FALSE(fs::exists(scene.folder / "environment.json"));
  REQUIRE(scene.run({"--first", "cn001", "after"}, "cn001").exit_code == 0);
  CHECK(fs::exists(scene.folder / "environment.json"));
}

TEST_CASE("other nodes are looked at through the launcher's words, this one without them") {
  const Scene scene;
  const std::vector<std::string> words = {
      "--host", "cn001", "--through", "env", "--through", "SLURMD_NODENAME=cn001", "before"};
  REQUIRE(scene.run(words, "cn002").exit_code == 0);
  CHECK(scene.state("cn001").node == "cn001");
  CHECK_FALSE(fs::exists(scene.folder / "node-cn002.json"));
  REQUIRE(scene.run({"--host", "cn003.cluster", "--through", "/bin/false", "before"}, "cn003").exit_code ==
          0);
  CHECK(scene.state("cn003").node == "cn003");
}

TEST_CASE("a look without a folder or a phase is refused") {
  CHECK_FALSE(node_arguments({"before"}));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>(), {"before"}, {"--folder", "x"}, {"--colour", "red", "before"}})
    CHECK(node_arguments(words).error().hint.starts_with("node-state --folder DIR "));
  CHECK_FALSE(node_arguments({"--folder", "x"}));
  CHECK_FALSE(node_arguments({"--folder", "x", "--colour", "red", "before"}));
  CHECK(node_arguments({"--folder", "x", "after"})->phase == NodeArguments::Phase::after);
  CHECK(node_arguments({"--folder", "x", "around"})->phase == NodeArguments::Phase::around);
}

TEST_CASE("one node has one name, with its domain and without") {
  CHECK(same_host("cn001", "cn001.cluster.example"));
  CHECK_FALSE(same_host("cn001.a", "cn001.b"));
  CHECK_FALSE(same_host("cn001", "cn002"));
}

TEST_CASE("what looks at the nodes of a case is started where the case's ranks are") {
  CHECK(node_state_line_of(one_node("")) == "--host cn001 --program /opt/hpl");
  CHECK(node_state_line_of(one_node("mpirun")) ==
        "--host cn001 --launcher /usr/bin/mpirun --program /opt/hpl");
  CHECK(node_state_line_of(one_node("srun"))
            .starts_with("--host cn001 --launcher /usr/bin/srun --program /opt/hpl --through /usr/bin/srun "
                         "--through --nodes=1 "));
  Case planned = one_node("mpirun");
  planned.nodes = 2;
  planned.hosts = "cn[001-002]";
  CHECK(
      node_state_line_of(planned).starts_with("--first cn001 --launcher /usr/bin/mpirun --program /opt/hpl "
                                              "--through /usr/bin/mpirun --through "));
  CHECK(node_state_command(planned, "/no/such/node-state", nullptr).empty());
}
