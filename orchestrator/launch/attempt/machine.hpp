#pragma once
#include <sys/types.h>
#include <cstddef>
#include <ctime>

namespace attempt {

/// A clock of the system in seconds.
double clock_s(clockid_t id);

/// Reads a file of /proc into `buffer` as a string. False when there is nothing to read.
bool read_small(const char* path, char* buffer, size_t size);

/// Jiffies of all CPUs since boot, from the first line of /proc/stat, and the number of CPUs in it.
struct MachineTime {
  double busy = 0;  // user, nice, system, irq, softirq
  double steal = 0;
  double all = 0;
  int cpus = 0;
};

MachineTime machine_time();

/// The 1-minute load average; 0 where it can't be read.
double load_average();

/// Whether nothing can be written to the filesystem of the working directory any more.
bool disk_is_full();

/// Names the wrapper that a process descends from; each process of an attempt has it in its environment,
/// however it was forked and whatever session it made for itself.
inline constexpr char origin_variable[] = "SHAKEDOWN_ATTEMPT";

/// A wrapper for ever: a pid is another process in another boot or namespace, and after its end.
struct Origin {
  char boot[64] = {};   // boot_id of the kernel
  char space[64] = {};  // its PID and time namespaces
  pid_t pid = 0;
  unsigned long long start_ticks = 0;
  char folder[1024] = {};  // of the attempt
};

/// This process, with the working directory as its folder.
Origin this_origin();

/// "<boot>:<space>:<pid>:<start ticks>:<folder>", and back. False: the text is none, or too long.
bool write_origin(const Origin& origin, char* text, size_t size);
bool read_origin(const char* text, Origin& origin);

/// Whether its pid and time of start mean something to this process.
bool is_known_here(const Origin& origin, const Origin& self);

/// The kernel's facts of a process; false: there is none.
struct ProcessFacts {
  char state = 'X';
  unsigned long long start_ticks = 0;  // field 22 of /proc/PID/stat
  char command[32] = {};               // its name
  bool of_kernel = false;              // a thread of the kernel's own
};
bool read_process(pid_t pid, ProcessFacts& facts);

/// The threads of the kernel's own, which one file names: a large node has thousands of them. Some may be
/// missing; empty where this process can't see them.
struct KernelThreads {
  static constexpr int most = 16384;
  pid_t pids[most];
  int count = 0;
  [[nodiscard]] bool has(pid_t pid) const;
};
void read_kernel_threads(KernelThreads& threads);

/// Whether a process of that pid and time of start runs.
bool is_running(pid_t pid, unsigned long long start_ticks);

}  // namespace attempt
