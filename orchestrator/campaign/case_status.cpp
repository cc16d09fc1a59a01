#include "orchestrator/campaign/case_status.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/parallel.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {
namespace {

constexpr const char* request_file = "cancel";

/// The attempts of a case, and what the last one recorded; read once, since a campaign can have thousands.
struct CaseFiles {
  std::vector<int> attempts;
  AttemptPlace place;  ///< of the last; index 0: there is none
  std::optional<Finished> finished;
  // Of one that recorded no end:
  std::optional<Started> started;
  std::optional<JobState> recorded;  ///< what the scheduler reported of its end

  [[nodiscard]] bool began() const { return started && !started->abandoned; }
};

std::vector<CaseFiles> read_attempts(const std::filesystem::path& folder, const CampaignRecord& campaign) {
  std::vector<CaseFiles> all(campaign.cases.size());
  for_each_index(all.size(), usable_cpus(), [&](std::size_t i) {
    const Case& planned = campaign.cases[i].planned;
    CaseFiles& each = all[i];
    each.attempts = attempts_in(folder / planned.id);
    each.place = {folder, &planned, each.attempts.empty() ? 0 : each.attempts.back()};
    if (each.place.index == 0 || !planned.origin.empty()) return;
    const std::filesystem::path of_last = each.place.folder();
    each.finished = read_finished(of_last);
    if (each.finished) return;
    each.started = read_started(of_last);
    each.recorded = recorded_job_state(of_last);
  });
  return all;
}

/// Why the commands of a campaign's scheduler are not executed; empty: they may be. The folder may be of
/// others, and asking for a state must not execute what they name: a template is the caller's or root's,
/// nobody else can write to it, and it did not come with the workspace.
std::string distrust(const std::string& scheduler, const fs::path& folder) {
  if (!scheduler.ends_with(".toml")) return {};
  std::error_code code;
  const fs::path file = fs::canonical(scheduler, code);
  struct stat info = {};
  if (code || ::stat(file.c_str(), &info) != 0) return scheduler + " is not there";
  const auto refused = [&](std::string_view why) {
    return fmt::format("{} is not executed: it {}", scheduler, why);
  };
  const fs::path within = file.lexically_relative(fs::canonical(folder.parent_path().parent_path(), code));
  if (!within.empty() && *within.begin() != "..") return refused("lies in the workspace");
  if (info.st_uid != 0 && info.st_uid != ::geteuid()) return refused("belongs to another user");
  const bool of_own_group = info.st_gid == ::getegid();
  if ((info.st_mode & S_IWOTH) != 0 || ((info.st_mode & S_IWGRP) != 0 && !of_own_group))
    return refused("can be written by other users");
  return {};
}

/// A campaign's scheduler; null where it can't be had here.
std::unique_ptr<Scheduler> scheduler_of(const CampaignRecord& campaign, const Layout& layout) {
  auto made = make_scheduler(campaign.scheduler, {campaign.site, layout});
  return made ? *std::move(made) : nullptr;
}

/// Where the jobs of a campaign are; all are asked about in one go.
class Jobs {
 public:
  Jobs(const std::filesystem::path& folder, const CampaignRecord& campaign, const Layout& layout,
       Result<JobBook> book)
      : folder_(folder),
        distrust_(distrust(campaign.scheduler, folder)),
        scheduler_(distrust_.empty() ? scheduler_of(campaign, layout) : nullptr) {
    if (book) book_ = *std::move(book);
    if (auto journal = read_journal(folder)) journal_ = *std::move(journal);
  }

  /// Why the scheduler is not asked; empty: it is.
  [[nodiscard]] const std::string& distrust_text() const { return distrust_; }
  [[nodiscard]] bool outlive_us() const { return scheduler_ && scheduler_->traits().outlives_us; }
  JobSeat seat(const AttemptPlace& place) { return book_.seat(place); }
  [[nodiscard]] std::string known_as(const std::string& job) const {
    const auto it = journal_.known_as.find(job);
    return it == journal_.known_as.end() ? "" : it->second;
  }

  /// Asks about the jobs of these attempts, once. Jobs that were made since the others were read are read
  /// now.
  void expect(std::span<const CaseFiles* const> attempts) {
    if (!outlive_us()) return;
    if (!std::ranges::all_of(attempts, [&](const CaseFiles* each) { return book_.has(each->place); }))
      if (auto book = known_jobs(folder_)) book_ = *std::move(book);
    std::map<std::string, KnownJob> open;
    for (const CaseFiles* each : attempts) {
      const Job* job = book_.seat(each->place).job;
      open.emplace(job->id, KnownJob{job, known_as(job->id)});
    }
    std::vector<KnownJob> known;
    known.reserve(open.size());
    for (auto& [id, each] : open) known.push_back(std::move(each));
    if (!known.empty()) silent_ = !scheduler_->expect(known);
  }

  /// Empty: the scheduler does not answer.
  std::optional<JobState> state(const Job& job) {
    if (!scheduler_ || silent_) return std::nullopt;
    const auto known = states_.find(job.id);
    if (known != states_.end()) return known->second;
    std::optional<JobState>& found = states_[job.id];
    if (scheduler_->adopt(job, known_as(job.id))) found = scheduler_->state(job, false);
    return found;
  }

  /// Whether something was wrong with an attempt when it was collected.
  [[nodiscard]] bool has_failed(const std::string& case_id, int attempt) const {
    return journal_.failures.contains({case_id, attempt});
  }
  /// What that was; empty: nothing.
  [[nodiscard]] std::string failure(const std::string& case_id, int attempt) const {
    const auto it = journal_.failures.find({case_id, attempt});
    return it == journal_.failures.end() ? std::string() : it->second;
  }

  /// Of a case whose attempt ended and has lost its files: that attempt, and how it ended.
  [[nodiscard]] std::optional<std::pair<AttemptPlace, AttemptState>> files_missing(
      const CaseFiles& last) const {
    const Case& planned = *last.place.planned;
    const auto ended = journal_.ended_for_good(planned.id);
    if (!ended) return std::nullopt;
    const AttemptPlace place{last.place.campaign_folder, &planned, journal_.intended.at(planned.id)};
    if (const auto finished =
            place.index == last.place.index ? last.finished : read_finished(place.folder())) {
      // Without its logs what ran looks as if it had never started.
      if (is_done(ended_state(place, *finished))) return std::nullopt;
    }
    return std::pair(place, *ended);
  }

  Result<void> end(const Job& job) { return scheduler_->end(job, /*at_once=*/false); }

 private:
  std::filesystem::path folder_;
  std::string distrust_;
  std::unique_ptr<Scheduler> scheduler_;
  JobBook book_;
  JournalContent journal_;
  std::map<std::string, std::optional<JobState>> states_;
  bool silent_ = false;  ///< it did not answer: it is not asked once for each job
};

/// Attempts whose end neither they nor their scheduler reported.
std::vector<const CaseFiles*> open_attempts(std::span<const CaseFiles> all) {
  std::vector<const CaseFiles*> open;
  for (const CaseFiles& each : all)
    if (each.place.index != 0 && each.place.planned->origin.empty() && !each.finished && !each.recorded &&
        !(each.started && each.started->abandoned))
      open.push_back(&each);
  return open;
}

/// An attempt without a last word whose job is gone. What had its time or its memory is not tried again.
void is_gone(CaseStatus& status, bool began, const JobState& job_state) {
  const AttemptState end = job_state.end == JobEnd::cancelled ? AttemptState::cancelled : AttemptState::lost;
  status.state = began ? to_string(end) : "waiting";
  status.elapsed_s = 0;
  if (!began) return;
  if (job_state.end != JobEnd::unknown) status.text = end_text(job_state);
  if (!job_state.failed_nodes.empty()) status.text += ": " + folded_hostlist(job_state.failed_nodes);
  status.failed = job_state.end == JobEnd::timed_out || job_state.end == JobEnd::out_of_memory;
}

/// The state of an attempt that has not recorded its end.
void ask(CaseStatus& status, const CaseFiles& last, Jobs& jobs) {
  const auto& started = last.started;
  const bool began = started.has_value() && last.began();
  if (began) status.elapsed_s = now_s() - started->started_s;
  if (!jobs.distrust_text().empty()) {
    status.state = "unknown";
    status.text = jobs.distrust_text();
    return;
  }
  if (!jobs.outlive_us()) {
    if (began && started_where(*started) == StartedWhere::elsewhere) {
      status.state = "unknown";
      status.text =
          fmt::format("it ran on {}, or in a container there: not visible from here", started->host);
      return;
    }
    status.state = began && is_alive(*started) ? "running" : began ? "lost" : "waiting";
    if (status.state != "running") status.elapsed_s = 0;
    return;
  }
  if (started && started->abandoned) return;  // it never will begin
  const JobSeat seat = jobs.seat(last.place);
  status.job = jobs.known_as(seat.job->id);
  status.hosts = folded_hostlist(seat.lane->hosts);
  if (last.recorded) return is_gone(status, began, *last.recorded);
  const auto job_state = jobs.state(*seat.job);
  if (!job_state) {
    status.state = "unknown";
    status.text = "its scheduler does not answer here";
  } else if (job_state->phase == JobState::Phase::gone) {
    is_gone(status, began, *job_state);
  } else if (began) {
    status.state = "running";
  } else {
    status.state = "queued";
    status.text = job_state->phase == JobState::Phase::pending ? job_state->reason
                                                               : "other cases run before it in its job";
    status.start_s = job_state->start_s;
  }
}

CaseStatus status_of(const CaseRecord& record, const CaseFiles& last, Jobs& jobs) {
  const Case& planned = record.planned;
  CaseStatus status;
  status.id = planned.id;
  status.attempt = last.place.index;
  status.state = "waiting";
  if (const auto missing = jobs.files_missing(last)) {
    status.attempt = missing->first.index;
    status.state = to_string(AttemptState::lost);
    status.failed = true;
    status.text = missing_files_text(missing->first, missing->second);
  } else if (status.attempt > 0 && !planned.origin.empty()) {
    status.state = to_string(AttemptState::imported);
  } else if (status.attempt > 0) {
    if (const auto& finished = last.finished) {
      status.state = to_string(ended_state(last.place, *finished));
      status.elapsed_s = finished->wall_s;
      status.failed = status.state == to_string(AttemptState::timed_out) || finished->signal ||
                      finished->exit_code.value_or(0) != 0 || jobs.has_failed(planned.id, status.attempt);
      status.text = jobs.failure(planned.id, status.attempt);
    } else {
      ask(status, last, jobs);
      if (status.state == to_string(AttemptState::lost) && stop_note_of(last.place.folder()))
        status.state = to_string(AttemptState::cancelled);
    }
  }
  for (const int k : last.attempts)
    if (k < status.attempt || (status.state != "running" && status.state != "unknown"))
      status.spent_s += k == last.place.index && last.finished
                            ? wall_s(*last.finished)
                            : ended_wall_s(AttemptPlace{last.place.campaign_folder, &planned, k}.folder());
  // It was given up, be it after attempts that came to nothing or failed.
  const bool without_end = status.state == "waiting" || (last.finished && status.failed) ||
                           status.state == to_string(AttemptState::interrupted) ||
                           status.state == to_string(AttemptState::cancelled) ||
                           (status.state == to_string(AttemptState::lost) && !status.failed);
  if (!record.not_run.empty() && without_end) {
    status.state = "not-run";
    status.text = record.not_run + (status.failed && !status.text.empty()
                                        ? fmt::format("; attempt {}: {}", status.attempt, status.text)
                                        : "");
    status.failed = false;
  }
  return status;
}

/// Adds to a case that failed that its node was excluded.
void name_exclusion(CaseStatus& status, const Case& planned, const CampaignRecord& campaign) {
  const auto& all = campaign.exclusions;
  if (!status.failed || std::ranges::find(all, planned.hosts, &Exclusion::node) == all.end()) return;
  status.text += fmt::format("{}{} is excluded", status.text.empty() ? "" : "; ", planned.hosts);
}

}  // namespace

std::vector<CaseStatus> case_statuses(const std::filesystem::path& given, const CampaignRecord& campaign,
                                      const Layout& layout) {
  return case_statuses(given, campaign, layout, known_jobs(settled_folder(given)));
}

std::vector<CaseStatus> case_statuses(const std::filesystem::path& given, const CampaignRecord& campaign,
                                      const Layout& layout, Result<JobBook> known) {
  const std::filesystem::path folder = settled_folder(given);
  Jobs jobs(folder, campaign, layout, std::move(known));
  std::vector<CaseFiles> attempts = read_attempts(folder, campaign);
  jobs.expect(open_attempts(attempts));
  std::vector<CaseStatus> statuses;
  statuses.reserve(campaign.cases.size());
  for (std::size_t i = 0; i < campaign.cases.size(); ++i) {
    CaseFiles& last = attempts[i];
    CaseStatus& status = statuses.emplace_back(status_of(campaign.cases[i], last, jobs));
    const bool goes_on = status.state == "running" || status.state == "queued" || status.state == "unknown";
    if (last.finished || last.place.index == 0 || goes_on) continue;
    // It may have ended after its files were read, and before its job was asked about.
    last.finished = read_finished(last.place.folder());
    if (last.finished) status = status_of(campaign.cases[i], last, jobs);
  }
  for (std::size_t i = 0; i < statuses.size(); ++i)
    name_exclusion(statuses[i], campaign.cases[i].planned, campaign);
  return statuses;
}

std::string missing_files_text(const AttemptPlace& place, AttemptState ended) {
  std::filesystem::path gone = place.folder();
  for (const char* name : {"stderr.log", "stdout.log", "finished.json"}) {
    std::error_code code;
    if (!std::filesystem::exists(place.folder() / name, code)) gone = place.folder() / name;
  }
  return fmt::format(
      "its files are missing: attempt {} ended ({}), and {} is gone. It is not run again: restore that "
      "folder from a backup, or run the case in a new campaign",
      place.index, to_string(ended), gone.string());
}

Result<int> end_jobs(const std::filesystem::path& given, const CampaignRecord& campaign, const Layout& layout,
                     const StopNote& by) {
  const std::filesystem::path folder = settled_folder(given);
  Jobs jobs(folder, campaign, layout, known_jobs(folder));
  std::map<std::string, const Job*> open;
  std::multimap<std::string, std::filesystem::path> begun;  // by job
  const std::vector<CaseFiles> all = read_attempts(folder, campaign);
  const std::vector<const CaseFiles*> attempts = open_attempts(all);
  if (const std::string& why = jobs.distrust_text(); !why.empty() && !attempts.empty())
    return fail_environment(
        campaign.id, why,
        "make the file root's or yours alone (chown, chmod go-w), outside of the workspace");
  jobs.expect(attempts);
  for (const CaseFiles* each : attempts) {
    const auto& started = each->started;
    if (!jobs.outlive_us()) {
      if (!started) continue;
      if (started_where(*started) == StartedWhere::elsewhere)
        return fail_environment(
            each->place.folder().string(),
            fmt::format("process {} on {} cannot be signalled from here", started->pid, started->host),
            "stop it on the machine and as the user that started it");
    }
    const Job* job = jobs.seat(each->place).job;
    open.emplace(job->id, job);
    if (started) begun.emplace(job->id, each->place.folder());
  }
  int ended = 0;
  for (const auto& [id, job] : open) {
    const auto job_state = jobs.state(*job);
    if (!job_state)
      return fail_environment(id, fmt::format("{} does not answer here", campaign.scheduler),
                              "cancel it where the campaign was started");
    if (job_state->phase == JobState::Phase::gone) continue;
    for (auto [at, last] = begun.equal_range(id); at != last; ++at)
      if (auto noted = put_stop_note(at->second, by); !noted) return failure_of(noted);
    if (auto asked = jobs.end(*job); !asked) return failure_of(asked);
    ++ended;
  }
  return ended;
}

Result<void> request_end(const std::filesystem::path& folder, const StopNote& by) {
  return write_file(folder / request_file, stop_note_json(by) + "\n");
}

std::optional<StopNote> end_requester(const std::filesystem::path& folder) {
  const auto text = file_content(folder / request_file);
  return text ? stop_note_from_json(*text) : std::nullopt;
}

bool end_requested(const std::filesystem::path& folder) {
  std::error_code code;
  return std::filesystem::exists(folder / request_file, code);
}

void forget_end_request(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::remove(folder / request_file, code);
}

}  // namespace shakedown
