#include "orchestrator/launch/attempt_server.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/launch/environment.hpp"
#include "orchestrator/launch/node_arguments.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

const fs::path libexec = BUILD_FOLDER "/libexec/shakedown";

ServedAttempt attempt_in(const fs::path& folder, const std::vector<std::string>& command) {
  ServedAttempt attempt{
      folder.string(), {(libexec / "attempt").string(), "--folder", "."}, {"COLOUR=deep blue", "EMPTY="}};
  for (const std::string& word :
       {(libexec / "node-state").string(), std::string("--folder"), folder.string()}) {
    attempt.argv.emplace_back("--around");
    attempt.argv.push_back(word);
  }
  attempt.argv.emplace_back("--");
  attempt.argv.insert(attempt.argv.end(), command.begin(), command.end());
  return attempt;
}

/// Waits for a file of an attempt. Whether it came.
bool has_come(const fs::path& file) {
  const double begun_s = steady_s();
  while (!fs::exists(file) && steady_s() - begun_s < 60) CHECK(command_output({"sleep", "0.005"}, 10));
  return fs::exists(file);
}

/// Waits for the end of an attempt.
std::optional<Finished> finished_in(const fs::path& folder) {
  return has_come(folder / "finished.json") ? read_finished(folder) : std::nullopt;
}

/// The server: the parent of a wrapper.
int parent_of(int pid) {
  const auto stat = file_content(fmt::format("/proc/{}/stat", pid));
  return stat ? std::stoi(stat->substr(stat->rfind(')') + 4)) : 0;
}

}  // namespace

TEST_CASE("an attempt that a server starts is as one that is executed") {
  const TemporaryFolder folder;
  AttemptServer server;
  const auto pid = server.start(
      libexec / "node-state",
      attempt_in(folder.path, {"sh", "-c", "echo \"$COLOUR$EMPTY, $1\"; exit 3", "sh", "two  words"}));
  REQUIRE(pid);
  const auto finished = finished_in(folder.path);
  REQUIRE(finished);
  CHECK(finished->state == "finished");
  CHECK(finished->exit_code == 3);
  CHECK(file_content(folder.path / "stdout.log") == "deep blue, two  words\n");
  const auto started = read_started(folder.path);
  REQUIRE(started);
  CHECK(started->pid == *pid);
  CHECK(file_content(folder.path / "environment.json"));  // by what looked at the node
}

TEST_CASE("what a look saw of other processes serves the next attempt while none can have used a CPU") {
  const TemporaryFolder folder;
  AttemptServer server;
  std::vector<NodeState> states;
  for (const char* name : {"one", "two"}) {
    const fs::path attempt = folder.path / name;
    REQUIRE(fs::create_directory(attempt));
    REQUIRE(server.start(libexec / "node-state", attempt_in(attempt, {"true"})));
    REQUIRE(finished_in(attempt));
    const fs::path file = attempt / fmt::format("node-{}.json", file_name_of(node_name()));
    const auto text = file_content(file);
    REQUIRE(text);
    const auto state = node_state_from_json(*text, file.string());
    REQUIRE(state);
    REQUIRE(state->other_processes);
    states.push_back(*state);
  }
  const double between_s =
      states[1].before_s - states[0].before_s;  // the last look is that one, or a later one
  const auto cpus = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
  CAPTURE(between_s, cpus);
  CHECK((states[1].before_s <= states[0].after_s || between_s * cpus >= least_cpu_s));
}

TEST_CASE("a server looks at the node for an attempt as a process of the attempt does") {
  const TemporaryFolder folder;
  const fs::path served = folder.path / "served";
  const fs::path executed = folder.path / "executed";
  REQUIRE(fs::create_directory(served));
  REQUIRE(fs::create_directory(executed));
  ServedAttempt attempt = attempt_in(served, {"true"});
  attempt.environment = {"OMP_NUM_THREADS=7", "UNRELATED=yes"};
  AttemptServer server;
  REQUIRE(server.start(libexec / "node-state", attempt));
  REQUIRE(finished_in(served));

  std::vector<std::string> words = {"env", "-C", executed.string(), "OMP_NUM_THREADS=7", "UNRELATED=yes"};
  const ServedAttempt direct = attempt_in(executed, {"true"});
  words.insert(words.end(), direct.argv.begin(), direct.argv.end());
  REQUIRE(command_output(words, 30));
  REQUIRE(finished_in(executed));

  const std::string file = fmt::format("node-{}.json", file_name_of(node_name()));
  const auto state_of = [&](const fs::path& of) {
    return node_state_from_json(file_content(of / file).value_or(""), file).value_or(NodeState{});
  };
  const NodeState a = state_of(served);
  const NodeState b = state_of(executed);
  CHECK(a.node == b.node);
  CHECK(a.readings == b.readings);
  CHECK_FALSE(a.readings.empty());
  CHECK(a.before_s > 0);
  CHECK(a.after_s >= a.before_s);
  const auto environment_of = [](const fs::path& of) {
    return environment_from_json(file_content(of / environment_file).value_or(""));
  };
  CHECK(environment_of(served).records == environment_of(executed).records);
  CHECK(std::ranges::count(environment_of(served).records, "7", &EnvironmentRecord::value) == 1);
}

TEST_CASE("where the server is killed while a program runs, the attempt looks at the node by itself") {
  const TemporaryFolder folder;
  AttemptServer server;
  const auto pid =
      server.start(libexec / "node-state", attempt_in(folder.path, {"sh", "-c", "echo on; sleep 1"}));
  REQUIRE(pid);
  const double begun_s = steady_s();
  while (file_content(folder.path / "stdout.log").value_or("").empty() && steady_s() - begun_s < 60)
    CHECK(command_output({"sleep", "0.005"}, 10));
  REQUIRE(::kill(parent_of(*pid), SIGKILL) == 0);
  const auto finished = finished_in(folder.path);
  REQUIRE(finished);
  CHECK(finished->exit_code == 0);
  CHECK(file_content(folder.path / environment_file));
  const fs::path file = folder.path / fmt::format("node-{}.json", file_name_of(node_name()));
  const auto state = node_state_from_json(file_content(file).value_or(""), file.string());
  REQUIRE(state);
  CHECK(state->before_s > 0);
  CHECK(state->after_s >= state->before_s + 1);
}

TEST_CASE("a program is hashed again where it changed between two attempts of a server") {
  const TemporaryFolder folder;
  const fs::path program = folder.path / "program";
  AttemptServer server;
  std::vector<std::string> hashes;
  for (const char* name : {"one", "two", "three", "four"}) {
    const fs::path attempt = folder.path / name;
    REQUIRE(fs::create_directory(attempt));
    // Of one size; written twice within a moment, left alone until its hash may be kept, and written again.
    if (std::string_view(name) == "three") {
      CHECK(command_output({"sleep", "2.1"}, 10));
    } else {
      REQUIRE(write_file(program, fmt::format("#!/bin/sh\n# {:>5}\n", name)));
      fs::permissions(program, fs::perms::owner_all);
    }
    ServedAttempt served = attempt_in(attempt, {program.string()});
    served.argv.insert(served.argv.begin() + 1, {"--program", program.string()});
    REQUIRE(server.start(libexec / "node-state", served));
    const auto finished = finished_in(attempt);
    REQUIRE(finished);
    CHECK(finished->program_sha256 == sha256_of_file(program).value());
    hashes.push_back(finished->program_sha256);
  }
  CHECK(hashes[0] != hashes[1]);
  CHECK(hashes[1] == hashes[2]);
  CHECK(hashes[2] != hashes[3]);
}

TEST_CASE("an attempt goes on when its server is killed, and no other starts there") {
  const TemporaryFolder folder;
  const TemporaryFolder next;
  AttemptServer server;
  const auto pid = server.start(libexec / "node-state", attempt_in(folder.path, {"sleep", "1"}));
  REQUIRE(pid);
  REQUIRE(has_come(folder.path / "started.json"));
  const auto words = file_content(fmt::format("/proc/{}/cmdline", *pid));
  REQUIRE(words);
  CHECK(words->starts_with("attempt"));
  const int owner = parent_of(*pid);
  REQUIRE(owner > 1);
  REQUIRE(::kill(owner, SIGKILL) == 0);
  CHECK_FALSE(server.start(libexec / "node-state", attempt_in(next.path, {"true"})));
  CHECK_FALSE(fs::exists(next.path / "started.json"));
  const auto finished = finished_in(folder.path);
  REQUIRE(finished);
  CHECK(finished->state == "finished");
  // Whoever needs a server gets another.
  REQUIRE(server.start(libexec / "node-state", attempt_in(next.path, {"true"})));
  CHECK(finished_in(next.path));
}

TEST_CASE("a server that cannot be started is an error, and starts no attempt") {
  const TemporaryFolder folder;
  AttemptServer server;
  const auto pid = server.start(folder.path / "none", attempt_in(folder.path, {"true"}));
  REQUIRE_FALSE(pid);
  CHECK(pid.error().fault == Fault::environment);
  CHECK_FALSE(fs::exists(folder.path / "started.json"));
}

TEST_CASE("what is no message of ours starts nothing") {
  int ends[2] = {-1, -1};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const std::string wrong(
      "\x05\0\0\0"
      "9\0/x\0",
      9);  // nine variables, of which none is there
  REQUIRE(::send(ends[0], wrong.data(), wrong.size(), 0) == static_cast<ssize_t>(wrong.size()));
  CHECK_FALSE(received_attempt(ends[1]));
  ::close(ends[0]);
  CHECK_FALSE(received_attempt(ends[1]));  // the other end is closed
  ::close(ends[1]);
}
