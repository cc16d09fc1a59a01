#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/failures.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// What the readers of HPL-MxP's families share: the rest of the log, and where their results go.
class MxpLog {
 public:
  explicit MxpLog(ResultSink sink) : held_(std::move(sink)) {}

  /// Notes where the log is, and the day of a time stamp that the program printed.
  void at(const LogLine& line);
  /// A line that no family knows: perhaps why a run died. Returns whether it reports the end of the run.
  bool other(const LogLine& line);
  /// The results of a run that ended, in the order of the log. Each without a metric "rmax_gflops" has a
  /// reason.
  void give(std::vector<ParsedResult> results);
  /// A run that ended without a result; `run` has the reason.
  void lost(ParsedResult run, int first_line);
  /// The log is over.
  void finish() { held_.finish(); }

  /// Why a run that ends here has no result: what killed it, or where the log ends.
  [[nodiscard]] std::string why_nothing() const;
  /// Why the result that `what` describes is not whole.
  [[nodiscard]] std::string why_cut(int line, std::string_view what) const;
  /// Adds the day that the program's time stamps name, where they do.
  void add_date(ParsedResult& result) const;

  [[nodiscard]] int last_line() const { return last_line_; }

 private:
  HeldResults held_;
  int last_line_ = 0;
  std::string date_;
  int date_line_ = 0;
  std::optional<Failure> failure_;  ///< the weightiest since the last run ended
};

/// The residual check of an HPL-MxP program, as its line prints it.
struct MxpCheck {
  std::string residual;  ///< "3.795803E-04", "NAN"
  std::string verdict;   ///< "PASSED", "FAILED"; empty: the line is cut before it
  bool block = false;    ///< with a capital EPS, as NVIDIA's result block has it
};

/// The check on a line, nothing where there is none. The dots before the verdict are three or six, with a
/// blank behind them or none.
std::optional<MxpCheck> mxp_check(std::string_view text);

/// The word behind `label` on a line, up to a blank or comma. Nothing where the label isn't there, or where
/// the word reaches the end of a line that was cut.
std::string_view mxp_value(std::string_view text, std::string_view label, const LogLine& line);

/// Sets a fact, or replaces it. An empty value sets none.
void set_fact(ParsedResult& result, std::string_view name, std::string_view value, int line);
/// Sets a metric, or replaces it; what is no finite number sets none.
void set_metric(ParsedResult& result, std::string_view name, std::string_view printed, int line);
void set_metric(ParsedResult& result, std::string_view name, double value, int line);
/// Sets a whole parameter above zero, or replaces it; what is none sets none.
void set_parameter(ParsedResult& result, std::string_view name, std::string_view printed);
/// Sets a parameter that is a text.
void set_text_parameter(ParsedResult& result, std::string_view name, std::string value);
/// Sets the residual and its verdict from a check.
void set_check(ParsedResult& result, const MxpCheck& check, int line);
/// Sets the time of the whole solution from the printed times of its two parts, where both are there.
void set_total_time(ParsedResult& result);

}  // namespace shakedown
