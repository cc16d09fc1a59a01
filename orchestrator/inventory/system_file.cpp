#include "orchestrator/inventory/system_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <map>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

/// Length of the valid UTF-8 sequence at the front of `text`; 0 where there is none (Unicode 15, table 3-7).
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                        : (lead & 0xF0u) == 0xE0       ? 3
                        : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                       : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0u) != 0x80) return 0;
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) > 0x9F;
  const bool beyond = lead == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

std::optional<std::string> system_file(const std::filesystem::path& path) {
  const auto content = named_file_content(path);
  if (!content) return std::nullopt;
  return std::string(trimmed(*content));
}

namespace {

constexpr std::size_t most_kept = 512;
bool is_kept_open = false;

std::map<std::string, int, std::less<>>& kept_files() {
  static std::map<std::string, int, std::less<>> files;
  return files;
}

int opened(const char* path, int folder) {
  return ::openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/// The first page of an open file.
std::optional<std::string> first_page(int fd) {
  std::array<char, 4096> text;  // NOLINT(cppcoreguidelines-pro-type-member-init): a page is not written twice
  ssize_t n = 0;
  do n = ::pread(fd, text.data(), text.size(), 0);
  while (n < 0 && errno == EINTR);
  if (n < 0) return std::nullopt;
  return std::string(trimmed(std::string_view(text.data(), static_cast<std::size_t>(n))));
}

}  // namespace

void keep_system_files_open() {
  is_kept_open = true;
}

std::optional<std::string> system_value(const char* path, int folder) {
  const bool kept = is_kept_open && *path == '/';
  if (const auto known = kept ? kept_files().find(std::string_view(path)) : kept_files().end();
      known != kept_files().end()) {
    if (auto text = first_page(known->second)) return text;
    ::close(known->second);  // of a device that was taken off
    kept_files().erase(known);
  }
  const int fd = opened(path, folder);
  if (fd < 0) return std::nullopt;
  auto text = first_page(fd);
  if (kept && text && kept_files().size() < most_kept)
    kept_files().emplace(path, fd);
  else
    ::close(fd);
  return text;
}

std::optional<std::string> system_value(const std::filesystem::path& path) {
  return system_value(path.c_str());
}

std::optional<std::int64_t> system_number(const std::filesystem::path& path) {
  const auto text = system_value(path);
  if (!text) return std::nullopt;
  const auto value = parsed_integer(*text);
  if (!value) return std::nullopt;
  return *value;
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  });
  return names;
}

std::string link_name(const std::filesystem::path& link) {
  std::error_code error;
  const auto target = std::filesystem::read_symlink(link, error);
  return error ? "" : target.filename().string();
}

std::vector<int> number_list(std::string_view text) {
  constexpr std::int64_t most = 1 << 20;
  std::vector<int> numbers;
  if (trimmed(text).empty()) return numbers;
  for (const std::string_view piece : split(trimmed(text), ',')) {
    const size_t dash = piece.find('-');
    const auto first = parsed_integer(piece.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parsed_integer(piece.substr(dash + 1));
    if (!first || !last || *first < 0 || *last > most) return {};
    for (std::int64_t n = *first; n <= *last; ++n) numbers.push_back(static_cast<int>(n));
  }
  return numbers;
}

std::string number_list_text(const std::vector<int>& numbers) {
  std::vector<std::string> pieces;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    pieces.push_back(end - i == 1 ? fmt::format("{}", numbers[i])
                                  : fmt::format("{}-{}", numbers[i], numbers[end - 1]));
    i = end;
  }
  return joined(pieces, ",");
}

std::optional<std::string> field_of(std::string_view text, std::string_view key) {
  for (const std::string_view line : split(text, '\n')) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || trimmed(line.substr(0, colon)) != key) continue;
    return std::string(trimmed(line.substr(colon + 1)));
  }
  return std::nullopt;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const size_t length = sequence_length(text);
    valid += length == 0 ? "?" : text.substr(0, length);
    text.remove_prefix(std::max<size_t>(1, length));
  }
  return valid;
}

}  // namespace shakedown
