#pragma once
#include <span>
#include <string_view>

#include "parsers/failures.hpp"

namespace shakedown {

/// A text by which a line tells of a failure.
struct FailurePattern {
  std::string_view needle;
  FailureKind kind = FailureKind::benchmark;
  int weight = 0;
  std::string_view meaning;  ///< "the time limit ended the job"
  /// One of these stands in the line too; none: the needle is enough, and nothing need be written.
  std::span<const std::string_view> with = {};  // NOLINT(readability-redundant-member-init)
};

/// All of them; the first that matches a line counts. Texts of Slurm, PBS, LSF, Open MPI, MPICH, PALS, the
/// Linux kernel, glibc, the shell, CUDA, HIP and NCCL.
std::span<const FailurePattern> failure_patterns();

/// Texts of lines that never tell of a failure, whatever else stands in them.
std::span<const std::string_view> benign_texts();

}  // namespace shakedown
