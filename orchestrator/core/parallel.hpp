#pragma once
#include <cstddef>
#include <functional>

namespace shakedown {

/// The CPUs that this process may use, at least 1: a batch job has fewer than the machine.
std::size_t usable_cpus();

/// Calls `work` once with each index below `count`, at most `at_a_time` calls at once; returns when all are
/// done. The order is not defined. An exception ends it and is thrown here.
void for_each_index(std::size_t count, std::size_t at_a_time, const std::function<void(std::size_t)>& work);

}  // namespace shakedown
