#include "orchestrator/core/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/core/document_limits.hpp"

namespace shakedown {

template <class Json>
Json json_or_discarded(std::string_view text) {
  if (!json_within_limits(text, "")) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

template <class Json>
Json json_or_thrown(std::string_view text) {
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
  return json_within_limits(text, "").has_value() && nlohmann::json::accept(text);
}

template nlohmann::json json_or_discarded(std::string_view text);
template nlohmann::ordered_json json_or_discarded(std::string_view text);
template nlohmann::json json_or_thrown(std::string_view text);
template nlohmann::ordered_json json_or_thrown(std::string_view text);

}  // namespace shakedown
