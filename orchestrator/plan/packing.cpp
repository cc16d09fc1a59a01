#include "orchestrator/plan/packing.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <set>

#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/each_node.hpp"

namespace shakedown {

std::string first_repetition_id(const Case& planned) {
  const std::string ending = fmt::format("-r{}", planned.repetition);
  return planned.repetition > 1 && planned.id.ends_with(ending)
             ? planned.id.substr(0, planned.id.size() - ending.size())
             : planned.id;
}

const Prediction* find_prediction(const Case& planned, std::string_view metric) {
  const auto found = std::ranges::find(planned.predicted, metric, &Prediction::metric);
  return found == planned.predicted.end() ? nullptr : &*found;
}

const Prediction* predicted_wall_time(const Case& planned) {
  const Prediction* wall = find_prediction(planned, "wall_time_s");
  return wall != nullptr ? wall : find_prediction(planned, "time_s");
}

namespace {

/// The nodes at one time, and what runs on them.
class Machine {
 public:
  explicit Machine(int nodes) : nodes_(nodes), free_(nodes) {}

  [[nodiscard]] double now() const { return now_; }
  [[nodiscard]] bool has_room(const JobExtent& job) const {
    return free_ >= wanted(job) && !alone_ && (!job.alone || running_.empty());
  }
  void start(const JobExtent& job) {
    running_.push({now_ + job.time_s, wanted(job)});
    free_ -= wanted(job);
    alone_ = job.alone;
  }
  /// Waits until the next job ends.
  void wait() {
    now_ = std::max(now_, running_.top().end_s);
    free_ += running_.top().nodes;
    running_.pop();
    alone_ = alone_ && !running_.empty();
  }

 private:
  struct Running {
    double end_s;
    int nodes;
    bool operator>(const Running& other) const { return end_s > other.end_s; }
  };
  [[nodiscard]] int wanted(const JobExtent& job) const { return std::min(job.nodes, nodes_); }

  int nodes_;
  int free_;
  double now_ = 0;
  bool alone_ = false;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
};

std::vector<double> in_order(std::span<const JobExtent> jobs, int nodes) {
  Machine machine(nodes);
  std::vector<double> starts;
  for (const JobExtent& job : jobs) {
    while (!machine.has_room(job)) machine.wait();
    starts.push_back(machine.now());
    machine.start(job);
  }
  return starts;
}

std::vector<double> longest_first(std::span<const JobExtent> jobs, int nodes) {
  std::vector<size_t> waiting(jobs.size());
  std::iota(waiting.begin(), waiting.end(), size_t{0});
  std::ranges::stable_sort(waiting, [&](size_t a, size_t b) {
    if (jobs[a].screen != jobs[b].screen) return jobs[a].screen;
    return !jobs[a].screen && jobs[a].time_s > jobs[b].time_s;
  });
  Machine machine(nodes);
  std::vector<double> starts(jobs.size());
  while (!waiting.empty()) {
    const auto next = std::ranges::find_if(waiting, [&](size_t job) {
      const bool in_turn = job == waiting.front() || !jobs[waiting.front()].screen;
      return in_turn && machine.has_room(jobs[job]);
    });
    if (next == waiting.end()) {
      machine.wait();
      continue;
    }
    starts[*next] = machine.now();
    machine.start(jobs[*next]);
    waiting.erase(next);
  }
  return starts;
}

double end_s(std::span<const JobExtent> jobs, const std::vector<double>& starts) {
  double end = 0;
  for (size_t i = 0; i < jobs.size(); ++i) end = std::max(end, starts[i] + jobs[i].time_s);
  return end;
}

/// How many nodes the cases may run on; `all` where they name none.
int usable_nodes(const Plan& plan, int all) {
  std::set<std::string_view> lists;
  for (const Case& planned : plan.cases) lists.insert(planned.among.empty() ? planned.hosts : planned.among);
  std::set<std::string> hosts;
  for (const std::string_view list : lists) {
    if (list.empty()) return all;
    auto expanded = expanded_hostlist(list);
    if (!expanded) return all;
    hosts.insert(std::make_move_iterator(expanded->begin()), std::make_move_iterator(expanded->end()));
  }
  return hosts.empty() ? all : static_cast<int>(hosts.size());
}

/// The cases of one stage.
struct Stage {
  std::vector<JobExtent> jobs;
  std::map<std::string_view, double>
      on_hosts;  ///< seconds of what may run on just these, one after the other
};

double end_s(const Stage& stage, int nodes) {
  double end = end_s(stage.jobs, packed(stage.jobs, nodes));
  for (const auto& [hosts, time_s] : stage.on_hosts) end = std::max(end, time_s);
  return end;
}

}  // namespace

std::vector<double> packed(std::span<const JobExtent> jobs, int nodes) {
  std::vector<double> own = in_order(jobs, nodes);
  std::vector<double> longest = longest_first(jobs, nodes);
  return end_s(jobs, longest) < end_s(jobs, own) ? longest : own;
}

Cost plan_cost(const Plan& plan, int nodes, double node_power_w) {
  Cost cost;
  std::map<int, Stage> stages;  // one begins when the one before it has ended
  for (const Case& planned : plan.cases) {
    const int cases = node_count(planned);  // on as many nodes, side by side
    cost.jobs += cases;
    const Prediction* bytes = find_prediction(planned, "bytes_written");
    if (bytes != nullptr) cost.bytes_written += cases * bytes->value;
    const Prediction* time = predicted_wall_time(planned);
    if (time == nullptr) {
      cost.unpredicted += cases;
      continue;
    }
    cost.node_hours += cases * planned.nodes * time->value / 3600;
    Stage& stage = stages[planned.stage];
    stage.jobs.push_back({cases * planned.nodes, time->value, bytes != nullptr, planned.screen});
    if (planned.among.empty() && !planned.hosts.empty()) stage.on_hosts[planned.hosts] += time->value;
  }
  const int usable = usable_nodes(plan, nodes);
  for (const auto& [number, stage] : stages) cost.wall_time_s += end_s(stage, usable);
  cost.energy_kwh = cost.node_hours * node_power_w / 1000;
  return cost;
}

}  // namespace shakedown
