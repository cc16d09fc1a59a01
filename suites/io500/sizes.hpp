#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/io500/rates.hpp"
#include "suites/io500/target.hpp"

namespace shakedown::io500 {

/// Bytes of one transfer and block of ior-hard, and of one file of mdtest-hard. Source: IO500's rules.
inline constexpr std::int64_t hard_block = 47008;
inline constexpr std::int64_t hard_file = 3901;

/// Bytes that a small file takes on disk.
inline constexpr double file_system_block = 4096;

/// What keeps the items of a phase from being more.
enum class Bound { pin, rate, links, space, usual_size };

/// How much each rank may write in each phase: enough items that the stonewall ends the phase before they run
/// out.
struct Sizes {
  int ranks = 1;
  std::int64_t block_bytes = 0;     ///< of ior-easy, a rank's file
  std::int64_t transfer_bytes = 0;  ///< of ior-easy
  std::string block_size;           ///< as IOR spells it: "70g"
  std::string transfer_size;        ///< "1m"
  std::int64_t segment_count = 0;   ///< of ior-hard
  std::int64_t mdtest_easy_n = 0;   ///< files of a rank, empty ones
  std::int64_t mdtest_hard_n = 0;   ///< files of a rank, all in one directory
  std::int64_t stonewall_s = 300;
  Bound easy_bound = Bound::pin;  ///< of ior-easy, which writes the most
  std::vector<Reason> why;
  std::vector<std::string> warnings;

  [[nodiscard]] double easy_bytes() const;  ///< at most, of all ranks; likewise the following
  [[nodiscard]] double hard_bytes() const;
  [[nodiscard]] double easy_files() const;
  [[nodiscard]] double hard_files() const;
  [[nodiscard]] double bytes() const;
  [[nodiscard]] double files() const;
};

/// Bytes of a size as IOR spells it: 47008, "512k", "70g". Fails on anything else and on 0.
Result<std::int64_t> ior_bytes(std::string_view text);

/// The sizes: rate x stonewall x margin if the rates are known, cut to what fits if they are those of another
/// number of nodes; else IO500's own, which no storage finishes in time, cut to what fits. Pinned ones are
/// taken as they are.
///
/// Fails with rule IO5-02 where a pinned stonewall is not 300 s or pinned items would by the prediction run
/// out before it, with rule "IO500 capacity" where the items do not fit the space, the inodes or
/// mdtest-hard's one directory.
Result<Sizes> sizes(const PlanRequest& request, int ranks, const Rates& rates, const Target& target);

/// Holds the sizes against the file system and adds what part of its space and inodes they take to their
/// reasons; where a limit is not known, a warning.
///
/// Fails with rule "IO500 capacity" where the items exceed the space, the inodes or mdtest-hard's one
/// directory, or there is no room for one item of each rank.
Result<void> check_capacity(Sizes& sizes, const Target& target);

}  // namespace shakedown::io500
