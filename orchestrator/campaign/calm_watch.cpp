#include "orchestrator/campaign/calm_watch.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/gpus.hpp"
#include "orchestrator/inventory/system_file.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown {
namespace {

constexpr double look_s = 0.5;         // /proc/stat counts in 10 ms
constexpr double stale_s = 5;          // what was seen before a pause as long says nothing
constexpr std::size_t named_most = 3;  // processes

double own_cpu_s() {
  rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// "python3 (pid 4242, uid 1000) uses 0.98, cc1plus (pid 4300, uid 1001) 0.51".
std::string named_processes(const std::vector<OtherProcess>& processes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(named_most, processes.size()); ++i)
    text +=
        fmt::format("{}{} (pid {}, uid {}){} {}", i == 0 ? "" : ", ", processes[i].command, processes[i].pid,
                    processes[i].user, i == 0 ? " uses" : "", number(processes[i].cores, 2));
  if (processes.size() > named_most) text += fmt::format(" and {} more", processes.size() - named_most);
  return text;
}

/// "gpu0: 1 other process, python3 (pid 4711)"; empty: nobody computes on a GPU, or it can't be seen.
std::string gpu_users(const std::string& nvml) {
  NodeState state;
  state.readings = read_gpu_states(nvml).readings;
  std::string text;
  for (const GpuUse& use : foreign_gpu_use(state))
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", use.device, use.users);
  return text;
}

}  // namespace

CalmWatch::CalmWatch(const Criteria& criteria, double patience_s, std::filesystem::path root,
                     std::string nvml)
    : load_(criteria.load),
      steal_(criteria.steal),
      patience_s_(patience_s),
      root_(std::move(root)),
      nvml_(std::move(nvml)) {}

bool CalmWatch::needs_gpus(const Case& planned) const {
  return !nvml_.empty() && computes_on_gpus(planned.implementation);
}

CalmWatch::State CalmWatch::look(const Case& planned, double now_s) {
  if (!load_ && !steal_ && !needs_gpus(planned)) return State::calm;
  if (!before_ || now_s - before_->at_s > stale_s) {
    before_ = sample(now_s);
    return before_ ? State::looking : State::calm;  // what can't be seen is not waited for
  }
  if (now_s - before_->at_s < look_s) return waiting_ ? State::disturbed : State::looking;
  auto now = sample(now_s);
  if (!now) return State::calm;
  disturbed_by_ = disturbance(planned, *before_, *now);
  if (waiting_) waited_s_ += now_s - before_->at_s;
  waiting_ = !disturbed_by_.empty();
  before_ = std::move(now);
  if (!waiting_) return State::calm;
  return waited_s_ < patience_s_ ? State::disturbed : State::given_up;
}

std::optional<CalmWatch::Sample> CalmWatch::sample(double now_s) const {
  const auto text = system_file(root_ / "proc/stat");
  if (!text) return std::nullopt;
  Sample sample;
  sample.at_s = now_s;
  const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  for (const std::string_view line : split(*text, '\n')) {
    if (!line.starts_with("cpu")) break;
    const auto fields = words(line);
    if (fields.front() != "cpu") {
      ++sample.cores;
      continue;
    }
    // user nice system idle iowait irq softirq steal
    std::array<double, 8> spent = {};
    for (std::size_t i = 0; i < spent.size() && i + 1 < fields.size(); ++i)
      spent[i] = static_cast<double>(parsed_integer(fields[i + 1]).value_or(0)) / ticks;
    sample.busy_s = spent[0] + spent[1] + spent[2] + spent[5] + spent[6] - own_cpu_s();
    sample.steal_s = spent[7];
    for (const double each : spent) sample.all_s += each;
  }
  if (sample.cores == 0) return std::nullopt;
  sample.processes = process_times(root_, ::getpid());
  return sample;
}

std::string CalmWatch::disturbance(const Case& planned, const Sample& before, const Sample& now) const {
  if (needs_gpus(planned))
    if (std::string users = gpu_users(nvml_); !users.empty()) return users;
  const double seconds = now.at_s - before.at_s;
  if (load_) {
    const int needed = planned.ranks_per_node * planned.threads_per_rank;
    const double room = std::max(0.0, now.cores * load_->limit - needed);
    const double used = std::max(0.0, now.busy_s - before.busy_s) / seconds;
    if (used > room) {
      std::string who;
      if (before.processes && now.processes)
        who = named_processes(other_processes(root_, *before.processes, *now.processes, seconds));
      return who.empty()
                 ? fmt::format("processes that can't be named use {} of {} cores", number(used, 2), now.cores)
                 : fmt::format("{} of {} cores", who, now.cores);
    }
  }
  const double all_s = now.all_s - before.all_s;
  const double stolen = all_s > 0 ? (now.steal_s - before.steal_s) / all_s : 0;
  if (steal_ && stolen > steal_->limit)
    return fmt::format("the hypervisor takes {} of the CPU time", percent_text(stolen));
  return "";
}

}  // namespace shakedown
