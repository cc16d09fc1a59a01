#pragma once
#include <istream>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "suites/hpcg/reference/geometry.hpp"

namespace hpcg {

/// Input that can't be run, and the way out.
struct InputError {
  std::string what;
  std::string hint;
};

extern const char* const kUsage;

/// Numbers of HPCG's input, in the order of its bare arguments; 0 and nothing: not stated.
struct Options {
  bool help = false;
  bool plain = false;          ///< the reference's kernels instead of the optimised ones
  Box local;                   ///< points of a rank
  std::optional<int> seconds;  ///< of the timed part; 0 is HPCG's QuickPath: one set
  Layers layers;
  Box grid;                        ///< ranks
  std::vector<std::string> notes;  ///< what differs from the input, a sentence each
};

/// Reads --name=value, --name value, and bare numbers in HPCG's order: nx ny nz rt pz zl zu npx npy npz.
tl::expected<Options, InputError> parse_options(int argc, const char* const* argv);

/// Adds what the command line did not state: lines 3 (nx ny nz) and 4 (seconds), and line 5 (npx npy npz)
/// where it begins with a number; the rest of a line is comment.
///
/// Source: HPCG 3.1, ReadHpcgDat.cpp, which takes 16 or 1800 for what it can't read; this fails.
tl::expected<Options, InputError> with_hpcg_dat(Options options, std::istream& text);

/// What runs: sides not stated or below 16 are raised as HPCG 3.1 does, and the process grid is chosen. Each
/// raised side is reported in `notes`.
///
/// Fails where HPCG 3.1 aborts or asserts: sides that can't be halved three times, shapes flatter than 1 : 8,
/// layers or grids that don't fit the ranks, more entries than 32 bits count.
tl::expected<Options, InputError> completed(Options options, int ranks);

}  // namespace hpcg
