#pragma once
#include <cstddef>
#include <functional>

namespace shakedown {

/// Calls `work` once with each index below `count`, on all CPUs of this process; returns when all are done.
/// The order is not defined. An exception ends it and is thrown here.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace shakedown
