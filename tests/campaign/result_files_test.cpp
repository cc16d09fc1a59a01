#include "orchestrator/campaign/run_files.hpp"

#include <catch2/catch.hpp>

#include <chrono>

#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;
using Names = std::vector<std::string>;

namespace {

struct Folder {
  TemporaryFolder temporary;
  /// `minutes_old` decides which of several is the newest.
  void file(const std::string& name, int minutes_old = 0) {
    const fs::path path = temporary.path / name;
    REQUIRE(make_folder(path.parent_path()));
    REQUIRE(write_file(path, "x"));
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(minutes_old));
  }
  [[nodiscard]] ResultFiles found(std::string_view wanted) const {
    return result_files(temporary.path, wanted);
  }
};

}  // namespace

TEST_CASE("without a result file it is stdout.log, be it there or not") {
  Folder folder;
  CHECK(folder.found("").files == Names{"stdout.log"});
  folder.file("stdout.log");
  CHECK(folder.found("").files == Names{"stdout.log"});
}

TEST_CASE("a pattern finds the file that carries a date") {
  Folder folder;
  folder.file("HPCG-Benchmark_3.1_2026-11-22_00-01-02.txt");
  folder.file("hpcg20261122T000102.txt");
  const ResultFiles found = folder.found("HPCG-Benchmark_3.1_*.txt");
  CHECK(found.files == Names{"HPCG-Benchmark_3.1_2026-11-22_00-01-02.txt"});
  CHECK(found.warning.empty());
}

TEST_CASE("of several files the newest is read, and that is said") {
  Folder folder;
  folder.file("out_1.txt", 5);
  folder.file("out_2.txt", 1);
  folder.file("out_3.txt", 9);
  const ResultFiles found = folder.found("out_*.txt");
  CHECK(found.files == Names{"out_2.txt"});
  CHECK(found.warning == "3 files are called 'out_*.txt': the newest is read, out_2.txt");
}

TEST_CASE("a folder stands for the files that lie in it, by name") {
  Folder folder;
  folder.file("results/2026.11.22/result_summary.txt");
  folder.file("results/2026.11.22/result.txt");
  folder.file("results/2026.11.22/deeper/other.txt");
  const Names both = {"results/2026.11.22/result.txt", "results/2026.11.22/result_summary.txt"};
  CHECK(folder.found("results/2026.11.22").files == both);
  CHECK(folder.found("results/*").files == both);
}

TEST_CASE("of several folders the one with the newest file is read") {
  Folder folder;
  folder.file("results/a/result.txt", 1);
  folder.file("results/b/result.txt", 7);
  const ResultFiles found = folder.found("results/*");
  CHECK(found.name == "results/a");
  CHECK(found.files == Names{"results/a/result.txt"});
  CHECK_FALSE(found.warning.empty());
}

TEST_CASE("a name that is there to the letter is no pattern") {
  Folder folder;
  folder.file("a[1].txt", 9);
  folder.file("a1.txt");
  CHECK(folder.found("a[1].txt").files == Names{"a[1].txt"});
}

TEST_CASE("a pattern that nothing matches stands for itself, so that reading it says why") {
  Folder folder;
  folder.file("other.txt");
  folder.file(".hidden.txt.bak");
  CHECK(folder.found("HPCG*.txt").files == Names{"HPCG*.txt"});
  CHECK(folder.found("*.bak").files == Names{"*.bak"});
}
