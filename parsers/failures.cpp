#include "parsers/failures.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cassert>
#include <utility>
#include <vector>

#include "orchestrator/core/secret.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

bool contains_any(std::string_view text, std::span<const std::string_view> needles) {
  return std::any_of(needles.begin(), needles.end(), [&](std::string_view n) { return contains(text, n); });
}

/// Whether a line has any pattern's needle. Nearly all lines have none: one search rules them out.
bool has_needle(std::string_view text) {
  static const Needles needles = [] {
    std::vector<std::string_view> all = {"Killed", "Terminated"};
    for (const FailurePattern& pattern : failure_patterns()) all.push_back(pattern.needle);
    return Needles(std::move(all));
  }();
  bool found = false;
  needles.search(text, [&](size_t) { found = true; });
  return found;
}

/// In the order of the kinds.
constexpr std::array<std::string_view, static_cast<size_t>(FailureKind::no_result) + 1> kind_names = {
    "benchmark",    "out-of-memory",   "gpu-out-of-memory", "time-limit", "preempted",    "cancelled",
    "node-failure", "gpu-error",       "nccl-error",        "mpi-error",  "mpi-abort",    "numerical",
    "storage",      "program-missing", "launch-failed",     "signal",     "nonzero-exit", "no-result"};

/// Messages that launchers print only after a process of the program has ended badly.
constexpr std::array<std::string_view, 9> aftermaths = {
    "Primary job  terminated normally",            // Open MPI 4
    "detected that one or more processes exited",  // Open MPI 4 and 5
    "exited on signal",                            // Open MPI
    "MPI_ABORT was invoked",                       // Open MPI
    "application called MPI_Abort",                // MPICH
    "BAD TERMINATION OF ONE OF YOUR APPLICATION",  // Hydra
    "Exited with exit code",                       // srun
    "exiting improperly",                          // Open MPI: exit without MPI_Finalize
    "*** An error occurred in MPI_",               // the program's own MPI library
};

/// Whether a line is a shell's trace, a command that only prints, or a remark: text about failures.
bool is_quoted(std::string_view text) {
  constexpr std::array<std::string_view, 5> starts = {"+ ", "echo ", "note:", "Note:", "NOTE:"};
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view s) { return text.starts_with(s); });
}

}  // namespace

std::string_view to_string(FailureKind kind) {
  return kind_names[static_cast<size_t>(kind)];
}

std::optional<FailureKind> failure_kind(std::string_view name) {
  const auto it = std::find(kind_names.begin(), kind_names.end(), name);
  if (it == kind_names.end()) return std::nullopt;
  return static_cast<FailureKind>(it - kind_names.begin());
}

bool reports_started_process(std::string_view stderr_text) {
  return contains_any(stderr_text, aftermaths);
}

std::string quoted_line(int number, std::string_view what, std::string_view line) {
  constexpr size_t most = 160;
  const std::string text = without_secrets(trimmed(line));  // half a secret would not be found
  return fmt::format("line {}: {}: '{}{}'", number, what, std::string_view(text).substr(0, most),
                     text.size() > most ? "..." : "");
}

std::optional<Failure> failure_in(const LogLine& line) {
  if (!has_needle(line.text)) return std::nullopt;
  if (is_quoted(trimmed(line.text)) || contains_any(line.text, benign_texts())) return std::nullopt;
  for (const FailurePattern& pattern : failure_patterns())
    if (contains(line.text, pattern.needle) &&
        (pattern.with.empty() || contains_any(line.text, pattern.with)))
      return Failure{line.number, pattern.weight, quoted_line(line.number, pattern.meaning, line.text),
                     pattern.kind};
  const std::string_view text = trimmed(line.text);
  if (text == "Killed")
    return Failure{line.number, 2, quoted_line(line.number, "a signal ended the run", text),
                   FailureKind::signal};
  if (text == "Terminated")
    return Failure{line.number, 2, quoted_line(line.number, "the run was ended from outside", text),
                   FailureKind::cancelled};
  return std::nullopt;
}

Result<Failure> failure_of_text(TextSource& text) {
  std::optional<Failure> main;
  LogLines lines;
  while (true) {
    const auto piece = text.next();
    if (!piece) return failure_of(piece);
    lines.feed(piece->text, piece->last);
    while (const auto line = lines.next()) note(main, failure_in(*line));
    if (piece->last) break;
  }
  return main.value_or(
      Failure{0, 0, "no line gives the reason why there is no result", FailureKind::no_result});
}

void note(std::optional<Failure>& main, std::optional<Failure> another) {
  if (another && (!main || another->weight > main->weight)) main = std::move(another);
}

namespace {

using Kind = FailureKind;

/// Words that make an allocation one on a GPU.
constexpr std::array<std::string_view, 7> gpu_words = {"CUDA", "cuda", "GPU",   "HIP",
                                                       "hipM", "hipE", "device"};
constexpr std::array<std::string_view, 2> exceeded = {"xceeded", "exceeds"};
constexpr std::array<std::string_view, 3> missing = {"No such file", "Permission denied", "not found"};
constexpr std::array<std::string_view, 1> xid_gone = {"): 79,"};
constexpr std::array<std::string_view, 1> panic = {"not syncing"};
constexpr std::array<std::string_view, 3> locked_memory = {"ibv_", "locked memory", "ulimit -l"};
constexpr std::array<std::string_view, 1> lost_peer = {"Got completion from peer"};
constexpr std::array<std::string_view, 2> older_library = {"version `", "version '"};
constexpr std::array<std::string_view, 8> gpu_faults = {
    "IllegalAddress",   "LaunchFailure",      "LaunchTimeout",     "EccUncorrectable",
    "ECCUncorrectable", "DevicesUnavailable", "MisalignedAddress", "NoDevice"};

constexpr std::array patterns = {
    // Batch systems
    FailurePattern{"DUE TO TIME LIMIT", Kind::time_limit, 4, "the time limit ended the job"},
    FailurePattern{"JobState=TIMEOUT", Kind::time_limit, 4, "the time limit ended the job"},
    FailurePattern{"|TIMEOUT|", Kind::time_limit, 4, "the time limit ended the job"},
    FailurePattern{"PBS: job killed: walltime", Kind::time_limit, 4, "the time limit ended the job"},
    FailurePattern{"TERM_RUNLIMIT", Kind::time_limit, 4, "the time limit ended the job"},
    FailurePattern{"type=timeout", Kind::time_limit, 4, "the time limit ended the job"},
    FailurePattern{"DUE TO PREEMPTION", Kind::preempted, 4, "the job was preempted"},
    FailurePattern{"JobState=PREEMPTED", Kind::preempted, 4, "the job was preempted"},
    FailurePattern{"|PREEMPTED|", Kind::preempted, 4, "the job was preempted"},
    FailurePattern{"DUE TO NODE FAILURE", Kind::node_failure, 4, "a node failed"},
    FailurePattern{"error: Node failure on ", Kind::node_failure, 4, "a node failed"},
    FailurePattern{"NODE_FAIL", Kind::node_failure, 4, "a node failed"},
    FailurePattern{"has lost communication with", Kind::node_failure, 4, "the launcher lost a node"},
    FailurePattern{"daemon has unexpectedly failed", Kind::node_failure, 4, "the launcher lost a node"},
    FailurePattern{"Kernel panic", Kind::node_failure, 4, "a node crashed", panic},
    FailurePattern{"[Hardware Error]: Machine check", Kind::node_failure, 3,
                   "a node reports broken hardware"},
    // Memory of a GPU
    FailurePattern{"CUDA_ERROR_OUT_OF_MEMORY", Kind::gpu_out_of_memory, 4, "out of GPU memory"},
    FailurePattern{"cudaErrorMemoryAllocation", Kind::gpu_out_of_memory, 4, "out of GPU memory"},
    FailurePattern{"hipErrorOutOfMemory", Kind::gpu_out_of_memory, 4, "out of GPU memory"},
    FailurePattern{"_STATUS_ALLOC_FAILED", Kind::gpu_out_of_memory, 4, "out of GPU memory"},
    FailurePattern{"out of memory", Kind::gpu_out_of_memory, 4, "out of GPU memory", gpu_words},
    // Memory that may be pinned for a network adapter
    FailurePattern{"Cannot allocate memory", Kind::mpi_error, 3, "the limit of locked memory is too low",
                   locked_memory},
    // Memory of the host
    FailurePattern{"oom_kill event", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"oom-kill", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"OOM Killed", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{": Out Of Memory", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"=OUT_OF_MEMORY", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"|OUT_OF_ME", Kind::out_of_memory, 4, "out of memory"},  // sacct cuts the state
    FailurePattern{"TERM_MEMLIMIT", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{" memory limit", Kind::out_of_memory, 4, "out of memory", exceeded},
    FailurePattern{"out of memory", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"Out of memory", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"Cannot allocate memory", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"insufficient virtual memory", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"can't allocate memory", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"bad_alloc", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"MemoryError", Kind::out_of_memory, 4, "out of memory"},
    FailurePattern{"problem size too large", Kind::out_of_memory, 4, "the problem does not fit"},
    // Storage
    FailurePattern{"No space left on device", Kind::storage, 4, "the disk is full"},
    FailurePattern{"Disk quota exceeded", Kind::storage, 4, "the quota is used up"},
    FailurePattern{"Read-only file system", Kind::storage, 4, "the file system can't be written"},
    FailurePattern{"Input/output error", Kind::storage, 4, "the file system failed"},
    FailurePattern{"Stale file handle", Kind::storage, 4, "the file system failed"},
    FailurePattern{"Stale NFS file handle", Kind::storage, 4, "the file system failed"},
    FailurePattern{"transport endpoint shutdown", Kind::storage, 4, "the file system dropped this client"},
    FailurePattern{"Transport endpoint is not connected", Kind::storage, 4, "the file system is gone"},
    // GPUs
    FailurePattern{"NVRM: Xid", Kind::gpu_error, 4, "a GPU is gone", xid_gone},
    FailurePattern{"NVRM: Xid", Kind::gpu_error, 3, "the GPU driver reports an error"},
    FailurePattern{"fallen off the bus", Kind::gpu_error, 4, "a GPU is gone"},
    FailurePattern{"GPU is lost", Kind::gpu_error, 4, "a GPU is gone"},
    FailurePattern{"ncorrectable ECC error", Kind::gpu_error, 3, "a GPU's memory is faulty"},
    FailurePattern{"CUDA_ERROR_", Kind::gpu_error, 3, "a CUDA call failed"},
    FailurePattern{"cudaError", Kind::gpu_error, 3, "a CUDA call failed", gpu_faults},
    FailurePattern{"hipError", Kind::gpu_error, 3, "a HIP call failed", gpu_faults},
    FailurePattern{"CUDA error", Kind::gpu_error, 3, "a CUDA call failed"},
    FailurePattern{"CUDA Error", Kind::gpu_error, 3, "a CUDA call failed"},
    FailurePattern{"Cuda failure", Kind::gpu_error, 3, "a CUDA call failed"},
    FailurePattern{"CUDA failure", Kind::gpu_error, 3, "a CUDA call failed"},
    FailurePattern{"no usable GPU", Kind::gpu_error, 4, "there is no usable GPU"},
    FailurePattern{"no usable set of GPUs", Kind::gpu_error, 4, "not all of the node's GPUs are there"},
    FailurePattern{"no CUDA-capable device is detected", Kind::gpu_error, 3, "there is no GPU"},
    FailurePattern{"CUDA driver version is insufficient", Kind::gpu_error, 3, "the GPU driver is too old"},
    FailurePattern{"CUBLAS_STATUS_", Kind::gpu_error, 3, "a cuBLAS call failed"},
    FailurePattern{"CUBLAS initialization failed", Kind::gpu_error, 3, "a cuBLAS call failed"},
    FailurePattern{"CUSOLVER_STATUS_", Kind::gpu_error, 3, "a cuSOLVER call failed"},
    FailurePattern{"CUSPARSE_STATUS_", Kind::gpu_error, 3, "a cuSPARSE call failed"},
    FailurePattern{"HIP error", Kind::gpu_error, 3, "a HIP call failed"},
    FailurePattern{"HSA_STATUS_ERROR", Kind::gpu_error, 3, "a HIP call failed"},
    FailurePattern{"Memory access fault by GPU", Kind::gpu_error, 3, "a GPU read or wrote where it must not"},
    // NCCL and RCCL
    FailurePattern{"Test NCCL failure", Kind::nccl_error, 3, "an NCCL call failed"},
    FailurePattern{"ncclInternalError", Kind::nccl_error, 3, "an NCCL call failed"},
    FailurePattern{"ncclSystemError", Kind::nccl_error, 3, "an NCCL call failed"},
    FailurePattern{"ncclRemoteError", Kind::nccl_error, 3, "an NCCL call failed"},
    FailurePattern{"ncclUnhandledCudaError", Kind::nccl_error, 3, "an NCCL call failed"},
    FailurePattern{"ncclInvalidUsage", Kind::nccl_error, 3, "an NCCL call failed"},
    FailurePattern{"NCCL error", Kind::nccl_error, 3, "an NCCL call failed"},
    FailurePattern{"Watchdog caught collective operation timeout", Kind::nccl_error, 3,
                   "a collective did not end"},
    FailurePattern{"unhandled system error", Kind::nccl_error, 3, "an NCCL call failed"},
    FailurePattern{"unhandled cuda error", Kind::nccl_error, 3, "an NCCL call failed"},
    FailurePattern{"NCCL WARN", Kind::nccl_error, 3, "NCCL lost a peer", lost_peer},
    FailurePattern{"NCCL WARN", Kind::nccl_error, 1, "NCCL complains"},
    // The network
    FailurePattern{"Transport retry count exceeded", Kind::node_failure, 3, "the network lost a peer"},
    // The program
    FailurePattern{"error while loading shared libraries", Kind::program_missing, 3,
                   "the program could not be started"},
    FailurePattern{"symbol lookup error", Kind::program_missing, 3, "the program's libraries do not fit it"},
    FailurePattern{"not found (required by ", Kind::program_missing, 3,
                   "the program's libraries do not fit it", older_library},
    FailurePattern{"unable to find the specified executable", Kind::program_missing, 3,
                   "the program was not found"},
    FailurePattern{"unable to launch the specified application", Kind::program_missing, 3,
                   "the program could not be started"},
    FailurePattern{"Exec format error", Kind::program_missing, 3, "the program is of another architecture"},
    FailurePattern{"execv", Kind::program_missing, 3, "the program could not be started", missing},
    FailurePattern{"Floating point exception", Kind::numerical, 3, "a floating-point trap ended the run"},
    FailurePattern{"found NaN in", Kind::numerical, 3, "a value is not a number"},
    FailurePattern{"oss is nan", Kind::numerical, 3, "a value is not a number"},
    FailurePattern{"oss is NaN", Kind::numerical, 3, "a value is not a number"},
    FailurePattern{"There are not enough slots available", Kind::launch_failed, 3,
                   "the launcher found too few slots"},
    FailurePattern{"was unable to reliably start one or more daemons", Kind::launch_failed, 3,
                   "the launcher could not reach the nodes"},
    FailurePattern{"launch failed on ", Kind::launch_failed, 3, "the launcher could not start the processes"},
    FailurePattern{"Unable to create step for job", Kind::launch_failed, 3,
                   "srun could not start the processes"},
    FailurePattern{"More processors requested than permitted", Kind::launch_failed, 3,
                   "srun was asked for more than the job has"},
    // Ends from outside. They weigh as much as a failed process: srun cancels the step of a failed process,
    // and reports the cancellation later.
    FailurePattern{"Exited with exit code", Kind::nonzero_exit, 2, "the launcher reports a failed process"},
    FailurePattern{"CANCELLED AT", Kind::cancelled, 2, "the job was cancelled"},
    FailurePattern{"JobState=CANCELLED", Kind::cancelled, 2, "the job was cancelled"},
    FailurePattern{"|CANCELLED", Kind::cancelled, 2, "the job was cancelled"},
    FailurePattern{"Sending Ctrl-C", Kind::cancelled, 2, "the run was interrupted"},
    FailurePattern{"KeyboardInterrupt", Kind::cancelled, 2, "the run was interrupted"},
    FailurePattern{"TERM_OWNER", Kind::cancelled, 2, "the job was cancelled"},
    FailurePattern{"Interrupt (signal 2)", Kind::cancelled, 2, "the run was interrupted"},
    FailurePattern{"Terminated (signal 15)", Kind::cancelled, 2, "the run was ended from outside"},
    FailurePattern{"terminate called after throwing", Kind::signal, 2,
                   "an exception that nothing caught ended the run"},
    FailurePattern{"(signal ", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{"KILLED BY SIGNAL", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{"Signal: ", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{"exited on signal", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{"died from signal", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{"Segmentation fault", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{"Bus error", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{"Illegal instruction", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{"core dumped", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{": Killed", Kind::signal, 2, "a signal ended the run"},
    FailurePattern{" Killed  ", Kind::signal, 2, "a signal ended the run"},  // bash: "line 28:  8156 Killed "
    FailurePattern{": Terminated", Kind::cancelled, 2, "the run was ended from outside"},
    FailurePattern{" Terminated  ", Kind::cancelled, 2, "the run was ended from outside"},
    FailurePattern{"*** An error occurred in ", Kind::mpi_error, 2, "the MPI library gave up"},
    FailurePattern{"Fatal error in PMPI_", Kind::mpi_error, 2, "the MPI library gave up"},
    FailurePattern{"Fatal error in internal_", Kind::mpi_error, 2, "the MPI library gave up"},
    FailurePattern{"Fatal error in MPI_", Kind::mpi_error, 2, "the MPI library gave up"},
    // Messages that launchers print afterwards
    FailurePattern{"Job step aborted: ", Kind::nonzero_exit, 1, "srun ended the processes that were left"},
    FailurePattern{"MPI_ABORT was invoked", Kind::mpi_abort, 1, "the program gave up"},
    FailurePattern{"called MPI_Abort", Kind::mpi_abort, 1, "the program gave up"},
    FailurePattern{"BAD TERMINATION", Kind::nonzero_exit, 1, "the launcher reports a failed process"},
    FailurePattern{"mpirun detected", Kind::nonzero_exit, 1, "the launcher reports a failed process"},
    FailurePattern{"mpiexec detected", Kind::nonzero_exit, 1, "the launcher reports a failed process"},
    FailurePattern{"prterun detected", Kind::nonzero_exit, 1, "the launcher reports a failed process"},
    FailurePattern{"command not found", Kind::program_missing, 1, "the program was not found"},
};

constexpr std::array<std::string_view, 12> benign = {
    "NCCL INFO",                                 // dlerror=libnccl-net.so: ... No such file or directory
    "retrying",                                  // NCCL WARN Call to connect returned Connection refused
    "gds_ds12_lock_pthread.c",                   // PMIX ERROR: ERROR in file
    "PMIX ERROR",                                // of PMIx's own shared memory; the run goes on
    "error initializing an OpenFabrics device",  // Open MPI's btl/openib
    "can't run 1 processes on",                  // srun: warning
    "(ignored)",                                 // Open MPI: mca_btl_openib: librdmacm.so.1: cannot open
    "libibverbs: Warning",                       // couldn't load driver
    "cannot be preloaded",                       // ld.so of LD_PRELOAD
    "tclsh: No such file or directory",          // Environment Modules within a container
    "No preset parameters were found",           // Open MPI's btl/openib
    "oom_score_adj",                             // sshd, systemd, containers
};

}  // namespace

std::span<const FailurePattern> failure_patterns() {
  return patterns;
}

std::span<const std::string_view> benign_texts() {
  return benign;
}

Needles::Needles(std::vector<std::string_view> needles) : needles_(std::move(needles)) {
  for (const std::string_view needle : needles_) {
    assert(needle.size() >= shortest);
    for (size_t before = 0; before < 2; ++before) {
      std::uint16_t& first = first_[slot(needle.data() + before)];
      following_.push_back(std::exchange(first, static_cast<std::uint16_t>(following_.size() + 1)));
    }
  }
}

}  // namespace shakedown
