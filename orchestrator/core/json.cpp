#include "orchestrator/core/json.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#ifdef SHAKEDOWN_SIMDJSON
#include <simdjson.h>
#endif

#include "orchestrator/core/document_limits.hpp"

namespace shakedown {
namespace {

#ifdef SHAKEDOWN_SIMDJSON

/// Makes nlohmann's values of a document that simdjson has parsed.
template <class Json>
class JsonBuilder {
 public:
  /// False: it is not within the limits.
  bool build(simdjson::dom::element from, Json& to, int depth) {
    using Type = simdjson::dom::element_type;
    switch (from.type()) {
      case Type::ARRAY:
        return build_array(simdjson::dom::array(from), to, depth + 1);
      case Type::OBJECT:
        return build_object(simdjson::dom::object(from), to, depth + 1);
      case Type::STRING:
        to = std::string(std::string_view(from));
        return true;
      case Type::INT64: {
        const std::int64_t number(from);
        if (number < 0)
          to = number;
        else
          to = static_cast<std::uint64_t>(number);
        return true;
      }
      case Type::UINT64:
        to = std::uint64_t(from);
        return true;
      case Type::DOUBLE:
        to = double(from);
        return true;
      case Type::BOOL:
        to = bool(from);
        return true;
      case Type::NULL_VALUE:
        return true;
    }
    return false;
  }

 private:
  bool build_array(simdjson::dom::array from, Json& to, int depth) {
    if (depth > deepest_nesting || !counted(from.size())) return false;
    to = Json::array();
    auto& values = to.template get_ref<typename Json::array_t&>();
    values.reserve(from.size());
    for (const simdjson::dom::element each : from)
      if (!build(each, values.emplace_back(), depth)) return false;
    return true;
  }

  bool build_object(simdjson::dom::object from, Json& to, int depth) {
    if (depth > deepest_nesting || from.size() > most_json_members || !counted(from.size())) return false;
    to = Json::object();
    auto& members = to.template get_ref<typename Json::object_t&>();
    for (const auto& [key, value] : from) {
      Json& member = members[std::string(key)];
      member = nullptr;  // of a key that is there twice, the last one counts
      if (!build(value, member, depth)) return false;
    }
    return true;
  }

  bool counted(std::size_t members) {
    values_ += 1 + members;
    return values_ <= most_json_values;
  }

  std::size_t values_ = 0;
};

/// A text as simdjson parses it. Its memory serves the next text of this thread, but for large ones.
class FastParser {
 public:
  explicit FastParser(std::string_view text) {
    constexpr std::size_t most_kept = std::size_t{1} << 20;
    static thread_local simdjson::dom::parser kept(most_kept);
    simdjson::dom::parser& parser = text.size() > most_kept ? own_.emplace() : kept;
    simdjson::dom::element parsed;
    if (parser.parse(text.data(), text.size()).get(parsed) == simdjson::SUCCESS) document = parsed;
  }
  std::optional<simdjson::dom::element> document;  ///< nothing: it is no JSON, or simdjson can't read it

 private:
  std::optional<simdjson::dom::parser> own_;
};

/// The text's value. Nothing: it is no JSON, not within the limits, or one that only nlohmann's parser reads,
/// which is slower: with a number that no 64 bits hold, or a mark of the byte order.
template <class Json>
std::optional<Json> parsed_fast(std::string_view text) {
  FastParser parser(text);
  Json json;
  if (!parser.document || !JsonBuilder<Json>().build(*parser.document, json, 0)) return std::nullopt;
  return json;
}

bool within_limits(simdjson::dom::element from, int depth, std::size_t& values) {
  const bool is_object = from.is_object();
  if (!is_object && !from.is_array()) return true;
  const std::size_t members =
      is_object ? simdjson::dom::object(from).size() : simdjson::dom::array(from).size();
  values += 1 + members;
  if (depth == deepest_nesting || values > most_json_values || (is_object && members > most_json_members))
    return false;
  if (is_object) {
    for (const auto& [key, value] : simdjson::dom::object(from))
      if (!within_limits(value, depth + 1, values)) return false;
  } else {
    for (const simdjson::dom::element each : simdjson::dom::array(from))
      if (!within_limits(each, depth + 1, values)) return false;
  }
  return true;
}

bool is_json_fast(std::string_view text) {
  FastParser parser(text);
  std::size_t values = 0;
  return parser.document && within_limits(*parser.document, 0, values);
}

#else

template <class Json>
std::optional<Json> parsed_fast(std::string_view /*text*/) {
  return std::nullopt;
}

bool is_json_fast(std::string_view /*text*/) {
  return false;
}

#endif

}  // namespace

template <class Json>
Json json_or_discarded(std::string_view text) {
  if (auto json = parsed_fast<Json>(text)) return *std::move(json);
  if (!json_within_limits(text, "")) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

template <class Json>
Json json_or_thrown(std::string_view text) {
  if (auto json = parsed_fast<Json>(text)) return *std::move(json);
  if (const auto within = json_within_limits(text, "line"); !within)
    throw Json::other_error::create(501, to_string(within.error()), static_cast<const Json*>(nullptr));
  try {
    return Json::parse(text);
  } catch (const typename Json::out_of_range& error) {
    const std::string_view what = error.what();  // "[...] number overflow parsing '1e999'"
    const std::size_t quote = std::min(what.find('\''), what.size() - 1);
    const std::string_view number = what.substr(quote + 1, what.rfind('\'') - quote - 1);
    throw Json::parse_error::create(101, text.find(number) + 1, "number overflow",
                                    static_cast<const Json*>(nullptr));
  }
}

bool is_json(std::string_view text) {
  return is_json_fast(text) || (json_within_limits(text, "").has_value() && nlohmann::json::accept(text));
}

template nlohmann::json json_or_discarded(std::string_view text);
template nlohmann::ordered_json json_or_discarded(std::string_view text);
template nlohmann::json json_or_thrown(std::string_view text);
template nlohmann::ordered_json json_or_thrown(std::string_view text);

}  // namespace shakedown
