#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts nvbandwidth;

namespace {

// The slowest link of a node is what a screen looks for.
constexpr std::array nvbandwidth_headlines = {
    Headline{.metric = "host_to_device_memcpy_ce_min_gb_s", .optional = true},
    Headline{.metric = "device_to_host_memcpy_ce_min_gb_s", .optional = true},
    Headline{.metric = "device_to_device_memcpy_read_ce_min_gb_s", .optional = true},
    Headline{.metric = "device_to_device_memcpy_write_ce_min_gb_s", .optional = true}};

constexpr std::array nvbandwidth_metrics = {
    MetricFact{"host_to_device_memcpy_ce_min_gb_s", "slowest copy host to GPU"},
    MetricFact{"device_to_host_memcpy_ce_min_gb_s", "slowest copy GPU to host"},
    MetricFact{"device_to_device_memcpy_read_ce_min_gb_s", "slowest read between GPUs"},
    MetricFact{"device_to_device_memcpy_write_ce_min_gb_s", "slowest write between GPUs"}};

}  // namespace

const SuiteFacts nvbandwidth = {
    .id = "nvbandwidth",
    .title = "nvbandwidth",
    .about = "Copies between a node's GPUs and its memory, and among its GPUs: the slowest link shows",
    .screen = true,
    .headlines = nvbandwidth_headlines,
    .counts_arithmetic = false,
    .metrics = nvbandwidth_metrics};

}  // namespace shakedown::facts
