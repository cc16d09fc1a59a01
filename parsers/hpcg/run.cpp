#include "parsers/hpcg/run.hpp"

#include <algorithm>

namespace shakedown {
namespace {

const HpcgText nothing;

/// A report is known by its beginning, its verdict, or so many of its lines that nobody's notes hold them.
constexpr size_t lines_of_a_report = 8;

}  // namespace

const HpcgText& HpcgRun::value(std::string_view fact) const {
  const auto keys = hpcg_keys();
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i].fact == fact && values[i].line != 0) return values[i];
  return nothing;
}

bool HpcgRun::evidence() const {
  if (header || begun || invalid.line != 0 || value("rating").line != 0) return true;
  if (!console.vendor.empty() || console.bare.line != 0 || count >= lines_of_a_report) return true;
  return !program.empty() && failure.has_value();
}

}  // namespace shakedown
