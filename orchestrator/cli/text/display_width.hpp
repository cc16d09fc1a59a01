#pragma once
#include <string>
#include <string_view>

namespace shakedown {

/// How many columns a terminal shows `text` in: none for combining marks, two for the wide signs of East Asia
/// and for pictures. A byte that is no UTF-8 counts as one.
///
/// Source: Unicode Standard Annex 11 (East Asian Width), its ranges of wide characters.
int display_width(std::string_view text);

/// `text` in at most `columns` columns; where it is longer, `mark` (of one column) stands at the cut.
std::string cut_to(std::string_view text, int columns, std::string_view mark);

/// `text`, and blanks behind it up to `columns` columns.
std::string padded_to(std::string text, int columns);

/// `text` as one line of a terminal: line ends and tabs are blanks, other control characters are written out.
std::string one_line(std::string_view text);

}  // namespace shakedown
