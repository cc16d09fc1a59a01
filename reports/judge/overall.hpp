#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/judge/judgement.hpp"

namespace shakedown {

/// Notes with each judged criterion the waiver that covers it, and with each waiver without effect the
/// reason: it is expired at `at_s` (when the campaign ended, or its criteria were given, if that was later:
/// the same store gives the same report on any day), the criterion passes, or it is advisory. The verdicts
/// stay.
void apply_waivers(Judgement& judgement, std::span<const Waiver> waivers, double at_s);

/// Of the waivers that a verdict rests on those that have expired by now, which is later than what it is of:
/// a sentence each.
std::vector<std::string> expired_since(const Judgement& judgement, double now_s);

/// Whether a criterion asks for a value, and not only that results are valid or attempts succeed.
bool is_on_performance(const CriterionResult& result);

/// The criteria on performance, advisory ones among them, that a disturbance leaves undecided, where none on
/// performance was decided: a disturbed result never counts as passed, so that nothing is accepted on them.
std::vector<const CriterionResult*> disturbed_alone(const Judgement& judgement);

/// The overall verdict from the judged criteria, with what happened on the way to it in its sentence: by
/// which revision of the criteria (`revision` above 1), which earlier campaigns there are, how many disturbed
/// attempts do not count, how many attempts were stopped by hand or lost; of what is accepted also the
/// judgement's weaknesses.
/// "not accepted" if a mandatory one fails; else undecided if
/// one is invalid, not-run, not-comparable or undecided, or if `disturbed_alone` has any; else accepted, with
/// as many waivers as lifted one of either; its sentence says if no criterion on performance was decided. A
/// waived criterion's own verdict stays. If the campaign's commitment is broken, accepted becomes undecided.
void decide(Judgement& judgement, const CampaignRecord& campaign, const CriteriaRevision* revision = nullptr);

/// Makes the verdict of a scheduled check that of its campaign. Without an alarm its sentence also says how
/// many nodes are slow beside those like them: an alarm asks for more than that.
void take_check_verdict(Judgement& judgement, CheckVerdict verdict);

}  // namespace shakedown
