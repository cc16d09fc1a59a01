#include "orchestrator/cli/text/terminal.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <ostream>

#include "orchestrator/cli/text/printable_stream.hpp"
#include "orchestrator/core/printable.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) == "dumb";
}

/// A sign that shakedown writes and what stands for it in ASCII.
struct TerminalSign {
  std::string_view utf8;
  std::string_view ascii;
};

constexpr std::array<TerminalSign, 9> signs = {{{"━", "#"},
                                                {"─", "-"},
                                                {"–", "-"},
                                                {"·", "-"},
                                                {"×", "x"},
                                                {"≥", ">="},
                                                {"≤", "<="},
                                                {"\u2212", "-"},    // minus
                                                {"\u202F", " "}}};  // narrow no-break space

std::string indented_lines(std::string_view text) {
  std::string indented;
  for (const std::string_view line : split(text, '\n')) {
    if (!indented.empty()) indented += "\n  ";
    indented += line;
  }
  return indented;
}

}  // namespace

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = lower(value);
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

std::string shown(std::string text) {
  if (locale_is_utf8()) return text;
  for (const TerminalSign& sign : signs)
    for (size_t at = text.find(sign.utf8); at != std::string::npos;
         at = text.find(sign.utf8, at + sign.ascii.size()))
      text.replace(at, sign.utf8.size(), sign.ascii);
  return text;
}

std::string shown_error(const Error& error) {
  Error indented = error;
  for (std::string* quoted : {&indented.where, &indented.what}) *quoted = indented_lines(*quoted);
  return shown(to_string(indented));
}

void print_error(const Error& error) {
  std::cout.flush();
  std::cerr << "error: " << shown_error(error) << "\n";
}

Terminal::Terminal(const CommonOptions& common) {
  const bool tty = ::isatty(STDERR_FILENO) == 1;
  color_ = common.color == "always" || (common.color == "auto" && tty && !is_set("NO_COLOR") && !is_dumb());
  redraws_ = common.progress == "bar" || (common.progress == "auto" && tty && !is_dumb() && !common.quiet);
  talks_ = common.progress != "none" && !common.quiet;
}

Painted Terminal::painted(std::string_view code, std::string_view text) const {
  return {color_ ? code : std::string_view(), std::string(text)};
}

std::ostream& operator<<(std::ostream& stream, const Painted& painted) {
  if (painted.code.empty()) return stream << painted.text;
  write_sequence(stream, fmt::format("\x1b[{}m", painted.code));
  stream << painted.text;
  write_sequence(stream, "\x1b[0m");
  return stream;
}

std::string terminal_text(const Painted& painted) {
  const std::string text = printable_line(painted.text);
  return painted.code.empty() ? text : fmt::format("\x1b[{}m{}\x1b[0m", painted.code, text);
}

}  // namespace shakedown
