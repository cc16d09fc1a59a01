#include "parsers/json_walk.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

constexpr size_t deepest = 64;

/// The length of the string at the start of `text` with its quotes; 0: it doesn't end.
size_t string_length(std::string_view text) {
  for (size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return 0;
}

bool may_be_json(std::string_view text) {
  if (text.empty()) return false;
  if (std::string_view("\"{}[],-:").find(text.front()) != std::string_view::npos) return true;
  if (text.front() >= '0' && text.front() <= '9') return true;
  return text.starts_with("true") || text.starts_with("false") || text.starts_with("null");
}

}  // namespace

void JsonWalk::forget() {
  containers_.clear();
  path_.clear();
  named_ = false;
}

bool JsonWalk::wants_value() const {
  return !containers_.empty() && (containers_.back() == '[' || named_);
}

bool JsonWalk::open(char bracket, int line) {
  if (containers_.size() >= deepest || (!containers_.empty() && !wants_value())) return false;
  if (!containers_.empty() && containers_.back() == '[') path_.emplace_back();
  named_ = false;
  containers_.push_back(bracket);
  take_({bracket == '{' ? JsonEvent::Kind::begin_object : JsonEvent::Kind::begin_array, {}, line});
  return true;
}

bool JsonWalk::close(char bracket, int line) {
  if (containers_.empty() || named_ || containers_.back() != (bracket == '}' ? '{' : '[')) return false;
  containers_.pop_back();
  take_({bracket == '}' ? JsonEvent::Kind::end_object : JsonEvent::Kind::end_array, {}, line});
  if (!path_.empty()) path_.pop_back();
  return true;
}

bool JsonWalk::scalar(std::string_view text, int line) {
  const bool quoted = text.front() == '"';
  if (quoted) text = text.substr(1, text.size() - 2);
  if (containers_.back() == '{' && !named_) {
    if (!quoted) return false;
    path_.emplace_back(text);
    named_ = true;
    return true;
  }
  if (containers_.back() == '[') path_.emplace_back();
  take_({JsonEvent::Kind::value, text, line});
  path_.pop_back();
  named_ = false;
  return true;
}

bool JsonWalk::read(const LogLine& line) {
  std::string_view text = trimmed(line.text);
  if (!within() && (text.empty() || text.front() != '{')) return false;
  if (!may_be_json(text)) return false;
  while (!text.empty()) {
    const char c = text.front();
    size_t length = 1;
    bool fine = true;
    if (c == '{' || c == '[') {
      fine = open(c, line.number);
    } else if (c == '}' || c == ']') {
      fine = close(c, line.number);
    } else if (c == '"') {
      length = string_length(text);
      fine = length > 0 && within() && scalar(text.substr(0, length), line.number);
    } else if (c != ',' && c != ':') {
      length = std::min(text.find_first_of(",]} \t"), text.size());
      // A number at the end of a text that breaks off may be a part of one.
      const bool cut = length == text.size() && !line.terminated;
      fine = !cut && wants_value() && scalar(text.substr(0, length), line.number);
    }
    if (!fine) {
      forget();
      return false;
    }
    text = trimmed(text.substr(length));
    if (!within() && !text.empty()) return true;
  }
  return true;
}

}  // namespace shakedown
