#include "reports/html/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/html/template.hpp"

namespace shakedown {
namespace {

struct Look {
  std::string_view word;
  std::string_view css;
  std::string_view shape;  ///< within 16 x 16
};

// Circle with a tick, octagon with a cross, triangle with a stroke, dashed circle, two unequal bars, diamond
// with a question mark.
constexpr std::array<Look, 6> looks = {{
    {"Pass", "v-pass",
     R"(<circle class="s" cx="8" cy="8" r="7"/><path class="m" d="M4.6 8.3l2.3 2.4 4.6-5"/>)"},
    {"Fail", "v-fail",
     R"(<path class="s" d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z"/><path class="m" d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2"/>)"},
    {"Invalid", "v-fail",
     R"(<path class="s" d="M8 1.2L15.4 14.6H.6z"/><path class="m" d="M8 6v4M8 12.1v.6"/>)"},
    {"No result", "v-open",
     R"(<circle class="o" cx="8" cy="8" r="6.5" stroke-dasharray="2.5 1.6"/><path class="p" d="M5 8h6"/>)"},
    {"Not comparable", "v-open",
     R"(<rect class="o" x="1.5" y="1.5" width="13" height="13" rx="2"/><path class="p" d="M4.5 6.2h7M4.5 9.8h7M10 4l-4 8"/>)"},
    {"Undecided", "v-open",
     R"(<path class="o" d="M8 .9L15.1 8 8 15.1.9 8z"/><path class="p" d="M6.3 6.6a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.6-.8 1.2M8 11v.4"/>)"},
}};

const Look& look(Verdict verdict) {
  return looks.at(static_cast<size_t>(verdict));
}

}  // namespace

std::string verdict_icon(Verdict verdict) {
  return fmt::format(R"(<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">{}</svg>)",
                     look(verdict).shape);
}

std::string state_icon(RunState state) {
  if (state != RunState::complete) return verdict_icon(as_verdict(state));
  // A ring with a tick: it ran to its end, and no rule says that it passed.
  return R"(<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><circle class="o" cx="8" cy="8" r="6.5"/><path class="p" d="M4.9 8.3l2.1 2.2 4-4.6"/></svg>)";
}

std::string_view verdict_class(Verdict verdict) {
  return look(verdict).css;
}

std::string_view verdict_word(Verdict verdict) {
  return look(verdict).word;
}

Verdict as_verdict(RuleStatus status) {
  return status == RuleStatus::pass   ? Verdict::pass
         : status == RuleStatus::fail ? Verdict::fail
                                      : Verdict::undecided;
}

Verdict as_verdict(RunState state) {
  switch (state) {
    case RunState::valid:
      return Verdict::pass;
    case RunState::invalid:
      return Verdict::invalid;
    case RunState::failed:
      return Verdict::fail;
    case RunState::complete:
    case RunState::unproven:
      return Verdict::undecided;
    case RunState::not_run:
    case RunState::replaced:
    case RunState::running:
    case RunState::stopped:
      break;
  }
  return Verdict::not_run;
}

std::string bullet_bar(const BulletBar& bar) {
  static constexpr double width = 132;
  // The limit stands at two thirds of every bar that is not far beyond it: bars on either side of theirs
  // differ.
  const double top =
      std::max(1.5 * bar.limit.value_or(0), 1.12 * std::max(bar.measured, bar.baseline.value_or(0)));
  const auto x = [&](double value) { return top > 0 ? std::clamp(value / top, 0.0, 1.0) * width : 0.0; };
  std::string svg = fmt::format(R"(<svg class="bullet" viewBox="0 0 {} 20" role="img" aria-label="{}">)",
                                width, escaped(bar.label));
  svg += fmt::format(R"(<rect class="track" y="6" width="{}" height="8"/>)", width);
  svg += fmt::format(R"(<rect class="value" y="6" width="{:.2f}" height="8"/>)", x(bar.measured));
  if (bar.limit) svg += fmt::format(R"(<path class="limit" d="M{:.2f} 1v18"/>)", x(*bar.limit));
  if (bar.baseline) {
    const double at = x(*bar.baseline);
    svg += fmt::format(R"(<path class="base" d="M{:.2f} 5.5l4.5 4.5-4.5 4.5-4.5-4.5z"/>)", at);
  }
  return svg + "</svg>";
}

}  // namespace shakedown
