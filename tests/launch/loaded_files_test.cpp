#include "orchestrator/launch/loaded_files.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

TEST_CASE(
    "what a script names is loaded: its interpreter, files by their absolute path, and what those name") {
  const TemporaryFolder folder;
  const std::string data = (folder.path / "data.txt").string();
  const std::string inner = (folder.path / "inner.sh").string();
  const std::string outer = (folder.path / "run").string();
  REQUIRE(write_file(data, "1\n"));
  REQUIRE(write_file(inner, "cat '" + data + "'\n"));
  REQUIRE(write_file(outer, "#!/bin/sh\n. " + inner + "; cat /dev/null /no/such/file\n"));
  const std::vector<std::string> named = {outer};
  CHECK(loaded_paths(named, outer) == std::vector<std::string>{"/bin/sh", inner, data});
  const std::vector<std::string> only_data = {data};
  CHECK(loaded_paths(only_data, "") == only_data);
}

TEST_CASE(
    "a loaded file that differs from the attempt before has both hashes; one that the program writes is "
    "marked") {
  const TemporaryFolder folder;
  const std::vector<std::string> paths = {(folder.path / "a").string(), (folder.path / "b").string()};
  for (const std::string& path : paths) REQUIRE(write_file(path, "old\n"));
  auto first = loaded_files(paths, {}, {});
  REQUIRE(first.size() == 2);
  CHECK(first[0].sha256 == sha256("old\n"));
  CHECK(first[0].before.empty());
  REQUIRE(write_file(paths[1], "written\n"));  // while it ran
  const auto known = renewed({}, after_run(first));
  CHECK_FALSE(first[0].written);
  CHECK(first[1].written);
  CHECK(first[1].sha256 == sha256("old\n"));   // as it was before the start
  REQUIRE(write_file(paths[0], "swapped\n"));  // between two runs
  const auto second = loaded_files(paths, {}, known);
  CHECK(second[0].sha256 == sha256("swapped\n"));
  CHECK(second[0].before == sha256("old\n"));
  CHECK(second[1].before.empty());
  CHECK(second[1].written);
  CHECK(loaded_from_json(with_loaded("{}", second)) == second);
}

TEST_CASE("the libraries of a program are known once they were listed") {
  const std::vector<std::string> named = {"/bin/sh"};
  const auto libraries = needed_libraries(named, {});
  if (libraries.empty()) {
    WARN("ldd lists no library of /bin/sh here");
    return;
  }
  CHECK(libraries.front().needed_by == "/bin/sh");
  const auto again = needed_libraries(named, loaded_files({}, libraries, {}));
  CHECK(again.size() == libraries.size());
}
