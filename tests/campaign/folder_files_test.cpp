#include "orchestrator/campaign/folder_files.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/launch/loaded_files.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

constexpr const char* known_file = "environment-cn1.json";

struct FolderFilesScene {
  TemporaryFolder temporary;
  fs::path folder = temporary.path;

  void file(const std::string& name, const std::string& content) const {
    REQUIRE(make_folder((folder / name).parent_path()));
    REQUIRE(write_file(folder / name, content));
  }
  /// An attempt on cn1 that found /lib/a, and what it read and left.
  void attempt(const std::string& name, const std::string& hash, std::vector<std::string> read,
               const std::string& left, const std::string& before = "") const {
    LoadedFile loaded;
    loaded.path = "/lib/a";
    loaded.sha256 = hash;
    loaded.before = before;
    file(name + "/environment.json", with_loaded("{}", {{loaded}, {known_file, std::move(read), left}}));
  }
  [[nodiscard]] std::vector<std::string> faults() const { return check_known_hashes(folder).faults; }
};

}  // namespace

TEST_CASE("attempts that read what attempts left are in order, one that read another text is not") {
  const FolderFilesScene scene;
  scene.attempt("one/attempt-1", "aa", {}, "k1");
  scene.attempt("two/attempt-1", "aa", {"k1"}, "k2");
  scene.attempt("two/attempt-2", "aa", {"k1", "k2"}, "k2");
  CHECK(scene.faults().empty());
  CHECK(check_known_hashes(scene.folder).left == std::set<std::string>{"k1", "k2"});
  scene.attempt("three/attempt-1", "aa", {"k3"}, "k4");
  CHECK(scene.faults() ==
        std::vector<std::string>{
            "environment-cn1.json was edited before three/attempt-1 read it: no attempt left it so"});
}

TEST_CASE("a file that changed unnoticed on a node gives away that its hashes were removed or put back") {
  const FolderFilesScene scene;
  scene.attempt("one/attempt-1", "aa", {}, "k1");
  scene.attempt("two/attempt-1", "bb", {}, "k2");
  CHECK(scene.faults() == std::vector<std::string>{
                              "/lib/a has SHA-256 aa in one/attempt-1 and bb in two/attempt-1, and neither "
                              "attempt noticed a change: environment-cn1.json was removed or put back"});
  scene.attempt("two/attempt-1", "bb", {"k1"}, "k2", "aa");  // it noticed: rule IMPL-02 says so
  scene.attempt("two/attempt-2", "bb", {"k2"}, "k2");
  CHECK(scene.faults().empty());
}

TEST_CASE("attempts of an older version state nothing of what they knew") {
  const FolderFilesScene scene;
  scene.file("one/attempt-1/environment.json", "{}");
  scene.file("two/attempt-1/environment.json", "no JSON");
  CHECK(scene.faults().empty());
  scene.attempt("three/attempt-1", "aa", {"left by them"}, "k1");
  CHECK(scene.faults().empty());
}

TEST_CASE("the files of jobs are bound by the line that ends the campaign; their logs may grow") {
  const FolderFilesScene scene;
  scene.file("jobs/job-1/job.json", "{}");
  scene.file("jobs/job-1/slurm.log", "one\n");
  auto journal = Journal::open(scene.folder);
  REQUIRE(journal);
  REQUIRE(journal->finished(job_files(scene.folder)));
  const auto faults = [&] { return job_file_faults(read_journal(scene.folder).value(), scene.folder); };
  CHECK(read_journal(scene.folder)->job_files.size() == 2);
  CHECK(faults().empty());
  scene.file("jobs/job-1/slurm.log", "one\ntwo\n");
  CHECK(faults().empty());
  scene.file("jobs/job-1/slurm.log", "two\none\n");
  scene.file("jobs/job-1/job.json", "{} ");
  CHECK(faults() ==
        std::vector<std::string>{"jobs/job-1/job.json is not the file that the campaign ended with",
                                 "jobs/job-1/slurm.log is not the file that the campaign ended with"});
  fs::remove_all(scene.folder / "jobs");
  CHECK(faults().at(0) == "jobs/job-1/job.json, which the campaign ended with, is gone");
  REQUIRE(journal->begin_execution());  // which may write there
  CHECK(faults().empty());
}
