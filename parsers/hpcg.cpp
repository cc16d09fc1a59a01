#include "parsers/hpcg.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "parsers/held_results.hpp"
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

/// Gives the results of each run once it ended.
class Reader : public LogReader {
 public:
  explicit Reader(ResultSink sink) : held_(std::move(sink)) {}
  void read(const LogLine& line) override { runs_.read(line); }
  void finish() override {
    runs_.finish();
    held_.finish();
  }

 private:
  void take(const HpcgRun& run) {
    if (!run.evidence()) return;
    std::vector<ParsedResult> results = hpcg_results(run);
    if (results.front().metrics.empty() && results.front().fact("verdict") == nullptr)
      held_.lose(std::move(results.front()), run.first_line);
    else
      held_.give(std::move(results));
  }

  HeldResults held_;
  HpcgRuns runs_{[this](HpcgRun&& run) { take(run); }};
};

/// Whether a result says less than the report of the same run: HPCG's log of its iterations, or a rating
/// that the report has, too.
bool is_told_by(const ParsedResult& poor, const ParsedResult& other) {
  const Fact* source = poor.fact("source");
  const Fact* from = other.fact("source");
  if (source == nullptr || source->value == "report" || from == nullptr || from->value != "report")
    return false;
  if (source->value == "log") return poor.metric("rating_gflops") == nullptr;
  const Fact* printed = poor.fact(source->value == "console" ? "console_final" : "rating");
  const Fact* known = other.fact("rating");
  if (known == nullptr) known = other.fact("rate_final");
  return printed != nullptr && known != nullptr && same_hpcg_rating(printed->value, known->value);
}

/// The files of one run: its report stands for what its console and its log tell of less.
std::vector<FileResult> folder(std::vector<FileResult> results) {
  std::vector<FileResult> kept;
  std::vector<FileResult> poor;
  for (FileResult& each : results) {
    const bool told = std::any_of(results.begin(), results.end(), [&](const FileResult& other) {
      return &other != &each && is_told_by(each.result, other.result);
    });
    (told ? poor : kept).push_back(each);
  }
  for (const FileResult& each : poor) {
    const auto report = std::find_if(kept.begin(), kept.end(), [&](const FileResult& other) {
      return is_told_by(each.result, other.result);
    });
    if (report != kept.end() && report->file != each.file) report->others.push_back(each.file);
  }
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
