#pragma once
#include <algorithm>
#include <string_view>

#include "orchestrator/core/document_limits.hpp"

namespace shakedown {

/// The one door to nlohmann's parser: `text` as a `Json` (nlohmann::json or ordered_json), or a discarded
/// value where it is no JSON, or nested deeper or larger than `json_within_limits` allows.
template <class Json>
Json json_or_discarded(std::string_view text) {
  if (!json_within_limits(text, "")) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

/// As above, but throws as nlohmann's parser does, a `Json::exception`: for readers that catch those of
/// missing keys. A number that no double holds (1e999) is a `Json::parse_error` like any other fault.
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

}  // namespace shakedown
