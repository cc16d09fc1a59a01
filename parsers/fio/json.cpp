#include "parsers/fio/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parsers/fields.hpp"
#include "parsers/number.hpp"

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
    // fio 2 counts io_bytes in KiB, as the lack of io_kbytes below it shows.
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
  if (path.size() == 5 && (path[3] == "lat_ns" || path[3] == "lat") && path[4] == "mean") {
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
}

}  // namespace shakedown
