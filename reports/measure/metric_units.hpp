#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// A value that is given in `unit` in the metric's own unit: of rmax_gflops 33.9 "PFLOP/s" are 33,900,000.
/// A share ("efficiency_gemm") takes "%". Fails for a unit that is not known or measures something else, with
/// those that fit, and for a metric without a unit.
Result<double> in_metric_unit(std::string_view metric, double value, std::string_view unit);

/// The units that a metric's value may be given in, the smallest first; none where it has no unit.
std::vector<std::string> fitting_units(std::string_view metric);

/// A value that was computed of others, to the 12 significant digits that stated ones can have: 0.9 x 10.3 is
/// 9.27, which a double misses by its last bit.
double derived_value(double computed);

}  // namespace shakedown
