#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/failures.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// One test of nvbandwidth.
struct NvbandwidthTest {
  std::string name;         ///< "host_to_device_memcpy_ce"
  std::string description;  ///< "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)"
  std::string status;       ///< "Error", "Waived"; empty: none is printed
  std::string sum;          ///< as printed
  int line = 0;
  int sum_line = 0;
  size_t columns = 0;  ///< of the matrix in plain text
  size_t rows = 0;     ///< of the matrix
  bool whole = true;   ///< all rows of the matrix are stored
};

/// One run of nvbandwidth, in plain text or JSON: what is known of it so far.
class NvbandwidthRun {
 public:
  explicit NvbandwidthRun(int line) : last_line_(line) {}

  /// Reads a line of the plain text.
  void read(const LogLine& line);

  void version(std::string_view text);
  void device() { ++devices_; }
  void test(NvbandwidthTest test);
  /// The test that is being read; null: none.
  NvbandwidthTest* last();
  /// A row of the matrix of the last test: its cells, "N/A" among them.
  void row(const std::vector<std::string_view>& cells, int line);
  void error(std::string_view text, int line);
  /// JSON ends with its brace, in every version.
  void is_json() { json_ = true; }
  void end() { ended_ = true; }
  void seen(int line) { last_line_ = line; }

  [[nodiscard]] ParsedResult result() &&;

 private:
  void add_values(const NvbandwidthTest& test);

  int last_line_ = 0;
  std::string version_;
  std::int64_t devices_ = 0;
  std::int64_t waived_ = 0;
  bool json_ = false;
  bool ended_ = false;
  std::vector<NvbandwidthTest> tests_;
  ParsedResult result_;
  std::optional<Failure> failure_;
};

}  // namespace shakedown
