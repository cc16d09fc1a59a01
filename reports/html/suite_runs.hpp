#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/page.hpp"

namespace shakedown {

/// The runs of a suite as rows of a table.
struct SuiteRuns {
  std::vector<Fields> rows;
  std::size_t left_out = 0;  ///< rows of runs like the others, for which there was no room
};

/// Every attempt of a suite with its value of `metric` and how it ended. Like nodes that measured like the
/// others, and runs of one case that do, share a row; what is out of the ordinary always has one of its own,
/// while there is room.
SuiteRuns suite_runs(const ReportInput& input, std::string_view suite, const std::string& metric);

/// The rules that results of a suite break, each once: id, title, what was found, what follows.
std::vector<Fields> broken_rules(const ReportInput& input, std::string_view suite);

/// "not kept HPCG-02, HPCG-03; not checked HPCG-07": the ids of both; empty: all rules are kept.
std::string open_rules(const ReportInput& input, std::string_view suite);

/// The rules of a suite that no log shows, each with its title, and what follows from it.
struct UncheckedRules {
  std::string text;  ///< empty: there are none
  std::vector<Fields> rows;
};
UncheckedRules unchecked_rules(const ReportInput& input, std::string_view suite);

}  // namespace shakedown
