#include "parsers/held_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace shakedown {

void HeldResults::give(std::vector<ParsedResult> results) {
  any_ = any_ || !results.empty();
  if (held_.size() > most_held) release();
  std::move(results.begin(), results.end(), std::back_inserter(held_));
}

void HeldResults::pass(ParsedResult&& result) {
  any_ = true;
  if (!held_.empty()) release();
  if (!lost_.empty()) result.warnings.insert(result.warnings.end(), lost_.begin(), lost_.end());
  sink_(std::move(result));
}

void HeldResults::lose(ParsedResult run, int first_line) {
  if (lost_.size() == most_lost) lost_.erase(lost_.begin());
  lost_.push_back(fmt::format("the run that starts at line {} left no result: {}", first_line, run.reason));
  last_lost_ = std::move(run);
}

void HeldResults::finish() {
  if (!any_ && last_lost_) {
    lost_.pop_back();
    held_.push_back(std::move(*last_lost_));
  }
  release();
}

void HeldResults::release() {
  for (ParsedResult& result : held_) {
    if (!lost_.empty()) result.warnings.insert(result.warnings.end(), lost_.begin(), lost_.end());
    sink_(std::move(result));
  }
  held_.clear();
}

}  // namespace shakedown
