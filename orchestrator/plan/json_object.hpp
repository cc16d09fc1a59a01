#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

using Json = nlohmann::ordered_json;

/// Parses a JSON document. Fails with `name:line` and the parser's words on text that is no JSON.
Result<Json> parsed_json(std::string_view text, std::string_view name);

/// The document as text, two blanks a level, a newline at its end; bytes that are no UTF-8 become U+FFFD.
std::string json_text(const Json& document);

/// A number as JSON: whole ones without a fraction, so that 1800 seconds are not "1800.0".
Json json_number(double number);

/// The parameters as an object name -> value, in their order.
Json json_parameters(const std::vector<Parameter>& parameters);

/// A JSON object that is being read, as TomlTable is for TOML: keys are taken by type, the first objection of
/// the document is remembered with its place (`plan.json: cases[3] 'hpl-x'`), and `finished` refuses keys
/// that nobody took. A failed read yields the fallback, so a reader takes all its keys and asks once. A key
/// that is asked for outlives the reader, as a literal does, or is one that the object has.
class JsonObject {
 public:
  /// The document's outermost object. `json` must outlive the reader.
  JsonObject(const Json& json, std::string place);

  [[nodiscard]] bool has(std::string_view key) const;
  /// Names the object from now on: `cases[3]` becomes `cases[3] 'hpl-x'`.
  void call(std::string_view suffix);

  std::string text(std::string_view key);  ///< empty when absent
  std::string required_text(std::string_view key);
  /// A text that is shown as a name among others: it may hold no control characters.
  std::string name(std::string_view key);
  double real(std::string_view key);  ///< 0 when absent; whole numbers are taken too
  double required_real(std::string_view key);
  int count(std::string_view key, int fallback);  ///< a whole number >= 1
  std::vector<std::string> texts(std::string_view key);
  std::vector<std::vector<std::string>> text_lists(std::string_view key);  ///< an array of arrays of strings
  std::vector<Parameter> parameters(std::string_view key);  ///< an object name -> number or string
  Value required_value(std::string_view key);               ///< a number or a string

  /// The object under `key`; an empty one when absent.
  JsonObject object(std::string_view key);
  /// The objects of an array, each with the place `key[i]`; empty when absent.
  std::vector<JsonObject> objects(std::string_view key);
  /// The keys in the document's order.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// Notes a reader's own objection; the first of the document wins.
  void reject(std::string what, std::string hint = {});
  /// The document's first objection, or this object's first key that nobody asked for.
  [[nodiscard]] Result<void> finished();

 private:
  struct Objection;
  JsonObject(const Json& json, std::string place, std::shared_ptr<Objection> objection);
  const Json* taken(std::string_view key);
  std::string text_of(const Json& node, std::string_view key);
  Value value_of(const Json& node, std::string_view key);

  const Json* json_;
  std::string place_;
  std::vector<std::string_view> asked_;  ///< as often as they were; a set takes longer than all reading
  std::shared_ptr<Objection> objection_;
};

}  // namespace shakedown
