#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>

namespace kernel {

/// Memory from the system, aligned to 2 MiB where it fills such pages and backed by huge pages where the
/// kernel grants them. Pages belong to the NUMA node of the rank that first writes them. Null where the
/// memory is not to be had; to be freed by std::free.
void* pages(std::size_t bytes);

/// Uninitialised numbers in such pages: a matrix whose rows are exchanged, or whose columns are passed
/// through, touches one line per page otherwise.
template <class Number>
class Buffer {
 public:
  Buffer() = default;
  /// Empty where the memory is not to be had.
  explicit Buffer(std::size_t count) {
    if (count <= std::numeric_limits<std::size_t>::max() / sizeof(Number))
      data_.reset(static_cast<Number*>(pages(count * sizeof(Number))));
  }

  [[nodiscard]] Number* data() const { return data_.get(); }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  struct Free {
    void operator()(Number* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<Number, Free> data_;
};

/// Physical memory of this node in bytes.
std::size_t physical_memory();

}  // namespace kernel
