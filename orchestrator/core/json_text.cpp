#include "orchestrator/core/json_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "orchestrator/core/text.hpp"

namespace shakedown {

void JsonText::separate() {
  if (follows_) text_ += ',';
  follows_ = true;
}

void JsonText::open(char bracket) {
  separate();
  text_ += bracket;
  follows_ = false;
}

void JsonText::close(char bracket) {
  text_ += bracket;
  follows_ = true;
}

void JsonText::string(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= ' ') & (c < '\x7f') & (c != '"') & (c != '\\');  // one by one: no branches
  };
  if (prefix_size(text, is_plain) == text.size())
    text_.append(1, '"').append(text).append(1, '"');
  else
    text_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void JsonText::key(std::string_view name) {
  separate();
  string(name);
  text_ += ':';
  follows_ = false;
}

void JsonText::value(std::string_view text) {
  separate();
  string(text);
}

void JsonText::value(double number) {
  separate();
  if (!std::isfinite(number)) {
    text_ += "null";
    return;
  }
  // What `dump` calls: the shortest text in nlohmann's own form, without its serializer's memory.
  std::array<char, 64> digits{};
  const char* end = nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), number);
  text_.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void JsonText::value(std::int64_t number) {
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", number);
}

void JsonText::value(bool state) {
  separate();
  text_ += state ? "true" : "false";
}

}  // namespace shakedown
