#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts nccl;

namespace {

constexpr std::array nccl_headlines = {Headline{.metric = "busbw_at_max_bytes_gb_s", .optional = true},
                                       Headline{.metric = "max_busbw_gb_s", .optional = true}};
constexpr MetricKind nccl_errors = {"", std::nullopt};  // which make a result invalid
constexpr std::array nccl_metrics = {
    MetricFact{.key = "busbw_at_max_bytes_gb_s", .title = "bus bandwidth of the largest size"},
    MetricFact{.key = "max_busbw_gb_s", .title = "highest bus bandwidth"},
    MetricFact{.key = "wrong", .kind = nccl_errors},
    MetricFact{.key = "wrong_elements", .kind = nccl_errors}};

}  // namespace

const SuiteFacts nccl = {
    .id = "nccl",
    .title = "NCCL",
    .about = "Collectives among the GPUs of a node, or of many: links, switches, their settings",
    .screen = true,
    .headlines = nccl_headlines,
    .counts_arithmetic = false,
    .metrics = nccl_metrics};

}  // namespace shakedown::facts
