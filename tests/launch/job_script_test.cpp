#include <unistd.h>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

Case echo_case() {
  Case planned;
  planned.id = "echo";
  planned.argv = {"/bin/sh", "-c", "cat input.txt; echo \"$GREETING\" in \"$0\"; exit 7", "{run}/x"};
  planned.environment = {{"GREETING", std::string("it's $HOME")}};
  planned.files = {{"input.txt", "from a file\n"}};
  return planned;
}

int run_script(const fs::path& folder, const std::string& argument) {
  const auto output = command_output({"/bin/sh", (folder / "job.sh").string(), argument}, 20);
  REQUIRE(output);
  return output->exit_code;
}

}  // namespace

TEST_CASE("job.sh runs its command under the wrapper and says how it ended") {
  const TemporaryFolder temporary;
  const JobContext context{"c", 1, fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt", 10, {}};
  REQUIRE(prepare_run_directory(temporary.path, echo_case(), context));
  CHECK(run_script(temporary.path, "--attempt") == 0);
  const auto finished = read_finished(temporary.path);
  REQUIRE(finished);
  CHECK(finished->state == "finished");
  CHECK(finished->exit_code == 7);
  CHECK(finished->cpus >= 1);
  CHECK(file_content(temporary.path / "stdout.log").value() ==
        "from a file\nit's $HOME in " + temporary.path.string() + "/x\n");

  SECTION("and never a second time") {
    fs::remove(temporary.path / "finished.json");
    CHECK(run_script(temporary.path, "--attempt") == 75);
    CHECK_FALSE(read_finished(temporary.path));
  }
}

TEST_CASE("job.sh keeps the protocol where the wrapper is missing") {
  const TemporaryFolder temporary;
  REQUIRE(prepare_run_directory(temporary.path, echo_case(), {"c", 1, "/nowhere/attempt", 10, {}}));
  CHECK(run_script(temporary.path, "--attempt") == 0);
  const auto finished = read_finished(temporary.path);
  REQUIRE(finished);
  CHECK(finished->exit_code == 7);
  CHECK(read_started(temporary.path)->pid > 0);
  CHECK(run_script(temporary.path, "--attempt") == 75);
}

TEST_CASE("job.sh by hand repeats the run in a new folder and leaves the evidence as it is") {
  const TemporaryFolder temporary;
  REQUIRE(prepare_run_directory(temporary.path, echo_case(), {"c", 1, "/nowhere/attempt", 10, {}}));
  const auto output = command_output({"/bin/sh", (temporary.path / "job.sh").string()}, 20);
  REQUIRE(output);
  CHECK(output->exit_code == 7);
  CHECK(output->text.find("from a file\nit's $HOME in") != std::string::npos);
  CHECK_FALSE(fs::exists(temporary.path / "started.json"));
  CHECK_FALSE(fs::exists(temporary.path / "stdout.log"));
}

TEST_CASE("an attempt that never began is given up once, and its late job goes away") {
  const TemporaryFolder temporary;
  const JobContext context{"c", 1, fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt", 10, {}};
  REQUIRE(prepare_run_directory(temporary.path, echo_case(), context));
  CHECK(abandon_unstarted(temporary.path).value());
  CHECK(read_started(temporary.path)->abandoned);
  CHECK(run_script(temporary.path, "--attempt") == 75);
  CHECK_FALSE(fs::exists(temporary.path / "stdout.log"));
}

TEST_CASE("an attempt that has begun cannot be given up") {
  const TemporaryFolder temporary;
  const JobContext context{"c", 1, fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt", 10, {}};
  REQUIRE(prepare_run_directory(temporary.path, echo_case(), context));
  run_script(temporary.path, "--attempt");
  CHECK_FALSE(abandon_unstarted(temporary.path).value());
  CHECK_FALSE(read_started(temporary.path)->abandoned);
}

TEST_CASE("the time limit ends a job that ignores SIGTERM, and everything it started") {
  const TemporaryFolder temporary;
  Case planned;
  planned.id = "stubborn";
  planned.argv = {"/bin/sh", "-c",
                  "trap '' TERM; (trap '' TERM; setsid sleep 97.25) & while :; do sleep 0.1; done"};
  planned.time_limit_s = 0.5;
  REQUIRE(prepare_run_directory(temporary.path, planned,
                                {"c", 1, fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt", 0.5, {}}));
  CHECK(run_script(temporary.path, "--attempt") == 0);
  const auto finished = read_finished(temporary.path);
  REQUIRE(finished);
  CHECK(finished->state == "timed-out");
  CHECK(finished->signal == 9);
  const auto left = command_output({"pgrep", "-f", "sleep 97.25"}, 5);
  REQUIRE(left);
  CHECK(left->text.empty());
}

TEST_CASE("a program that is not there is not-started, with the reason") {
  const TemporaryFolder temporary;
  Case planned;
  planned.id = "missing";
  planned.argv = {"/no/such/program"};
  REQUIRE(prepare_run_directory(temporary.path, planned,
                                {"c", 1, fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt", 1, {}}));
  run_script(temporary.path, "--attempt");
  const auto finished = read_finished(temporary.path);
  REQUIRE(finished);
  CHECK(finished->state == "not-started");
  CHECK(finished->reason == "No such file or directory");
}

namespace {

/// A context with a command around the attempt.
JobContext with_around(std::vector<std::string> around) {
  return {"c", 1, fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt", 10, {}, std::move(around)};
}

}  // namespace

TEST_CASE("the command around an attempt runs before and after it, and is no part of its logs") {
  const TemporaryFolder temporary;
  REQUIRE(prepare_run_directory(
      temporary.path, echo_case(),
      with_around({"/bin/sh", "-c", "echo noise; test -e finished.json || echo \"$2 $1\" >>\"$0/seen\"",
                   "{run}", "it's $HOME"})));
  CHECK(run_script(temporary.path, "--attempt") == 0);
  CHECK(file_content(temporary.path / "seen").value() == "around it's $HOME\nafter it's $HOME\n");
  CHECK(read_finished(temporary.path)->exit_code == 7);
  CHECK(file_content(temporary.path / "stdout.log")->find("noise") == std::string::npos);
}

TEST_CASE("a command around an attempt that waits for its end is started once, and is no leftover of it") {
  const TemporaryFolder temporary;
  std::string then = "head -c 1 <&3 >/dev/null && echo again >>\"$0/seen\"";
  std::string seen = "around\nagain\n";
  SECTION("it looks again when the wrapper asks for it") {}
  SECTION("it ended meanwhile: it is started again") {
    then = ":";
    seen = "around\nafter\n";
  }
  REQUIRE(prepare_run_directory(
      temporary.path, echo_case(),
      with_around(
          {"/bin/sh", "-c", "echo $1 >>\"$0/seen\"; [ $1 = after ] || printf x >&3; " + then, "{run}"})));
  CHECK(run_script(temporary.path, "--attempt") == 0);
  CHECK(file_content(temporary.path / "seen").value() == seen);
  CHECK(read_finished(temporary.path)->exit_code == 7);
  CHECK(file_content(temporary.path / "finished.json")->find("\"leftover_processes\":0") !=
        std::string::npos);
}

TEST_CASE("the command around an attempt has the modules of the case, and each word as it was given") {
  Case planned = echo_case();
  planned.modules = {"mpi/4 'x'"};
  const std::string script = job_script(planned, with_around({"/opt/node-state", "--folder", "{run}"}));
  CHECK(script.find(" --around sh --around -c --around '") != std::string::npos);
  CHECK(script.find(" --around sh --around /opt/node-state --around --folder --around \"$PWD\" -- sh -c") !=
        std::string::npos);
}

TEST_CASE("a command around an attempt that fails, hangs or is not there does not spoil it") {
  const TemporaryFolder temporary;
  std::vector<std::string> around;
  double most_s = 3;
  SECTION("fails") {
    around = {"/bin/false"};
  }
  SECTION("is not there") {
    around = {"/no/such/program"};
  }
  SECTION("hangs, and does not heed SIGTERM") {
    around = {"/bin/sh", "-c", "trap '' TERM; test \"$1\" = after || while :; do sleep 1; done", "sh"};
    most_s = 9;
  }
  REQUIRE(prepare_run_directory(temporary.path, echo_case(), with_around(around)));
  const double begin = now_s();
  CHECK(run_script(temporary.path, "--attempt") == 0);
  CHECK(now_s() - begin < most_s);
  const auto finished = read_finished(temporary.path);
  REQUIRE(finished);
  CHECK(finished->exit_code == 7);
  CHECK(finished->wall_s < 2);
  CHECK(finished->leftover_processes == 0);
}

TEST_CASE("names that others put into a run directory first write to no file of theirs") {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path / "run";
  const bool wrapped = GENERATE(true, false);
  const fs::path wrapper =
      wrapped ? fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt" : "/nowhere/attempt";
  REQUIRE(prepare_run_directory(folder, echo_case(), {"c", 1, wrapper, 10, {}}));
  std::ofstream(temporary.path / "victim") << "mine";
  fs::create_hard_link(temporary.path / "victim", folder / "finished.json.tmp");
  if (!wrapped) fs::create_symlink("../victim", folder / "stdout.log");
  CHECK(run_script(folder, "--attempt") == 0);
  CHECK(read_finished(folder));
  CHECK(file_content(temporary.path / "victim").value() == "mine");
}

namespace {

/// The words and variables that a wrapper in `folder` got; it writes them there.
std::string what_it_got(const fs::path& folder) {
  std::string got;
  for (int i = 0; i < 1000 && !fs::exists(folder / "got"); ++i) ::usleep(10'000);
  const auto text = file_content(folder / "got");
  REQUIRE(text);
  for (const std::string_view line : split(*text, '\n'))
    if (!line.starts_with("OLDPWD=") && !line.starts_with("SHLVL=") && !line.starts_with("_="))
      got += std::string(line) + "\n";
  fs::remove(folder / "got");
  return got;
}

}  // namespace

TEST_CASE("a job that starts without its script has the words and variables that the script gives") {
  const TemporaryFolder temporary;
  const fs::path folder = fs::canonical(temporary.path) / "it's a run";
  Case planned = echo_case();
  planned.environment.push_back({"EMPTY", std::string()});
  planned.environment.push_back({"LINES", std::string("two\nlines $(touch CANARY) \\ \"")});
  planned.program = "/bin/sh";
  planned.argv.emplace_back("{run}{run} and `touch CANARY`");
  SECTION("a plain one") {}
  SECTION("with a time limit") {
    planned.time_limit_s = 12.5;
  }
  SECTION("with modules") {
    planned.modules = {"gcc/12 & co"};
  }
  SECTION("with preparation") {
    planned.preparation = {{"cp", "{run}/a b", "it's"}};
  }
  const fs::path wrapper = temporary.path / "wrapper";
  std::ofstream(wrapper)
      << "#!/bin/sh\n{ for word in \"$@\"; do printf '[%s]\\n' \"$word\"; done; env | sort; } "
         ">.got && mv .got got\n";
  fs::permissions(wrapper, fs::perms::owner_all);
  const JobContext context{"c", 1, wrapper, 10, {}, {"/usr/bin/look", "--folder", "{run}", "it's"}};
  REQUIRE(prepare_run_directory(folder, planned, context));
  CHECK(run_script(folder, "--attempt") == 0);
  const std::string by_script = what_it_got(folder);

  const DirectStart direct = direct_start(planned, context, folder);
  REQUIRE_FALSE(direct.argv.empty());
  Processes processes;
  REQUIRE(processes.start(direct.argv, folder, direct.environment));
  CHECK(what_it_got(folder) == by_script);
  CHECK(contains(by_script, "[" + folder.string() + folder.string() + " and `touch CANARY`]"));
}

TEST_CASE("secrets, and variables that no shell exports, are left to the script") {
  Case planned = echo_case();
  const JobContext context{"c", 1, "/nowhere/attempt", 10, {}};
  CHECK_FALSE(direct_start(planned, context, "/run").argv.empty());
  planned.environment.push_back({"NOT-A-NAME", std::string("x")});
  CHECK(direct_start(planned, context, "/run").argv.empty());
  planned.environment.back() = {"API_TOKEN", std::string("(secret from API_TOKEN)")};
  REQUIRE_FALSE(secrets_of(planned).empty());
  CHECK(direct_start(planned, context, "/run").argv.empty());
}

TEST_CASE("the wrapper hashes programs of every length as the orchestrator does") {
  const auto bytes =
      GENERATE(std::size_t{1}, 55, 56, 63, 64, 65, 128, (1 << 16) - 1, 1 << 16, (1 << 18) + 77);
  const TemporaryFolder temporary;
  const fs::path program = temporary.path / "program";
  std::string content(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) content[i] = static_cast<char>(i * i % 251);
  std::ofstream(program) << content;
  Case planned = echo_case();
  planned.program = program.string();
  const JobContext context{"c", 1, fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt", 10, {}};
  REQUIRE(prepare_run_directory(temporary.path / "run", planned, context));
  CHECK(run_script(temporary.path / "run", "--attempt") == 0);
  const auto finished = read_finished(temporary.path / "run");
  REQUIRE(finished);
  CHECK(finished->program_sha256 == sha256_of_file(program).value());
}
