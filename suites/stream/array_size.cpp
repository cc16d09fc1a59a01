#include "suites/stream/array_size.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::stream {
namespace {

constexpr std::int64_t bytes_per_array_element = 8;
constexpr std::int64_t arrays = 3;
constexpr std::int64_t caches_times = 4;               // what STREAM demands
constexpr std::int64_t least_elements = 10'000'000;    // STREAM_ARRAY_SIZE where nobody sets it
constexpr std::int64_t most_elements = 2'000'000'000;  // of a rank, which counts them with 32 bits

/// The caches to outgrow on one node.
struct Caches {
  std::int64_t bytes = 0;
  bool assumed = false;
  std::string text;
};

Caches caches_of(const PlanRequest& request) {
  const NodeGroup& node = *request.group;
  const std::int64_t known = last_level_cache_bytes(node);
  if (known > 0)
    return {known, false, fmt::format("the last-level caches' {}", bytes_text(static_cast<double>(known)))};
  const double each = request.implementation->tuned("assumed_cache_mib_per_core", 32);
  const double bytes = each * kibi * kibi * usable_cores(node);
  return {static_cast<std::int64_t>(bytes), true,
          fmt::format("{} assumed at {:.0f} MiB a core", bytes_text(bytes), each)};
}

}  // namespace

Result<ArraySize> array_size(const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  const Caches caches = caches_of(request);
  const std::int64_t ranks = layout.ranks_per_node;
  const auto shared = [&](std::int64_t elements) { return (elements + ranks - 1) / ranks; };
  std::int64_t each = shared(std::max(caches_times * caches.bytes / bytes_per_array_element, least_elements));
  each = std::min(each, most_elements);

  const UsableMemory memory = usable_host_memory(*request.group);
  const double usable = implementation.memory_fraction * static_cast<double>(memory.bytes);
  const auto wanted = static_cast<double>(arrays * bytes_per_array_element * ranks * each);
  ArraySize size;
  if (memory.bytes > 0 && wanted > usable) {
    if (!caches.assumed)
      return fail(
          "STREAM-06",
          fmt::format("three arrays of {} x {} take {} a node, {} of the {} {} are {}", caches_times,
                      caches.text, bytes_text(wanted), percent_text(implementation.memory_fraction, 0),
                      bytes_text(static_cast<double>(memory.bytes)), memory.because, bytes_text(usable)),
          "nodes with more free memory");
    each = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(usable) / (arrays * bytes_per_array_element * ranks));
  }
  if (caches.assumed)
    size.warnings.push_back(fmt::format("the inventory does not give the caches: {} ({})", caches.text,
                                        implementation.tuned_text("assumed_cache_source")));
  size.elements_per_rank = each;
  size.why.push_back(
      {"elements_per_rank", each,
       fmt::format("{} x {} / {} bytes, at least {} million, shared by the {} rank{} of a node", caches_times,
                   caches.text, bytes_per_array_element, least_elements / 1'000'000, ranks,
                   ranks == 1 ? "" : "s"),
       "STREAM-06: STREAM 5.10, stream.c: each array at least 4 times the caches"});
  return size;
}

}  // namespace shakedown::stream
