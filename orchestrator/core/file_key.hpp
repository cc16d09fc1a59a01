#pragma once
#include <span>
#include <string_view>

namespace shakedown {

/// A key of a TOML file that people write, as the reference page shows it. Each reader has a table of these
/// in a header beside it; tests/cli/file_keys_test.cpp holds every row against the reader, and the reader
/// against the rows.
struct FileKey {
  std::string_view
      table;             ///< its header as it is written: "[site.fabric]", "[[runs]]"; empty: the file's top
  std::string_view key;  ///< "*": names are free
  std::string_view
      type;  ///< "text", "whole number", "number", "true or false", "texts", "numbers", "day", "any"
  std::string_view fallback;  ///< where it is absent, as TOML; "required"; empty: nothing is stated
  std::string_view unit;      ///< of the value; empty: none
  std::string_view example;   ///< TOML
  std::string_view about;     ///< a sentence without a full stop
};

/// What a kind of file is for, and all its keys in the order of the page.
struct FileKeys {
  std::string_view id;     ///< "acceptance"
  std::string_view title;  ///< "acceptance.toml"
  std::string_view about;  ///< sentences
  std::span<const FileKey> keys;
};

}  // namespace shakedown
