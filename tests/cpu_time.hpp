#pragma once
#include <ctime>

/// CPU time of this process since it was made, in seconds: guards against work that grows with the square of
/// the input hold on a busy machine, too.
class CpuTime {
 public:
  [[nodiscard]] double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};
