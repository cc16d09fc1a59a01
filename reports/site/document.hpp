#pragma once
#include <cstddef>
#include <string>

#include "reports/site/history.hpp"

namespace shakedown {

/// How much of a history goes into a page.
struct SiteBounds {
  /// Values of nodes, all series together; of older campaigns only their medians are kept then.
  std::size_t node_values = 3'500'000;
  std::size_t series = 400;  ///< of each system; those of headlines first
};

/// The document of a page, and what did not fit.
struct SiteDocument {
  std::string json;               ///< `shakedown.site/1`, with nothing in it that HTML takes for markup
  double node_values_from_s = 0;  ///< campaigns before this have no values of nodes; 0: all have
};

/// The history as a `shakedown.site/1`: docs/reference/json-and-events.md. The same history gives the same
/// bytes.
SiteDocument site_document(const SiteHistory& history, const SiteBounds& bounds = {});

/// JSON that can stand in an HTML script element: `<`, `>`, `&`, U+2028 and U+2029 as \u escapes.
std::string json_in_html(std::string_view json);

}  // namespace shakedown
