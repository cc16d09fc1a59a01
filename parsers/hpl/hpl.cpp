#include <array>
#include <utility>

#include "parsers/hpl/result.hpp"
#include "parsers/hpl/session.hpp"
#include "parsers/parser.hpp"

namespace shakedown::parser {

/// HPL's output in all its builds: netlib 1.0a to 2.3, HPCC, NVIDIA's, oneMKL's, AMD's (AOCL, rocHPL),
/// HPL-GPU and our own.
///
/// Parameters: N NB P Q, PMAP ("row", "column": the R or C of T/V) and TV, the row's variant code.
/// Metrics: rmax_gflops, time_s, residual (the largest where HPL 1.0 prints three) and rmax_gflops_per_gpu
/// where printed.
///
/// Facts, each only where the log has it:
///
///     residual_check         PASSED or FAILED, as printed behind the row's residual
///     residual_printed       the residual as printed: "3.21357981e-03", "nan"
///     ||Ax-b||_oo ||A||_oo ||x||_oo ||b||_oo   the norms printed behind the check
///     rmax_printed           Gflops as printed: its digits bound the rounding
///     rmax_per_gpu_printed   the rate per GPU as printed
///     time_printed           Time as printed
///     threshold              "Computational tests pass if scaled residuals are less than"
///     eps                    "The relative machine precision (eps)"
///     precision              the precision that the build prints: "FP64"
///     hplinpack              version in the HPLinpack banner
///     tests_finished         the footer's counts, of the run that the row belongs to:
///     tests_announced        the product of the lists that the echo has: N, NB, grids, PFACT, ..., DEPTH;
///                            without a footer at least so many
///     tests_passed tests_failed tests_unchecked tests_skipped
///     rows_passed rows_failed  the same run's rows by their own check lines, counted here
///     rows_skipped           the tests that it reported as skipped
///     rows_unchecked         its rows without a whole check, where there are any
///     end_of_tests           "End of Tests."
///     second_end             the same again, below a row or check that is no copy of the last
///     started ended          HPL_pdgesv() start and end time
///     second_stamp           another start or end time of the same row, above its check
///     ranks                  processes of the run (NVIDIA's INFO lines, HPCC's summary, our banner)
///     hosts                  "node1:2,node2:2": ranks by host (NVIDIA's INFO lines)
///     echoed                 "yes", or which of N, NB, P x Q and the parts of T/V the run didn't announce
///     hpl_tflops             HPCC's summary: of the best row
///     setting <NAME>         an environment variable that the run reports as read
extern const Parser hpl;

namespace {

/// Every log of HPL, even cut or failed, has one of these. "HPLinpack benchmark input file" is HPL.dat.
constexpr std::array<std::string_view, 10> hpl_marks = {"HPLinpack ",
                                                        "HPL-NVIDIA ",
                                                        "HPL-GPU ",
                                                        "HPC Challenge Benchmark version",
                                                        "shakedown HPL reference ",
                                                        "T/V  ",
                                                        "HPL ERROR",
                                                        "HPL_pdgesv() ",
                                                        "||Ax-b||_oo",
                                                        "Final Score:"};

/// Gives the results of each run once it ended.
class HplReader : public LogReader {
 public:
  explicit HplReader(ResultSink sink) : held_(std::move(sink)) {}
  void read(const LogLine& line) override { sessions_.read(line); }
  void finish() override {
    sessions_.finish();
    held_.finish();
  }

 private:
  void take(HplSession& session) {
    if (!session.evidence || session.mixed_precision) return;
    const bool without_tests = session.tests.empty();
    const int first_line = session.first_line;
    if (session.goes_on) return hpl_results(session, [&](ParsedResult&& r) { held_.pass(std::move(r)); });
    std::vector<ParsedResult> results;
    hpl_results(session, [&](ParsedResult&& result) { results.push_back(std::move(result)); });
    if (without_tests && results.front().metrics.empty())
      held_.lose(std::move(results.front()), first_line);
    else
      held_.give(std::move(results));
  }

  HeldResults held_;
  HplSessions sessions_{[this](HplSession& session) { take(session); }};
};

constexpr std::array<std::string_view, 4> hpl_metrics = {"rmax_gflops", "time_s", "residual",
                                                         "rmax_gflops_per_gpu"};

}  // namespace

const Parser hpl = {
    .id = "hpl",
    .suite = "hpl",
    .needles = hpl_marks,
    .metrics = hpl_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<HplReader>(std::move(sink));
    },
    .marks =
        "an HPLinpack, HPL-NVIDIA, HPL-GPU or HPC Challenge banner, a 'T/V N NB P Q' table or an 'HPL ERROR'",
};

}  // namespace shakedown::parser
