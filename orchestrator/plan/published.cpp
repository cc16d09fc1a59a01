#include "orchestrator/plan/published.hpp"

#include <algorithm>

namespace shakedown {

const BaselineValue* Baseline::find(std::string_view suite, std::string_view metric) const {
  const auto it = std::find_if(values.begin(), values.end(), [&](const BaselineValue& value) {
    return value.suite == suite && value.metric == metric;
  });
  return it == values.end() ? nullptr : &*it;
}

std::vector<const BaselineValue*> Baseline::rows(std::string_view suite, std::string_view metric) const {
  std::vector<const BaselineValue*> found;
  for (const BaselineValue& value : values)
    if (value.suite == suite && value.metric == metric) found.push_back(&value);
  return found;
}

}  // namespace shakedown
