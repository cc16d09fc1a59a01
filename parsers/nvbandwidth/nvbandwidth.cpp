#include "parsers/nvbandwidth/nvbandwidth.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/json_walk.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"
#include "parsers/parser.hpp"

/// The report of nvbandwidth, in plain text and JSON. Parameters: devices, tests (with a result). Metrics:
/// <test>_gb_s or <test>_ns, the sum over its matrix as the program prints it, and <test>_min_gb_s and
/// <test>_max_gb_s, the least and the largest cell. Facts: `cells <test>` (a row of its matrix as printed),
/// `sum <test>`, no_matrix (a test), `rows_left_out <test>`, waived (how many tests), error.
///
/// Source: NVIDIA/nvbandwidth 0.2 to 0.8, output.cpp, inline_common.h, json_output.cpp.
namespace shakedown::parser {
namespace {

class NvbandwidthReader : public LogReader {
 public:
  explicit NvbandwidthReader(ResultSink sink) : sink_(std::move(sink)) {}

  void read(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.starts_with("nvbandwidth Version: ")) {
      finish();
      run_.emplace(line.number);
    }
    if (!in_json_ && run_ && !walk_.within() && !text.starts_with('{')) return run_->read(line);
    walk_.read(line);
    if (in_json_ && run_) run_->seen(line.number);
  }

  void finish() override {
    walk_.forget();
    if (run_) give();
  }

 private:
  void take(const JsonEvent& event) {
    using Kind = JsonEvent::Kind;
    const auto& path = walk_.path();
    if (path.empty()) {
      if (event.kind == Kind::end_object && in_json_) {
        if (run_) run_->end();
        give();
      }
      return;
    }
    if (path[0] != "nvbandwidth") return;
    if (event.kind == Kind::begin_object && path.size() == 1) {
      if (run_) give();
      run_.emplace(event.line).is_json();
      in_json_ = true;
    }
    if (!in_json_ || !run_ || path.size() < 2) return;
    NvbandwidthRun& run = *run_;
    if (event.kind == Kind::value && path.size() == 2) {
      if (path[1] == "version") run.version(event.value);
      if (path[1] == "error") run.error(event.value, event.line);
    }
    if (path[1] == "GPU Device list" && event.kind == Kind::value) run.device();
    if (path[1] == "testcases" && path.size() > 2) take_test(run, event, path);
  }

  void take_test(NvbandwidthRun& run, const JsonEvent& event, const std::vector<std::string>& path) {
    using Kind = JsonEvent::Kind;
    if (path.size() == 3 && event.kind == Kind::begin_object) {
      test_ = {};
      rows_.clear();
    } else if (path.size() == 3 && event.kind == Kind::end_object) {
      // "Error" of a test that failed, "ERROR" of one that this version does not have, "Running" of one that
      // ended it.
      const bool error = !error_.empty() || (!test_.status.empty() && test_.status != "Waived");
      run.test(test_);
      for (const Row& row : rows_)
        run.row(std::vector<std::string_view>(row.cells.begin(), row.cells.end()), row.line);
      if (error) run.error(error_.empty() ? test_.name + ": " + test_.status : error_, event.line);
      error_.clear();
    } else if (path.size() == 4 && event.kind == Kind::value) {
      if (path[3] == "name") test_.name = event.value;
      if (path[3] == "status") test_.status = event.value == "Passed" ? "" : std::string(event.value);
      if (path[3] == "error") error_ = event.value;
      if (path[3] == "bandwidth_description") test_.description = event.value;
      if (path[3] == "sum" && finite_number(event.value)) {
        test_.sum = event.value;
        test_.sum_line = event.line;
      }
    } else if (path.size() >= 5 && path[3] == "bandwidth_matrix" && rows_.size() < most_rows) {
      if (event.kind == Kind::begin_array) rows_.push_back({{}, event.line});
      if (event.kind == Kind::value && !rows_.empty()) rows_.back().cells.emplace_back(event.value);
    }
  }

  void give() {
    if (!run_) return;
    sink_(std::move(*run_).result());
    run_.reset();
    in_json_ = false;
  }

  struct Row {
    std::vector<std::string> cells;
    int line = 0;
  };
  static constexpr size_t most_rows = 1000;

  ResultSink sink_;
  JsonWalk walk_{[this](const JsonEvent& event) { take(event); }};
  std::optional<NvbandwidthRun> run_;
  bool in_json_ = false;
  NvbandwidthTest test_;
  std::vector<Row> rows_;
  std::string error_;
};

constexpr std::array<std::string_view, 2> nvbandwidth_needles = {"nvbandwidth Version: ", "\"nvbandwidth\""};

/// A test's own name with the unit of its values; each version has more tests.
constexpr std::array<std::string_view, 5> nvbandwidth_metrics = {
    "host_to_device_memcpy_ce_gb_s", "device_to_device_memcpy_read_ce_gb_s", "host_device_latency_sm_ns",
    "*_gb_s", "*_ns"};

}  // namespace

extern const Parser nvbandwidth;
const Parser nvbandwidth = {
    .id = "nvbandwidth",
    .suite = "nvbandwidth",
    .needles = nvbandwidth_needles,
    .metrics = nvbandwidth_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<NvbandwidthReader>(std::move(sink));
    },
    .marks = "an 'nvbandwidth Version' line or nvbandwidth's JSON",
};

}  // namespace shakedown::parser

namespace shakedown {
namespace {

constexpr size_t most_tests = 200;
constexpr size_t most_nvbandwidth_rows = 2000;

/// "gb_s" of "... bandwidth (GB/s)", "ns" of "... (ns)"; by the name if the description has none.
std::string unit_of(const NvbandwidthTest& test) {
  if (test.description.find("(GB/s)") != std::string::npos) return "gb_s";
  if (test.description.find("(ns)") != std::string::npos) return "ns";
  return test.name.find("latency") == std::string::npos ? "gb_s" : "ns";
}

bool is_number(std::string_view text) {
  return finite_number(text).has_value();
}

/// Whether the plain text of a version ends with a note on the meaning of the values.
bool has_end_note(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  const auto parts = split(version, '.');
  const auto major = count_of(parts[0]);
  const auto minor = parts.size() > 1 ? count_of(parts[1]) : std::optional<long long>(0);
  return major && minor && (*major > 0 || *minor >= 6);
}

}  // namespace

void NvbandwidthRun::version(std::string_view text) {
  version_ = text;
}

NvbandwidthTest* NvbandwidthRun::last() {
  return tests_.empty() ? nullptr : &tests_.back();
}

void NvbandwidthRun::test(NvbandwidthTest test) {
  if (test.status == "Waived") ++waived_;
  if (test.name.empty() || tests_.size() >= most_tests) return;
  tests_.push_back(std::move(test));
}

void NvbandwidthRun::row(const std::vector<std::string_view>& cells, int line) {
  if (tests_.empty()) return;
  NvbandwidthTest& test = tests_.back();
  ++test.rows;
  if (result_.facts.size() >= most_nvbandwidth_rows) {
    if (test.whole) result_.facts.push_back({"rows_left_out " + test.name, std::to_string(line), line});
    test.whole = false;
    return;
  }
  std::string joined;
  for (const std::string_view cell : cells) joined += (joined.empty() ? "" : " ") + std::string(cell);
  result_.facts.push_back({"cells " + test.name, std::move(joined), line});
}

void NvbandwidthRun::error(std::string_view text, int line) {
  note(failure_, Failure{line, 5, quoted_line(line, "nvbandwidth stopped", text)});
  result_.facts.push_back({"error", std::string(text.substr(0, 160)), line});
  if (NvbandwidthTest* test = last(); test != nullptr && test->sum.empty()) test->status = "Error";
}

void NvbandwidthRun::read(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  if (text.empty()) return;
  last_line_ = line.number;
  NvbandwidthTest* test = last();
  const bool open = test != nullptr && test->sum.empty() && test->status.empty();
  if (text.starts_with("NOTE: The reported results")) return end();
  if (!line.terminated) return;
  if (text.starts_with("nvbandwidth Version: ")) return version(value_after(text, "Version: "));
  if (text.starts_with("Device ") && tests_.empty()) return device();
  if (text.starts_with("Process ") && tests_.empty() && text.find("): device ") != std::string_view::npos)
    return device();
  if (text.starts_with("Running ") && text.ends_with('.')) {
    NvbandwidthTest next;
    next.name = text.substr(8, text.size() - 9);
    next.line = line.number;
    return this->test(std::move(next));
  }
  if (text.starts_with("Waived:") || text.starts_with("Waiving ")) {
    ++waived_;
    return;
  }
  if (text.starts_with("ERROR: ") || text.starts_with("Error: ") || text.starts_with("[CUDA_ERROR_") ||
      text.starts_with("NVML_ERROR: ") || text.starts_with("[cudaError") || text.starts_with("ASSERT in "))
    return error(text, line.number);
  std::string_view sum = text;
  if (text.starts_with("&&&& PERF ")) sum.remove_prefix(5);
  if (sum.starts_with("SUM ") || sum.starts_with("PERF ")) {
    take_word(sum);
    const std::string_view name = take_word(sum);
    const std::string_view value = take_word(sum);
    if (test == nullptr || test->name != name || !is_number(value)) return;
    test->sum = value;
    test->sum_line = line.number;
    return;
  }
  if (open && test->description.empty() && text.find('(') != std::string_view::npos) {
    test->description = text;
    return;
  }
  if (open && !test->description.empty()) {
    const auto cells = words(text);
    if (test->columns == 0) {
      test->columns = cells.size();
      return;
    }
    if (cells.size() > test->columns) {
      const std::vector<std::string_view> values(cells.end() - static_cast<std::ptrdiff_t>(test->columns),
                                                 cells.end());
      if (std::all_of(values.begin(), values.end(),
                      [](std::string_view v) { return v == "N/A" || is_number(v); }))
        return row(values, line.number);
    }
  }
  note(failure_, failure_in(line));
}

void NvbandwidthRun::add_values(const NvbandwidthTest& test) {
  const std::string unit = unit_of(test);
  result_.metrics.push_back(
      {fmt::format("{}_{}", test.name, unit), finite_number(test.sum).value_or(0), test.sum_line});
  result_.facts.push_back({"sum " + test.name, test.sum, test.sum_line});
  if (test.rows == 0) result_.facts.push_back({"no_matrix", test.name, test.sum_line});
  if (!test.whole) return;
  std::optional<Metric> least;
  std::optional<Metric> largest;
  for (const Fact& fact : result_.facts) {
    if (fact.name != "cells " + test.name) continue;
    for (const std::string_view cell : words(fact.value)) {
      const auto value = finite_number(cell);
      if (!value) continue;
      if (!least || *value < least->value) least = Metric{{}, *value, fact.line};
      if (!largest || *value > largest->value) largest = Metric{{}, *value, fact.line};
    }
  }
  if (least)
    result_.metrics.push_back({fmt::format("{}_min_{}", test.name, unit), least->value, least->line});
  if (largest)
    result_.metrics.push_back({fmt::format("{}_max_{}", test.name, unit), largest->value, largest->line});
}

ParsedResult NvbandwidthRun::result() && {
  result_.suite = "nvbandwidth";
  result_.implementation = "nvbandwidth";
  result_.version = version_.starts_with('v') ? version_.substr(1) : version_;
  if (devices_ > 0) result_.parameters.push_back({"devices", devices_});
  std::string unfinished;
  std::int64_t measured = 0;
  for (const NvbandwidthTest& test : tests_) {
    if (!test.sum.empty()) {
      add_values(test);
      ++measured;
    } else if (test.status.empty() && unfinished.empty()) {
      unfinished = test.name;
    }
  }
  result_.parameters.push_back({"tests", measured});
  result_.facts.push_back({"waived", std::to_string(waived_), last_line_});
  if (failure_ && (!ended_ || failure_->weight >= 5))
    result_.reason = failure_->text;
  else if (!unfinished.empty())
    result_.reason = fmt::format("line {}: {} has no sum: the log is cut", last_line_, unfinished);
  else if (measured == 0)
    result_.reason = fmt::format("line {}: no test was run", last_line_);
  else if (!ended_ && json_)
    result_.reason = fmt::format("the JSON ends at line {} without its brace: it is cut", last_line_);
  else if (!ended_ && has_end_note(version_))
    result_.reason =
        fmt::format("the log ends at line {} before nvbandwidth's final NOTE: it is cut", last_line_);
  result_.complete = result_.reason.empty();
  return std::move(result_);
}

}  // namespace shakedown
