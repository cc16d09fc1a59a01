#pragma once
#include <string_view>
#include <vector>

#include "reports/html/page.hpp"

namespace shakedown {

/// A term that a reader of the first page may not know.
struct GlossaryTerm {
  std::string_view id;     ///< of its anchor, without "term-"
  std::string_view term;   ///< as the page writes it
  std::string_view means;  ///< one or two sentences
};

/// The terms that a campaign's report uses, in the order of the alphabet.
std::vector<const GlossaryTerm*> glossary_of(const ReportInput& input);

}  // namespace shakedown
