#include "parsers/hpl_mxp/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/hpl/words.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr std::string_view markers = "****** ";
constexpr size_t most_held = 1000;

/// Whether the log's settings are those that the block prints; empty where it has none.
std::string announced(const ParsedResult& run, const ParsedResult& block) {
  std::string differs;
  bool any = false;
  for (const char* name : {"N", "NB", "P", "Q", "precision"}) {
    const Value* said = find_parameter(run.parameters, name);
    const Value* done = find_parameter(block.parameters, name);
    if (said == nullptr || done == nullptr) continue;
    any = true;
    if (value_text(*said) != value_text(*done))
      differs += fmt::format("{}{} = {}", differs.empty() ? "" : ", ", name, value_text(*done));
  }
  if (!any) return {};
  return differs.empty() ? "yes" : differs;
}

}  // namespace

std::string sloppy_precision(std::string_view printed) {
  if (printed == "1") return "FP8";
  if (printed == "2") return "FP16";
  const bool name = printed.find_first_of("FBTI") == 0 && printed.size() >= 3 && printed.size() <= 12;
  return name ? std::string(printed) : fmt::format("sloppy-type {}", printed);
}

bool MxpBlocks::read(std::string_view text, const LogLine& line) {
  switch (text.front()) {
    case '*':
      return text.starts_with(markers) && stars(text, line);
    case 'H':
      return text.starts_with("HPL-MxP-NVIDIA ") && banner(text, line);
    case 's':
      return text.starts_with("shakedown HPL-MxP reference ") && banner(text, line);
    case '-':
      return evidence_ && text.starts_with("--") && setting(text, line);
    case 'n':
      return evidence_ && problem(text, line);
    case 'N':
      return shape(text, line);
    case 'G':
      return text.starts_with("GFLOPS = ") && rate(text, line, false);
    case 'L':
      if (text.starts_with("LU GFLOPS = ")) return rate(text, line, true);
      if (evidence_ && text.ends_with("made diagonally dominant;")) {  // by shakedown's own program
        set_fact(run_, "matrix", "diagonally dominant", line.number);
        return true;
      }
      return evidence_ && text.starts_with("LU seconds:") && seconds(text, line);
    case 'I':
      return evidence_ && text.starts_with("Iterative Solver seconds:") && seconds(text, line);
    case 'S':
      return text.starts_with("Solver iteration ") && iteration(text, line);
    case 'E':
    case 'T':
      return open_ && quantity(text, line);
    case '|':
      return bars(text, line);
    case 'P':
      return evidence_ && text.starts_with("Per process ") && memory(text, line);
    default:
      return false;
  }
}

bool MxpBlocks::banner(std::string_view text, const LogLine& line) {
  const auto found = hpl_banner(text);
  if (!found) return false;
  begin_run(line.number);
  run_.implementation = found->implementation;
  run_.version = found->version;
  return true;
}

void MxpBlocks::begin_run(int line) {
  end_run();
  evidence_ = true;
  first_line_ = line;
}

void MxpBlocks::end_run() {
  if (!evidence_) return;
  close_block();
  given_ += results_.size();
  if (given_ == 0) {
    ParsedResult lost = run_;
    lost.suite = "hpl-mxp";
    if (lost.implementation.empty()) lost.implementation = "nvidia";
    lost.reason = why_nothing();
    log_.add_date(lost);
    log_.lost(std::move(lost), first_line_);
  } else {
    const auto loops = parsed_integer(loops_);
    if (loops && static_cast<size_t>(std::max<std::int64_t>(*loops, 0)) > given_ && !results_.empty())
      results_.back().warnings.push_back(
          fmt::format("the run announced {} loops, the log has the results of {}", *loops, given_));
    log_.give(std::exchange(results_, {}));
  }
  evidence_ = false;
  run_ = loop_ = {};
  loops_.clear();
  given_ = 0;
}

void MxpBlocks::open_block(int line) {
  close_block();
  if (!evidence_) {
    evidence_ = true;
    first_line_ = line;
  }
  open_ = true;
  block_line_ = line;
}

/// Whether a block may begin without its marker: always in an excerpt, and in a run as often as it announced;
/// more are copies that a script made below the run.
bool MxpBlocks::awaits_block() const {
  const auto loops = parsed_integer(loops_);
  return !loops ||
         given_ + results_.size() + (open_ ? 1 : 0) < static_cast<size_t>(std::max<std::int64_t>(*loops, 0));
}

void MxpBlocks::close_block() {
  if (!std::exchange(open_, false)) return;
  ParsedResult block = std::exchange(block_, {});
  const ParsedResult loop = std::exchange(loop_, {});
  if (block.parameters.empty() && block.metrics.empty() && block.facts.empty()) return;
  ParsedResult result = run_;
  result.suite = "hpl-mxp";
  if (result.implementation.empty()) result.implementation = "nvidia";
  set_fact(result, "echoed", announced(run_, block), block_line_);
  for (const Parameter& parameter : block.parameters) {
    std::erase_if(result.parameters, [&](const Parameter& known) { return known.name == parameter.name; });
    result.parameters.push_back(parameter);
  }
  result.metrics = std::move(block.metrics);
  std::move(block.facts.begin(), block.facts.end(), std::back_inserter(result.facts));
  for (const Metric& metric : loop.metrics) set_metric(result, metric.name, metric.value, metric.line);
  std::copy(loop.facts.begin(), loop.facts.end(), std::back_inserter(result.facts));
  set_total_time(result);
  log_.add_date(result);
  const bool rated = result.metric("rmax_gflops") != nullptr;
  result.complete = rated && result.fact("residual_check") != nullptr;
  if (!result.complete)
    result.reason = log_.why_cut(block_line_, rated ? "the result block has no whole residual check"
                                                    : "the result block has no whole rate");
  if (result.complete && result.fact("residual_check")->value == "PASSED" &&
      result.metric("time_s") == nullptr) {
    result.complete = false;
    result.reason = fmt::format(
        "line {}: the result block stands without the times that the program prints above it: nothing proves "
        "the rate",
        block_line_);
  }
  results_.push_back(std::move(result));
  if (results_.size() >= most_held) {
    given_ += results_.size();
    log_.give(std::exchange(results_, {}));
  }
}

/// The lines between stars: settings, stages, loops, and both ends of a result block.
bool MxpBlocks::stars(std::string_view text, const LogLine& line) {
  const std::string_view title = text.substr(markers.size());
  if (title.starts_with("HPL MxP Result")) {
    if (open_)
      close_block();
    else
      open_block(line.number);
    return true;
  }
  if (title.starts_with("HPL MxP Settings")) {
    // Below its banner, or the start of a run whose banner is lost.
    if (!evidence_ || given_ + results_.size() > 0 || !run_.parameters.empty()) begin_run(line.number);
    return true;
  }
  if (!title.starts_with("test ") && !title.starts_with("Matrix Generation")) return evidence_;
  if (contains(title, " starts") || title.starts_with("Matrix")) {
    close_block();
    loop_ = {};
  }
  return evidence_;
}

/// "--sloppy-type                      = FP16"
bool MxpBlocks::setting(std::string_view text, const LogLine& line) {
  struct Setting {
    std::string_view name;
    const char* parameter;
  };
  static constexpr std::array settings = {Setting{"--nprow", "P"}, Setting{"--npcol", "Q"},
                                          Setting{"--n", "N"}, Setting{"--nb", "NB"}};
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return false;
  if (!line.terminated) return true;
  const std::string_view name = trimmed(text.substr(0, equals));
  const std::string_view value = trimmed(text.substr(equals + 1));
  for (const Setting& setting : settings)
    if (name == setting.name) set_parameter(run_, setting.parameter, value);
  if (name == "--order" && (value == "row" || value == "column"))
    set_text_parameter(run_, "PMAP", std::string(value));
  if (name == "--sloppy-type") set_text_parameter(run_, "precision", sloppy_precision(value));
  if (name == "--test-loop") loops_ = value;
  return true;
}

/// "nprow  = 2", above each test: several may differ in their size.
bool MxpBlocks::problem(std::string_view text, const LogLine& line) {
  const size_t equals = text.find('=');
  if (open_ || equals == std::string_view::npos) return false;
  const std::string_view name = trimmed(text.substr(0, equals));
  const char* parameter = name == "n"       ? "N"
                          : name == "nb"    ? "NB"
                          : name == "nprow" ? "P"
                          : name == "npcol" ? "Q"
                                            : nullptr;
  if (parameter == nullptr) return false;
  if (line.terminated) set_parameter(run_, parameter, trimmed(text.substr(equals + 1)));
  return true;
}

/// "N = 370000, NB = 1024, NPROW = 2, NPCOL = 4, SLOPPY-TYPE = FP16"
bool MxpBlocks::shape(std::string_view text, const LogLine& line) {
  if (!text.starts_with("N = ") || !contains(text, "NPROW = ")) return false;
  if (!open_ || find_parameter(block_.parameters, "N") != nullptr) {
    if (!awaits_block()) return true;
    open_block(line.number);
  }
  set_parameter(block_, "N", mxp_value(text, "N = ", line));
  set_parameter(block_, "NB", mxp_value(text, "NB = ", line));
  set_parameter(block_, "P", mxp_value(text, "NPROW = ", line));
  set_parameter(block_, "Q", mxp_value(text, "NPCOL = ", line));
  const std::string_view type = mxp_value(text, "SLOPPY-TYPE = ", line);
  if (!type.empty()) set_text_parameter(block_, "precision", sloppy_precision(type));
  return true;
}

bool MxpBlocks::rate(std::string_view text, const LogLine& line, bool factorisation) {
  if (!open_) return false;
  const std::string_view total = mxp_value(text, "GFLOPS = ", line);
  if (!is_whole_exponential(total)) return true;
  set_metric(block_, factorisation ? "lu_gflops" : "rmax_gflops", total, line.number);
  set_fact(block_, factorisation ? "lu_printed" : "rmax_printed", total, line.number);
  const std::string_view each = mxp_value(text, "per GPU = ", line);
  set_metric(block_, factorisation ? "lu_gflops_per_gpu" : "rmax_gflops_per_gpu", each, line.number);
  set_fact(block_, factorisation ? "lu_per_gpu_printed" : "rmax_per_gpu_printed", each, line.number);
  return true;
}

/// "EPS           . . . . . . . . . . . . . . . . .          =    2.000000E-16"
bool MxpBlocks::quantity(std::string_view text, const LogLine& line) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || !contains(text, " . . ")) return false;
  if (!line.terminated) return true;
  const std::string_view value = trimmed(text.substr(equals + 1));
  if (text.starts_with("EPS ")) set_fact(block_, "eps", value, line.number);
  if (text.starts_with("Threshold ")) set_fact(block_, "threshold", value, line.number);
  return true;
}

/// The check, and the norms above it.
bool MxpBlocks::bars(std::string_view text, const LogLine& line) {
  if (const auto check = mxp_check(text)) {
    if (!check->block) return false;
    if (!open_ || block_.fact("residual_check") != nullptr) {
      if (!awaits_block()) return true;
      open_block(line.number);
    }
    set_check(block_, *check, line.number);
    return true;
  }
  const size_t equals = text.find('=');
  if (!open_ || equals == std::string_view::npos || !contains(text, " . . ")) return false;
  if (!line.terminated) return true;
  for (const std::string_view norm : {"||Ax-b||_oo", "||A", "||x", "||b"})
    if (text.starts_with(norm)) {
      const std::string name = norm.size() > 4 ? std::string(norm) : fmt::format("{}||_oo", norm);
      set_fact(block_, name, trimmed(text.substr(equals + 1)), line.number);
      break;
    }
  return true;
}

/// "LU seconds: AVG = 13.04, MAX = 13.04 (4->node1), MIN = 13.04 (0->node2)"
bool MxpBlocks::seconds(std::string_view text, const LogLine& line) {
  const bool factorisation = text.starts_with("LU");
  if (factorisation) loop_.metrics.clear();
  const std::string_view average = mxp_value(text, "AVG = ", line);
  set_metric(loop_, factorisation ? "lu_time_s" : "refinement_time_s", average, line.number);
  const std::string name = factorisation ? "lu_time" : "refinement_time";
  set_fact(loop_, name + "_printed", average, line.number);
  set_fact(loop_, name + "_max", mxp_value(text, "MAX = ", line), line.number);
  set_fact(loop_, name + "_min", mxp_value(text, "MIN = ", line), line.number);
  return true;
}

/// "Solver iteration  2, L-infinite residual = 8.47402389e-14"
bool MxpBlocks::iteration(std::string_view text, const LogLine& line) {
  if (!line.terminated) return true;
  set_fact(loop_, "iterations", mxp_value(text, "Solver iteration ", line), line.number);
  set_fact(loop_, "last_norm", mxp_value(text, "residual = ", line), line.number);
  return true;
}

/// "Per process host memory consumption MAX = 128.686 GB, available MIN = 200.779 GB"
bool MxpBlocks::memory(std::string_view text, const LogLine& line) {
  const std::string_view needed = mxp_value(text, "consumption MAX = ", line);
  const std::string_view available = mxp_value(text, "available MIN = ", line);
  if (needed.empty() || available.empty()) return true;
  const std::string name = contains(text, " host ") ? "host_memory" : "device_memory";
  set_fact(run_, name + "_needed_gb", needed, line.number);
  set_fact(run_, name + "_available_gb", available, line.number);
  return true;
}

std::string MxpBlocks::why_nothing() const {
  std::string why = log_.why_nothing();
  for (const char* kind : {"host", "device"}) {
    const Fact* needed = run_.fact(fmt::format("{}_memory_needed_gb", kind));
    const Fact* available = run_.fact(fmt::format("{}_memory_available_gb", kind));
    if (needed == nullptr || available == nullptr) continue;
    const auto need = finite_number(needed->value);
    const auto have = finite_number(available->value);
    if (need && have && *need > *have)
      why += fmt::format("; line {}: each process needs {} GB of {} memory, {} GB were available",
                         needed->line, needed->value, kind, available->value);
  }
  return why;
}

}  // namespace shakedown
