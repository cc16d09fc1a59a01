#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts fio;

namespace {

// Of the direction that a job has.
constexpr std::array fio_headlines = {Headline{.metric = "read_bw_kib_s", .optional = true},
                                      Headline{.metric = "read_iops", .optional = true},
                                      Headline{.metric = "write_bw_kib_s", .optional = true},
                                      Headline{.metric = "write_iops", .optional = true}};

constexpr std::array fio_metrics = {
    MetricFact{"read_bw_kib_s", "read bandwidth"}, MetricFact{"write_bw_kib_s", "write bandwidth"},
    MetricFact{"read_iops", "read operations"}, MetricFact{"write_iops", "write operations"}};

}  // namespace

const SuiteFacts fio = {
    .id = "fio",
    .title = "fio",
    .about = "A disk or file system as one node has it: rate and operations, read and written",
    .screen = true,
    .headlines = fio_headlines,
    .counts_arithmetic = false,
    .metrics = fio_metrics};

}  // namespace shakedown::facts
