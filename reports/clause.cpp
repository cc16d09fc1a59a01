#include "reports/clause.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/clause_subject.hpp"
#include "reports/display.hpp"
#include "reports/each_node.hpp"

namespace shakedown {
namespace {

/// The cases that a clause is judged on.
struct JudgedCases {
  std::vector<const CaseRecord*> alone;               ///< each by itself
  std::vector<std::vector<const CaseRecord*>> bound;  ///< those that measure one node each, by kind
};

/// A clause that asks for so many nodes speaks of the cases that were planned for as many; where there are
/// none, of the widest, which then leave it undecided.
void keep_wide(std::vector<const CaseRecord*>& cases, const Criterion& clause, const StandIns& stand_ins) {
  if (!clause.nodes_required || cases.empty()) return;
  int widest = 0;
  for (const CaseRecord* record : cases) widest = std::max(widest, stand_ins.planned_nodes(*record));
  const int least = std::min(widest, *clause.nodes_required);
  std::erase_if(cases, [&](const CaseRecord* record) { return stand_ins.planned_nodes(*record) < least; });
}

JudgedCases cases_of(const Criterion& clause, const ClauseScene& scene) {
  JudgedCases judged;
  using Kind = std::tuple<std::string_view, std::string_view, int>;
  std::map<Kind, size_t> kinds;
  for (const CaseRecord& record : scene.campaign.cases) {
    const Case& planned = record.planned;
    if (planned.suite != clause.suite || scene.stand_ins.replaced(record)) continue;
    if (clause.each_node && *clause.each_node != planned.bound) continue;
    if (!planned.bound) {
      judged.alone.push_back(&record);
      continue;
    }
    const auto [it, is_new] =
        kinds.emplace(Kind{planned.implementation, planned.benchmark, planned.stage}, judged.bound.size());
    if (is_new) judged.bound.emplace_back();
    judged.bound[it->second].push_back(&record);
  }
  keep_wide(judged.alone, clause, scene.stand_ins);
  return judged;
}

CriterionResult judged_case(const Criterion& clause, const CaseRecord& record, const ClauseScene& scene) {
  const CaseRecord* const one = &record;
  const Subject subject(&one, 1);
  CriterionResult judged = judged_subject(clause, subject, scene);
  demand_nodes(judged, clause, record.planned.nodes);
  if (const auto before = scene.stand_ins.before(record); !before.empty())
    judged.because += fmt::format("; in place of {} on {} nodes", before.front()->planned.id,
                                  before.front()->planned.nodes);
  demand_few_exclusions(judged, clause, scene.campaign);
  demand_few_attempts(judged, clause, subject, scene);
  return judged;
}

std::string no_case(const Criterion& clause) {
  const std::string which = !clause.each_node   ? ""
                            : *clause.each_node ? " on each node"
                                                : " on nodes together";
  return fmt::format("the campaign has no case of {}{}", suite_title(clause.suite), which);
}

}  // namespace

std::vector<CriterionResult> judged_clause(const Criterion& clause, const CampaignRecord& campaign,
                                           const Comparability& comparability,
                                           const std::vector<IdleObjection>& idle_objections) {
  const StandIns stand_ins(campaign);
  const ClauseScene scene{campaign, comparability, idle_objections, stand_ins};
  const JudgedCases cases = cases_of(clause, scene);
  const bool several = cases.alone.size() + cases.bound.size() > 1;
  std::vector<CriterionResult> judged;
  for (const CaseRecord* record : cases.alone) {
    judged.push_back(judged_case(clause, *record, scene));
    if (several) judged.back().id += "@" + record->planned.id;
  }
  for (size_t i = 0; i < cases.bound.size(); ++i) {
    judged.push_back(judged_nodes(clause, cases.bound[i], scene));
    if (several) judged.back().id += i == 0 ? "@each-node" : fmt::format("@each-node-{}", i + 1);
  }
  if (judged.empty()) {
    judged.push_back(unjudged(clause));
    judged.back().because = no_case(clause);
  }
  return judged;
}

}  // namespace shakedown
