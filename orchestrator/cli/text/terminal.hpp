#pragma once
#include <iosfwd>
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

/// A text with its colour; `<<` writes both. The text passes the stream's filter, the colour does not.
struct Painted {
  std::string_view code;  ///< "1;33"; empty: no colour
  std::string text;
};
std::ostream& operator<<(std::ostream& stream, const Painted& painted);

/// Colour and text as one string for a terminal that is written to directly; the text on one line.
std::string terminal_text(const Painted& painted);

/// What the user's terminal can show: colour on stderr and stdout, and whether lines may be redrawn.
/// NO_COLOR and TERM=dumb are heeded; colour never carries meaning alone.
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

}  // namespace shakedown
