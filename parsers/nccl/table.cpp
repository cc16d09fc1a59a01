#include "parsers/nccl/table.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/fields.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

bool is_time(std::string_view name) {
  return name == "time" || name == "cputime";
}

/// A bandwidth or a time: a number that is none below zero.
bool is_figure(std::string_view text) {
  const auto value = finite_number(text);
  return value && *value >= 0;
}

}  // namespace

std::optional<NcclColumns> NcclColumns::of(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('#')) text.remove_prefix(1);
  const auto names = words(text);
  if (names.size() < 6 || (names[0] != "size" && names[0] != "bytes")) return std::nullopt;
  NcclColumns columns;
  columns.names_.assign(names.begin(), names.end());
  const auto first = std::find_if(names.begin(), names.end(), is_time);
  if (first == names.end()) return std::nullopt;
  const auto second = std::find_if(first + 1, names.end(), is_time);
  columns.cell_at_ = static_cast<size_t>(first - names.begin());
  columns.cells_ = second == names.end() ? 1 : 2;
  const auto end = second == names.end() ? std::find(first, names.end(), "timestamp") : second;
  columns.cell_width_ = static_cast<size_t>(end - first);
  if (columns.cell_at_ < 2 || columns.cell_width_ < 3 || first[1] != "algbw" || first[2] != "busbw")
    return std::nullopt;
  columns.counts_wrong_ = columns.cell_width_ > 3 && first[3] == "#wrong";
  columns.wall_time_ = *first == "time";
  return columns;
}

std::optional<NcclRow> NcclColumns::row(std::string_view text) const {
  auto cells = words(text);
  // hypercube_perf prints a blank operation.
  for (size_t i = 2; i < std::min(cell_at_, cells.size()); ++i)
    if (names_[i] == "redop" && parsed_integer(cells[i])) {
      cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(i), std::string_view());
      break;
    }
  if (cells.size() < cell_at_ + cell_width_) return std::nullopt;
  const auto size = count_of(cells[0]);
  if (!size || !count_of(cells[1])) return std::nullopt;
  NcclRow row;
  row.size = *size;
  row.count = cells[1];
  for (size_t i = 2; i < cell_at_; ++i) {
    if (names_[i] == "type") row.type = cells[i];
    if (names_[i] == "redop" || names_[i] == "op") row.redop = cells[i];
    if (names_[i] == "root") row.root = cells[i];
  }
  // A row of which only the in-place half was measured has blanks where the other would be.
  const size_t measured = cells.size() >= cell_at_ + cells_ * cell_width_ ? cells_ : 1;
  for (size_t i = 0; i < measured; ++i) {
    const size_t at = cell_at_ + i * cell_width_;
    if (!is_figure(cells[at]) || !is_figure(cells[at + 1]) || !is_figure(cells[at + 2])) return std::nullopt;
    NcclCell cell;
    cell.in_place = i == 1 || measured < cells_ || only_in_place_;
    cell.time = cells[at];
    cell.algbw = cells[at + 1];
    cell.busbw = cells[at + 2];
    if (cell_width_ > 3) {
      std::string_view wrong = cells[at + 3];
      if (wrong.ends_with('*')) wrong.remove_suffix(1);  // rccl-tests marks what exceeds its threshold
      if (wrong != "N/A" && !finite_number(wrong)) return std::nullopt;
      cell.wrong = wrong;
    }
    row.cells.push_back(std::move(cell));
  }
  return row;
}

}  // namespace shakedown
