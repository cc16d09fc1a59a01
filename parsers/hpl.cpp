#include "parsers/hpl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "parsers/hpl_result.hpp"
#include "parsers/hpl_session.hpp"

namespace shakedown::parser {
namespace {

/// One of these stands in every log of HPL, be it cut or failed. "HPLinpack benchmark input file" is HPL.dat.
constexpr std::array<std::string_view, 10> marks = {"HPLinpack ",
                                                    "HPL-NVIDIA ",
                                                    "HPL-GPU ",
                                                    "HPC Challenge Benchmark version",
                                                    "shakedown HPL reference ",
                                                    "T/V ",
                                                    "HPL ERROR",
                                                    "HPL_pdgesv() ",
                                                    "||Ax-b||_oo",
                                                    "Final Score:"};

/// Gives the results of each run once it ended. A run that died early is told beside the results of the
/// others, not as a result; where all did, the last one is.
class Reader : public LogReader {
 public:
  explicit Reader(ResultSink sink) : sink_(std::move(sink)) {}
  void read(const LogLine& line) override { sessions_.read(line); }
  void finish() override {
    sessions_.finish();
    if (!any_ && last_dead_) {
      dead_.pop_back();
      held_.push_back(std::move(*last_dead_));
    }
    release();
  }

 private:
  void take(HplSession&& session) {
    if (!session.evidence || session.mixed_precision) return;
    const bool without_tests = session.tests.empty();
    const int first_line = session.first_line;
    std::vector<ParsedResult> results = hpl_results(std::move(session));
    if (without_tests && results.front().metrics.empty()) {
      if (dead_.size() < most_dead)
        dead_.push_back(fmt::format("the run that starts at line {} left no result: {}", first_line,
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
  static constexpr size_t most_dead = 100;
  ResultSink sink_;
  HplSessions sessions_{[this](HplSession&& session) { take(std::move(session)); }};
  std::vector<ParsedResult> held_;
  std::vector<std::string> dead_;
  std::optional<ParsedResult> last_dead_;
  bool any_ = false;
};

}  // namespace

const Parser hpl = {
    .id = "hpl",
    .suite = "hpl",
    .needles = marks,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<Reader>(std::move(sink));
    },
    .marks =
        "an HPLinpack, HPL-NVIDIA, HPL-GPU or HPC Challenge banner, a 'T/V N NB P Q' table or an 'HPL ERROR'",
};

}  // namespace shakedown::parser
