// The rendered hpcg.dat, read by the official program where it is installed.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "suites/hpcg/rank_grid.hpp"
#include "suites/hpcg/suite.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

TEST_CASE("the official HPCG reads the rendered hpcg.dat and runs the planned shape") {
  const fs::path program = program_in_path("xhpcg");
  if (program.empty() || program_in_path("mpirun").empty()) {
    skip("xhpcg or mpirun is not installed");
    return;
  }
  const fs::path folder = fs::temp_directory_path() / ("shakedown-hpcg-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  REQUIRE(write_file(folder / "hpcg.dat", hpcg::hpcg_dat({32, 24, 16}, 1, std::nullopt)));
  const std::string line = "cd " + shell_quoted(folder.string()) + " && mpirun " +
                           (::geteuid() == 0 ? "--allow-run-as-root " : "") + "--oversubscribe -np 2 " +
                           shell_quoted(program.string()) + " 2>&1";
  std::string talk;
  FILE* pipe = popen(line.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) talk += buffer.data();
  INFO(talk);
  REQUIRE(WEXITSTATUS(pclose(pipe)) == 0);
  std::string report;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("HPCG-Benchmark"))
      report = file_content(entry.path()).value();
  const hpcg::Box grid = hpcg::minimal_surface_grid(2);
  const auto line_of = [](std::string_view key, std::int64_t value) {
    return fmt::format("::{}={}\n", key, value);
  };
  for (const auto& [key, value] : {std::pair{"npx", grid.x},
                                   {"npy", grid.y},
                                   {"npz", grid.z},
                                   {"nx", std::int64_t{32}},
                                   {"ny", std::int64_t{24}},
                                   {"nz", std::int64_t{16}}})
    CHECK(report.find(line_of(key, value)) != std::string::npos);
  CHECK(report.find("HPCG result is VALID") != std::string::npos);
  fs::remove_all(folder);
}
