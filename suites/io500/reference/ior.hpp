#pragma once

#include <cstdint>
#include <string>

#include "suites/io500/reference/claim.hpp"
#include "suites/io500/reference/pattern.hpp"
#include "suites/io500/reference/world.hpp"

namespace io500 {

/// A file, or one of each rank, written and read back in transfers as IOR does it: segments of one block per
/// rank, each of whole transfers.
struct Ior {
  std::string folder;  ///< "ior-easy"
  std::string file;    ///< shared by all; empty: one of each rank
  bool unique_dir = false;
  std::int64_t transfer = 0;  ///< bytes
  std::int64_t block = 0;     ///< bytes, whole transfers
  std::int64_t segments = 1;
  Packet packet = Packet::timestamp;
  std::uint32_t seed = 0;
  std::int64_t pairs = 0;  ///< transfers of each rank; known once written

  [[nodiscard]] std::int64_t most_pairs() const { return block / transfer * segments; }
  /// Where the rank's transfer lies in its file.
  [[nodiscard]] std::int64_t offset(std::int64_t pair, int rank, int ranks) const;
  [[nodiscard]] std::string path(int rank) const;  ///< below the data directory
};

/// Writes until the stonewall or the end of the rank's transfers, at most `most` of them; then all ranks go
/// on to the largest number that one has done, and write back. The time is from before opening until after
/// closing, of the slowest rank. Fails, on all ranks, where one cannot write.
///
/// Source: IOR, src/ior.c, TestIoSys() and WriteOrRead(), with -g -e -D -O stoneWallingWearOut=1.
Result<Outcome> ior_write(Ior& ior, const Claim& claim, const World& world, double stonewall_s,
                          std::int64_t most, bool direct);

/// Each rank reads what the rank `world.shift` further has written, and compares every byte. Wrong contents
/// make the outcome wrong. Fails, on all ranks, where one cannot read.
Result<Outcome> ior_read(const Ior& ior, const Claim& claim, const World& world, bool direct);

}  // namespace io500
