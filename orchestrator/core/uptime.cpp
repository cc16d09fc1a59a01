#include "orchestrator/core/uptime.hpp"

#include <ctime>

namespace shakedown {

double uptime_s() {
  timespec passed = {};
  ::clock_gettime(CLOCK_BOOTTIME, &passed);
  return static_cast<double>(passed.tv_sec) + 1e-9 * static_cast<double>(passed.tv_nsec);
}

}  // namespace shakedown
