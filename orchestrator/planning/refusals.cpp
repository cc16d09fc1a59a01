#include <algorithm>

#include "orchestrator/core/objections.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "orchestrator/planning/derivation.hpp"

namespace shakedown {
namespace {

/// "--suite hpl --suite hpcg": what is planned, but for screens.
std::string planned_suites(const Plan& plan) {
  std::vector<std::string> options;
  for (const Case& each : plan.cases)
    if (std::string option = "--suite " + each.suite;
        !is_screen(each.suite) && std::ranges::find(options, option) == options.end())
      options.push_back(std::move(option));
  return joined(options, " ");
}

}  // namespace

Result<void> named_refusal(const Plan& plan, const Acceptance& acceptance) {
  std::vector<Error> refused;
  for (const Refusal& refusal : plan.refused)
    if (refusal.by_name)
      refused.push_back({refusal.rule,
                         fmt::format("{} is refused: {}", refused_name(refusal), refusal.because),
                         refusal.next_good.empty() ? "" : "next: " + refusal.next_good});
  auto all = all_objections(refused);
  if (all) return all;
  std::string others;
  if (!acceptance.runs.empty())
    others = "`optional = true` in its [[runs]] plans the others without it";
  else if (const std::string suites = planned_suites(plan); !suites.empty())
    others = fmt::format("`{}` plans the others without it", suites);
  if (!others.empty()) all.error().hint += (all.error().hint.empty() ? "" : "; or ") + others;
  return all;
}

std::string with_option(const std::string& next, const Wanted& wanted) {
  const auto parts = split(next, ' ');
  if (parts.size() < 2 || !parsed_integer(parts[0]) || !parts[1].starts_with("node")) return next;
  const std::string nodes(parts[0]);
  const std::size_t noun_end = std::min(next.find_first_not_of("nodes", nodes.size() + 1), next.size());
  return next.substr(0, noun_end) +
         (wanted.place.empty() ? fmt::format(" (--suite {} --nodes {})", wanted.suite->id, nodes)
                               : fmt::format(" (nodes = [{}] in {})", nodes, wanted.place)) +
         next.substr(noun_end);
}

std::string refused_name(const Refusal& refusal) {
  return refusal.benchmark.empty() ? refusal.suite : fmt::format("{}/{}", refusal.suite, refusal.benchmark);
}

}  // namespace shakedown
