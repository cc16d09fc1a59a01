#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown::rules {
namespace {

/// The results of the tests: "Hardware/memory" and its status.
std::vector<const Fact*> dcgm_results(const ParsedResult& result) {
  std::vector<const Fact*> all;
  for (const Fact& fact : result.facts)
    if (fact.name.starts_with("result ")) all.push_back(&fact);
  return all;
}

std::string_view dcgm_test(const Fact& fact) {
  return std::string_view(fact.name).substr(fact.name.find(' ') + 1);
}

Finding no_test_failed(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* error = result.fact("error"))
    return failed(error->value, error->line, "the diagnostics stopped");
  for (const Fact& fact : result.facts)
    if (fact.name.starts_with("worst "))
      return failed(fmt::format("{}: {}", dcgm_test(fact), fact.value), fact.line, "a test did not pass");
  if (!result.complete) return unknown(result.reason);
  int passes = 0;
  for (const Fact* each : dcgm_results(result)) passes += each->value == "Pass" ? 1 : 0;
  return passes == 0 ? unknown("all tests were skipped: nothing was tested")
                     : passed(fmt::format("{} tests passed", passes), dcgm_results(result).front()->line);
}

/// Skipped tests leave a level that tested nothing but the installation.
Finding hardware_tested(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (!result.complete) return unknown(result.reason);
  if (evidence.planned != nullptr)
    if (const auto level = whole_parameter(evidence.planned->parameters, "level"); level && *level < 2)
      return not_applicable("level 1 looks at the installation alone");
  bool other = false;
  int line = 0;
  for (const Fact* each : dcgm_results(result)) {
    if (dcgm_test(*each).starts_with("Deployment/")) continue;
    other = true;
    line = each->line;
    if (each->value == "Pass") return passed(std::string(dcgm_test(*each)), each->line);
  }
  if (!other && evidence.planned == nullptr)
    return not_applicable("only the installation was looked at (level 1)");
  return failed(
      other ? "all skipped" : "none", line,
      "no test of the hardware ran: this GPU is not allowed in DCGM's configuration, or packages are "
      "missing (datacenter-gpu-manager-4-cuda)");
}

Finding nothing_skipped(const Evidence& evidence) {
  if (!evidence.result->complete) return unknown(evidence.result->reason);
  std::vector<std::string> skipped;
  int line = 0;
  for (const Fact* each : dcgm_results(*evidence.result))
    if (each->value == "Skip" || each->value == "Not Run") {
      skipped.emplace_back(dcgm_test(*each));
      line = each->line;
    }
  return checked(skipped.empty(), skipped.empty() ? "none" : joined(skipped, ", "), line,
                 "tests were skipped, and prove nothing");
}

Finding passes_without_errors(const Evidence& evidence) {
  for (const Fact& fact : evidence.result->facts)
    if (fact.name.starts_with("note "))
      return failed(fmt::format("{}: {}", dcgm_test(fact), fact.value), fact.line,
                    "a test passed and reports an error beside it");
  return evidence.result->complete ? passed("none") : unknown(evidence.result->reason);
}

Finding dcgm_all_gpus(const Evidence& evidence) {
  const NodeGroup* group = group_of_case(evidence);
  const auto tested = whole_parameter(evidence.result->parameters, "gpus");
  if (group == nullptr || group->gpus.empty() || !tested)
    return unknown("how many GPUs the node has, or were tested, is not known");
  return checked(*tested >= std::ssize(group->gpus), fmt::format("{} of {}", *tested, group->gpus.size()), 0,
                 "the node has more GPUs than were tested: one is lost or hidden");
}

constexpr std::array dcgm_table = {
    Rule{"DCGM-01", Severity::validity, "No test failed or warned", "NVIDIA, DCGM 4.6, dcgmi diag",
         no_test_failed},
    Rule{"DCGM-02", Severity::validity, "A test of the hardware ran", "NVIDIA/DCGM, issue 55",
         hardware_tested},
    Rule{"DCGM-03", Severity::validity, "All GPUs of the node were tested", "the inventory", dcgm_all_gpus},
    Rule{"DCGM-04", Severity::warning, "No test was skipped", "NVIDIA, DCGM 4.6, dcgmi diag",
         nothing_skipped},
    Rule{"DCGM-05", Severity::warning, "A test that passed reports no error", "NVIDIA/DCGM, issue 284",
         passes_without_errors},
};

std::vector<RuleResult> judge_dcgm(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied(dcgm_table, evidence, std::move(room));
}

}  // namespace

extern const RuleBook dcgm;
const RuleBook dcgm = {.suite = "dcgm", .own_check = "DCGM-01", .judge = judge_dcgm};

}  // namespace shakedown::rules
