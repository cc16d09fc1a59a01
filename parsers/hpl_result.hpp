#pragma once
#include <vector>

#include "parsers/hpl_session.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// The results of one run: one for each of its tests, or one without figures that says why there is none.
std::vector<ParsedResult> hpl_results(HplSession session);

}  // namespace shakedown
