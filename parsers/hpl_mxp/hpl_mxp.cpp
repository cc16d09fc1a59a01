#include <array>
#include <string_view>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/hpl/words.hpp"
#include "parsers/hpl_mxp/block.hpp"
#include "parsers/hpl_mxp/harness.hpp"
#include "parsers/hpl_mxp/log.hpp"
#include "parsers/hpl_mxp/table.hpp"
#include "parsers/number.hpp"
#include "parsers/parser.hpp"

namespace shakedown {
namespace {

/// Reads the reference implementation of HPL-AI by the Innovative Computing Laboratory: one process, factors
/// in single precision, N not printed.
///
///     Total time                        :        0.047 second
///     Effective operation per sec       :     3.098523 GFLOPs
///     ||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= 0.013233 ...PASSED
///
/// Source: hpl-ai/hpl-ai, hpl-ai.c and gmres.c.
class MxpIcl {
 public:
  explicit MxpIcl(MxpLog& log) : log_(log) {}
  /// Whether the line is of this program.
  bool read(std::string_view text, const LogLine& line);
  void finish() { end_run(); }

 private:
  void begin_run(int line);
  void end_run();
  bool spent(std::string_view text, const LogLine& line);

  MxpLog& log_;
  bool evidence_ = false;
  int first_line_ = 1;
  int rate_line_ = 0;
  ParsedResult run_;
};

constexpr std::string_view hpl_mxp_icl_banner = "HPL-AI Mixed-Precision Benchmark";
constexpr std::string_view rate_label = "Effective operation per sec       :";
constexpr std::string_view precision_words = "LU factorization in single and GMRES in double";

bool MxpIcl::read(std::string_view text, const LogLine& line) {
  switch (text.front()) {
    case 'H':
      if (text != hpl_mxp_icl_banner) return false;
      begin_run(line.number);
      return true;
    case 'E': {
      if (text.starts_with(rate_label)) {
        if (!evidence_ || rate_line_ != 0) begin_run(line.number);
        rate_line_ = line.number;
        const std::string_view rate = mxp_value(text, rate_label, line);
        if (!line.terminated || !text.ends_with("GFLOPs")) return true;
        set_metric(run_, "rmax_gflops", rate, line.number);
        set_fact(run_, "rmax_printed", rate, line.number);
        return true;
      }
      constexpr std::string_view estimated = "Estimated residual norm at the ";
      if (!evidence_ || !text.starts_with(estimated)) return false;
      const std::string_view iteration = text.substr(estimated.size());
      set_fact(run_, "iterations", iteration.substr(0, iteration.find('-')), line.number);
      return true;
    }
    case 'T':
      if (text.starts_with("Time spent in ") || text.starts_with("Total time ")) return spent(text, line);
      if (!evidence_ || !text.starts_with("The relative machine precision (eps)")) return false;
      set_fact(run_, "eps", mxp_value(text, "to be:", line), line.number);
      return true;
    case 'm':
      if (!evidence_ || text.find(precision_words) == std::string_view::npos) return false;
      set_text_parameter(run_, "precision", "FP32");
      return true;
    case 'C':
      if (!evidence_ || !text.starts_with("Computational tests pass if scaled residuals")) return false;
      set_fact(run_, "threshold", mxp_value(text, "less than", line), line.number);
      return true;
    case '|': {
      if (rate_line_ == 0) return false;
      const auto check = mxp_check(text);
      if (!check) return text.starts_with("||Ax-b||_oo / ( eps");
      set_check(run_, *check, line.number);
      end_run();
      return true;
    }
    default:
      return false;
  }
}

void MxpIcl::begin_run(int line) {
  end_run();
  evidence_ = true;
  first_line_ = line;
}

/// "Time spent in factorization       :        0.042 second"
bool MxpIcl::spent(std::string_view text, const LogLine& line) {
  struct Part {
    std::string_view label;
    const char* name;
  };
  static constexpr std::array parts = {Part{"Time spent in conversion to single:", "to_single_printed"},
                                       Part{"Time spent in factorization       :", "lu_time_printed"},
                                       Part{"Time spent in solve               :", "solve_time_printed"},
                                       Part{"Time spent in conversion to double:", "to_double_printed"},
                                       Part{"Time spent in GMRES               :", "refinement_time_printed"},
                                       Part{"Total time                        :", "time_printed"}};
  for (const Part& part : parts) {
    if (!text.starts_with(part.label)) continue;
    if (!evidence_) begin_run(line.number);
    if (!line.terminated || !text.ends_with(" second")) return true;
    const std::string_view seconds = mxp_value(text, part.label, line);
    const std::string_view name = part.name;
    set_fact(run_, name, seconds, line.number);
    if (name == "time_printed") set_metric(run_, "time_s", seconds, line.number);
    if (name == "lu_time_printed") set_metric(run_, "lu_time_s", seconds, line.number);
    if (name == "refinement_time_printed") set_metric(run_, "refinement_time_s", seconds, line.number);
    return true;
  }
  return false;
}

void MxpIcl::end_run() {
  if (!std::exchange(evidence_, false)) return;
  ParsedResult result = std::exchange(run_, {});
  const int line = std::exchange(rate_line_, 0);
  result.suite = "hpl-mxp";
  result.implementation = "icl";
  log_.add_date(result);
  if (line == 0) {
    result.metrics.clear();
    result.reason = log_.why_nothing();
    log_.lost(std::move(result), first_line_);
    return;
  }
  const bool rated = result.metric("rmax_gflops") != nullptr;
  result.complete = rated && result.fact("residual_check") != nullptr;
  if (!result.complete)
    result.reason = log_.why_cut(
        line, rated ? "the rate has no whole residual check behind it" : "the rate is cut or no number");
  std::vector<ParsedResult> results;
  results.push_back(std::move(result));
  log_.give(std::move(results));
}

}  // namespace
}  // namespace shakedown

namespace shakedown::parser {

/// HPL-MxP and HPL-AI, the mixed-precision HPL: NVIDIA's (20.10 to 26.02), rocHPL-MxP and AMD's for Zen,
/// the reference of the Innovative Computing Laboratory, RIKEN's for Fugaku, OpenMxP, Sun Yat-sen
/// University's, and Intel's.
///
/// Parameters: N NB P Q, and where printed PMAP ("row", "column"), TV and `precision`, the lowest of the
/// factorisation: "FP8", "FP16", "FP32", a build's own name, or "16 bit" where only the width is printed.
///
/// Metrics, GFLOP/s and seconds: rmax_gflops, the rate of the whole solution and the one to report;
/// residual, the scaled one; and where printed lu_gflops, of the factorisation alone,
/// rmax_gflops_per_gpu, lu_gflops_per_gpu, lu_time_s, refinement_time_s, and time_s, the time of the whole
/// solution: as printed, else the sum of the two parts.
///
/// Facts, each only where the log has it:
///
///     residual_check         PASSED or FAILED; RIKEN's, OpenMxP's and AMD's for Zen print no such word
///     residual_printed       the scaled residual as printed
///     ||Ax-b||_oo ||A||_oo ||x||_oo ||b||_oo eps threshold   as printed beside the check
///     rmax_printed lu_printed rmax_per_gpu_printed lu_per_gpu_printed rmax_tflops_per_gpu_printed
///     time_printed lu_time_printed refinement_time_printed, with _min and _max over the ranks (NVIDIA)
///     iterations             number of the refinement's last iteration
///     last_norm last_residual   what that iteration printed
///     factorisation          "full" or "warmup" (RIKEN)
///     skipped                a part that the run skipped: "LU", "IR", ...
///     matrix                 "ddmat", strictly diagonally dominant, or "hmat" (RIKEN)
///     one_rate               the row has one rate, and does not name its time (HPL-AI 20.10)
///     echoed                 "yes", or which of the result's sizes the run did not announce
///     host_memory_needed_gb host_memory_available_gb, device_ likewise   of each process
///     ranks                  processes of the run
///     started ended          ctime() stamps around the solver
///     date                   "2026-08-21", from time stamps that the program printed
///     submitted_*            what OpenMxP repeats for the submission
///     tests_passed tests_failed tests_unchecked tests_skipped rows_passed rows_failed end_of_tests
extern const Parser hpl_mxp;

namespace {

/// Every log of HPL-MxP, even cut or failed, has one of these. "HPLinpack 2.2" is rocHPL-MxP's banner, the
/// only sign of it in a log that ends before its first row.
constexpr std::array<std::string_view, 20> hpl_mxp_marks = {"HPL-MxP-NVIDIA ",
                                                            "HPL-AI-NVIDIA ",
                                                            "HPL MxP ",
                                                            "shakedown HPL-MxP reference ",
                                                            "SLOPPY-TYPE = ",
                                                            "||Ax-b||_oo / (EPS ",
                                                            "HPL_AI ",
                                                            "Gflops_IRS",
                                                            "HPLMXP_",
                                                            "HPLAI_pdgesv() ",
                                                            "HPL-AI Mixed-Precision Benchmark",
                                                            "Effective operation per sec ",
                                                            "# iterative refinement: step=",
                                                            "# refinement: step=",
                                                            "#MPI_Init_thread: ",
                                                            "hpl-harness = ",
                                                            "OpenMxP",
                                                            "epoch_size = ",
                                                            "xhpl-ai_intel64",
                                                            "HPLinpack 2.2 "};

/// Lines that come by the thousand and have nothing that is recorded.
bool is_noise(std::string_view text) {
  switch (text.front()) {
    case '!':  // NVIDIA's GPU monitor, RIKEN's progress
      return true;
    case 'P':
      return text.starts_with("Prog=");
    case 'S':
      return text.starts_with("Step ");
    case 'C':
      return text.starts_with("Column=");
    default:  // rocHPL-MxP's progress
      return text.front() >= '0' && text.front() <= '9' && text.find("% | ") < 8;
  }
}

class HplMxpReader : public LogReader {
 public:
  explicit HplMxpReader(ResultSink sink) : log_(std::move(sink)) {}
  void read(const LogLine& line) override {
    log_.at(line);
    const std::string_view text = trimmed(line.text);
    if (text.empty() || is_noise(text)) return;
    if (blocks_.read(text, line) || harness_.read(text, line) || icl_.read(text, line) ||
        tables_.read(text, line))
      return;
    if (log_.other(line) || is_shell_trace(text)) tables_.break_off();
  }
  void finish() override {
    blocks_.finish();
    harness_.finish();
    icl_.finish();
    tables_.finish();
    log_.finish();
  }

 private:
  MxpLog log_;
  MxpBlocks blocks_{log_};
  MxpTables tables_{log_};
  MxpHarness harness_{log_};
  MxpIcl icl_{log_};
};

constexpr std::array<std::string_view, 8> hpl_mxp_metrics = {
    "rmax_gflops", "rmax_gflops_per_gpu", "lu_gflops",        "lu_gflops_per_gpu", "residual",
    "time_s",      "lu_time_s",           "refinement_time_s"};

}  // namespace

const Parser hpl_mxp = {
    .id = "hpl-mxp",
    .suite = "hpl-mxp",
    .needles = hpl_mxp_marks,
    .metrics = hpl_mxp_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<HplMxpReader>(std::move(sink));
    },
    .marks =
        "an HPL-MxP-NVIDIA or HPL-AI banner, an 'HPL MxP Result' block, 'HPL_AI' rows, 'HPLMXP_pdgesv()' or "
        "an 'hpl-harness' line",
};

}  // namespace shakedown::parser
