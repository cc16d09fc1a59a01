#pragma once
#include <string>
#include <vector>

#include "orchestrator/inventory/difference.hpp"

namespace shakedown {

/// What the two sides of a comparison are called.
struct Sides {
  std::string before;
  std::string after;
};

/// The changes as a table for people, with the suites that they make worth running again; "no differences"
/// for none.
std::string differences_text(const std::vector<Change>& changes, const Sides& sides);

/// As one `shakedown.inventory-diff/1` document. `silent`: hosts that gave no answer.
std::string differences_json(const std::vector<Change>& changes, const Sides& sides,
                             const std::vector<std::string>& silent = {});

}  // namespace shakedown
