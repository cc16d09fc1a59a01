#pragma once
#include <functional>
#include <memory>
#include <string>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Reads pieces of a stream on a thread of its own, a few ahead of whoever takes them.
class ReadAhead {
 public:
  /// `read` gives the next piece; empty: the end.
  explicit ReadAhead(std::function<Result<std::string>()> read);
  ReadAhead(ReadAhead&& other) noexcept;
  ReadAhead& operator=(ReadAhead&& other) noexcept;
  ~ReadAhead();

  /// The next piece, or `read`'s failure. Behind the end: empty again.
  Result<std::string> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shakedown
