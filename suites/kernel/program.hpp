#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace kernel {

/// Exit codes of the screens: the result passed its own check, failed it, or there is none.
enum Exit { passed = 0, failed_check = 1, wrong_input = 2 };

/// A screen as its messages name it.
struct Program {
  const char* name;
  const char* usage;
};

/// The number that follows `option`; null text: nothing does. Fails with one sentence where it is no number
/// of that kind from `least` to `most`. For int and double.
template <class Number>
tl::expected<Number, std::string> option_value(std::string_view option, const char* text, Number least,
                                               Number most);

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
