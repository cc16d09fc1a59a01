#pragma once
#include <catch2/catch.hpp>
#include <filesystem>
#include <optional>

#include "suites/io500/reference/claim.hpp"
#include "suites/io500/reference/world.hpp"
#include "tests/mpi_session.hpp"
#include "tests/temporary_folder.hpp"

namespace io500 {

/// A data directory of all ranks, claimed as a run claims it; gone with the test.
struct DataFolder {
  DataFolder() {
    start_mpi();
    world = io500::world();
    if (world.talks()) {
      temporary.emplace();
      const auto planned = planned_claim(temporary->path / "data", true);
      REQUIRE(planned);
      claim = *planned;
      REQUIRE(staked(claim));
    }
    claim.folder = broadcast(claim.folder);
    folder = claim.folder;
  }
  ~DataFolder() { barrier(); }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  [[nodiscard]] std::filesystem::path path(const std::string& below) const { return folder / below; }

  World world;
  Claim claim;
  std::filesystem::path folder;
  std::optional<TemporaryFolder> temporary;  ///< on the first rank
};

}  // namespace io500
