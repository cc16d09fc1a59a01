#include "orchestrator/inventory/mount_table.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) &&
                        is_octal(text[i + 2]) && is_octal(text[i + 3]);
    if (!escape) {
      plain += text[i];
      continue;
    }
    const int value = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
    plain += static_cast<char>(value);
    i += 3;
  }
  return plain;
}

}  // namespace

std::vector<MountEntry> mount_entries(std::string_view mountinfo) {
  std::vector<MountEntry> entries;
  for (const std::string_view line : split(mountinfo, '\n')) {
    // id parent major:minor root path options [tags...] - type source super-options
    const auto fields = split(line, ' ');
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (dash - fields.begin() < 6 || fields.end() - dash < 4) continue;
    entries.push_back({.device = std::string(fields[2]),
                       .root = unescaped(fields[3]),
                       .path = unescaped(fields[4]),
                       .options = std::string(fields[5]),
                       .type = std::string(dash[1]),
                       .source = unescaped(dash[2]),
                       .super_options = std::string(dash[3])});
  }
  return entries;
}

bool has_option(std::string_view options, std::string_view option) {
  const auto all = split(options, ',');
  return std::find(all.begin(), all.end(), option) != all.end();
}

std::filesystem::path below(const std::filesystem::path& root, std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  return path.empty() ? root : root / path;
}

}  // namespace shakedown
