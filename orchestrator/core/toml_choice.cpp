#include "orchestrator/core/toml_choice.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "orchestrator/core/text.hpp"

namespace shakedown {

void must_be_one_of(TomlTable& table, std::string_view key, std::string_view value,
                    std::span<const std::string> known, std::string_view noun) {
  if (std::ranges::find(known, value) != known.end()) return;
  table.reject(key,
               fmt::format("'{}' is no {}{}", value, noun.empty() ? key : noun, did_you_mean(value, known)),
               fmt::format("known: {}", joined(known, ", ")));
}

}  // namespace shakedown
