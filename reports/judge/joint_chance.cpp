#include "reports/judge/joint_chance.hpp"

#include <cmath>
#include <numeric>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/efficiency.hpp"

namespace shakedown {
namespace {

constexpr double together_usually = 0.95;

bool counts(const CriterionCheck& check) {
  return check.criterion->severity == CriterionSeverity::mandatory && check.risk.has_value();
}

/// The first two criteria of which one is a share of the rate that the other asks for.
void put_opposed(JointChance& joint, std::span<const CriterionCheck> criteria) {
  for (const CriterionCheck& share : criteria) {
    const SuiteFacts* screen = counts(share) ? screen_of(share.criterion->metric) : nullptr;
    if (screen == nullptr || share.criterion->direction != Direction::at_least) continue;
    for (const CriterionCheck& rate : criteria)
      if (counts(rate) && rate.criterion->suite == screen->id &&
          rate.criterion->direction == Direction::at_least) {
        joint.share = share.criterion->id;
        joint.denominator = rate.criterion->id;
        return;
      }
  }
}

/// The chance of all where each true mean lies `sigmas` on the good side of its limit.
double all_pass(std::span<const CriterionCheck> criteria, double sigmas) {
  double chance = 1;
  for (const CriterionCheck& check : criteria) {
    if (!counts(check) || !check.risk) continue;
    const auto one = pass_probability(check.criterion->aggregation, check.risk->runs, sigmas);
    chance *= one ? std::pow(*one, check.risk->machines) : 0;
  }
  return chance;
}

}  // namespace

std::optional<JointChance> joint_chance(std::span<const CriterionCheck> criteria, double cov) {
  JointChance joint;
  for (const CriterionCheck& check : criteria) {
    if (counts(check))
      ++joint.criteria;
    else if (check.criterion->severity == CriterionSeverity::mandatory)
      ++joint.by_rules;
  }
  if (joint.criteria < 2) return std::nullopt;
  put_opposed(joint, criteria);
  joint.good = all_pass(criteria, 1);
  joint.even = all_pass(criteria, 0);
  joint.bad = all_pass(criteria, -1);
  double low = -12;
  double high = 12;
  constexpr int halvings = 60;  // to the last digit of a double
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::midpoint(low, high);
    (all_pass(criteria, middle) < together_usually ? low : high) = middle;
  }
  joint.margin = std::midpoint(low, high) * cov;
  return joint;
}

}  // namespace shakedown
