#include "orchestrator/core/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace shakedown {

std::size_t usable_cpus() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return std::max(1U, std::thread::hardware_concurrency());
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

void for_each_index(std::size_t count, std::size_t at_a_time, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(at_a_time, count); ++i) {
    try {
      threads.emplace_back(run);
    } catch (const std::system_error&) {
      break;  // a limit on processes: the others do it
    }
  }
  run();
  threads.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace shakedown
