#pragma once
#include <string>

namespace shakedown {

/// What a plan predicted of a case, by the model alone: a calibration's factor is taken out.
struct StoredPrediction {
  std::string campaign;
  std::string case_id;
  std::string metric;
  double value = 0;
};

}  // namespace shakedown
