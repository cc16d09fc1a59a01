#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/failures.hpp"
#include "parsers/mlperf/event.hpp"
#include "parsers/mlperf/keys.hpp"
#include "parsers/mlperf/result.hpp"
#include "parsers/mlperf/run.hpp"
#include "parsers/number.hpp"
#include "parsers/parser.hpp"

namespace shakedown::parser {
namespace {

constexpr std::string_view mlperf_banner = "shakedown MLPerf reference ";

/// "RUNANDTIME_START" is printed by NVIDIA's run_and_time.sh, the banner by our own reference: a log that has
/// nothing else died early.
constexpr std::array<std::string_view, 5> mlperf_marks = {":::MLLOG", ":::MLL ", ":::MLPv0.5.0 ",
                                                          "RUNANDTIME_START ", mlperf_banner};

/// "2 of 10" of "Beginning trial 2 of 10", as NVIDIA's run.sub and run_with_docker.sh print it.
std::string_view trial_of(std::string_view text) {
  constexpr std::string_view label = "Beginning trial ";
  if (!text.starts_with(label)) return {};
  text = trimmed(text.substr(label.size()));
  const auto parts = words(text);
  if (parts.size() != 3 || parts[1] != "of" || !positive_integer(parts[0]) || !positive_integer(parts[2]))
    return {};
  return text;
}

/// Gives each run of a log once the next one begins.
///
/// A run begins with a trial's heading, or with init_start or run_start where the run before has started.
/// Submitters also log settings behind run_stop, so these belong to the run before unless another begins.
class MlperfReader : public LogReader {
 public:
  explicit MlperfReader(ResultSink sink) : sink_(std::move(sink)) {}

  void read(const LogLine& line) override {
    using Line = MlperfDecoder::Line;
    switch (decoder_.read(line)) {
      case Line::foreign:
        read_foreign(line);
        break;
      case Line::counted:
        target(decoder_.event().key).count(decoder_.event().key);
        touch(line.number);
        break;
      case Line::event:
        take(decoder_.event(), line.number);
        touch(line.number);
        break;
      case Line::unreadable:
        if (run_.cut_lines++ == 0) run_.first_cut = line.number;
        break;
      case Line::ignored:
        break;
    }
    last_line_ = line.number;
  }

  void finish() override { hand_over(true); }

 private:
  void touch(int line) {
    if (run_.first_line == 0) run_.first_line = line;
    run_.last_line = line;
  }

  /// Where a key is recorded: what may be of a next run waits until it is known whether there is one.
  MlperfRun& target(std::string_view key) {
    const MlperfUse use = mlperf_use(key);
    const bool next = run_.stop && !key.starts_with("train") &&
                      (use == MlperfUse::setting || use == MlperfUse::seed || key == "cache_clear");
    return next ? waiting_ : run_;
  }

  void take(const MlperfEvent& event, int line) {
    const bool starts = event.key == "init_start" || event.key == "run_start";
    if (starts && run_.start && event.time_ms != run_.start->ms) {
      const bool repeated = event.key == "run_start" && !run_.stop;  // by a second process
      if (!repeated) begin();
    }
    target(event.key).add(event, line);
  }

  void begin() {
    MlperfRun next = std::exchange(waiting_, {});
    hand_over(false);
    run_ = std::move(next);
  }

  void read_foreign(const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    if (text.empty()) return;
    if (const std::string_view trial = trial_of(text); !trial.empty()) {
      // Some print the heading behind the first cache_clear of its trial.
      if (run_.start || run_.first_init_start || !run_.trial.empty()) hand_over(true);
      run_.trial = trial;
      launched_ = true;
      touch(line.number);
    } else if (text.starts_with("RUNANDTIME_START ") && positive_integer(text.substr(17))) {
      launched_ = true;
      touch(line.number);
    } else if (text.starts_with(mlperf_banner)) {
      run_.ours = true;
      launched_ = true;
      touch(line.number);
    } else if (!run_.stop) {
      note(run_.failure, failure_in(line));
    }
  }

  void hand_over(bool with_waiting) {
    if (with_waiting) run_.append(std::exchange(waiting_, {}));
    run_.last_line = std::max(run_.last_line, last_line_);
    if (run_.events > 0 || launched_) sink_(mlperf_result(run_));
    run_ = {};
    launched_ = false;
  }

  ResultSink sink_;
  MlperfDecoder decoder_;
  MlperfRun run_;
  MlperfRun waiting_;
  bool launched_ = false;
  int last_line_ = 0;
};

/// A second quality has its own name by the benchmark: "final_fid" of stable_diffusion, "final_segm" of
/// maskrcnn.
constexpr std::array<std::string_view, 11> mlperf_metrics = {"time_to_train_min", "ended_without_target_min",
                                                             "final_quality",     "target_quality",
                                                             "samples_per_s",     "tokens_per_s_per_gpu",
                                                             "model_gflops",      "final_fid",
                                                             "target_fid",        "final_segm",
                                                             "target_segm"};

}  // namespace

extern const Parser mlperf;
const Parser mlperf = {
    .id = "mlperf",
    .suite = "mlperf",
    .needles = mlperf_marks,
    .metrics = mlperf_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<MlperfReader>(std::move(sink));
    },
    .marks = "':::MLLOG {...}' lines of MLPerf Training, or those of its versions 0.5 and 0.6",
};

}  // namespace shakedown::parser
