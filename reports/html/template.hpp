#pragma once
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What a template is filled with. Texts are escaped by the template engine; only `markup`, which is for our
/// own SVG and style sheet, is inserted as it is, and only where the template has {{{name}}}.
class Fields {
 public:
  /// Bytes that are no UTF-8 become U+FFFD, control characters vanish (a log's colour codes).
  Fields& text(std::string name, std::string_view value);
  /// As `text`; nothing at all where `value` is empty, so that a section {{#name}} is omitted.
  Fields& text_if(std::string name, std::string_view value);
  Fields& markup(std::string name, std::string value);
  Fields& flag(std::string name, bool value);
  Fields& list(std::string name, std::vector<Fields> values);

 private:
  friend Result<std::string> filled(std::string_view, const Fields&);
  friend class FieldsReader;
  using Held = std::variant<std::string, bool, std::vector<Fields>>;
  std::vector<std::pair<std::string, Held>> held_;
};

/// One row per element of `range`, made by `row`.
template <class Range, class Row>
std::vector<Fields> rows_of(const Range& range, Row row) {
  std::vector<Fields> rows;
  rows.reserve(std::size(range));
  for (const auto& element : range) rows.push_back(row(element));
  return rows;
}

/// The template reports/html/<name> (embedded), filled. Fails where there is none or it is no mustache.
Result<std::string> filled(std::string_view name, const Fields& fields);

/// `text` with the characters that mean something in HTML and XML replaced.
std::string escaped(std::string_view text);

/// `text` as valid UTF-8 without control characters but newline and tab.
std::string readable(std::string_view text);

}  // namespace shakedown
