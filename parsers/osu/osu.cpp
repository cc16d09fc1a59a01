#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/failures.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"
#include "parsers/osu/table.hpp"
#include "parsers/parser.hpp"

/// The tables of the OSU micro-benchmarks. Parameters: benchmark ("osu_bw"), datatype, accelerator,
/// min_bytes, max_bytes, pairs, window_size. Metrics: latency_us and messages_s of the smallest size,
/// bandwidth_mb_s of the largest and max_bandwidth_mb_s of all; with _at_min_bytes and _at_max_bytes those of
/// the other end; any further column with _at_max_bytes. osu_init: init_min_ms, init_max_ms, init_avg_ms.
/// Facts: `columns` and `row <size>` (cells as printed), validation.
///
/// No line marks a table as whole. It is taken for whole if it reaches the largest size that the programs use
/// by themselves, or if another table or test begins below it; else only the values of the smallest size are
/// given.
namespace shakedown::parser {
namespace {

using Use = OsuColumn::Use;

constexpr size_t most_osu_rows = 256;

struct Table {
  int first_line = 0;
  int last_line = 0;
  OsuBanner banner;
  std::string datatype;
  std::vector<Parameter> parameters;
  std::vector<OsuColumn> columns;
  std::vector<std::vector<std::string>> rows;  ///< cells; at most `most_osu_rows`
  std::vector<int> lines;                      ///< of the rows
  std::vector<Metric> metrics;                 ///< of a test that prints no table
  int refused_line = 0;                        ///< where the program reports wrong data
  std::optional<Failure> failure;
};

long long size_of(const Table& table, size_t row) {
  const auto at = std::find_if(table.columns.begin(), table.columns.end(),
                               [](const OsuColumn& column) { return column.use == Use::size; });
  return at == table.columns.end()
             ? -1
             : count_of(table.rows[row][static_cast<size_t>(at - table.columns.begin())]).value_or(0);
}

/// "nprocs: 2, min: 333 ms, max: 343 ms, avg: 338 ms"
void read_start_up(Table& table, std::string_view text, int line) {
  const auto number_of = [&](std::string_view label) {
    std::string_view value = value_after(text, label);
    if (value.ends_with(',')) value.remove_suffix(1);
    return count_of(value);
  };
  if (const auto ranks = number_of("nprocs: "))
    table.parameters.push_back({"ranks", static_cast<std::int64_t>(*ranks)});
  for (const char* name : {"min", "max", "avg"})
    if (const auto value = number_of(fmt::format("{}: ", name)))
      table.metrics.push_back({fmt::format("init_{}_ms", name), static_cast<double>(*value), line});
}

/// "# [ pairs: 1 ] [ window size: 64 ]"
void read_layout(Table& table, std::string_view text) {
  if (const auto pairs = count_of(value_after(text, "pairs: ")))
    table.parameters.push_back({"pairs", static_cast<std::int64_t>(*pairs)});
  if (const auto window = count_of(value_after(text, "window size: ")))
    table.parameters.push_back({"window_size", static_cast<std::int64_t>(*window)});
}

void add_values(const Table& table, bool whole, ParsedResult& result) {
  const size_t last = table.rows.size() - 1;
  const bool sized = size_of(table, 0) >= 0;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    if (table.columns[column].use != Use::metric) continue;
    const std::string& key = table.columns[column].key;
    const auto add = [&](std::string name, size_t row) {
      result.metrics.push_back(
          {std::move(name), finite_number(table.rows[row][column]).value_or(0), table.lines[row]});
    };
    if (!sized) {
      if (table.columns.front().use == Use::label) continue;
      add(key, 0);
    } else if (key == "latency_us" || key == "messages_s" || key == "overall_us") {
      add(key, 0);
      if (whole) add(key + "_at_max_bytes", last);
    } else if (key == "bandwidth_mb_s") {
      add(key + "_at_min_bytes", 0);
      if (!whole) continue;
      add(key, last);
      size_t best = 0;
      for (size_t row = 1; row <= last; ++row)
        if (finite_number(table.rows[row][column]).value_or(0) >
            finite_number(table.rows[best][column]).value_or(0))
          best = row;
      add("max_" + key, best);
    } else if (whole) {
      add(key + "_at_max_bytes", last);
    }
  }
}

ParsedResult result_of(Table&& table, bool followed) {
  ParsedResult result;
  result.suite = "osu";
  result.implementation = "osu-micro-benchmarks";
  result.version = table.banner.version;
  result.parameters.push_back({"benchmark", table.banner.benchmark});
  if (!table.banner.accelerator.empty())
    result.parameters.push_back({"accelerator", table.banner.accelerator});
  if (!table.datatype.empty()) result.parameters.push_back({"datatype", table.datatype});
  result.parameters.insert(result.parameters.end(), table.parameters.begin(), table.parameters.end());
  if (table.refused_line != 0) result.facts.push_back({"validation", "Fail", table.refused_line});
  if (table.rows.empty()) {
    result.metrics = std::move(table.metrics);
    if (table.failure)
      result.reason = table.failure->text;
    else if (result.metrics.empty())
      result.reason = fmt::format("line {}: {} has no row", table.last_line, table.banner.title);
    result.complete = result.reason.empty();
    return result;
  }
  std::string names;
  for (const OsuColumn& column : table.columns)
    names += (names.empty() ? "" : " ") + (column.use == Use::size         ? std::string("size")
                                           : column.use == Use::validation ? "validation"
                                           : column.use == Use::metric     ? column.key
                                                                           : "-");
  result.facts.push_back({"columns", names, table.lines.front()});
  for (size_t row = 0; row < table.rows.size(); ++row)
    result.facts.push_back(
        {fmt::format("row {}", size_of(table, row)), joined(table.rows[row], " "), table.lines[row]});
  const long long largest = size_of(table, table.rows.size() - 1);
  const bool reaches = largest == default_largest(table.banner);
  const bool whole =
      !table.failure && table.rows.size() < most_osu_rows && (largest < 0 || reaches || followed);
  add_values(table, whole, result);
  if (largest >= 0) {
    result.parameters.push_back({"min_bytes", static_cast<std::int64_t>(size_of(table, 0))});
    if (whole) result.parameters.push_back({"max_bytes", static_cast<std::int64_t>(largest)});
  }
  if (table.failure)
    result.reason = table.failure->text;
  else if (!whole)
    result.reason =
        fmt::format("line {}: the table stops at {} bytes and nothing shows that it is whole: it may be cut",
                    table.last_line, largest);
  result.complete = result.reason.empty();
  return result;
}

class OsuReader : public LogReader {
 public:
  explicit OsuReader(ResultSink sink) : sink_(std::move(sink)) {}

  void read(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.starts_with('#')) return read_comment(text, line);
    if (!table_ || text.empty()) return;
    Table& table = *table_;
    if (!table.columns.empty() && line.terminated && table.rows.size() < most_osu_rows)
      if (const auto cells = osu_row(table.columns, text)) {
        table.rows.emplace_back(cells->begin(), cells->end());
        table.lines.push_back(line.number);
        table.last_line = line.number;
        return;
      }
    if (text.starts_with("nprocs: ") && line.terminated)
      read_start_up(table, text, line.number);
    else if (text.starts_with("DATA VALIDATION ERROR:"))
      note(table.failure,
           Failure{line.number, 5, quoted_line(line.number, "the data came back wrong", text)}),
          table.refused_line = line.number;
    else
      note(table.failure, failure_in(line));
  }

  void finish() override { give(false); }

 private:
  void read_comment(std::string_view text, const LogLine& line) {
    if (!line.terminated) return;
    if (const auto banner = osu_banner(text)) {
      give(true);
      table_.emplace();
      table_->banner = *banner;
      table_->first_line = table_->last_line = line.number;
    } else if (!table_) {
      return;
    } else if (const size_t at = text.find("Datatype: "); at != std::string_view::npos) {
      start_over(line.number);
      if (!table_) return;
      std::string_view name = value_after(text, "Datatype: ");
      if (name.ends_with('.')) name.remove_suffix(1);
      table_->datatype = name;
    } else if (text.find("pairs: ") != std::string_view::npos) {
      read_layout(*table_, text);
    } else if (auto columns = osu_columns(text); !columns.empty()) {
      start_over(line.number);
      if (table_) table_->columns = std::move(columns);
    }
  }

  /// One test prints a table for each data type under one banner.
  void start_over(int line) {
    if (!table_ || table_->rows.empty()) return;
    Table next;
    next.banner = table_->banner;
    next.datatype = table_->datatype;
    next.parameters = table_->parameters;
    next.first_line = next.last_line = line;
    give(true);
    table_ = std::move(next);
  }

  void give(bool followed) {
    if (!table_) return;
    sink_(result_of(std::move(*table_), followed));
    table_.reset();
  }

  ResultSink sink_;
  std::optional<Table> table_;
};

constexpr std::array<std::string_view, 1> osu_needles = {"# OSU "};

/// Of a sweep over sizes a column at its smallest or largest, of a test without sizes its one row.
constexpr std::array<std::string_view, 35> osu_metrics = {"latency_us",
                                                          "latency_us_at_max_bytes",
                                                          "bandwidth_mb_s",
                                                          "bandwidth_mb_s_at_min_bytes",
                                                          "max_bandwidth_mb_s",
                                                          "messages_s",
                                                          "messages_s_at_max_bytes",
                                                          "min_latency_us",
                                                          "min_latency_us_at_max_bytes",
                                                          "max_latency_us",
                                                          "max_latency_us_at_max_bytes",
                                                          "overall_us",
                                                          "overall_us_at_max_bytes",
                                                          "compute_us",
                                                          "compute_us_at_max_bytes",
                                                          "coll_init_us",
                                                          "coll_init_us_at_max_bytes",
                                                          "mpi_test_us",
                                                          "mpi_test_us_at_max_bytes",
                                                          "mpi_wait_us",
                                                          "mpi_wait_us_at_max_bytes",
                                                          "pure_comm_us",
                                                          "pure_comm_us_at_max_bytes",
                                                          "min_comm_us",
                                                          "min_comm_us_at_max_bytes",
                                                          "max_comm_us",
                                                          "max_comm_us_at_max_bytes",
                                                          "overlap_pct",
                                                          "overlap_pct_at_max_bytes",
                                                          "million_ops_s",
                                                          "million_ops_s_at_max_bytes",
                                                          "p*_tail_*",
                                                          "init_min_ms",
                                                          "init_max_ms",
                                                          "init_avg_ms"};

}  // namespace

extern const Parser osu;
const Parser osu = {
    .id = "osu",
    .suite = "osu",
    .needles = osu_needles,
    .metrics = osu_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<OsuReader>(std::move(sink));
    },
    .marks = "a '# OSU ... Test' banner",
};

}  // namespace shakedown::parser
