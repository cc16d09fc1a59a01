#pragma once
#include <string>
#include <vector>

#include "orchestrator/store/declaration.hpp"

namespace shakedown {

/// What a campaign of the same system measured by one of its criteria when it was accepted.
struct AcceptedMeasurement {
  std::string criterion;  ///< "hpl-rmax"
  std::string metric;     ///< "rmax_gflops"
  double value = 0;       ///< in the metric's unit
};

/// A campaign of the same system that was accepted before this one began.
struct AcceptedBefore {
  AcceptedCampaign acceptance;
  std::string verdict;                        ///< the sentence; empty: the store has none
  std::vector<AcceptedMeasurement> measured;  ///< by its mandatory criteria on performance
};

}  // namespace shakedown
