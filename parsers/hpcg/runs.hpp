#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/hpcg/run.hpp"
#include "parsers/lines.hpp"

namespace shakedown {

/// Reads a log into its runs, line by line: knows which report and which console a value belongs to.
class HpcgRuns {
 public:
  /// `done` gets each run as it ends, in the order of the log.
  explicit HpcgRuns(std::function<void(HpcgRun&&)> done) : done_(std::move(done)) {}
  void read(const LogLine& line);
  /// The log is over.
  void finish();

 private:
  bool read_heading(std::string_view text, const LogLine& line);
  bool read_start(std::string_view text, const LogLine& line);
  bool read_iteration(std::string_view text, const LogLine& line);
  void read_surroundings(std::string_view text, const LogLine& line);
  bool read_console(std::string_view text, int line);
  bool read_bare_rating(std::string_view text, const LogLine& line);
  void begin_report(const LogLine& line);
  void begin_run(int line);
  void take(const HpcgEntry& entry, const LogLine& line);
  void take_layer(std::string_view fact, HpcgText text);
  void take_coarse(std::string_view fact, HpcgText text);
  void hand_over();

  std::function<void(HpcgRun&&)> done_;
  HpcgRun run_;
  HpcgLayout layout_;
  std::string previous_;      ///< the last line, where it is short
  int previous_line_ = 0;     ///< its number
  HpcgText pending_name_;     ///< of a heading that may be HPCG's
  HpcgText pending_version_;  ///< line 0: none
  HpcgText build_;            ///< "Build v0.6.2", which may be NVIDIA's
  size_t coarse_memory_ = 0;  ///< coarse grids whose memory was read
};

}  // namespace shakedown
