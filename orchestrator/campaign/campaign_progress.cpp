#include "orchestrator/campaign/campaign_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

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

double RunningCase::past_s() const {
  return predicted_s > 0 ? std::max(0.0, elapsed_s - predicted_high_s) : 0;
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
  if (planned.stage == open_stage) return "the screens come first";
  return fmt::format("stage {} waits for stage {}", planned.stage, open_stage);
}

}  // namespace shakedown
