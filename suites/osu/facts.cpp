#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts osu;

namespace {

constexpr std::array osu_metrics = {
    MetricFact{"messages_s", "message rate", MetricKind{"/s", Better::higher}},
    MetricFact{"million_ops_s", "operations", MetricKind{"million/s", Better::higher}},
    MetricFact{.key = "overlap_pct", .kind = MetricKind{"%", Better::higher}},
    // The work that it lays beside a collective, of a given length.
    MetricFact{.key = "compute_us", .kind = MetricKind{"us", std::nullopt}}};

}  // namespace

const SuiteFacts osu = {.id = "osu", .title = "OSU", .counts_arithmetic = false, .metrics = osu_metrics};

}  // namespace shakedown::facts
