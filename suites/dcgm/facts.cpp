#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts dcgm;

namespace {

constexpr MetricKind dcgm_count = {"", std::nullopt};
constexpr std::array dcgm_metrics = {
    MetricFact{.key = "tests_passed", .title = "tests that passed", .kind = dcgm_count},
    MetricFact{.key = "tests_failed", .title = "tests that failed", .kind = MetricKind{"", Better::lower}},
    MetricFact{
        .key = "tests_skipped", .title = "tests that were skipped", .kind = MetricKind{"", Better::lower}}};

constexpr std::array dcgm_headlines = {Headline{.metric = "tests_failed", .optional = true}};

}  // namespace

const SuiteFacts dcgm = {.id = "dcgm",
                         .title = "DCGM diagnostics",
                         .about = "dcgmi diag: NVIDIA's own tests of a node's GPUs, memory, PCIe, power",
                         .screen = true,
                         .headlines = dcgm_headlines,
                         .counts_arithmetic = false,
                         .metrics = dcgm_metrics};

}  // namespace shakedown::facts
