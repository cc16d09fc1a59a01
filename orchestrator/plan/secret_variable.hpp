#pragma once
#include <string>

namespace shakedown {

/// The value of a variable of the jobs' environment that stands in no plan, store or report. What stands
/// there refers to it: `(secret)`, `(secret 2)` where one variable has several values in one campaign, or
/// `(secret from NAME)` where who runs shakedown has it in the variable NAME.
struct Secret {
  std::string name;   ///< of the variable in the job
  int number = 1;     ///< of its values
  std::string from;   ///< variable of the operator's environment that holds it; empty: not stated
  std::string value;  ///< empty: not known here
  friend bool operator==(const Secret&, const Secret&) = default;
};

}  // namespace shakedown
