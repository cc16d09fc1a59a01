#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// What a difference between nodes is about; it decides what is worth measuring again.
enum class FeatureKind {
  cpu,
  memory,
  gpu,
  nic,
  firmware,
  gpu_driver,
  kernel,
  mount,
  disk,
  board,
  nodes,
  fabric
};

/// What of a machine a feature is a part of: a suite that depends on it is worth measuring again.
enum class Resource {
  node,  ///< of every suite: memory, kernel, board
  compute,
  network,
  storage,
};

/// One thing about a node that stays as it is until somebody changes it, so that two nodes, or a node on two
/// days, can be held against each other. Free space and free memory are none.
struct Feature {
  FeatureKind kind = FeatureKind::cpu;
  std::string name;              ///< "GPUs", "kernel", "NIC mlx5_0 speed"
  std::string value;             ///< for people; empty: not known
  bool counts = false;           ///< the value is how many `name` there are: "7 GPUs"
  bool is_part = false;          ///< a NIC, a mount: its absence is a difference too
  std::optional<double> amount;  ///< bytes or MHz; the kernel reserves some memory
  std::string_view follows;  ///< the feature whose value this one mostly has: "memory" for "usable memory"
  friend bool operator==(const Feature&, const Feature&) = default;
};

/// The features of a group's nodes, the same names in the same order wherever the nodes have the same parts.
std::vector<Feature> features(const NodeGroup& group);

/// Whether both values are equal, amounts within `tolerance` of the larger. Two unknown values are.
bool same_value(const Feature& a, const Feature& b, double tolerance = 0.01);

/// The kind in a word: "GPU", "firmware".
std::string_view kind_name(FeatureKind kind);

/// What such a feature is a part of.
Resource resource_of(FeatureKind kind);

}  // namespace shakedown
