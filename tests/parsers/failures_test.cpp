#include "parsers/failures.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace shakedown;

namespace {

std::optional<Failure> of(std::string_view text) {
  return failure_in(LogLine{text, 7, true});
}

struct Told {
  const char* line;
  FailureKind kind;
};

using Kind = FailureKind;

/// As the programs print them.
const std::vector<Told> reported = {
    // Slurm
    {"slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2025-03-01T10:00:00 DUE TO TIME LIMIT ***",
     Kind::time_limit},
    {"slurmstepd: error: *** STEP 123.0 ON n1 CANCELLED AT 2025-03-01T10:00:00 DUE TO TIME LIMIT ***",
     Kind::time_limit},
    {"JobState=TIMEOUT Reason=TimeLimit Dependency=(null)", Kind::time_limit},
    {"123.batch|TIMEOUT|0:15", Kind::time_limit},
    {"slurmstepd: error: *** JOB 9 ON cn001 CANCELLED AT 2025-03-01T10:00:00 DUE TO PREEMPTION ***",
     Kind::preempted},
    {"slurmstepd: error: *** JOB 9 ON cn001 CANCELLED AT 2025-03-01T10:00:00 DUE TO NODE FAILURE, SEE "
     "SLURMCTLD LOG FOR DETAILS ***",
     Kind::node_failure},
    {"srun: error: Node failure on cn017", Kind::node_failure},
    {"salloc: error: Node failure on worker-1", Kind::node_failure},
    {"JobState=NODE_FAIL Reason=NodeDown Dependency=(null)", Kind::node_failure},
    {"slurmstepd: error: *** STEP 3495450.0 ON orion-01-04 CANCELLED AT 2021-10-27T20:22:22 ***",
     Kind::cancelled},
    {"slurmstepd: error: Detected 1 oom_kill event in StepId=11300781.0. Some of the step tasks have been "
     "OOM "
     "Killed.",
     Kind::out_of_memory},
    {"slurmstepd: error: Detected 2 oom_kill events in StepId=13.0. Some of the step tasks have been OOM "
     "Killed.",
     Kind::out_of_memory},
    {"slurmstepd: error: Detected 1 oom-kill event(s) in StepId=191.batch cgroup. Some of your processes may "
     "have been killed by the cgroup out-of-memory handler.",
     Kind::out_of_memory},
    {"srun: error: Orion-01-01: task 4: Out Of Memory", Kind::out_of_memory},
    {"slurmstepd: error: Exceeded job memory limit at some point.", Kind::out_of_memory},
    {"123|OUT_OF_ME+|0:125", Kind::out_of_memory},
    {"srun: error: Orion-18-69: task 289: Bus error", Kind::signal},
    {"srun: error: cn003: task 3: Killed", Kind::signal},
    {"srun: error: cn003: tasks 0-7: Segmentation fault (core dumped)", Kind::signal},
    {"srun: error: cn003: task 3: Exited with exit code 134", Kind::nonzero_exit},
    {"srun: Job step aborted: Waiting up to 32 seconds for job step to finish.", Kind::nonzero_exit},
    {"slurmstepd: error: execve(): ./xhpl: No such file or directory", Kind::program_missing},
    {"srun: error: Unable to create step for job 77: More processors requested than permitted",
     Kind::launch_failed},
    // PBS, LSF, PALS
    {"=>> PBS: job killed: walltime 3630 exceeded limit 3600", Kind::time_limit},
    {"TERM_RUNLIMIT: job killed after reaching LSF run time limit.", Kind::time_limit},
    {"TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.", Kind::out_of_memory},
    {"launch failed on x3006c0s1b1n0: Couldn't allocate a port for PMI to use", Kind::launch_failed},
    {"x1000c0s0b0n0.hostmgmt2000: rank 3 died from signal 9", Kind::signal},
    // Open MPI
    {"MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD", Kind::mpi_abort},
    {"ORTE has lost communication with a remote daemon.", Kind::node_failure},
    {"ORTE has lost communication with its daemon located on node:", Kind::node_failure},
    {"An ORTE daemon has unexpectedly failed after launch and before", Kind::node_failure},
    {"ORTE was unable to reliably start one or more daemons.", Kind::launch_failed},
    {"There are not enough slots available in the system to satisfy the 8", Kind::launch_failed},
    {"mpirun was unable to find the specified executable file, and therefore", Kind::program_missing},
    {"mpirun noticed that process rank 0 with PID 10313 on node proton exited on signal 6 (Aborted).",
     Kind::signal},
    {"prterun detected that one or more processes exited with non-zero status,", Kind::nonzero_exit},
    {"[cn001:04711] *** An error occurred in MPI_Allreduce", Kind::mpi_error},
    {"[cn001:04711] Signal: Segmentation fault (11)", Kind::signal},
    // MPICH, Hydra
    {"Abort(1) on node 0 (rank 0 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 1) - process 0",
     Kind::mpi_abort},
    {"Fatal error in PMPI_Recv: Other MPI error, error stack:", Kind::mpi_error},
    {"=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES", Kind::nonzero_exit},
    {"=   KILLED BY SIGNAL: 9 (Killed)", Kind::signal},
    {"YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)", Kind::signal},
    {"YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Interrupt (signal 2)", Kind::cancelled},
    {"YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Terminated (signal 15)", Kind::cancelled},
    {"ibv_reg_mr(addr=0x7f) failed: Cannot allocate memory : Please set max locked memory (ulimit -l) to "
     "'unlimited'",
     Kind::mpi_error},
    {"ib_mlx5_log.c:177  Transport retry count exceeded on mlx5_0:1/IB (synd 0x15 vend 0x81 hw_synd 0/0)",
     Kind::node_failure},
    {"[proxy:0:0@cn001] HYDU_create_process (utils/launch/launch.c:73): execvp error on file ./xhpl (No such "
     "file or directory)",
     Kind::program_missing},
    // The shell, the loader, the C++ library, the kernel
    {"./xhpl: error while loading shared libraries: libmpi.so.40: cannot open shared object file: No such "
     "file or directory",
     Kind::program_missing},
    {"./xhpl: symbol lookup error: undefined symbol: dgemm_", Kind::program_missing},
    {"./xhpl: /lib64/libc.so.6: version `GLIBC_2.34' not found (required by ./xhpl)", Kind::program_missing},
    {"terminate called after throwing an instance of 'std::runtime_error'", Kind::signal},
    {"bash: xhpcg: command not found", Kind::program_missing},
    {"/var/spool/slurmd/job00191/slurm_script: line 28:  8156 Killed                  python3 main.py",
     Kind::signal},
    {"Killed", Kind::signal},
    {"Terminated", Kind::cancelled},
    {"terminate called after throwing an instance of 'std::bad_alloc'", Kind::out_of_memory},
    {"fork: Cannot allocate memory", Kind::out_of_memory},
    {"[41812.3] Out of memory: Killed process 20731 (xhpl) total-vm:131072kB, anon-rss:1kB",
     Kind::out_of_memory},
    {"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=step_0,mems_allowed=0-1",
     Kind::out_of_memory},
    {"[ 1843.3] mce: [Hardware Error]: Machine check events logged", Kind::node_failure},
    {"Kernel panic - not syncing: Fatal machine check", Kind::node_failure},
    {"fwrite: No space left on device", Kind::storage},
    {"open(/lustre/home/x): Disk quota exceeded", Kind::storage},
    {"ior ERROR: write() failed, errno 108, Cannot send after transport endpoint shutdown", Kind::storage},
    {"cat: /nfs/x: Stale file handle", Kind::storage},
    {"Program received signal SIGFPE: Floating point exception - erroneous arithmetic operation.",
     Kind::numerical},
    {"RuntimeError: found NaN in local forward loss calculation", Kind::numerical},
    // GPUs
    {"RuntimeError: CUDA error: out of memory", Kind::gpu_out_of_memory},
    {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of",
     Kind::gpu_out_of_memory},
    {"CUDA_ERROR_OUT_OF_MEMORY", Kind::gpu_out_of_memory},
    {"CUBLAS error: CUBLAS_STATUS_ALLOC_FAILED", Kind::gpu_out_of_memory},
    {"hipErrorOutOfMemory: out of memory", Kind::gpu_out_of_memory},
    {"cudaMalloc of 85899345920 bytes failed: out of memory", Kind::gpu_out_of_memory},
    {"CUDA error: an illegal memory access was encountered", Kind::gpu_error},
    {"CUDA error: uncorrectable ECC error encountered", Kind::gpu_error},
    {"HPL ERROR: CUBLAS initialization failed", Kind::gpu_error},
    {"NVRM: Xid (PCI:0000:44:00): 79, GPU has fallen off the bus.", Kind::gpu_error},
    {"kernel: NVRM: Xid (PCI:0000:3b:00): 94, pid=4711, name=xhpl, Contained: SM (0x1).", Kind::gpu_error},
    {"Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system",
     Kind::gpu_error},
    {"Memory access fault by GPU node-4 (Agent handle: 0x55) on address 0x7f. Reason: Unknown.",
     Kind::gpu_error},
    {"cudaErrorIllegalAddress: an illegal memory access was encountered", Kind::gpu_error},
    // NCCL
    {"ncclCommInitRank failed: unhandled system error", Kind::nccl_error},
    {"kolyoz2:25146:25854 [0] ib_plugin.c:1105 NCCL WARN NET/IB : Got completion from peer 10.0.35.1<49189> "
     "with error 4, opcode 5327, len 5327, vendor err 81 (Send)",
     Kind::nccl_error},
    {"ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.",
     Kind::nccl_error},
    {"[rank3]:[E ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout: "
     "WorkNCCL(SeqNum=21, OpType=ALLREDUCE)",
     Kind::nccl_error},
    {"cn001: Test NCCL failure common.cu:1012 'internal error - please report this issue'", Kind::nccl_error},
};

}  // namespace

TEST_CASE("a line of a scheduler, launcher, kernel or library gives the kind of failure") {
  for (const auto& [line, kind] : reported) {
    INFO(line);
    const auto failure = of(line);
    REQUIRE(failure.has_value());
    if (!failure) continue;
    CHECK(to_string(failure->kind) == to_string(kind));
    CHECK(failure->line == 7);
    CHECK(failure->weight >= 1);
    CHECK(failure->text.starts_with("line 7: "));
    CHECK(failure->text.find(std::string(line).substr(0, 20)) != std::string::npos);
  }
}

TEST_CASE("lines that only look like a failure never count") {
  for (const char* line : {
           "srun: warning: can't run 1 processes on 8 nodes, setting nnodes to 1",
           "[cn001:1] PMIX ERROR: ERROR in file gds_ds12_lock_pthread.c at line 168",
           "WARNING: There was an error initializing an OpenFabrics device.",
           "bash: /usr/bin/tclsh: No such file or directory",
           "unable to open mca_btl_openib: librdmacm.so.1: No such file or directory (ignored)",
           "[0] NCCL INFO NET/Plugin : dlerror=libnccl-net.so: No such file or directory",
           "cn001:1:9 [0] misc/socket.cc:483 NCCL WARN Connection refused, retrying",
           "ERROR: ld.so: object 'libdarshan.so' from LD_PRELOAD cannot be preloaded: ignored.",
           "libibverbs: Warning: couldn't load driver 'librxe-rdmav34.so'",
           "oom_kill 0",
           "oom_kill_disable 0",
           "CUDA_DEVICE_ORDER=PCI_BUS_ID",
           "export NCCL_ASYNC_ERROR_HANDLING=1",
           "note: on out of memory the job is resubmitted",
           "echo \"if killed: JobState=TIMEOUT is resubmitted\"",
           "+ grep 'DUE TO TIME LIMIT' slurm-17.out",
           "Primary job  terminated normally, but 1 process returned",
           "WC11C2R4       46080   192    16    32              12.91             5.0523e+03",
           "",
       }) {
    INFO(line);
    CHECK_FALSE(of(line).has_value());
  }
}

TEST_CASE("the cause of a whole text is its weightiest line, and of two as weighty the first") {
  TextSource text = TextSource::of(
      "srun: error: cn003: task 3: Killed\n"
      "slurmstepd: error: Detected 1 oom_kill event in StepId=13.0. Some of the step tasks have been OOM "
      "Killed.\n"
      "slurmstepd: error: *** STEP 13.0 ON cn003 CANCELLED AT 2025-03-01T10:00:00 DUE TO TIME LIMIT ***\n"
      "srun: error: cn003: task 0: Exited with exit code 137\n");
  const Failure failure = failure_of_text(text).value();
  CHECK(failure.kind == FailureKind::out_of_memory);
  CHECK(failure.line == 2);
  CHECK(failure.weight == 4);
}

TEST_CASE("a step that srun cancels because a process failed was cancelled by nobody") {
  TextSource failed = TextSource::of(
      "srun: error: cn2: task 1: Exited with exit code 3\n"
      "srun: Terminating StepId=1.0\n"
      "slurmstepd: error: *** STEP 1.0 ON cn1 CANCELLED AT 2025-03-01T10:00:00 ***\n"
      "srun: error: cn1: task 0: Terminated\n");
  CHECK(failure_of_text(failed).value().kind == FailureKind::nonzero_exit);
  TextSource cancelled = TextSource::of(
      "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n"
      "slurmstepd: error: *** STEP 1.0 ON cn1 CANCELLED AT 2025-03-01T10:00:00 ***\n"
      "srun: error: cn1: task 0: Exited with exit code 143\n");
  CHECK(failure_of_text(cancelled).value().kind == FailureKind::cancelled);
}

TEST_CASE("what NCCL complains of hides no cause, a peer that it lost is one") {
  const std::string warn =
      "x3004:1:1 [0] init.cc:1200 NCCL WARN Missing \"iommu=pt\" from kernel command line\n";
  TextSource text = TextSource::of(warn + "srun: error: n1: task 3: Segmentation fault\n");
  CHECK(failure_of_text(text).value().kind == FailureKind::signal);
  TextSource alone = TextSource::of(warn);
  CHECK(failure_of_text(alone).value().weight == 1);
  const auto lost =
      of("cn1:0:1 [0] NCCL WARN NET/IB : Got completion from peer 10.0.0.1 with status=12 opcode=0 len=0");
  REQUIRE(lost.has_value());
  CHECK(lost->weight == 3);
}

TEST_CASE("a text without a word about failure has no result for a reason") {
  TextSource text = TextSource::of("all is well\n");
  const Failure failure = failure_of_text(text).value();
  CHECK(to_string(failure.kind) == "no-result");
  CHECK(failure.weight == 0);
}

TEST_CASE("the kinds of failures have names that never change") {
  CHECK(to_string(FailureKind::benchmark) == "benchmark");
  CHECK(to_string(FailureKind::time_limit) == "time-limit");
  CHECK(to_string(FailureKind::storage) == "storage");
  CHECK(to_string(FailureKind::nonzero_exit) == "nonzero-exit");
  CHECK(to_string(FailureKind::mpi_abort) == "mpi-abort");
}
