#pragma once
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

}  // namespace shakedown
