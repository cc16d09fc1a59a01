#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/page.hpp"
#include "reports/html/plots.hpp"

namespace shakedown {

/// A result of a run in a figure.
struct FigureValue {
  std::string name;  ///< "hpl-reference-1n, attempt 2"
  double value = 0;
};

/// The values of one metric of one build of a suite, by the number of nodes.
struct FigureValues {
  std::string title;
  std::string benchmark;  ///< within the suite; empty: it is one
  std::string metric;
  std::map<int, std::vector<FigureValue>> by_nodes;
  bool screened = false;  ///< single nodes beside each other, which the section on nodes shows
};

/// The metrics that count of a suite, in the order of the results. Runs that are too short for the official
/// rules have none.
std::vector<FigureValues> figure_values(const ReportInput& input, std::string_view suite);

/// What values on so many nodes are set beside.
DotStrip beside_marks(const ReportInput& input, const FigureValues& values, int nodes);

}  // namespace shakedown
