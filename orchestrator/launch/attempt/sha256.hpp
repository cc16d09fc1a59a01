#pragma once
#include <atomic>
#include <cstdint>

namespace attempt {

constexpr int sha256_text = 65;  // 64 hexadecimal digits and the end

/// Hashes of files, for the next attempts that the same server starts: one as large as an MPI program costs
/// tens of milliseconds.
struct HashedFiles {
  /// A file that was hashed. It is the same later while its change time and size are.
  struct File {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t bytes = 0;
    std::int64_t changed_ns = 0;  // 0: none
    char digits[sha256_text] = {};
  };
  static constexpr int most = 16;
  std::atomic_flag is_held;
  File files[most];
  int next = 0;  // that is replaced
};

/// In memory that the server shares with its attempts. Null: there is no server.
extern HashedFiles* hashed_files;

/// SHA-256 of a regular file's content as hexadecimal digits. False where it can't be read.
///
/// Source: FIPS 180-4.
bool sha256_of_file(const char* path, char (&digits)[sha256_text]);

/// The path by which `execvp` would start `program`: the name itself where it has a slash, else the first
/// executable of that name in PATH. False where there is none, or `size` is too small.
bool found_program(const char* program, char* path, unsigned long size);

}  // namespace attempt
