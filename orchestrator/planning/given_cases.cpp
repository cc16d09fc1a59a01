#include "orchestrator/planning/given_cases.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "orchestrator/core/objections.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {
namespace {

const Suite* planner_of(std::string_view id) {
  const auto all = suites();
  const auto found = std::ranges::find(all, id, &Suite::id);
  return found == all.end() ? nullptr : *found;
}

/// What a case is planned to be with its parameters; nothing where what it is made of is not known here.
std::optional<Result<Case>> planned_again(const Case& given, const Inventory& inventory,
                                          const Acceptance& acceptance,
                                          const std::vector<Implementation>& implementations,
                                          const Layout& layout) {
  const Suite* suite = planner_of(given.suite);
  const auto implementation = std::ranges::find_if(implementations, [&](const Implementation& each) {
    return each.suite == given.suite && each.id == given.implementation && each.benchmark == given.benchmark;
  });
  const auto hosts = expanded_hostlist(given.hosts);
  if (suite == nullptr || implementation == implementations.end() || !hosts || hosts->empty())
    return std::nullopt;
  const auto kind = common_kind(inventory, *hosts);
  if (!kind) return std::nullopt;
  PlanRequest request{.inventory = &inventory,
                      .implementation = &*implementation,
                      .group = &kind->like,
                      .hosts = kind->hosts,
                      .layout = layout,
                      .measured = {},
                      .site = &acceptance.site,
                      .pins = {}};
  for (const Parameter& each : given.parameters)
    if (std::ranges::find(suite->pins, each.name) != suite->pins.end()) request.pins.push_back(each);
  if (request.pins.empty()) return std::nullopt;
  return suite->plan(request);
}

}  // namespace

Result<void> check_given_cases(Plan& plan, std::string_view file, const Inventory& inventory,
                               const Acceptance& acceptance, const Layout& layout) {
  if (std::ranges::all_of(plan.cases, [](const Case& each) { return each.implementation.empty(); }))
    return {};
  const auto implementations = read_implementations(layout.share / "implementations");
  if (!implementations) return failure_of(implementations);
  std::vector<Error> refused;
  std::map<std::string, std::optional<Result<Case>>> known;  // cases that differ in their nodes alone
  for (Case& given : plan.cases) {
    std::string key =
        fmt::format("{}/{}/{}/{}", given.suite, given.implementation, given.benchmark, given.nodes);
    for (const Parameter& each : given.parameters)
      key += fmt::format(" {}={}", each.name, value_text(each.value));
    const auto [it, fresh] = known.try_emplace(key);
    if (fresh) it->second = planned_again(given, inventory, acceptance, *implementations, layout);
    const std::optional<Result<Case>>& planned = it->second;
    if (!planned) continue;
    const Result<Case>& again = *planned;
    if (!again) {
      if (fresh && again.error().fault == Fault::input)
        refused.push_back({fmt::format("{}: {}", file, given.id), again.error().what, again.error().hint});
      continue;
    }
    const bool whole = again->parameters == given.parameters;
    for (const TextFile& each : given.files) {
      const auto own = std::ranges::find(again->files, each.name, &TextFile::name);
      if (whole && own != again->files.end() && own->content != each.content)
        given.warnings.push_back(fmt::format(
            "{} is not what the case's parameters give: it was edited, and what it asks for is not checked",
            each.name));
    }
  }
  return all_objections(refused);
}

}  // namespace shakedown
