#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/failures.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"
#include "parsers/parser.hpp"

/// The output of gpu-burn. Parameters: seconds (asked for), gpus (tested), listed_gpus (by nvidia-smi -L),
/// arithmetic ("doubles", "floats"), tensor_cores. Metrics: least_gflops and most_gflops (of the last
/// progress in which each GPU has a rate), hottest_celsius, faulty_gpus. Facts: `verdict GPU <n>` ("OK",
/// "FAULTY"), tested, died (a GPU whose process ended), `errors GPU <n>` (the most wrong values it ever
/// reports), elapsed.
///
/// The program exits with 0 whatever it found, and a GPU whose process died may still be called OK.
///
/// Source: wilicc/gpu-burn, gpu_burn-drv.cpp (listenClients, launch).
namespace shakedown::parser {
namespace {

constexpr size_t most_gpus = 1024;

/// One line of progress: a value for each GPU.
struct BurnProgress {
  std::string_view elapsed;  ///< "100.0"
  std::vector<double> gflops;
  std::vector<std::string_view> errors;  ///< "0", "3  (WARNING!)", "0  (DIED!)"
  std::vector<bool> ended;               ///< its count of products is -1
  double hottest = 0;
};

/// The text between two labels, of which the second may be the end.
std::string_view between(std::string_view text, std::string_view from, std::string_view to) {
  const size_t begin = text.find(from);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + from.size());
  return text.substr(0, text.find(to));
}

/// The values for the GPUs: "38 C - 36 C - 37 C", "0  (DIED!)- 0 ". A GPU of no known temperature, "-- ",
/// falls apart, and counts for nothing.
std::vector<std::string_view> for_each_gpu(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t at = text.find("- ");
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos || parts.size() > most_gpus) return parts;
    text.remove_prefix(at + 2);
  }
}

/// "50.0%  proc'd: 2261 (7150 Gflop/s) - 0 (0 Gflop/s)   errors: 0 - 0   temps: 38 C - 36 C"
std::optional<BurnProgress> progress_of(std::string_view text) {
  const size_t percent = text.find("%  proc'd: ");
  if (percent == std::string_view::npos || text.find("  temps: ") == std::string_view::npos)
    return std::nullopt;
  BurnProgress progress;
  progress.elapsed = text.substr(0, percent);
  if (!finite_number(progress.elapsed)) return std::nullopt;
  for (std::string_view part : for_each_gpu(between(text, "proc'd: ", "  errors: "))) {
    const std::string_view products = take_word(part);
    const auto rate = finite_number(between(part, "(", " Gflop/s)"));
    if (!finite_number(products) || !rate) return std::nullopt;
    progress.ended.push_back(products == "-1");
    progress.gflops.push_back(*rate);
  }
  progress.errors = for_each_gpu(between(text, "  errors: ", "  temps: "));
  for (const std::string_view part : for_each_gpu(between(text, "  temps: ", "\n")))
    if (part.ends_with(" C"))
      progress.hottest =
          std::max(progress.hottest, finite_number(part.substr(0, part.size() - 2)).value_or(0));
  if (progress.errors.size() != progress.gflops.size()) return std::nullopt;
  return progress;
}

class BurnRun {
 public:
  explicit BurnRun(int line) : last_line_(line) {}

  void read(const LogLine& line, std::string_view text);
  [[nodiscard]] bool has_verdict() const { return tested_.has_value(); }
  [[nodiscard]] bool has_progress() const { return !elapsed_.empty(); }
  [[nodiscard]] ParsedResult result() &&;

 private:
  void read_progress(const BurnProgress& progress, int line);
  bool read_verdict(const LogLine& line, std::string_view text);

  ParsedResult result_;
  int last_line_ = 0;
  std::int64_t listed_ = 0;
  std::optional<long long> tested_;
  long long verdicts_ = 0;
  std::int64_t faulty_ = 0;
  int faulty_line_ = 0;
  std::optional<Metric> least_, most_, hottest_;
  std::string elapsed_;
  std::map<size_t, std::pair<long long, int>> errors_;  ///< by GPU: the most or one below 0, and its line
  std::map<size_t, int> died_;
  std::optional<Failure> failure_;
};

void BurnRun::read_progress(const BurnProgress& progress, int line) {
  elapsed_ = progress.elapsed;
  for (size_t gpu = 0; gpu < progress.errors.size(); ++gpu) {
    std::string_view rest = progress.errors[gpu];
    std::string_view word = take_word(rest);
    const bool negative = word.starts_with('-');
    if (negative) word.remove_prefix(1);
    const long long count = (negative ? -1 : 1) * count_of(word).value_or(0);
    if (count != 0 && (count < 0 || count > errors_[gpu].first)) errors_[gpu] = {count, line};
    if (progress.ended[gpu] || progress.errors[gpu].find("DIED") != std::string_view::npos)
      died_.try_emplace(gpu, line);
  }
  if (progress.hottest > 0 && (!hottest_ || progress.hottest > hottest_->value))
    hottest_ = Metric{"hottest_celsius", progress.hottest, line};
  const auto [low, high] = std::ranges::minmax_element(progress.gflops);
  if (progress.gflops.empty() || !(*low > 0)) return;
  least_ = Metric{"least_gflops", *low, line};
  most_ = Metric{"most_gflops", *high, line};
}

/// "Tested 8 GPUs:", then "GPU 0: OK" for each.
bool BurnRun::read_verdict(const LogLine& line, std::string_view text) {
  if (text.starts_with("Tested ") && text.ends_with(" GPUs:")) {
    tested_ = count_of(value_after(text, "Tested "));
    if (tested_) result_.facts.push_back({"tested", std::to_string(*tested_), line.number});
    return true;
  }
  if (!tested_ || !text.starts_with("GPU ")) return false;
  const size_t colon = text.find(": ");
  if (colon == std::string_view::npos || !count_of(text.substr(4, colon - 4))) return false;
  const std::string_view verdict = text.substr(colon + 2);
  if (verdict != "OK" && verdict != "FAULTY") return false;
  if (static_cast<size_t>(++verdicts_) <= most_gpus)
    result_.facts.push_back(
        {"verdict " + std::string(text.substr(0, colon)), std::string(verdict), line.number});
  faulty_line_ = faulty_line_ == 0 || (verdict == "FAULTY" && faulty_ == 0) ? line.number : faulty_line_;
  if (verdict == "FAULTY") ++faulty_;
  return true;
}

void BurnRun::read(const LogLine& line, std::string_view text) {
  if (text.empty()) return;
  last_line_ = line.number;
  if (!line.terminated) return;
  if (const auto progress = progress_of(text)) return read_progress(*progress, line.number);
  if (read_verdict(line, text)) return;
  if (text.starts_with("GPU ") && text.find(" (UUID: ") != std::string_view::npos) {
    ++listed_;
    return;
  }
  if (const size_t at = text.find("Burning for "); at == 0 && text.ends_with(" seconds.")) {
    if (const auto seconds = count_of(value_after(text, "Burning for ")))
      result_.parameters.push_back({"seconds", static_cast<std::int64_t>(*seconds)});
    return;
  }
  if (text.starts_with("Initialized device ") &&
      find_parameter(result_.parameters, "arithmetic") == nullptr) {
    const bool doubles = text.find("using DOUBLES") != std::string_view::npos;
    if (!doubles && text.find("using FLOATS") == std::string_view::npos) return;
    result_.parameters.push_back({"arithmetic", std::string(doubles ? "doubles" : "floats")});
    if (text.ends_with("using Tensor Cores"))
      result_.parameters.push_back({"tensor_cores", std::string("yes")});
    return;
  }
  constexpr std::array<std::string_view, 6> own = {"No clients are alive!",  "Couldn't init ",
                                                   "Failure during compute", "No CUDA devices",
                                                   "Low mem for result",     "No CUDA capable GPUs"};
  for (const std::string_view words : own)
    if (text.starts_with(words))
      note(failure_, Failure{line.number, 5, quoted_line(line.number, "gpu-burn stopped", text),
                             FailureKind::gpu_error});
  note(failure_, failure_in(line));
}

ParsedResult BurnRun::result() && {
  result_.suite = "gpu-burn";
  result_.implementation = "gpu-burn";
  if (listed_ > 0) result_.parameters.push_back({"listed_gpus", listed_});
  for (const auto& [gpu, line] : died_) result_.facts.push_back({"died", fmt::format("GPU {}", gpu), line});
  for (const auto& [gpu, most] : errors_)
    result_.facts.push_back({fmt::format("errors GPU {}", gpu), std::to_string(most.first), most.second});
  if (!elapsed_.empty()) result_.facts.push_back({"elapsed", elapsed_, last_line_});
  if (!tested_ || verdicts_ < *tested_ || *tested_ < 1) {
    result_.reason =
        failure_ ? failure_->text
                 : fmt::format("the log ends at line {} before the verdicts of all GPUs{}", last_line_,
                               elapsed_.empty() ? "" : fmt::format(", at {} % of the time", elapsed_));
    return std::move(result_);
  }
  result_.parameters.push_back({"gpus", static_cast<std::int64_t>(*tested_)});
  result_.metrics.push_back({"faulty_gpus", static_cast<double>(faulty_), faulty_line_});
  for (const auto* each : {&least_, &most_, &hottest_})
    if (*each) result_.metrics.push_back(**each);
  result_.complete = true;
  return std::move(result_);
}

class BurnReader : public LogReader {
 public:
  explicit BurnReader(ResultSink sink) : sink_(std::move(sink)) {}

  void read(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    const bool lists = text.starts_with("GPU ") && text.find(" (UUID: ") != std::string_view::npos;
    const bool head = lists || text.starts_with("Burning for ");
    // Into a file, one of its processes prints what the first had buffered a second time: the same "Burning
    // for", between progress and verdict.
    const bool again = run_ && !lists && text == burning_;
    if (run_ && head && (run_->has_verdict() || (run_->has_progress() && !again))) finish();
    if (head && !lists) burning_ = text;
    if (!run_ && (head || progress_of(text))) run_.emplace(line.number);
    if (run_) run_->read(line, text);
  }

  void finish() override {
    if (!run_) return;
    sink_(std::move(*run_).result());
    run_.reset();
  }

 private:
  ResultSink sink_;
  std::optional<BurnRun> run_;
  std::string burning_;  ///< the last "Burning for 18 seconds."
};

constexpr std::array<std::string_view, 2> burn_needles = {"Burning for ", "%  proc'd: "};

constexpr std::array<std::string_view, 4> burn_metrics = {"least_gflops", "most_gflops", "hottest_celsius",
                                                          "faulty_gpus"};

}  // namespace

extern const Parser gpu_burn;
const Parser gpu_burn = {
    .id = "gpu-burn",
    .suite = "gpu-burn",
    .needles = burn_needles,
    .metrics = burn_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<BurnReader>(std::move(sink));
    },
    .marks = "the \"Burning for\" line or the \"proc'd: ... errors: ... temps:\" progress of gpu-burn",
};

}  // namespace shakedown::parser
