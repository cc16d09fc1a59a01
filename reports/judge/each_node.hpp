#pragma once
#include "reports/judge/criterion_subject.hpp"

namespace shakedown {

/// Judges a criterion on cases that are bound to their nodes, in one row: on each node the median of its
/// repetitions, and the worst node decides. Nodes that don't pass are named by their verdict, and those of
/// the verdict that decides with their reason.
///
/// A node that was excluded and gave no result is missing, unless the criterion states how many nodes it
/// needs or how many exclusions it allows: then the others are judged, and it is named. Results that count
/// are judged on every node.
///
/// Precondition: `bound` is not empty.
CriterionResult judged_nodes(const Criterion& criterion, SubjectCases bound, const CriterionScene& scene);

/// Whether a node has a part in the worst value, which is shown for all of them: where a node fails, the
/// value of one that is undecided (disturbed) does not stand beside the verdict.
bool has_part_in_worst(Verdict node, Verdict of_all);

/// "worst of 98 of 100 nodes, without cn042 (no result) and cn063 (undecided)": of which nodes the value of a
/// criterion on each node is the worst.
std::string worst_of_nodes(const CriterionResult& result);

/// "worst of 98 decided of 100 nodes": the same without names, where the verdict beside it has them.
std::string brief_worst_of_nodes(const CriterionResult& result);

/// The reasons of nodes that do not pass, as far as `CriterionResult::because` has them in short or not:
/// "cn9, no result: attempt 1 lost: node failure". Of many the first, and how many more there are.
std::vector<std::string> node_reasons(const CriterionResult& result);

}  // namespace shakedown
