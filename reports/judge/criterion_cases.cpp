#include "reports/judge/criterion_cases.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

/// A criterion that asks for so many nodes applies to the cases that were planned for as many; if there are
/// none, to the widest, which then make it undecided.
void keep_wide(std::vector<const CaseRecord*>& cases, const Criterion& criterion,
               const Replacements& replacements) {
  if (!criterion.nodes_required || cases.empty()) return;
  int widest = 0;
  for (const CaseRecord* record : cases) widest = std::max(widest, replacements.planned_nodes(*record));
  const int least = std::min(widest, *criterion.nodes_required);
  std::erase_if(cases, [&](const CaseRecord* record) { return replacements.planned_nodes(*record) < least; });
}

/// What the repetitions of a case have in common: the id of the first.
std::string first_repetition(const CaseRecord& record, const Replacements& replacements) {
  const auto before = replacements.before(record);
  const Case& planned = before.empty() ? record.planned : before.front()->planned;
  const std::string ending = fmt::format("-r{}", planned.repetition);
  return planned.repetition > 1 && planned.id.ends_with(ending)
             ? planned.id.substr(0, planned.id.size() - ending.size())
             : planned.id;
}

/// What the repetitions of a run that was made elsewhere have in common, since no plan names them as
/// repetitions: all that their logs state of it but the seed. A log that states nothing is like no other.
std::string stated_shape(const Case& planned) {
  std::string shape = fmt::format("{} {} {} nodes {} ranks {} x {}", planned.suite, planned.implementation,
                                  planned.benchmark, planned.nodes, planned.ranks, planned.threads_per_rank);
  bool any = false;
  for (const Parameter& parameter : planned.parameters) {
    if (parameter.name == "seed") continue;
    any = true;
    shape += fmt::format("; {} = {}", parameter.name, value_text(parameter.value));
  }
  return any ? shape : planned.id;
}

std::string benchmark_of(const Case& planned) {
  if (!planned.benchmark.empty()) return planned.benchmark;
  const Value* named = find_parameter(planned.parameters, "benchmark");
  return named == nullptr ? "" : value_text(*named);
}

}  // namespace

bool applies_to(const Criterion& criterion, const CaseRecord& record, const Replacements& replacements) {
  if (!criterion.benchmark.empty() && benchmark_of(record.planned) != criterion.benchmark) return false;
  return !criterion.nodes || replacements.planned_nodes(record) == *criterion.nodes;
}

JudgedCases cases_of(const Criterion& criterion, const CriterionScene& scene) {
  JudgedCases judged;
  std::vector<const CaseRecord*> alone;
  using Kind = std::tuple<std::string_view, std::string_view, int>;
  std::map<Kind, std::size_t> kinds;
  for (const CaseRecord& record : scene.campaign.cases) {
    const Case& planned = record.planned;
    if (planned.suite != criterion.suite || scene.replacements.replaced(record)) continue;
    if (planned.confirms) continue;  // made because of what was measured: a second try for nobody
    if (criterion.each_node && *criterion.each_node != planned.bound) continue;
    if (!applies_to(criterion, record, scene.replacements)) continue;
    if (!planned.bound) {
      alone.push_back(&record);
      continue;
    }
    const auto [it, is_new] =
        kinds.emplace(Kind{planned.implementation, planned.benchmark, planned.stage}, judged.bound.size());
    if (is_new) judged.bound.emplace_back();
    judged.bound[it->second].push_back(&record);
  }
  keep_wide(alone, criterion, scene.replacements);
  std::map<std::string, std::size_t> repeated;
  for (const CaseRecord* record : alone) {
    const auto [it, is_new] =
        repeated.emplace(is_external(scene.campaign) ? stated_shape(record->planned)
                                                     : first_repetition(*record, scene.replacements),
                         judged.together.size());
    if (is_new) judged.together.emplace_back();
    judged.together[it->second].push_back(record);
  }
  return judged;
}

std::string scope_text(const Criterion& criterion) {
  std::string text = suite_title(criterion.suite);
  if (!criterion.benchmark.empty()) text += " " + criterion.benchmark;
  if (criterion.nodes)
    text += fmt::format(" on {} node{}", *criterion.nodes, *criterion.nodes == 1 ? "" : "s");
  if (!criterion.each_node) return text;
  return text + (*criterion.each_node ? " on each node"
                 : criterion.nodes    ? " together"
                                      : " on nodes together");
}

}  // namespace shakedown
