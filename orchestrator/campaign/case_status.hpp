#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/stop_note.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// A case as its run directory shows it now.
struct CaseStatus {
  std::string id;
  int attempt = 0;    ///< the last; 0: none
  std::string state;  ///< waiting, queued, running, unknown, not-run, or that of an AttemptState
  std::string text;   ///< what it waits for, or why it is not run; empty: nothing to report
  std::string job;    ///< the scheduler's name of its job; empty: none
  std::string hosts;  ///< hostlist of its nodes; empty: not reported
  double elapsed_s = 0;
  bool failed = false;            ///< its program ended with an error, or at its time limit
  double spent_s = 0;             ///< wall time of all its attempts that ended
  std::optional<double> start_s;  ///< when the scheduler expects to start it; seconds since 1970
};

/// The state of each case of a campaign, in the plan's order. The batch system is asked about jobs that have
/// not reported their end; if it does not answer, their state is unknown.
std::vector<CaseStatus> case_statuses(const std::filesystem::path& folder, const CampaignRecord& campaign,
                                      const Layout& layout);
/// With the campaign's jobs as `known_jobs` read them before.
std::vector<CaseStatus> case_statuses(const std::filesystem::path& folder, const CampaignRecord& campaign,
                                      const Layout& layout, Result<JobBook> jobs);

/// The same for a watcher, in the same order. For a case that is not queued it reports what is known from
/// outside: whether its stage has begun, and whether anybody orchestrates the campaign (`running`).
std::vector<CaseProgress> case_progress(const std::vector<CaseStatus>& statuses,
                                        const CampaignRecord& campaign, bool running);

/// That an attempt which ended has lost its files, where they were, and what to do.
std::string missing_files_text(const AttemptPlace& place, AttemptState ended);

/// Ends the jobs of a campaign without an orchestrator, in its batch system or on this host, and notes in
/// their attempts who did: `by`. Returns how many.
Result<int> end_jobs(const std::filesystem::path& folder, const CampaignRecord& campaign,
                     const Layout& layout, const StopNote& by);

/// Asks the campaign's orchestrator, wherever it runs, to end its jobs and to stop; `by` is noted in them.
Result<void> request_end(const std::filesystem::path& folder, const StopNote& by);
/// Whether that was asked.
bool end_requested(const std::filesystem::path& folder);
/// Who asked; nothing if nobody did, or it is not stated.
std::optional<StopNote> end_requester(const std::filesystem::path& folder);
/// Takes the request back: a new execution begins.
void forget_end_request(const std::filesystem::path& folder);

}  // namespace shakedown
