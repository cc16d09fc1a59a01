#include "orchestrator/campaign/loaded_rule.hpp"

#include <fmt/format.h>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

/// The beginning of a hash, which results.json holds whole.
std::string short_hash(const std::string& sha256) {
  return sha256.substr(0, 16);
}

/// Where a file is another than it was; empty: it is the same, or nobody knows.
std::string loaded_difference(const LoadedFile& file, const Commitment& commitment) {
  if (!file.before.empty())
    return fmt::format("{} has SHA-256 {}, and had {} in an attempt before", file.path,
                       short_hash(file.sha256), short_hash(file.before));
  const std::string bound = committed_file(commitment, file.path);
  if (bound.empty() || bound == file.sha256) return "";
  return fmt::format("{} has SHA-256 {}, and had {} when the campaign began", file.path,
                     short_hash(file.sha256), short_hash(bound));
}

}  // namespace

RuleResult loaded_rule(std::span<const LoadedFile> loaded, const Commitment& commitment) {
  RuleResult rule;
  rule.id = "IMPL-02";
  rule.title = "Scripts, files and libraries that the program loads stay the same";
  rule.source = "the campaign's commitment, and the attempts before on that node";
  rule.value = plural(loaded.size(), "file");
  if (loaded.empty()) {
    rule.text = "the node did not report what the program loads";
    return rule;
  }
  std::string written;
  for (const LoadedFile& file : loaded) {
    if (file.written) {
      if (written.empty()) written = file.path;
      continue;
    }
    std::string text = loaded_difference(file, commitment);
    if (text.empty()) continue;
    rule.text += (rule.text.empty() ? "" : "; ") + text;
    rule.status = RuleStatus::fail;
  }
  if (rule.status == RuleStatus::fail) return rule;
  if (written.empty()) {
    rule.status = RuleStatus::pass;
  } else {
    rule.text = written + " changed while the program ran";
  }
  return rule;
}

void judge_loaded(AttemptRecord& attempt, std::span<const LoadedFile> loaded,
                  const std::optional<Commitment>& commitment) {
  if (!commitment || loaded.empty()) return;
  const RuleResult rule = loaded_rule(loaded, *commitment);
  for (ResultRecord& result : attempt.results) {
    // A suite without rules is judged by its results alone: one more unknown rule would make it undecided.
    if (result.rules.empty() && rule.status != RuleStatus::fail) continue;
    result.rules.push_back(rule);
    if (rule.status == RuleStatus::fail) result.validity = Validity::invalid;
  }
}

}  // namespace shakedown
