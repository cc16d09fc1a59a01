// What it costs to judge every series of a store of 100,000 runs x 40 metrics, values at hand: the control
// region and verdict of each series' newest value, and the change points of each series. Processor time.
// Prints results, asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_series_speed
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iostream>
#include <random>
#include <vector>

#include "reports/statistics/change_points.hpp"
#include "reports/statistics/watch.hpp"

using namespace shakedown;

namespace {

constexpr std::size_t values_in_all = 100'000UL * 40;

double processor_s() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <class Work>
double median_of_3(const Work& work) {
  std::array<double, 3> times{};
  for (double& time : times) {
    const double start = processor_s();
    work();
    time = processor_s() - start;
  }
  std::sort(times.begin(), times.end());
  return times[1];
}

}  // namespace

int main() {
  std::cout << "| series | values of each | newest value of each judged | change points of each | suspects, "
               "change points |\n"
               "|---|---|---|---|---|\n";
  for (const std::size_t length : {100, 1000, 100'000}) {
    std::mt19937_64 random(20261122);
    std::normal_distribution<double> noise(100, 1);
    std::vector<std::vector<double>> all(values_in_all / length, std::vector<double>(length));
    for (std::vector<double>& values : all)
      for (double& value : values) value = noise(random);
    std::size_t suspects = 0;
    std::size_t points = 0;
    const double watching = median_of_3([&] {
      suspects = 0;
      for (const std::vector<double>& values : all)
        suspects += watch({.values = values, .repeats = {}}, {.series_watched = all.size()})->state ==
                            WatchState::suspect
                        ? 1
                        : 0;
    });
    const double changing = median_of_3([&] {
      points = 0;
      for (const std::vector<double>& values : all)
        points += hunter_change_points(values, {.magnitude = 0.02})->size();
    });
    std::cout << fmt::format("| {} | {} | {:.2f} s | {:.2f} s | {}, {} |\n", all.size(), length, watching,
                             changing, suspects, points)
              << std::flush;
  }
  return 0;
}
