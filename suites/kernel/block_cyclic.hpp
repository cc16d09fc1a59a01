#pragma once

namespace kernel {

/// One dimension of the two-dimensional block-cyclic distribution: global index g lies in block g / NB,
/// and block k belongs to process k mod `procs`. Rows use it with P, columns with Q.
///
/// Source: A. Petitet et al., HPL algorithm, netlib.org/benchmark/hpl/algorithm.html.
struct BlockCyclic {
  int NB = 1;
  int procs = 1;

  [[nodiscard]] int owner(int global) const { return (global / NB) % procs; }

  /// How many global indices below `end` process `me` holds; this is also the local index of the
  /// first global index >= `end` that it holds.
  [[nodiscard]] int local_count(int end, int me) const {
    const int blocks = end / NB;
    int count = (blocks / procs) * NB;
    if (me < blocks % procs) count += NB;
    if (me == blocks % procs) count += end % NB;
    return count;
  }

  /// Local index of `global` at its owner.
  [[nodiscard]] int local(int global) const { return (global / NB / procs) * NB + global % NB; }

  [[nodiscard]] int global(int local_index, int me) const {
    return ((local_index / NB) * procs + me) * NB + local_index % NB;
  }
};

}  // namespace kernel
