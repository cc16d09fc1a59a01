#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace shakedown {

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
