#include "parsers/fio/fio.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/fio/job.hpp"
#include "parsers/fio/text.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"
#include "parsers/parser.hpp"

/// The reports of fio 1 to 3: plain text, JSON and terse (versions 3 to 5); each job, or group of jobs that
/// is reported as one, is a result. Parameters: job, group, jobs, rw, bs, ioengine, iodepth, numjobs, direct.
/// Metrics of each direction (read, write, trim, mixed): read_bw_mib_s with the unit that is printed (KiB/s
/// in JSON and terse), read_iops, read_lat_mean_us and read_clat_p99_us with theirs. Facts: `read bw`, `read
/// bw other`, `read io`, `read runtime` (ms), `read iops`, `read ios` as printed, `read slat`, `read clat`,
/// `read lat` ("min mean max"), error, error of run (of any of its jobs), short, units.
///
/// Source: axboe/fio 2.2 to 3.42, stat.c; HOWTO, "Terse output" and "JSON output".
namespace shakedown::parser {
namespace {

/// The fields of one direction in terse output, in their order.
constexpr size_t terse_head = 5;

/// "3;fio-3.33;rand1;1;0;<41 fields for reads>;<41 for writes>;..."
std::optional<FioJob> terse_job(const LogLine& line, std::string& version) {
  const std::string_view text = trimmed(line.text);
  if (text.size() < 6 || text.substr(1, 5) != ";fio-" || text[0] < '3' || text[0] > '5') return std::nullopt;
  const size_t width = text[0] == '5' ? 47 : 41;
  const auto fields = split(text, ';');
  const size_t directions = text[0] == '3' ? 2 : 3;
  if (!line.terminated || fields.size() < terse_head + directions * width) return std::nullopt;
  version = fields[1].substr(4);
  FioJob job;
  job.name = fields[2];
  job.group = fields[3];
  job.error = fields[4];
  job.line = line.number;
  constexpr std::array<std::string_view, 3> names = {"read", "write", "trim"};
  for (size_t i = 0; i < directions; ++i) {
    const size_t at = terse_head + i * width;
    if (fields[at] == "0") continue;
    FioDirection& direction = job.direction(names[i], line.number);
    direction.io = std::string(fields[at]) + "KiB";
    direction.bw = std::string(fields[at + 1]) + "KiB/s";
    direction.iops = fields[at + 2];
    direction.runtime = fields[at + 3];
    // Behind those: 4 fields of slat, 4 of clat, 20 percentiles, then lat as min, max, mean, deviation in us.
    direction.lat_mean = fields[at + 34];
    for (const auto& [kind, first] : {std::pair{0, 4}, {1, 8}, {2, 32}})
      direction.latencies[kind] = {std::string(fields[at + first]), std::string(fields[at + first + 2]),
                                   std::string(fields[at + first + 1]), line.number};
    direction.lat_unit = "us";
    direction.lat_line = line.number;
  }
  return job;
}

class FioReader : public LogReader {
 public:
  explicit FioReader(ResultSink sink) : sink_(std::move(sink)) {}

  void read(const LogLine& line) override {
    if (json_.read(line)) return;
    std::string version;
    if (auto job = terse_job(line, version)) {
      give(std::move(*job), version, {}, Format::terse);
      return;
    }
    text_.read(line);
  }

  void finish() override {
    json_.finish();
    text_.finish();
    end_run({});
  }

 private:
  enum class Format { text, json, terse };

  /// One run may print its report in several formats.
  [[nodiscard]] bool reported_before(const FioJob& job, Format format) {
    std::string key = job.name + '\n' + job.group;
    for (const FioDirection& direction : job.directions)
      key += fmt::format("\n{} {} ms", direction.name, direction.runtime);
    if (job.directions.empty() || reported_.size() >= most_reported) return false;
    const auto [at, is_new] = reported_.emplace(std::move(key), format);
    return !is_new && at->second != format;
  }

  void give(FioJob&& job, std::string_view version, std::string reason, Format format) {
    if (job.directions.empty() && any_) return;  // an empty report beside a full one
    if (reason.empty() && reported_before(job, format)) return;
    any_ = true;
    if (error_of_run_.empty() && !job.error.empty() && job.error != "0") {
      error_of_run_ = fmt::format("job '{}': err={}", job.name, job.error);
      error_line_ = job.line;
    }
    if (held_.size() >= most_reported) release();
    held_.push_back(fio_result(std::move(job), version, std::move(reason)));
  }

  /// One run is over: an error of one of its jobs is one of the whole.
  void end_run(const std::optional<Failure>& printed) {
    if (printed && error_of_run_.empty()) {
      error_of_run_ = printed->text;
      error_line_ = printed->line;
    }
    release();
    error_of_run_.clear();
  }

  void release() {
    for (ParsedResult& result : held_) {
      if (!error_of_run_.empty()) result.facts.push_back({"error of run", error_of_run_, error_line_});
      sink_(std::move(result));
    }
    held_.clear();
  }

  static constexpr size_t most_reported = 4096;
  ResultSink sink_;
  FioText text_{[this](FioJob&& job, std::string_view version, std::string reason) {
                  give(std::move(job), version, std::move(reason), Format::text);
                },
                [this](const std::optional<Failure>& error) { end_run(error); }};
  FioJson json_{[this](FioJob&& job, std::string_view version, std::string reason) {
                  give(std::move(job), version, std::move(reason), Format::json);
                },
                [this] { end_run({}); }};
  std::vector<ParsedResult> held_;  ///< of the run that is being read
  std::string error_of_run_;        ///< empty: none
  int error_line_ = 0;
  std::map<std::string, Format> reported_;
  bool any_ = false;
};

constexpr std::array<std::string_view, 4> fio_needles = {"(groupid=", ": (g=", "\"fio version\"", ";fio-"};

/// fio chooses the units of rates and latencies by their size.
constexpr std::array<std::string_view, 32> fio_metrics = {
    "read_iops",         "read_bw_kib_s",    "read_bw_mib_s",     "read_bw_*b_s",      "read_lat_mean_us",
    "read_clat_p99_us",  "read_lat_mean_*s", "read_clat_p99_*s",  "write_iops",        "write_bw_kib_s",
    "write_bw_mib_s",    "write_bw_*b_s",    "write_lat_mean_us", "write_clat_p99_us", "write_lat_mean_*s",
    "write_clat_p99_*s", "trim_iops",        "trim_bw_kib_s",     "trim_bw_mib_s",     "trim_bw_*b_s",
    "trim_lat_mean_us",  "trim_clat_p99_us", "trim_lat_mean_*s",  "trim_clat_p99_*s",  "mixed_iops",
    "mixed_bw_kib_s",    "mixed_bw_mib_s",   "mixed_bw_*b_s",     "mixed_lat_mean_us", "mixed_clat_p99_us",
    "mixed_lat_mean_*s", "mixed_clat_p99_*s"};

}  // namespace

extern const Parser fio;
const Parser fio = {
    .id = "fio",
    .suite = "fio",
    .needles = fio_needles,
    .metrics = fio_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<FioReader>(std::move(sink));
    },
    .marks = "a job's '(groupid=0, jobs=1): err= 0' line of fio, its JSON or terse output",
};

}  // namespace shakedown::parser

namespace shakedown {
namespace {

constexpr std::array<std::string_view, 6> kept_options = {"rw",      "bs",      "ioengine",
                                                          "iodepth", "numjobs", "direct"};

void add_option(std::vector<Parameter>& options, const std::string& name, std::string_view value) {
  if (std::find(kept_options.begin(), kept_options.end(), name) == kept_options.end()) return;
  std::erase_if(options, [&](const Parameter& option) { return option.name == name; });
  if (const auto number = count_of(value))
    options.push_back({name, static_cast<std::int64_t>(*number)});
  else
    options.push_back({name, std::string(value)});
}

/// fio prints all directions, of which a job has one or two.
void drop_idle(FioJob& job) {
  for (FioDirection& direction : job.directions)
    if (direction.io.ends_with('?')) direction.io.replace(direction.io.size() - 2, 2, "KiB");
  std::erase_if(job.directions, [](const FioDirection& direction) {
    return direction.io.empty() || direction.io == "0B" || direction.io == "0KiB";
  });
}

}  // namespace

bool FioJson::read(const LogLine& line) {
  const bool was_within = walk_.within();
  const bool taken = walk_.read(line);
  if (taken) last_line_ = line.number;
  // A text that went wrong is over.
  if (was_within && !walk_.within() && job_) finish();
  return taken;
}

void FioJson::take(const JsonEvent& event) {
  const auto& path = walk_.path();
  using Kind = JsonEvent::Kind;
  if (path.empty()) {
    if (event.kind == Kind::begin_object) {
      is_fio_ = any_ = false;
      version_.clear();
      global_.clear();
      job_.reset();
    } else if (event.kind == Kind::end_object) {
      finish();
    }
    return;
  }
  if (path.size() == 1 && path[0] == "fio version" && event.kind == Kind::value) {
    is_fio_ = true;
    version_ = event.value.starts_with("fio-") ? event.value.substr(4) : event.value;
  } else if (path.size() == 2 && path[0] == "global options" && event.kind == Kind::value) {
    add_option(global_, path[1], event.value);
  } else if (is_fio_ && path.size() >= 2 && (path[0] == "jobs" || path[0] == "client_stats")) {
    take_job(event, path);
  }
}

void FioJson::take_job(const JsonEvent& event, const std::vector<std::string>& path) {
  using Kind = JsonEvent::Kind;
  if (path.size() == 2 && event.kind == Kind::begin_object) {
    job_.emplace();
    job_->line = event.line;
    job_->options = global_;
  }
  if (!job_) return;
  if (path.size() == 2 && event.kind == Kind::end_object) {
    drop_idle(*job_);
    any_ = true;
    give_(std::move(*job_), version_, {});
    job_.reset();
  } else if (path.size() == 3 && event.kind == Kind::value) {
    if (path[2] == "jobname") job_->name = event.value;
    if (path[2] == "groupid") job_->group = event.value;
    if (path[2] == "error") {
      job_->error = event.value;
      job_->line = event.line;
    }
    if (path[2] == "hostname") job_->options.push_back({"host", std::string(event.value)});
  } else if (path.size() == 4 && path[2] == "job options" && event.kind == Kind::value) {
    add_option(job_->options, path[3], event.value);
  } else if (path.size() >= 4 &&
             (path[2] == "read" || path[2] == "write" || path[2] == "trim" || path[2] == "mixed")) {
    if (event.kind == Kind::value) take_direction(*job_, event, path);
  }
}

void FioJson::take_direction(FioJob& job, const JsonEvent& event, const std::vector<std::string>& path) {
  FioDirection& direction = job.direction(path[2], event.line);
  const std::string value(event.value);
  if (path.size() == 4) {
    // fio 2 counts io_bytes in KiB, as the missing io_kbytes below it shows.
    if (path[3] == "io_bytes") direction.io = value + "B?";
    if (path[3] == "io_kbytes" && direction.io.ends_with('?')) direction.io.pop_back();
    if (path[3] == "bw_bytes") direction.bw_other = value + "B/s";
    if (path[3] == "bw") {
      direction.bw = value + "KiB/s";
      direction.line = event.line;
    }
    if (path[3] == "iops") direction.iops = value;
    if (path[3] == "runtime") direction.runtime = value;
    if (path[3] == "total_ios") {
      direction.ios = value;
      direction.ios_line = event.line;
    }
    if ((path[3] == "short_ios" || path[3] == "drop_ios") && job.issued_short != value) {
      if (job.issued_short.empty() || value != "0") job.issued_short = value;
      job.issued_line = event.line;
    }
    return;
  }
  const bool nanoseconds = path[3].ends_with("_ns");
  const std::string_view kind = std::string_view(path[3]).substr(0, path[3].size() - (nanoseconds ? 3 : 0));
  const auto known = std::ranges::find(fio_latency_kinds, kind);
  if (path.size() == 5 && known != fio_latency_kinds.end()) {
    FioLatency& latency = direction.latencies[static_cast<size_t>(known - fio_latency_kinds.begin())];
    latency.line = event.line;
    if (path[4] == "min") latency.least = value;
    if (path[4] == "max") latency.largest = value;
    if (path[4] == "mean") latency.mean = value;
  }
  if (path.size() == 5 && kind == "lat" && path[4] == "mean") {
    direction.lat_mean = value;
    direction.lat_unit = nanoseconds ? "ns" : "us";
    direction.lat_line = event.line;
  }
  if (path.size() == 6 && (path[3] == "clat_ns" || path[3] == "clat") && path[4] == "percentile" &&
      path[5] == "99.000000") {
    direction.clat_p99 = value;
    direction.clat_unit = nanoseconds ? "ns" : "us";
    direction.clat_line = event.line;
  }
}

void FioJson::finish() {
  if (!is_fio_) return;
  if (job_) {
    drop_idle(*job_);
    give_(std::move(*job_), version_,
          fmt::format("the JSON ends at line {} within job '{}': it is cut", last_line_, job_->name));
  } else if (!any_) {
    FioJob none;
    none.line = last_line_;
    give_(std::move(none), version_, fmt::format("the JSON ends at line {} without a job", last_line_));
  }
  job_.reset();
  is_fio_ = false;
  ended_();
}

}  // namespace shakedown
