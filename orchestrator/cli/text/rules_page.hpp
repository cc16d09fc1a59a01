#pragma once
#include <string>

namespace shakedown {

/// docs/reference/rules.md: the metrics and the rules of each suite, as its facts and its rule book state
/// them.
std::string rules_page();

}  // namespace shakedown
