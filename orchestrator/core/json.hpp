#pragma once
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
/// missing keys.
template <class Json>
Json json_or_thrown(std::string_view text) {
  if (const auto within = json_within_limits(text, "line"); !within)
    throw Json::other_error::create(501, to_string(within.error()), static_cast<const Json*>(nullptr));
  return Json::parse(text);
}

}  // namespace shakedown
