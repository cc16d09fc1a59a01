#include "orchestrator/schedulers/pattern.hpp"

#include <regex.h>

#include <array>

#include "orchestrator/core/text.hpp"

namespace shakedown {

struct Pattern::Compiled {
  regex_t expression{};
  Compiled() = default;
  ~Compiled() { ::regfree(&expression); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
};

Result<Pattern> Pattern::compile(const std::string& text) {
  regex_t expression{};
  if (const int code = ::regcomp(&expression, text.c_str(), REG_EXTENDED); code != 0) {
    std::array<char, 200> why{};
    ::regerror(code, &expression, why.data(), why.size());
    return fail("", fmt::format("'{}' is no regular expression: {}", text, why.data()),
                "patterns are those of `grep -E`");
  }
  auto compiled = std::make_shared<Compiled>();
  compiled->expression = expression;
  return Pattern(std::move(compiled));
}

std::size_t Pattern::groups() const {
  return compiled_ ? compiled_->expression.re_nsub : 0;
}

std::optional<std::vector<std::string>> Pattern::match(std::string_view line) const {
  if (!compiled_) return std::nullopt;
  const std::string text(line);
  std::vector<regmatch_t> places(groups() + 1);
  if (::regexec(&compiled_->expression, text.c_str(), places.size(), places.data(), 0) != 0)
    return std::nullopt;
  std::vector<std::string> found;
  found.reserve(places.size());
  for (const regmatch_t& place : places)
    found.push_back(place.rm_so < 0 ? std::string()
                                    : text.substr(static_cast<std::size_t>(place.rm_so),
                                                  static_cast<std::size_t>(place.rm_eo - place.rm_so)));
  return found;
}

std::optional<std::vector<std::string>> Pattern::first_match(std::string_view text) const {
  for (const std::string_view line : split(text, '\n'))
    if (auto found = match(line)) return found;
  return std::nullopt;
}

std::optional<std::string> Pattern::first_line(std::string_view text) const {
  for (const std::string_view line : split(text, '\n'))
    if (match(line)) return std::string(trimmed(line));
  return std::nullopt;
}

}  // namespace shakedown
