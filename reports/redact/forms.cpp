#include "reports/redact/forms.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace shakedown {
namespace {

bool is_hex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

template <class Fits>
std::size_t run_length(std::string_view text, Fits fits) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, fits) - text.begin());
}

/// Whether a word ends here: no letter, digit or character that would continue the form follows.
bool ends_at(std::string_view rest, std::string_view more) {
  return rest.empty() || (!is_word(rest.front()) && more.find(rest.front()) == std::string_view::npos) ||
         (rest.front() == '.' && (rest.size() == 1 || !is_word(rest[1])));
}

/// "192.168.7.12": four numbers up to 255 without leading zeros, so that versions (24.04.0.6) are none.
std::size_t ipv4_length(std::string_view text) {
  std::size_t at = 0;
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (at >= text.size() || text[at] != '.') return 0;
      ++at;
    }
    const std::size_t digits = run_length(text.substr(at), is_decimal);
    if (digits < 1 || digits > 3 || (digits > 1 && text[at] == '0')) return 0;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = value * 10 + (text[at + i] - '0');
    if (value > 255) return 0;
    at += digits;
  }
  return ends_at(text.substr(at), ".") ? at : 0;
}

/// Whether four numbers that begin at `at` are a version: part of a longer name, or behind a word that says
/// so.
bool is_version(std::string_view text, std::size_t at) {
  std::string_view before = text.substr(0, at);
  if (!before.empty() && std::string_view(".-_").find(before.back()) != std::string_view::npos) return true;
  while (!before.empty() && std::string_view(" :=\"").find(before.back()) != std::string_view::npos)
    before.remove_suffix(1);
  return before.ends_with("ersion") || before.ends_with("ERSION") || before.ends_with(" v");
}

/// "nfs7" of "nfs7:/export": the server of a mount.
std::size_t server_length(std::string_view text) {
  const std::size_t length = run_length(text, [](char c) { return is_word(c) || c == '.' || c == '-'; });
  const bool mounts = length > 0 && text.size() > length + 2 && text[length] == ':' &&
                      text[length + 1] == '/' && is_word(text[length + 2]);
  return mounts ? length : 0;
}

/// Groups of hexadecimal digits between ':': a MAC address (6 of 2), an IPv6 address (8, or fewer with "::"),
/// a GUID (4 of 4).
std::size_t colon_address_length(std::string_view text) {
  const std::size_t length = run_length(text, [](char c) { return is_hex(c) || c == ':'; });
  std::string_view all = text.substr(0, length);
  while (all.ends_with(':') && !all.ends_with("::")) all.remove_suffix(1);
  if (all.size() < 11 && all.find("::") == std::string_view::npos) return 0;
  std::size_t groups = 0;
  bool twos = true;
  bool fours = true;
  bool short_form = false;
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t digits = run_length(all.substr(at), is_hex);
    if (digits > 4) return 0;
    if (digits == 0 && at < all.size()) short_form = true;
    groups += digits > 0;
    twos = twos && digits == 2;
    fours = fours && digits == 4;
    at += digits + 1;
  }
  if (!ends_at(text.substr(all.size()), ".")) return 0;
  const bool is_one =
      (twos && groups == 6) || (fours && groups == 4) || groups == 8 ||
      (short_form && all.find("::") != std::string_view::npos && groups >= 2 && all.size() >= 6);
  return is_one ? all.size() : 0;
}

std::size_t guid_length(std::string_view text) {
  if (!text.starts_with("0x")) return 0;
  const std::size_t digits = run_length(text.substr(2), is_hex);
  return digits == 16 && ends_at(text.substr(18), "") ? 18 : 0;
}

/// "1c2d3e4f-0000-1111-2222-333344445555", with the vendor's "GPU-" or "MIG-" in front.
std::size_t uuid_length(std::string_view text) {
  constexpr std::array<std::size_t, 5> groups = {8, 4, 4, 4, 12};
  std::size_t at = text.starts_with("GPU-") || text.starts_with("MIG-") ? 4 : 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i > 0) {
      if (at >= text.size() || text[at] != '-') return 0;
      ++at;
    }
    if (run_length(text.substr(at), is_hex) != groups.at(i)) return 0;
    at += groups.at(i);
  }
  return ends_at(text.substr(at), "") ? at : 0;
}

std::size_t mail_length(std::string_view text) {
  const auto part = [](char c) { return is_word(c) || c == '.' || c == '-' || c == '_' || c == '+'; };
  const std::size_t name = run_length(text, part);
  if (name == 0 || name >= text.size() || text[name] != '@') return 0;
  std::string_view host = text.substr(name + 1, run_length(text.substr(name + 1), part));
  while (host.ends_with('.')) host.remove_suffix(1);
  return host.find('.') == std::string_view::npos ? 0 : name + 1 + host.size();
}

/// The value behind "serial number: ", "S/N ": four characters or more with a digit among them.
std::size_t serial_length(std::string_view text, std::size_t at) {
  std::string_view before = text.substr(0, at);
  if (!before.ends_with(' ') && !before.ends_with(':') && !before.ends_with('=') && !before.ends_with('"'))
    return 0;
  while (!before.empty() && std::string_view(" :=\"#\t").find(before.back()) != std::string_view::npos)
    before.remove_suffix(1);
  std::string word;
  for (const char c : before.substr(before.size() - std::min<std::size_t>(before.size(), 16)))
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array<std::string_view, 6> marks = {"serial",        "serial number", "serialnumber",
                                                     "serial_number", "serial no",     "s/n"};
  if (std::ranges::none_of(marks, [&](std::string_view mark) { return word.ends_with(mark); })) return 0;
  const std::string_view rest = text.substr(at);
  const std::size_t length = run_length(rest, [](char c) { return is_word(c) || c == '-'; });
  const bool has_digit = std::ranges::any_of(rest.substr(0, length), is_decimal);
  return length >= 4 && has_digit ? length : 0;
}

/// Folders that are the same on every machine.
constexpr std::array<std::string_view, 11> system_folders = {
    "/proc/",  "/sys/",     "/dev/",      "/bin/",     "/sbin/",     "/lib/",
    "/lib64/", "/usr/bin/", "/usr/sbin/", "/usr/lib/", "/usr/lib64/"};

}  // namespace

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::optional<NamedForm> form_of(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (const std::size_t length = serial_length(text, at); length > 0)
    return NamedForm{NameKind::serial, length};
  if (const std::size_t length = uuid_length(rest); length > 0) return NamedForm{NameKind::serial, length};
  for (const auto& length : {mail_length(rest), is_version(text, at) ? 0 : ipv4_length(rest),
                             colon_address_length(rest), guid_length(rest)})
    if (length > 0) return NamedForm{NameKind::address, length};
  const bool within_path = at > 0 && text[at - 1] == '/';
  if (const std::size_t length = within_path ? 0 : server_length(rest); length > 0)
    return NamedForm{NameKind::node, length};
  return std::nullopt;
}

std::size_t path_length(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const bool home = rest.starts_with("~/");
  if (!home && (rest.size() < 2 || rest[0] != '/' || (!is_word(rest[1]) && rest[1] != '.' && rest[1] != '_')))
    return 0;
  if (at > 0) {
    // Behind a word, a bracket or another slash it is a quotient, the end of a tag, a part of a path.
    const char before = text[at - 1];
    const bool behind_scheme = at > 2 && text.substr(at - 3, 3) == "://";  // "file:///home/..."
    if (!behind_scheme &&
        (is_word(before) || std::string_view(")]}<%/.*_-").find(before) != std::string_view::npos))
      return 0;
  }
  std::size_t length = run_length(rest, [](char c) {
    return is_word(c) || std::string_view("/._-+~@%").find(c) != std::string_view::npos;
  });
  while (length > 1 && (rest[length - 1] == '.' || rest[length - 1] == '-')) --length;
  const std::string_view path = rest.substr(0, length);
  const bool known = std::ranges::any_of(system_folders, [&](std::string_view folder) {
    return path.starts_with(folder) || path == folder.substr(0, folder.size() - 1);
  });
  return known && path.find("..") == std::string_view::npos ? 0 : length;
}

std::size_t web_address_length(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (!rest.starts_with("https://") && !rest.starts_with("http://")) return 0;
  return run_length(rest, [](char c) {
    return std::isspace(static_cast<unsigned char>(c)) == 0 &&
           std::string_view("\"'<>),;").find(c) == std::string_view::npos;
  });
}

}  // namespace shakedown
