#include "parsers/hpl_mxp/icl.hpp"

#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr std::string_view hpl_mxp_icl_banner = "HPL-AI Mixed-Precision Benchmark";
constexpr std::string_view rate_label = "Effective operation per sec       :";
constexpr std::string_view precision_words = "LU factorization in single and GMRES in double";

}  // namespace

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

}  // namespace shakedown
