#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/site.hpp"

namespace shakedown {

/// What one node of the system reached in screens, for plans of the same hardware.
struct MeasuredRates {
  double gemm_gflops = 0;      ///< FP64 on the processors; 0: not measured
  double triad_gb_s = 0;       ///< STREAM's Triad on the processors; 0: not measured
  double gpu_gemm_gflops = 0;  ///< FP64 on all GPUs at once; 0: not measured
  double gpu_triad_gb_s = 0;   ///< STREAM's Triad in the memory of all GPUs at once; 0: not measured
  std::string source;          ///< the campaign that measured them
  [[nodiscard]] bool any() const {
    return gemm_gflops > 0 || triad_gb_s > 0 || gpu_gemm_gflops > 0 || gpu_triad_gb_s > 0;
  }
  friend bool operator==(const MeasuredRates&, const MeasuredRates&) = default;
};

/// Those of each kind of node that were measured, by the name of the kind's first group.
using KindRates = std::map<std::string, MeasuredRates>;

/// What a suite is asked to plan for.
struct PlanRequest {
  const Inventory* inventory = nullptr;
  const Implementation* implementation = nullptr;
  const NodeGroup* group = nullptr;  ///< the nodes to use: one kind of hardware
  std::vector<std::string> hosts;    ///< of that group, in order
  Layout layout;
  double time_s = 0;            ///< wished run time of the case; 0: as large as memory allows
  MeasuredRates measured;       ///< of one such node; nothing: theoretical peaks are used
  const Site* site = nullptr;   ///< what the site states of itself; null: nothing
  std::vector<Parameter> pins;  ///< parameters that the configuration fixes, by the suite's names

  /// The measured FP64 GEMM of the processors of all nodes in GFLOP/s; 0: none.
  [[nodiscard]] double measured_gemm_gflops() const {
    return measured.gemm_gflops * static_cast<double>(hosts.size());
  }
  /// The pinned value of a whole-number parameter. Fails where it is no whole number above 0.
  [[nodiscard]] Result<std::optional<std::int64_t>> pinned(std::string_view name) const;
  /// The pinned value as text; empty: not pinned.
  [[nodiscard]] std::string pinned_text(std::string_view name) const;
};

/// A benchmark that can be planned: a table of functions, one constant per suites/<suite>/suite.cpp. What
/// else is known of it: plan/suite_facts.hpp.
struct Suite {
  std::string_view id;  ///< "hpl"; its facts are of the same id
  /// Derives the case; a refusal is an Error whose `where` is the rule's id, whose `what` is the reason, and
  /// whose `hint` is the next good choice.
  Result<Case> (*plan)(const PlanRequest&) = nullptr;
  /// The parameters that a configuration may pin.
  std::span<const std::string_view> pins{};  // NOLINT(readability-redundant-member-init)
  /// The shape of a case in a few words ("16 x 49"), for advice on the number of nodes, which are compared by
  /// the suite's rate; null: the number of nodes makes no difference in kind.
  std::string (*shape)(const Case&) = nullptr;
  /// Planned only where a configuration or `--suite` names it: a tool that not every site has.
  bool only_by_name = false;
};

/// All suites, from the folders suites/*.
std::span<const Suite* const> suites();

}  // namespace shakedown
