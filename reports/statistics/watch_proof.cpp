#include "reports/statistics/watch_proof.hpp"

#include <span>

namespace shakedown {

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
  newest.sure = newest.found.p <= newest.level && agree(checks.back(), centre, watch_agreement);
  for (std::size_t count = checks_least; count <= checks.size() && !newest.sure; ++count) {
    LossProof several{fmt::format("the repeats of the last {} checks", count), last(count), level / 2, true};
    if (several.found.p <= several.level && several.found.loss >= judgement.least_loss() &&
        agree(moments(std::span(means).last(count)), centre, watch_suspicion))
      return several;
  }
  return newest;
}

}  // namespace shakedown
