#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Reads a file of one zstd frame (RFC 8878), piece by piece, with a window of at most 8 MiB: a few bytes
/// can't ask for more memory.
class ZstdReader {
 public:
  /// Fails (input) where the file is none of zstd, or no regular file.
  static Result<ZstdReader> open(const std::filesystem::path& path);
  ZstdReader(ZstdReader&& other) noexcept;
  ZstdReader& operator=(ZstdReader&& other) noexcept;
  ~ZstdReader();

  /// The next piece, of at most 1 MiB; empty: the end. Fails (input) where the file is cut, damaged, or goes
  /// on behind its frame.
  Result<std::string> read();

 private:
  struct State;
  explicit ZstdReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Writes a file of one zstd frame.
class ZstdWriter {
 public:
  /// Writes to an open file, which stays the caller's; `name` is that of failures.
  ZstdWriter(int fd, std::string name);
  ZstdWriter(ZstdWriter&& other) noexcept;
  ZstdWriter& operator=(ZstdWriter&& other) noexcept;
  ~ZstdWriter();

  /// Fail (environment) with the system's reason.
  Result<void> write(std::string_view piece);
  Result<void> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shakedown
