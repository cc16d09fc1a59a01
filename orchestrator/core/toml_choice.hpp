#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "orchestrator/core/toml.hpp"

namespace shakedown {

/// Rejects the value at `key` unless it is one of `known`. `noun`: what such a value is called; empty: as the
/// key.
void must_be_one_of(TomlTable& table, std::string_view key, std::string_view value,
                    std::span<const std::string> known, std::string_view noun = {});

/// The enumerator of `known` whose `to_string` is `text`.
template <typename Enum>
std::optional<Enum> enumerator(std::string_view text, std::type_identity_t<std::span<const Enum>> known) {
  for (const Enum each : known)
    if (to_string(each) == text) return each;
  return std::nullopt;
}

/// The enumerator of `known` that the text at `key` names; nothing where the key is absent. Another text is
/// rejected.
template <typename Enum>
std::optional<Enum> optional_one_of(TomlTable& table, std::string_view key,
                                    std::type_identity_t<std::span<const Enum>> known) {
  const auto text = table.optional_text(key);
  if (!text) return std::nullopt;
  const auto found = enumerator<Enum>(*text, known);
  if (found) return found;
  std::vector<std::string> words;
  for (const Enum each : known) words.emplace_back(to_string(each));
  must_be_one_of(table, key, *text, words);
  return std::nullopt;
}

/// The same with `fallback` where there is none.
template <typename Enum>
Enum one_of(TomlTable& table, std::string_view key, Enum fallback,
            std::type_identity_t<std::span<const Enum>> known) {
  return optional_one_of<Enum>(table, key, known).value_or(fallback);
}

/// The same of a key that must be there.
template <typename Enum>
Enum required_one_of(TomlTable& table, std::string_view key,
                     std::type_identity_t<std::span<const Enum>> known) {
  table.required_text(key);
  return optional_one_of<Enum>(table, key, known).value_or(known.front());
}

}  // namespace shakedown
