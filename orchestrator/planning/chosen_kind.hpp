#pragma once
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/plan/implementation.hpp"

namespace shakedown {

/// The kind that a run of the implementation is planned on, of `suite` or of any where that is empty: for
/// processor cores the largest without GPUs, if there is one; else the usual one if it can run it, else the
/// largest that can; the usual one where none can, which the suite then refuses.
const NodeKind* kind_for(std::span<const NodeKind> kinds, const NodeKind* usual, std::string_view id,
                         std::string_view suite, std::span<const Implementation> implementations);

/// How a plan's nodes were chosen where not all are of one kind.
struct KindChoice {
  std::span<const NodeKind> kinds;
  const NodeKind* planned = nullptr;
  const NodeKind* usual = nullptr;
  std::string_view wish;                ///< the implementation asked for; empty: none
  std::span<const std::string> suites;  ///< of the options; empty: a configuration's runs decide
  std::span<const Implementation> implementations;
};

/// "not all nodes are of one kind: planned for the 4 like 'gpu', of the highest FP64 peak; --implementation
/// reference plans the 8 like 'cpu'"
std::string kinds_text(const KindChoice& choice);

}  // namespace shakedown
