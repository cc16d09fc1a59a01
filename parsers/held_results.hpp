#pragma once
#include <optional>
#include <string>
#include <vector>

#include "parsers/parser.hpp"

namespace shakedown {

/// The results of a log with several runs, on their way to its reader's sink. A run that left no figure is
/// told as a warning beside the results of the others; where all did, the last one is the result.
class HeldResults {
 public:
  explicit HeldResults(ResultSink sink) : sink_(std::move(sink)) {}

  /// The results of a run that ended, in the order of the log.
  void give(std::vector<ParsedResult> results);
  /// A result of a run too long to wait for its end: nothing that stands below is told beside it.
  void pass(ParsedResult&& result);
  /// A run that ended without a result; `run` says the reason.
  void lose(ParsedResult run, int first_line);
  /// The log is over.
  void finish();

 private:
  void release();

  static constexpr size_t most_held = 100;  ///< results that may wait for what stands below them
  static constexpr size_t most_lost = 20;   ///< runs that are told, the last ones
  ResultSink sink_;
  std::vector<ParsedResult> held_;
  std::vector<std::string> lost_;
  std::optional<ParsedResult> last_lost_;
  bool any_ = false;
};

}  // namespace shakedown
