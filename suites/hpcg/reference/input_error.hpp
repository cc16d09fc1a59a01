#pragma once

#include <string>

namespace hpcg {

/// Input that can't be run, and the way out.
struct InputError {
  std::string what;
  std::string hint;
};

}  // namespace hpcg
