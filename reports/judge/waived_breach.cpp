#include "reports/judge/waived_breach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "orchestrator/inventory/hostlist.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

std::vector<const NodeResult*> broken_nodes(const CriterionResult& result) {
  std::vector<const NodeResult*> broken;
  for (const NodeResult& node : result.nodes)
    if (node.verdict != Verdict::pass) broken.push_back(&node);
  return broken;
}

std::string other_nodes(const Waiver& waiver, const CriterionResult& result) {
  if (result.nodes.empty())
    return fmt::format("it covers {}, and no node was judged by itself", waiver.nodes);
  const auto covered = expanded_hostlist(waiver.nodes);
  std::vector<std::string> others;
  for (const NodeResult* node : broken_nodes(result))
    if (!covered || std::ranges::find(*covered, node->node) == covered->end()) others.push_back(node->node);
  return others.empty() ? "" : fmt::format("it covers {}, not {}", waiver.nodes, folded_hostlist(others));
}

/// Of one value, that of a node or of a case.
std::string too_far(double limit, const CriterionResult& result, const std::optional<double>& measured,
                    const std::string& whose) {
  const bool at_least = result.direction == Direction::at_least;
  const std::string goes =
      fmt::format("it goes {} to {}", at_least ? "down" : "up", metric_text(result.metric, limit));
  if (!measured || result.withheld) return fmt::format("{}, and {} has no value", goes, whose);
  if (at_least ? *measured >= limit : *measured <= limit) return "";
  const ShownPair shown = shown_beside(result.metric, *measured, limit);
  return fmt::format("it goes {} to {}, and {} has {}", at_least ? "down" : "up", shown.limit, whose,
                     shown.value);
}

}  // namespace

std::string breach_text(const CriterionResult& result) {
  if (!result.nodes.empty()) return result.because;
  if (result.verdict == Verdict::fail && result.measured && result.limit && !result.withheld) {
    const ShownPair shown = shown_beside(result.metric, *result.measured, *result.limit);
    return fmt::format("{} {} {}", shown.value, relation(result.direction, false), shown.limit);
  }
  constexpr std::string_view invalid = " is invalid: ";
  const std::string first = result.because.substr(0, result.because.find("; "));
  const std::size_t at = first.find(invalid);
  return at == std::string::npos ? first : first.substr(at + invalid.size());
}

std::string beyond_waiver(const Waiver& waiver, const CriterionResult& result) {
  if ((!waiver.nodes.empty() || waiver.limit) && !result.unmet.empty())
    return "it covers values alone, and " + result.unmet;
  if (!waiver.nodes.empty())
    if (std::string others = other_nodes(waiver, result); !others.empty()) return others;
  if (!waiver.limit) return "";
  if (result.nodes.empty()) return too_far(*waiver.limit, result, result.measured, "the result");
  for (const NodeResult* node : broken_nodes(result))
    if (std::string far = too_far(*waiver.limit, result, node->measured, node->node); !far.empty())
      return far;
  return "";
}

}  // namespace shakedown
