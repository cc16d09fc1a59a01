#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// `text` without white space at its ends.
std::string_view trimmed(std::string_view text);

/// How many bytes `text` begins with that all satisfy `is`. Whole blocks are tested without branches between
/// their bytes, which compilers do many bytes at a time: texts of megabytes pass here on their way out.
template <class Is>
std::size_t prefix_size(std::string_view text, const Is& is) {
  constexpr std::size_t block = 32;
  std::size_t at = 0;
  for (; at + block <= text.size(); at += block) {
    unsigned char misses = 0;
    for (std::size_t i = 0; i < block; ++i) misses |= static_cast<unsigned char>(!is(text[at + i]));
    if (misses != 0) break;
  }
  while (at < text.size() && is(text[at])) ++at;
  return at;
}

/// The pieces of `text` between `separator`s, empty ones included.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The pieces of `text` between runs of white space, none of them empty.
std::vector<std::string_view> words(std::string_view text);

/// Whether `part` is in `text`.
bool contains(std::string_view text, std::string_view part);

/// `text` with the letters A to Z made small.
std::string lower(std::string_view text);

/// `text` with the letters a to z made capital.
std::string upper(std::string_view text);

/// `text` with a blank for each line break.
std::string on_one_line(std::string text);

/// "1 case", "2 cases"; `many` is the plural of a noun that does not take an s.
std::string plural(std::int64_t number, std::string_view one, std::string_view many = {});

/// The pieces joined by `separator`.
std::string joined(std::span<const std::string> pieces, std::string_view separator);

/// ` (did you mean 'x'?)` for the candidate nearest to `name` by Damerau-Levenshtein distance, or nothing
/// when none is within a third of its length.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// `text` as one word of a POSIX shell: as it is where it needs no quotes, else in single quotes.
std::string shell_quoted(std::string_view text);

/// An argument vector as one shell line.
std::string shell_line(std::span<const std::string> argv);

/// The workspace of a command that names none.
inline constexpr const char* default_workspace = "./shakedown-runs";

/// A command for the user to type, with its workspace: `shakedown resume ID -w DIR`; -w is omitted for the
/// default workspace. `words` is what follows the program's name.
std::string command_for(std::string_view words, const std::filesystem::path& workspace);

/// As `shell_quoted`, for the first word of a command: "A=b" and "if" need quotes there.
std::string shell_command(std::string_view word);

/// How a text is shown on a terminal.
enum class TextEncoding {
  utf8,       ///< what is valid UTF-8 stays
  eight_bit,  ///< the terminal may take the bytes 0x80 to 0x9F for control characters
};

/// Appends to `shown` what a terminal may be given of `text`, and returns how many bytes of `text` that is:
/// all, but for the beginning of a UTF-8 character at its end.
///
/// Line feeds and tabs stay. Other control characters (C0, DEL, C1), line separators and the invisible format
/// characters that reorder or hide text are written as "\u001b", which JSON and TOML strings read as the same
/// character; a byte that is no UTF-8 is written as "\x9b".
///
/// Source: ECMA-48; Unicode 15, general category Cf (but for the two joiners, which several scripts need).
std::size_t append_printable(std::string& shown, std::string_view text,
                             TextEncoding encoding = TextEncoding::utf8);

/// The whole of `text` so.
std::string printable(std::string_view text, TextEncoding encoding = TextEncoding::utf8);

/// `text` as one line: line feeds and tabs are blanks, the rest as in `printable`.
std::string printable_line(std::string_view text);

}  // namespace shakedown
