#pragma once
#include <functional>
#include <optional>
#include <string>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Something that happened in a campaign, for whoever watches it.
struct Event {
  enum class Kind {
    case_started,  ///< an attempt was started or adopted
    case_running,  ///< it still runs; every `heartbeat_s`
    case_ended,    ///< its attempt was collected
    case_skipped,  ///< an earlier attempt has finished it
    interrupted,   ///< the user asked to stop; the running job is being ended
  };
  Kind kind = Kind::case_started;
  const Case* planned = nullptr;
  int number = 0;  ///< of the case in the plan, from 1
  int of = 0;      ///< cases in the plan
  int attempt = 0;
  bool adopted = false;
  double elapsed_s = 0;
  const AttemptRecord* ended = nullptr;  ///< of case_ended
};
std::string_view to_string(Event::Kind kind);

struct EngineOptions {
  Layout layout;
  double heartbeat_s = 1;
  std::function<void(const Event&)> listener;
};

/// How a pass over a campaign ended.
struct PassEnd {
  bool interrupted = false;
  int signal = 0;  ///< of the interrupt
};

/// Stores a new campaign: its folder first, then its rows. Returns its id.
Result<std::string> start_campaign(const Workspace& workspace, CampaignRecord campaign);

/// Runs what a campaign still lacks: adopts running jobs, collects ended ones, starts the rest in the order
/// of the plan. The same call starts and resumes. SIGINT and SIGTERM end the running job and leave the
/// campaign resumable; a second one kills the job at once.
Result<PassEnd> run_campaign(const Workspace& workspace, const std::string& id, const EngineOptions& options);

}  // namespace shakedown
