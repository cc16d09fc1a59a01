#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

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

/// A figure or word of the report that is kept, and the fact that it becomes.
struct HpcgKey {
  HpcgSection section;
  HpcgGroup group;
  std::string_view text;  ///< as printed
  std::string_view fact;  ///< hpcg.hpp lists them
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

}  // namespace shakedown
