#pragma once
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/site.hpp"

namespace shakedown {

/// The kinds of nodes that runs are planned on, and what may run there.
struct KindChoice {
  std::span<const NodeKind> kinds;
  const NodeKind* usual = nullptr;  ///< that runs are planned on if they can be
  std::span<const Implementation> implementations;
  const Site* site = nullptr;  ///< whose own programs they are; null: nothing is stated
  /// That are planned, without screens; empty: any.
  std::span<const std::string>
      suites{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it
};

/// The kind that a run of the implementation is planned on, of `suite` or of any that is planned where that
/// is empty: for processor cores the largest without GPUs, if there is one; else the usual one if it can run
/// it, else the largest that can; the usual one where none can, which the suite then refuses.
const NodeKind* kind_for(const KindChoice& choice, std::string_view id, std::string_view suite);

/// "not all nodes are of one kind: planned for the 4 like 'gpu', of the highest FP64 peak; --implementation
/// reference plans the 8 like 'cpu'". `wish`: the implementation asked for, if one was; `suites`: those of
/// the options, none where a configuration's runs decide.
std::string kinds_text(const KindChoice& choice, const NodeKind& planned, std::string_view wish,
                       std::span<const std::string> suites);

}  // namespace shakedown
