#pragma once
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/failures.hpp"
#include "parsers/mlperf/event.hpp"

namespace shakedown {

/// When something happened, by the log's own clock, and its line.
struct MlperfMoment {
  double ms = 0;  ///< since 1970
  int line = 0;
};

/// A key that is logged once: its first value and how often it came.
struct MlperfSetting {
  std::string value;
  int line = 0;
  int count = 0;
  std::string other;  ///< a value that contradicts the first; empty: none
};

/// One evaluation of the model. Benchmarks that judge two metrics have both: FID and CLIP, BBOX and SEGM.
struct MlperfEvaluation {
  std::optional<double> position;  ///< samples (GPT-3: tokens; others: epochs) trained before it
  std::vector<std::pair<std::string, double>> values;  ///< by name; the name is empty where there is one
  std::string printed;                                 ///< of the last value
  std::optional<MlperfMoment> time;
  int line = 0;

  [[nodiscard]] std::optional<double> value(std::string_view name) const;
};

/// The evaluations of a run, in constant memory.
struct MlperfEvaluations {
  int count = 0;  ///< lines
  MlperfEvaluation last;
  std::optional<double> least_earlier;  ///< over all but the last, of benchmarks that judge one metric
  std::optional<double> most_earlier;
  std::optional<double> first_position;
  std::optional<double> least_interval;  ///< between two evaluations that follow each other
  std::optional<double> most_interval;
  double position_unit = 0;  ///< greatest common divisor of all positions; 0: none, or not whole
  bool whole = true;         ///< all positions are whole numbers
  int repeated_line = 0;  ///< of an evaluation that differs from the one before at the same position; 0: none
  std::map<double, MlperfEvaluation> pairs;  ///< by position, of benchmarks that judge two metrics; bounded

  void add(const MlperfEvent& event, int line);
};

/// One run, as read from a log.
struct MlperfRun {
  int first_line = 0;
  int last_line = 0;
  int events = 0;       ///< lines of MLPerf's logging with a key that is known
  std::string version;  ///< of the log's format, if it names the rules' version
  std::string trial;    ///< "2 of 10"
  bool ours = false;    ///< our own reference's banner precedes it
  std::optional<MlperfMoment> start, stop, first_init_start, init_stop, first_work;
  std::optional<MlperfMoment> other_start, other_stop;  ///< a second one at another time
  int init_starts = 0;
  std::optional<MlperfMoment> earliest, latest;  ///< of all times of marks, work and evaluations
  std::optional<MlperfMoment> open_block;        ///< its block_start
  double block_ms = 0;                           ///< sum of the blocks' times, before run_stop
  int blocks = 0;
  bool blocks_nest = false;          ///< a block starts before the one before it stops, or stops twice
  std::optional<double> stopped_at;  ///< position that run_stop states
  std::string stop_value;            ///< a number that run_stop has as its value, as printed; empty: none
  int cache_clears = 0;
  std::string status;        ///< of run_stop as printed; empty: not printed
  std::string other_status;  ///< of a further run_stop that contradicts it; empty: none
  std::map<std::string, MlperfSetting, std::less<>> settings;
  std::vector<std::pair<std::string, int>> seeds;  ///< different ones with their lines; bounded
  int seed_lines = 0;
  MlperfEvaluations evaluations;  ///< those that the log has before run_stop, in its order
  struct Rate {
    double value = 0;
    int line = 0;
  };
  std::optional<Rate> last_rate, largest_rate;  ///< "throughput" of tracked_stats, before run_stop
  std::optional<Rate> rate_after_stop;          ///< the last one behind it
  std::optional<Rate> gflops_after_stop;        ///< "gflops" of our own reference, over all training steps
  int cut_lines = 0;
  int first_cut = 0;
  std::optional<Failure> failure;

  void add(const MlperfEvent& event, int line);
  void count(std::string_view key);
  /// Takes over what was logged between run_stop and the end of the log.
  void append(const MlperfRun& later);

  [[nodiscard]] const MlperfSetting* setting(std::string_view key) const;
  [[nodiscard]] std::string setting_text(std::string_view key) const;  ///< empty where it is absent
  [[nodiscard]] std::optional<double> setting_number(std::string_view key) const;

 private:
  void mark(const MlperfEvent& event, int line);
  void add_block(const MlperfEvent& event, int line);
};

}  // namespace shakedown
