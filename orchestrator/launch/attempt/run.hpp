#pragma once

namespace attempt {

/// Runs one attempt, or ends what is left of others, as `main.cpp` describes its arguments. Returns the exit
/// code.
int run(int argc, char** argv);

}  // namespace attempt
