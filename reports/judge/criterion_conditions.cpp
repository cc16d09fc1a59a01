// What a criterion may ask for beside its limit. None of it moves the limit.
#include <algorithm>

#include "reports/judge/criterion_subject.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

/// "cn7 (node failure), cn9 (...)", and how many more there are.
std::string named(const CampaignRecord& campaign) {
  static constexpr size_t shown = 5;
  const std::vector<Exclusion>& exclusions = campaign.exclusions;
  std::string text;
  for (size_t i = 0; i < std::min(shown, exclusions.size()); ++i)
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", exclusions[i].node,
                        brief_cause(exclusions[i], campaign));
  if (exclusions.size() > shown) text += fmt::format(" and {} more", exclusions.size() - shown);
  return text;
}

/// A condition that is not met decides, whatever was measured; that stays in the sentence. It is the
/// criterion's own condition: that a denominator is missing makes it no kinder.
void fail_by(CriterionResult& judged, const Criterion& criterion, const std::string& unmet) {
  judged.verdict = Verdict::fail;
  if (judged.unmet.empty()) judged.unmet = unmet;
  judged.severity = criterion.severity;
  judged.disturbed.clear();
  judged.because = judged.because.empty() ? unmet : fmt::format("{}; {}", unmet, judged.because);
}

std::string allowed(int most) {
  return most == 0 ? "none" : fmt::format("{}", most);
}

}  // namespace

void require_nodes(CriterionResult& judged, const Criterion& criterion, int nodes) {
  if (!criterion.nodes_required || nodes >= *criterion.nodes_required) return;
  // A node that misses the limit by itself misses it however many others were measured.
  const bool missed = judged.verdict == Verdict::fail && !judged.nodes.empty();
  if (judged.verdict != Verdict::pass && judged.verdict != Verdict::fail &&
      judged.verdict != Verdict::undecided)
    return;
  if (!missed) judged.verdict = Verdict::undecided;
  judged.disturbed.clear();
  const std::string unmet = fmt::format("{}, and the criterion asks for {}",
                                        nodes < 1 ? "on how many nodes is not known"
                                                  : fmt::format("on {} node{}", nodes, nodes == 1 ? "" : "s"),
                                        *criterion.nodes_required);
  judged.because += (judged.because.empty() ? "" : ", but ") + unmet;
  if (judged.unmet.empty()) judged.unmet = unmet;
}

void require_few_exclusions(CriterionResult& judged, const Criterion& criterion,
                            const CampaignRecord& campaign) {
  const size_t out = campaign.exclusions.size();
  if (!criterion.exclusions_max || out <= static_cast<size_t>(*criterion.exclusions_max)) return;
  fail_by(judged, criterion,
          fmt::format("{} excluded, and the criterion allows {}: {}",
                      out == 1 ? "1 node was" : fmt::format("{} nodes were", out),
                      allowed(*criterion.exclusions_max), named(campaign)));
}

void require_few_attempts(CriterionResult& judged, const Criterion& criterion, SubjectCases subject) {
  if (!criterion.attempts_max) return;
  for (const MeasuredCase* record : subject) {
    std::vector<const MeasuredCase*> chain = record->before;
    chain.push_back(record);
    int needed = 0;
    std::string failed;
    for (const MeasuredCase* each : chain) {
      needed += attempts_needed(*each);
      for (const AttemptRecord* attempt : failed_attempts(*each))
        failed += fmt::format("{}attempt {}{} {}", failed.empty() ? "" : "; ", attempt->index,
                              each == record ? "" : " of " + each->planned.id, ending(*attempt));
    }
    if (needed <= *criterion.attempts_max) continue;
    fail_by(judged, criterion,
            fmt::format("{} needed {} attempts, and the criterion allows {} ({})", record->planned.id, needed,
                        *criterion.attempts_max, failed));
  }
}

}  // namespace shakedown
