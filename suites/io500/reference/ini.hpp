#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suites/io500/reference/text.hpp"

namespace io500 {

enum class Kind { text, whole, number, truth };

/// A key of the configuration with its value; an empty value is an unset one.
struct Key {
  std::string_view name;
  Kind kind = Kind::text;
  std::string value;
  int line = 0;             ///< where the file sets it; 0: it is IO500's default
  bool empty_text = false;  ///< IO500's default is a text of no letters, which its hash counts
};

struct Section {
  std::string_view name;
  std::vector<Key> keys;
};

/// All sections and keys of the official program's INI, with its defaults.
///
/// Source: IO500 02091cf, src/phase_*.c; its --list prints the same.
std::vector<Section> default_sections();

/// The configuration that `content` sets. `file` is its name for errors, which are "FILE:LINE: ...": an
/// unknown section or key, a value of the wrong kind, a line that is neither of those nor a comment.
///
/// Source: IO500, src/ini-parse.c: names compare without case; truth is true, false, 1 or 0.
Result<std::vector<Section>> read_ini(std::string_view content, const std::string& file);

/// The key, which must exist.
const Key& key_of(const std::vector<Section>& sections, std::string_view section, std::string_view key);

/// The configuration's hash, as `io500 --config-hash` has it.
std::uint32_t config_hash(const std::vector<Section>& sections);

/// The effective configuration as config.ini of a result holds it.
std::string ini_text(const std::vector<Section>& sections);

}  // namespace io500
