#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "orchestrator/plan/site.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Something that happened in a campaign, for whoever watches it.
struct Event {
  enum class Kind {
    case_started,      ///< an attempt was started or adopted
    case_running,      ///< it still runs; every `heartbeat_s`
    case_ended,        ///< its attempt was collected
    case_skipped,      ///< an earlier attempt has finished it
    case_again,        ///< it was failed by the machine, or disturbed: another attempt follows; `text`: why
    calm_awaited,      ///< it does not begin while this machine is disturbed; `text`: by whom, how long
    repeat_given_up,   ///< a disturbed case is not measured again; `text`: what still disturbs
    case_given_up,     ///< it will not run; `text`: why
    case_replanned,    ///< it replaces one for which too few nodes remain; `text`: why
    job_submitted,     ///< `text`: the scheduler's name for it
    job_waiting,       ///< the scheduler has not started it; `text`: its reason
    job_refused,       ///< the scheduler did not take it; `text`: its words, and what follows
    node_excluded,     ///< `hosts` gets no more work; `text`: why
    node_unavailable,  ///< the scheduler gives `hosts` no jobs; `text`: why
    scheduler_silent,  ///< it does not answer: `text` is its last word; it is asked again
    interrupted,       ///< the user asked to stop; `text`: what continues, what ends, what Ctrl-C again does
    heartbeat,         ///< `progress`: every `heartbeat_s`, and soon after anything else
  };
  Kind kind = Kind::case_started;
  const Case* planned = nullptr;  ///< null: of no case
  int number = 0;                 ///< of the case in the plan, from 1
  int of = 0;                     ///< cases in the plan
  int attempt = 0;
  bool adopted = false;
  double elapsed_s = 0;
  const AttemptRecord* ended = nullptr;  ///< of case_ended
  std::string job;                       ///< "job-7"; empty: of none
  std::string hosts;                     ///< hostlist of the attempt or job; empty: not reported
  std::string text;
  int running = 0;                             ///< attempts that run now
  const CampaignProgress* progress = nullptr;  ///< of heartbeat
  const CampaignRecord* campaign = nullptr;    ///< in which it happened; without attempts
};
std::string_view to_string(Event::Kind kind);

/// How long the engine waits before it asks or decides something again, in seconds.
struct EnginePauses {
  double hold_s = 30;             ///< before a queue that took no job is given one again
  double nodes_s = 60;            ///< between two questions about nodes
  double settle_s = 10;           ///< that a shared file system may take to show what a job wrote last
  double second_interrupt_s = 2;  ///< for a second Ctrl-C, before jobs continue in the batch system
  double given_back_s = 5;  ///< that the nodes of a job of ours which ended may take until they are idle
  double fresh_s = 5;       ///< that an answer about nodes is good enough for a job on many of them
  double shared_s = 120;    ///< that a job on many nodes may wait for some of them before it is divided
  double refused_s =
      900;               ///< that a job is offered again which the queue rejects though none of ours is there
  double refusal_s = 5;  ///< before a job is offered again that was refused for an unknown reason; then twice
  double refusal_most_s = 120;  ///< as long each time, up to this
  /// That a node which is down is waited for; none: as the site states.
  std::optional<double> down_s{};  // NOLINT(readability-redundant-member-init)
};

struct EngineOptions {
  Layout layout;
  double heartbeat_s = 1;
  EnginePauses pauses{};                       // NOLINT(readability-redundant-member-init)
  int attempts_max = 3;                        ///< of a case, where the machine fails them
  double silence_s = 600;                      ///< after which an attempt without news is asked about
  std::map<std::string, std::string> lacking;  ///< why cases can't run in this execution, by their ids
  std::function<void(const Event&)> listener;
  LockOptions lock;  ///< how campaign and store are taken
  /// Renews a lock that the caller holds beside the campaign; null: nothing. Its failure ends the execution
  /// over the campaign as the loss of the campaign itself does.
  std::function<Result<void>()> renew_lock;
  /// Plans a campaign again without some nodes; null: `planned_again`.
  std::function<Result<std::vector<Case>>(const CampaignRecord&, const std::vector<std::string>& without)>
      replan;
};

/// How an execution over a campaign ended.
struct ExecutionEnd {
  bool interrupted = false;
  int signal = 0;           ///< of the interrupt
  int jobs_continuing = 0;  ///< that go on without us
};

/// What goes on beside a campaign while it runs; null: nothing.
struct CampaignWatch {
  std::function<void(const Event&)> beat;    ///< every second or so
  std::function<Result<void>()> renew_lock;  ///< of a lock; its failure ends the run, see `EngineOptions`
};

/// How running a campaign ended.
struct CampaignRun {
  ExecutionEnd end;
  bool began = true;        ///< false: the user stopped the look at its nodes, before any case
  std::size_t lacking = 0;  ///< cases that did not run because the preflight found something missing
};

/// Stores a new campaign: its folder first, then its rows. Returns its id. Fails (environment) where another
/// process has the store alone.
Result<std::string> start_campaign(const Workspace& workspace, CampaignRecord campaign,
                                   const LockOptions& lock = {});

/// Runs the remaining cases of a campaign: adopts running jobs, collects ended ones, starts the rest, in
/// parallel where nodes allow. The same call starts and resumes. SIGINT and SIGTERM end the running jobs of
/// this machine and let those of a batch system continue; the campaign stays resumable. A second one kills at
/// once. Fails (environment) if another orchestrator has the campaign, or has taken it over from this one,
/// which gave no sign of life for too long: jobs then go on, and nothing more is written.
Result<ExecutionEnd> run_campaign(const Workspace& workspace, const std::string& id,
                                  const EngineOptions& options);

inline constexpr const char* default_baseline = "sakuraone";  ///< of published values

/// A campaign to be started: what `quick` and `run` have in hand.
struct NewCampaign {
  Plan plan;
  Inventory inventory;
  std::string kind;           ///< "screening" or "acceptance"
  std::string criteria_name;  ///< file name; empty: none
  std::string criteria_text;
  std::string baseline;     ///< "sakuraone"; empty: none
  std::string config_text;  ///< the configuration that the plan comes from; empty: none
  Site site;                ///< what that states of the site
  std::string planned_by;   ///< the options of the plan (`plan_options_json`); empty: it was given
  /// Of its variables, as far as the configuration has their values.
  std::vector<Secret> secrets{};  // NOLINT(readability-redundant-member-init)
};

/// The batch system that gets the jobs: the one the site names, else this machine, or Slurm if the plan names
/// other hosts. The scheduler `local` runs on this machine only: a value of another machine must not come
/// from here.
Result<std::string> chosen_scheduler(const NewCampaign& wanted);

/// Stores the campaign in the workspace, with its secrets; its id. `lock`: how the store is taken.
Result<std::string> stored_campaign(NewCampaign campaign, const Workspace& workspace,
                                    const LockOptions& lock);

}  // namespace shakedown
