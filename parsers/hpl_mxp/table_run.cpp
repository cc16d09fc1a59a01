#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "parsers/hpl/result.hpp"
#include "parsers/hpl_mxp/table.hpp"
#include "parsers/number.hpp"

namespace shakedown {

void MxpTables::begin_run(int line) {
  end_run();
  first_line_ = line;
}

void MxpTables::take_name() {
  if (named_line_ == 0) return;
  first_line_ = std::exchange(named_line_, 0);
  mixed("intel");
}

void MxpTables::finish() {
  end_run();
  if (named_line_ == 0) return;
  take_name();
  end_run();
}

void MxpTables::break_off() {
  if (test_ && test_->result.fact("residual_check") == nullptr) close_test();
}

void MxpTables::mixed(std::string_view implementation) {
  mixed_ = true;
  if (test_) test_->mixed = true;
  if (run_.implementation.empty()) run_.implementation = implementation;
}

void MxpTables::close_test() {
  constexpr size_t most_held = 1000;
  awaiting_row_ = false;
  if (!test_) return;
  MxpTest test = std::move(*test_);
  test_.reset();
  if (!test.mixed) return;
  ParsedResult result = std::move(test.result);
  for (const Fact& fact : run_.facts)
    if (!fact.name.starts_with("final_") && result.fact(fact.name) == nullptr) result.facts.push_back(fact);
  const Fact* check = result.fact("residual_check");
  if (check != nullptr) ++(check->value == "PASSED" ? passed_ : failed_);
  const bool rated = result.metric("rmax_gflops") != nullptr;
  result.complete = rated && check != nullptr;
  if (result.complete) require_time(result);
  if (!test.lost.empty())
    result.reason = test.lost;
  else if (!rated)
    result.reason = log_.why_cut(test.line, "the row's rate is no number");
  else if (check == nullptr)
    result.reason = log_.why_cut(test.line, "the result row has no whole residual check behind it");
  results_.push_back(std::move(result));
  if (results_.size() >= most_held) release();
}

void MxpTables::sign(ParsedResult& result) const {
  result.suite = "hpl-mxp";
  result.implementation = run_.implementation;
  result.version = run_.version.empty() ? hplinpack_ : run_.version;
  log_.add_date(result);
}

void MxpTables::release() {
  given_ += results_.size();
  for (ParsedResult& result : results_) sign(result);
  log_.give(std::exchange(results_, {}));
}

/// The standard output of a run whose table went to a file: the rate and the verdict alone.
std::optional<ParsedResult> MxpTables::summary() const {
  const Fact* score = run_.fact("final_score");
  if (score == nullptr || !is_whole_exponential(score->value)) return std::nullopt;
  ParsedResult result;
  set_metric(result, "rmax_gflops", score->value, score->line);
  set_fact(result, "rmax_printed", score->value, score->line);
  const Fact* check = run_.fact("final_check");
  if (check != nullptr && (check->value == "PASSED" || check->value == "FAILED"))
    set_fact(result, "residual_check", check->value, check->line);
  result.reason =
      fmt::format("line {}: only the summary is here; the result table is in HPL-MxP.out", score->line);
  return result;
}

/// A run without a result, with its announced parameters and the reason.
ParsedResult MxpTables::nothing() const {
  ParsedResult lost;
  for (const char* name : {"N", "NB", "P", "Q"})
    if (const auto it = echo_.find(name); it != echo_.end() && it->second.size() == 1)
      set_parameter(lost, name, it->second.front());
  const Fact* end = footer_.fact("end_of_tests");
  if (!stopped_.empty())
    lost.reason = stopped_;
  else if (end != nullptr)
    lost.reason = fmt::format("line {}: the run ended without a result row", end->line);
  else
    lost.reason = log_.why_nothing();
  return lost;
}

void MxpTables::end_run() {
  close_test();
  if (mixed_) {
    if (results_.empty() && given_ == 0)
      if (auto found = summary()) results_.push_back(std::move(*found));
    if (results_.empty() && given_ == 0) {
      ParsedResult lost = nothing();
      sign(lost);
      log_.lost(std::move(lost), first_line_);
    } else {
      if (given_ == 0 && passed_ + failed_ > 0) {
        set_fact(footer_, "rows_passed", std::to_string(passed_), log_.last_line());
        set_fact(footer_, "rows_failed", std::to_string(failed_), log_.last_line());
      }
      for (ParsedResult& result : results_)
        std::copy(footer_.facts.begin(), footer_.facts.end(), std::back_inserter(result.facts));
      release();
    }
  }
  mixed_ = hpl_only_ = after_end_ = echoing_ = awaiting_row_ = false;
  run_ = pending_ = footer_ = {};
  hplinpack_.clear();
  label_.clear();
  stopped_.clear();
  echo_.clear();
  columns_.clear();
  ai_columns_ = {};
  results_.clear();
  given_ = 0;
  passed_ = failed_ = 0;
  first_line_ = log_.last_line() + 1;
}

}  // namespace shakedown
