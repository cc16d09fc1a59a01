// How fast a log is read into results: MB per second of CPU time, results, peak resident memory. Prints
// results, asserts none.
//   benchmark_parsers FILE...
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <vector>

#include "parsers/parser.hpp"

using namespace shakedown;

namespace {

struct Reading {
  double seconds = 0;  ///< of this process on the CPU: what else runs here does not count
  size_t results = 0;
  size_t complete = 0;
};

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Result<Reading> read(const std::string& path) {
  auto source = TextSource::file(path);
  if (!source) return failure_of(source);
  Reading reading;
  const double begin = cpu_seconds();
  const auto parsed = parse_log(*source, {}, [&](ParsedResult&& result) {
    ++reading.results;
    if (result.complete) ++reading.complete;
  });
  if (!parsed) return failure_of(parsed);
  reading.seconds = cpu_seconds() - begin;
  return reading;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int rounds = 3;
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    std::vector<double> seconds;
    Reading last;
    for (int round = 0; round < rounds; ++round) {
      const auto reading = read(path);
      if (!reading) {
        fmt::print(stderr, "{}: {}\n", path, to_string(reading.error()));
        return 1;
      }
      last = *reading;
      seconds.push_back(reading->seconds);
    }
    std::sort(seconds.begin(), seconds.end());
    const double megabytes = static_cast<double>(fs::file_size(path)) / 1e6;
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    fmt::print("{}  {:.0f} MB  {:.2f} s  {:.0f} MB/s  results {}  complete {}  peak {:.0f} MiB\n", path,
               megabytes, seconds[rounds / 2], megabytes / seconds[rounds / 2], last.results, last.complete,
               static_cast<double>(usage.ru_maxrss) / 1024);
  }
  return 0;
}
