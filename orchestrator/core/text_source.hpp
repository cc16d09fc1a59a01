#pragma once
#include <string>
#include <string_view>

#include "orchestrator/core/file.hpp"

namespace shakedown {

/// A part of a text that is too large to be held.
struct TextPiece {
  std::string_view text;  ///< valid until the next piece is asked for
  bool last = false;
};

/// A text that is read piece by piece, and again from its start as often as needed: a file of any size in
/// constant memory, standard input, or a text that is there already.
///
/// A piece ends behind a line feed, but for the last one and for those of a line longer than a MiB.
class TextSource {
 public:
  /// Fails (environment) with the system's reason; a folder is a failure.
  static Result<TextSource> file(const fs::path& path);
  /// Standard input; a pipe is copied to a temporary file without a name first. Fails where that is full, and
  /// above 16 GiB.
  static Result<TextSource> standard_input();
  /// `text` must outlive the source.
  static TextSource of(std::string_view text);

  TextSource(TextSource&& other) noexcept;
  TextSource& operator=(TextSource&& other) noexcept;
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;
  ~TextSource();

  /// The next piece; an empty last one at the end. Fails (environment) with the system's reason, and where
  /// nothing but zero bytes come for 64 MiB: a sparse file may have any size.
  Result<TextPiece> next();
  /// Back to the start.
  void rewind();

 private:
  TextSource() = default;
  Result<void> fill();

  int fd_ = -1;
  std::string name_;
  std::string_view text_;  ///< of a text that is there already
  bool ended_ = false;
  std::string buffer_;
  size_t given_ = 0;  ///< of the buffer: out as the last piece
  size_t zeros_ = 0;  ///< zero bytes that the last pieces were made of
};

}  // namespace shakedown
