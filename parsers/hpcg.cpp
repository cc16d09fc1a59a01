#include "parsers/hpcg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "parsers/hpcg_result.hpp"
#include "parsers/hpcg_runs.hpp"

namespace shakedown::parser {
namespace {

/// One of these stands in every log of HPCG, be it cut or failed.
constexpr std::array<std::string_view, 16> marks = {"HPCG-Benchmark",
                                                    "HPCG result is",
                                                    "Machine Summary",
                                                    "Benchmark Time Summary",
                                                    "GFLOP/s Summary",
                                                    "HPCG-NVIDIA ",
                                                    "tart of application (",
                                                    "GF_per",
                                                    "rocHPCG version: ",
                                                    "GFlop/s per process",
                                                    "shakedown HPCG reference ",
                                                    "PERFORMING UNPRECONDITIONED ITERATIONS",
                                                    "min(x,y,z)/max(x,y,z)",
                                                    "xhpcg",
                                                    "rochpcg",
                                                    "hpcg.sh"};

/// Gives the results of each run once it ended. A run that left no figure is told beside the results of the
/// others, not as a result; where all did, the last one is.
class Reader : public LogReader {
 public:
  explicit Reader(ResultSink sink) : sink_(std::move(sink)) {}
  void read(const LogLine& line) override { runs_.read(line); }
  void finish() override {
    runs_.finish();
    if (!any_ && last_dead_) {
      dead_.pop_back();
      held_.push_back(std::move(*last_dead_));
    }
    release();
  }

 private:
  void take(const HpcgRun& run) {
    if (!run.evidence()) return;
    std::vector<ParsedResult> results = hpcg_results(run);
    if (results.front().metrics.empty() && results.front().fact("verdict") == nullptr) {
      if (dead_.size() == most_dead) dead_.erase(dead_.begin());
      dead_.push_back(fmt::format("the run that starts at line {} left no result: {}", run.first_line,
                                  results.front().reason));
      last_dead_ = std::move(results.front());
      return;
    }
    any_ = true;
    if (held_.size() > most_held) release();
    std::move(results.begin(), results.end(), std::back_inserter(held_));
  }

  void release() {
    for (ParsedResult& result : held_) {
      result.warnings.insert(result.warnings.end(), dead_.begin(), dead_.end());
      sink_(std::move(result));
    }
    held_.clear();
  }

  static constexpr size_t most_held = 100;  ///< results that may wait for what stands below them
  static constexpr size_t most_dead = 20;
  ResultSink sink_;
  HpcgRuns runs_{[this](HpcgRun&& run) { take(run); }};
  std::vector<ParsedResult> held_;
  std::vector<std::string> dead_;
  std::optional<ParsedResult> last_dead_;
  bool any_ = false;
};

/// Whether a result says less than the report of the same run: HPCG's log of its iterations, or a rating
/// that the report has, too.
bool is_told_by(const FileResult& poor, std::span<const FileResult> all) {
  const Fact* source = poor.result.fact("source");
  if (source == nullptr || source->value == "report") return false;
  const Metric* rating = poor.result.metric("rating_gflops");
  if (source->value == "log" && rating != nullptr) return false;
  const Fact* printed = poor.result.fact(source->value == "console" ? "console_final" : "rating");
  return std::any_of(all.begin(), all.end(), [&](const FileResult& other) {
    const Fact* from = other.result.fact("source");
    if (from == nullptr || from->value != "report") return false;
    if (source->value == "log") return true;
    const Fact* known = other.result.fact("rating");
    if (known == nullptr) known = other.result.fact("rate_final");
    return printed != nullptr && known != nullptr && same_hpcg_rating(printed->value, known->value);
  });
}

/// The files of one run: its report stands for what its console and its log tell of less.
std::vector<FileResult> folder(std::vector<FileResult> results) {
  std::vector<FileResult> kept;
  for (const FileResult& result : results)
    if (!is_told_by(result, results)) kept.push_back(result);
  return kept;
}

}  // namespace

const Parser hpcg = {
    .id = "hpcg",
    .suite = "hpcg",
    .needles = marks,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<Reader>(std::move(sink));
    },
    .marks =
        "an 'HPCG-Benchmark' report, HPCG-NVIDIA's or rocHPCG's console, or HPCG's log of its iterations",
    .joined = folder,
};

}  // namespace shakedown::parser
