#pragma once
#include "parsers/parser.hpp"

namespace shakedown::parser {

/// HPL-MxP and HPL-AI, the mixed-precision HPL: NVIDIA's (20.10 to 26.02), rocHPL-MxP and AMD's for Zen,
/// the reference of the Innovative Computing Laboratory, RIKEN's for Fugaku, OpenMxP, Sun Yat-sen
/// University's, and Intel's.
///
/// Parameters: N NB P Q, and where printed PMAP ("row", "column"), TV and `precision`, the lowest of the
/// factorisation: "FP8", "FP16", "FP32", a build's own name, or "16 bit" where only the width is printed.
///
/// Metrics, GFLOP/s and seconds: rmax_gflops, the rate of the whole solution and the one to report;
/// residual, the scaled one; and where printed lu_gflops, of the factorisation alone,
/// rmax_gflops_per_gpu, lu_gflops_per_gpu, lu_time_s, refinement_time_s, and time_s, the time of the whole
/// solution: as printed, else the sum of the two parts.
///
/// Facts, each only where the log has it:
///
///     residual_check         PASSED or FAILED; RIKEN's, OpenMxP's and AMD's for Zen print no such word
///     residual_printed       the scaled residual as printed
///     ||Ax-b||_oo ||A||_oo ||x||_oo ||b||_oo eps threshold   as printed beside the check
///     rmax_printed lu_printed rmax_per_gpu_printed lu_per_gpu_printed rmax_tflops_per_gpu_printed
///     time_printed lu_time_printed refinement_time_printed, with _min and _max over the ranks (NVIDIA)
///     iterations             number of the refinement's last iteration
///     last_norm last_residual   what that iteration printed
///     factorisation          "full" or "warmup" (RIKEN)
///     skipped                a part that the run skipped: "LU", "IR", ...
///     matrix                 "ddmat", strictly diagonally dominant, or "hmat" (RIKEN)
///     one_rate               the row has one rate, and does not name its time (HPL-AI 20.10)
///     echoed                 "yes", or which of the result's sizes the run did not announce
///     host_memory_needed_gb host_memory_available_gb, device_ likewise   of each process
///     ranks                  processes of the run
///     started ended          ctime() stamps around the solver
///     date                   "2026-08-21", from time stamps that the program printed
///     submitted_*            what OpenMxP repeats for the submission
///     tests_passed tests_failed tests_unchecked tests_skipped rows_passed rows_failed end_of_tests
extern const Parser hpl_mxp;

}  // namespace shakedown::parser
