#pragma once
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/io500/rates.hpp"
#include "suites/io500/sizes.hpp"

namespace shakedown::io500 {

/// What a run writes: by the model, or at most where there is none.
struct Volume {
  double bytes = 0;
  double files = 0;
  bool at_most = false;  ///< the items' sum: nothing is predicted
};

Volume volume(const Rates& rates, const Sizes& sizes);

/// `score`, `bandwidth_gib_s`, `iops_kiops`, `wall_time_s` and `bytes_written` with their bands; nothing
/// where the rates don't predict. The bandwidth score is the geometric mean of the 4 IOR phases' rates, the
/// other one of the 8 metadata phases', the score the root of their product. Source: IO500, src/main.c,
/// calc_score().
std::vector<Prediction> predictions(const Implementation& implementation, const Rates& rates,
                                    const Sizes& sizes);

}  // namespace shakedown::io500
