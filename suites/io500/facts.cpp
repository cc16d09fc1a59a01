#include <array>

#include "orchestrator/plan/suite_facts.hpp"
#include "suites/io500/identities.hpp"
#include "suites/io500/site.hpp"

namespace shakedown::facts {

extern const SuiteFacts io500;

namespace {

constexpr MetricKind io500_score = {"", Better::higher};
/// Phases write for a set time, and read back whatever that was.
constexpr MetricKind io500_phase_time = {"s", std::nullopt};

constexpr std::array io500_headlines = {Headline{"score"}};
/// Writing is the storage's own doing, while reads may come from the client's memory.
constexpr std::array io500_short_headlines = {Headline{"ior_easy_write_gib_s"},
                                              Headline{"mdtest_easy_write_kiops"}};
constexpr std::array io500_metrics = {MetricFact{.key = "score", .kind = io500_score},
                                      MetricFact{.key = "extended_score", .kind = io500_score},
                                      MetricFact{.key = "iops_kiops", .title = "IOPS"},
                                      MetricFact{.key = "ior_*_time_s", .kind = io500_phase_time},
                                      MetricFact{.key = "mdtest_*_time_s", .kind = io500_phase_time},
                                      MetricFact{.key = "mdworkbench_*_time_s", .kind = io500_phase_time},
                                      MetricFact{.key = "find*_time_s", .kind = io500_phase_time}};
constexpr std::array io500_resources = {Resource::network, Resource::storage};

}  // namespace

const SuiteFacts io500 = {
    .id = "io500",
    .title = "IO500",
    .about = "IO500: bandwidth and metadata of a shared file system, easy and hard",
    .rank = 40,
    .headlines = io500_headlines,
    .short_headlines = io500_short_headlines,
    .counts_arithmetic = false,
    .metrics = io500_metrics,
    .resources = io500_resources,
    .site = io500::site_table,
    .starting_site = io500::starting_site,
    .full_run_min = 60,
    .identities = io500::identities,
};

}  // namespace shakedown::facts
