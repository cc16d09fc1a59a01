#include "parsers/fio/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr size_t most_jobs = 4096;

/// The name of the job that a line is about: the text before ": (groupid=". A name such as "job1" looks like
/// a host's label, so it may have been taken off the line.
std::string job_name(const LogLine& line, size_t at) {
  std::string_view name = line.text.substr(0, at);
  if (trimmed(name).empty()) name = line.prefix;
  name = trimmed(name);
  if (name.ends_with(':')) name.remove_suffix(1);
  if (line.text.substr(0, at).empty()) {
    name = name.substr(name.find_last_of(" \t") + 1);
    name = name.substr(name.find_last_of(':') + 1);
  }
  return std::string(name);
}

/// The text between `label` and the next of `ends`.
std::string_view between(std::string_view text, std::string_view label, std::string_view ends) {
  const size_t at = text.find(label);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + label.size());
  const size_t end = text.find_first_of(ends);
  return end == std::string_view::npos ? std::string_view() : trimmed(text.substr(0, end));
}

/// "us" of "usec".
std::string unit_of(std::string_view text) {
  if (text == "nsec") return "ns";
  if (text == "usec") return "us";
  if (text == "msec") return "ms";
  return text == "sec" ? "s" : "";
}

/// The text behind `label` up to one of `ends` or the end of the line.
std::string_view value_in(std::string_view text, std::string_view label, std::string_view ends = ",") {
  const size_t at = text.find(label);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + label.size());
  return trimmed(text.substr(0, text.find_first_of(ends)));
}

}  // namespace

/// "seq-write: (groupid=0, jobs=1): err= 0: pid=19518: Sun Nov 22 01:31:39 2026"
bool FioText::read_job_head(const LogLine& line) {
  const size_t at = line.text.find("(groupid=");
  const size_t error = line.text.find("err=");
  if (at == std::string_view::npos || error == std::string_view::npos || error < at) return false;
  if (!line.terminated) return true;
  if (jobs_.size() >= most_jobs) release(false);
  FioJob job;
  job.name = job_name(line, at);
  job.group = between(line.text, "(groupid=", ",)");
  job.members = between(line.text, "jobs=", ",)");
  std::string_view code = line.text.substr(error + 4);
  const size_t pid = code.find(": pid=");
  job.error = trimmed(code.substr(0, pid));
  job.line = line.number;
  if (const auto found = options_.find(job.name); found != options_.end()) job.options = found->second;
  // A report of a group that has its status already is another run's, or a later state of this one.
  if (concluded_.contains(job.group)) release(true);
  jobs_.push_back(std::move(job));
  in_job_ = true;
  direction_.clear();
  percentile_unit_.clear();
  return true;
}

/// "read: IOPS=8100, BW=31.6MiB/s (33.2MB/s)(1944KiB/60msec)" or, of fio 1 and 2,
/// "write: io=1024.0MB, bw=143234KB/s, iops=35808, runt=  7320msec"
void FioText::read_direction(std::string_view text, int line) {
  direction_ = trimmed(text.substr(0, text.find(':')));
  percentile_unit_.clear();
  FioJob& job = jobs_.back();
  FioDirection& direction = job.direction(direction_, line);
  if (text.find("IOPS=") != std::string_view::npos) {
    direction.iops = value_in(text, "IOPS=");
    direction.bw = value_in(text, "BW=", " ");
    direction.bw_other = between(text, "/s (", ")");
    direction.io = between(text, ")(", "/");
    const std::string_view rest = text.substr(std::min(text.find(")("), text.size()));
    direction.runtime = between(rest, "/", "m");
  } else {
    job.old_units = true;
    direction.io = value_in(text, "io=");
    direction.bw = value_in(text, " bw=");
    direction.iops = value_in(text, "iops=");
    const std::string_view runtime = value_in(text, "runt=");
    direction.runtime = runtime.ends_with("msec") ? trimmed(runtime.substr(0, runtime.size() - 4)) : "";
  }
}

/// "lat (usec): min=33, max=5158, avg=117.18, stdev=494.33" and the percentiles of clat
void FioText::read_latency(std::string_view text, int line) {
  FioJob& job = jobs_.back();
  if (direction_.empty()) return;
  FioDirection& direction = job.direction(direction_, line);
  for (size_t i = 0; i < fio_latency_kinds.size(); ++i)
    if (text.starts_with(fio_latency_kinds[i]) &&
        text.substr(fio_latency_kinds[i].size()).starts_with(" (") &&
        text.find(" avg=") != std::string_view::npos)
      direction.latencies[i] = {std::string(value_in(text, "min=")), std::string(value_in(text, "avg=")),
                                std::string(value_in(text, "max=")), line};
  if (text.starts_with("lat (") && text.find(" avg=") != std::string_view::npos) {
    direction.lat_unit = unit_of(between(text, "(", ")"));
    direction.lat_mean = value_in(text, "avg=");
    direction.lat_line = line;
  } else if (text.starts_with("clat percentiles (")) {
    percentile_unit_ = unit_of(between(text, "(", ")"));
  } else if (text.starts_with('|') && !percentile_unit_.empty()) {
    const std::string_view p99 = between(text, " 99.00th=[", "]");
    if (p99.empty()) return;
    direction.clat_p99 = p99;
    direction.clat_unit = percentile_unit_;
    direction.clat_line = line;
  }
}

bool FioText::read_job_line(std::string_view text, int line) {
  FioJob& job = jobs_.back();
  for (const std::string_view name : {"read", "write", "trim", "mixed"})
    if (text.starts_with(name) && trimmed(text.substr(name.size())).starts_with(':')) {
      read_direction(text, line);
      return true;
    }
  if (text.starts_with("lat (") || text.starts_with("slat (") || text.starts_with("clat ") ||
      text.starts_with('|')) {
    read_latency(text, line);
    return true;
  }
  if (text.starts_with("cpu ")) percentile_unit_.clear();
  if (text.starts_with("issued ")) {
    // "issued rwts: total=486,538,0,0 short=0,0,0,0 dropped=0,0,0,0" or
    // "issued    : total=r=486/w=538/d=0, short=r=0/w=0/d=0"
    job.whole = true;
    job.issued_line = line;
    const bool old = text.find("total=r=") != std::string_view::npos;
    const auto counts = [&](std::string_view label) {
      std::string values(value_in(text, label, old ? ", " : " "));
      std::replace(values.begin(), values.end(), old ? '/' : ',', ' ');
      return values;
    };
    const std::string total = counts("total=");
    const auto cells = words(total);
    for (size_t i = 0; i < std::min<size_t>(cells.size(), 3); ++i) {
      const std::string_view name = i == 0 ? "read" : i == 1 ? "write" : "trim";
      for (FioDirection& direction : job.directions)
        if (direction.name == name) {
          direction.ios = cells[i].substr(old ? std::min<size_t>(2, cells[i].size()) : 0);
          direction.ios_line = line;
        }
    }
    const std::string less = counts("short=") + " " + counts("dropped=") + " " + counts("drop=");
    const bool none = less.find_first_of("123456789") == std::string::npos;
    job.issued_short = none ? "0" : std::string(trimmed(less));
    return true;
  }
  return false;
}

/// "rand1: (g=1): rw=randrw, bs=(R) 4096B-4096B, (W) 4096B-4096B, ..., ioengine=psync, iodepth=1"
void FioText::read_options(const LogLine& line, size_t at) {
  if (options_.size() >= most_jobs || !line.terminated) return;
  std::vector<Parameter>& options = options_[job_name(line, at)];
  options.clear();
  for (const char* name : {"rw", "ioengine"})
    if (const auto value = value_in(line.text, fmt::format("{}=", name)); !value.empty())
      options.push_back({name, std::string(value)});
  std::string_view size = value_in(line.text, "bs=(R) ");
  if (size.empty()) size = value_in(line.text, "bs=");
  if (!size.empty()) options.push_back({"bs", std::string(size.substr(0, size.find_first_of("-/")))});
  if (const auto depth = count_of(value_in(line.text, "iodepth=")))
    options.push_back({"iodepth", static_cast<std::int64_t>(*depth)});
}

void FioText::read(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  if (text.empty()) return;
  const bool begun = first_line_ != 0;
  if (begun) last_line_ = line.number;
  if (read_job_head(line)) {
    if (!begun) first_line_ = last_line_ = line.number;
    return;
  }
  if (const size_t at = line.text.find("(g=");
      at != std::string_view::npos && line.text.find("): rw=") != std::string_view::npos) {
    if (!jobs_.empty()) release(true);
    if (!begun) first_line_ = last_line_ = line.number;
    return read_options(line, at);
  }
  if (text.starts_with("fio-") && text.find(' ') == std::string_view::npos && line.terminated) {
    version_ = text.substr(4);
    return;
  }
  if (!begun) return;
  if (in_job_ && line.terminated && read_job_line(text, line.number)) return;
  if (text.starts_with("Run status group ")) {
    in_job_ = false;
    std::string_view rest = text.substr(17);
    if (line.terminated) concluded_.insert(std::string(take_word(rest)));
    return;
  }
  // "fio: pid=123, err=28/file:filesetup.c:240, func=write, error=No space left on device"
  if (text.starts_with("fio: ") && text.find("err=") != std::string_view::npos) {
    const auto known = failure_in(line);
    note(failure_, Failure{line.number, 5, quoted_line(line.number, "fio stopped", text),
                           known ? known->kind : FailureKind::benchmark});
    error_ = failure_;
    return;
  }
  note(failure_, failure_in(line));
}

void FioText::release(bool all_are_whole) {
  for (FioJob& job : jobs_) {
    std::string reason;
    const bool whole = job.whole && (concluded_.contains(job.group) || all_are_whole);
    if (!whole)
      reason = failure_ ? failure_->text
                        : fmt::format("line {}: the report of job '{}' is cut: {}", last_line_, job.name,
                                      job.whole ? "the status of its group is missing" : "it stops within");
    gave_ = true;
    give_(std::move(job), version_, std::move(reason));
  }
  if (!jobs_.empty()) ended_(std::exchange(error_, {}));
  jobs_.clear();
  concluded_.clear();
  in_job_ = false;
}

void FioText::finish() {
  release(false);
  if (first_line_ != 0 && !gave_) {
    FioJob none;
    none.name = options_.empty() ? "" : options_.begin()->first;
    none.line = first_line_;
    give_(std::move(none), version_,
          failure_ ? failure_->text
                   : fmt::format("the log ends at line {} before the report of a job", last_line_));
  }
  first_line_ = 0;
}

}  // namespace shakedown
