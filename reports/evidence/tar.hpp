#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// A regular file of a tar archive.
struct TarEntry {
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< of its last change (mtime), since 1970
};

/// Reads a tar archive with suspicion: regular files alone, under names that `wrong_archive_path` accepts,
/// and nothing behind its end. Nothing is written.
class TarReader {
 public:
  /// `source` gives the archive's bytes piece by piece; empty: their end. `name` is that of failures.
  TarReader(std::function<Result<std::string>()> source, std::string name);
  TarReader(TarReader&& other) noexcept;
  TarReader& operator=(TarReader&& other) noexcept;
  ~TarReader();

  /// The next file; nothing: the archive's end. Fails (input) on what is no regular file, on a name that is
  /// refused, and where the archive is damaged or cut.
  Result<std::optional<TarEntry>> next();
  /// The next piece of that file, which holds until the next call; empty: its end.
  Result<std::string_view> piece();
  /// Whether the archive ends where it says. To be called at its end.
  Result<void> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes a tar archive (POSIX pax) of regular files of user 0, mode 0644.
class TarWriter {
 public:
  /// `sink` takes the archive's bytes.
  TarWriter(std::function<Result<void>(std::string_view)> sink, std::string name);
  TarWriter(TarWriter&& other) noexcept;
  TarWriter& operator=(TarWriter&& other) noexcept;
  ~TarWriter();

  /// Begins a file, of which as many bytes as it states must follow.
  Result<void> begin(const TarEntry& entry);
  Result<void> write(std::string_view piece);
  Result<void> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shakedown
