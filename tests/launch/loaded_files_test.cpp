#include "orchestrator/launch/loaded_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/launch/process.hpp"
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
  const std::string link = (folder.path / "link").string();
  fs::create_symlink(outer, link);
  const std::vector<std::string> linked = {link};
  CHECK(loaded_paths(linked, outer) == std::vector<std::string>{"/bin/sh", inner, data});
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
  CHECK(loaded_from_json(with_loaded("{}", {second, {}})).files == second);
}

TEST_CASE("the libraries of a program are known once they were listed") {
  const std::vector<std::string> named = {"/bin/sh"};
  const auto libraries = needed_libraries(named, {});
  REQUIRE_FALSE(libraries.empty());
  CHECK(libraries.front().needed_by == "/bin/sh");
  const auto again = needed_libraries(named, loaded_files({}, libraries, {}));
  CHECK(again.size() == libraries.size());
}

TEST_CASE("the dynamic linker of an executable lists what ldd does") {
  const auto ldd = command_output({"ldd", "/bin/sh"}, 5);
  REQUIRE(ldd);
  const auto libraries = linked_libraries("/bin/sh");
  REQUIRE(libraries.size() >= 2);
  for (const std::string& path : libraries) CHECK(ldd->text.find(path + " (0x") != std::string::npos);
  const TemporaryFolder folder;
  const std::string script = (folder.path / "script").string();
  REQUIRE(write_file(script, "#!/bin/sh\n"));
  CHECK(linked_libraries(script).empty());
  REQUIRE(write_file(script,
                     file_head(fs::canonical("/bin/sh"), 100).value()));  // cut inside of its program headers
  CHECK(linked_libraries(script).empty());
  CHECK(linked_libraries("/nowhere").empty());
}

TEST_CASE("a program names the compiler that made it, a stripped one and a script none") {
  const std::string own = fs::read_symlink("/proc/self/exe").string();
  const auto compilers = compilers_of(own);
  REQUIRE_FALSE(compilers.empty());
  CHECK(std::ranges::any_of(compilers, [](const std::string& each) {
    return each.find(fmt::format("{}.{}", __GNUC__, __GNUC_MINOR__)) != std::string::npos ||
           each.find("clang") != std::string::npos;
  }));
  const TemporaryFolder folder;
  const std::string file = (folder.path / "file").string();
  REQUIRE(write_file(file, "#!/bin/sh\n"));
  CHECK(compilers_of(file).empty());
  REQUIRE(write_file(file, file_head(own, 4096).value()));  // its sections are cut off
  CHECK(compilers_of(file).empty());
  CHECK(compilers_of("/nowhere").empty());
}
