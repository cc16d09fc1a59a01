#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

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

}  // namespace shakedown
