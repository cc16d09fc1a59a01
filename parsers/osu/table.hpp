#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// A column of a table of the OSU micro-benchmarks.
struct OsuColumn {
  enum class Use { size, metric, iterations, validation, label };
  Use use = Use::metric;
  std::string key;  ///< of its metric: "bandwidth_mb_s", "latency_us", "pure_comm_us"
  friend bool operator==(const OsuColumn&, const OsuColumn&) = default;
};

/// The columns that a header line "# Size      Bandwidth (MB/s)" names, in order; none where `text` is no
/// header.
///
/// Source: OSU micro-benchmarks 3.9 to 7.4, c/util/osu_util_mpi.c and the tests' own print statements.
std::vector<OsuColumn> osu_columns(std::string_view text);

/// The cells of a row, one for each column; nothing if `text` is none or a value is no number.
std::optional<std::vector<std::string_view>> osu_row(const std::vector<OsuColumn>& columns,
                                                     std::string_view text);

/// The content of a banner "# OSU MPI-CUDA Bandwidth Test v7.4".
struct OsuBanner {
  std::string title;        ///< "OSU MPI Bandwidth Test"
  std::string benchmark;    ///< "osu_bw"; the title where the program is not known by it
  std::string accelerator;  ///< "CUDA", "ROCM", ...; empty: none
  std::string version;
};

/// The size in bytes at which a test ends by itself: 4 MiB between two processes, 1 MiB for collectives.
///
/// Source: OSU micro-benchmarks, c/util/osu_util.h (MAX_MESSAGE_SIZE, MAX_MSG_SIZE_COLL).
long long default_largest(const OsuBanner& banner);

/// Nothing where `text` is no banner.
std::optional<OsuBanner> osu_banner(std::string_view text);

}  // namespace shakedown
