#pragma once
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "orchestrator/campaign/dispatcher.hpp"
#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/running_job.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// One execution over a campaign: owns what an execution needs and knows where it stands.
class Execution {
 public:
  Execution(CampaignRecord campaign, fs::path folder, CampaignLock lock, Database database, Journal journal,
            const EngineOptions& options, std::unique_ptr<Scheduler> scheduler)
      : campaign_(std::move(campaign)),
        folder_(std::move(folder)),
        lock_(std::move(lock)),
        database_(std::move(database)),
        journal_(std::move(journal)),
        options_(options),
        scheduler_(std::move(scheduler)),
        traits_(scheduler_->traits()),
        pool_(node_pool(campaign_, traits_)),
        dispatcher_(works_of(campaign_, pool_, traits_), static_cast<int>(pool_.size())),
        lost_(campaign_.cases.size()),
        ends_(campaign_.cases.size(), CaseState::waiting),
        spent_s_(campaign_.cases.size(), 0),
        node_wait_s_(options.pauses.down_s.value_or(campaign_.site.node_wait_s)) {
    for (const CaseRecord& record : campaign_.cases)
      last_stage_ = std::max(last_stage_, record.planned.stage);
  }

  Result<ExecutionEnd> run();

 private:
  [[nodiscard]] const Case& planned(std::size_t work) const { return campaign_.cases[work].planned; }
  [[nodiscard]] bool stopping() const { return cancelled_ || Interrupts::count() > 0; }
  /// Jobs of a batch system go on without us.
  [[nodiscard]] bool leaves() const { return traits_.outlives_us; }
  /// Somebody wants the end, and jobs go on: the scheduler is asked nothing any more.
  [[nodiscard]] bool leaving() const { return stopping() && leaves() && !ending_; }

  /// From its begin to where nothing is left to do, or somebody wants the end.
  Result<ExecutionEnd> executed();
  Result<ExecutionEnd> ended();
  /// Notes how the images stand that all has run with.
  Result<void> note_images();
  /// Waits a moment for a second Ctrl-C before it leaves its jobs to the batch system.
  [[nodiscard]] bool wants_more();

  /// Gives signs of life, before anything is done that two must not do. Fails where another has taken over.
  Result<void> keep();

  /// What an earlier execution gave up may run in this one, except what another case took the place of.
  Result<void> begin();

  /// Learns what earlier executions left: stores what ended, adopts what runs, gives up what never began.
  Result<void> take_stock();

  /// Stores attempts before the last that the database does not have: they ended long ago.
  Result<void> store_earlier(AttemptPlace place);

  /// An attempt that ended in an earlier execution, or between the two.
  Result<void> settled_before(std::size_t work, const AttemptPlace& place, const Finished& finished,
                              const JobSeat& seat);

  /// An attempt that ended in an earlier execution, as the journal says, and whose files vanished since: what
  /// the store holds of it stands.
  Result<void> files_missing(std::size_t work, const AttemptPlace& place, AttemptState ended);

  /// An attempt that said nothing of its end, which the scheduler told an earlier execution.
  Result<void> lost_before(std::size_t work, const AttemptPlace& place, const JobState& told,
                           const JobSeat& seat);

  /// Takes on a job of an earlier execution; what of it never began never will.
  Result<void> adopt(RunningJob running);
  /// What had not begun when its job was taken out of the queue begins in this execution.
  Result<void> leave_cancelled(RunningJob& running);
  Result<void> is_of_this_host(const RunningJob& running) const;

  /// The attempts of a job that is gone: some may have said how they ended, the rest is lost or never began.
  Result<void> lost_job(RunningJob& running);

  /// Asks what the scheduler allows at all, and gives up the cases that no job could ever run.
  Result<void> heed_limits();
  /// The values of secrets that waiting cases need, before any of them begins.
  Result<void> provide_waiting();
  [[nodiscard]] Demand demand_of(std::size_t work) const;

  /// Asks which nodes get jobs at all. Those that get none are left alone until they do, and those that
  /// others have next get what ends before.
  Result<void> look_at_nodes();
  /// Notes since when nodes are down, and logs those that get no jobs.
  void note_nodes(const std::vector<SchedulerNode>& now);
  /// Excludes the nodes that stayed down for as long as the site waits, where a case of this stage can't
  /// begin without them. None while more than half of the campaign's nodes are down: that is an outage, and
  /// its cases wait or are not run.
  Result<void> exclude_down();
  [[nodiscard]] bool is_outage() const;
  /// The cases that wait for nodes: in no job, in one that the queue has not taken, or in one that it has not
  /// started.
  [[nodiscard]] std::set<std::size_t> not_begun() const;
  /// The nodes that any case may run on and that are not excluded.
  [[nodiscard]] std::vector<int> nodes_in_use() const;
  /// What keeps a case from its nodes, beside the campaign itself.
  struct Shortage {
    int there = 0;          ///< nodes that it may have, now or when others give them back
    std::vector<int> out;   ///< that get no jobs, or none as long as it
    std::vector<int> down;  ///< of those, the ones that are down
  };
  [[nodiscard]] Shortage shortage(std::size_t work) const;
  /// How long a node that is down is still waited for; 0: no longer.
  [[nodiscard]] double wait_left_s(int host) const;
  [[nodiscard]] double waited_s(int host) const;
  /// "cn[3-4] get no jobs: DOWN*; excluded in 8m 10s unless back".
  [[nodiscard]] std::string shortage_text(const std::vector<int>& out) const;
  /// The nodes of a job that were excluded since it was submitted.
  [[nodiscard]] std::vector<std::string> excluded_nodes(const RunningJob& running) const;
  /// The nodes without which a job can't begin that stayed down for as long as the site waits, in an outage:
  /// none is excluded then.
  [[nodiscard]] std::vector<std::string> nodes_in_outage(const RunningJob& running) const;
  /// Takes a job that has not begun out of the queue, and logs why.
  void withdraw(RunningJob& running, std::string because) const;
  /// Takes a job out of the queue whose submission was not answered, if it got there all the same.
  void withdraw_late(const std::string& job_id) const;

  /// Whether a node is too soon somebody else's for any case that waits.
  [[nodiscard]] bool too_soon_taken(int host) const;

  /// Turns the dispatcher's lanes into jobs: lanes of one node each share a job where they can begin
  /// together. A node that others hold would keep them all waiting.
  Result<void> make_ready();

  /// A job whose nodes some have and others wait for is taken out of the queue, as is one of a node that is
  /// excluded, or that others hold while enough idle.
  Result<void> divide(RunningJob& running);
  /// Its cases begin anew, in other jobs.
  void put_back(RunningJob& running);

  /// A case has ended for good; what it says of the stages above it is kept.
  void settle(std::size_t work, const AttemptRecord& attempt);

  /// The node that alone failed an attempt that ended for good: that of a case bound to it, or the only one
  /// of several whose ranks failed. Empty: there is none.
  [[nodiscard]] std::string node_failed_alone(std::size_t work, const AttemptRecord& attempt) const;

  /// When a stage begins: a node that failed alone in those below gets no more work, and where nodes failed
  /// together nothing more begins.
  Result<void> check_gates();

  /// Submits what can begin now.
  Result<void> dispatch();

  /// A job that waits for room in the queue.
  struct ReadyJob {
    std::vector<RunningLane> lanes;
    std::string words;            ///< of the scheduler, when it last rejected it; empty: it did not
    double rejected_since_s = 0;  ///< with no job of ours in its queue; 0: it was not
    int passed_over = 0;          ///< how often another was taken where this one was not
    bool suspect = false;         ///< it was rejected since one was taken
    /// Of one that may have got there; empty: it gets the next.
    std::string job_id{};   // NOLINT(readability-redundant-member-init)
    Refusals refusals{};    // NOLINT(readability-redundant-member-init)
    double offer_at_s = 0;  ///< not before
  };
  /// Prepares a job's folders and hands it to the scheduler.
  Result<Submission> submit(RunningJob& running);
  /// The scheduler has it, by that name.
  Result<void> entered_queue(RunningJob& running, const std::string& known_as);
  void took_in(RunningJob running);
  /// Looks for the job that nobody answered about. False: nobody answers now either.
  Result<bool> find_unsure();
  /// Takes the next job's id, unless it has one.
  void take_id(Job& job);
  /// A job that was rejected is offered again, for a time.
  Result<void> keep_rejected(ReadyJob ready, const JobLater& answer);
  /// A job that was refused for an unknown reason is offered again later and later, for a time, while others
  /// go on.
  Result<void> put_off(ReadyJob ready, const std::string& words);
  void report_refusal(const ReadyJob& ready);
  /// What was put off long enough is ready.
  void offer_again();
  /// Of the attempts that wait for their jobs to be taken.
  void for_each_ready(const std::function<void(ReadyJob&)>& visit);
  /// One was taken: what was rejected meanwhile was so for its own sake.
  Result<void> heed_rejections();
  /// The scheduler will never take a job: its cases are offered one by one, and one alone is given up.
  Result<void> refuse(ReadyJob ready, const std::string& words);
  Result<void> give_up_job(const ReadyJob& ready, const std::string& words);
  [[nodiscard]] std::vector<std::string> hosts_of(const ReadyJob& ready) const;

  /// Writes what an attempt needs into its folder, with the command line for the nodes that it got.
  Result<void> prepare(const AttemptPlace& place, const Job& job, const JobLane& lane);

  /// Collects what has ended since it last looked.
  Result<void> look();
  Result<void> look_at(RunningJob& running);

  /// Whether an attempt was ended by somebody else, whom its scheduler may know.
  [[nodiscard]] bool by_others(const RunningJob& running, const RunningStep& step,
                               const Finished& finished) const;

  /// Whether what a job wrote, or did not, gives reason to ask the scheduler about it.
  [[nodiscard]] bool is_silent(RunningJob& running) const;

  /// Stores how an attempt ended and decides what follows.
  Result<void> conclude(RunningJob& running, RunningStep& step, const RunningLane& lane,
                        const JobState* job_state);

  /// How an attempt ended, and on what.
  struct Ending {
    std::size_t work = 0;
    AttemptPlace place;
    std::string job;
    std::vector<std::string> hosts;
    const JobState* job_state = nullptr;  ///< of its job; null: the scheduler was not asked
    bool unstartable = false;             ///< its job ended by itself, and nothing of it began
    std::string left;  ///< what became of processes that it left, "; 2 of them ended"; empty: it left none
  };
  /// Whether the machine failed it and it begins again. Counts that against its case and its nodes, once,
  /// however many executions look at it.
  Result<bool> begins_again(const Ending& ending, const AttemptRecord& attempt);
  /// The next attempt of a case goes to other nodes than those of one that the machine failed: never to those
  /// at fault while others will do, nor to the rest while others are free.
  void prefer_other_nodes(std::size_t work, const MachineFailure& failure);
  /// Whether the machine failed a case as often as it may.
  [[nodiscard]] bool spent(std::size_t work) const {
    return static_cast<int>(lost_[work].size()) >= options_.attempts_max;
  }
  /// Blames of earlier executions.
  Result<void> recall_failures();

  /// Counts a job against a node, however many of its attempts ended there; the second takes it out.
  Result<void> blame(const std::string& node, const std::string& job, const std::string& because);

  /// Gives a node no more work, in this execution or a later one.
  Result<void> exclude(const std::string& node, const std::string& because);
  void leave_out(const std::string& node);

  /// Plans the cases of this stage anew that too few nodes are left for.
  Result<void> plan_again();

  /// Adds a case in the place of one that can't run any more.
  Result<void> stand_in(Case fresh, const Case& old, const std::string& because);

  /// The cases have moved.
  void point_anew(RunningLane& lane);

  /// The place of a case in the plan; that of none: behind all.
  [[nodiscard]] std::size_t work_of(std::string_view case_id) const;
  static std::string planned_again_as(const Case& fresh);

  /// Ends the cases that no node is left for, and where nothing else is left those whose nodes get no jobs.
  /// Whether there were any.
  Result<bool> gave_up();

  /// Why a case can't begin though nothing else runs; empty: it can.
  [[nodiscard]] std::string blocked(std::size_t work) const;
  Result<void> give_up(std::size_t work, std::string because, bool aloud = true);

  /// Passes the user's wish to stop on to the jobs that end with us.
  void heed_interrupts();
  /// Writes into the attempts that are ended by hand who did.
  void note_stop();
  /// Until the next look. The files that jobs write announce themselves to nobody: they are looked for more
  /// often while much happens, less often the more they are.
  [[nodiscard]] double pause_s() const;
  /// Ends what a lost attempt left on this host, before anything else runs on its cores, and says so.
  [[nodiscard]] std::string end_what_it_left(const RunningStep& step) const;
  Result<AttemptRecord> collected(std::size_t work, const AttemptPlace& place);
  /// The same of an attempt that may be in the store already.
  Result<AttemptRecord> collected_before(std::size_t work, const AttemptPlace& place);
  /// Records an ended attempt: in the store, then in the journal.
  Result<void> record(const AttemptPlace& place, const AttemptRecord& attempt);
  /// Whether both have it. One that a crash kept out of the journal is to be recorded again; one of an older
  /// version is left as it is.
  [[nodiscard]] Result<bool> is_recorded(const AttemptPlace& place) const;
  [[nodiscard]] std::vector<int> pool_places(const std::vector<std::string>& hosts) const;
  [[nodiscard]] int steps_running() const;
  [[nodiscard]] Event event_of(Event::Kind kind, std::size_t work, int attempt) const;
  void tell(Event event) const;
  /// Says where the campaign stands, if that was not said just now.
  void beat();
  [[nodiscard]] std::vector<CaseProgress> case_progress() const;
  void stand_jobs(std::vector<CaseProgress>& known_nodes) const;
  [[nodiscard]] std::string waits_for(std::size_t work, std::string_view alone) const;
  void tell(Event::Kind kind, std::size_t work, int attempt) const { tell(event_of(kind, work, attempt)); }

  void tell_start(const RunningJob& running, RunningStep& step);
  void tell_waiting(RunningJob& running, const JobState& job_state) const;
  void tell_running();
  /// Says that the scheduler does not answer, once until it does.
  void tell_silent(std::string words);

  /// What a case says of the stages above its own.
  struct Objection {
    std::size_t work = 0;
    std::string why;
    bool by_somebody = false;  ///< who cancelled it: its node did nothing
    std::string node;          ///< that failed alone; empty: none did
    bool heeded = false;
  };
  static constexpr double calm_s = 0.2;  ///< between two beats at least

  CampaignRecord campaign_;
  fs::path folder_;
  CampaignLock lock_;
  Database database_;
  Journal journal_;
  const EngineOptions& options_;
  std::unique_ptr<Scheduler> scheduler_;
  SchedulerTraits traits_;
  std::vector<std::string> pool_;        ///< nodes by name
  std::vector<SchedulerNode> nodes_;     ///< the same, as the scheduler last saw them
  std::map<int, std::string> told_out_;  ///< why nodes are left out, as it was told
  double ask_nodes_at_s_ = 0;
  std::tuple<double, int, std::size_t> down_judged_;  ///< what `exclude_down` last looked at
  double nodes_asked_s_ = 0;                          ///< when `nodes_` was true
  std::map<int, double> down_since_s_;  ///< when nodes were first seen down, by the steady clock
  bool silent_ = false;                 ///< the scheduler did not answer, and that was told
  Dispatcher dispatcher_;
  std::vector<std::set<int>> lost_;         ///< attempts that the machine failed, by case
  std::vector<CaseState> ends_;             ///< how each case ended; waiting: it has not
  std::vector<double> spent_s_;             ///< wall time of the attempts that ended, by case
  double node_wait_s_ = 0;                  ///< that a node which is down is waited for
  std::map<std::size_t, int> attempts_;     ///< the last attempt of each case
  std::deque<ReadyJob> ready_;              ///< jobs that wait for room in the queue
  std::deque<ReadyJob> put_off_;            ///< jobs that were refused for an unknown reason
  std::set<std::string> lasting_refusals_;  ///< words of such refusals that lasted, since a job was taken
  std::optional<RunningJob> unsure_;        ///< a job that may have got there though nobody answered
  int not_adopted_ = 0;                     ///< jobs of earlier executions of which nothing is known yet
  std::vector<RunningJob> running_;
  std::set<std::string> adopted_;                        ///< jobs of earlier executions
  std::map<std::string, std::set<std::string>> blames_;  ///< jobs, by node
  std::vector<Objection> objections_;
  int last_stage_ = 0;  ///< of all cases
  int next_job_ = 1;
  double last_end_s_ = 0;
  double hold_until_s_ = 0;
  double heard_s_ = steady_s();  ///< when a job last said something
  double told_running_s_ = 0;
  int lost_in_a_row_ = 0;
  int heeded_ = 0;
  bool ending_ = false;
  bool end_unheard_ = false;    ///< the scheduler did not answer when it was asked to end jobs
  bool cancelled_ = false;      ///< `shakedown cancel` asked for the end
  bool stopping_told_ = false;  ///< of that or an interrupt
  const double since_s_ = steady_s();
  double beaten_s_ = 0;          ///< when it was last said where the campaign stands
  mutable bool changed_ = true;  ///< something was told since
  MeasuredScreens screens_;
};

}  // namespace shakedown
