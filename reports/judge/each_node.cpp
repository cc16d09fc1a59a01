#include "reports/judge/each_node.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {
namespace {

/// A node with the cases that measure it.
struct BoundNode {
  std::string name;
  std::vector<const MeasuredCase*> cases;
};

std::vector<BoundNode> by_node(SubjectCases bound) {
  std::vector<BoundNode> nodes;
  std::map<std::string_view, size_t> places;
  for (const MeasuredCase* record : bound) {
    const auto [it, is_new] = places.emplace(record->planned.hosts, nodes.size());
    if (is_new) nodes.push_back({record->planned.hosts, {}});
    nodes[it->second].cases.push_back(record);
  }
  return nodes;
}

/// Verdicts from the one that decides to the one that decides nothing.
constexpr std::array decisive = {Verdict::fail,      Verdict::invalid,        Verdict::not_run,
                                 Verdict::undecided, Verdict::not_comparable, Verdict::pass};

/// So many nodes are named with their reason.
constexpr std::size_t most_reasons = 3;

size_t weight(Verdict verdict) {
  return static_cast<size_t>(std::ranges::find(decisive, verdict) - decisive.begin());
}

/// A node as it was judged.
struct JudgedNode {
  std::string name;
  CriterionResult result;
};

/// The nodes of a criterion, and what is known of them together.
class NodeRow {
 public:
  NodeRow(const Criterion& criterion, const CriterionScene& scene) : criterion_(criterion), scene_(scene) {}

  void add(const BoundNode& node) {
    std::vector<const MeasuredCase*> cases = node.cases;
    if (is_excluded(node.name)) {
      const bool may_be_missing = criterion_.exclusions_max || criterion_.nodes_required;
      if (may_be_missing)
        std::erase_if(cases, [](const MeasuredCase* record) { return record->counted.empty(); });
      if (cases.empty()) {
        excluded_.push_back(node.name);
        return;
      }
    }
    CriterionResult result = judged_subject(criterion_, cases, scene_);
    require_few_attempts(result, criterion_, cases);
    nodes_.push_back({node.name, std::move(result)});
  }

  CriterionResult judged() const {
    CriterionResult row = unjudged(criterion_);
    row.verdict = Verdict::pass;
    for (const JudgedNode& node : nodes_) {
      row.n += node.result.n;
      const auto shown = node.result.withheld ? std::optional<double>() : node.result.measured;
      if (shown) row.points.push_back(*shown);
      row.nodes.push_back({node.name, node.result.verdict, shown, node.result.n, node.result.because});
    }
    if (nodes_.empty()) {
      row.verdict = Verdict::not_run;
      row.because = "no node is left to be judged";
    } else {
      take(row, to_look_at().result);
      row.because = sentence(row);
      row.aggregate += left_out_of_worst(row);
    }
    row.because += exclusions_text();
    require_nodes(row, criterion_, measured_nodes());
    require_few_exclusions(row, criterion_, scene_.campaign.record);
    return row;
  }

 private:
  [[nodiscard]] bool is_excluded(const std::string& node) const {
    return std::ranges::find(scene_.campaign.record.exclusions, node, &Exclusion::node) !=
           scene_.campaign.record.exclusions.end();
  }

  /// "; excluded, not judged: cn[017,088] (98 + 2 = 100 nodes; 2 allowed); judged before its exclusion:
  /// cn013": how nodes that were excluded count. Empty: none was, or they have no result and are named so.
  [[nodiscard]] std::string exclusions_text() const {
    std::vector<std::string> judged;
    for (const JudgedNode& node : nodes_)
      if (node.result.n > 0 && is_excluded(node.name)) judged.push_back(node.name);
    std::string text;
    if (!excluded_.empty())
      text = fmt::format(
          "; excluded, not judged: {} ({} + {} = {}{})", folded_hostlist(excluded_), nodes_.size(),
          excluded_.size(), plural(std::ssize(nodes_) + std::ssize(excluded_), "node"),
          criterion_.exclusions_max ? fmt::format("; {} allowed", *criterion_.exclusions_max) : "");
    if (!judged.empty())
      text += fmt::format("; judged before {} exclusion: {}", judged.size() == 1 ? "its" : "their",
                          folded_hostlist(judged));
    return text;
  }

  [[nodiscard]] bool is_worse(double a, double b) const {
    return criterion_.direction == Direction::at_most ? a > b : a < b;
  }

  /// Of a node that has one.
  static double metric_of(const JudgedNode& node) { return node.result.measured.value_or(0); }

  /// The node with the worst value; of nodes of which some fail, one that was decided. Null: none has one.
  [[nodiscard]] const JudgedNode* worst(Verdict of_all) const {
    const JudgedNode* found = nullptr;
    for (const JudgedNode& node : nodes_)
      if (node.result.measured && has_part_in_worst(node.result.verdict, of_all) &&
          (found == nullptr || is_worse(metric_of(node), metric_of(*found))))
        found = &node;
    return found;
  }

  /// The node that decides: of the weightiest verdict, and of those the one with the worst value.
  [[nodiscard]] const JudgedNode& to_look_at() const {
    const JudgedNode* found = &nodes_.front();
    for (const JudgedNode& node : nodes_) {
      const size_t mine = weight(node.result.verdict);
      const size_t best = weight(found->result.verdict);
      const bool worse = node.result.measured && (!found->result.measured ||
                                                  is_worse(*node.result.measured, *found->result.measured));
      if (mine < best || (mine == best && worse)) found = &node;
    }
    return *found;
  }

  /// Takes over the result of the deciding node.
  void take(CriterionResult& row, const CriterionResult& decides) const {
    row.verdict = decides.verdict;
    // Advisory only if every node is: a node without a denominator doesn't change the others.
    const bool any_own = std::ranges::any_of(
        nodes_, [&](const JudgedNode& node) { return node.result.severity == criterion_.severity; });
    row.severity = any_own ? criterion_.severity : decides.severity;
    row.case_id = decides.case_id;
    row.is_short = std::ranges::any_of(nodes_, [](const JudgedNode& node) { return node.result.is_short; });
    row.evidence_path = decides.evidence_path;
    row.evidence_sha256 = decides.evidence_sha256;
    row.references = decides.references;
    row.remedy = decides.remedy;
    if (decides.measured) row.aggregate = worst_of_nodes(row);
    if (const JudgedNode* node = worst(row.verdict)) {
      row.measured = node->result.measured;
      row.withheld = node->result.withheld;
    }
    const bool only_busy = std::ranges::all_of(nodes_, [](const JudgedNode& node) {
      return node.result.verdict == Verdict::pass || !node.result.disturbed.empty();
    });
    if (only_busy) row.disturbed = decides.disturbed;
  }

  /// "100 of 100 nodes: lowest 51.2 GFLOP/s (cn7) ≥ 50.0 GFLOP/s"; of nodes that do not all pass
  /// "98 of 100 nodes pass; fail: cn7 (41.2 GFLOP/s < 50.0 GFLOP/s); no result: cn9".
  [[nodiscard]] std::string sentence(const CriterionResult& row) const {
    const auto passed = std::ranges::count(row.nodes, Verdict::pass, &NodeResult::verdict);
    std::string text = fmt::format("{} of {} node{}", passed, nodes_.size(), nodes_.size() == 1 ? "" : "s");
    if (passed < std::ssize(nodes_))
      return fmt::format("{} pass{}{}", text, nodes_.size() == 1 ? "es" : "", not_passed(row.verdict));
    if (const JudgedNode* node = worst(row.verdict);
        node != nullptr && criterion_.limit && !node->result.withheld) {
      const double value = metric_of(*node);
      const ShownPair shown = shown_beside(criterion_.metric, value, *criterion_.limit);
      const bool holds = !is_worse(value, *criterion_.limit);
      text +=
          fmt::format(": {} {} ({}) {} {}", criterion_.direction == Direction::at_most ? "highest" : "lowest",
                      shown.value, node->name, relation(criterion_.direction, holds), shown.limit);
      text +=
          fmt::format(" ({})", row.n == static_cast<int>(nodes_.size())
                                   ? "one result of each"
                                   : fmt::format("{} of each node's, {} results",
                                                 criterion_.aggregation.text(criterion_.direction), row.n));
    } else if (criterion_.metric == "validity") {
      const std::string_view state = row.is_short ? "correct" : "valid";
      text += row.n == 1 ? fmt::format(": the result is {}", state)
                         : fmt::format(": all {} results are {}", row.n, state);
    }
    return text;
  }

  /// "; 102 results (4 of cn017), 1 of them (of cn063) left out": what leads from the number of results to
  /// that of the nodes that the worst is of. Empty: all results are of them.
  [[nodiscard]] std::string left_out_of_worst(const CriterionResult& row) const {
    if (row.aggregate.empty() || criterion_.metric == "validity") return "";
    std::vector<std::string> several;
    std::vector<std::string> without;
    std::int64_t left = 0;
    for (const JudgedNode& node : nodes_) {
      if (node.result.n < 1) continue;
      if (!node.result.measured || !has_part_in_worst(node.result.verdict, row.verdict)) {
        without.push_back(node.name);
        left += node.result.n;
        continue;
      }
      if (node.result.n > 1 && several.size() < most_reasons)
        several.push_back(fmt::format("{} of {}", node.result.n, node.name));
    }
    if (without.empty()) return "";
    return fmt::format("; {} results{}, {} of them (of {}) left out", row.n,
                       several.empty() ? "" : fmt::format(" ({})", joined(several, ", ")), left,
                       folded_hostlist(without));
  }

  /// The nodes that do not pass, by their verdict: of the one that decides some with their reasons, the rest
  /// by name. `node_reasons` has the reasons of the others.
  [[nodiscard]] std::string not_passed(Verdict decides) const {
    std::string text;
    for (const Verdict verdict : decisive) {
      if (verdict == Verdict::pass) continue;
      std::vector<const JudgedNode*> open;
      for (const JudgedNode& node : nodes_)
        if (node.result.verdict == verdict) open.push_back(&node);
      if (open.empty()) continue;
      std::ranges::stable_sort(open, [&](const JudgedNode* a, const JudgedNode* b) {
        return a->result.measured && b->result.measured && is_worse(*a->result.measured, *b->result.measured);
      });
      text +=
          fmt::format("; {}: {}", verdict_name(verdict), named(open, verdict == decides ? most_reasons : 0));
    }
    return text;
  }

  /// Of a value that misses its limit without the number of results.
  static std::string brief_reason(const CriterionResult& result) {
    return result.verdict == Verdict::fail ? result.because.substr(0, result.because.find(" ("))
                                           : result.because;
  }

  /// "cn7 (41.2 GFLOP/s < 50.0 GFLOP/s) and 3 more: cn[8-10]".
  static std::string named(const std::vector<const JudgedNode*>& nodes, std::size_t with_reasons) {
    std::vector<std::string> reasons;
    std::vector<std::string> rest;
    for (const JudgedNode* node : nodes)
      if (reasons.size() < with_reasons)
        reasons.push_back(fmt::format("{} ({})", node->name, brief_reason(node->result)));
      else
        rest.push_back(node->name);
    if (rest.empty()) return joined(reasons, ", ");
    const std::string folded = folded_hostlist(rest);
    return reasons.empty() ? folded
                           : fmt::format("{} and {} more: {}", joined(reasons, ", "), rest.size(), folded);
  }

  /// The nodes that results come from.
  [[nodiscard]] int measured_nodes() const {
    int count = 0;
    for (const JudgedNode& node : nodes_) {
      if (node.result.n < 1) continue;
      const auto hosts = expanded_hostlist(node.name);
      count += hosts ? static_cast<int>(hosts->size()) : 1;
    }
    return count;
  }

  const Criterion& criterion_;
  const CriterionScene& scene_;
  std::vector<JudgedNode> nodes_;
  std::vector<std::string> excluded_;
};

}  // namespace

std::string worst_of_nodes(const CriterionResult& result) {
  std::int64_t measured = 0;
  std::map<std::size_t, std::vector<std::string>> without;  // by verdict
  for (const NodeResult& node : result.nodes) {
    const bool counts = node.measured && has_part_in_worst(node.verdict, result.verdict);
    if (counts)
      ++measured;
    else
      without[weight(node.verdict)].push_back(node.node);
  }
  const auto all = std::ssize(result.nodes);
  if (without.empty()) return fmt::format("worst of {}", plural(all, "node"));
  if (measured == 0) return fmt::format("none of {} decided", plural(all, "node"));
  std::vector<std::string> parts;
  parts.reserve(without.size());
  for (const auto& [rank, nodes] : without)
    parts.push_back(fmt::format("{} ({})", folded_hostlist(nodes), verdict_name(decisive.at(rank))));
  return fmt::format("worst of {} of {}, without {}", measured, plural(all, "node"), enumerated(parts));
}

std::string brief_worst_of_nodes(const CriterionResult& result) {
  const auto measured = std::ranges::count_if(result.nodes, [&](const NodeResult& node) {
    return node.measured && has_part_in_worst(node.verdict, result.verdict);
  });
  const auto all = std::ssize(result.nodes);
  if (measured == all) return fmt::format("worst of {}", plural(all, "node"));
  if (measured == 0) return fmt::format("none of {} decided", plural(all, "node"));
  return fmt::format("worst of {} {} of {}", measured,
                     result.verdict == Verdict::fail ? "decided" : "measured", plural(all, "node"));
}

bool has_part_in_worst(Verdict node, Verdict of_all) {
  return of_all != Verdict::fail || node == Verdict::fail || node == Verdict::pass;
}

CriterionResult judged_nodes(const Criterion& criterion, SubjectCases bound, const CriterionScene& scene) {
  NodeRow row(criterion, scene);
  for (const BoundNode& node : by_node(bound)) row.add(node);
  return row.judged();
}

std::vector<std::string> node_reasons(const CriterionResult& result) {
  constexpr std::size_t most = 12;
  std::vector<std::string> reasons;
  std::size_t more = 0;
  for (const Verdict verdict : decisive)
    for (const NodeResult& each : result.nodes) {
      if (verdict == Verdict::pass || each.verdict != verdict || each.because.empty() ||
          result.because.find(fmt::format("{} ({})", each.node, each.because)) != std::string::npos)
        continue;
      if (reasons.size() < most)
        reasons.push_back(fmt::format("{}, {}: {}", each.node, verdict_name(verdict), each.because));
      else
        ++more;
    }
  if (more > 0) reasons.push_back(fmt::format("{} more in results.json", more));
  return reasons;
}

}  // namespace shakedown
