#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// A number, string or truth value of a TOML document.
struct TomlValue {
  std::vector<std::string> path;  ///< "site", "environment", "HF_TOKEN"; elements of an array share theirs
  std::string place;              ///< `file:line`
  std::string text;
  bool marked_secret = false;  ///< its table also has `secret = true`
};

/// For each of a document's values, in its order, the string that replaces it in a copy, or nothing if it is
/// unchanged.
using TomlChanges = std::vector<std::optional<std::string>>;

/// A TOML document with some values changed, and `comment`'s text for each comment; all else stays to the
/// last byte. `name` is shown in errors. Fails if the text is no TOML, or `changes` fails.
Result<std::string> copied_toml(std::string_view text, std::string_view name,
                                const std::function<Result<TomlChanges>(std::span<const TomlValue>)>& changes,
                                const std::function<std::string(std::string_view)>& comment);

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
