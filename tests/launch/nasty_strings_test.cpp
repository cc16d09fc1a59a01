#include <catch2/catch.hpp>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/schedulers/slurm_inquiry.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// Pieces that a shell, sed, printf or JSON would make something of. "CANARY" is what gets made where one of
/// them is executed.
const std::vector<std::string> pieces = {"$(touch CANARY)",
                                         "`touch CANARY`",
                                         ";touch CANARY;",
                                         "|touch CANARY",
                                         "&&touch CANARY",
                                         "\ntouch CANARY\n",
                                         ">CANARY",
                                         "<CANARY",
                                         "'",
                                         "\"",
                                         "\\",
                                         "$HOME",
                                         "${IFS}",
                                         "*",
                                         "?",
                                         "[a-z]",
                                         "~",
                                         "!",
                                         "!!",
                                         "#",
                                         "%s%n",
                                         "{}",
                                         "{run}x",
                                         "=",
                                         "-n",
                                         "--",
                                         " ",
                                         "  ",
                                         "\t",
                                         "\r",
                                         "\n",
                                         "\xc3\xa9",
                                         "\xe6\xbc\xa2",
                                         "\xf0\x9f\x9a\x80",
                                         "\x7f",
                                         "\x01",
                                         "'\"'\"'",
                                         "$'\\n'",
                                         "\\n",
                                         "&",
                                         "(",
                                         ")",
                                         "EOF",
                                         "end",
                                         "/",
                                         ".",
                                         "..",
                                         "a"};

std::string nasty(std::mt19937& random) {
  std::string text;
  for (auto left = random() % 6 + 1; left > 0; --left) text += pieces[random() % pieces.size()];
  return text;
}

/// The same as part of a path: no folder has a slash in its name, and none is called "." or "..".
std::string nasty_name(std::mt19937& random) {
  std::string name = "x" + nasty(random);
  std::erase(name, '/');
  return name;
}

/// What `{run}` becomes is not what is tried here.
std::string without_run(std::string text) {
  for (size_t at = text.find("{run}"); at != std::string::npos; at = text.find("{run}")) text.erase(at, 5);
  return text;
}

bool made_a_canary(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename().string().starts_with("CANARY")) return true;
  return fs::exists("CANARY");
}

}  // namespace

TEST_CASE(
    "200 nasty strings go through job.sh as arguments, variables, inputs and paths, and none is executed") {
  std::mt19937 random(20261122);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same strings each time
  for (int i = 0; i < 200; ++i) {
    const TemporaryFolder temporary;
    const fs::path folder = temporary.path / nasty_name(random) / "attempt-1";
    const std::vector<std::string> words = {without_run(nasty(random)), without_run(nasty(random)), ""};
    const std::string variable = without_run(nasty(random));
    const std::string content = nasty(random);
    Case planned;
    planned.id = "nasty";
    planned.argv = {"/bin/sh", "-c", R"sh(printf '%s\0' "$@" "$NASTY"; cat input)sh", "sh"};
    planned.argv.insert(planned.argv.end(), words.begin(), words.end());
    planned.environment = {{"NASTY", variable}};
    planned.files = {{"input", content}};
    planned.hosts = nasty(random);
    planned.warnings = {nasty(random)};
    const JobContext context{
        nasty(random), 1, fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt", 10, {nasty(random)}};
    REQUIRE(prepare_run_directory(folder, planned, context));
    const auto output = command_output({"/bin/sh", (folder / "job.sh").string(), "--attempt"}, 20);
    REQUIRE(output);
    CHECK(output->exit_code == 0);
    std::string wanted;
    for (const std::string& word : words) wanted += word + '\0';
    wanted += variable + '\0' + content;
    const auto got = file_content(folder / "stdout.log");
    REQUIRE(got);
    CHECK(*got == wanted);
    CHECK_FALSE(made_a_canary(temporary.path));
  }
}

TEST_CASE(
    "nasty folders, names and sites are single words of sbatch and of the batch script, and none is "
    "executed") {
  std::mt19937 random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
  for (int i = 0; i < 200; ++i) {
    const TemporaryFolder temporary;
    const fs::path attempt = temporary.path / nasty_name(random) / "attempt-1";
    fs::create_directories(attempt);
    REQUIRE(write_file(attempt / "job.sh", "echo \"$1\" >\"${0%/*}/ran\"\n"));
    Job job;
    job.id = "job-1";
    job.campaign = nasty(random);
    job.folder = attempt.parent_path();
    job.lanes = {{{"cn1"}, {{"nasty", 1, attempt, 0, false}}}};
    Site site;
    site.partition = nasty(random);
    site.account = nasty(random);
    const auto argv = sbatch_arguments(job, site);
    CHECK(std::ranges::count(argv, "--partition=" + site.partition) == 1);
    CHECK(std::ranges::count(argv, "--account=" + site.account) == 1);
    REQUIRE(write_file(temporary.path / "batch.sh", slurm_batch_script(job, site)));
    const auto output = command_output({"/bin/sh", (temporary.path / "batch.sh").string()}, 20);
    REQUIRE(output);
    CHECK(file_content(attempt / "ran").value_or("") == "--attempt\n");
    CHECK_FALSE(made_a_canary(temporary.path));
  }
}
