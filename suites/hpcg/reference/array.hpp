#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace hpcg {

/// Uninitialised numbers, aligned to 2 MiB where they fill such pages and backed by huge pages where the
/// system grants them: sweeps gather from vectors that span thousands of small ones. Pages belong to the
/// NUMA node of the thread that first writes them.
template <class Number>
class Array {
 public:
  Array() = default;
  /// Throws std::bad_alloc where the memory is not to be had.
  explicit Array(std::size_t size) : size_(size) {
    constexpr std::size_t huge_page = std::size_t{2} << 20;
    constexpr std::size_t line = 64;
    const std::size_t wanted = size * sizeof(Number);
    const std::size_t alignment = wanted >= huge_page ? huge_page : line;
    const std::size_t rounded = (wanted / alignment + 1) * alignment;
    data_.reset(static_cast<Number*>(std::aligned_alloc(alignment, rounded)));
    if (!data_) throw std::bad_alloc();
    if (alignment == huge_page) madvise(data_.get(), rounded, MADV_HUGEPAGE);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(Number); }
  [[nodiscard]] Number* data() { return data_.get(); }
  [[nodiscard]] const Number* data() const { return data_.get(); }
  Number& operator[](std::size_t i) { return data_.get()[i]; }
  const Number& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(Number* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<Number, Free> data_;
  std::size_t size_ = 0;
};

/// A vector of this rank's rows; one that products or sweeps read has its halo behind them.
using Vector = Array<double>;

/// Zeroes, written by the threads that later work on them.
Vector zeroes(std::size_t size);
void fill(Vector& v, double value);
/// The first `count` entries of `from`.
void copy(const Vector& from, Vector& to, std::size_t count);

}  // namespace hpcg
