#pragma once
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {

/// The clauses that a campaign is judged by; no text: none.
struct ChosenCriteria {
  std::string name;  ///< of the file
  std::string text;  ///< TOML, limits that are relative to a baseline as numbers
};

/// A file that criteria are read from.
struct CriteriaFile {
  std::string path;
  std::string text;
};

/// The file `wanted`: a TOML file with [[criteria]], a shipped campaign's name, or the name of shipped
/// criteria ("quick").
Result<CriteriaFile> criteria_file(const std::string& wanted, const Layout& layout);

/// The clauses of a configuration's text, which may hold none. `file`: its name. `last_accepted`: what the
/// system's last accepted campaign measured.
Result<ChosenCriteria> configured_criteria(const std::string& text, const std::string& file,
                                           const Layout& layout, const LastAccepted& last_accepted = {});

/// Reads `wanted` as `criteria_file` does. Nothing where it is empty.
Result<ChosenCriteria> chosen_criteria(const std::string& wanted, const Layout& layout,
                                       const LastAccepted& last_accepted = {});

}  // namespace shakedown
