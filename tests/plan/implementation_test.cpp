#include "orchestrator/plan/implementation.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"

using namespace shakedown;

namespace {

/// A folder of implementations that is removed with its owner.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("shakedown-implementations-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path / "hpl"); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] fs::path with(const std::string& name, const std::string& text) const {
    REQUIRE(write_file(path / "hpl" / name, text));
    return path / "hpl" / name;
  }
};

const std::string implementation_least =
    "suite = 'hpl'\nid = 'mine'\ntitle = 'Mine'\ntested = 'run-here'\nprogram = 'xhpl'\n";

/// The refusal without the folder, which differs from run to run.
std::string implementation_refusal_of(const std::string& text) {
  const Folder folder;
  const auto read = read_implementation(folder.with("mine.toml", text));
  if (read) return "";
  const std::string whole = to_string(read.error());
  return whole.substr(whole.rfind("mine.toml:"));
}

}  // namespace

TEST_CASE("an implementation is read with its tuning and environment") {
  const Folder folder;
  const auto read = read_implementation(
      folder.with("mine.toml", implementation_least +
                                   "rank_per = 'numa'\n[environment]\nOMP_NUM_THREADS = '{threads}'\nX = 1\n"
                                   "[tuning]\nNB = 192\nefficiency = 0.9\nNB_source = 'netlib'\n"
                                   "[container]\nimage = 'a.sif'\nmounts = ['{run}:/x']\n"));
  REQUIRE(read);
  CHECK(read->rank_per == "numa");
  CHECK(read->environment ==
        std::vector<Parameter>{{"OMP_NUM_THREADS", std::string("{threads}")}, {"X", std::int64_t{1}}});
  CHECK(read->tuned("NB", 1) == 192);
  CHECK(read->tuned("efficiency", 1) == 0.9);
  CHECK(read->tuned("NB_source", 7) == 7);
  CHECK(read->tuned("missing", 7) == 7);
  CHECK(read->tuned_text("NB_source") == "netlib");
  CHECK(read->tuned_text("missing").empty());
  CHECK(read->container == "a.sif");
  CHECK(read->mounts.size() == 1);
}

TEST_CASE("an implementation that states a secret is refused: plans and reports would show it") {
  const Folder folder;
  const auto read = read_implementation(
      folder.with("mine.toml", implementation_least + "[environment]\nA = 1\nHF_TOKEN = 'planted-token'\n"));
  REQUIRE_FALSE(read);
  CHECK(read.error().what == "'HF_TOKEN' looks like a secret");
  CHECK(to_string(read.error()).find("planted") == std::string::npos);
}

TEST_CASE("a wrong implementation is refused with its line and a way out") {
  CHECK(implementation_refusal_of(implementation_least + "ranks_per = 'core'\n")
            .starts_with("mine.toml:6: unknown key 'ranks_per' (did you mean 'rank_per'?)"));
  CHECK(implementation_refusal_of(implementation_least + "rank_per = 'cores'\n") ==
        "mine.toml:6: 'cores' is no rank_per (did you mean 'core'?)\nhint: known: core, numa, socket, node, "
        "gpu");
  CHECK(implementation_refusal_of(implementation_least + "memory_fraction = 1.5\n") ==
        "mine.toml:6: 'memory_fraction' must be above 0 and at most 1");
  CHECK(implementation_refusal_of("suite = 'hpl'\nid = 'mine'\ntitle = 'Mine'\ntested = 'run-here'\n")
            .find("'program' is missing") != std::string::npos);
  CHECK(implementation_refusal_of("suite = 'hpcg'\n" +
                                  implementation_least.substr(implementation_least.find('\n') + 1)) ==
        "mine.toml:1: suite is 'hpcg' but the folder is 'hpl'");
}

TEST_CASE("an implementation's file bears its id") {
  const Folder folder;
  const auto read = read_implementation(folder.with("other.toml", implementation_least));
  REQUIRE_FALSE(read);
  CHECK(read.error().what == "id is 'mine' but the file is 'other.toml'");
}

TEST_CASE("the shipped implementations are read, sorted by suite and id") {
  const auto read = read_implementations(BUILD_FOLDER "/share/shakedown/implementations");
  REQUIRE(read);
  std::vector<std::string> ids;
  for (const Implementation& one : *read)
    if (one.suite == "hpl") ids.push_back(one.id);
  CHECK(ids == std::vector<std::string>{"amd", "hpcc", "intel", "netlib", "nvidia", "reference"});
  CHECK(std::is_sorted(read->begin(), read->end(),
                       [](const auto& a, const auto& b) { return a.suite < b.suite; }));
  for (const Implementation& one : *read) {
    CAPTURE(one.suite, one.id);
    CHECK_FALSE(one.source.empty());
    CHECK_FALSE(one.install_hint.empty());
    if (one.tested == "rendered") CHECK_FALSE(one.tested_note.empty());
  }
}

TEST_CASE("a folder without implementations is an environment's failure") {
  const auto read = read_implementations("/nonexistent/folder");
  REQUIRE_FALSE(read);
  CHECK(read.error().fault == Fault::environment);
}
