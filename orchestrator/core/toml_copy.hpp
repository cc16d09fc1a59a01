#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// A number, string or truth value of a TOML document.
struct TomlValue {
  std::vector<std::string> path;  ///< "site", "environment", "HF_TOKEN"; elements of an array share theirs
  std::string place;              ///< `file:line`
  std::string text;
  bool marked_secret = false;  ///< `secret = true` stands beside it in its table
};

/// For each of a document's values, in its order, the string that stands for it in a copy, or nothing where
/// it stays as it is.
using TomlChanges = std::vector<std::optional<std::string>>;

/// A TOML document with some values changed, and `comment`'s text for each comment; all else stays to the
/// last byte. `name` stands in errors. Fails where the text is no TOML, or `changes` does.
Result<std::string> copied_toml(std::string_view text, std::string_view name,
                                const std::function<Result<TomlChanges>(std::span<const TomlValue>)>& changes,
                                const std::function<std::string(std::string_view)>& comment);

}  // namespace shakedown
