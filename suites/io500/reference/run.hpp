#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "suites/io500/reference/claim.hpp"
#include "suites/io500/reference/file.hpp"
#include "suites/io500/reference/report.hpp"
#include "suites/io500/reference/settings.hpp"
#include "suites/io500/reference/world.hpp"

namespace io500 {

/// Bytes that a file of mdtest-hard takes, and a directory's entry of any file.
inline constexpr std::int64_t hard_file_space = 4096 + 128;
inline constexpr std::int64_t easy_file_space = 128;

/// What all ranks together may put on the file system: a tenth of what was free when the run began. Each
/// phase may take a part of what remains.
class Budget {
 public:
  explicit Budget(const Space& free);

  /// How many items of `bytes` and `inodes` each a rank may write, with `share` of what remains.
  [[nodiscard]] std::int64_t items(std::int64_t bytes, std::int64_t inodes, double share, int ranks) const;
  void take(std::int64_t bytes, std::int64_t inodes);
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  std::int64_t bytes_;
  std::int64_t inodes_;  ///< 0: not counted
};

/// Where a run reads and writes.
struct Places {
  std::string datadir;    ///< as the configuration has it, with the time stamp
  std::string resultdir;  ///< likewise
  Claim claim;
};

/// Runs the phases in the official order, on all ranks. True where all contents and counts were right. Fails,
/// on all ranks, where a phase could not be run to its end.
///
/// Source: IO500, src/phase-definitions.h, src/main.c.
Result<bool> run_phases(const Settings& settings, const World& world, const Places& places, const Space& free,
                        const std::string& timestamp, Report& report);

}  // namespace io500
