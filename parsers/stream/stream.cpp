#include <array>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/lines.hpp"
#include "parsers/parser.hpp"
#include "parsers/stream/run.hpp"

/// The reports of STREAM (C, Fortran, MPI), our own of hosts and GPUs in its grammar, NVIDIA's STREAM,
/// BabelStream and SuperBench's gpu-stream. Parameters: elements (of one array), bytes_per_element, times,
/// threads, ranks (our own), model, device; of gpu-stream gpu and buffer_bytes; of our own of GPUs gpus,
/// l2_bytes. Metrics: copy_mb_s, scale_mb_s (BabelStream's Mul), add_mb_s, triad_mb_s, dot_mb_s, nstream_mb_s
/// with the unit that is printed in place of mb_s; of gpu-stream the best of all block sizes; of our own of
/// GPUs besides those of each alone (gpu_<i>_triad_mb_s), host_to_gpu_mb_s and gpu_to_host_mb_s of all at
/// once and of each alone, gpu_<i>_to_gpu_<j>_mb_s, and the slowest of each (gpu_min_triad_mb_s,
/// gpu_min_to_gpu_mb_s). Facts: `row <kernel>` ("rate average min max" as printed; of gpu-stream "rate
/// percent"), unit, peak, validation, validation_failed, clock_ticks.
///
/// Source: STREAM 5.6 to 5.10, stream.c and stream.f; BabelStream 3.4 to 6.0-rc, src/main.cpp.
namespace shakedown::parser {
namespace {

class StreamReader : public LogReader {
 public:
  explicit StreamReader(ResultSink sink) : sink_(std::move(sink)) {}

  void read(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.starts_with("STREAM_") || text.starts_with("Device ")) return read_gpu(line, text);
    if (const auto dialect = stream_banner(text)) begin(*dialect, line);
    // STREAM in Fortran prints the size of a number above its banner.
    if (!run_ && line.terminated && text.starts_with("Assuming ")) above_ = text;
    if (run_)
      run_->read(line);
    else if (gpu_)
      note(gpu_failure_, failure_in(line));
  }

  void finish() override {
    if (gpu_) sink_(std::move(*gpu_).result(gpu_failure_));
    gpu_.reset();
    if (run_) sink_(std::move(*run_).result());
    run_.reset();
  }

 private:
  void begin(StreamDialect dialect, const LogLine& line) {
    const bool header = trimmed(line.text).starts_with("Function ");
    const bool awaits_table =
        run_ && !run_->has_table() &&
        (run_->dialect() == StreamDialect::stream || run_->dialect() == StreamDialect::reference ||
         run_->dialect() == StreamDialect::cuda);
    if (header && awaits_table) return;
    finish();
    run_.emplace(dialect, line.number);
    if (!above_.empty()) run_->read(LogLine{above_, line.number, true});
    above_.clear();
  }

  void read_gpu(const LogLine& line, std::string_view text) {
    if (const auto row = GpuStreamRun::row(line)) {
      if (gpu_ && !gpu_->holds(*row)) {
        sink_(std::move(*gpu_).result(gpu_failure_));
        gpu_.reset();
      }
      if (!gpu_) {
        gpu_.emplace();
        gpu_->peak(peak_, peak_line_);
      }
      gpu_->take(*row, line.number);
      return;
    }
    if (run_) run_->read(line);
    // Device 0: "NVIDIA Graphics Device"  152 SMs(10.0)  Memory: ... = 8192 GB/s PEAK   ECC is ON
    const size_t at = text.find(" GB/s PEAK");
    if (at == std::string_view::npos) return;
    peak_ = std::string(text.substr(0, at));
    peak_.erase(0, peak_.find_last_of(' ') + 1);
    peak_line_ = line.number;
  }

  ResultSink sink_;
  std::optional<StreamRun> run_;
  std::optional<GpuStreamRun> gpu_;
  std::optional<Failure> gpu_failure_;
  std::string above_;
  std::string peak_;
  int peak_line_ = 0;
};

constexpr std::array<std::string_view, 10> stream_needles = {
    "STREAM version $Rev",   "STREAM Version $Rev", "Best Rate MB/s",
    "NVIDIA-STREAM ",        "BabelStream",         "GPU-STREAM",
    "function,num_times,",   "STREAM_COPY_",        "shakedown STREAM reference ",
    "shakedown STREAM cuda "};

/// BabelStream may be asked for other units.
constexpr std::array<std::string_view, 19> stream_metrics = {
    "gpu_*_copy_mb_s",   "gpu_*_scale_mb_s",  "gpu_*_add_mb_s", "gpu_*_triad_mb_s", "gpu_*_to_gpu_*mb_s",
    "*host_to_gpu_mb_s", "*gpu_to_host_mb_s", "copy_mb_s",      "scale_mb_s",       "add_mb_s",
    "triad_mb_s",        "nstream_mb_s",      "dot_mb_s",       "copy_*b_s",        "scale_*b_s",
    "add_*b_s",          "triad_*b_s",        "nstream_*b_s",   "dot_*b_s"};

}  // namespace

extern const Parser stream;
const Parser stream = {
    .id = "stream",
    .suite = "stream",
    .needles = stream_needles,
    .metrics = stream_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<StreamReader>(std::move(sink));
    },
    .marks = "a STREAM, NVIDIA-STREAM or BabelStream banner, or 'STREAM_COPY_' rows of gpu-stream",
};

}  // namespace shakedown::parser
