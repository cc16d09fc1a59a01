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

/// Reads `wanted`: a TOML file with [[criteria]], a shipped campaign's name, or the name of shipped criteria
/// ("quick"). Nothing where it is empty. A configuration (`may_have_none`) may hold no criteria.
Result<ChosenCriteria> chosen_criteria(const std::string& wanted, const Layout& layout, bool may_have_none);

}  // namespace shakedown
