#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts osu;

namespace {

// Each of some tests.
constexpr std::array osu_headlines = {Headline{.metric = "latency_us", .optional = true},
                                      Headline{.metric = "bandwidth_mb_s", .optional = true},
                                      Headline{.metric = "latency_us_at_max_bytes", .optional = true}};
constexpr std::array osu_metrics = {
    MetricFact{"messages_s", "message rate", MetricKind{"/s", Better::higher}},
    MetricFact{"million_ops_s", "operations", MetricKind{"million/s", Better::higher}},
    MetricFact{.key = "overlap_pct", .kind = MetricKind{"%", Better::higher}},
    // The work that it lays beside a collective, of a given length.
    MetricFact{.key = "compute_us", .kind = MetricKind{"us", std::nullopt}}};

}  // namespace

const SuiteFacts osu = {
    .id = "osu",
    .title = "OSU",
    .about = "MPI between two nodes, pairs of nodes or all: latency, bandwidth, collectives",
    .screen = true,
    .headlines = osu_headlines,
    .counts_arithmetic = false,
    .metrics = osu_metrics};

}  // namespace shakedown::facts
