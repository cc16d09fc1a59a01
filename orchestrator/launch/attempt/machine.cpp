#include "orchestrator/launch/attempt/machine.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace attempt {

double clock_s(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

bool read_small(const char* path, char* buffer, size_t size) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t n = read(fd, buffer, size - 1);
  close(fd);
  buffer[n > 0 ? n : 0] = '\0';
  return n > 0;
}

MachineTime machine_time() {
  MachineTime time;
  FILE* file = fopen("/proc/stat", "re");
  if (file == nullptr) return time;
  char line[512];
  while (fgets(line, sizeof line, file) != nullptr && strncmp(line, "cpu", 3) == 0) {
    if (line[3] != ' ') {
      ++time.cpus;
      continue;
    }
    double v[8] = {};  // user nice system idle iowait irq softirq steal
    char* rest = line + 3;
    for (double& value : v) value = strtod(rest, &rest);
    time.busy = v[0] + v[1] + v[2] + v[5] + v[6];
    time.steal = v[7];
    time.all = time.busy + time.steal + v[3] + v[4];
  }
  fclose(file);
  return time;
}

double load_average() {
  char text[128];
  return read_small("/proc/loadavg", text, sizeof text) ? strtod(text, nullptr) : 0;
}

bool disk_is_full() {
  struct statvfs space = {};
  constexpr unsigned long long least = 64 << 10;
  return statvfs(".", &space) == 0 && space.f_blocks > 0 && space.f_bavail * space.f_frsize < least;
}

}  // namespace attempt
