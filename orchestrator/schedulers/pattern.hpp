#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// A POSIX extended regular expression, as `grep -E` takes it, for what other programs print.
///
/// Source: regex(7).
class Pattern {
 public:
  /// One that matches nothing.
  Pattern() = default;
  /// Fails with regcomp(3)'s own words; the place is left to the caller.
  static Result<Pattern> compile(const std::string& text);

  /// What its groups match in the first line of `text` that it matches, the whole match first; a group that
  /// takes no part is empty. Nothing: no line matches.
  [[nodiscard]] std::optional<std::vector<std::string>> first_match(std::string_view text) const;
  /// The first line of `text` that it matches, without white space at its ends. Nothing: none.
  [[nodiscard]] std::optional<std::string> first_line(std::string_view text) const;
  /// What its groups match in one line.
  [[nodiscard]] std::optional<std::vector<std::string>> match(std::string_view line) const;

  [[nodiscard]] std::size_t groups() const;

 private:
  struct Compiled;
  explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace shakedown
