#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/page.hpp"

namespace shakedown {

/// A drawing with the values that it shows, for who does not see it.
struct Figure {
  std::string title;
  std::string caption;
  std::string drawn;                           ///< SVG
  std::vector<std::string> columns;            ///< of its table; the first names the row
  std::vector<std::vector<std::string>> rows;  ///< as many cells as columns
};

/// The results of equal runs beside limit, published value and predicted range: one figure for each metric
/// and number of nodes. None for like nodes that are screened: the section on nodes has them.
std::vector<Figure> repetition_figures(const ReportInput& input, std::string_view suite);

/// A rate over the number of nodes, with its efficiency against the fewest nodes.
std::vector<Figure> scaling_figures(const ReportInput& input, std::string_view suite);

/// The phases of the last result as bars, one figure for each unit.
std::vector<Figure> phase_figures(const ReportInput& input, std::string_view suite);

/// How the rate of the last run with such lines in its log developed, as far as the stored excerpt has them.
std::vector<Figure> progress_figures(const ReportInput& input, std::string_view suite);

/// The runs of each set that has a score, those that the score drops as outlines.
std::vector<Figure> set_figures(const ReportInput& input, std::string_view suite);

/// All of these.
std::vector<Figure> suite_figures(const ReportInput& input, std::string_view suite);

/// What other processes and the hypervisor took of the runs, over time; none where fewer than two runs have
/// it.
std::optional<Figure> disturbance_figure(const ReportInput& input);

/// The values of a metric over the nodes that gave it.
Figure node_histogram(const NodeScreen& screen);

/// Figures as HTML, two beside each other where there is room; empty: there are none.
Result<std::string> figures_markup(const std::vector<Figure>& figures);

}  // namespace shakedown
