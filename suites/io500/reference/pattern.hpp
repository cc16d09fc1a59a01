#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
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
  /// Where a transfer is read to. It is changed, so that bytes of the transfer before can't be taken for new
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

/// The names of all data files, as IOR and mdtest have them under the official program's options. '#' matches
/// digits.
inline constexpr std::array<std::string_view, 6> data_files = {
    "ior-easy/ior_file_easy",
    "ior-easy/ior_file_easy.#",
    "ior-easy/#/ior_file_easy.#",
    "ior-hard/file",
    "mdtest-easy/test-dir.0-0/mdtest_tree.#.0/file.mdtest.#.#",
    "mdtest-hard/test-dir.0-0/mdtest_tree.0/file.mdtest.#.#"};

/// The directories right below the data directory; a site may have laid them out before.
inline constexpr std::array<std::string_view, 4> data_folders = {"ior-easy", "ior-hard", "mdtest-easy",
                                                                 "mdtest-hard"};

/// Proves that the files around it are this program's.
inline constexpr const char* marker_name = ".shakedown-io500";

std::string easy_file(int rank);
std::string mdtest_file(int rank, std::int64_t number);
std::string easy_tree(int rank);
inline constexpr const char* hard_tree = "mdtest_tree.0";
inline constexpr const char* test_folder = "test-dir.0-0";

/// Whether '#' of the pattern can be digits so that it is the name.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace io500
