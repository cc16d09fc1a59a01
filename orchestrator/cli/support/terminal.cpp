#include "orchestrator/cli/support/terminal.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>

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

}  // namespace

Terminal::Terminal(const CommonOptions& common) {
  const bool tty = ::isatty(STDERR_FILENO) == 1;
  color_ = common.color == "always" || (common.color == "auto" && tty && !is_set("NO_COLOR") && !is_dumb());
  redraws_ = common.progress == "bar" || (common.progress == "auto" && tty && !is_dumb() && !common.quiet);
  talks_ = common.progress != "none" && !common.quiet;
}

std::string Terminal::painted(std::string_view code, std::string_view text) const {
  return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace shakedown
