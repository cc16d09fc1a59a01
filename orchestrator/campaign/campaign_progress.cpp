#include "orchestrator/campaign/campaign_progress.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {
namespace {

RunningCase running_case(const CaseProgress& each) {
  RunningCase running;
  running.id = each.planned->id;
  running.number = each.number;
  running.attempt = each.attempt;
  running.nodes = each.planned->nodes;
  running.job = each.job;
  running.hosts = each.hosts;
  running.elapsed_s = each.elapsed_s;
  running.time_limit_s = each.planned->time_limit_s;
  if (const Prediction* predicted = predicted_wall_time(*each.planned);
      predicted != nullptr && predicted->value > 0) {
    running.predicted_s = predicted->value;
    running.predicted_high_s = std::max(predicted->value, predicted->high);
  }
  return running;
}

/// Collects equal reasons.
class Waits {
 public:
  void add(const CaseProgress& each) {
    const bool queued = each.state == CaseState::queued;
    const auto [it, fresh] = places_.try_emplace({queued, each.waits_for}, groups_.size());
    if (fresh) {
      groups_.push_back(
          {each.waits_for, queued, 0, 0, each.number, each.planned->id, each.job, each.start_s});
      jobs_.emplace_back();
    }
    WaitingCases& group = groups_[it->second];
    ++group.cases;
    if (!each.job.empty()) jobs_[it->second].insert(each.job);
    group.jobs = static_cast<int>(jobs_[it->second].size());
    if (each.start_s && (!group.start_s || *each.start_s < *group.start_s)) group.start_s = each.start_s;
  }

  std::vector<WaitingCases> groups() && { return std::move(groups_); }

 private:
  std::vector<WaitingCases> groups_;
  std::vector<std::set<std::string>> jobs_;
  std::map<std::pair<bool, std::string>, std::size_t> places_;
};

}  // namespace

double RunningCase::expected_s() const {
  return elapsed_s > predicted_s ? predicted_high_s : predicted_s;
}

double RunningCase::past_s() const {
  const double past_s = elapsed_s - predicted_high_s;
  return predicted_s > 0 && past_s >= 1 ? past_s : 0;
}

CampaignProgress campaign_progress(std::span<const CaseProgress> cases, int nodes) {
  CampaignProgress progress;
  progress.cases = static_cast<int>(cases.size());
  progress.node_hours = node_hours(cases);
  progress.time_left = time_left(cases, nodes);
  Waits waits;
  for (const CaseProgress& each : cases) switch (each.state) {
      case CaseState::waiting:
      case CaseState::queued:
        ++progress.waiting;
        waits.add(each);
        break;
      case CaseState::running:
        progress.running.push_back(running_case(each));
        break;
      case CaseState::done:
        ++progress.done;
        break;
      case CaseState::failed:
        ++progress.failed;
        break;
      case CaseState::not_run:
        ++progress.not_run;
        break;
    }
  progress.waits = std::move(waits).groups();
  std::ranges::sort(progress.running, [](const RunningCase& a, const RunningCase& b) {
    return std::pair(-a.elapsed_s, a.number) < std::pair(-b.elapsed_s, b.number);
  });
  return progress;
}

std::string stage_reason(const Case& planned, int open_stage) {
  if (planned.stage == open_stage) return "the reference runs (GEMM, STREAM) come first";
  return fmt::format("stage {} waits for stage {}", planned.stage, open_stage);
}

// What `status` knows of each case, for a watcher.
namespace {

/// An attempt that the user or the machine ended is followed by another; one that ended by itself is not.
CaseState state_of(const CaseStatus& status) {
  if (status.state == "running" || status.state == "unknown") return CaseState::running;
  if (status.state == "queued") return CaseState::queued;
  if (status.state == "not-run") return CaseState::not_run;
  if (status.state == to_string(AttemptState::finished) || status.state == to_string(AttemptState::imported))
    return status.failed ? CaseState::failed : CaseState::done;
  const bool lost_for_good = status.state == to_string(AttemptState::lost) && status.failed;
  if (lost_for_good || status.state == to_string(AttemptState::timed_out)) return CaseState::failed;
  return CaseState::waiting;
}

}  // namespace

std::vector<CaseProgress> case_progress(const std::vector<CaseStatus>& statuses,
                                        const CampaignRecord& campaign, bool running) {
  std::vector<CaseProgress> all;
  int open = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const CaseStatus& status = statuses[i];
    const Case& planned = campaign.cases[i].planned;
    CaseProgress& each = all.emplace_back();
    each.planned = &planned;
    each.number = static_cast<int>(i) + 1;
    each.state = state_of(status);
    each.attempt = status.attempt;
    each.spent_s = status.spent_s;
    each.job = status.job;
    each.hosts = status.hosts;
    each.start_s = status.start_s;
    if (each.state == CaseState::running) each.elapsed_s = status.elapsed_s;
    if (each.state == CaseState::queued) each.waits_for = status.text;
    const bool ended =
        each.state == CaseState::done || each.state == CaseState::failed || each.state == CaseState::not_run;
    if (!ended) open = std::min(open, stage_order(planned));
  }
  for (CaseProgress& each : all) {
    if (each.state != CaseState::waiting) continue;
    if (!running)
      each.waits_for = "not running; continue with `shakedown resume`";
    else if (stage_order(*each.planned) > open)
      each.waits_for = stage_reason(*each.planned, stage_of(open));
    else if (runs_here(campaign.scheduler))
      each.waits_for = "this machine runs one case at a time";
    else
      each.waits_for = each.planned->nodes == 1 ? std::string("an idle node")
                                                : fmt::format("{} idle nodes", each.planned->nodes);
  }
  return all;
}

namespace {

constexpr double hour_s = 3600;

bool is_open(const CaseProgress& each) {
  return each.state == CaseState::waiting || each.state == CaseState::queued ||
         each.state == CaseState::running;
}

/// How long a case still takes.
struct Rest {
  double seconds = 0;
  bool known = false;
  bool at_most = false;
  bool overdue = false;
};

Rest rest_of(const CaseProgress& each) {
  const Prediction* predicted = predicted_wall_time(*each.planned);
  const bool is_predicted = predicted != nullptr && predicted->value > 0;
  const double whole_s = is_predicted ? predicted->value : each.planned->time_limit_s;
  const double elapsed_s = each.state == CaseState::running ? each.elapsed_s : 0;
  return {std::max(0.0, whole_s - elapsed_s), whole_s > 0, !is_predicted && whole_s > 0,
          is_predicted && elapsed_s > std::max(predicted->value, predicted->high)};
}

/// The remaining work of a stage.
struct Load {
  double area_s = 0;  ///< nodes x time
  double longest_s = 0;
  double alone_s = 0;
};

/// Seconds since 1970; 0: there is no such file.
double changed_s(const std::filesystem::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 ? static_cast<double>(status.st_mtime) : 0;
}

}  // namespace

NodeHours node_hours(std::span<const CaseProgress> cases) {
  NodeHours hours;
  for (const CaseProgress& each : cases) {
    const int nodes = each.planned->nodes;
    const double running_s = each.state == CaseState::running ? each.elapsed_s : 0;
    hours.spent += nodes * (each.spent_s + running_s) / hour_s;
    if (!is_open(each)) continue;
    const Rest rest = rest_of(each);
    hours.left += nodes * rest.seconds / hour_s;
    hours.at_most = hours.at_most || rest.at_most;
    if (!rest.known) ++hours.unknown;
  }
  return hours;
}

TimeLeft time_left(std::span<const CaseProgress> cases, int nodes) {
  TimeLeft left;
  std::map<int, Load> stages;
  for (const CaseProgress& each : cases) {
    if (!is_open(each)) continue;
    const Case& planned = *each.planned;
    const Rest rest = rest_of(each);
    left.at_most = left.at_most || rest.at_most;
    if (!rest.known) ++left.unknown;
    if (rest.overdue) ++left.overdue;
    Load& load = stages[2 * planned.stage + (is_screen(planned) ? 0 : 1)];
    if (find_prediction(planned, "bytes_written") != nullptr) {
      load.alone_s += rest.seconds;
      continue;
    }
    load.area_s += std::min(planned.nodes, nodes) * rest.seconds;
    load.longest_s = std::max(load.longest_s, rest.seconds);
  }
  for (const auto& [stage, load] : stages)
    left.seconds += std::max(load.longest_s, load.area_s / std::max(1, nodes)) + load.alone_s;
  return left;
}

double ended_wall_s(const std::filesystem::path& attempt_folder) {
  if (const auto finished = read_finished(attempt_folder)) return wall_s(*finished);
  const auto started = read_started(attempt_folder);
  if (!started || started->abandoned || started->started_s <= 0) return 0;
  double last_s = started->started_s;
  for (const char* log : {"stdout.log", "stderr.log"})
    last_s = std::max(last_s, changed_s(attempt_folder / log));
  return last_s - started->started_s;
}

}  // namespace shakedown
