#include "orchestrator/plan/identities.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "orchestrator/core/units.hpp"

namespace shakedown {

std::string_view to_string(BaselineStatus status) {
  static constexpr std::array<std::string_view, 6> words = {"ok",           "rounding",    "unit-suspect",
                                                            "inconsistent", "legacy-rule", "unverified"};
  return words.at(static_cast<std::size_t>(status));
}

bool is_doubtful(BaselineStatus status) {
  return status == BaselineStatus::unit_suspect || status == BaselineStatus::inconsistent;
}

const BaselineValue* PublishedRun::value(std::string_view metric) const {
  const auto it = std::find_if(values.begin(), values.end(),
                               [&](const BaselineValue* value) { return value->metric == metric; });
  return it == values.end() ? nullptr : *it;
}

double PublishedRun::condition(std::string_view name) const {
  const Value* found = find_parameter(values.front()->conditions, name);
  return found == nullptr ? std::nan("") : value_number(*found);
}

std::string PublishedRun::word(std::string_view name) const {
  const Value* found = find_parameter(values.front()->conditions, name);
  return found == nullptr ? "" : value_text(*found);
}

std::vector<PublishedRun> published_runs(const Baseline& baseline) {
  std::vector<PublishedRun> runs;
  for (const BaselineValue& value : baseline.values) {
    if (runs.empty() || runs.back().id != value.run) runs.push_back({value.run, value.suite, {}});
    runs.back().values.push_back(&value);
  }
  return runs;
}

void IdentityList::put(const BaselineValue& row, std::string identity, IdentityCheck check) {
  if (std::isnan(check.recomputed) || std::isnan(check.published)) return;
  check.suite = row.suite;
  check.value_id = row.id;
  check.status = row.status;
  check.identity = std::move(identity);
  entries_.push_back(std::move(check));
}

void IdentityList::row(const BaselineValue& row, std::string identity, const Interval& recomputed) {
  demand(row, std::move(identity), printed_interval(row).meets(recomputed), row.value, recomputed.middle());
}

void IdentityList::equal(const BaselineValue& row, std::string identity, double published,
                         double recomputed) {
  demand(row, std::move(identity), published == recomputed, published, recomputed);
}

void IdentityList::demand(const BaselineValue& row, std::string identity, bool holds, double published,
                          double recomputed) {
  IdentityCheck check;
  check.published = published;
  check.recomputed = recomputed;
  check.holds = holds;
  put(row, std::move(identity), std::move(check));
}

void IdentityList::explain(std::string explanation) {
  if (!entries_.empty()) entries_.back().explanation = std::move(explanation);
}

Interval exactly(double value) {
  return {value, value};
}

Interval within(double value, double tolerance) {
  return {value * (1 - tolerance), value * (1 + tolerance)};
}

Interval operator*(const Interval& a, const Interval& b) {
  return {a.low * b.low, a.high * b.high};
}

Interval operator/(const Interval& a, const Interval& b) {
  return {a.low / b.high, a.high / b.low};
}

Interval operator+(const Interval& a, const Interval& b) {
  return {a.low + b.low, a.high + b.high};
}

Interval square_root(const Interval& a) {
  return {std::sqrt(a.low), std::sqrt(a.high)};
}

Interval geometric_mean(std::span<const Interval> values) {
  Interval logarithms;
  for (const Interval& value : values)
    logarithms = logarithms + Interval{std::log(value.low), std::log(value.high)};
  const auto n = static_cast<double>(values.size());
  return {std::exp(logarithms.low / n), std::exp(logarithms.high / n)};
}

Interval printed_interval(const BaselineValue& value) {
  std::string digits = value.printed.substr(0, value.printed.find_first_not_of("0123456789.,-+"));
  std::erase(digits, ',');
  const auto parsed = parsed_number(digits);
  if (!parsed || *parsed == 0) return exactly(value.value);
  const size_t point = digits.find('.');
  const auto decimals = point == std::string::npos ? 0 : static_cast<double>(digits.size() - point - 1);
  const double half = std::abs(0.5 * std::pow(10.0, -decimals) * value.value / *parsed);
  return {value.value - half, value.value + half};
}

const BaselineValue* Baseline::find(std::string_view suite, std::string_view metric) const {
  const auto it = std::find_if(values.begin(), values.end(), [&](const BaselineValue& value) {
    return value.suite == suite && value.metric == metric;
  });
  return it == values.end() ? nullptr : &*it;
}

std::vector<const BaselineValue*> Baseline::rows(std::string_view suite, std::string_view metric) const {
  std::vector<const BaselineValue*> found;
  for (const BaselineValue& value : values)
    if (value.suite == suite && value.metric == metric) found.push_back(&value);
  return found;
}

}  // namespace shakedown
