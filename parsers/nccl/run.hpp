#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "parsers/failures.hpp"
#include "parsers/nccl/table.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// One run of a program of nccl-tests or rccl-tests: what is known of it so far.
struct NcclRun {
  /// The largest of one placement's bandwidths.
  struct Peak {
    std::optional<Metric> highest;
    std::optional<Metric> at_largest;  ///< of the largest size
    std::int64_t largest = -1;
    void take(std::int64_t size, double busbw, int line);
  };

  int first_line = 0;
  int last_line = 0;
  ParsedResult result;
  std::optional<NcclColumns> columns;
  std::optional<Failure> failure;
  std::optional<Failure> later;  ///< told of behind the footer: of what ran next
  bool has_head = false;         ///< the line of options is there
  bool concluded = false;
  int highest_rank = -1;
  bool ranks_cut = false;  ///< the list of ranks is elided
  int group = -1;          ///< the communicator whose ranks are counted
  std::int64_t rows = 0;
  std::int64_t smallest = -1;
  std::int64_t unreadable = 0;
  double wrong = 0;      ///< sum of #wrong
  bool checked = false;  ///< some #wrong is a number
  Peak out_of_place;
  Peak in_place;
  std::string average;  ///< as printed
  int average_line = 0;

  /// Reads a line that belongs to the run.
  void read(const LogLine& line);
  /// The result: figures only where the footer is there, so that they are of all sizes. `command`: the name
  /// of the program in a command line that the log echoed before, or empty.
  [[nodiscard]] ParsedResult concluded_result(std::string_view command) &&;

 private:
  void read_options(std::string_view text, int line);
  void read_rank(std::string_view text);
  void read_row(const LogLine& line);
  bool read_footer(std::string_view text, const LogLine& line);
};

/// What collective a table is of where the log doesn't name it: told by its columns, the ratio of busbw to
/// algbw and which placement is validated, or empty where several would fit.
///
/// Source: nccl-tests, doc/PERFORMANCE.md and the TimeTest calls of src/*.cu.
std::string inferred_collective(const ParsedResult& result, int ranks);

}  // namespace shakedown
