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

/// The report of the gemm screen. Parameters: N, ranks, threads; of the program for GPUs N, gpus, device (the
/// model of the first). Metrics: fp64_gflops (the best trial), spread_pct, fp64_gflops_trial_<k>, and of each
/// further precision that was measured the same: fp32_gflops, fp32_spread_pct, fp32_gflops_trial_<k>; so
/// tf32, bf16, fp16, fp8. Of GPUs besides gpu_<i>_fp64_gflops, each alone, and gpu_min_fp64_gflops and
/// gpu_max_fp64_gflops, the slowest and the fastest of them. Facts: verification PASSED or FAILED,
/// best_printed and spread_printed, end_of_tests, and `trial <k>` with the trial's rate and time as printed
/// ("105.123 1.002"), `alone <i>` the same of GPU i; with "fp32_" before the name what is of FP32;
/// `not_measured <precision>` why not.
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

/// The precisions by the word that the report names them with.
struct Precision {
  std::string_view word;
  std::string_view prefix;  ///< of facts, and of the spread
  std::string_view rate;    ///< the metric's name
};
constexpr std::array gemm_precisions = {
    Precision{"FP64", "", "fp64_gflops"},      Precision{"FP32", "fp32_", "fp32_gflops"},
    Precision{"TF32", "tf32_", "tf32_gflops"}, Precision{"BF16", "bf16_", "bf16_gflops"},
    Precision{"FP16", "fp16_", "fp16_gflops"}, Precision{"FP8", "fp8_", "fp8_gflops"}};

/// The precision whose word is the first of the text; null: none.
const Precision* precision_of(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  const auto* const at = std::find_if(gemm_precisions.begin(), gemm_precisions.end(),
                                      [&](const Precision& each) { return each.word == word; });
  return at == gemm_precisions.end() ? nullptr : at;
}

/// "Trial 1: FP64 GFLOP/s = 105.123 time = 1.002 s", "GPU 0: FP64 GFLOP/s = 61234.1 time = 1.002 s"
void read_rate(ParsedResult& result, std::string_view text, int line) {
  const bool alone = text.starts_with("GPU ");
  const size_t colon = std::min(text.find(':'), text.size() - 1);
  const std::string_view named = text.substr(0, colon);
  const std::int64_t index = alone ? count_of(value_of(named, "GPU ")).value_or(-1)
                                   : positive_integer(value_of(named, "Trial ")).value_or(-1);
  const Precision* precision = precision_of(trimmed(text.substr(colon + 1)));
  const std::string_view rate = value_of(text, "GFLOP/s =");
  const std::string_view time = value_of(text, "time =");
  const auto gflops = finite_number(rate);
  if (index < 0 || precision == nullptr || !gflops || !finite_number(time)) {
    result.warnings.push_back(
        quoted_line(line, alone ? "this rate can't be read" : "this trial can't be read", text));
    return;
  }
  result.metrics.push_back({alone ? fmt::format("gpu_{}_{}", index, precision->rate)
                                  : fmt::format("{}_trial_{}", precision->rate, index),
                            *gflops, line});
  result.facts.push_back({fmt::format("{}{} {}", precision->prefix, alone ? "alone" : "trial", index),
                          fmt::format("{} {}", rate, time), line});
}

/// "FP64 best GFLOP/s = 105.301", "FP64 spread % = 0.46", "FP8 not measured: GPU 0, sm_80, has no units for
/// it"
bool read_summary(ParsedResult& result, std::string_view text, int line) {
  for (const Precision& precision : gemm_precisions) {
    if (!text.starts_with(precision.word)) continue;
    const std::string_view rest = trimmed(text.substr(precision.word.size()));
    constexpr std::string_view not_measured = "not measured: ";
    if (rest.starts_with(not_measured)) {
      result.facts.push_back({fmt::format("not_measured {}", precision.word),
                              std::string(rest.substr(not_measured.size())), line});
      return true;
    }
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

/// "Verification: PASSED error = 1.8e-12 bound = 9.1e-13", "FP32 verification: ..."; false: another line.
bool read_verification(ParsedResult& result, std::string_view text, int line) {
  const Precision* precision = precision_of(text);
  const bool own =
      precision != nullptr && trimmed(text.substr(precision->word.size())).starts_with("verification:");
  if (!own && !text.starts_with("Verification:")) return false;
  const std::string name = fmt::format("{}verification", own ? precision->prefix : "");
  result.facts.push_back({name, std::string(value_of(text, "erification:")), line});
  for (const char* part : {"error", "bound"})
    if (const auto value = value_of(text, fmt::format("{} =", part)); !value.empty())
      result.facts.push_back({fmt::format("{}_{}", name, part), std::string(value), line});
  return true;
}

/// "Device 0: NVIDIA H100 80GB HBM3, sm_90, 00000000:19:00.0"
void read_device(ParsedResult& result, std::string_view text) {
  const std::string_view name = trimmed(text.substr(std::min(text.find(':') + 1, text.size())));
  if (find_parameter(result.parameters, "device") == nullptr)
    result.parameters.push_back({"device", std::string(name.substr(0, name.find(", sm_")))});
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
  } else if (text.starts_with("GPUs:")) {
    add_gemm_parameter(result, "gpus", value_of(text, "GPUs:"));
  } else if (text.starts_with("N:")) {
    add_gemm_parameter(result, "N", value_of(text, "N:"));
  } else if (text.starts_with("Device ")) {
    read_device(result, text);
  } else if (text.starts_with("Trial ") ||
             (text.starts_with("GPU ") && text.find("GFLOP/s =") < text.size())) {
    read_rate(result, text, line.number);
  } else if (text.starts_with("End of gemm.")) {
    result.facts.push_back({"end_of_tests", "End of gemm.", line.number});
  } else if (!read_verification(result, text, line.number) && !read_summary(result, text, line.number)) {
    note(report.failure, failure_in(line));
  }
}

/// The slowest and the fastest GPU alone, of each precision.
void add_extremes(ParsedResult& result) {
  std::vector<Metric> added;
  for (const Precision& precision : gemm_precisions) {
    // Its summary stands below the rates of all GPUs: without it some may be missing.
    if (result.metric(precision.rate) == nullptr) continue;
    const Metric* least = nullptr;
    const Metric* most = nullptr;
    for (const Metric& metric : result.metrics) {
      if (!metric.name.starts_with("gpu_") || !metric.name.ends_with(precision.rate)) continue;
      if (least == nullptr || metric.value < least->value) least = &metric;
      if (most == nullptr || metric.value > most->value) most = &metric;
    }
    if (least == nullptr) continue;
    added.push_back({fmt::format("gpu_min_{}", precision.rate), least->value, least->line});
    added.push_back({fmt::format("gpu_max_{}", precision.rate), most->value, most->line});
  }
  result.metrics.insert(result.metrics.end(), added.begin(), added.end());
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
  add_extremes(result);
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

constexpr std::array<std::string_view, 23> gemm_metrics = {
    "spread_pct",          "fp64_gflops",         "fp64_gflops_trial_*", "gpu_*_fp64_gflops",
    "fp32_gflops",         "fp32_gflops_trial_*", "fp32_spread_pct",     "tf32_gflops",
    "tf32_gflops_trial_*", "tf32_spread_pct",     "gpu_*_tf32_gflops",   "bf16_gflops",
    "bf16_gflops_trial_*", "bf16_spread_pct",     "gpu_*_bf16_gflops",   "fp16_gflops",
    "fp16_gflops_trial_*", "fp16_spread_pct",     "gpu_*_fp16_gflops",   "fp8_gflops",
    "fp8_gflops_trial_*",  "fp8_spread_pct",      "gpu_*_fp8_gflops"};

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
