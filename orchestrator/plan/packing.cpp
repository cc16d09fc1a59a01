#include "orchestrator/plan/packing.hpp"

#include <algorithm>
#include <queue>

namespace shakedown {

const Prediction* find_prediction(const Case& planned, std::string_view metric) {
  const auto found = std::ranges::find(planned.predicted, metric, &Prediction::metric);
  return found == planned.predicted.end() ? nullptr : &*found;
}

const Prediction* predicted_wall_time(const Case& planned) {
  const Prediction* wall = find_prediction(planned, "wall_time_s");
  return wall != nullptr ? wall : find_prediction(planned, "time_s");
}

std::vector<double> packed(std::span<const JobExtent> jobs, int nodes) {
  struct Running {
    double end_s;
    int nodes;
    bool operator>(const Running& other) const { return end_s > other.end_s; }
  };
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
  std::vector<double> starts;
  double now = 0;
  int free = nodes;
  bool alone = false;
  for (const JobExtent& job : jobs) {
    const int wanted = std::min(job.nodes, nodes);
    while (!running.empty() && (free < wanted || alone || job.alone)) {
      now = std::max(now, running.top().end_s);
      free += running.top().nodes;
      running.pop();
      alone = alone && !running.empty();
    }
    starts.push_back(now);
    running.push({now + job.time_s, wanted});
    free -= wanted;
    alone = job.alone;
  }
  return starts;
}

Price priced(const Plan& plan, int nodes, double node_power_w) {
  Price price;
  price.jobs = static_cast<int>(plan.cases.size());
  std::vector<JobExtent> jobs;
  for (const Case& planned : plan.cases) {
    if (const Prediction* bytes = find_prediction(planned, "bytes_written"))
      price.bytes_written += bytes->value;
    const Prediction* time = predicted_wall_time(planned);
    if (time == nullptr) {
      ++price.unpredicted;
      continue;
    }
    price.node_hours += planned.nodes * time->value / 3600;
    jobs.push_back({planned.nodes, time->value, find_prediction(planned, "bytes_written") != nullptr});
  }
  const std::vector<double> starts = packed(jobs, nodes);
  for (size_t i = 0; i < jobs.size(); ++i)
    price.wall_time_s = std::max(price.wall_time_s, starts[i] + jobs[i].time_s);
  price.energy_kwh = price.node_hours * node_power_w / 1000;
  return price;
}

}  // namespace shakedown
