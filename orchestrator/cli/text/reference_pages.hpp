#pragma once
#include <string>

namespace CLI {
class App;
}

namespace shakedown {

/// shakedown(1) in troff's man macros, from the declared commands: all of them with their options.
std::string manual_page(const CLI::App& app);

/// docs/reference/rules.md: the metrics and the rules of each suite, as its facts and its rule book state
/// them.
std::string rules_page();

}  // namespace shakedown
