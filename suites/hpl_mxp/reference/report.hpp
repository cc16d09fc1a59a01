#pragma once

#include <vector>

#include "suites/hpl_mxp/reference/options.hpp"

namespace hpl_mxp {

/// Wall-clock seconds of one part over all ranks.
struct Seconds {
  double average = 0;
  double most = 0;
  double least = 0;
};

/// The check of a solution.
struct Check {
  double Ax_b_oo = 0;
  double A_oo = 0;
  double x_oo = 0;
  double b_oo = 0;
  double scaled = 0;  ///< ||Ax-b||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) N), eps = 2^-53
};

/// 2/3 N^3 + 3/2 N^2, whatever was really executed.
///
/// Source: hpl-ai.c of the reference implementation of the Innovative Computing Laboratory.
double operations(double N);

/// The output in the grammar of NVIDIA's HPL-MxP, under this program's own banner. Each call ends with a
/// flush, so that the output of a killed run is not lost.
class Report {
 public:
  Report(const Options& options, int ranks) : options_(options), ranks_(ranks) {}

  void banner() const;
  void memory(double needed_gb, double available_gb) const;
  void matrix() const;
  void times(const Seconds& factorisation, const Seconds& refinement) const;
  /// The infinity norms of the residual before and after each round of GMRES.
  void iterations(const std::vector<double>& residuals, int iterations) const;
  /// True where the scaled residual is below the threshold; a nan isn't.
  bool result(const Check& check, const Seconds& factorisation, const Seconds& refinement) const;

 private:
  const Options& options_;
  int ranks_;
};

}  // namespace hpl_mxp
