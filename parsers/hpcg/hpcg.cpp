#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parsers/hpcg/result.hpp"
#include "parsers/hpcg/runs.hpp"
#include "parsers/number.hpp"
#include "parsers/parser.hpp"

namespace shakedown::parser {

/// HPCG's results: the report of HPCG 2.4 to 3.1 (nested, flat, or on a console among other lines), which
/// Intel's, NVIDIA's, AMD's and Arm's builds print, too; and the summaries that NVIDIA's releases before 23
/// and rocHPCG print on their consoles, and Intel's one line, all three without the benchmark's verdict.
///
/// Implementations: official, nvidia, amd (rocHPCG), intel, arm (HPCG_for_Arm), reference (our own). A report
/// that doesn't name its build is `official`.
///
/// Parameters: procs threads gnx gny gnz npx npy npz nx ny nz.
/// Metrics: rating_gflops, raw_gflops, convergence_gflops, total_time_s, memory_total_gb, memory_system_gb
/// (linear system and CG), unknowns, nonzeros, bandwidth_gb_s (by HPCG's own count of bytes, not measured).
///
/// Facts, each only where the log has it, numbers as printed:
///
///     verdict                VALID or INVALID; of a console only INVALID
///     second_summary         a different verdict below this one, that no report of its own comes with
///     verdict_words          the words by which the report declares the result INVALID
///     <every `fact` of hpcg_keys()>, but those in HpcgCoarseGrid and HpcgLayer
///     layers                 "0-0:16 1-1:24": heights of the local domains by z of the process grid, where
///                            they differ
///     coarse_equations_<k> coarse_nonzeros_<k> coarse_memory_<k>  of coarse grid k, from 1
///     release                the report's version
///     reference_kernels      "ComputeSPMV, ComputeMG": what was not optimised
///     excerpt                "yes": a report without its beginning
///     source                 "report", "console" (a vendor's summary), "stdout" (Intel's line), "log"
///     (HPCG's
///                            log of its iterations)
///     log_sets               CG sets that such a log reports
///     failure                what ended a run without results
///     console_<rate> console_<rate>_gb_s console_<rate>_per_process  rates of a vendor's summary, GFLOP/s:
///                            ddot waxpby spmv symgs mg total final
///     console_iterations console_sets  of NVIDIA's older summary
///     console_started        "yes": NVIDIA's program printed its modes; a mode not printed is off
///     benchmark_mode         "on, --bi 4": NVIDIA's mode without the reference run
///     l2_compression         "on": NVIDIA's
///     execution              "GPU-Only", "Grace-Only", "GPU+Grace": NVIDIA's
///     engineering_version    "yes": NVIDIA's, not to be shared
///     int64_indexing         "on": NVIDIA's
///     gpu                    its name
extern const Parser hpcg;

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
