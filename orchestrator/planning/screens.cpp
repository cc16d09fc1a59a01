#include "orchestrator/planning/screens.hpp"

#include <algorithm>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

bool has_gpus_of(const Inventory& inventory, std::string_view make) {
  return std::ranges::any_of(inventory.groups, [&](const NodeGroup& group) {
    return !group.gpus.empty() && gpu_make(group.gpus.front()) == make;
  });
}

/// The makes of GPUs, or none, that the suites which refer to a screen run on.
std::set<std::string> devices_beside(const Wanted& screen, const std::vector<Wanted>& all,
                                     const ScreenChoice& choice) {
  std::set<std::string> makes;
  for (const Wanted& wanted : all) {
    const auto referred = screens_of(wanted.suite->id);
    if (is_screen(wanted.suite->id) || std::ranges::find(referred, screen.suite->id) == referred.end())
      continue;
    const auto chosen = chosen_implementation(choice.implementations, *wanted.suite, choice.group,
                                              wanted.implementation, choice.layout);
    if (!chosen) continue;  // it is refused where it is planned
    // One for GPUs that are not there is refused where it is planned, too.
    for (const Implementation* implementation : *chosen)
      if (implementation->requires_gpu.empty() || has_gpus_of(choice.inventory, implementation->requires_gpu))
        makes.insert(implementation->requires_gpu);
  }
  return makes;
}

bool has_implementation(const Wanted& screen, const ScreenChoice& choice, auto condition) {
  return std::ranges::any_of(choice.implementations, [&](const Implementation& each) {
    return each.suite == screen.suite->id && condition(each);
  });
}

}  // namespace

void place_screens(std::vector<Wanted>& all, const ScreenChoice& choice, std::vector<std::string>& warnings) {
  std::vector<Wanted> placed;
  for (const Wanted& wanted : all) {
    if (!is_screen(wanted.suite->id)) {
      placed.push_back(wanted);
      continue;
    }
    const std::set<std::string> makes = devices_beside(wanted, all, choice);
    if (makes.empty()) {
      placed.push_back(wanted);
      const std::string& named = choice.options.implementation;
      if (has_implementation(wanted, choice, [&](const Implementation& each) { return each.id == named; }))
        placed.back().implementation.id = named;
    }
    for (const std::string& make : makes) {
      if (!has_implementation(wanted, choice,
                              [&](const Implementation& each) { return each.requires_gpu == make; })) {
        warnings.push_back(fmt::format(
            "{} has no implementation for {} GPUs: no efficiency of what runs on them refers to it",
            suite_title(wanted.suite->id), upper(make)));
        continue;
      }
      placed.push_back(wanted);
      placed.back().implementation.requires_gpu = make;
    }
  }
  all = std::move(placed);
}

void leave_out_cores(std::vector<Wanted>& all, const ScreenChoice& choice, std::vector<Refusal>& refused) {
  std::erase_if(all, [&](const Wanted& wanted) {
    if (wanted.by_name || wanted.implementation.here) return false;
    const auto chosen = chosen_implementation(choice.implementations, *wanted.suite, choice.group,
                                              wanted.implementation, choice.layout);
    if (!chosen) return false;  // it is refused where it is planned
    std::string because = cores_beside_gpus(wanted, choice.group, *chosen, choice.implementations);
    if (because.empty()) return false;
    const std::string id(wanted.suite->id);
    refused.push_back({id, "", "requirements", std::move(because),
                       fmt::format("--suite {} plans '{}' on processor cores", id, chosen->front()->id),
                       false});
    return true;
  });
}

}  // namespace shakedown
