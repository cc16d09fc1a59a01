#include "orchestrator/core/time.hpp"

#include <chrono>
#include <cmath>
#include <ctime>

namespace shakedown {

double steady_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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

std::optional<double> utc_seconds(std::string_view text) {
  std::tm parts = {};
  const std::string held(text.ends_with('Z') ? text.substr(0, text.size() - 1) : text);
  const char* end = ::strptime(held.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<double>(::timegm(&parts));
}

double uptime_s() {
  timespec passed = {};
  ::clock_gettime(CLOCK_BOOTTIME, &passed);
  return static_cast<double>(passed.tv_sec) + 1e-9 * static_cast<double>(passed.tv_nsec);
}

}  // namespace shakedown
