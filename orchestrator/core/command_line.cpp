#include "orchestrator/core/command_line.hpp"

#include <fmt/format.h>

#include "orchestrator/core/text.hpp"

namespace shakedown {

std::string command_for(std::string_view words, const std::filesystem::path& workspace) {
  std::string line = fmt::format("shakedown {}", words);
  if (workspace != default_workspace) line += " -w " + shell_quoted(workspace.string());
  return line;
}

}  // namespace shakedown
