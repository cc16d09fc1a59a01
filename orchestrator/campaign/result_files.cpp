#include "orchestrator/campaign/result_files.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code code;
  auto it = fs::directory_iterator(folder, code);
  for (; !code && it != fs::directory_iterator(); it.increment(code)) found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

/// What a pattern names, component by component. A component that is there to the letter is not taken for a
/// pattern.
std::vector<fs::path> named(const fs::path& folder, std::string_view pattern) {
  std::vector<fs::path> found = {folder};
  for (const std::string_view part : split(pattern, '/')) {
    const std::string component(part);
    std::vector<fs::path> next;
    for (const fs::path& each : found) {
      std::error_code code;
      if (fs::exists(each / component, code)) {
        next.push_back(each / component);
        continue;
      }
      for (const fs::path& entry : entries(each))
        if (::fnmatch(component.c_str(), entry.filename().c_str(), FNM_PERIOD) == 0) next.push_back(entry);
    }
    found = std::move(next);
  }
  return found;
}

/// When a file was last written; a folder is as new as the newest file in it.
fs::file_time_type age(const fs::path& path) {
  std::error_code code;
  std::vector<fs::path> files = {path};
  if (fs::is_directory(path, code)) files = entries(path);
  fs::file_time_type newest = fs::file_time_type::min();
  for (const fs::path& file : files) {
    const auto time = fs::last_write_time(file, code);
    if (!code) newest = std::max(newest, time);
  }
  return newest;
}

}  // namespace

ResultFiles result_files(const fs::path& folder, std::string_view wanted) {
  const std::string name = wanted.empty() ? "stdout.log" : std::string(wanted);
  const std::vector<fs::path> found = named(folder, name);
  if (found.empty()) return {name, {name}, ""};
  const auto newest = std::max_element(found.begin(), found.end(),
                                       [](const fs::path& a, const fs::path& b) { return age(a) < age(b); });
  ResultFiles result;
  result.name = newest->lexically_relative(folder).string();
  if (found.size() > 1)
    result.warning =
        fmt::format("{} files are called '{}': the newest is read, {}", found.size(), name, result.name);
  std::error_code code;
  if (!fs::is_directory(*newest, code)) {
    result.files = {result.name};
    return result;
  }
  for (const fs::path& entry : entries(*newest))
    if (fs::is_regular_file(entry, code)) result.files.push_back(entry.lexically_relative(folder).string());
  return result;
}

}  // namespace shakedown
