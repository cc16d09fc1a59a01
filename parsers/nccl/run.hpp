#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/failures.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// One placement's measurement in a row of nccl-tests, as printed.
struct NcclCell {
  bool in_place = false;
  std::string time;
  std::string algbw;
  std::string busbw;
  std::string wrong;  ///< "0", "N/A"
};

/// One message size of nccl-tests.
struct NcclRow {
  std::int64_t size = 0;  ///< bytes
  std::string count;      ///< elements
  std::string type;       ///< "float"
  std::string redop;      ///< "sum", "none"; empty: the table has no such column
  std::string root;       ///< "-1": none; empty: the table has no such column
  std::vector<NcclCell> cells;
};

/// The columns of a table of nccl-tests or rccl-tests, read from its header line: which there are changed
/// over the years (redop and root only where a collective has them, `error` for `#wrong`, statistics of
/// single iterations, a time stamp at the end).
class NcclColumns {
 public:
  /// The columns of a header "size count type ... time algbw busbw #wrong ..."; nothing where `text` is none.
  static std::optional<NcclColumns> of(std::string_view text);

  /// The row that `text` is; nothing if it is none or a cell is missing.
  [[nodiscard]] std::optional<NcclRow> row(std::string_view text) const;

  /// Whether the cells' last column counts wrong values; in old versions it is the largest deviation.
  [[nodiscard]] bool counts_wrong() const { return counts_wrong_; }
  /// Whether the column called time is what the bandwidths are computed of (with -C it is processor time).
  [[nodiscard]] bool wall_time() const { return wall_time_; }
  /// The header above the columns names one placement only.
  void only_in_place() { only_in_place_ = true; }

 private:
  std::vector<std::string> names_;
  size_t cell_at_ = 0;     ///< column of the first cell's time
  size_t cell_width_ = 0;  ///< columns of a cell
  size_t cells_ = 0;       ///< 1 or 2
  bool counts_wrong_ = false;
  bool wall_time_ = true;
  bool only_in_place_ = false;
};

/// The sizes of a table: from minBytes to maxBytes by a factor or a step, again for each type, operation,
/// root and cycle (-N). What is split among ranks is rounded down, by less than 16 bytes of each.
///
/// Source: nccl-tests 2.19, TimeTest in src/common.cu and GetCollByteCount in src/*.cu.
class NcclLadder {
 public:
  /// "nThread 1 nGpus 8 minBytes 8 maxBytes 8589934592 step: 2(factor) ..."; nothing where it can't be read.
  static std::optional<NcclLadder> of(std::string_view options);
  /// "Reducing maxBytes to N due to memory limitation"
  void reduce(std::int64_t most);
  /// Takes the next row's size, which may be less than `cut` bytes below the size that is due. False: it is
  /// missing, repeated or out of order.
  bool take(std::int64_t size, std::int64_t cut);
  /// The size that is due next; nothing where the table may end.
  [[nodiscard]] std::optional<std::int64_t> due() const;

 private:
  std::int64_t least_ = 0;
  std::int64_t most_ = 0;
  std::int64_t factor_ = 0;  ///< 0: by steps
  std::int64_t step_ = 0;
  std::int64_t due_ = 0;  ///< above `most_`: a table ended
};

/// Rows beyond those that are stored: of each property that the rules look at, the row that is furthest off
/// in either direction, so that they judge all rows by these.
class NcclExtremes {
 public:
  void take(const NcclRow& row, const NcclCell& cell, const Fact& fact);
  [[nodiscard]] std::vector<Fact> facts() const;

 private:
  struct Extreme {
    double value = 0;
    Fact fact;
  };
  void offer(const std::string& property, double value, const Fact& fact);
  std::map<std::string, Extreme> highest_;
};

/// One run of a program of nccl-tests or rccl-tests: what is known of it so far.
struct NcclRun {
  /// The largest of one placement's bandwidths.
  struct Peak {
    std::optional<Metric> highest;
    std::optional<Metric> at_largest;  ///< of the largest size
    std::int64_t largest = -1;
    bool checked = false;   ///< some #wrong is a number
    int without_check = 0;  ///< line of the first row whose #wrong is none; 0: none
    void take(std::int64_t size, double busbw, int line);
  };

  int first_line = 0;
  int last_line = 0;
  ParsedResult result;
  std::optional<NcclColumns> columns;
  std::optional<Failure> failure;
  std::optional<Failure> later;  ///< reported behind the footer: of what ran next
  bool has_head = false;         ///< the line of options is there
  bool concluded = false;
  int highest_rank = -1;
  bool ranks_cut = false;  ///< the list of ranks is elided
  int group = -1;          ///< the communicator whose ranks are counted
  std::int64_t rows = 0;
  std::int64_t smallest = -1;
  std::int64_t unreadable = 0;
  int not_finite = 0;  ///< line of the first row with a cell that is nan or inf; 0: none
  std::int64_t cells = 0;
  double busbw_low = 0;  ///< sums over all cells
  double busbw_high = 0;
  std::optional<NcclLadder> ladder;
  std::optional<Fact> misplaced;  ///< the first row that breaks the ladder
  NcclExtremes extremes;
  double wrong = 0;      ///< sum of #wrong
  bool checked = false;  ///< some #wrong is a number
  Peak out_of_place;
  Peak in_place;
  std::string average;  ///< as printed
  int average_line = 0;

  /// Reads a line that belongs to the run.
  void read(const LogLine& line);
  /// The result: values only if the footer is there, so that they are of all sizes. `command`: the name of
  /// the program in a command line that the log echoed before, or empty.
  [[nodiscard]] ParsedResult concluded_result(std::string_view command) &&;

 private:
  void read_options(std::string_view text, int line);
  void read_rank(std::string_view text, int line);
  void read_row(const LogLine& line);
  void place(const NcclRow& row, int line);
  void add_table_facts();
  bool read_footer(std::string_view text, const LogLine& line);
};

/// The collective of a table that the log doesn't name: derived from its columns, the ratio of busbw to algbw
/// and which placement is validated; empty if several would fit.
///
/// Source: nccl-tests, doc/PERFORMANCE.md and the TimeTest calls of src/*.cu.
std::string inferred_collective(const ParsedResult& result, int ranks);

}  // namespace shakedown
