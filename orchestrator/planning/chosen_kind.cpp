#include "orchestrator/planning/chosen_kind.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown {
namespace {

bool is_named(const Implementation& each, std::string_view id, std::string_view suite,
              const KindChoice& choice) {
  if (each.id != id) return false;
  if (!suite.empty()) return each.suite == suite;
  return choice.suites.empty() || std::ranges::find(choice.suites, each.suite) != choice.suites.end();
}

/// Whether nodes can run an implementation of that name: of the suite, or of any where that is empty.
bool can_run(const NodeGroup& node, std::string_view id, std::string_view suite, const KindChoice& choice) {
  const std::string_view make = node.gpus.empty() ? std::string_view() : gpu_make(node.gpus.front());
  return std::ranges::any_of(choice.implementations, [&](const Implementation& each) {
    if (!is_named(each, id, suite, choice) || !check_program_gpus(each, choice.site, node)) return false;
    return each.requires_gpu.empty() ? each.rank_per != "gpu" || !node.gpus.empty()
                                     : each.requires_gpu == make;
  });
}

/// Whether all of that name compute on processor cores.
bool for_cores(std::string_view id, std::string_view suite, const KindChoice& choice) {
  constexpr std::array<std::string_view, 3> cores = {"core", "numa", "socket"};
  bool named = false;
  for (const Implementation& each : choice.implementations) {
    if (!is_named(each, id, suite, choice)) continue;
    named = true;
    if (!each.requires_gpu.empty() ||
        (!suite.empty() && std::ranges::find(cores, each.rank_per) == cores.end()))
      return false;
  }
  return named;
}

const NodeKind* largest_of(std::span<const NodeKind> kinds, auto condition) {
  const NodeKind* found = nullptr;
  for (const NodeKind& kind : kinds)
    if (condition(kind) && (found == nullptr || kind.hosts.size() > found->hosts.size())) found = &kind;
  return found;
}

/// The implementation by which the options plan a kind: one that most of the suites have; empty: none does.
std::string option_for(const NodeKind& kind, const KindChoice& choice, std::span<const std::string> suites) {
  std::map<std::string, std::set<std::string>> suites_of;
  for (const Implementation& each : choice.implementations)
    if (std::ranges::find(suites, each.suite) != suites.end() && kind_for(choice, each.id, "") == &kind)
      suites_of[each.id].insert(each.suite);
  const auto most =
      std::ranges::max_element(suites_of, {}, [](const auto& each) { return each.second.size(); });
  return most == suites_of.end() ? std::string() : most->first;
}

}  // namespace

const NodeKind* kind_for(const KindChoice& choice, std::string_view id, std::string_view suite) {
  if (id.empty()) return choice.usual;
  if (!choice.usual->like.gpus.empty() && for_cores(id, suite, choice))
    if (const NodeKind* cores =
            largest_of(choice.kinds, [](const NodeKind& kind) { return kind.like.gpus.empty(); }))
      return cores;
  if (can_run(choice.usual->like, id, suite, choice)) return choice.usual;
  const NodeKind* found =
      largest_of(choice.kinds, [&](const NodeKind& kind) { return can_run(kind.like, id, suite, choice); });
  return found == nullptr ? choice.usual : found;
}

std::string kinds_text(const KindChoice& choice, const NodeKind& planned, std::string_view wish,
                       std::span<const std::string> suites) {
  std::string text =
      planned.like.name == choice.usual->like.name
          ? fmt::format("not all nodes are of one kind: planned for the {} like '{}', {}",
                        planned.hosts.size(), planned.like.name, largest_because(choice.kinds))
          : fmt::format("not all nodes are of one kind: planned for the {} like '{}', which '{}' runs on",
                        planned.hosts.size(), planned.like.name, wish);
  if (suites.empty()) return text;
  for (const NodeKind& kind : choice.kinds) {
    if (kind.like.name == planned.like.name) continue;
    if (const std::string option = option_for(kind, choice, suites); !option.empty())
      text += fmt::format("; --implementation {} plans the {} like '{}'", option, kind.hosts.size(),
                          kind.like.name);
  }
  return text;
}

}  // namespace shakedown
