// What follows from how an attempt ended: a retry, the end of its case, what it means for nodes and stages.
#include <algorithm>

#include "orchestrator/campaign/attempt_ledger.hpp"
#include "orchestrator/campaign/failed_ranks.hpp"
#include "orchestrator/campaign/gate.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/retry.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {

Result<bool> AttemptLedger::decide_retry(const AttemptEnd& end, const AttemptRecord& attempt) {
  const Case& planned = *end.place.planned;
  const auto suspects = suspect_nodes(attempt, end.place, end.hosts).nodes;
  const Retry retry = retry_after(attempt, end.hosts, end.job_state, suspects);
  // What ended the attempt, and what its program printed last.
  std::string because = retry.because;
  if (attempt.state == AttemptState::lost || attempt.state == AttemptState::interrupted)
    if (const std::string words = last_words(end.place); !words.empty()) because += "; " + words;
  if (!retry.again) {
    for (const std::string& node : retry.blamed)
      if (auto suspected = nodes_.suspect(node, end.job, fmt::format("{}: {}", planned.id, because));
          !suspected)
        return failure_of(suspected);
    return false;
  }
  // A launcher that can't start here won't the next time: elsewhere it may.
  const bool elsewhere = context_.pool.size() > std::max<std::size_t>(end.hosts.size(), 1) && !planned.bound;
  const bool lost = attempt.state == AttemptState::lost;
  const bool sensible = lost || attempt.state == AttemptState::interrupted || elsewhere;
  const bool never_began = lost && attempt.started_s <= 0 && !end.unstartable;
  const MachineFailure failure{planned.id,
                               end.place.index,
                               end.job,
                               retry.blamed,
                               because,
                               sensible && !never_began,
                               folded_hostlist(end.hosts)};
  const bool known = context_.journal.machine_failures().contains({failure.case_id, failure.attempt});
  if (auto noted = context_.journal.failed_by_machine(failure); !noted) return failure_of(noted);
  for (const std::string& node : retry.blamed)
    if (auto suspected = nodes_.suspect(node, end.job, because); !suspected) return failure_of(suspected);
  if (!known) prefer_other_nodes(end.work, failure);
  if (failure.counts) cases_[end.work].infrastructure_failures.insert(end.place.index);
  if (!sensible || (failure.counts && is_spent(end.work))) return false;
  // Which nodes are down or taken by others may be news.
  nodes_.look_soon();
  Event event = events_.of_case(Event::Kind::case_again, end.work, end.place.index);
  event.text = because + end.left;
  events_.report(event);
  return true;
}

void AttemptLedger::prefer_other_nodes(std::size_t work, const MachineFailure& failure) {
  for (const int host : context_.pool_places(failure.blamed)) context_.dispatcher.avoid(work, host);
  if (const auto hosts = expanded_hostlist(failure.hosts))
    context_.dispatcher.suspect(work, context_.pool_places(*hosts));
}

Result<void> AttemptLedger::recall_failures() {
  if (!context_.outlives_us())
    return {};  // what ended with an orchestrator of this machine says nothing of it
  for (const auto& [attempt, failure] : context_.journal.machine_failures()) {
    const std::size_t work = context_.work_of(failure.case_id);
    if (work >= context_.campaign.cases.size()) continue;
    if (failure.counts) cases_[work].infrastructure_failures.insert(failure.attempt);
    prefer_other_nodes(work, failure);
    for (const std::string& node : failure.blamed)
      if (auto suspected = nodes_.suspect(node, failure.job, failure.because); !suspected) return suspected;
  }
  return {};
}

void AttemptLedger::end_case(std::size_t work, const AttemptRecord& attempt) {
  const fs::path folder = AttemptPlace{context_.folder, &context_.planned(work), attempt.index}.folder();
  const bool cancelled =
      attempt.failure_kind == FailureKind::cancelled || scheduler_kind(folder) == FailureKind::cancelled;
  if (std::string why = objection_to_next_stage(attempt, context_.planned(work)); !why.empty())
    objections_.push_back({work, std::move(why), cancelled, node_failed_alone(work, attempt)});
  const bool clean = attempt.state == AttemptState::finished && attempt.failure.empty();
  if (attempt.state != AttemptState::interrupted || !context_.stopping())
    cases_[work].end = clean ? CaseState::done : CaseState::failed;
  context_.dispatcher.end(work);
}

std::string AttemptLedger::node_failed_alone(std::size_t work, const AttemptRecord& attempt) const {
  const Case& failed = context_.planned(work);
  if (failed.nodes == 1) return failed.bound ? failed.hosts : std::string();
  const auto hosts = expanded_hostlist(attempt.hosts);
  if (!hosts) return {};
  const SuspectNodes suspects = suspect_nodes(attempt, {context_.folder, &failed, attempt.index}, *hosts);
  return suspects.alone ? suspects.nodes.front() : std::string();
}

Result<void> AttemptLedger::check_stages() {
  const int stage = stage_of(context_.dispatcher.stage());
  for (Objection& objection : objections_) {
    const Case& failed = context_.planned(objection.work);
    if (objection.applied || failed.stage >= stage) continue;
    objection.applied = true;
    if (context_.outlives_us() && !objection.node.empty() && !objection.by_somebody) {
      if (auto out = nodes_.exclude(objection.node, fmt::format("{}: {}", failed.id, objection.why)); !out)
        return out;
      continue;
    }
    for (std::size_t work = 0; work < context_.campaign.cases.size(); ++work)
      if (context_.dispatcher.is_waiting(work) && context_.planned(work).stage > failed.stage)
        if (auto given = give_up(
                work, fmt::format("stage {} did not pass: {}: {}", failed.stage, failed.id, objection.why));
            !given)
          return given;
  }
  return {};
}

Result<void> AttemptLedger::give_up(std::size_t work, std::string because, bool reported) {
  if (work >= context_.campaign.cases.size()) return {};
  context_.dispatcher.end(work);
  cases_[work].end = CaseState::not_run;
  CaseRecord& record = context_.campaign.cases[work];
  if (auto noted = context_.journal.give_up(record.planned.id, because); !noted) return noted;
  // A batch system's words may be no UTF-8, which the journal replaces: the store has what the journal has.
  if (const auto noted = context_.journal.content().not_run.find(record.planned.id);
      noted != context_.journal.content().not_run.end())
    because = noted->second;
  record.not_run = because;
  if (auto put = context_.database.put_not_run(context_.campaign.id, record.planned.id, because); !put)
    return put;
  if (!reported) return {};
  Event event = events_.of_case(Event::Kind::case_given_up, work, cases_[work].attempts);
  event.text = std::move(because);
  events_.report(event);
  return {};
}

}  // namespace shakedown
