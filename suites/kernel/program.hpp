#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>
#include <tl/expected.hpp>

#include "suites/kernel/option.hpp"

namespace kernel {

/// A screen as its messages name it.
struct Program {
  const char* name;
  const char* usage;
};

/// The largest of all ranks' values. Nan wins, which a plain maximum may drop.
double largest_of_all(double value);

/// Whether it holds on all ranks.
bool on_all_ranks(bool holds);

/// Whether the bytes that the ranks of each node want together are less than its memory: a system that
/// overcommits would grant them and kill the run later. Collective; all ranks get the same answer.
bool fits_on_all_nodes(double bytes_of_this_rank);

/// Runs `measure(options, rank, ranks)`, which gives the exit code. If the command line asks for help or is
/// wrong, the first rank prints that instead.
template <class Options, class Measure>
int run(const Program& program, const tl::expected<Options, std::string>& options, const Measure& measure) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!options) {
    if (rank == 0)
      std::fprintf(stderr, "%s: %s\nhint: %s --help\n", program.name, options.error().c_str(), program.name);
    return wrong_input;
  }
  if (options->help) {
    if (rank == 0) std::fputs(program.usage, stdout);
    return passed;
  }
  return measure(*options, rank, ranks);
}

}  // namespace kernel
