#pragma once
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

  /// The content of the text; nothing if it is no configuration of IO500, or has a line that is none of one.
  /// A part without values, with the facts
  ///
  /// - `source`: "config.ini"
  /// - `config.hash`: of all its options; another `config.hash` as the versions of early 2020 computed it,
  ///   which omitted external-mpi-args while it was empty
  /// - `config.sections`: their names
  /// - `config.lack`: why the text is incomplete; absent: it is all that the program wrote
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

/// Whether a command line of IOR, mdtest or find has `option` as a word of its own: "-F".
bool io500_has_option(std::string_view command, std::string_view option);

/// Whether `option` has that value somewhere in a command line, which may repeat it: "-O" of IOR.
bool io500_has_option(std::string_view command, std::string_view option, std::string_view value);

/// What follows `option` in a command line: "47008" for "-t 47008" and "-t=47008"; nothing where it is absent
/// or the last word.
std::optional<std::string_view> io500_option_value(std::string_view command, std::string_view option);

/// IO500's hash of a text: for each character the hash is turned left by two bits and the character added.
/// Source: IO500, src/util.c, rotladd().
std::uint32_t io500_hash(std::string_view text);

/// A key with its value as result.txt prints it.
using Io500Pair = std::pair<std::string, std::string>;

/// The hash that IO500 prints below a score: the exclusive or of the hashes of key and value, one behind the
/// other, for each pair. Source: IO500, src/util.c, u_hash_update_key_val().
std::uint32_t io500_hash(const std::vector<Io500Pair>& pairs);

/// Hashes as IO500 prints them: upper-case hexadecimal without leading zeros.
std::string io500_hash_text(std::uint32_t hash);

/// The hashes that the values of a result.txt give; the first is that of the current program, the second that
/// of the versions of January to May 2021, which omitted MD and BW. Nothing if a value is missing.
/// `extended`: of [SCOREX] over the phases beyond the official ones, else of [SCORE].
///
/// Source: IO500, src/main.c (calc_score() got the hash with commit aa7f8be).
std::optional<std::vector<std::string>> io500_score_hashes(const ParsedResult& result, bool extended);

}  // namespace shakedown
