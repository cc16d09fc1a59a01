#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {

/// HPL's residual check of one row as its line prints it.
struct HplCheck {
  std::string residual;       ///< as printed: "3.21357981e-03", "0.0041173", "nan"
  std::string verdict;        ///< "PASSED", "FAILED"; empty: the line is cut before it
  bool one_of_three = false;  ///< HPL 1.0 checks three quotients, each on a line of its own
  friend bool operator==(const HplCheck&, const HplCheck&) = default;
};

/// The check on a line, wherever it starts on it; nothing where there is none. The lines that only explain
/// the check and the norms printed behind it are none.
///
///     ||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   3.21357981e-03 ...... PASSED      (2.0 and later)
///     ||Ax-b||_oo / ( eps * ||A||_1  * N        ) =        0.0412956 ...... PASSED          (1.0)
std::optional<HplCheck> hpl_check(std::string_view line);

}  // namespace shakedown
