#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/launch/job.hpp"
#include "orchestrator/plan/site.hpp"

namespace shakedown {

/// A node as the scheduler sees it.
struct SchedulerNode {
  enum class Kind {
    idle,  ///< takes a job at once
    busy,  ///< takes one later: others run there
    out,   ///< gets no jobs: down, drained, reserved for others, unknown
  };
  std::string host;
  Kind kind = Kind::idle;
  std::string reason;  ///< in the scheduler's words: "IDLE+DRAIN, 'bad fan'"; empty: idle
  /// Jobs there must have ended by then, seconds since 1970: then it is reserved for others, named in
  /// `reason`.
  std::optional<double> free_until_s{};  // NOLINT(readability-redundant-member-init)
  /// Of one that gets no jobs: it is broken, switched off or drained, rather than reserved for others.
  bool down = false;
  friend bool operator==(const SchedulerNode&, const SchedulerNode&) = default;
};

/// How a job ended, if the scheduler reports it. What its attempts recorded (`finished.json`) counts first:
/// this is for attempts without that file.
enum class JobEnd {
  unknown,    ///< it is gone, the reason is unknown
  completed,  ///< its script ended
  failed,     ///< its script ended with an error, or could not be started
  timed_out,  ///< at the scheduler's limit
  out_of_memory,
  node_failed,
  preempted,  ///< by a job that goes before it
  requeued,   ///< the scheduler put it back in its queue, against our request
  cancelled,  ///< by somebody: `by`
};
std::string_view to_string(JobEnd end);

/// Where a job is.
struct JobState {
  enum class Phase { pending, running, gone };
  Phase phase = Phase::pending;
  std::string reason;             ///< in the scheduler's words: "Resources", "ReqNodeNotAvail", "NODE_FAIL"
  std::optional<double> start_s;  ///< when the scheduler expects to start it; seconds since 1970
  JobEnd end = JobEnd::unknown;   ///< of a job that is gone
  std::string by;                 ///< who cancelled it; empty: not reported
  std::vector<std::string> failed_nodes;  ///< that the scheduler blames
  bool completing = false;  ///< it still runs for the scheduler, and all of its processes were ended
};

/// What happened to a job that is gone and to its nodes: "node lost" where nodes of it failed, whatever state
/// its script ended in; else the name of its end.
std::string end_text(const JobState& job_state);

/// What a scheduler can do.
struct SchedulerTraits {
  int most_jobs = 1;          ///< beside each other, the pending included
  bool many_lanes = false;    ///< a job may have several lanes
  double longest_lane_s = 0;  ///< how long short attempts may be chained in one lane; 0: one each
  bool outlives_us = false;   ///< its jobs go on when the orchestrator ends
  int most_nodes = 0;         ///< of a job; 0: any number
  /// What the time limits of a lane's attempts may add up to, `step_margin_s` added to each; 0: any time.
  double longest_limit_s = 0;
  double step_margin_s = 0;
};

/// A job is in the queue, or runs.
struct JobAccepted {
  std::string known_as;  ///< the scheduler's name for it: a process id, a job id
};

/// A job was not taken just now; it may be later.
struct JobLater {
  enum class Of {
    all,       ///< the queue takes no more jobs
    this_one,  ///< it may be this job alone: for its size, or because the queue is full
    unknown,   ///< the message shows neither whether it lasts nor which jobs it is about
  };
  Of of = Of::all;
  std::string words{};  ///< the scheduler's; empty: none  NOLINT(readability-redundant-member-init)
};

/// Nobody answered: the job may be in the queue.
struct JobUnsure {
  std::string words;  ///< of the programs that were asked
};

/// A job will never be taken, be it too long or too wide; others may.
struct JobNever {
  Error refusal;  ///< `what` is in the scheduler's words
};

/// What became of a job that was submitted.
using Submission = std::variant<JobAccepted, JobLater, JobUnsure, JobNever>;

/// What a case asks of a scheduler.
struct JobRequest {
  int nodes = 1;
  double limit_s = 0;              ///< of its attempt, the grace period at its end included; 0: none
  std::vector<std::string> hosts;  ///< of which it needs `nodes`; empty: any
};

/// A job of an earlier orchestrator.
struct KnownJob {
  const Job* job = nullptr;
  std::string known_as;  ///< the scheduler's name for it; empty: not known
};

/// Gets nodes for jobs and tracks them. How an attempt ended is known from `finished.json` in its folder,
/// written by the job itself; the scheduler is asked only about jobs that are silent.
class Scheduler {
 public:
  virtual ~Scheduler() = default;

  [[nodiscard]] virtual SchedulerTraits traits() const = 0;
  /// Asks, once, what the scheduler allows jobs of this site at all; `traits` may be narrower afterwards.
  /// Fails (environment) where it does not answer, or would take none: an unknown partition, an account that
  /// is not allowed there.
  virtual Result<void> query_limits() { return {}; }
  /// Why no job for such a case could ever run, with the limit, its value and the way out; empty: one could,
  /// as far as `query_limits` found.
  [[nodiscard]] virtual std::string objection(const JobRequest& /*demand*/) const { return {}; }
  /// How a job would be submitted, for people: the command, then the script that it is given. Empty: by no
  /// script. Asks nobody.
  [[nodiscard]] virtual std::string submission(const Job& /*job*/) const { return {}; }
  /// What `query_limits` found, for people, a line each.
  [[nodiscard]] virtual std::vector<std::string> limits() const { return {}; }
  /// The current state of the nodes of `hosts`, in their order. Fails (environment) if the scheduler does not
  /// answer.
  virtual Result<std::vector<SchedulerNode>> nodes(std::span<const std::string> hosts) = 0;
  /// Starts a job, or puts it in the queue. Fails where the scheduler takes no job at all, as of an unknown
  /// account, in its own words, and where the job can't be written or started.
  virtual Result<Submission> submit(const Job& job) = 0;
  /// The scheduler's name for a job that may have got there though nobody answered, which it then tracks;
  /// empty: it did not. Fails (environment) where nobody answers now either.
  virtual Result<std::string> found(const Job& /*job*/) { return std::string(); }
  /// Takes a job that has not begun out of the queue; one that has goes on.
  virtual void withdraw(const Job& /*job*/) {}
  /// Asks about jobs that `adopt` is about to be called for, all at once. Fails (environment) where the
  /// scheduler does not answer.
  virtual Result<void> expect(std::span<const KnownJob> /*jobs*/) { return {}; }
  /// Takes on a job that an earlier orchestrator submitted. `known_as`: the scheduler's name for it; empty:
  /// it is not known whether it ever got there. False: there is no such job (any more).
  virtual Result<bool> adopt(const Job& job, const std::string& known_as) = 0;
  /// Where a submitted or adopted job is. May be as old as the polling budget makes it; `ask` if the job's
  /// output is a reason to ask again.
  virtual JobState state(const Job& job, bool ask) = 0;
  /// Waits until a job may have ended or written something, until `seconds` have passed, or until the user
  /// interrupted. False when the time ran out.
  virtual bool wait(double seconds) = 0;
  /// Ends a job: politely (SIGTERM, a grace period, SIGKILL) or at once. Fails (environment) where the
  /// scheduler does not answer: the job may go on.
  virtual Result<void> end(const Job& job, bool at_once) = 0;
};

/// What a scheduler is made with.
struct SchedulerSettings {
  Site site;
  Layout layout;
};

/// A kind of scheduler: one constant per orchestrator/schedulers/*.cpp.
struct SchedulerType {
  std::string_view id;  ///< "local"
  std::string_view about;
  Result<std::unique_ptr<Scheduler>> (*make)(const SchedulerSettings&) = nullptr;
  bool runs_here =
      false;  ///< its jobs are processes of this machine, one at a time: there is no batch system
};

/// All schedulers, from orchestrator/schedulers/*.cpp.
std::span<const SchedulerType* const> schedulers();

/// The name by which a campaign records its scheduler: that of `schedulers()` or of a template that is
/// shipped (share/schedulers/<name>.toml) as it is, a template of the site's by its absolute path. Fails
/// where there is none of that name, or where the file does not describe one.
Result<std::string> scheduler_called(const std::string& name, const Layout& layout);

/// Whether the scheduler of such a name runs its jobs on this machine (`SchedulerType::runs_here`). A
/// template never does.
bool runs_here(std::string_view scheduler);

/// The scheduler of such a name. Fails (environment) where its programs are missing.
Result<std::unique_ptr<Scheduler>> make_scheduler(const std::string& name, const SchedulerSettings& settings);

}  // namespace shakedown
