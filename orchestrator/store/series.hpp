#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "parsers/rules/rule.hpp"

namespace shakedown {

/// A run that gave values to series: a result of an attempt.
struct SeriesRun {
  std::string campaign;
  std::string case_id;
  int attempt = 1;
  double at_s = 0;    ///< when it began, seconds since 1970 UTC
  std::string hosts;  ///< hostlist of the nodes that it ran on; of one node its name
  Validity validity = Validity::unknown;
  bool complete = false;  ///< the log holds the result and its check
};

/// One value of a series.
struct SeriesPoint {
  std::uint32_t run = 0;  ///< index into `SystemSeries::runs`
  double value = 0;       ///< in the metric's unit, finite
};

/// One metric over time, of runs that are alike: the same build of a suite with the same parameters on as
/// many nodes of the same kind. The nodes may differ from run to run (`SeriesRun::hosts`); programs, drivers
/// and libraries too: a series is to show their changes.
struct MetricSeries {
  std::string suite;
  std::string implementation;
  int nodes = 0;                    ///< of each run; 0: not known
  std::string node_kind;            ///< "AMD EPYC 9654 2 x 96 cores, 8 x NVIDIA H100"; empty: not known
  std::string parameters;           ///< "N=8000 NB=192 P=1 Q=2", by name
  std::string metric;               ///< "rmax_gflops"; of a phase its name: "ior-easy-write"
  std::string unit;                 ///< of a phase, "GiB/s"; else empty: the metric's name shows it
  std::vector<SeriesPoint> points;  ///< oldest first
};

/// All series of a system.
struct SystemSeries {
  std::vector<SeriesRun> runs;  ///< oldest first
  std::vector<MetricSeries>
      series;  ///< by suite, build, nodes, kind, parameters, then in the order of the metrics
};

/// Metrics and phases by suite, of which series are read; empty: all.
using WantedMetrics = std::map<std::string, std::vector<std::string>, std::less<>>;

/// What `Database::series_of` asks SQLite.
std::vector<std::string> series_queries();

}  // namespace shakedown
