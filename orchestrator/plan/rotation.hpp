#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// How a system is screened a few nodes at a time.
struct RotationTerms {
  std::size_t nodes = 0;      ///< of the system
  std::size_t per_check = 0;  ///< screened in one check; a check a day
  double busy = 0;            ///< the share of nodes that jobs hold when a check begins
  double still_busy = 0;      ///< the chance that a node held today is held tomorrow as well; 0: as `busy`
  double risk = 1e-6;         ///< that a year of checks breaks the promise
  double checks = 365;        ///< a year's
};

/// The days within which every node is screened again:
///
///     ceil(nodes / (per_check x full)) + 1 + ceil(ln(risk / (per_check x checks)) / ln(still_busy))
///
/// The first term is a round: the node longest not seen comes first. `full` is the share of checks that find
/// `per_check` idle nodes, 1 but for a system nearly all held. The other is how long the node whose turn it
/// is may be held: of all turns of a year, none longer but with the probability `risk`.
///
/// Fails where it can't be promised: no node per check, every node held, shares outside of [0, 1).
Result<std::size_t> promised_days(const RotationTerms& terms);

/// A node at the time of choosing.
struct RotationNode {
  std::string name;
  long covered_day = 0;  ///< when it was screened last, or when it joined the system
  bool idle = true;
  double covered_s = 0;  ///< the moment of it, which orders the nodes of one day
};

/// Tonight's nodes: of the idle ones those longest not covered, by name where equal, `count` at most, as
/// indices.
std::vector<std::size_t> rotation(std::span<const RotationNode> nodes, std::size_t count);

}  // namespace shakedown
