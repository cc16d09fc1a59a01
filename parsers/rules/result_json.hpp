#pragma once
#include <string>
#include <string_view>

#include "parsers/rules/rule.hpp"

namespace shakedown {

/// Which rules a document lists.
enum class ListedRules {
  noteworthy,  ///< those that fail or are unknown; the others are counted
  all,
};

/// A result as a `shakedown.result/1` document: one line without its line feed, keys in a fixed order. Rules
/// that are not listed are counted by status in `other_rules`.
///
/// What is not known is absent: an empty version, a value that is no number (with a warning), a rule's line.
/// An incomplete result has its `reason`. Bytes that are no UTF-8 become U+FFFD.
std::string result_json(const ParsedResult& result, const Judged& judged, std::string_view file,
                        ListedRules listed = ListedRules::all);

/// The same, behind what `text` holds.
void append_result_json(std::string& text, const ParsedResult& result, const Judged& judged,
                        std::string_view file, ListedRules listed);

/// A set's score as a document of its own schema, one line without its line feed; without `score_min` where
/// the set has none.
std::string score_json(const SetScore& score, ListedRules listed = ListedRules::all);

}  // namespace shakedown
