#include "orchestrator/core/kept_text.hpp"

#include <mutex>
#include <unordered_set>

namespace shakedown {

std::string_view KeptText::kept(std::string_view text) {
  static std::mutex mutex;
  static std::unordered_set<std::string> texts;  // a set's elements keep their place
  const std::lock_guard lock(mutex);
  return *texts.emplace(text).first;
}

}  // namespace shakedown
