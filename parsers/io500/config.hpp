#pragma once
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>

#include "parsers/parser.hpp"

namespace shakedown {

/// A configuration of IO500, line by line. Every run writes the one that was in force, with all options and
/// their defaults, to config.ini beside its result.txt, and prints that text's hash in there.
///
/// Source: IO500, src/main.c (u_ini_print_values() to config.ini), src/ini-parse.c, src/phase_*.c.
class Io500Config {
 public:
  void read(const LogLine& line) {
    if (!foreign_) take(line);
  }

  /// What the text tells; nothing where it is no configuration of IO500, or has a line that is none of one.
  /// A part without figures, with the facts
  ///
  /// - `source`: "config.ini"
  /// - `config.hash`: of all its options; another `config.hash` as the versions of early 2020 made it, who
  ///   left external-mpi-args out while it was empty
  /// - `config.sections`: their names
  /// - `config.lack`: why this is not all that the program wrote; absent: it is
  [[nodiscard]] std::optional<ParsedResult> part() const;

 private:
  static constexpr std::size_t most_needed = 64;

  void take(const LogLine& line);
  [[nodiscard]] bool section(std::string_view text);
  [[nodiscard]] bool option(std::string_view text);
  [[nodiscard]] std::string lack() const;

  bool foreign_ = false;   ///< a line is none of a configuration
  bool known_ = false;     ///< a section that IO500 alone has was seen
  bool comments_ = false;  ///< the program writes none
  bool broken_ = false;    ///< a line has no end
  bool ended_ = false;     ///< the last line is the empty one behind a section
  int last_line_ = 0;
  std::string section_;
  std::string sections_;
  std::string twice_;              ///< a section or option that was there already
  std::bitset<most_needed> seen_;  ///< of what every version writes
  std::uint32_t hash_ = 0;
  std::uint32_t hash_2020_ = 0;
};

}  // namespace shakedown
