#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/dispatcher.hpp"
#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// A campaign that this process alone may change.
struct OpenCampaign {
  CampaignRecord record;
  std::filesystem::path folder;
  CampaignLock lock;
  Database database;
  Journal journal;
};

/// What an execution works on: `Execution` owns it, its parts have it by reference.
struct ExecutionContext {
  ExecutionContext(OpenCampaign open, const EngineOptions& engine_options,
                   std::unique_ptr<Scheduler> its_scheduler);

  [[nodiscard]] const Case& planned(std::size_t work) const { return campaign.cases[work].planned; }
  /// The place of a case in the plan; that of none: behind all.
  [[nodiscard]] std::size_t work_of(std::string_view case_id) const;
  /// The places in the pool of those of `hosts` that are in it.
  [[nodiscard]] std::vector<int> pool_places(const std::vector<std::string>& hosts) const;
  [[nodiscard]] const std::string& host(int place) const { return pool[static_cast<std::size_t>(place)]; }
  /// Jobs of a batch system go on without us.
  [[nodiscard]] bool outlives_us() const { return traits.outlives_us; }
  /// Somebody wants the end.
  [[nodiscard]] bool stopping() const;
  /// So, and jobs go on: the scheduler is asked nothing any more.
  [[nodiscard]] bool leaving() const { return stopping() && outlives_us() && !ending; }
  /// Renews the campaign's lock; called before each action that only one orchestrator may take. Fails where
  /// another orchestrator holds it.
  Result<void> renew_lock();

  CampaignRecord campaign;
  std::filesystem::path folder;
  CampaignLock lock;
  Database database;
  Journal journal;
  const EngineOptions& options;
  std::unique_ptr<Scheduler> scheduler;
  SchedulerTraits traits;
  std::vector<std::string> pool;  ///< nodes by name
  Dispatcher dispatcher;
  std::vector<RunningJob> running;  ///< jobs that were submitted
  bool cancelled = false;           ///< `shakedown cancel` asked for the end
  bool ending = false;              ///< jobs are asked to end
};

}  // namespace shakedown
