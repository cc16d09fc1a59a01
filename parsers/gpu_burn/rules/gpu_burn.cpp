#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown::rules {
namespace {

Finding no_gpu_faulty(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  int seen = 0;
  int line = 0;
  for (const Fact& fact : result.facts) {
    if (!fact.name.starts_with("verdict ")) continue;
    if (fact.value != "OK")
      return failed(fmt::format("{}: {}", fact.name.substr(8), fact.value), fact.line,
                    "products of this GPU came out wrong");
    ++seen;
    line = fact.line;
  }
  if (!result.complete) return unknown(result.reason);
  return passed(fmt::format("{} GPUs OK", seen), line);
}

/// gpu-burn ends a GPU whose process died like one that is well.
Finding no_process_died(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* died = result.fact("died"))
    return failed(died->value, died->line, "its process ended early, whatever the verdict below says");
  if (result.fact("elapsed") == nullptr) return unknown("the log has no progress");
  return passed("no process ended early");
}

Finding errors_are_faults(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  for (const Fact& fact : result.facts) {
    if (!fact.name.starts_with("errors ")) continue;
    const Fact* verdict = result.fact("verdict " + fact.name.substr(7));
    if (verdict != nullptr && verdict->value == "OK")
      return failed(fmt::format("{}: {} wrong values, OK", fact.name.substr(7), fact.value), fact.line,
                    "a GPU that reports wrong values is called OK");
  }
  return result.complete ? passed("no contradiction") : unknown(result.reason);
}

Finding all_gpus_tested(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto tested = whole_parameter(result.parameters, "gpus");
  if (!tested) return unknown(result.reason);
  const Fact* fact = result.fact("tested");
  const int line = fact == nullptr ? 0 : fact->line;
  if (const auto listed = whole_parameter(result.parameters, "listed_gpus"); listed && *listed > *tested)
    return failed(fmt::format("{} of {}", *tested, *listed), line,
                  "nvidia-smi lists more GPUs than were tested");
  if (const NodeGroup* group = group_of_case(evidence); group != nullptr && !group->gpus.empty()) {
    const auto there = std::ssize(group->gpus);
    return checked(*tested >= there, fmt::format("{} of {}", *tested, there), line,
                   "the node has more GPUs than were tested: one is lost or hidden");
  }
  if (const auto listed = whole_parameter(result.parameters, "listed_gpus"))
    return passed(fmt::format("{} of {}", *tested, *listed), line);
  return unknown("how many GPUs the node has is not known");
}

Finding burned_to_the_end(const Evidence& evidence) {
  const Fact* elapsed = evidence.result->fact("elapsed");
  const auto percent = elapsed == nullptr ? std::nullopt : finite_number(elapsed->value);
  if (!percent) return unknown("the log has no progress");
  const auto burned = whole_parameter(evidence.result->parameters, "seconds");
  const auto planned =
      evidence.planned == nullptr ? std::nullopt : whole_parameter(evidence.planned->parameters, "seconds");
  if (burned && planned && *burned < *planned)
    return failed(fmt::format("{} s", *burned), elapsed->line, fmt::format("{} s were planned", *planned));
  constexpr double nearly = 90;  // a GPU reports when a round of products is done
  return checked(*percent >= nearly, fmt::format("{} %", elapsed->value), elapsed->line,
                 "no GPU reported in the last part of the time");
}

constexpr std::array burn_table = {
    Rule{"BURN-01", Severity::validity, "No product of any GPU came out wrong",
         "wilicc/gpu-burn, gpu_burn-drv.cpp", no_gpu_faulty},
    Rule{"BURN-02", Severity::validity, "No GPU's process ended early", "wilicc/gpu-burn, gpu_burn-drv.cpp",
         no_process_died},
    Rule{"BURN-03", Severity::validity, "A GPU that reports wrong values is called FAULTY",
         "wilicc/gpu-burn, gpu_burn-drv.cpp", errors_are_faults},
    Rule{"BURN-04", Severity::validity, "All GPUs of the node were tested", "nvidia-smi -L; the inventory",
         all_gpus_tested},
    Rule{"BURN-05", Severity::warning, "It burned to the end of the planned time",
         "wilicc/gpu-burn, gpu_burn-drv.cpp", burned_to_the_end},
};

std::vector<RuleResult> judge_burn(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied(burn_table, evidence, std::move(room));
}

}  // namespace

extern const RuleBook gpu_burn;
const RuleBook gpu_burn = {.suite = "gpu-burn", .own_check = "BURN-01", .judge = judge_burn};

}  // namespace shakedown::rules
