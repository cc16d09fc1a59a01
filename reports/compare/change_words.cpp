#include "reports/compare/change_words.hpp"

#include <array>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {

std::string_view pace(double shift, Better better) {
  return (shift < 0) == (better == Better::higher) ? "slower" : "faster";
}

std::string change_words(const ChangeSaid& said) {
  const BeforeAfter& found = said.found;
  const double counts = said.limits.magnitude;
  const int decimals = decimals_beside(std::array{found.shift, found.low, found.high}, counts);
  const auto share = [&](double value) { return percent_text(value, decimals); };
  const std::string size = fmt::format("{} {}", share(std::abs(found.shift)), pace(found.shift, said.better));
  const std::string figures =
      fmt::format("{} interval {} to {}, p = {:.2g}, {}", percent_text(found.coverage, 0), share(found.low),
                  share(found.high), found.p, said.sample);
  const bool sure = found.p <= said.limits.significance;
  switch (found.change) {
    case ChangeFinding::worse:
    case ChangeFinding::better:
      return fmt::format("{}, more than noise ({})", size, figures);
    case ChangeFinding::same:
      return sure ? fmt::format("{}, which is sure and below the {} that counts ({})", size, share(counts),
                                figures)
                  : fmt::format("no difference of {} or more ({})", share(counts), figures);
    case ChangeFinding::undecided:
      break;
  }
  if (!found.can_be_sure)
    return fmt::format("too few to tell: {}; {} between them ({})", said.sample, size, figures);
  if (sure)
    return fmt::format("{}, which is sure; whether it is the {} that counts is not ({})", size, share(counts),
                       figures);
  std::string text = fmt::format("can't be told from noise: {}, and {} to {} is possible", size,
                                 share(found.low), share(found.high));
  if (found.detectable)
    text += fmt::format("; {} of comparisons of as many runs find a difference of {}",
                        percent_text(said.limits.power, 0), percent_text(*found.detectable));
  return fmt::format("{} ({})", text, figures);
}

}  // namespace shakedown
