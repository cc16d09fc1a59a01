#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// A part of a text: bytes [begin, end).
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What a part of a text becomes.
struct TextChange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string instead;
};

/// The byte at a line and a column as TOML's readers count them: from 1, columns in UTF-8 characters. The
/// text's length where it has no such place.
std::size_t offset_of(std::string_view text, std::size_t line, std::size_t column);

/// The comments of a TOML document, from '#' to the end of the line; a '#' in a string begins none.
std::vector<TextRange> toml_comments(std::string_view text);

/// The text with all changes made; they don't overlap.
std::string changed_text(std::string_view text, std::vector<TextChange> changes);

}  // namespace shakedown
