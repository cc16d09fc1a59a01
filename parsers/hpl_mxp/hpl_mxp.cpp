#include "parsers/hpl_mxp/hpl_mxp.hpp"

#include <array>

#include "orchestrator/core/text.hpp"
#include "parsers/hpl/words.hpp"
#include "parsers/hpl_mxp/block.hpp"
#include "parsers/hpl_mxp/harness.hpp"
#include "parsers/hpl_mxp/icl.hpp"
#include "parsers/hpl_mxp/log.hpp"
#include "parsers/hpl_mxp/table.hpp"

namespace shakedown::parser {
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
