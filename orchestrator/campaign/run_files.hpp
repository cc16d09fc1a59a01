#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// All files of a run directory by name, with hash and excerpt, except those of a repeat by hand. Where
/// `mask` forbids to quote programs, job.sh alone has an excerpt.
std::vector<FileRecord> run_files(const std::filesystem::path& folder, const SecretMask& mask = {});

/// The files of a run directory that hold its result.
struct ResultFiles {
  std::string name;                ///< what was found, or what was looked for: for messages
  std::vector<std::string> files;  ///< relative to the run directory; of a folder all that lie in it
  std::string warning;             ///< where more than one thing has the name; empty: just one
};

/// Resolves a case's `result_file` in an attempt's folder: a file, a folder (IO500 writes one), or a pattern
/// of either, its components as fnmatch(3) takes them ("HPCG-Benchmark_3.1_*.txt", "results/*"). Of several
/// the newest is taken, with a warning. Empty: stdout.log. Where nothing has the name, it is the one file:
/// reading it gives the reason.
ResultFiles result_files(const std::filesystem::path& folder, std::string_view wanted);

/// Rule IMPL-01, the executable that ran is the planned one: `unknown` where the campaign was not bound to
/// it, or the node did not report what it ran; in a container it always is.
RuleResult implementation_rule(const AttemptRecord& attempt, const Case& planned,
                               const Commitment& commitment);

/// Adds the rule to all results of an attempt; one that breaks it is invalid. Nothing without a commitment.
void judge_implementation(AttemptRecord& attempt, const Case& planned,
                          const std::optional<Commitment>& commitment);

}  // namespace shakedown
