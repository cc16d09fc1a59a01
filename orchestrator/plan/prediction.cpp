#include "orchestrator/plan/prediction.hpp"

#include <string_view>

namespace shakedown {
namespace {

/// What a model would need of a node to predict its rates.
std::string_view lacking(const NodeGroup* node) {
  if (node == nullptr) return "the node is not described";
  if (node->cpu.base_mhz <= 0) return "clock not known";
  if (node->cpu.fp64_flop_per_cycle <= 0) return "processor model not identified";
  return "its inputs are assumed, not measured";
}

}  // namespace

std::string no_useful_prediction(const Prediction& predicted, const NodeGroup* node) {
  if (predicted.low > 0 && predicted.high <= widest_prediction * predicted.low) return "";
  return "no useful prediction: " + std::string(lacking(node));
}

}  // namespace shakedown
