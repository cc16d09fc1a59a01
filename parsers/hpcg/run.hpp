#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/failures.hpp"

namespace shakedown {

/// The sections of HPCG's report, as ReportResults.cpp names them.
enum class HpcgSection : std::uint8_t {
  machine,
  global,
  processor,
  local,
  setup,
  system,
  multigrid,
  memory,
  spectral,
  symmetry,
  iterations,
  reproducibility,
  times,
  operations,
  bandwidth,
  rates,
  ddot,
  final
};

/// Groups within a section.
enum class HpcgGroup : std::uint8_t { none, coarse_grids, unpreconditioned, preconditioned };

/// A value or word of the report that is recorded, and the fact that it becomes.
struct HpcgKey {
  HpcgSection section;
  HpcgGroup group;
  std::string_view text;  ///< as printed
  std::string_view fact;  ///< hpcg.cpp lists them
};

/// All keys; of two that begin alike the longer comes first.
std::span<const HpcgKey> hpcg_keys();

/// "Benchmark Time Summary".
std::string_view hpcg_section_name(HpcgSection section);

/// A line of the report.
struct HpcgEntry {
  const HpcgKey* key = nullptr;  ///< null: a heading, or a line of no interest here
  size_t index = 0;              ///< of the key
  std::string_view value;
};

/// Tells the lines of HPCG's report from others, in the three ways in which it is printed:
///
///     Machine Summary::Distributed Processes=8      HPCG 3.1, flat
///     Machine Summary:                              HPCG 2.4 and 3.0, nested
///       Distributed Processes: 8
///     Machine Summary Distributed Processes 8       HPCG_for_Arm, on stdout
///
/// A nested line counts within its section alone, however it is indented.
class HpcgLayout {
 public:
  /// Nothing where the line is none of the report.
  std::optional<HpcgEntry> read(std::string_view text);
  /// The last section is over.
  void close() { open_.reset(); }

 private:
  std::optional<HpcgEntry> read_nested(std::string_view text);
  std::optional<HpcgSection> open_;  ///< the section that nested lines belong to
  HpcgGroup group_ = HpcgGroup::none;
};

/// A text of the log with its line; line 0: not printed.
struct HpcgText {
  std::string text;
  int line = 0;
};

/// Processes in z from `lower` to `upper`, whose local domains are `nz` high.
struct HpcgLayer {
  HpcgText lower, upper, nz;
};

/// One of the coarse grids of the multigrid.
struct HpcgCoarseGrid {
  HpcgText equations, nonzeros, memory;
};

/// A rate that a vendor's console prints: all processes' and one's.
struct HpcgRate {
  int line = 0;
  std::string gflops, gb_s, gflops_per_process;
};

/// What a vendor's program prints on its console, beside or instead of the report.
struct HpcgConsole {
  bool started = false;               ///< the program reported its start
  std::string vendor;                 ///< "amd", "nvidia" where a rate of the summary was read
  int invalid_line = 0;               ///< "*** WARNING *** INVALID RUN"
  HpcgText benchmark;                 ///< NVIDIA's mode without the reference run, with its extra iterations
  HpcgText compression;               ///< "L2 compression is activated"
  HpcgText execution;                 ///< "GPU-Only", "Grace-Only", "GPU+Grace"
  HpcgText engineering;               ///< a build whose results may not be shared
  HpcgText int64;                     ///< indices of 64 bits
  HpcgText gpu;                       ///< its name
  HpcgText total_time;                ///< seconds
  HpcgText setup_time;                ///< seconds
  HpcgText optimization;              ///< seconds
  HpcgText sets;                      ///< CG sets performed
  HpcgText iterations;                ///< of a set
  HpcgText local, global, processes;  ///< "560 280 280"
  HpcgText bare;                      ///< Intel's one line: a rating
  std::map<std::string, HpcgRate> rates;  ///< "ddot", "waxpby", "spmv", "symgs", "mg", "total", "final"
};

/// One run of an HPCG program, as read from its log.
struct HpcgRun {
  int first_line = 1;
  int last_line = 1;
  std::string implementation;  ///< from what the program printed as it started; empty: nothing
  std::string builder;         ///< the implementation that the report's own words name; empty: none
  HpcgText version;            ///< the implementation's own
  HpcgText name;               ///< that the report begins with
  HpcgText release;            ///< the report's version: "3.1"
  bool header = false;         ///< the report's beginning was read
  bool begun = false;          ///< words that only HPCG prints were read
  bool ended = false;          ///< the report's last line was read
  int iterations_line = 0;     ///< of HPCG's log of its iterations
  std::int64_t sets = 0;       ///< CG sets that a log of iterations reports, by its last call
  std::string program;         ///< that the log names: "xhpcg"
  std::vector<HpcgText> values = std::vector<HpcgText>(hpcg_keys().size());  ///< of the report, by key
  size_t count = 0;                                                          ///< of values read
  std::vector<HpcgLayer> layers;
  std::vector<HpcgCoarseGrid> coarse;
  HpcgText invalid;
  HpcgText second_summary;  ///< another verdict below this one, without the beginning of a report of its own
  std::vector<HpcgText> reference_kernels;
  HpcgConsole console;
  std::optional<Failure> failure;  ///< the weightiest

  /// The report's value for a fact.
  [[nodiscard]] const HpcgText& value(std::string_view fact) const;
  /// Whether a line of the report was read.
  [[nodiscard]] bool report() const { return header || count > 0 || invalid.line != 0; }
  /// Whether the log shows that HPCG ran or was to run.
  [[nodiscard]] bool evidence() const;
};

/// Reads a line of NVIDIA's or AMD's console. Whether it was one.
bool read_hpcg_console(HpcgConsole& console, std::string_view text, int line);

/// The failure that HPCG itself reports in a line, or nothing.
std::optional<Failure> hpcg_failure(std::string_view text, int line);

}  // namespace shakedown
