#include "orchestrator/campaign/node_hours.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/launch/run_directory.hpp"

namespace shakedown {
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

/// What is left of a stage.
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
  if (const auto finished = read_finished(attempt_folder))
    return std::max(0.0,
                    finished->wall_s > 0 ? finished->wall_s : finished->finished_s - finished->started_s);
  const auto started = read_started(attempt_folder);
  if (!started || started->abandoned || started->started_s <= 0) return 0;
  double last_s = started->started_s;
  for (const char* log : {"stdout.log", "stderr.log"})
    last_s = std::max(last_s, changed_s(attempt_folder / log));
  return last_s - started->started_s;
}

}  // namespace shakedown
