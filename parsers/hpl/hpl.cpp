#include "parsers/hpl/hpl.hpp"

#include <array>
#include <utility>

#include "parsers/hpl/result.hpp"
#include "parsers/hpl/session.hpp"
#include "parsers/parser.hpp"

namespace shakedown::parser {
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
