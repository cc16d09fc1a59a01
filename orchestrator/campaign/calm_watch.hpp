#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/plan/plan.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {

/// Whether this machine is calm enough for a case, by the limits that its measurement will be judged by: the
/// processes of others and the hypervisor leave it the CPUs that it needs. Whatever the limits, no other
/// program computes on the GPUs if the case does. Looks at /proc below `root`, and by NVML.
class CalmWatch {
 public:
  /// `patience_s`: how long is waited for calm, in all. `nvml`: its library; empty: GPUs are not looked at.
  CalmWatch(const Criteria& criteria, double patience_s, std::filesystem::path root = "/",
            std::string nvml = "libnvidia-ml.so.1");

  enum class State {
    calm,
    looking,    ///< not known yet: look again
    disturbed,  ///< it is waited for
    given_up,   ///< still disturbed, and it was waited for long enough
  };
  /// Looks whether `planned` may begin; nothing of ours may run. `now_s`: by the steady clock.
  State look(const Case& planned, double now_s);
  /// Something of ours runs: what was seen before it says nothing any more.
  void forget() { before_.reset(); }

  /// "python3 (pid 4242, uid 1000) uses 0.98 of 2 cores", of the last look; empty: nothing disturbs.
  [[nodiscard]] const std::string& disturbed_by() const { return disturbed_by_; }
  [[nodiscard]] double patience_left_s() const { return patience_s_ - waited_s_; }
  [[nodiscard]] double patience_s() const { return patience_s_; }
  /// Whether a look waits for its end.
  [[nodiscard]] bool is_looking() const { return before_.has_value(); }

 private:
  /// What the kernel has counted so far.
  struct Sample {
    double at_s = 0;
    double busy_s = 0;   ///< of all CPUs, without this process
    double steal_s = 0;  ///< taken by the hypervisor
    double all_s = 0;
    int cores = 0;
    std::optional<std::vector<ProcessTime>> processes;
  };
  [[nodiscard]] std::optional<Sample> sample(double now_s) const;
  [[nodiscard]] bool needs_gpus(const Case& planned) const;
  /// What disturbs the case between two samples; empty: nothing.
  [[nodiscard]] std::string disturbance(const Case& planned, const Sample& before, const Sample& now) const;

  std::optional<DisturbanceLimit> load_;
  std::optional<DisturbanceLimit> steal_;
  double patience_s_ = 0;
  double waited_s_ = 0;
  std::filesystem::path root_;
  std::string nvml_;
  std::optional<Sample> before_;
  bool waiting_ = false;
  std::string disturbed_by_;
};

}  // namespace shakedown
