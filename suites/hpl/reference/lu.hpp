#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "suites/hpl/reference/matrix.hpp"
#include "suites/hpl/reference/panel.hpp"
#include "suites/hpl/reference/swap.hpp"
#include "suites/kernel/buffer.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl {

using kernel::RingBroadcast;

/// Right-looking block LU factorisation of [A | b] with partial pivoting and a look-ahead of one panel: the
/// columns of the next panel are updated first, so that it is factored and on its way to the other
/// process columns while all of them still update the rest.
///
/// The result is U in the upper triangle and L^-1 P b in b's column; L is not stored.
class LU {
 public:
  LU(const Grid& grid, const Matrix& matrix);

  /// Doubles of working memory on this rank.
  [[nodiscard]] std::size_t doubles() const;
  /// False where the memory is not to be had.
  bool allocate();
  /// Collective over the grid.
  void factor();

 private:
  [[nodiscard]] Panel panel(int index) const;
  void look_ahead(const Panel& current, const Permutation& permutation, const Panel& next);
  void send(const Panel& panel);
  void update(const Panel& panel, const Permutation& permutation, Columns columns);
  void update_in_place(const Panel& panel, const Permutation& permutation, Columns columns);
  void update_travelling(const Panel& panel, const Permutation& permutation, Columns columns);
  RowsOfU solve_U(const Panel& panel, const Permutation& permutation, RowSwap& swap, Columns slice);
  void multiply(const Panel& panel, Columns columns, RowsOfU U);
  void progress();

  const Grid& grid_;
  const Matrix& matrix_;
  int panels_;
  std::array<kernel::Buffer<double>, 2> memory_;  ///< panel k lies in memory k mod 2
  std::array<RingBroadcast, 2> broadcast_;
  std::vector<RowSwap> swap_;  ///< of the slice in hand and of the next one
};

}  // namespace hpl
