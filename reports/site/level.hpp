#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/store/series.hpp"
#include "reports/judge/regression.hpp"

namespace shakedown {

/// What one campaign measured of a series: its values that count, in the metric's unit.
struct CampaignLevel {
  std::uint32_t campaign = 0;  ///< its place
  double median = 0;
  double low = 0;
  double high = 0;
  int values = 0;    ///< 0: all of them are left out, and the other numbers are of those
  int left_out = 0;  ///< values that do not count: invalid, incomplete, disturbed
};

/// The unit that a series is shown in: a value times `factor`.
struct ShownUnit {
  std::string name;
  double factor = 1;
  int digits = 4;  ///< significant
};

/// As `metric_text` writes the largest of the values: "TFLOP/s" for "rmax_gflops", "GB/s" for "triad_mb_s".
ShownUnit shown_unit(std::string_view metric, std::string_view unit, double largest);

/// The band that the next check's value is expected in, as `regress` finds it: outside of it lies a value
/// with the probability 1 % on either side where nothing changed.
struct NoiseBand {
  double centre = 0;
  double low = 0;
  double high = 0;
  std::size_t checks = 0;  ///< in the control region
  std::size_t from = 0;    ///< the first check of it
};

/// The band of a series of scheduled checks, in the metric's unit; nothing with fewer than four checks since
/// the series began, its nodes changed, or it got better for good. `effect`: losses below it are none.
std::optional<NoiseBand> noise_band(const CheckSeries& series, double effect = 0.02);

/// Where the values of a series of checks changed, as `regress` lists it: none with fewer than 8 checks.
std::vector<ChangePoint> site_change_points(const CheckSeries& series);

}  // namespace shakedown
