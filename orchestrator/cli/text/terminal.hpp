#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Whether the user's locale is UTF-8, by the first of LC_ALL, LC_CTYPE and LANG that is set.
bool locale_is_utf8();

/// `text` as the user's locale can show it: as it is under UTF-8, else with the signs that shakedown itself
/// writes (dashes, bars, relations) in ASCII. For people's eyes only, never for JSON, TOML or HTML.
std::string shown(std::string text);

/// An error for people's eyes: `shown`, and further lines of what it quotes indented, so that none of them
/// looks like a line of ours.
std::string shown_error(const Error& error);

/// Prints an error that does not end the command, behind what was printed so far.
void print_error(const Error& error);

/// A text with its colour; `<<` writes both. The stream filters the text, not the colour.
struct Painted {
  std::string_view code;  ///< "1;33"; empty: no colour
  std::string text;
};
std::ostream& operator<<(std::ostream& stream, const Painted& painted);

/// Colour and text as one string for a terminal that is written to directly; the text on one line.
std::string terminal_text(const Painted& painted);

/// What the user's terminal can show: colour on stderr and stdout, and whether lines may be redrawn. NO_COLOR
/// and TERM=dumb are respected; colour never carries meaning alone.
class Terminal {
 public:
  explicit Terminal(const CommonOptions& common);

  [[nodiscard]] Painted good(std::string_view text) const { return painted("34", text); }   // blue
  [[nodiscard]] Painted bad(std::string_view text) const { return painted("1;33", text); }  // bold orange
  [[nodiscard]] Painted dim(std::string_view text) const { return painted("2", text); }
  /// Whether a status line is redrawn in place.
  [[nodiscard]] bool redraws() const { return redraws_; }
  [[nodiscard]] bool talks() const { return talks_; }

 private:
  [[nodiscard]] Painted painted(std::string_view code, std::string_view text) const;
  bool color_ = false;
  bool redraws_ = false;
  bool talks_ = true;
};

/// The only way to the terminal: while it lives, what is written to std::cout and std::cerr goes through
/// `printable`, whoever wrote it and wherever the text came from. Only `write_sequence` writes control
/// characters.
class PrintableStreams {
 public:
  PrintableStreams();
  ~PrintableStreams();
  PrintableStreams(const PrintableStreams&) = delete;
  PrintableStreams& operator=(const PrintableStreams&) = delete;

 private:
  class Buffer;
  friend void write_sequence(std::ostream& stream, std::string_view sequence);
  std::unique_ptr<Buffer> out_;
  std::unique_ptr<Buffer> err_;
};

/// Writes a control sequence of our own (a colour, a carriage return) as it is. Never with a text of others
/// in it.
void write_sequence(std::ostream& stream, std::string_view sequence);

/// How many columns a terminal shows `text` in: none for combining marks, two for the wide signs of East Asia
/// and for pictures. A byte that is no UTF-8 counts as one.
///
/// Source: Unicode Standard Annex 11 (East Asian Width), its ranges of wide characters.
int display_width(std::string_view text);

/// `text` in at most `columns` columns; where it is longer, `mark` (of one column) is at the cut.
std::string cut_to(std::string_view text, int columns, std::string_view mark);

/// `text`, and blanks behind it up to `columns` columns.
std::string padded_to(std::string text, int columns);

/// `text` as one line of a terminal: line ends and tabs are blanks, other control characters are written out.
std::string one_line(std::string_view text);

}  // namespace shakedown
