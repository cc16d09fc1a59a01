#include "reports/statistics/watch_judgement.hpp"

#include <cmath>
#include <span>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/mann_whitney.hpp"

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

LossProof proof_of_repeats(const WatchJudgement& judgement, const WatchReference& reference, double level,
                           bool last) {
  const std::vector<double>& repeats = judgement.checks.back();
  const Moments fresh = moments(repeats);
  LossProof proof{fmt::format("{} repeats", repeats.size()),
                  loss_test(reference.control, std::span(&fresh, 1), judgement.series.shared), level, false};
  proof.sure =
      proof.found.p <= level && agree(fresh, reference.control.mean, watch_agreement) &&
      below_by_ranks(reference.values, repeats, last ? judgement.limits.significance() : level, last);
  return proof;
}

LossProof proof_of_checks(const WatchJudgement& judgement, const WatchReference& reference, double level) {
  std::vector<Moments> checks;
  std::vector<double> means;
  for (const std::vector<double>& runs : judgement.checks) {
    checks.push_back(moments(runs));
    means.push_back(checks.back().mean);
  }
  const auto last = [&](std::size_t count) {
    return loss_test(reference.control, std::span(checks).last(count), judgement.series.shared);
  };
  const double centre = reference.control.mean;
  LossProof newest{fmt::format("{} repeats", checks.back().n), last(1), level * level, false};
  newest.sure = judgement.limits.parts.at_once && newest.found.p <= newest.level &&
                agree(checks.back(), centre, watch_agreement);
  for (std::size_t count = checks_least; count <= checks.size() && !newest.sure; ++count) {
    LossProof several{fmt::format("the repeats of the last {} checks", count), last(count), level / 2, true};
    if (several.found.p <= several.level && several.found.loss >= judgement.least_loss() &&
        agree(moments(std::span(means).last(count)), centre, watch_suspicion))
      return several;
  }
  return newest;
}

LossTest loss_test(const Moments& control, std::span<const Moments> checks, double shared) {
  LossTest found;
  const double n = static_cast<double>(control.n);
  const double w = static_cast<double>(checks.size());
  double squares = control.deviation * control.deviation * (n - 1);
  double error2 = 1 / n;
  found.freedom = n - 1;
  found.loss = control.mean;
  for (const Moments& check : checks) {
    const double m = static_cast<double>(check.n);
    squares += check.deviation * check.deviation * (m - 1) / (1 - shared);
    found.freedom += m - 1;
    error2 += (shared + (1 - shared) / m) / (w * w);
    found.loss -= check.mean / w;
  }
  found.error = std::sqrt(squares / found.freedom * error2);
  if (found.error > 0)
    found.p = student_tail(found.loss / found.error, found.freedom);
  else if (found.loss != 0)
    found.p = found.loss > 0 ? 0 : 1;
  return found;
}

LossTest loss_test(const Moments& control, const Moments& fresh) {
  return loss_test(control, std::span(&fresh, 1), 0);
}

bool agree(const Moments& fresh, double centre, double level) {
  const double loss = centre - fresh.mean;
  if (fresh.n < 2 || !(fresh.deviation > 0)) return loss > 0;
  const double m = static_cast<double>(fresh.n);
  return student_tail(loss / fresh.deviation * std::sqrt(m), m - 1) <= level;
}

bool below_by_ranks(std::span<const double> control, std::span<const double> fresh, double significance,
                    bool last) {
  const auto test = mann_whitney_test(control, fresh, Alternative::is_less);
  return test && (test->p <= significance || (last && test->statistic == 0));
}

}  // namespace shakedown
