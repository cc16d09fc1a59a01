#include "reports/measure/metric_units.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

enum class Measures { arithmetic, transfer, time, operations, size, share };

struct MetricUnit {
  std::string_view name;
  Measures measures;
  double factor;  ///< of the first of its kind
};

// IEC 80000-13 for the binary prefixes, the SI for the others.
constexpr std::array metric_units = {
    MetricUnit{"MFLOP/s", Measures::arithmetic, 1e6},
    MetricUnit{"GFLOP/s", Measures::arithmetic, 1e9},
    MetricUnit{"TFLOP/s", Measures::arithmetic, 1e12},
    MetricUnit{"PFLOP/s", Measures::arithmetic, 1e15},
    MetricUnit{"EFLOP/s", Measures::arithmetic, 1e18},
    MetricUnit{"B/s", Measures::transfer, 1},
    MetricUnit{"kB/s", Measures::transfer, 1e3},
    MetricUnit{"KiB/s", Measures::transfer, 1024.0},
    MetricUnit{"MB/s", Measures::transfer, 1e6},
    MetricUnit{"MiB/s", Measures::transfer, 1024.0 * 1024},
    MetricUnit{"GB/s", Measures::transfer, 1e9},
    MetricUnit{"GiB/s", Measures::transfer, 1024.0 * 1024 * 1024},
    MetricUnit{"TB/s", Measures::transfer, 1e12},
    MetricUnit{"TiB/s", Measures::transfer, 1024.0 * 1024 * 1024 * 1024},
    MetricUnit{"ns", Measures::time, 1},
    MetricUnit{"us", Measures::time, 1e3},
    MetricUnit{"ms", Measures::time, 1e6},
    MetricUnit{"s", Measures::time, 1e9},
    MetricUnit{"min", Measures::time, 60e9},
    MetricUnit{"h", Measures::time, 3600e9},
    MetricUnit{"IOPS", Measures::operations, 1},
    MetricUnit{"kIOPS", Measures::operations, 1e3},
    MetricUnit{"MIOPS", Measures::operations, 1e6},
    MetricUnit{"MB", Measures::size, 1e6},
    MetricUnit{"GB", Measures::size, 1e9},
    MetricUnit{"TB", Measures::size, 1e12},
    MetricUnit{"%", Measures::share, 1},
};

constexpr double percents = 100;

const MetricUnit* unit_called(std::string_view name) {
  const auto* const found = std::ranges::find(metric_units, name, &MetricUnit::name);
  return found == metric_units.end() ? nullptr : found;
}

/// A ratio of two like things, which is 1 where they are equal.
bool is_share(std::string_view metric) {
  return metric.starts_with("efficiency_") || metric == "reliability";
}

}  // namespace

std::vector<std::string> fitting_units(std::string_view metric) {
  if (is_share(metric)) return {"%"};
  const std::string own = metric_unit(metric);
  if (own.empty()) return {};
  const MetricUnit* known = unit_called(own);
  if (known == nullptr) return {own};
  std::vector<std::string> names;
  for (const MetricUnit& unit : metric_units)
    if (unit.measures == known->measures) names.emplace_back(unit.name);
  return names;
}

Result<double> in_metric_unit(std::string_view metric, double value, std::string_view unit) {
  const std::vector<std::string> fitting = fitting_units(metric);
  if (std::ranges::find(fitting, unit) != fitting.end()) {
    if (is_share(metric)) return value / percents;
    const MetricUnit* known = unit_called(unit);
    const MetricUnit* own = unit_called(metric_unit(metric));
    if (known == nullptr || own == nullptr || known == own) return value;
    // Whichever of the two is whole: 33.9 x 1e6 is exact where 33.9 / 1e-6 is not.
    return known->factor >= own->factor ? value * (known->factor / own->factor)
                                        : value / (own->factor / known->factor);
  }
  if (fitting.empty())
    return fail("unit", fmt::format("{} is a bare number, and has no unit '{}'", metric, unit),
                "leave 'unit' out");
  const std::string what = unit_called(unit) == nullptr ? fmt::format("'{}' is no unit that is known{}", unit,
                                                                      did_you_mean(unit, fitting))
                                                        : fmt::format("'{}' is no unit of {}", unit, metric);
  return fail("unit", what, fmt::format("{} takes {}", metric, joined(fitting, ", ")));
}

double derived_value(double computed) {
  static constexpr int digits = 12;
  return parsed_number(fmt::format("{:.{}g}", computed, digits)).value_or(computed);
}

}  // namespace shakedown
