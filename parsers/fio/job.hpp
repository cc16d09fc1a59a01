#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.hpp"

namespace shakedown {

/// A kind of latency as printed, in its unit.
struct FioLatency {
  std::string least;
  std::string mean;
  std::string largest;
  int line = 0;
};
constexpr std::array<std::string_view, 3> fio_latency_kinds = {"slat", "clat", "lat"};

/// What a job of fio did in one direction, as printed.
struct FioDirection {
  std::string name;      ///< "read", "write", "trim", "mixed"
  std::string bw;        ///< with its unit: "31.6MiB/s", "340570KiB/s"
  std::string bw_other;  ///< the same in the other kind of unit: "33.2MB/s"
  std::string iops;      ///< "8100", "16.0k"
  std::string io;        ///< bytes moved, with unit: "1944KiB"
  std::string runtime;   ///< milliseconds
  std::string ios;       ///< operations issued; empty: not printed
  std::string lat_mean;
  std::string lat_unit;  ///< "ns", "us", "ms"
  std::string clat_p99;
  std::string clat_unit;
  int line = 0;
  int lat_line = 0;
  int clat_line = 0;
  int ios_line = 0;
  std::array<FioLatency, fio_latency_kinds.size()> latencies;  ///< of each kind
};

/// One job of fio, or one group of jobs where group_reporting is on.
struct FioJob {
  std::string name;
  std::string group;
  std::string members;       ///< jobs that are reported together
  std::string error;         ///< "0", or the code with its text
  std::string issued_short;  ///< operations cut short or dropped, "0": none; empty: not printed
  int line = 0;
  int issued_line = 0;
  bool whole = false;              ///< the job's report is there to its end
  bool old_units = false;          ///< fio 1 and 2: KB is 1024 bytes
  std::vector<Parameter> options;  ///< rw, bs, ioengine, iodepth, direct, ...
  std::vector<FioDirection> directions;

  FioDirection& direction(std::string_view direction_name, int line_number);
};

/// The job as a result; `reason` where it is not whole, and for a job without any I/O.
ParsedResult fio_result(FioJob&& job, std::string_view version, std::string reason);

/// "31.6MiB/s" as a number and the unit as a metric's name ends: "mib_s". Nothing for what is none.
struct FioRate {
  double value = 0;
  std::string unit;
};
std::optional<FioRate> fio_rate(std::string_view printed);

/// "16.0k" as 16000; nothing for what is no number.
std::optional<double> fio_count(std::string_view printed);

}  // namespace shakedown
