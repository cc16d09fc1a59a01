#pragma once
#include <string>
#include <string_view>

namespace shakedown {

/// Why `name` can't be a file of a run directory, as a sentence; empty: it can. It must be relative, in plain
/// components: no '..', no '.', no empty one, no control characters.
std::string wrong_run_file(std::string_view name);

/// As `wrong_run_file`, for an input file: it must not be one that the job itself writes either.
std::string wrong_input_file(std::string_view name);

}  // namespace shakedown
