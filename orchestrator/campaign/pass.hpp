#pragma once
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/dispatcher.hpp"
#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/running_job.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// One pass over a campaign: owns what a pass needs and knows where it stands.
class Pass {
 public:
  Pass(CampaignRecord campaign, fs::path folder, Database database, Journal journal,
       const EngineOptions& options, std::unique_ptr<Scheduler> scheduler)
      : campaign_(std::move(campaign)),
        folder_(std::move(folder)),
        database_(std::move(database)),
        journal_(std::move(journal)),
        options_(options),
        scheduler_(std::move(scheduler)),
        traits_(scheduler_->traits()),
        pool_(node_pool(campaign_, traits_)),
        dispatcher_(works_of(campaign_, pool_, traits_), static_cast<int>(pool_.size())),
        lost_(campaign_.cases.size(), 0) {
    for (const CaseRecord& record : campaign_.cases)
      last_stage_ = std::max(last_stage_, record.planned.stage);
  }

  Result<PassEnd> run();

 private:
  [[nodiscard]] const Case& planned(std::size_t work) const { return campaign_.cases[work].planned; }
  [[nodiscard]] bool stopping() const { return cancelled_ || Interrupts::count() > 0; }
  /// Jobs of a batch system go on without us.
  [[nodiscard]] bool leaves() const { return traits_.outlives_us; }

  Result<PassEnd> ended();

  /// What an earlier pass gave up may run in this one, except what another case took the place of.
  Result<void> begin();

  /// Learns what earlier passes left: stores what ended, adopts what runs, gives up what never began.
  Result<void> take_stock();

  /// Stores attempts before the last that the database does not have: they ended long ago.
  Result<void> store_earlier(AttemptPlace place);

  /// An attempt that ended in an earlier pass, or between the two.
  Result<void> settled_before(std::size_t work, const AttemptPlace& place, const Finished& finished);

  /// Takes on a job of an earlier pass; what of it never began never will.
  Result<void> adopt(RunningJob running);
  Result<void> is_of_this_host(const RunningJob& running) const;

  /// The attempts of a job that is gone: some may have said how they ended, the rest is lost or never began.
  Result<void> lost_job(RunningJob& running);

  /// Asks which nodes get jobs at all. Those that get none are left alone until they do.
  Result<void> look_at_nodes();

  /// Turns the dispatcher's lanes into jobs: lanes of one node each share a job where they can begin
  /// together. A node that others hold would keep them all waiting.
  void make_ready();

  /// A case has ended for good; what it says of the stages above it is kept.
  void settle(std::size_t work, const AttemptRecord& attempt);

  /// When a stage begins: a node that failed alone in those below gets no more work, and where nodes failed
  /// together nothing more begins.
  Result<void> pass_gates();

  /// Submits what can begin now.
  Result<void> dispatch();

  /// Prepares a job's folders and hands it to the scheduler. False: the scheduler takes no more now.
  Result<bool> submit(RunningJob& running);

  /// Writes what an attempt needs into its folder, with the command line for the nodes that it got.
  Result<void> prepare(const AttemptPlace& place, const Job& job, const JobLane& lane);

  /// Collects what has ended since it last looked.
  Result<void> look();
  Result<void> look_at(RunningJob& running);

  /// Whether an attempt was ended by somebody else, whom its scheduler may know.
  [[nodiscard]] bool by_others(const RunningJob& running, const Finished& finished) const;

  /// Whether what a job wrote, or did not, gives reason to ask the scheduler about it.
  [[nodiscard]] bool is_silent(RunningJob& running) const;

  /// Stores how an attempt ended and decides what follows.
  Result<void> conclude(RunningJob& running, RunningStep& step, const RunningLane& lane,
                        const JobStanding* standing);

  /// Counts a job against a node, however many of its attempts ended there; the second takes it out.
  Result<void> blame(const std::string& node, const std::string& job, const std::string& because);

  /// Gives a node no more work, in this pass or a later one.
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
  Result<AttemptRecord> collected(std::size_t work, const AttemptPlace& place);
  [[nodiscard]] std::vector<int> pool_places(const std::vector<std::string>& hosts) const;

  /// The nodes that a lane of a job has.
  [[nodiscard]] static std::vector<std::string> hosts_of(const Job& job, const RunningLane& lane);
  [[nodiscard]] int steps_running() const;
  [[nodiscard]] Event event_of(Event::Kind kind, std::size_t work, int attempt) const;
  void tell(Event event) const;
  void tell(Event::Kind kind, std::size_t work, int attempt) const { tell(event_of(kind, work, attempt)); }

  void tell_start(const RunningJob& running, RunningStep& step);
  void tell_waiting(RunningJob& running, const JobStanding& standing) const;
  void tell_running();

  /// What a case says of the stages above its own.
  struct Objection {
    std::size_t work = 0;
    std::string why;
    bool heeded = false;
  };
  static constexpr double hold_s = 30;        ///< before a queue that was full is asked again
  static constexpr double nodes_poll_s = 60;  ///< between two questions about nodes

  CampaignRecord campaign_;
  fs::path folder_;
  Database database_;
  Journal journal_;
  const EngineOptions& options_;
  std::unique_ptr<Scheduler> scheduler_;
  SchedulerTraits traits_;
  std::vector<std::string> pool_;    ///< nodes by name
  std::vector<NodeStanding> nodes_;  ///< the same, as the scheduler last saw them
  double ask_nodes_at_s_ = 0;
  Dispatcher dispatcher_;
  std::vector<int> lost_;                       ///< attempts that the machine failed, by case
  std::map<std::size_t, int> attempts_;         ///< the last attempt of each case
  std::deque<std::vector<RunningLane>> ready_;  ///< jobs that wait for room in the queue
  std::vector<RunningJob> running_;
  std::set<std::string> adopted_;                        ///< jobs of earlier passes
  std::map<std::string, std::set<std::string>> blames_;  ///< jobs, by node
  std::vector<Objection> objections_;
  int last_stage_ = 0;  ///< of all cases
  int next_job_ = 1;
  double last_end_s_ = 0;
  double hold_until_s_ = 0;
  int lost_in_a_row_ = 0;
  int heeded_ = 0;
  bool ending_ = false;
  bool cancelled_ = false;      ///< `shakedown cancel` asked for the end
  bool stopping_told_ = false;  ///< of that or an interrupt
  MeasuredScreens screens_;
};

}  // namespace shakedown
