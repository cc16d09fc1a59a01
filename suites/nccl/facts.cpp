#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts nccl;

namespace {

constexpr MetricKind nccl_errors = {"", std::nullopt};  // which make a result invalid
constexpr std::array nccl_metrics = {MetricFact{.key = "wrong", .kind = nccl_errors},
                                     MetricFact{.key = "wrong_elements", .kind = nccl_errors}};

}  // namespace

const SuiteFacts nccl = {.id = "nccl", .title = "NCCL", .counts_arithmetic = false, .metrics = nccl_metrics};

}  // namespace shakedown::facts
