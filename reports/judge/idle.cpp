#include "reports/judge/idle.hpp"

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/neighbours.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {
namespace {

class Objections {
 public:
  explicit Objections(const Criteria& criteria) : criteria_(criteria) {}

  /// What a lost attempt left and nobody could end: whatever the limits, it was there.
  void orphans(const CaseRecord& record, const AttemptRecord& attempt) {
    for (const NodeState& node : attempt.nodes) {
      if (!node.neighbours) continue;
      const auto orphan = std::ranges::find_if(
          *node.neighbours, [](const Neighbour& each) { return each.job.starts_with(orphan_mark); });
      if (orphan == node.neighbours->end()) continue;
      object({record.planned.id, attempt.index},
             fmt::format("{} (pid {}, uid {}), an {}, ran beside it and could not be ended", orphan->command,
                         orphan->pid, orphan->user, orphan->job));
    }
  }

  void attempt(const CaseRecord& record, const AttemptRecord& attempt) {
    if (!criteria_.steal && !criteria_.load) return;
    const Place where{record.planned.id, attempt.index};
    if (!attempt.conditions || attempt.conditions->cores <= 0) {
      object(where, "how idle the machine was is not recorded");
      return;
    }
    steal(where, *attempt.conditions);
    load(where, *attempt.conditions, record.planned.ranks_per_node * record.planned.threads_per_rank);
  }

  void spread(const CaseRecord& record, const CountedResult& counted) {
    const SuiteFacts* facts = suite_facts(record.planned.suite);
    if (!criteria_.gemm_spread || facts == nullptr || facts->spread.empty()) return;
    const Place where{record.planned.id, counted.attempt->index};
    const Metric* spread = counted.result->parsed.metric(facts->spread);
    if (spread == nullptr)
      object(where, fmt::format("the spread of the {} repetitions is not recorded", facts->title));
    else if (const double limit = criteria_.gemm_spread->limit; spread->value > limit) {
      const ShownPair shown = shown_beside(facts->spread, spread->value, limit);
      object(where,
             fmt::format("{} repetitions differ by {} (limit {})", facts->title, shown.value, shown.limit));
    }
  }

  std::vector<IdleObjection> found() && { return std::move(found_); }

 private:
  struct Place {
    const std::string& case_id;
    int attempt = 0;
  };

  void object(const Place& where, std::string_view what) {
    found_.push_back({where.case_id, fmt::format("{}, attempt {}: {}", where.case_id, where.attempt, what)});
  }

  void steal(const Place& where, const Conditions& conditions) {
    if (!criteria_.steal || conditions.steal_ratio <= criteria_.steal->limit) return;
    const ShownPair shown = shown_beside("steal_ratio", conditions.steal_ratio, criteria_.steal->limit);
    object(where, fmt::format("the hypervisor took {} of the CPU time (limit {})", shown.value, shown.limit));
  }

  void load(const Place& where, const Conditions& conditions, int planned_cpus) {
    if (!criteria_.load) return;
    if (planned_cpus + conditions.foreign_cores <= conditions.cores * criteria_.load->limit) return;
    object(where,
           fmt::format("other processes used {} of {} cores while the job needed {}",
                       grouped(conditions.foreign_cores, 2), number(conditions.cores, 1), planned_cpus));
  }

  const Criteria& criteria_;
  std::vector<IdleObjection> found_;
};

}  // namespace

std::vector<IdleObjection> idle_objections(const CampaignRecord& campaign, const Criteria& criteria) {
  Objections objections(criteria);
  for (const CaseRecord& record : campaign.cases) {
    int last = 0;
    for (const CountedResult& counted : counted_results(record)) {
      if (counted.attempt->index != last) {
        objections.orphans(record, *counted.attempt);
        objections.attempt(record, *counted.attempt);
      }
      last = counted.attempt->index;
      objections.spread(record, counted);
    }
  }
  return std::move(objections).found();
}

}  // namespace shakedown
