#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace hpl {

/// Uninitialised doubles, aligned to 2 MiB where they fill such pages and backed by huge pages where
/// the kernel grants them: row swaps touch one line per page otherwise. Pages belong to the NUMA
/// node of the rank that first writes them.
class Buffer {
 public:
  Buffer() = default;
  /// Empty where the memory is not to be had.
  explicit Buffer(std::size_t doubles);

  [[nodiscard]] double* data() const { return data_.get(); }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  struct Free {
    void operator()(double* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<double, Free> data_;
};

/// Physical memory of this node in bytes.
std::size_t physical_memory();

}  // namespace hpl
