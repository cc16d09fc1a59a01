#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace stream {

/// STREAM's kernels in the order in which they run, and the arrays that each reads and writes.
struct Kernel {
  const char* name;
  int arrays;
};
inline constexpr std::array kKernels = {Kernel{"Copy", 2}, Kernel{"Scale", 2}, Kernel{"Add", 3},
                                        Kernel{"Triad", 3}};

/// The three arrays of a rank. Source: STREAM 5.10, stream.c.
class Arrays {
 public:
  explicit Arrays(std::size_t elements);
  /// False where the memory is not to be had.
  [[nodiscard]] bool allocated() const { return a_ && b_ && c_; }
  /// Writes the values that the first kernel finds.
  void fill();
  /// Copy: c = a. Scale: b = 3 c. Add: c = a + b. Triad: a = b + 3 c.
  void run(std::size_t kernel);
  /// The largest relative error of any element of a, b and c after all kernels ran `times` times; nan counts
  /// as infinite.
  [[nodiscard]] std::array<double, 3> errors(int times) const;

 private:
  struct Free {
    void operator()(double* pointer) const { std::free(pointer); }
  };
  using Memory = std::unique_ptr<double, Free>;
  static Memory memory(std::size_t elements);

  std::size_t elements_;
  Memory a_;
  Memory b_;
  Memory c_;
};

}  // namespace stream
