#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/value.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::io500 {

/// What the phases of IO500 do per second on a storage that was measured, at a number of nodes:
///
///     rate(n) = rate(a) (n / a)^x,  x = ln(rate(b) / rate(a)) / ln(b / a)
///
/// between the published numbers of nodes a and b around n. Outside of them nothing is predicted; the rates
/// of the nearest published number then bound what the storage is asked for: more clients find its servers
/// saturated, fewer ask less of them, and no more of bandwidth than their own links carry. For other storage
/// there is no rate at all.
struct Rates {
  bool known = false;             ///< there are rates; sizes follow from them
  bool predicts = false;          ///< ... and they are those of these nodes
  std::int64_t nodes = 0;         ///< the published number whose rates are used where they don't predict
  std::string text;               ///< the model with its numbers, or why it does not apply
  std::string client_bound;       ///< what the clients' links carry, where it is less than those rates
  std::vector<Parameter> values;  ///< by the recipes' names

  /// Of a phase ("ior_easy_write"): GiB/s, or thousands of operations per second. 0: not known.
  [[nodiscard]] double rate(std::string_view phase) const;
  /// How long a write phase lasts, seconds, its wear-out included. 0: not known.
  [[nodiscard]] double write_s(std::string_view phase) const;
};

/// The rates for the request's nodes on `storage` (null: none that is known).
Rates rates(const PlanRequest& request, const Storage* storage);

/// GiB/s that the servers' links can carry; 0: not stated.
double server_gib_s(const Storage& storage);

/// GiB/s that one client's links to the storage carry: those of the role "storage", else all but the
/// management's and reserved ones; 0: not known.
double client_gib_s(const NodeGroup& node);

}  // namespace shakedown::io500
