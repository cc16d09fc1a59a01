#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// A published result that predictions for other systems rest on: a row of `results.tsv`.
struct PublishedResult {
  std::string metric;     ///< as the parser names it: "rmax_gflops"
  std::string system;     ///< "Alps"
  std::string make;       ///< of the GPU: "nvidia", "amd"
  std::string gpu;        ///< a word of the GPU's name in small letters: "h100", "mi300a"
  int gpus = 0;           ///< as programs see them
  int gpus_per_node = 0;  ///< 0: not published
  double N = 0;           ///< the size of the problem; 0: not published
  std::string fabric;     ///< "infiniband", "slingshot", ...; "none": one node
  double basis = 0;       ///< what the vendor states of one GPU, in the unit that the suite's file names
  double value = 0;
  std::string published;  ///< the month: "2025-06"; empty: not stated
  std::string status;     ///< listed (on a list that asks for a valid run), submitted (to MLPerf, with logs),
                          ///< log (a run's own log is public), stated (a text names the value)
  std::string source;     ///< list, edition and rank; or table; or file
};

/// Reads the rows of a file; lines that begin with '#' are comments, the first other line names the columns.
/// A row with another number of fields, an unknown column, and a number that is none or not positive where
/// it must be are refused with file and line.
Result<std::vector<PublishedResult>> read_published_results(const std::filesystem::path& path);

}  // namespace shakedown
