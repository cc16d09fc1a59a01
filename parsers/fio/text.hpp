#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/failures.hpp"
#include "parsers/fio/job.hpp"

namespace shakedown {

/// Reads the plain text of fio 1 to 3.
class FioText {
 public:
  /// Gives a job's report with why it is not whole, or an empty reason.
  using Give = std::function<void(FioJob&&, std::string_view version, std::string reason)>;
  /// `ended`: the report of one run is over; with the error that fio printed of it beside its jobs.
  using Ended = std::function<void(const std::optional<Failure>&)>;
  FioText(Give give, Ended ended) : give_(std::move(give)), ended_(std::move(ended)) {}

  void read(const LogLine& line);
  /// The text is over. A run that began and printed no job gives one without I/O.
  void finish();
  /// The error that fio printed before or beside the report.
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }

 private:
  bool read_job_head(const LogLine& line);
  bool read_job_line(std::string_view text, int line);
  void read_direction(std::string_view text, int line);
  void read_latency(std::string_view text, int line);
  void read_options(const LogLine& line, size_t at);
  void release(bool all_are_whole);

  Give give_;
  Ended ended_;
  std::string version_;
  std::map<std::string, std::vector<Parameter>> options_;  ///< by job name
  std::vector<FioJob> jobs_;                               ///< that wait for the status of their groups
  bool in_job_ = false;
  std::string direction_;        ///< that is being read
  std::string percentile_unit_;  ///< of the lines of percentiles that follow; empty: none do
  int first_line_ = 0;
  int last_line_ = 0;
  bool gave_ = false;
  std::set<std::string> concluded_;  ///< groups whose status was printed
  std::optional<Failure> failure_;
  std::optional<Failure> error_;  ///< "fio: pid=123, err=28/...": a job of this run ended so
};

}  // namespace shakedown
