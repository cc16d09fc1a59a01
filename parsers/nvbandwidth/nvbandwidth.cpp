#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "parsers/json_walk.hpp"
#include "parsers/number.hpp"
#include "parsers/nvbandwidth/run.hpp"
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
      const bool error = test_.status == "Error" || !error_.empty();
      run.test(test_);
      for (const Row& row : rows_)
        run.row(std::vector<std::string_view>(row.cells.begin(), row.cells.end()), row.line);
      if (error) run.error(error_.empty() ? test_.name + ": Error" : error_, event.line);
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

/// A test's own name with the unit of its figures; each version has more tests.
constexpr std::array<std::string_view, 5> nvbandwidth_figures = {
    "host_to_device_memcpy_ce_gb_s", "device_to_device_memcpy_read_ce_gb_s", "host_device_latency_sm_ns",
    "*_gb_s", "*_ns"};

}  // namespace

extern const Parser nvbandwidth;
const Parser nvbandwidth = {
    .id = "nvbandwidth",
    .suite = "nvbandwidth",
    .needles = nvbandwidth_needles,
    .metrics = nvbandwidth_figures,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<NvbandwidthReader>(std::move(sink));
    },
    .marks = "an 'nvbandwidth Version' line or nvbandwidth's JSON",
};

}  // namespace shakedown::parser
