#pragma once
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"

namespace shakedown {

/// The clauses that a campaign is judged by; no text: none.
struct ChosenCriteria {
  std::string name;  ///< of the file
  std::string text;  ///< TOML, limits that are relative to a baseline as numbers
};

/// The clauses of a configuration's text, which may hold none. `file`: its name.
Result<ChosenCriteria> configured_criteria(const std::string& text, const std::string& file,
                                           const Layout& layout);

/// Reads `wanted`: a TOML file with [[criteria]], a shipped campaign's name, or the name of shipped criteria
/// ("quick"). Nothing where it is empty.
Result<ChosenCriteria> chosen_criteria(const std::string& wanted, const Layout& layout);

}  // namespace shakedown
