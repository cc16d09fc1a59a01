#pragma once
#include "orchestrator/core/error.hpp"
#include "suites/io500/sizes.hpp"
#include "suites/io500/target.hpp"

namespace shakedown::io500 {

/// Holds the sizes against the file system and adds what part of its space and inodes they take to their
/// reasons; where a limit is not known, a warning.
///
/// Fails with rule "IO500 capacity" where the items exceed the space, the inodes or mdtest-hard's one
/// directory, or there is no room for one item of each rank.
Result<void> check_capacity(Sizes& sizes, const Target& target);

}  // namespace shakedown::io500
