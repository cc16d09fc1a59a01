#pragma once
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <regex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "reports/statistics/distributions.hpp"

/// Logs of runs that nobody made, as the programs would have left them: real logs with values of their own in
/// place of the real ones. Rate, time and problem size of a log agree, and no two runs share their times.
namespace shakedown::fixture {

/// A standard normal deviate that depends on `seed` alone.
inline double deviate(const std::string& seed) {
  const auto bits = static_cast<double>(std::stoull(sha256(seed).substr(0, 12), nullptr, 16));
  return normal_limit((bits + 0.5) / std::pow(2.0, 48));
}

/// `text` with the first match of each pattern replaced, all of which it must have.
inline std::string with_values(std::string text,
                               const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [pattern, value] : values) {
    const std::regex wanted(pattern);
    if (!std::regex_search(text, wanted)) throw std::runtime_error("the log has no " + pattern);
    text = std::regex_replace(text, wanted, value, std::regex_constants::format_first_only);
  }
  return text;
}

struct HplRun {
  std::string program = "netlib";  ///< or "reference"
  std::int64_t N = 16896;
  std::int64_t P = 1;
  std::int64_t Q = 2;
  double gflops = 0;
  double start_s = 0;  ///< of the solver, seconds since 1970
  double residual = 2.35e-3;

  [[nodiscard]] double seconds() const {
    if (!(gflops > 0)) return 0;
    const auto n = static_cast<double>(N);
    return (2.0 / 3.0 * n * n * n + 1.5 * n * n) / (gflops * 1e9);
  }
};

inline std::string hpl_log(const HplRun& run) {
  const bool netlib = run.program == "netlib";
  const std::string file = netlib ? "hpl/grammar/netlib-passed.out" : "reports/quick/hpl.out";
  const auto date = [](double at_s) {
    return fmt::format("{:%a %b %e %H:%M:%S %Y}", fmt::gmtime(static_cast<std::time_t>(at_s)));
  };
  return with_values(file_content(std::string(PROJECT_FOLDER) + "/tests/fixtures/" + file).value(),
                     {{"N      : +[0-9]+ ", fmt::format("N      : {:7} ", run.N)},
                      {"NB     : +[0-9]+ ", fmt::format("NB     : {:7} ", 192)},
                      {"\nP      : +[0-9]+ ", fmt::format("\nP      : {:7} ", run.P)},
                      {"\nQ      : +[0-9]+ ", fmt::format("\nQ      : {:7} ", run.Q)},
                      {"\n(WR[0-9A-Z]+) .*", fmt::format("\n$1 {:12} {:5} {:5} {:5} {:18.2f} {:22.4e}", run.N,
                                                         192, run.P, run.Q, run.seconds(), run.gflops)},
                      {"start time .*", "start time " + date(run.start_s)},
                      {"end time .*", "end time   " + date(run.start_s + run.seconds())},
                      {"= +[0-9.e-]+ \\.{6}", fmt::format("= {:16.8e} ......", run.residual)}});
}

/// Three matrix products in FP64 and in FP32 on 2 cores, the best of FP64 at `gflops`.
inline std::string gemm_log(double gflops, const std::string& seed) {
  std::string text =
      file_content(std::string(PROJECT_FOLDER) + "/tests/fixtures/reports/quick/gemm.out").value();
  for (const auto& [precision, best, gflop] :
       {std::tuple("FP64", gflops, 137.439),
        std::tuple("FP32", 1.93 * gflops * (1 + 0.002 * deviate(seed + " FP32")), 103.079)}) {
    const int fastest = 1 + static_cast<int>(std::abs(1000 * deviate(seed + precision))) % 3;
    double least = best;
    for (int trial = 1; trial <= 3; ++trial) {
      const double slower =
          0.002 + 0.004 * std::abs(deviate(fmt::format("{} {} {}", seed, precision, trial)));
      const double rate = trial == fastest ? best : best * (1 - slower);
      least = std::min(least, rate);
      text = with_values(text, {{fmt::format("Trial {}: {} .*", trial, precision),
                                 fmt::format("Trial {}: {} GFLOP/s = {:.3f} time = {:.3f} s", trial,
                                             precision, rate, gflop / rate)}});
    }
    text = with_values(text, {{fmt::format("{} best .*", precision),
                               fmt::format("{} best GFLOP/s = {:.3f}", precision, best)},
                              {fmt::format("{} spread .*", precision),
                               fmt::format("{} spread % = {:.2f}", precision, 100 * (best - least) / best)}});
  }
  return text;
}

}  // namespace shakedown::fixture
