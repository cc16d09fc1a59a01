#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "parsers/rules/rule.hpp"
#include "reports/judge/judgement.hpp"
#include "reports/measure/run_state.hpp"

namespace shakedown {

/// The verdict's own shape as SVG, distinct without colour. Decoration: the word is beside it.
std::string verdict_icon(Verdict verdict);

/// Of a run: that of its verdict, but for one that is complete and neither valid nor undecided.
std::string state_icon(RunState state);

/// CSS class of a verdict's colours: "v-pass", "v-fail" (fail, invalid) or "v-open".
std::string_view verdict_class(Verdict verdict);

/// "Pass", "No result", ...
std::string_view verdict_word(Verdict verdict);

/// A rule's status drawn as a verdict is.
Verdict as_verdict(RuleStatus status);

/// A run's state drawn as a verdict is: failed as fail, what left no answer as one that is open.
Verdict as_verdict(RunState state);

/// A measured value with its limit and a published value on one scale from zero.
struct BulletBar {
  double measured = 0;
  std::optional<double> limit;
  std::optional<double> baseline;
  std::string label;  ///< for readers who don't see it
};

/// The bar as SVG. The scale holds all its marks; the limit stands at two thirds of it, or below where a
/// value is more than a third above it. A value below zero is drawn as zero.
std::string bullet_bar(const BulletBar& bar);

}  // namespace shakedown
