#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "reports/redact/redactor.hpp"

namespace shakedown {

/// A piece of a text that has the form of something that is redacted wherever it stands.
struct NamedForm {
  NameKind kind = NameKind::address;
  std::size_t length = 0;
};

/// What begins at `at`, where no word is in progress: an IPv4, IPv6, MAC or mail address, a GUID of
/// InfiniBand, a UUID ("GPU-1c2d3e4f-..."), or the value behind "serial".
std::optional<NamedForm> form_of(std::string_view text, std::size_t at);

/// The length of an absolute path that begins at `at`; 0: none does, or one of the operating system itself.
std::size_t path_length(std::string_view text, std::size_t at);

/// The length of a web address that begins at `at`; 0: none does.
std::size_t web_address_length(std::string_view text, std::size_t at);

/// Whether a character may be part of a word (ASCII letters and digits).
bool is_word(char c);

}  // namespace shakedown
