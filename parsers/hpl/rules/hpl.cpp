#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "parsers/hpl/rules/rules.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_hpl(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied({hpl_numerics_rules(), hpl_identity_rules(), hpl_layout_rules(), hpl_machine_rules()},
                 evidence, std::move(room));
}

}  // namespace

extern const RuleBook hpl;
constexpr std::array<std::string_view, 3> hpl_decisive = {"HPL-02b", "HPL-04h", "HPL-05h"};
constexpr std::array<std::string_view, 3> hpl_noted = {"HPL-04g", "HPL-04j", "HPL-05b"};
constexpr std::array<std::string_view, 1> hpl_by_screens = {"HPL-07d"};
constexpr std::array<std::string_view, 4> hpl_of_list = {"HPL-01", "HPL-02", "HPL-02b", "HPL-03"};
const RuleBook hpl = {.suite = "hpl",
                      .own_check = "HPL-03",
                      .judge = judge_hpl,
                      .decisive_in_campaigns = hpl_decisive,
                      .noted = hpl_noted,
                      .by_screens = hpl_by_screens,
                      .of_list = hpl_of_list};

}  // namespace shakedown::rules

namespace shakedown {
namespace {

/// The hosts that ran: those that the log names, else those of the plan.
std::vector<std::string> hosts_that_ran(const Evidence& evidence) {
  if (const Fact* fact = evidence.result->fact("hosts")) {
    std::vector<std::string> hosts;
    for (const std::string_view piece : split(fact->value, ','))
      hosts.emplace_back(piece.substr(0, piece.find(':')));
    return hosts;
  }
  if (evidence.nodes != nullptr && !evidence.nodes->hosts.empty())
    return {evidence.nodes->hosts.begin(), evidence.nodes->hosts.end()};
  if (evidence.planned == nullptr) return {};
  return expanded_hostlist(evidence.planned->hosts).value_or(std::vector<std::string>{});
}

Finding known_nodes(const Evidence& evidence) {
  const auto hosts = hosts_that_ran(evidence);
  if (hosts.empty()) return unknown("neither the log nor a plan names the nodes that ran");
  if (evidence.inventory == nullptr)
    return unknown("there is no inventory to compare with", folded_hostlist(hosts));
  std::set<std::string> known;
  for (const NodeGroup& group : evidence.inventory->groups)
    for (std::string& host : expanded_hostlist(group.hosts).value_or(std::vector<std::string>{}))
      known.insert(std::move(host));
  std::vector<std::string> strangers;
  std::copy_if(hosts.begin(), hosts.end(), std::back_inserter(strangers),
               [&](const std::string& h) { return !known.contains(h); });
  // Names in the inventory of a machine that others described may be made up.
  if (evidence.planned == nullptr && strangers.size() == hosts.size())
    return unknown("the stated inventory names none of these nodes", folded_hostlist(hosts));
  const Fact* fact = evidence.result->fact("hosts");
  return checked(strangers.empty(), folded_hostlist(hosts), fact == nullptr ? 0 : fact->line,
                 fmt::format("the inventory does not have {}", folded_hostlist(strangers)));
}

/// AMD's is two programs, one of them (AOCL) for CPUs.
bool may_use_gpus(const Evidence& evidence) {
  const std::string& implementation = evidence.result->implementation;
  return implementation == "nvidia" || implementation == "amd" || implementation == "hpl-gpu";
}

Finding recorded_gpus(const Evidence& evidence) {
  if (!may_use_gpus(evidence)) return not_applicable("a CPU program");
  if (evidence.inventory == nullptr) return unknown("there is no inventory with the GPUs' UUIDs");
  size_t gpus = 0;
  size_t identified = 0;
  for (const NodeGroup& group : evidence.inventory->groups)
    for (const Gpu& gpu : group.gpus) {
      ++gpus;
      if (!gpu.uuid.empty()) ++identified;
    }
  const std::string value = fmt::format("{} of {} GPUs with a UUID", identified, gpus);
  if (gpus == 0 || identified < gpus) return unknown("the inventory does not identify every GPU", value);
  return passed(value);
}

/// The native FP64 peak of a node's GPUs in GFLOP/s; 0: not known of all.
double gpu_peak_gflops(const NodeGroup& group) {
  double sum = 0;
  for (const Gpu& gpu : group.gpus) {
    const double peak =
        std::max(gpu.peak.fp64_vector_tflops.value_or(0), gpu.peak.fp64_tensor_tflops.value_or(0));
    if (!(peak > 0)) return 0;
    sum += 1e3 * peak;
  }
  return sum;
}

/// Of nodes of several kinds the least peak counts: which of them ran is not looked at.
Finding below_gpu_peak(const Inventory& inventory, int nodes, const Metric& rate) {
  double least = gpu_peak_gflops(inventory.groups.front());
  for (const NodeGroup& group : inventory.groups) least = std::min(least, gpu_peak_gflops(group));
  const double peak = least * nodes;
  if (!(peak > 0)) return unknown("the inventory does not state the GPUs' FP64 rate");
  const std::string value = fmt::format("{} of {} of the GPUs", flops_text(rate.value), flops_text(peak));
  if (rate.value <= peak) return passed(value, rate.line);
  return unknown("the rate is above the GPUs' native FP64 peak: FP64 was emulated, or the inventory is wrong",
                 value);
}

Finding below_peak(const Evidence& evidence) {
  const Metric* rate = evidence.result->metric("rmax_gflops");
  if (rate == nullptr) return unknown("the log has no rate");
  const auto nodes = hpl_nodes(evidence);
  if (evidence.inventory == nullptr || !nodes || evidence.inventory->groups.empty())
    return unknown("which of the inventory's nodes ran is not known");
  const NodeGroup& group = evidence.inventory->groups.front();
  if (may_use_gpus(evidence) && (!group.gpus.empty() || evidence.result->implementation != "amd"))
    return below_gpu_peak(*evidence.inventory, *nodes, *rate);
  const double peak = cpu_peak_gflops(group) * *nodes;
  if (!(peak > 0)) return unknown("the processors' clock or FLOP per cycle is not known");
  if (!states_base_clock(group)) return unknown("the processors' base clock is assumed, not stated");
  const std::string value = fmt::format("{} of {}", flops_text(rate->value), flops_text(peak));
  if (rate->value <= peak) return passed(value, rate->line);
  // Rpeak is stated at the base clock; what a core reaches above it is bounded by its highest clock.
  if (!(group.cpu.max_mhz > 0))
    return unknown("the rate is above the peak at the base clock, and the highest clock is not readable",
                   value);
  return checked(rate->value <= peak * group.cpu.max_mhz / group.cpu.base_mhz, value, rate->line,
                 "the rate is above the peak even at the highest clock: the rate or the inventory is wrong");
}

Finding below_gemm(const Evidence& evidence) {
  const Metric* rate = evidence.result->metric("rmax_gflops");
  if (rate == nullptr) return unknown("the log has no rate");
  const auto gemm = screened_rate(evidence, "gemm", "fp64_gflops");
  if (!gemm) return unknown("no GEMM reference run in this campaign");
  return checked(rate->value <= *gemm, fmt::format("{} of {}", flops_text(rate->value), flops_text(*gemm)),
                 rate->line,
                 "HPL cannot be faster than the matrix multiplication it consists of: the GEMM run was "
                 "disturbed, or FP64 was emulated");
}

Finding hpl_long_enough(const Evidence& evidence) {
  const Metric* time = evidence.result->metric("time_s");
  if (time == nullptr) return unknown("the log has no time");
  Finding found = not_applicable("the TOP500 rules state no minimum run time for HPL");
  found.value = duration_text(time->value);
  found.line = time->line;
  return found;
}

Finding in_core(const Evidence& evidence) {
  if (evidence.result->implementation != "nvidia")
    return not_applicable("only NVIDIA's HPL can keep the matrix out of the GPU");
  const Fact* fact = evidence.result->fact("setting HPL_OOC_MODE");
  if (fact != nullptr)
    return checked(fact->value == "0", "HPL_OOC_MODE = " + fact->value, fact->line,
                   "the matrix lay outside the GPUs' memory");
  if (evidence.planned == nullptr) return unknown("the log does not print HPL_OOC_MODE");
  const Value* planned = find_parameter(evidence.planned->environment, "HPL_OOC_MODE");
  if (planned == nullptr) return passed("HPL_OOC_MODE not set");
  return checked(value_text(*planned) == "0", "HPL_OOC_MODE = " + value_text(*planned), 0,
                 "the matrix lay outside the GPUs' memory");
}

Finding settings_recorded(const Evidence& evidence) {
  static constexpr std::array<std::string_view, 7> names = {
      "HPL_USE_NVSHMEM", "HPL_P2P_AS_BCAST", "HPL_FCT_COMM_POLICY", "HPL_CHUNK_SIZE_NBS",
      "HPL_CTA_PER_FCT", "TEST_LOOPS",       "WARMUP_END_PROG"};
  if (evidence.result->implementation != "nvidia") return not_applicable("settings of NVIDIA's HPL");
  if (evidence.planned != nullptr)
    return passed(fmt::format("{} variables in the plan", evidence.planned->environment.size()));
  std::string found;
  for (const std::string_view name : names)
    if (const Fact* fact = evidence.result->fact(fmt::format("setting {}", name)))
      found += fmt::format("{}{} = {}", found.empty() ? "" : ", ", name, fact->value);
  if (found.empty()) return unknown("the log does not show the environment that the run had");
  return passed(found);
}

constexpr std::string_view nvidia_docs = "NVIDIA HPC Benchmarks documentation, HPL environment variables";

constexpr std::array hpl_machine_table = {
    Rule{"HPL-07a", Severity::validity, "Every node that ran is in the inventory", "the inventory",
         known_nodes},
    Rule{"HPL-07b", Severity::validity, "The GPUs that ran are identified by UUID", "the inventory",
         recorded_gpus},
    Rule{"HPL-07c", Severity::eligibility, "Rmax is not above Rpeak", "TOP500, definition of Rmax and Rpeak",
         below_peak},
    Rule{"HPL-07d", Severity::warning, "Rmax is not above the measured matrix product",
         "the GEMM reference run", below_gemm},
    Rule{"HPL-08", Severity::eligibility, "The run is long enough for the list",
         "SCC25 benchmark rules, HPL: no minimum run time", hpl_long_enough},
    Rule{"HPL-09a", Severity::warning, "The matrix lies in the GPUs' memory", nvidia_docs, in_core},
    Rule{"HPL-09b", Severity::warning, "Settings that change the algorithm are on record", nvidia_docs,
         settings_recorded},
};

}  // namespace

std::optional<int> hpl_nodes(const Evidence& evidence) {
  if (evidence.planned != nullptr) return evidence.planned->nodes;
  // Of a machine that others described the nodes' names may be made up: nodes of one kind are counted.
  if (evidence.inventory == nullptr || evidence.inventory->groups.size() != 1) return std::nullopt;
  const std::vector<std::string> named = hosts_that_ran(evidence);
  const std::set<std::string> hosts(named.begin(), named.end());
  return hosts.empty() ? std::nullopt : std::optional(static_cast<int>(hosts.size()));
}

std::span<const Rule> hpl_machine_rules() {
  return hpl_machine_table;
}

}  // namespace shakedown
