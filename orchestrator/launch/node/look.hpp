#pragma once
#include <string>
#include <vector>

namespace shakedown {

/// Looks at this node, or at all nodes of a case, as `main.cpp` describes the words. `self`: the program that
/// a launcher starts on each node. Returns the exit code.
int look(const std::string& self, const std::vector<std::string>& words);

}  // namespace shakedown
