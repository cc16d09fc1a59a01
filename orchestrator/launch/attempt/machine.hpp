#pragma once
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

}  // namespace attempt
