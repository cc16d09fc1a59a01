#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/failures.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

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
  /// One result; figures only of kernels that ran with as many block sizes as the first.
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
