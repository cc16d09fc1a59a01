#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

  /// The row that `text` is; nothing where it is none or lacks a cell.
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

}  // namespace shakedown
