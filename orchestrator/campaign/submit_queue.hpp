#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/campaign/attempt_ledger.hpp"

namespace shakedown {

/// A job that is to be submitted.
struct ReadyJob {
  std::vector<RunningLane> lanes;
  /// Of the scheduler, when it last rejected it; empty: it did not.
  std::string words{};          // NOLINT(readability-redundant-member-init)
  double rejected_since_s = 0;  ///< with no job of ours in its queue; 0: it was not
  int passed_over = 0;          ///< how often another was taken where this one was not
  bool suspect = false;         ///< it was rejected since one was taken
  /// Of one that may have got there; empty: it gets the next.
  std::string job_id{};   // NOLINT(readability-redundant-member-init)
  Refusals refusals{};    // NOLINT(readability-redundant-member-init)
  double offer_at_s = 0;  ///< not before
};

/// What is submitted: jobs that are ready, those that were put off, and the one about which nobody answered.
class SubmitQueue {
 public:
  SubmitQueue(ExecutionContext& context, ProgressEvents& events, NodeWatch& nodes, AttemptLedger& ledger);

  /// What came of an offer.
  enum class Offer {
    accepted,  ///< the last of the context's jobs is new
    other,     ///< refused, put off, or not there: the next may be offered
    none,      ///< there is nothing to offer now
  };
  /// Looks for the job about which nobody answered. `none`: nobody answers now either; `other`: there was
  /// none, or it did not get there.
  Result<Offer> find_unsure();
  /// Turns the dispatcher's lanes into jobs when none remains, and offers again those put off long enough.
  Result<void> prepare_round();
  /// Offers the next job to the scheduler.
  Result<Offer> submit_next();

  /// Takes out of the queue, or divides, a job that waits there: one of a node that was excluded or is down
  /// in an outage, one whose nodes some have and others wait for, or that others hold while enough idle.
  Result<void> review(RunningJob& running);
  /// The cases of a job that was withdrawn begin in other jobs.
  void put_back(RunningJob& running);
  /// What was to begin on nodes that were excluded since waits for others.
  void drop_excluded();
  /// The campaign's cases have moved in memory.
  void point_to_cases();
  /// The job about which nobody answered counts as running, if the scheduler has it.
  void adopt_unsure();

  /// The number of the next job, as long as no job has one as high.
  void set_next_job(int number) { next_job_ = number; }
  /// Whether the queue gets no jobs for a while.
  [[nodiscard]] bool is_held() const;
  /// There may be room.
  void end_hold() { hold_until_s_ = 0; }
  [[nodiscard]] bool is_empty() const { return ready_.empty() && put_off_.empty() && !unsure_; }
  [[nodiscard]] bool has_unsure() const { return unsure_.has_value(); }
  /// Whether jobs wait to be offered.
  [[nodiscard]] bool has_jobs() const { return !ready_.empty() || !put_off_.empty(); }
  /// The cases that wait for nodes: in no job, in one that the queue has not taken, or in one that it has not
  /// started.
  [[nodiscard]] std::set<std::size_t> not_begun() const;
  /// Why each case waits that is in one of these jobs.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::string>> reasons() const;

 private:
  /// Lanes of one node each share a job where they can begin together. A node that others hold would make
  /// them all wait.
  Result<void> make_ready();
  /// Prepares a job's folders and hands it to the scheduler.
  Result<Submission> submit(RunningJob& running);
  /// Writes what an attempt needs into its folder, with the command line for the nodes that it got, which
  /// `step` gets too where it starts here.
  Result<void> prepare(const AttemptPlace& place, const Job& job, const JobLane& lane, JobStep& step);
  /// The scheduler has it, by that name.
  Result<void> entered_queue(RunningJob& running, const std::string& known_as);
  void accept(RunningJob running);
  /// Takes the next job's id, unless it has one.
  void take_id(const Job& job);
  /// A job that was rejected is offered again, for a time.
  Result<void> record_rejected(ReadyJob ready, const JobLater& answer);
  /// A job that was refused for an unknown reason is offered again later and later, for a time, while others
  /// go on.
  Result<void> put_off(ReadyJob ready, const std::string& words);
  void report_refusal(const ReadyJob& ready);
  /// What was put off long enough is ready.
  void offer_again();
  /// One was taken: what was rejected meanwhile was so for its own sake.
  Result<void> reoffer_suspects();
  /// The scheduler will never take a job: its cases are offered one by one, and one alone is given up.
  Result<void> refuse(ReadyJob ready, const std::string& words);
  Result<void> give_up_job(const ReadyJob& ready, const std::string& words);
  /// Takes a job that has not begun out of the queue, and reports why.
  void withdraw(RunningJob& running, const std::string& because);
  /// Takes a job out of the queue whose submission was not answered, if it got there all the same.
  void withdraw_late(const std::string& job_id);
  void for_each_ready(const std::function<void(ReadyJob&)>& visit);
  [[nodiscard]] std::vector<std::string> hosts_of(const ReadyJob& ready) const;

  ExecutionContext& context_;
  ProgressEvents& events_;
  NodeWatch& nodes_;
  AttemptLedger& ledger_;
  std::deque<ReadyJob> ready_;              ///< jobs that wait for room in the queue
  std::deque<ReadyJob> put_off_;            ///< jobs that were refused for an unknown reason
  std::set<std::string> lasting_refusals_;  ///< words of such refusals that lasted, since a job was taken
  std::optional<RunningJob> unsure_;        ///< a job that may have got there though nobody answered
  int next_job_ = 1;
  double hold_until_s_ = 0;
  std::size_t rejected_ = 0;    ///< offers in vain of this round, since one was accepted
  bool round_over_ = false;     ///< the queue takes no more in it
  bool accepted_ = false;       ///< the last offer was
  std::size_t exclusions_ = 0;  ///< that `drop_excluded` has seen
};

}  // namespace shakedown
