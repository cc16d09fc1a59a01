#include "orchestrator/core/document_limits.hpp"

#include <algorithm>
#include <vector>

#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

tl::unexpected<Error> refused(std::string_view text, size_t at, std::string_view name, std::string what) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return fail(fmt::format("{}:{}", name, line), std::move(what), "split or correct the file");
}

std::string too_deep(std::string_view noun) {
  return fmt::format("{} are nested deeper than {} levels", noun, deepest_nesting);
}

std::string too_many(std::size_t most) {
  return fmt::format("there are more than {} values", count_text(static_cast<double>(most)));
}

/// Scans a TOML text; derives its depth from strings, comments, dots and brackets.
class TomlWalk {
 public:
  TomlWalk(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Result<void> walk() {
    for (at_ = 0; at_ < text_.size(); ++at_) {
      take(text_[at_]);
      if (header_ + open_ + dots_ > deepest_nesting)
        return refused(text_, std::min(at_, text_.size()), name_, too_deep("keys, tables or arrays"));
      if (values_ > most_toml_values)
        return refused(text_, std::min(at_, text_.size()), name_, too_many(most_toml_values));
    }
    return {};
  }

 private:
  void take(char c) {
    switch (c) {
      case '"':
      case '\'':
        skip_string(c);
        break;
      case '#':
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
        break;
      case '\n':
        if (levels_.empty()) end_statement();
        break;
      case '.':
        ++dots_;
        break;
      case '=':
        in_value_ = true;
        ++values_;
        break;
      case ',':
        dots_ = 0;
        ++values_;
        break;
      case '[':
      case '{':
        open(c);
        break;
      case ']':
      case '}':
        close();
        break;
      default:
        break;
    }
  }

  void end_statement() {
    if (in_header_) header_ = dots_ + 1;
    in_header_ = in_value_ = false;
    dots_ = 0;
  }

  void open(char c) {
    if (in_header_) return;  // the second bracket of [[groups]]
    ++values_;
    if (levels_.empty() && !in_value_ && c == '[') {
      in_header_ = true;
      header_ = dots_ = 0;
      return;
    }
    levels_.push_back(dots_ + 1);
    open_ += levels_.back();
    dots_ = 0;
  }

  void close() {
    if (levels_.empty()) return;
    open_ -= levels_.back();
    dots_ = levels_.back() - 1;
    levels_.pop_back();
  }

  /// Ends on the string's last character, or on the line's where it is not ended there.
  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool long_one = text_.substr(at_, 3) == triple;
    for (at_ += long_one ? 3 : 1; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\' && quote == '"') {
        ++at_;
      } else if (!long_one && (c == quote || c == '\n')) {
        if (c == '\n') --at_;
        return;
      } else if (long_one && text_.substr(at_, 3) == triple) {
        at_ += 2;
        for (int i = 0; i < 2 && at_ + 1 < text_.size() && text_[at_ + 1] == quote; ++i) ++at_;
        return;
      }
    }
  }

  std::string_view text_;
  std::string_view name_;
  size_t at_ = 0;
  size_t values_ = 0;
  int header_ = 0;  ///< levels of the table that the statement is in
  int open_ = 0;    ///< levels of the brackets that are open, with those of the keys before them
  int dots_ = 0;    ///< of the key that is being read
  std::vector<int> levels_;
  bool in_header_ = false;
  bool in_value_ = false;
};

}  // namespace

Result<void> toml_within_limits(std::string_view text, std::string_view name) {
  if (text.size() > most_toml_bytes)
    return fail(std::string(name), fmt::format("is larger than {}, the most that is read of a TOML file",
                                               bytes_text(static_cast<double>(most_toml_bytes))));
  return TomlWalk(text, name).walk();
}

Result<void> json_within_limits(std::string_view text, std::string_view name) {
  struct Level {
    bool object = false;
    size_t members = 1;
  };
  std::vector<Level> levels;
  size_t values = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    } else if (c == '[' || c == '{') {
      ++values;
      levels.push_back({c == '{'});
      if (std::ssize(levels) > deepest_nesting) return refused(text, at, name, too_deep("arrays or objects"));
    } else if (c == ']' || c == '}') {
      if (!levels.empty()) levels.pop_back();
    } else if (c == ',') {
      ++values;
      if (!levels.empty() && levels.back().object && ++levels.back().members > most_json_members)
        return refused(text, at, name, fmt::format("an object has more than {} members", most_json_members));
    }
    if (values > most_json_values) return refused(text, at, name, too_many(most_json_values));
  }
  return {};
}

}  // namespace shakedown
