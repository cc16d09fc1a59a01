#include "orchestrator/launch/job.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

Finished finished_of(const Case& planned, const fs::path& folder) {
  REQUIRE(prepare_run_directory(folder, planned,
                                {"c", 1, fs::path(BUILD_FOLDER) / "libexec/shakedown/attempt", 1, {}}));
  const auto output = command_output({"/bin/sh", (folder / "job.sh").string(), "--attempt"}, 20);
  REQUIRE(output);
  CHECK(output->exit_code == 0);
  const auto finished = read_finished(folder);
  REQUIRE(finished);
  return *finished;
}

}  // namespace

TEST_CASE("a case's executable is its program, not its launcher") {
  Case planned;
  planned.launcher = "mpirun";
  planned.program = "/opt/hpl/xhpl";
  planned.argv = {"/usr/bin/mpirun", "-np", "2", "/opt/hpl/xhpl"};
  CHECK(executable_of(planned) == "/opt/hpl/xhpl");
  planned.container.image = "hpl.sif";
  CHECK(executable_of(planned).empty());
  Case whole;
  whole.argv = {"/bin/sh", "-c", "true"};
  CHECK(executable_of(whole) == "/bin/sh");
  whole.argv = {"{run}/built-here"};
  CHECK(executable_of(whole).empty());
  Case by_module;
  by_module.program = "xhpl";
  CHECK(executable_of(by_module) == "xhpl");
  by_module.modules = {"hpl/2.3"};
  CHECK(executable_of(by_module).empty());
}

TEST_CASE("the wrapper says the hash of the executable as the node has it, whatever its size") {
  const TemporaryFolder temporary;
  const size_t block = 64;
  const size_t buffer = 1024 * block;
  for (const size_t size : {size_t{0}, size_t{1}, size_t{55}, size_t{56}, block - 1, block, block + 1,
                            buffer - 1, buffer, buffer + 57, 3 * buffer + 5}) {
    INFO(size << " bytes");
    std::string content;
    for (size_t i = 0; i < size; ++i) content += static_cast<char>(i * 31 + i / 7);
    const fs::path program = temporary.path / fmt::format("it's {}", size);
    REQUIRE(write_file(program, content));
    Case planned;
    planned.id = "hashed";
    planned.launcher = "mpirun";
    planned.program = program.string();
    planned.argv = {"/bin/true"};
    const Finished finished = finished_of(planned, temporary.path / fmt::format("run-{}", size));
    CHECK(finished.program == program.string());
    CHECK(finished.program_sha256 == sha256(content));
  }
}

TEST_CASE("an executable that is looked up in PATH is said by its path; one that is not there not at all") {
  const TemporaryFolder temporary;
  Case planned;
  planned.id = "found";
  planned.argv = {"sh", "-c", "true"};
  const Finished found = finished_of(planned, temporary.path / "found");
  CHECK(found.program.ends_with("/sh"));
  CHECK(found.program_sha256 == sha256_of_file(found.program).value());
  planned.argv = {"/bin/true"};
  planned.launcher = "mpirun";
  planned.program = "/nowhere/xhpl";
  const Finished missing = finished_of(planned, temporary.path / "missing");
  CHECK(missing.state == "finished");
  CHECK(missing.program.empty());
  CHECK(missing.program_sha256.empty());
}
