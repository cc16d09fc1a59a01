#pragma once
#include "reports/judge/judgement.hpp"

namespace shakedown {

/// Removes the ratios that are no numbers to read, and puts the reason in their place: efficiencies whose
/// reference was disturbed; comparisons of an efficiency that is withheld; ratios within the machine whose
/// lower suite was disturbed, that are impossible, or of a suite one of whose efficiencies is impossible, as
/// then one of its result and the reference is wrong. Expects `suite_results`, `disturbances`, `comparisons`
/// and `orientation`.
void withhold_ratios(Judgement& judgement);

}  // namespace shakedown
