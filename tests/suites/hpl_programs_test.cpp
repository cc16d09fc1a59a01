// The rendered input files, read by the real programs.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "suites/hpl/hpl_dat.hpp"
#include "tests/skip.hpp"

using namespace shakedown;
using namespace shakedown::hpl;

namespace {

/// A run directory of one test that is removed with its owner.
struct RunFolder {
  fs::path path = fs::temp_directory_path() / ("shakedown-hpl-programs-" + std::to_string(::getpid()));
  RunFolder() { fs::create_directories(path); }
  ~RunFolder() { fs::remove_all(path); }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// What `program` writes when two ranks of it run here; its exit code must be 0.
  [[nodiscard]] std::string output_of_two_ranks(const fs::path& program) const {
    const std::string line = "cd " + shell_quoted(path.string()) +
                             " && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 mpirun " +
                             (::geteuid() == 0 ? "--allow-run-as-root " : "") + "--oversubscribe -np 2 " +
                             shell_quoted(program.string()) + " 2>&1";
    std::string text;
    FILE* pipe = popen(line.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer{};
    while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
    INFO(text);
    REQUIRE(WEXITSTATUS(pclose(pipe)) == 0);
    return text;
  }
};

/// Whether both can be run here; if not, the test is skipped with the reason.
bool can_run(const fs::path& program, std::string_view name) {
  if (program.empty()) skip(std::string(name) + " is not installed");
  const bool mpirun = !program_in_path("mpirun").empty();
  if (!mpirun) skip("mpirun is not installed");
  return !program.empty() && mpirun;
}

/// The words of the result row "WR11C2R4  500  96  1  2 ..." after its code: N, NB, P, Q.
std::string row_in(const std::string& text) {
  for (const auto line : split(text, '\n')) {
    const auto parts = words(line);
    if (parts.size() >= 7 && (parts[0].starts_with("WR") || parts[0].starts_with("WC")))
      return std::string(parts[0].substr(0, 2)) + " " +
             joined(std::vector<std::string>(parts.begin() + 1, parts.begin() + 5), " ");
  }
  return {};
}

}  // namespace

TEST_CASE("the real hpcc reads the rendered hpccinf.txt and runs what it says") {
  const fs::path hpcc = program_in_path("hpcc");
  if (!can_run(hpcc, "hpcc")) return;
  const RunFolder folder;
  REQUIRE(write_file(folder.path / "hpccinf.txt", hpccinf({500, 96, false, 1, 2})));
  CHECK(folder.output_of_two_ranks(hpcc).empty());
  const auto written = file_content(folder.path / "hpccoutf.txt");
  REQUIRE(written);
  CHECK(row_in(*written) == "WR 500 96 1 2");
  CHECK(written->find("1 tests completed and passed residual checks") != std::string::npos);
  CHECK(written->find("Success=1") != std::string::npos);
}

TEST_CASE("the reference HPL reads the rendered HPL.dat and runs what it says") {
  const fs::path kernel = program_in_path(BUILD_FOLDER "/libexec/shakedown/hpl");
  if (!can_run(kernel, "the reference kernel")) return;
  const RunFolder folder;
  REQUIRE(write_file(folder.path / "HPL.dat", hpl_dat({500, 96, true, 2, 1})));
  const std::string text = folder.output_of_two_ranks(kernel);
  INFO(text);
  CHECK(row_in(text) == "WC 500 96 2 1");
  CHECK(text.find("PASSED") != std::string::npos);
}
