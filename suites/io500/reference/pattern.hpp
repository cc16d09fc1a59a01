#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "suites/io500/reference/text.hpp"

namespace io500 {

/// dataPacketType: what the files hold. Source: IOR, src/utilities.c, generate_memory_pattern().
enum class Packet {
  timestamp,       ///< words of the rank and a running number: the same in every transfer of a rank
  offset,          ///< also the place in the file, in each 4 KiB
  incompressible,  ///< one random word of the rank, and the place in the file
  random,          ///< a random sequence of the rank and the place
};

Result<Packet> packet_of(std::string_view name);

/// A transfer's bytes, which follow from the rank that writes them, the place and a seed of the run.
class Pattern {
 public:
  /// Of transfers of `bytes`, aligned for direct transfers. Empty without memory for two of them.
  Pattern(Packet packet, std::size_t bytes, std::uint32_t seed);
  [[nodiscard]] bool allocated() const { return expected_ && received_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// What `rank` writes at `place`: an offset in a file, or the number of a file.
  const std::byte* written(int rank, std::uint64_t place);
  /// Where a transfer is read to. It is changed, so that bytes of the transfer before don't pass for new
  /// ones.
  std::byte* target();
  /// Whether the bytes at target() are what `rank` wrote at `place`.
  [[nodiscard]] bool holds(int rank, std::uint64_t place);

 private:
  struct Free {
    void operator()(void* pointer) const { std::free(pointer); }
  };
  using Memory = std::unique_ptr<std::byte, Free>;
  void fill(int rank);

  Packet packet_;
  std::size_t bytes_;
  std::uint32_t seed_;
  int rank_ = -1;  ///< whose words expected_ holds
  Memory expected_;
  Memory received_;
};

}  // namespace io500
