#pragma once
#include <string>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// A range wider than this factor is no prediction.
inline constexpr double widest_prediction = 4;

/// Why a prediction is of no use: "no useful prediction: clock not known". Empty where its range is no wider
/// than a factor of four. `node` is the kind of node that the case runs on; null: not known.
[[nodiscard]] std::string no_useful_prediction(const Prediction& predicted, const NodeGroup* node);

}  // namespace shakedown
