#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orchestrator/core/json_text.hpp"
#include "reports/site/columns.hpp"
#include "reports/site/history.hpp"

namespace shakedown {

/// What the parts of a document share while it is written.
struct DocumentParts {
  JsonText json;
  TextTable texts;
  ColumnBlock core;                      ///< what the first view needs
  std::vector<ColumnBlock> node_values;  ///< a block for each series that has them
  double node_values_from_s = 0;         ///< older campaigns' are left out
};

/// A system's names and their places.
struct SystemPlaces {
  std::unordered_map<std::string_view, std::uint32_t> campaigns;
  std::unordered_map<std::string, std::uint32_t> nodes;
  std::vector<std::string> node_names;
};

/// What measured the series: "HPL"; of what shakedown's own program measures the name of that.
std::string series_suite_title(const MetricSeries& series);

/// The verdict on a campaign: "not-judged" where no criteria were given; empty: none yet.
std::string shown_verdict(const HistoryCampaign& campaign);
/// The sentence of that verdict.
std::string shown_sentence(const HistoryCampaign& campaign);

/// The place of a node, which is added where it is new.
std::uint32_t node_place(SystemPlaces& places, const std::string& node);

/// The metrics that the page has series of, those that count first; the index into the system's series.
std::vector<std::size_t> shown_series(const SystemSeries& all, std::size_t most);

/// Writes the array "series" of a system.
void write_series(DocumentParts& parts, const SiteSystem& system, SystemPlaces& places, std::size_t most);

}  // namespace shakedown
