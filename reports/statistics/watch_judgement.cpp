#include "reports/statistics/watch_judgement.hpp"

#include <cmath>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/control_chart.hpp"
#include "reports/statistics/distributions.hpp"

namespace shakedown {

double WatchJudgement::share(double loss) const {
  return series.better == Better::higher ? -std::expm1(-loss) : std::expm1(loss);
}

std::string WatchJudgement::place(double loss) const {
  const bool more = (loss < 0) == (series.better == Better::higher);
  return fmt::format("{} {}", percent_text(std::abs(share(loss))), more ? "above" : "below");
}

std::string WatchJudgement::control_text(std::string_view name, const Moments& of) const {
  return fmt::format("{} of {} runs ({})", name, of.n,
                     number(std::exp(series.better == Better::higher ? of.mean : -of.mean)));
}

std::vector<double> WatchJudgement::control() const {
  std::vector<double> found;
  for (std::size_t i = 0; found.size() < region.control.n; ++i)
    if (!region.kept_out[i]) found.push_back(turned[i]);
  return found;
}

LossInterval WatchJudgement::interval(const LossTest& comparison) const {
  const double half = student_limit(0.025, comparison.freedom) * comparison.error;
  return {share(comparison.loss - half), share(comparison.loss + half)};
}

void WatchJudgement::put_newest() {
  const Moments& of = region.control;
  const double newest = turned.back();
  said.loss = share(of.mean - newest);
  if (const auto next = prediction_limits(of, 0.025))
    said.interval = {share(next->low - newest), share(next->high - newest)};
  said.control = of.n;
  said.begun_with = region.begin;
  said.expected = std::exp(series.better == Better::higher ? of.mean : -of.mean);
}

void WatchJudgement::put(const LossTest& comparison, std::string of) {
  said.evidence = {std::move(of), share(comparison.loss), std::nullopt, comparison.p};
}

}  // namespace shakedown
