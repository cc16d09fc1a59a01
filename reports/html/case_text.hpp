#pragma once
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/store/record.hpp"
#include "reports/html/template.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// What ran where: "Implementation reference, 1 node, 2 ranks of 1 thread, on n1."
std::string case_lead(const Case& planned);

/// The problem size of a case as it was run, else as it was planned: "N = 48 960", "grid 336 × 168 × 160".
/// Empty: its suite has none, or it is not known.
std::string size_text(const MeasuredCase& record);

/// The model with its origin: a fit with as many parameters as points proves nothing.
std::string model_shown(const Model& model);

/// What planning warned of, each sentence once with the cases that it is of: "... (all 8 cases)", "...
/// (hpl-1n)".
std::vector<std::string> warnings_before(const MeasuredCampaign& campaign);

/// A parameter as it is read: numbers in groups of three digits.
std::string value_shown(const Value& value);

/// The reasons as rows of what, value, because, rule; settings next to each other that have the same one
/// share a row.
std::vector<Fields> reason_rows(const std::vector<Reason>& reasons);

/// The nodes that an attempt got, where they are others than those planned; else empty.
std::string other_hosts(const Case& planned, const AttemptRecord& attempt);

/// Which of an attempt's results this is: its benchmark where there are several; else empty.
std::string benchmark_among(const AttemptRecord& attempt, const ResultRecord* result);

/// A metric of a result, with what its log holds against it: a training that missed its target has no time to
/// train, and a score that is marked has its mark. A dash if there is none.
std::string value_of(const ResultRecord* result, const std::string& name);

/// The folder that all logs made elsewhere lie in, with a "/" at its end; empty: there are fewer than two.
std::string origins_folder(const CampaignRecord& campaign);

/// `text` with the paths of logs made elsewhere as they are within that folder: "n8/bert/result_4.txt".
std::string short_origins(const CampaignRecord& campaign, std::string text);

/// When a run began, as its log states it; a dash: it does not.
std::string started_text(const ParsedResult& result);

}  // namespace shakedown
