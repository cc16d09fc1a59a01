#include "orchestrator/plan/json_object.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "orchestrator/core/document_limits.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

const Json& empty_object() {
  static const Json empty = Json::object();
  return empty;
}

std::string_view type_of(const Json& node) {
  if (node.is_string()) return "a string";
  if (node.is_boolean()) return "true or false";
  if (node.is_number()) return "a number";
  if (node.is_array()) return "an array";
  return node.is_null() ? "null" : "an object";
}

}  // namespace

struct JsonObject::Objection {
  std::optional<Error> first;
};

Result<Json> parsed_json(std::string_view text, std::string_view name) {
  try {
    return json_or_thrown<Json>(text);
  } catch (const Json::other_error&) {  // too deep or too large
    auto within = json_within_limits(text, name);
    return failure_of(within);
  } catch (const Json::parse_error& error) {
    const auto before = text.substr(0, std::min(error.byte == 0 ? 0 : error.byte - 1, text.size()));
    const std::string_view what = error.what();
    const size_t words = what.find("parse error");
    return fail(
        fmt::format("{}:{}", name, std::ranges::count(before, '\n') + 1),
        fmt::format("this is no JSON: {}", words == std::string_view::npos ? what : what.substr(words)),
        contains(what, "unexpected end of input") ? "the file was cut: restore it, or write it again" : "");
  }
}

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_number(double number) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (number == std::floor(number) && std::abs(number) < exact && !std::signbit(number))
    return static_cast<std::int64_t>(number);
  return number;
}

Json json_parameters(const std::vector<Parameter>& parameters) {
  Json object = Json::object();
  for (const Parameter& parameter : parameters)
    object[parameter.name] = std::visit([](const auto& held) { return Json(held); }, parameter.value);
  return object;
}

JsonObject::JsonObject(const Json& json, std::string place)
    : JsonObject(json, std::move(place), std::make_shared<Objection>()) {}

JsonObject::JsonObject(const Json& json, std::string place, std::shared_ptr<Objection> objection)
    : json_(&json), place_(std::move(place)), objection_(std::move(objection)) {
  if (json.is_object()) return;
  reject(fmt::format("an object was expected, not {}", type_of(json)));
  json_ = &empty_object();
}

const Json* JsonObject::taken(std::string_view key) {
  const auto found = json_->find(key);
  const bool there = found != json_->end();
  asked_.push_back(there ? std::string_view(found.key()) : key);
  return there ? &*found : nullptr;
}

bool JsonObject::has(std::string_view key) const {
  return json_->contains(key);
}

void JsonObject::call(std::string_view suffix) {
  place_ += suffix;
}

std::string JsonObject::text_of(const Json& node, std::string_view key) {
  if (!node.is_string()) {
    reject(fmt::format("'{}' must be a string, not {}", key, type_of(node)));
    return {};
  }
  const auto& text = node.get_ref<const std::string&>();
  if (text.find('\0') != std::string::npos) reject(fmt::format("'{}' holds a NUL character", key));
  return text;
}

Value JsonObject::value_of(const Json& node, std::string_view key) {
  if (node.is_number_unsigned() && node.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    reject(fmt::format("'{}' is larger than a 64-bit whole number", key));
  if (node.is_number_integer()) return node.get<std::int64_t>();
  if (node.is_number()) return node.get<double>();
  if (node.is_string()) return text_of(node, key);
  reject(fmt::format("'{}' must be a number or a string, not {}", key, type_of(node)));
  return std::string();
}

std::string JsonObject::text(std::string_view key) {
  const Json* node = taken(key);
  return node == nullptr ? std::string() : text_of(*node, key);
}

std::string JsonObject::name(std::string_view key) {
  std::string name = text(key);
  if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    reject(fmt::format("'{}' holds control characters", key));
  return name;
}

std::string JsonObject::required_text(std::string_view key) {
  if (!has(key)) reject(fmt::format("'{}' is missing", key));
  return text(key);
}

double JsonObject::real(std::string_view key) {
  const Json* node = taken(key);
  if (node == nullptr) return 0;
  if (node->is_number()) return node->get<double>();
  reject(fmt::format("'{}' must be a number, not {}", key, type_of(*node)));
  return 0;
}

double JsonObject::required_real(std::string_view key) {
  if (!has(key)) reject(fmt::format("'{}' is missing", key));
  return real(key);
}

int JsonObject::count(std::string_view key, int fallback) {
  const Json* node = taken(key);
  if (node == nullptr) return fallback;
  if (node->is_number_integer()) {
    const bool huge =
        node->is_number_unsigned() && node->get<std::uint64_t>() > std::numeric_limits<int>::max();
    if (!huge && node->get<std::int64_t>() >= 1) return node->get<int>();
    reject(fmt::format("'{}' is {}: it must be at least 1 and at most {}", key, node->dump(),
                       std::numeric_limits<int>::max()));
    return fallback;
  }
  reject(fmt::format("'{}' must be a whole number, not {}", key,
                     node->is_number() ? node->dump() : std::string(type_of(*node))));
  return fallback;
}

std::vector<std::string> JsonObject::texts(std::string_view key) {
  const Json* node = taken(key);
  std::vector<std::string> found;
  if (node == nullptr) return found;
  if (!node->is_array()) {
    reject(fmt::format("'{}' must be an array of strings, not {}", key, type_of(*node)));
    return found;
  }
  for (size_t i = 0; i < node->size(); ++i)
    found.push_back(text_of((*node)[i], fmt::format("{}[{}]", key, i)));
  return found;
}

std::vector<std::vector<std::string>> JsonObject::text_lists(std::string_view key) {
  const Json* node = taken(key);
  std::vector<std::vector<std::string>> found;
  if (node == nullptr) return found;
  const bool lists = node->is_array() &&
                     std::all_of(node->begin(), node->end(), [](const Json& one) { return one.is_array(); });
  if (!lists) {
    reject(fmt::format("'{}' must be an array of arrays of strings", key));
    return found;
  }
  for (size_t i = 0; i < node->size(); ++i) {
    std::vector<std::string> words;
    words.reserve((*node)[i].size());
    for (size_t j = 0; j < (*node)[i].size(); ++j)
      words.push_back(text_of((*node)[i][j], fmt::format("{}[{}][{}]", key, i, j)));
    found.push_back(std::move(words));
  }
  return found;
}

std::vector<Parameter> JsonObject::parameters(std::string_view key) {
  std::vector<Parameter> found;
  const Json* node = taken(key);
  if (node == nullptr) return found;
  if (!node->is_object()) {
    reject(fmt::format("'{}' must be an object of names and values, not {}", key, type_of(*node)));
    return found;
  }
  for (const auto& [name, value] : node->items())
    found.push_back({name, value_of(value, fmt::format("{}.{}", key, name))});
  return found;
}

Value JsonObject::required_value(std::string_view key) {
  const Json* node = taken(key);
  if (node != nullptr) return value_of(*node, key);
  reject(fmt::format("'{}' is missing", key));
  return std::string();
}

JsonObject JsonObject::object(std::string_view key) {
  const Json* node = taken(key);
  return {node == nullptr ? empty_object() : *node, std::string(place_).append(": ").append(key), objection_};
}

std::vector<JsonObject> JsonObject::objects(std::string_view key) {
  std::vector<JsonObject> found;
  const Json* node = taken(key);
  if (node == nullptr) return found;
  if (!node->is_array()) {
    reject(fmt::format("'{}' must be an array of objects, not {}", key, type_of(*node)));
    return found;
  }
  for (size_t i = 0; i < node->size(); ++i)
    found.push_back(JsonObject((*node)[i], fmt::format("{}: {}[{}]", place_, key, i), objection_));
  return found;
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : json_->items()) names.push_back(name);
  return names;
}

void JsonObject::reject(std::string what, std::string hint) {
  if (!objection_->first) objection_->first = Error{place_, std::move(what), std::move(hint)};
}

Result<void> JsonObject::finished() {
  if (!objection_->first) {
    for (const auto& [key, value] : json_->items()) {
      if (std::ranges::find(asked_, key) != asked_.end()) continue;
      const std::set<std::string> sorted(asked_.begin(), asked_.end());
      const std::vector<std::string> known(sorted.begin(), sorted.end());
      reject(fmt::format("unknown key '{}'{}", key, did_you_mean(key, known)),
             fmt::format("known keys: {}", joined(known, ", ")));
      break;
    }
  }
  if (const std::optional<Error> first = objection_->first) return tl::unexpected<Error>(*first);
  return {};
}

}  // namespace shakedown
