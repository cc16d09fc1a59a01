#pragma once
#include <string>
#include <string_view>

#include "orchestrator/cli/support/command.hpp"

namespace shakedown {

/// Whether the user's locale is UTF-8, by the first of LC_ALL, LC_CTYPE and LANG that is set.
bool locale_is_utf8();

/// `text` as the user's locale can show it: as it is under UTF-8, else with the signs that shakedown itself
/// writes (dashes, bars, relations) in ASCII. For people's eyes only, never for JSON, TOML or HTML.
std::string shown(std::string text);

/// What the user's terminal can show: colour on stderr and stdout, and whether lines may be redrawn.
/// NO_COLOR and TERM=dumb are heeded; colour never carries meaning alone.
class Terminal {
 public:
  explicit Terminal(const CommonOptions& common);

  [[nodiscard]] std::string good(std::string_view text) const { return painted("34", text); }   // blue
  [[nodiscard]] std::string bad(std::string_view text) const { return painted("1;33", text); }  // bold orange
  [[nodiscard]] std::string dim(std::string_view text) const { return painted("2", text); }
  /// Whether a status line is redrawn in place.
  [[nodiscard]] bool redraws() const { return redraws_; }
  [[nodiscard]] bool talks() const { return talks_; }

 private:
  [[nodiscard]] std::string painted(std::string_view code, std::string_view text) const;
  bool color_ = false;
  bool redraws_ = false;
  bool talks_ = true;
};

}  // namespace shakedown
