#include "parsers/parser.hpp"

#include <algorithm>

namespace shakedown {

const Metric* ParsedResult::metric(std::string_view name) const {
  const auto it = std::find_if(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.name == name; });
  return it == metrics.end() ? nullptr : &*it;
}

const Fact* ParsedResult::fact(std::string_view name) const {
  const auto it = std::find_if(facts.begin(), facts.end(), [&](const Fact& f) { return f.name == name; });
  return it == facts.end() ? nullptr : &*it;
}

}  // namespace shakedown
