#include <algorithm>
#include <limits>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/lines.hpp"
#include "parsers/nccl/run.hpp"
#include "parsers/number.hpp"

namespace shakedown {

std::optional<NcclLadder> NcclLadder::of(std::string_view options) {
  const auto least = count_of(value_after(options, "minBytes "));
  const auto most = count_of(value_after(options, "maxBytes "));
  const std::string_view step = value_after(options, "step: ");
  const size_t unit = std::min(step.find('('), step.size());
  const auto by = count_of(step.substr(0, unit));
  if (!least || !most || !by || *least > *most) return std::nullopt;
  NcclLadder ladder;
  ladder.least_ = ladder.due_ = *least;
  ladder.most_ = *most;
  if (step.substr(unit) == "(factor)" && *by > 1 && *least > 0)
    ladder.factor_ = *by;
  else if (step.substr(unit) == "(bytes)" && *by > 0)
    ladder.step_ = *by;
  else
    return std::nullopt;
  return ladder;
}

void NcclLadder::reduce(std::int64_t most) {
  most_ = std::min(most_, most);
  least_ = std::min(least_, most_);
  due_ = least_;
}

bool NcclLadder::take(std::int64_t size, std::int64_t cut) {
  if (due_ > most_) due_ = least_;
  if (size > due_ || size <= due_ - cut) return false;
  std::int64_t next = 0;
  const bool overflows =
      factor_ > 0 ? __builtin_mul_overflow(due_, factor_, &next) : __builtin_add_overflow(due_, step_, &next);
  due_ = overflows ? std::numeric_limits<std::int64_t>::max() : next;
  return true;
}

std::optional<std::int64_t> NcclLadder::due() const {
  return due_ > most_ ? std::nullopt : std::optional(due_);
}

void NcclExtremes::offer(const std::string& property, double value, const Fact& fact) {
  constexpr size_t most = 256;  // types that a table may have: a log with more names is none of the program's
  const auto known = highest_.find(property);
  if (known == highest_.end()) {
    if (highest_.size() < most) highest_.emplace(property, Extreme{value, fact});
  } else if (value > known->second.value) {
    known->second = {value, fact};
  }
}

void NcclExtremes::take(const NcclRow& row, const NcclCell& cell, const Fact& fact) {
  const auto time = printed_number(cell.time);
  const auto algbw = printed_number(cell.algbw);
  const auto busbw = printed_number(cell.busbw);
  const auto count = printed_number(row.count);
  if (!time || !algbw || !busbw || !count) return;
  const auto over = [](double a, double b) { return b > 0 ? a / b : a > 0 ? 1e300 : 0; };
  const auto size = static_cast<double>(row.size);
  offer("busbw above algbw", over(busbw->low, algbw->high), fact);
  if (algbw->low > 0) offer("busbw below algbw", -busbw->high / algbw->low, fact);
  if (row.size == 0) {
    offer("algbw of nothing", algbw->low, fact);
    offer("elements of nothing", count->value, fact);
    return;
  }
  offer("time", -time->value, fact);
  offer("algbw above size over time", algbw->low * time->low / size, fact);
  offer("algbw below size over time", -algbw->high * time->high / size, fact);
  offer("bytes of an element, " + row.type, over(size, count->value), fact);
  offer("elements of a byte, " + row.type, count->value / size, fact);
}

std::vector<Fact> NcclExtremes::facts() const {
  std::vector<Fact> facts;
  for (const auto& [property, extreme] : highest_)
    if (std::ranges::find(facts, extreme.fact) == facts.end()) facts.push_back(extreme.fact);
  std::ranges::stable_sort(facts, {}, &Fact::line);
  return facts;
}

}  // namespace shakedown
