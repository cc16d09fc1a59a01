#pragma once
#include <string>
#include <vector>

#include "reports/judge/judgement.hpp"

namespace shakedown {

/// What a report says in numbers, counted once: sections, formats and the terminal read them here.
Tally tally(const MeasuredCampaign& campaign, const Judgement& judgement);

/// "cases ran correctly", "logged runs are correct": what `Tally::ran` of `Tally::cases` did.
std::string_view ran_words(const Tally& tally);

/// What was out of the ordinary, one sentence for each event: remarks on waivers, what
/// `Judgement::deviations` holds beside the notice on shakedown's own programs, warnings on the whole plan.
/// `Tally::exceptions` is its size.
std::vector<std::string> exceptions(const CampaignRecord& campaign, const Judgement& judgement);

/// "2 of 4 mandatory criteria pass, 1 failed and is waived, 1 without a result. 0 of 3 advisory ones could be
/// decided. ...": how many criteria have which verdict, and what the verdict pass means. Empty if there are
/// none.
std::string criteria_counts(const Judgement& judgement);

/// "2 of 4 mandatory criteria pass, 1 failed, 1 without a result (hpl-eight)": those that do not pass; by
/// their ids those that neither the verdict nor an alarm names. "All 4 mandatory criteria pass". Empty: there
/// are none.
std::string mandatory_text(const Judgement& judgement);

/// "Speed was judged for GEMM, HPL only; checked for correct runs alone: IO500.": what the criteria say
/// beyond correct runs. Empty: all suites' speed was judged.
std::string speed_judged(const Judgement& judgement);

/// How the numbers of cases, attempts and results follow from each other: "209 cases; 210
/// attempts (1 repeat): 207 succeeded, 3 failed. 2 left no result; the other 208 left 208 results: 108 of
/// benchmarks, 100 of screens; 1 was disturbed." Empty: no attempt has ended.
std::string derived_counts(const Tally& tally);

/// "0 of 5 benchmark results eligible for official lists (not: 1 invalid); not decided for 4 (the log does
/// not show IO5-07)".
std::string eligibility(const Tally& tally);

/// "13 of 15 cases ran correctly. 15 cases; 15 attempts: 13 succeeded, 2 failed. ... 0 of 13 benchmark
/// results eligible for official lists (not: 13 of shakedown's own programs). 3 exceptions."
std::string run_counts(const Tally& tally);

/// "no result", "fail": a verdict as people read it.
std::string_view verdict_name(Verdict verdict);

/// "no result", "fail, waived": a criterion's verdict as people read it, the same wherever it stands.
std::string verdict_text(const CriterionResult& result);

}  // namespace shakedown
