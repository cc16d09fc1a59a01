#include "parsers/nccl/run.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr size_t most_nccl_rows = 512;  ///< whose cells are stored for the rules
constexpr size_t most_warnings = 10;

void add_nccl_parameter(ParsedResult& result, std::string name, std::string_view text) {
  if (const auto value = count_of(text))
    result.parameters.push_back({std::move(name), static_cast<std::int64_t>(*value)});
}

void warn(ParsedResult& result, std::string text) {
  if (result.warnings.size() < most_warnings) result.warnings.push_back(std::move(text));
}

/// The text behind "label :" where `text` starts with the label.
std::optional<std::string_view> footer_value(std::string_view text, std::string_view label) {
  if (!text.starts_with(label)) return std::nullopt;
  text = trimmed(text.substr(label.size()));
  if (!text.starts_with(':')) return std::nullopt;
  return trimmed(text.substr(1));
}

/// "all_reduce" of "all_reduce_perf" and of "/opt/nccl-tests/build/all_reduce_perf_mpi".
std::string collective_of(std::string_view program) {
  program = program.substr(program.find_last_of('/') + 1);
  return std::string(program.substr(0, program.find("_perf")));
}

/// " .. cn001 pid 12345: Test failure common.cu:1127", "cn001: Test NCCL failure common.cu:958 'internal
/// error'", "cn001: Test timeout (30s) common.cu:526"
std::optional<Failure> failed_test(const LogLine& line) {
  const size_t at = line.text.find("Test ");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view words = line.text.substr(at);
  const auto failure = [&](int weight, FailureKind kind) {
    return Failure{line.number, weight, quoted_line(line.number, "the test stopped", line.text), kind};
  };
  if (words.starts_with("Test NCCL failure ")) return failure(5, FailureKind::nccl_error);
  if (words.starts_with("Test CUDA failure ")) return failure(5, FailureKind::gpu_error);
  if (words.starts_with("Test timeout (")) return failure(5, FailureKind::nccl_error);
  if (words.starts_with("Test failure "))
    return failure(3, FailureKind::nccl_error);  // where it came through
  return std::nullopt;
}

}  // namespace

void NcclRun::Peak::take(std::int64_t size, double busbw, int line) {
  if (!highest || busbw > highest->value) highest = Metric{{}, busbw, line};
  if (size < largest) return;
  if (size > largest || !at_largest || busbw > at_largest->value) at_largest = Metric{{}, busbw, line};
  largest = size;
}

/// "nThread 1 nGpus 8 minBytes 8 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 ..."
void NcclRun::read_options(std::string_view text, int line) {
  has_head = true;
  add_nccl_parameter(result, "threads", value_after(text, "nThread "));
  add_nccl_parameter(result, "gpus_per_thread", value_after(text, "nGpus "));
  const size_t warmup = text.find("warmup iters: ");
  if (warmup != std::string_view::npos)
    add_nccl_parameter(result, "iters", value_after(text.substr(warmup + 14), " iters: "));
  result.facts.push_back({"validation", std::string(value_after(text, "validation: ")), line});
  result.facts.push_back({"max_bytes_asked", std::string(value_after(text, "maxBytes ")), line});
  ladder = NcclLadder::of(text);
}

/// "Rank  3 Group  0 Pid 4175039 on cnode3-002 device  3 [0000:61:00] NVIDIA H100 80GB HBM3"
void NcclRun::read_rank(std::string_view text, int line) {
  const auto rank = count_of(value_after(text, "Rank "));
  if (!rank || *rank > 10'000'000) return;
  if (const auto its_group = count_of(value_after(text, " Group "))) {
    if (group < 0) group = static_cast<int>(*its_group);
    if (group != *its_group) return;
  }
  highest_rank = std::max(highest_rank, static_cast<int>(*rank));
  if (*rank != 0) return;
  const size_t host = text.find(" on ");
  const size_t bus = text.find("] ");
  if (host == text.npos || bus == text.npos || result.fact("host") != nullptr) return;
  std::string_view name = text.substr(host + 4);
  result.facts.push_back({"host", std::string(take_word(name)), line});
  result.facts.push_back({"gpu", std::string(trimmed(text.substr(bus + 2))), line});
}

void NcclRun::read_row(const LogLine& line) {
  if (!columns) return;
  const auto row = line.terminated ? columns->row(line.text) : std::nullopt;
  if (!row) {
    std::string_view rest = line.text;
    if (!count_of(take_word(rest)) || !count_of(take_word(rest))) return;
    if (line.terminated) ++unreadable;
    const auto is_finite = [](std::string_view cell) {
      const auto value = parsed_number(cell);
      return !value || std::isfinite(*value);
    };
    if (not_finite == 0 && !std::ranges::all_of(words(rest), is_finite)) not_finite = line.number;
    warn(result, quoted_line(line.number, "this row can't be read", line.text));
    return;
  }
  ++rows;
  if (smallest < 0 || row->size < smallest) smallest = row->size;
  place(*row, line.number);
  for (const NcclCell& cell : row->cells) {
    (cell.in_place ? in_place : out_of_place)
        .take(row->size, finite_number(cell.busbw).value_or(0), line.number);
    if (columns->counts_wrong() && !cell.wrong.empty() && cell.wrong != "N/A") {
      wrong += finite_number(cell.wrong).value_or(0);
      checked = true;
      (cell.in_place ? in_place : out_of_place).checked = true;
    } else if (int& without = (cell.in_place ? in_place : out_of_place).without_check; without == 0) {
      without = line.number;
    }
    ++cells;
    if (const auto busbw = printed_number(cell.busbw)) {
      busbw_low += busbw->low;
      busbw_high += busbw->high;
    }
    Fact fact = {
        cell.in_place ? "row in-place" : "row out-of-place",
        fmt::format("{} {} {} {} {} {} {} {} {}", row->size, row->count, row->type.empty() ? "-" : row->type,
                    row->redop.empty() ? "-" : row->redop, row->root.empty() ? "-" : row->root, cell.time,
                    cell.algbw, cell.busbw, cell.wrong.empty() ? "N/A" : cell.wrong),
        line.number};
    if (result.facts.size() < most_nccl_rows)
      result.facts.push_back(std::move(fact));
    else
      extremes.take(*row, cell, fact);
  }
}

/// Holds a row's size against the sizes that the run announced.
void NcclRun::place(const NcclRow& row, int line) {
  const Value* name = find_parameter(result.parameters, "collective");
  const std::string collective = name == nullptr ? "" : value_text(*name);
  if (!ladder || misplaced || collective == "alltoallv") return;
  constexpr std::int64_t cut_of_rank = 16;
  const bool whole = collective == "all_reduce" || collective == "broadcast" || collective == "reduce" ||
                     collective == "sendrecv";
  if (!whole && (highest_rank < 0 || ranks_cut)) return ladder.reset();
  const std::int64_t due = ladder->due().value_or(row.size);
  if (!ladder->take(row.size, whole ? cut_of_rank : cut_of_rank * (highest_rank + 1)))
    misplaced = Fact{"table", fmt::format("a row of {} bytes where {} are due", row.size, due), line};
}

void NcclRun::add_table_facts() {
  for (Fact& fact : extremes.facts()) result.facts.push_back(std::move(fact));
  if (cells > 0)
    result.facts.push_back(
        {"busbw_sum", fmt::format("{} {:.17g} {:.17g}", cells, busbw_low, busbw_high), last_line});
  if (unreadable > 0) result.facts.push_back({"rows_unreadable", std::to_string(unreadable), last_line});
  if (not_finite != 0) result.facts.push_back({"row_not_finite", std::to_string(not_finite), not_finite});
  if (misplaced)
    result.facts.push_back(*misplaced);
  else if (const auto due = ladder ? ladder->due() : std::nullopt)
    result.facts.push_back({"table", fmt::format("it ends where {} bytes are due", *due), last_line});
  else if (ladder)
    result.facts.push_back({"table", "whole", last_line});
}

bool NcclRun::read_footer(std::string_view text, const LogLine& line) {
  const auto is_whole = [&](std::string_view value) { return !value.empty() && line.terminated; };
  if (const auto value = footer_value(text, "Out of bounds values")) {
    if (is_whole(*value)) result.facts.push_back({"out_of_bounds", std::string(*value), line.number});
    return true;
  }
  if (const auto value = footer_value(text, "Avg bus bandwidth")) {
    std::string_view rest = *value;
    const std::string_view printed = take_word(rest);
    if (!is_whole(printed)) return true;
    if (!finite_number(printed)) {
      warn(result, quoted_line(line.number, "the average is no number", text));
      return true;
    }
    average = printed;
    average_line = line.number;
    result.facts.push_back({"average_printed", average, line.number});
    if (const auto check = take_word(rest); !check.empty())
      result.facts.push_back({"average_check", std::string(check), line.number});
    return true;
  }
  if (text.starts_with("Reducing maxBytes to ")) {
    const auto most = count_of(value_after(text, "maxBytes to "));
    if (ladder && most) ladder->reduce(*most);
    return true;
  }
  if (text.starts_with("Collective test concluded:")) return concluded = true;
  return false;
}

void NcclRun::read(const LogLine& line) {
  last_line = line.number;
  std::string_view text = trimmed(line.text);
  if (text.empty()) return;
  if (columns && text.front() >= '0' && text.front() <= '9') return read_row(line);
  const bool comment = text.front() == '#';
  if (comment) text = trimmed(text.substr(1));
  if (comment && (text.starts_with("size ") || text.starts_with("bytes "))) {
    if (auto found = NcclColumns::of(text); found && line.terminated) {
      if (result.fact("only_in_place") != nullptr) found->only_in_place();
      if (!found->wall_time()) result.facts.push_back({"time_is", "processor time", line.number});
      columns = std::move(found);
    }
  } else if (comment && text == "in-place") {
    result.facts.push_back({"only_in_place", "yes", line.number});
  } else if (text.starts_with("Rank ") && text.find(" Pid ") != std::string_view::npos) {
    read_rank(text, line.number);
  } else if (text == "..." && highest_rank >= 0 && !columns) {
    ranks_cut = true;
  } else if (text.starts_with("nThread ") && !has_head) {
    if (line.terminated) read_options(text, line.number);
  } else if (text.starts_with("nccl-tests version ")) {
    if (line.terminated) result.version = value_after(text, "nccl-tests version ");
  } else if (text.starts_with("Collective test starting:")) {
    const std::string_view program = value_after(text, "starting:");
    if (line.terminated && program.find("_perf") != std::string_view::npos)
      result.parameters.push_back({"collective", collective_of(program)});
  } else if (text.starts_with("rccl-tests:")) {
    result.implementation = "rccl-tests";
    if (line.terminated) result.version = value_after(text, "Version ");
  } else if (!(comment && read_footer(text, line))) {
    std::optional<Failure>& cause = average.empty() ? failure : later;
    note(cause, failed_test(line));
    note(cause, failure_in(line));
  }
}

std::string inferred_collective(const ParsedResult& result, int ranks) {
  bool reduces = false;
  bool rooted = false;
  bool in_place_checked = false;
  bool out_of_place_checked = false;
  std::array<bool, 3> fits = {true, true, true};  // ratio of busbw to algbw: 1, (n-1)/n, 2(n-1)/n
  double largest_ratio = 0;
  bool any = false;
  for (const Fact& fact : result.facts) {
    if (!fact.name.starts_with("row ")) continue;
    const auto cells = words(fact.value);  // size count type redop root time algbw busbw wrong
    any = true;
    reduces = reduces || (cells[3] != "none" && cells[3] != "-");
    rooted = rooted || (cells[4] != "-1" && cells[4] != "-");
    if (cells[8] != "N/A") (fact.name == "row in-place" ? in_place_checked : out_of_place_checked) = true;
    const double algbw = finite_number(cells[6]).value_or(0);
    const double busbw = finite_number(cells[7]).value_or(0);
    const double error = half_unit(cells[7]) * 1.001;
    const double low = algbw - half_unit(cells[6]) * 1.001;
    const double high = algbw + half_unit(cells[6]) * 1.001;
    if (low > 0) largest_ratio = std::max(largest_ratio, (busbw - error) / high);
    const double n = ranks;
    const std::array factors = {1.0, (n - 1) / n, 2 * (n - 1) / n};
    for (size_t i = 0; i < factors.size(); ++i)
      if (ranks > 0 && (busbw + error < factors[i] * low || busbw - error > factors[i] * high))
        fits[i] = false;
  }
  if (!any) return {};
  const bool only_out_of_place_checked = out_of_place_checked && !in_place_checked;
  if (largest_ratio > 1 && reduces && !rooted) return "all_reduce";
  if (reduces && rooted) return "reduce";
  if (ranks < 2) return {};
  if (reduces && fits[2] && !fits[0] && !fits[1]) return "all_reduce";
  if (reduces && fits[2] && fits[0] && in_place_checked) return "all_reduce";  // two ranks
  if (reduces && fits[1] && !fits[0] && !fits[2]) return "reduce_scatter";
  if (reduces && fits[0] && only_out_of_place_checked) return "sendrecv";
  if (!reduces && rooted && fits[0] && !fits[1]) return "broadcast";
  if (!reduces && !rooted && fits[1] && !fits[0] && in_place_checked) return "all_gather";
  if (!reduces && !rooted && fits[1] && !fits[0] && only_out_of_place_checked) return "alltoall";
  return {};
}

ParsedResult NcclRun::concluded_result(std::string_view command) && {
  result.suite = "nccl";
  if (result.implementation.empty()) result.implementation = "nccl-tests";
  const int ranks = ranks_cut ? 0 : highest_rank + 1;
  if (find_parameter(result.parameters, "collective") == nullptr) {
    std::string collective = collective_of(command);
    if (collective.empty()) {
      collective = inferred_collective(result, ranks);
      if (!collective.empty())
        warn(result,
             fmt::format("the log does not name its collective: the columns and the ratio of busbw to "
                         "algbw are those of {}",
                         collective));
      else if (rows > 0)
        warn(result, "the log does not name its collective, and its values fit more than one");
    }
    if (!collective.empty()) result.parameters.insert(result.parameters.begin(), {"collective", collective});
  }
  if (ranks > 0) result.parameters.push_back({"ranks", static_cast<std::int64_t>(ranks)});
  const Fact* checks = result.fact("out_of_bounds");
  const bool whole = !average.empty() && checks != nullptr && rows > 0;
  if (whole) {
    result.parameters.push_back({"min_bytes", smallest});
    result.parameters.push_back({"max_bytes", std::max(out_of_place.largest, in_place.largest)});
    result.parameters.push_back({"sizes", rows});
    const auto add = [&](const char* name, const std::optional<Metric>& metric) {
      if (metric) result.metrics.push_back({name, metric->value, metric->line});
    };
    const Peak& main = out_of_place.highest ? out_of_place : in_place;
    add("max_busbw_gb_s", main.highest);
    result.metrics.push_back({"avg_busbw_gb_s", finite_number(average).value_or(0), average_line});
    add("busbw_at_max_bytes_gb_s", main.at_largest);
    if (out_of_place.highest) {
      add("max_busbw_in_place_gb_s", in_place.highest);
      add("busbw_at_max_bytes_in_place_gb_s", in_place.at_largest);
    }
    const auto count = count_of(value_after(" " + checks->value, " "));
    const Fact* validation = result.fact("validation");
    const bool never_checked =
        !checked && ((columns && columns->counts_wrong()) || (validation && validation->value == "0"));
    if (count && !never_checked)
      result.metrics.push_back({"wrong", static_cast<double>(*count), checks->line});
    if (checked) result.metrics.push_back({"wrong_elements", wrong, checks->line});
    for (const Peak* placement : {&out_of_place, &in_place})
      if (placement->checked && placement->without_check != 0)
        result.facts.push_back({"row_without_check", "N/A", placement->without_check});
  }
  if (later) warn(result, later->text);
  constexpr int complaint = 1;  // did not end a run that has its footer
  const bool ended_it = failure && (!whole || failure->weight > complaint);
  if (failure && !ended_it) warn(result, failure->text);
  if (ended_it)
    result.reason = failure->text;
  else if (rows == 0)
    result.reason = fmt::format("line {}: the table has no row", last_line);
  else if (!whole)
    result.reason = fmt::format(
        "the log ends at line {} before the footer with 'Avg bus bandwidth': it is cut", last_line);
  add_table_facts();
  result.complete = result.reason.empty();
  return std::move(result);
}

namespace {

bool is_time(std::string_view name) {
  return name == "time" || name == "cputime";
}

/// A bandwidth or a time: a number that is none below zero.
bool is_printed_number(std::string_view text) {
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
    if (!is_printed_number(cells[at]) || !is_printed_number(cells[at + 1]) ||
        !is_printed_number(cells[at + 2]))
      return std::nullopt;
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
