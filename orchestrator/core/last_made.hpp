#pragma once
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Keeps what was made last from a text: a run reads the same baseline before it starts and for its report.
template <class Value>
class LastMade {
 public:
  /// What `make` returns for `text`, as it did if that was the last one. Failures are not kept. Any thread
  /// may call it.
  template <class Make>
  Result<Value> of(std::string_view text, const Make& make) {
    const std::scoped_lock lock(mutex_);
    if (has_value_ && text == text_) return value_;
    Result<Value> made = make();
    has_value_ = made.has_value();
    if (has_value_) {
      text_ = text;
      value_ = *made;
    }
    return made;
  }

 private:
  std::mutex mutex_;
  std::string text_;
  Value value_;
  bool has_value_ = false;
};

}  // namespace shakedown
