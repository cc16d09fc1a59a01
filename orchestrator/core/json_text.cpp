#include "orchestrator/core/json_text.hpp"

#include <fmt/format.h>

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
  text_ += nlohmann::json(number).dump();
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
