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

/// Whether a document is within the limits that `json_within_limits` has for its text.
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

/// A text as simdjson parses it. Its memory serves the next text of this thread, but for large ones.
class FastParser {
 public:
  explicit FastParser(std::string_view text) {
    constexpr std::size_t most_kept = std::size_t{1} << 16;  // a parser holds 14 times its longest text
    static thread_local simdjson::dom::parser kept(most_kept);
    simdjson::dom::parser& parser = text.size() > most_kept ? own_.emplace() : kept;
    simdjson::dom::element parsed;
    std::size_t values = 0;
    if (parser.parse(text.data(), text.size()).get(parsed) == simdjson::SUCCESS &&
        within_limits(parsed, 0, values))
      document = parsed;
  }
  /// Nothing: it is no JSON, not within the limits, or simdjson can't read it.
  std::optional<simdjson::dom::element> document;

 private:
  std::optional<simdjson::dom::parser> own_;
};

/// nlohmann's value of what simdjson has parsed.
template <class Json>
Json value_of(simdjson::dom::element from) {
  using Type = simdjson::dom::element_type;
  switch (from.type()) {
    case Type::ARRAY: {
      const simdjson::dom::array elements(from);
      Json array = Json::array();
      auto& values = array.template get_ref<typename Json::array_t&>();
      values.reserve(elements.size());
      for (const simdjson::dom::element each : elements) values.push_back(value_of<Json>(each));
      return array;
    }
    case Type::OBJECT: {
      const simdjson::dom::object read(from);
      Json object = Json::object();
      auto& members = object.template get_ref<typename Json::object_t&>();
      if constexpr (requires { members.reserve(read.size()); }) members.reserve(read.size());
      // Of a key that is there twice, the last one counts.
      for (const auto& [key, value] : read) members[std::string(key)] = value_of<Json>(value);
      return object;
    }
    case Type::STRING:
      return std::string(std::string_view(from));
    case Type::INT64:  // without a sign where there is none, as nlohmann's parser has it
      return std::int64_t(from) < 0 ? Json(std::int64_t(from)) : Json(std::uint64_t(from));
    case Type::UINT64:
      return std::uint64_t(from);
    case Type::DOUBLE:
      return double(from);
    case Type::BOOL:
      return bool(from);
    case Type::NULL_VALUE:
      break;
  }
  return nullptr;
}

/// The text's value. Nothing: it is no JSON, not within the limits, or one that only nlohmann's parser reads,
/// which is slower: with a number that no 64 bits hold, or a mark of the byte order.
template <class Json>
std::optional<Json> parsed_fast(std::string_view text) {
  FastParser parser(text);
  return parser.document ? std::optional(value_of<Json>(*parser.document)) : std::nullopt;
}

bool is_json_fast(std::string_view text) {
  return FastParser(text).document.has_value();
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
