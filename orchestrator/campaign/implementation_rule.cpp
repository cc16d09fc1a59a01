#include "orchestrator/campaign/implementation_rule.hpp"

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/launch/executable.hpp"

namespace shakedown {
namespace {

/// The beginning of a hash, which results.json holds whole.
std::string in_short(const std::string& sha256) {
  return sha256.substr(0, 16);
}

}  // namespace

RuleResult implementation_rule(const AttemptRecord& attempt, const Case& planned,
                               const Commitment& commitment) {
  RuleResult rule;
  rule.id = "IMPL-01";
  rule.title = "The executable that ran is the planned one";
  rule.source = "the campaign's commitment, the first line of its journal";
  const Container& container = planned.container;
  if (!container.image.empty()) {
    rule.value = container.digest;
    rule.text = fmt::format("what ran in the container is not known; the site states {}",
                            container.digest.empty() ? "no digest of its image" : "its image's digest");
    return rule;
  }
  const std::string executable = executable_of(planned);
  const std::string wanted = committed_program(commitment, executable);
  const std::string& found = attempt.program_sha256;
  if (!found.empty()) rule.value = fmt::format("{}, SHA-256 {}", attempt.program, in_short(found));
  if (wanted.empty()) {
    rule.text = "the executable could not be read where the campaign was started";
  } else if (found.empty()) {
    rule.text = "the node did not report what it ran";
  } else if (found == wanted) {
    rule.status = RuleStatus::pass;
  } else {
    rule.status = RuleStatus::fail;
    rule.text = fmt::format("{} ran with SHA-256 {}, and the planned {} has {}", attempt.program,
                            in_short(found), executable, in_short(wanted));
  }
  return rule;
}

void judge_implementation(AttemptRecord& attempt, const Case& planned,
                          const std::optional<Commitment>& commitment) {
  if (!commitment) return;
  const RuleResult rule = implementation_rule(attempt, planned, *commitment);
  for (ResultRecord& result : attempt.results) {
    // A suite that knows no rules is judged by its figures alone: an unknown one more would leave it open.
    if (result.rules.empty() && rule.status != RuleStatus::fail) continue;
    result.rules.push_back(rule);
    if (rule.status == RuleStatus::fail) result.validity = Validity::invalid;
  }
}

}  // namespace shakedown
