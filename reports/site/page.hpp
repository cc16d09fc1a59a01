#pragma once
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"
#include "reports/site/document.hpp"
#include "reports/site/history.hpp"

namespace shakedown {

/// The page's template, as it travels in the program: built from site/ and committed as
/// site/template/index.html.
std::string_view site_template();

/// The page: the template with the history's document, and with its summary for readers without script.
/// Fails (input) where the template is of another schema, or a place to fill in is not there exactly once;
/// `name` is the template's, for the message.
Result<std::string> site_page(std::string_view page_template, std::string_view name,
                              const SiteHistory& history, const SiteDocument& document);

/// What readers without script see: each system with its last verdict, what is not pass, and its headline
/// metrics with a line of their values. HTML, escaped.
std::string site_summary(const SiteHistory& history);

}  // namespace shakedown
