#include "parsers/hpcg/hpcg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parsers/hpcg/result.hpp"
#include "parsers/hpcg/runs.hpp"
#include "parsers/number.hpp"
#include "parsers/parser.hpp"

namespace shakedown::parser {
namespace {

/// Every log of HPCG, even cut or failed, has one of these.
constexpr std::array<std::string_view, 16> hpcg_marks = {"HPCG-Benchmark",
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
class HpcgReader : public LogReader {
 public:
  explicit HpcgReader(ResultSink sink) : held_(std::move(sink)) {}
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

/// Whether HPCG's log of its iterations is of the report's run: that has a line for each of its CG sets.
bool is_log_of(const ParsedResult& log, const ParsedResult& report) {
  if (log.metric("rating_gflops") != nullptr || log.fact("failure") != nullptr) return false;
  const auto number = [](const ParsedResult& result, std::string_view name) {
    const Fact* fact = result.fact(name);
    return fact == nullptr ? std::nullopt : positive_integer(fact->value);
  };
  const auto iterations = number(report, "optimized_iterations");
  const auto total = number(report, "optimized_iterations_total");
  return !iterations || !total || number(log, "log_sets") == *total / *iterations;
}

/// Whether a result has less than the report of the same run: HPCG's log of its iterations, or a rating that
/// the report has, too.
bool is_covered_by(const ParsedResult& poor, const ParsedResult& other) {
  const Fact* source = poor.fact("source");
  const Fact* from = other.fact("source");
  if (source == nullptr || source->value == "report" || from == nullptr || from->value != "report")
    return false;
  if (source->value == "log") return is_log_of(poor, other);
  const Fact* printed = poor.fact(source->value == "console" ? "console_final" : "rating");
  const Fact* known = other.fact("rating");
  if (known == nullptr) known = other.fact("rate_final");
  return printed != nullptr && known != nullptr && same_hpcg_rating(printed->value, known->value);
}

/// Adds what a console reports of its run and the report does not. The line numbers are the console's, so
/// warnings name them in words, and facts have none.
void add_console(ParsedResult& report, const FileResult& console) {
  for (const Fact& fact : console.result.facts) {
    const bool invalid = fact.name == "verdict" && fact.value == "INVALID";
    const bool mode = fact.name == "benchmark_mode" || fact.name == "l2_compression" ||
                      fact.name == "execution" || fact.name == "engineering_version" ||
                      fact.name == "int64_indexing" || fact.name == "gpu" || fact.name == "console_started";
    if (invalid) {
      std::erase_if(report.facts, [](const Fact& own) { return own.name == "verdict"; });
      report.warnings.push_back(
          fmt::format("{}, line {}: the program calls the run invalid", console.file, fact.line));
    }
    if (invalid || (mode && report.fact(fact.name) == nullptr))
      report.facts.push_back({fact.name, fact.value, 0});
  }
  if (report.implementation == "official" && !console.result.implementation.empty())
    report.implementation = console.result.implementation;
  for (const std::string& warning : console.result.warnings)
    report.warnings.push_back(fmt::format("{}: {}", console.file, warning));
}

/// The files of one run: its report replaces its console and its log, which have less.
std::vector<FileResult> folder(std::vector<FileResult> results) {
  std::vector<FileResult> kept;
  std::vector<FileResult> poor;
  for (FileResult& each : results) {
    const bool covered = std::any_of(results.begin(), results.end(), [&](const FileResult& other) {
      return &other != &each && is_covered_by(each.result, other.result);
    });
    (covered ? poor : kept).push_back(each);
  }
  for (const FileResult& each : poor) {
    const auto report = std::find_if(kept.begin(), kept.end(), [&](const FileResult& other) {
      return is_covered_by(each.result, other.result);
    });
    if (report == kept.end()) continue;
    add_console(report->result, each);
    if (report->file != each.file) report->others.push_back(each.file);
  }
  return kept;
}

constexpr std::array<std::string_view, 9> hpcg_metrics = {
    "rating_gflops",    "raw_gflops", "convergence_gflops", "total_time_s",  "memory_total_gb",
    "memory_system_gb", "unknowns",   "nonzeros",           "bandwidth_gb_s"};

}  // namespace

const Parser hpcg = {
    .id = "hpcg",
    .suite = "hpcg",
    .needles = hpcg_marks,
    .metrics = hpcg_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<HpcgReader>(std::move(sink));
    },
    .marks =
        "an 'HPCG-Benchmark' report, HPCG-NVIDIA's or rocHPCG's console, or HPCG's log of its iterations",
    .joined = folder,
};

}  // namespace shakedown::parser
