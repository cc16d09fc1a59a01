#pragma once
#include "parsers/parser.hpp"

namespace shakedown::parser {

/// HPCG's results: the report of HPCG 2.4 to 3.1 (nested, flat, or on a console among other lines), which
/// Intel's, NVIDIA's, AMD's and Arm's builds print, too; and the summaries that NVIDIA's releases before 23
/// and rocHPCG print on their consoles, and Intel's one line, all three without the benchmark's verdict.
///
/// Implementations: official, nvidia, amd (rocHPCG), intel, arm (HPCG_for_Arm), reference (our own). A report
/// that doesn't name its build is `official`.
///
/// Parameters: procs threads gnx gny gnz npx npy npz nx ny nz.
/// Metrics: rating_gflops, raw_gflops, convergence_gflops, total_time_s, memory_total_gb, memory_system_gb
/// (linear system and CG), unknowns, nonzeros, bandwidth_gb_s (by HPCG's own count of bytes, not measured).
///
/// Facts, each only where the log has it, numbers as printed:
///
///     verdict                VALID or INVALID; of a console only INVALID
///     verdict_words          the words by which the report declares the result INVALID
///     <every `fact` of hpcg_keys()>, but those in HpcgCoarseGrid and HpcgLayer
///     layers                 "0-0:16 1-1:24": heights of the local domains by z of the process grid, where
///                            they differ
///     coarse_equations_<k> coarse_nonzeros_<k> coarse_memory_<k>  of coarse grid k, from 1
///     release                the report's version
///     reference_kernels      "ComputeSPMV, ComputeMG": what was not optimised
///     excerpt                "yes": a report without its beginning
///     source                 "report", "console" (a vendor's summary), "stdout" (Intel's line), "log"
///     (HPCG's
///                            log of its iterations)
///     log_sets               CG sets that such a log reports
///     failure                what ended a run without results
///     console_<rate> console_<rate>_gb_s console_<rate>_per_process  rates of a vendor's summary, GFLOP/s:
///                            ddot waxpby spmv symgs mg total final
///     console_iterations console_sets  of NVIDIA's older summary
///     console_started        "yes": NVIDIA's program printed its modes; a mode not printed is off
///     benchmark_mode         "on, --bi 4": NVIDIA's mode without the reference run
///     l2_compression         "on": NVIDIA's
///     execution              "GPU-Only", "Grace-Only", "GPU+Grace": NVIDIA's
///     engineering_version    "yes": NVIDIA's, not to be shared
///     int64_indexing         "on": NVIDIA's
///     gpu                    its name
extern const Parser hpcg;

}  // namespace shakedown::parser
