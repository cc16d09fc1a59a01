#pragma once
#include <string_view>

namespace shakedown {

/// The one door to nlohmann's parser: `text` as a `Json` (nlohmann::json or ordered_json), or a discarded
/// value where it is no JSON, or nested deeper or larger than `json_within_limits` allows.
template <class Json>
Json json_or_discarded(std::string_view text);

/// As above, but throws as nlohmann's parser does, a `Json::exception`: for readers that catch those of
/// missing keys. A number that no double holds (1e999) is a `Json::parse_error` like any other fault.
template <class Json>
Json json_or_thrown(std::string_view text);

/// Whether `json_or_discarded` reads the text: the same check, without the values.
bool is_json(std::string_view text);

}  // namespace shakedown
