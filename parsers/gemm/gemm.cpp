#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/failures.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"
#include "parsers/parser.hpp"

/// The report of the gemm screen. Parameters: N, ranks, threads. Metrics: fp64_gflops (the best trial),
/// spread_pct, fp64_gflops_trial_<k>, and where measured the same of FP32: fp32_gflops, fp32_spread_pct,
/// fp32_gflops_trial_<k>. Facts: verification PASSED or FAILED,
/// best_printed and spread_printed, end_of_tests, and `trial <k>` with the trial's rate and time as printed
/// ("105.123 1.002"); with "fp32_" before the name what is of FP32.
namespace shakedown::parser {
namespace {

constexpr std::string_view gemm_banner = "shakedown gemm ";

struct Report {
  int banner_line = 0;
  int last_line = 0;
  ParsedResult result;
  std::optional<Failure> failure;
};

/// The text behind `label` up to a blank; nothing if the label is absent or nothing follows.
std::string_view value_of(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  if (at == std::string_view::npos) return {};
  text = trimmed(text.substr(at + label.size()));
  return text.substr(0, text.find_first_of(" \t"));
}

void add_gemm_parameter(ParsedResult& result, std::string name, std::string_view text) {
  if (const auto value = positive_integer(text)) result.parameters.push_back({std::move(name), *value});
}

/// The two precisions by the word that the report names them with.
struct Precision {
  std::string_view word;
  std::string_view prefix;  ///< of facts, and of the spread
  std::string_view rate;    ///< the metric's name
};
constexpr Precision fp64 = {"FP64", "", "fp64_gflops"};
constexpr Precision fp32 = {"FP32", "fp32_", "fp32_gflops"};

/// "Trial 1: FP64 GFLOP/s = 105.123 time = 1.002 s"
void read_trial(ParsedResult& result, std::string_view text, int line) {
  const auto trial = positive_integer(value_of(text.substr(0, text.find(':')), "Trial "));
  const std::string_view rate = value_of(text, "GFLOP/s =");
  const std::string_view time = value_of(text, "time =");
  const auto gflops = finite_number(rate);
  if (!trial || !gflops || !finite_number(time)) {
    result.warnings.push_back(quoted_line(line, "this trial can't be read", text));
    return;
  }
  const Precision& precision = text.find(" FP32 ") == std::string_view::npos ? fp64 : fp32;
  result.metrics.push_back({fmt::format("{}_trial_{}", precision.rate, *trial), *gflops, line});
  result.facts.push_back(
      {fmt::format("{}trial {}", precision.prefix, *trial), fmt::format("{} {}", rate, time), line});
}

/// "FP64 best GFLOP/s = 105.301", "FP64 spread % = 0.46"
bool read_summary(ParsedResult& result, std::string_view text, int line) {
  for (const Precision& precision : {fp64, fp32}) {
    if (!text.starts_with(precision.word)) continue;
    const std::string_view rest = trimmed(text.substr(precision.word.size()));
    const bool best = rest.starts_with("best GFLOP/s =");
    if (!best && !rest.starts_with("spread % =")) return false;
    const std::string printed(value_of(rest, "="));
    const auto value = finite_number(printed);
    if (!value) return true;
    result.metrics.push_back(
        {best ? std::string(precision.rate) : fmt::format("{}spread_pct", precision.prefix), *value, line});
    result.facts.push_back(
        {fmt::format("{}{}", precision.prefix, best ? "best_printed" : "spread_printed"), printed, line});
    return true;
  }
  return false;
}

/// "Verification: PASSED error = 1.8e-12 bound = 9.1e-13", "FP32 verification: ..."
void read_verification(ParsedResult& result, std::string_view text, int line) {
  const std::string name =
      fmt::format("{}verification", text.starts_with("FP32") ? fp32.prefix : fp64.prefix);
  result.facts.push_back({name, std::string(value_of(text, "erification:")), line});
  for (const char* part : {"error", "bound"})
    if (const auto value = value_of(text, fmt::format("{} =", part)); !value.empty())
      result.facts.push_back({fmt::format("{}_{}", name, part), std::string(value), line});
}

void read_line(Report& report, const LogLine& line) {
  ParsedResult& result = report.result;
  const std::string_view text = trimmed(line.text);
  report.last_line = line.number;
  // Any number at the very end of a cut text may be a part of one.
  if (!line.terminated && !text.starts_with("End of gemm.")) return;
  if (text.starts_with("Ranks:")) {
    add_gemm_parameter(result, "ranks", value_of(text, "Ranks:"));
    add_gemm_parameter(result, "threads", value_of(text, "Threads per rank:"));
  } else if (text.starts_with("N:")) {
    add_gemm_parameter(result, "N", value_of(text, "N:"));
  } else if (text.starts_with("Trial ")) {
    read_trial(result, text, line.number);
  } else if (text.starts_with("Verification:") || text.starts_with("FP32 verification:")) {
    read_verification(result, text, line.number);
  } else if (text.starts_with("End of gemm.")) {
    result.facts.push_back({"end_of_tests", "End of gemm.", line.number});
  } else if (!read_summary(result, text, line.number)) {
    note(report.failure, failure_in(line));
  }
}

/// A trial's rate and the largest error of its rounding.
struct Rate {
  double gflops = 0;
  double rounding = 0;
};

/// The largest of the trials, or nothing.
std::optional<Rate> best_trial(const ParsedResult& result) {
  std::optional<Rate> best;
  for (const Fact& fact : result.facts) {
    if (!fact.name.starts_with("trial ")) continue;
    const std::string_view printed = words(fact.value).front();
    const auto rate = finite_number(printed);
    if (rate && (!best || *rate > best->gflops)) best = Rate{*rate, half_unit(printed)};
  }
  return best;
}

/// Reports what is missing. A value that the trials don't confirm is no result.
void conclude(Report& report) {
  ParsedResult& result = report.result;
  const auto best = best_trial(result);
  const Metric* claimed = result.metric("fp64_gflops");
  const Fact* verified = result.fact("verification");
  const Fact* end = result.fact("end_of_tests");
  if (report.failure)
    result.reason = report.failure->text;
  else if (claimed == nullptr)
    result.reason = fmt::format("the report ends at line {} before 'FP64 best GFLOP/s'", report.last_line);
  else if (!best)
    result.reason = fmt::format("line {}: a best rate without a single trial", claimed->line);
  else if (verified == nullptr)
    result.reason = "the report has no 'Verification:' line: it is cut";
  else if (end == nullptr)
    result.reason = "the report has no 'End of gemm.': it is cut";
  if (claimed != nullptr && best) {
    const double rounding = half_unit(result.fact("best_printed")->value) + best->rounding;
    if (std::abs(claimed->value - best->gflops) > rounding * (1 + 1e-9)) {
      const std::string text = fmt::format("line {}: the best rate is given as {}, the trials' best is {}",
                                           claimed->line, number(claimed->value, 9), number(best->gflops, 9));
      result.warnings.push_back(text);
      if (result.reason.empty()) result.reason = text;
    }
  }
  result.complete = result.reason.empty();
}

class GemmReader : public LogReader {
 public:
  explicit GemmReader(ResultSink sink) : sink_(std::move(sink)) {}

  void read(const LogLine& line) override {
    const size_t at = line.text.find(gemm_banner);
    if (at == std::string_view::npos) {
      if (report_) read_line(*report_, line);
      return;
    }
    finish();
    const auto parts = words(line.text.substr(at));  // shakedown gemm <implementation> <version>
    report_.emplace();
    report_->banner_line = report_->last_line = line.number;
    report_->result.suite = "gemm";
    if (parts.size() >= 3) report_->result.implementation = parts[2];
    if (parts.size() >= 4 && line.terminated) report_->result.version = parts[3];
  }

  void finish() override {
    if (!report_) return;
    conclude(*report_);
    sink_(std::move(report_->result));
    report_.reset();
  }

 private:
  ResultSink sink_;
  std::optional<Report> report_;
};

constexpr std::array gemm_needles = {gemm_banner};

constexpr std::array<std::string_view, 6> gemm_metrics = {"fp64_gflops",         "spread_pct",
                                                          "fp32_gflops",         "fp32_spread_pct",
                                                          "fp64_gflops_trial_*", "fp32_gflops_trial_*"};

}  // namespace

extern const Parser gemm;
const Parser gemm = {
    .id = "gemm",
    .suite = "gemm",
    .needles = gemm_needles,
    .metrics = gemm_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<GemmReader>(std::move(sink));
    },
    .marks = "a 'shakedown gemm' banner",
};

}  // namespace shakedown::parser
