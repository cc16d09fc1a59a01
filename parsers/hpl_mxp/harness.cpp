#include "parsers/hpl_mxp/harness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr std::string_view step = "# iterative refinement: step=";
constexpr std::string_view openmxp = "OpenMxP - High Performance Mixed Precision Benchmark";

/// The last word of a line that may have no line feed, if it is there in full.
std::string_view last_value(std::string_view text, std::string_view label, size_t decimals,
                            const LogLine& line) {
  const LogLine whole{line.text, line.number, true, {}};
  const std::string_view value = mxp_value(text, label, whole);
  const bool ends_line = !line.terminated && text.ends_with(value);
  return ends_line && !is_whole_number(value, decimals) ? std::string_view{} : value;
}

}  // namespace

bool is_whole_number(std::string_view text, size_t decimals) {
  if (is_whole_exponential(text)) return true;
  const size_t point = text.find('.');
  if (point == std::string_view::npos || point == 0 || text.size() - point - 1 != decimals) return false;
  return text.find_first_not_of("-0123456789.") == std::string_view::npos;
}

bool MxpHarness::read(std::string_view text, const LogLine& line) {
  switch (text.front()) {
    case '#':
      return sharp(text, line);
    case 'O':
      if (!text.starts_with(openmxp)) return false;
      begin_run(line.number, "openmxp");
      return true;
    case 'n':
    case 'N':
      return shape(text, line) || submission(text, line);
    case '2':
    case 't':
      if (mode(text, line)) return true;
      break;
    case 'F':
    case 'L':
    case 'I':
    case 'R':
    case 'S':
      return evidence_ && (part(text, line) || submission(text, line));
    case 'P':
    case 'Q':
    case 'T':
    case 'G':
    case 'H':
      return evidence_ && submission(text, line);
    default:
      break;
  }
  const bool number = (text.front() >= '0' && text.front() <= '9') || text.starts_with("nan");
  return number && result_line(text, line);
}

void MxpHarness::begin_run(int line, std::string_view implementation) {
  end_run();
  evidence_ = true;
  first_line_ = line;
  run_.implementation = implementation;
}

/// "#BEGIN: Mon Jun 29 09:04:06 2020", "#END___: ...", and the steps of the refinement.
bool MxpHarness::sharp(std::string_view text, const LogLine& line) {
  if (text.starts_with(step)) {
    if (!evidence_ || result_line_ != 0) begin_run(line.number, "");
    if (!line.terminated) return true;
    set_fact(run_, "iterations", mxp_value(text, "step=", line), line.number);
    set_fact(run_, "last_norm", mxp_value(text, "residual=", line), line.number);
    set_fact(run_, "last_residual", mxp_value(text, "hpl-harness=", line), line.number);
    return true;
  }
  if (text.starts_with("#MPI_Init_thread:")) {
    begin_run(line.number, "riken");
    return true;
  }
  const bool begin = text.starts_with("#BEGIN");
  if (!evidence_ || (!begin && !text.starts_with("#END__"))) return false;
  const size_t colon = text.find(": ");
  if (colon == std::string_view::npos || !line.terminated) return true;
  // The start is printed for standard output and standard error, which may share a file.
  if (!begin || run_.fact("started") == nullptr)
    set_fact(run_, begin ? "started" : "ended", trimmed(text.substr(colon + 2)), line.number);
  return true;
}

/// "n=1200 b=60 r=2 c=2", "n=4014080 ln=125440 b=2560 r=32 c=32 epoch_size=81920" of OpenMxP,
/// "N=65536 B=1024 P=1 R=1 C=1" of AMD's.
bool MxpHarness::shape(std::string_view text, const LogLine& line) {
  if (text.size() < 2 || text[1] != '=') return false;
  const bool zen = text.front() == 'N';
  const std::array<std::string_view, 3> labels = zen ? std::array<std::string_view, 3>{" B=", " R=", " C="}
                                                     : std::array<std::string_view, 3>{" b=", " r=", " c="};
  if (!std::all_of(labels.begin(), labels.end(), [&](std::string_view l) { return contains(text, l); }))
    return false;
  const bool local = contains(text, " ln=");
  const std::string_view name = zen ? "amd" : local ? "openmxp" : "riken";
  if (!evidence_ || shaped_ || result_line_ != 0) begin_run(line.number, name);
  run_.implementation = name;
  shaped_ = true;
  if (!line.terminated) return true;
  set_parameter(run_, "N", mxp_value(text, text.substr(0, 2), line));
  set_parameter(run_, "NB", mxp_value(text, labels[0], line));
  set_parameter(run_, "P", mxp_value(text, labels[1], line));
  set_parameter(run_, "Q", mxp_value(text, labels[2], line));
  return true;
}

/// "314.822 sec. 136962679.949 GFlop/s resid = 1.68e-10 hpl-harness = 0.251289911 TFlop/s per GPU = 133.753"
bool MxpHarness::result_line(std::string_view text, const LogLine& line) {
  const size_t sec = text.find(" sec. ");
  if (sec == std::string_view::npos || !contains(text, " GFlop/s resid = ")) return false;
  const std::string_view time = text.substr(0, sec);
  const std::string_view rate = mxp_value(text, " sec. ", line);
  const Fact* known_time = run_.fact("time_printed");
  const Fact* known_rate = run_.fact("rmax_printed");
  if (known_time != nullptr && known_rate != nullptr && known_time->value == time &&
      known_rate->value == rate)
    return true;  // a copy that a script made below the run
  if (!evidence_ || result_line_ != 0) begin_run(line.number, "");
  result_line_ = line.number;
  const std::string_view norm = mxp_value(text, " resid = ", line);
  const std::string_view residual = last_value(text, " hpl-harness = ", 9, line);
  const std::string_view each = last_value(text, " TFlop/s per GPU = ", 3, line);
  if (!finite_number(time)) return true;
  set_metric(run_, "rmax_gflops", rate, line.number);
  set_fact(run_, "rmax_printed", rate, line.number);
  set_metric(run_, "time_s", time, line.number);
  set_fact(run_, "time_printed", time, line.number);
  set_fact(run_, "||Ax-b||_oo", norm, line.number);
  // -1 marks a refinement that did not converge.
  if (!residual.starts_with('-')) set_metric(run_, "residual", residual, line.number);
  set_fact(run_, "residual_printed", residual, line.number);
  if (const auto tera = finite_number(each)) {
    set_metric(run_, "rmax_gflops_per_gpu", *tera * 1e3, line.number);
    set_fact(run_, "rmax_tflops_per_gpu_printed", each, line.number);
    if (run_.implementation.empty()) run_.implementation = "openmxp";
  }
  return true;
}

/// "2dbc lazy rdma full nopack nocheck noskiplu ddmat"
bool MxpHarness::mode(std::string_view text, const LogLine& line) {
  if (!evidence_ || !line.terminated || (!text.starts_with("2dbc ") && !text.starts_with("tile ")))
    return false;
  for (const std::string_view word : words(text)) {
    if (word == "full" || word == "warmup") set_fact(run_, "factorisation", word, line.number);
    if (word == "skiplu") set_fact(run_, "skipped", "LU", line.number);
    if (word == "ddmat" || word == "hmat") set_fact(run_, "matrix", word, line.number);
  }
  return true;
}

/// Times of the parts, ranks, precision, and parts that were skipped.
bool MxpHarness::part(std::string_view text, const LogLine& line) {
  struct Part {
    std::string_view label;
    const char* metric;
  };
  static constexpr std::array parts = {
      Part{"LU factorization time: ", "lu_time_s"}, Part{"IR time: ", "refinement_time_s"},
      Part{"LU factorization ", "lu_time_s"}, Part{"IR Time ", "refinement_time_s"}};
  if (!line.terminated) return false;
  for (const Part& part : parts)
    if (text.starts_with(part.label)) {
      // AMD's prints them again with fewer digits.
      if (run_.metric(part.metric) == nullptr)
        set_metric(run_, part.metric, mxp_value(text, part.label, line), line.number);
      return true;
    }
  if (text.starts_with("Ranks = ")) {
    set_fact(run_, "ranks", mxp_value(text, "Ranks = ", line), line.number);
    return true;
  }
  if (text.starts_with("Skipping ")) {
    set_fact(run_, "skipped", mxp_value(text, "Skipping ", line), line.number);
    return true;
  }
  if (text.starts_with("FLOW precision: ")) {
    if (const auto bytes = positive_integer(mxp_value(text, "FLOW precision: ", line)); bytes && *bytes <= 8)
      set_text_parameter(run_, "precision", fmt::format("{} bit", *bytes * 8));
    return true;
  }
  return text.starts_with("FHIGH precision: ");
}

/// "GFLOPS : 136962679.9", in the block that OpenMxP prints for the submission.
bool MxpHarness::submission(std::string_view text, const LogLine& line) {
  if (text.starts_with("NCCS/OLCF Mixed Precision Benchmark")) {
    if (!evidence_) begin_run(line.number, "openmxp");
    return submitting_ = true;
  }
  if (!submitting_ || !line.terminated) return false;
  struct Entry {
    std::string_view label;
    const char* fact;
  };
  static constexpr std::array entries = {
      Entry{"N      :", "submitted_N"},      Entry{"NB     :", "submitted_NB"},
      Entry{"P      :", "submitted_P"},      Entry{"Q      :", "submitted_Q"},
      Entry{"TIME(s):", "submitted_time_s"}, Entry{"GFLOPS :", "submitted_gflops"},
      Entry{"RESID  :", "submitted_norm"},   Entry{"HARNESS:", "submitted_residual"}};
  for (const Entry& entry : entries)
    if (text.starts_with(entry.label)) {
      set_fact(run_, entry.fact, trimmed(text.substr(entry.label.size())), line.number);
      return true;
    }
  return false;
}

/// If the log has only the block for the submission, its values are the result's.
void MxpHarness::take_submission() {
  const auto printed = [&](const char* name) -> const Fact* { return run_.fact(name); };
  const Fact* rate = printed("submitted_gflops");
  if (result_line_ != 0 || rate == nullptr) return;
  for (const auto& [parameter, fact] : {std::pair("N", "submitted_N"), std::pair("NB", "submitted_NB"),
                                        std::pair("P", "submitted_P"), std::pair("Q", "submitted_Q")})
    if (const Fact* found = printed(fact)) set_parameter(run_, parameter, found->value);
  result_line_ = rate->line;
  set_metric(run_, "rmax_gflops", rate->value, rate->line);
  set_fact(run_, "rmax_printed", std::string(rate->value), rate->line);
  if (const Fact* time = printed("submitted_time_s")) {
    set_metric(run_, "time_s", time->value, time->line);
    set_fact(run_, "time_printed", std::string(time->value), time->line);
  }
  if (const Fact* residual = printed("submitted_residual")) {
    if (!residual->value.starts_with('-')) set_metric(run_, "residual", residual->value, residual->line);
    set_fact(run_, "residual_printed", std::string(residual->value), residual->line);
  }
  if (const Fact* norm = printed("submitted_norm"))
    set_fact(run_, "||Ax-b||_oo", std::string(norm->value), norm->line);
}

void MxpHarness::end_run() {
  if (!std::exchange(evidence_, false)) return;
  take_submission();
  ParsedResult result = std::exchange(run_, {});
  const int line = std::exchange(result_line_, 0);
  shaped_ = submitting_ = false;
  result.suite = "hpl-mxp";
  if (result.implementation.empty()) result.implementation = "riken";
  log_.add_date(result);
  const bool rated = result.metric("rmax_gflops") != nullptr;
  result.complete = rated && result.fact("residual_printed") != nullptr;
  if (line == 0) {
    result.metrics.clear();
    result.reason = log_.why_nothing();
    log_.lost(std::move(result), first_line_);
    return;
  }
  if (!result.complete)
    result.reason = log_.why_cut(
        line, rated ? "the result line is cut before its residual" : "the result line has no whole rate");
  std::vector<ParsedResult> results;
  results.push_back(std::move(result));
  log_.give(std::move(results));
}

}  // namespace shakedown
