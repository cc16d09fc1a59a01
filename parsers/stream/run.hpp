#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/failures.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// Which program printed a STREAM report.
enum class StreamDialect {
  stream,     ///< McCalpin's, in C or Fortran
  nvidia,     ///< NVIDIA's, in their HPC benchmarks
  babel,      ///< BabelStream, a table
  csv,        ///< BabelStream --csv
  reference,  ///< our own, in McCalpin's grammar
  cuda,       ///< our own of GPUs, in the same with lines of each GPU
};

/// One report of STREAM or BabelStream: what is known of it so far.
class StreamRun {
 public:
  StreamRun(StreamDialect dialect, int line) : dialect_(dialect), last_line_(line) {}

  [[nodiscard]] StreamDialect dialect() const { return dialect_; }
  [[nodiscard]] bool has_table() const { return !unit_.empty(); }

  /// Reads a line that belongs to the report; the banner and the table's header too.
  void read(const LogLine& line);
  [[nodiscard]] ParsedResult result() &&;

 private:
  bool read_head(std::string_view text, int line);
  bool read_header(std::string_view text);
  bool read_row(const LogLine& line, std::string_view text);
  bool read_gpu_line(std::string_view text, int line);
  void add_extremes();
  [[nodiscard]] std::string missing() const;

  StreamDialect dialect_;
  int last_line_ = 0;
  std::string unit_;  ///< of the rates as its metrics' names end: "mb_s", "gib_s"
  std::string only_;  ///< the one kernel that BabelStream ran; empty: all
  std::string last_kernel_;
  ParsedResult result_;
  std::optional<Failure> failure_;
};

/// The dialect whose report begins with `text`, if one does.
std::optional<StreamDialect> stream_banner(std::string_view text);

/// The rates of one GPU and buffer size as SuperBench's gpu-stream prints them: each kernel with several
/// thread-block sizes, in GB/s and per cent of the peak.
///
/// Source: microsoft/superbenchmark, benchmarks/micro_benchmarks/gpu_stream.
class GpuStreamRun {
 public:
  /// A row "STREAM_COPY_double_gpu_0_buffer_4294967296_block_128    6711.67 81.93".
  struct Row {
    std::string kernel;  ///< "copy"
    std::string type;    ///< "double"
    std::int64_t gpu = 0;
    std::int64_t buffer = 0;  ///< bytes
    std::int64_t block = 0;   ///< threads
    std::string rate;
    std::string percent;  ///< empty where the row may be cut behind the rate
  };
  static std::optional<Row> row(const LogLine& line);

  /// Whether a row is of the same GPU, type and buffer.
  [[nodiscard]] bool holds(const Row& row) const;
  void take(const Row& row, int line);
  /// "8192" of "Device 0: ... = 8192 GB/s PEAK"; empty: none.
  void peak(std::string printed, int line);
  /// One result; values only of kernels that ran with as many block sizes as the first.
  [[nodiscard]] ParsedResult result(const std::optional<Failure>& failure) &&;

 private:
  struct Best {
    Metric rate;
    int count = 0;
  };
  Row first_;
  bool any_ = false;
  std::map<std::string, Best> kernels_;
  int last_line_ = 0;
  ParsedResult result_;
};

}  // namespace shakedown
