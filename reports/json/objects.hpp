#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orchestrator/core/value.hpp"
#include "reports/judge/judgement.hpp"

/// The parts of a `shakedown.results/1`, each as an object of its own. What is unknown is omitted.
namespace shakedown::results_json {

/// A criterion's verdict with what it rests on: points, limit, references, waiver, and the baseline that its
/// metric has among `comparisons`.
nlohmann::ordered_json criterion_object(const CriterionResult& result,
                                        const std::vector<Comparison>& comparisons);

/// What the campaign's reports count.
nlohmann::ordered_json tally_object(const Tally& tally);

/// How many of a suite's attempts succeeded, with the interval of that rate.
nlohmann::ordered_json reliability_object(const ReliabilityRow& row);

/// A measured value beside its baseline's.
nlohmann::ordered_json comparison_object(const Comparison& comparison);

/// What a suite measured, with its prediction and efficiency.
nlohmann::ordered_json suite_result_object(const SuiteResult& result);

/// Published values that nothing is compared with, why that is so, and ratios of one machine's values.
nlohmann::ordered_json orientation_object(const Orientation& orientation);

/// One metric of like nodes. The nodes that are sound are counted.
nlohmann::ordered_json node_screen_object(const NodeScreen& screen);

/// A case with its attempts, and the median of each metric.
nlohmann::ordered_json case_object(const CampaignRecord& campaign, const MeasuredCase& record);

/// An attempt with its node states, results and files.
nlohmann::ordered_json attempt_object(const CampaignRecord& campaign, const MeasuredCase& record,
                                      const AttemptRecord& attempt);

/// The outcome of each rule for each result of a case, as a list.
nlohmann::ordered_json rules(const CampaignRecord& campaign, const CaseRecord& record);

/// The machine that was measured.
nlohmann::ordered_json inventory_object(const Inventory& inventory);

/// The verdict by one revision of the criteria.
nlohmann::ordered_json revision_object(const RevisionVerdict& revision);

/// First and last root of a campaign's journal, and where it is not whole.
nlohmann::ordered_json journal_object(const JournalRecord& journal);

/// What a campaign committed itself to, by SHA-256, and the breaches of it.
nlohmann::ordered_json commitment_object(const Commitment& commitment,
                                         const std::vector<std::string>& breaches);

using json = nlohmann::ordered_json;  ///< keys stay in the order they were put in

/// The elements of an array that a large campaign makes long: they are made where they are written, several
/// at once.
struct Elements {
  std::size_t count;
  std::function<json(std::size_t)> of;  ///< the i-th few elements, as an array
};
using ElementsByKey = std::map<std::string, Elements, std::less<>>;

/// A document as text, indented by two; what is no UTF-8 becomes U+FFFD: logs and host names may hold any
/// bytes. Its members that `elements` has are arrays of these.
std::string document_text(const json& document, const ElementsByKey& elements = {});

/// Absent is absent: a value that is not a number is omitted.
void put(json& object, const char* key, double value);

/// The same for a text: an empty one is omitted.
void put_if(json& object, const char* key, const std::string& text);

/// Parameters as an object: name to value.
json named_values(const std::vector<Parameter>& parameters);

}  // namespace shakedown::results_json
