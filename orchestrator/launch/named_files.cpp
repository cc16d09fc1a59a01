#include "orchestrator/launch/named_files.hpp"

#include <algorithm>
#include <filesystem>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/value.hpp"
#include "orchestrator/launch/job.hpp"

namespace shakedown {
namespace {

std::string path_in(std::string_view word) {
  if (word.starts_with('/')) return std::string(word);
  const std::size_t equals = word.find("=/");
  return equals == std::string_view::npos ? "" : std::string(word.substr(equals + 1));
}

}  // namespace

std::vector<std::string> named_files(const Case& planned) {
  constexpr std::size_t most_named = 16;  // they are words of the wrapper's command line
  std::vector<std::string> found;
  if (!planned.container.image.empty()) return found;
  const auto add = [&](const std::string& path) {
    std::error_code code;
    const bool known = std::ranges::find(found, path) != found.end();
    if (!path.empty() && !known && found.size() < most_named && std::filesystem::is_regular_file(path, code))
      found.push_back(path);
  };
  if (const std::string executable = executable_of(planned); !executable.empty())
    add(program_in_path(executable).string());
  // A launcher's own path is the first word; its version is on record elsewhere.
  for (std::size_t i = planned.launcher.empty() ? 0 : 1; i < planned.argv.size(); ++i)
    add(path_in(planned.argv[i]));
  for (const Parameter& variable : planned.environment) add(path_in(value_text(variable.value)));
  return found;
}

}  // namespace shakedown
