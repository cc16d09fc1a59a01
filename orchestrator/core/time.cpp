#include "orchestrator/core/time.hpp"

#include <chrono>
#include <cmath>
#include <ctime>

namespace shakedown {

double now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string utc_text(double seconds_since_epoch) {
  const auto whole = static_cast<std::time_t>(std::floor(seconds_since_epoch));
  std::tm parts{};
  gmtime_r(&whole, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace shakedown
