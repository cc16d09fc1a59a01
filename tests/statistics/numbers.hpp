#pragma once
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace shakedown {

/// Values between 50 and 150 in steps of 1/8, so that some tie and sums are exact.
inline rc::Gen<std::vector<double>> some_values(int least, int most) {
  return rc::gen::mapcat(rc::gen::inRange(least, most + 1), [](int n) {
    return rc::gen::container<std::vector<double>>(
        static_cast<std::size_t>(n),
        rc::gen::map(rc::gen::inRange(400, 1200), [](int eighths) { return eighths / 8.0; }));
  });
}

inline std::vector<double> mapped(std::vector<double> values, double factor, double offset = 0) {
  for (double& value : values) value = value * factor + offset;
  return values;
}

}  // namespace shakedown
