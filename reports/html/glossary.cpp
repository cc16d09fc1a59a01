#include "reports/html/glossary.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {
namespace {

/// Terms of every report. The suites' own are in their facts, which each suite's section quotes.
constexpr std::array glossary = {
    GlossaryTerm{"advisory", "Advisory",
                 "A criterion that is shown and does not count for the verdict. Mandatory ones do."},
    GlossaryTerm{
        "complete", "Complete",
        "The program ran to its end without a fault. What keeps it from being valid are rules on "
        "length, size, nodes or number of runs that the criteria do not ask for, or it has no rules."},
    GlossaryTerm{"correct", "Correct",
                 "The run has a result, and it is valid or complete. It says nothing of speed."},
    GlossaryTerm{"criterion", "Criterion",
                 "One line of the contract: a metric, a limit, how several runs make one value."},
    GlossaryTerm{"disturbed", "Disturbed",
                 "Other processes or the hypervisor used more of a node while it was measured, or GEMM's "
                 "repetitions differed more, than the criteria "
                 "allow. A disturbed value decides nothing on performance."},
    GlossaryTerm{"efficiency", "Efficiency",
                 "A measured rate divided by what the same hardware can reach, by data sheet or as measured "
                 "in this campaign."},
    GlossaryTerm{
        "eligible", "Eligible for a list",
        "As far as the log shows, the result keeps all rules of its list (TOP500, IO500, MLPerf). Who keeps "
        "the list decides, by a submission. Undecided: the log does not show whether it keeps them."},
    GlossaryTerm{"limit", "Limit",
                 "The value that a criterion asks for. Its source stands under Criteria and limits."},
    GlossaryTerm{"not-comparable", "Not comparable",
                 "There is nothing to compare with: no reference is known, or it was measured under other "
                 "conditions."},
    GlossaryTerm{"not-judged", "Not judged",
                 "No criterion asks for anything of it, so that it neither passes nor fails."},
    GlossaryTerm{"screening", "Screening", "A short test that looks for faults. It accepts nothing."},
    GlossaryTerm{
        "undecided", "Undecided",
        "It was not decided: too few runs, a disturbed run, a ratio that says nothing, or a rule that the "
        "log does not show. It is neither a pass nor a fault."},
    GlossaryTerm{"unverified", "Unverified",
                 "No review by the benchmark's organisation is known here: a log does not show one."},
    GlossaryTerm{"valid", "Valid",
                 "The benchmark's own check passed and the result keeps all rules that decide. It says "
                 "nothing of speed."},
    GlossaryTerm{"waived", "Waived",
                 "A criterion that does not pass and that an approver, named in the criteria, lifted until a "
                 "date, for a stated reason."},
};

}  // namespace

std::vector<const GlossaryTerm*> glossary_of(const ReportInput& input) {
  std::vector<const GlossaryTerm*> terms;
  const auto any = [&](auto holds) { return std::ranges::any_of(input.judgement.criteria, holds); };
  for (const GlossaryTerm& term : glossary) {
    const bool unused =
        (term.id == "screening" && input.campaign.kind != "screening") ||
        (term.id == "not-judged" && std::ranges::all_of(input.measured.cases,
                                                        [&](const MeasuredCase& each) {
                                                          return any([&](const CriterionResult& of) {
                                                            return of.suite == each.planned.suite;
                                                          });
                                                        })) ||
        (term.id == "unverified" && std::ranges::none_of(input.measured.cases,
                                                         [](const MeasuredCase& each) {
                                                           return !unreviewed_mark(each.planned).empty();
                                                         })) ||
        (term.id == "waived" && !any([](const CriterionResult& each) { return each.waived; }));
    if (!unused) terms.push_back(&term);
  }
  return terms;
}

}  // namespace shakedown
