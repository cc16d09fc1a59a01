#include "orchestrator/core/objections.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/planning/derivation.hpp"

namespace shakedown {

Result<void> named_refusal(const Plan& plan, const Acceptance& acceptance) {
  std::vector<Error> refused;
  for (const Refusal& refusal : plan.refused)
    if (refusal.by_name)
      refused.push_back({refusal.rule,
                         fmt::format("{} is refused: {}", refused_name(refusal), refusal.because),
                         refusal.next_good});
  auto all = all_objections(refused);
  if (!all && !acceptance.runs.empty())
    all.error().hint += fmt::format("{}`optional = true` in its [[runs]] plans the others without it",
                                    all.error().hint.empty() ? "" : "; or ");
  return all;
}

std::string refused_name(const Refusal& refusal) {
  return refusal.benchmark.empty() ? refusal.suite : fmt::format("{}/{}", refusal.suite, refusal.benchmark);
}

}  // namespace shakedown
