#pragma once
#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/execution_context.hpp"
#include "orchestrator/campaign/node_watch.hpp"
#include "orchestrator/campaign/progress_events.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/run_directory.hpp"

namespace shakedown {

/// What became of a case so far.
struct CaseAccount {
  int attempts = 0;                    ///< its last attempt; 0: none
  CaseState end = CaseState::waiting;  ///< waiting: it has not ended
  double spent_s = 0;                  ///< wall time of its attempts that ended
  /// Attempts that count against it.
  std::set<int> infrastructure_failures{};  // NOLINT(readability-redundant-member-init)
};

/// How an attempt ended, and on what.
struct AttemptEnd {
  std::size_t work = 0;
  AttemptPlace place;
  std::string job;
  std::vector<std::string> hosts;
  const JobState* job_state = nullptr;  ///< null: the scheduler was not asked
  bool unstartable = false;             ///< its job ended by itself, and nothing of it began
  std::string left;  ///< what became of its remaining processes, "; 2 of them ended"; empty: there were none
};

/// What became of attempts: collects and records them, counts failures of the infrastructure, and decides
/// which are retried.
class AttemptLedger {
 public:
  AttemptLedger(ExecutionContext& context, ProgressEvents& events, NodeWatch& nodes);

  [[nodiscard]] const CaseAccount& of(std::size_t work) const { return cases_[work]; }
  [[nodiscard]] CaseAccount& of(std::size_t work) { return cases_[work]; }
  /// Takes the number of a case's next attempt.
  int next_attempt(std::size_t work) { return ++cases_[work].attempts; }
  /// An attempt whose job never left the queue does not count: its number is free again.
  void take_back(std::size_t work);
  /// The campaign has one case more.
  void add_case() { cases_.emplace_back(); }
  /// Whether the infrastructure failed a case as often as it may.
  [[nodiscard]] bool is_spent(std::size_t work) const;

  /// How far a job is when its attempts were collected.
  enum class JobProgress {
    goes_on,
    pending,    ///< in the queue
    withdrawn,  ///< taken out of the queue before it began
  };
  /// Collects what has ended of a job since it last looked.
  Result<JobProgress> collect(RunningJob& running);
  /// Collects a job that is gone: some of its attempts may have recorded how they ended, the rest is lost or
  /// never began.
  Result<void> collect_lost(RunningJob& running);

  /// Reads an ended attempt, records it and reports it.
  Result<AttemptRecord> collected(std::size_t work, const AttemptPlace& place);
  /// Records an ended attempt: in the store, then in the journal.
  Result<void> record(const AttemptPlace& place, const AttemptRecord& attempt);
  /// Whether both have it. One that is missing in the journal after a crash is to be recorded again; one of
  /// an older version stays as it is.
  [[nodiscard]] Result<bool> is_recorded(const AttemptPlace& place) const;
  /// An attempt as its folder describes it.
  [[nodiscard]] AttemptRecord read(const AttemptPlace& place) const;
  void note_end(double finished_s) { last_end_s_ = std::max(last_end_s_, finished_s); }

  /// Whether the infrastructure failed it and it is retried. Counts that against its case and its nodes,
  /// once, however many executions look at it.
  Result<bool> decide_retry(const AttemptEnd& end, const AttemptRecord& attempt);
  /// A case has ended for good; its objection to the stages above is stored.
  void end_case(std::size_t work, const AttemptRecord& attempt);
  /// A case will not run, and why.
  Result<void> give_up(std::size_t work, std::string because, bool reported = true);
  /// When a stage begins: a node that failed alone in those below is excluded, and where nodes failed
  /// together nothing more begins.
  Result<void> check_stages();
  /// Failures that earlier executions counted.
  Result<void> recall_failures();

  [[nodiscard]] double last_end_s() const { return last_end_s_; }
  /// When a job last wrote something, by the steady clock.
  [[nodiscard]] double heard_s() const { return heard_s_; }

 private:
  /// Why a case stops the stages above its own.
  struct Objection {
    std::size_t work = 0;
    std::string why;
    bool by_somebody = false;  ///< who cancelled it: its node did nothing
    std::string node;          ///< that failed alone; empty: none did
    bool applied = false;
  };

  /// Records how an attempt ended and decides what follows.
  Result<void> conclude(RunningJob& running, RunningStep& step, const RunningLane& lane,
                        const JobState* job_state);
  void report_start(const RunningJob& running, RunningStep& step);
  /// Whether an attempt was ended by somebody else, whose name its scheduler may know.
  [[nodiscard]] bool ended_by_others(const RunningJob& running, const RunningStep& step,
                                     const Finished& finished) const;
  /// Whether what a job wrote, or did not, gives reason to ask the scheduler about it.
  [[nodiscard]] bool is_silent(RunningJob& running) const;
  /// Ends the processes of a lost attempt on this host, before anything else runs on its cores. Returns what
  /// it did.
  [[nodiscard]] std::string end_leftovers(const RunningStep& step) const;
  /// The node that alone failed an attempt that ended for good: that of a case bound to it, or the only one
  /// of several whose ranks failed. Empty: there is none.
  [[nodiscard]] std::string node_failed_alone(std::size_t work, const AttemptRecord& attempt) const;
  /// The next attempt of a case goes to other nodes than those of one that the infrastructure failed: never
  /// to those at fault while others will do, nor to the rest while others are free.
  void prefer_other_nodes(std::size_t work, const MachineFailure& failure);

  ExecutionContext& context_;
  ProgressEvents& events_;
  NodeWatch& nodes_;
  std::vector<CaseAccount> cases_;  ///< in the plan's order
  std::vector<Objection> objections_;
  std::vector<EnvironmentRecord> environment_;  ///< of the last attempt, as it is in the store
  double last_end_s_ = 0;
  double heard_s_ = steady_s();
  int lost_in_a_row_ = 0;
};

}  // namespace shakedown
