#include "orchestrator/launch/attempt/machine.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <algorithm>
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
  // The lines of the CPUs come first; of a thousand they have 80 KB.
  static char text[256 << 10];
  const int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return time;
  size_t size = 0;
  ssize_t n = 0;
  while (size + 1 < sizeof text && (n = read(fd, text + size, sizeof text - 1 - size)) > 0) {
    size += static_cast<size_t>(n);
    text[size] = '\0';
    if (strstr(text + size - static_cast<size_t>(n), "\nintr") != nullptr) break;
  }
  close(fd);
  text[size] = '\0';
  for (char* line = text; strncmp(line, "cpu", 3) == 0;) {
    char* rest = line + 3;
    if (*rest == ' ') {
      double v[8] = {};  // user nice system idle iowait irq softirq steal
      for (double& value : v) value = strtod(rest, &rest);
      time.busy = v[0] + v[1] + v[2] + v[5] + v[6];
      time.steal = v[7];
      time.all = time.busy + time.steal + v[3] + v[4];
    } else {
      ++time.cpus;
    }
    char* end = strchr(rest, '\n');
    if (end == nullptr) break;
    line = end + 1;
  }
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

namespace {

/// Copies up to the next ':' and goes behind it. False: there is none, or no room.
bool take(const char*& text, char* into, size_t size) {
  const char* end = strchr(text, ':');
  if (end == nullptr || static_cast<size_t>(end - text) >= size) return false;
  memcpy(into, text, static_cast<size_t>(end - text));
  into[end - text] = '\0';
  text = end + 1;
  return true;
}

}  // namespace

bool read_process(pid_t pid, ProcessFacts& facts) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  char text[1024];
  if (!read_small(path, text, sizeof text)) return false;
  const char* name = strchr(text, '(');
  const char* rest = strrchr(text, ')');
  if (name == nullptr || rest == nullptr || rest[1] != ' ') return false;
  snprintf(facts.command, sizeof facts.command, "%.*s", static_cast<int>(rest - name - 1), name + 1);
  facts.state = rest[2];
  int field = 2;
  for (const char* p = rest; *p != '\0'; ++p)
    if (*p == ' ' && ++field == 9) {
      constexpr unsigned long kernel_thread = 0x00200000;  // PF_KTHREAD
      facts.of_kernel = (strtoul(p + 1, nullptr, 10) & kernel_thread) != 0;
    } else if (*p == ' ' && field == 22) {
      facts.start_ticks = strtoull(p + 1, nullptr, 10);
      return true;
    }
  return false;
}

bool KernelThreads::has(pid_t pid) const {
  return std::binary_search(pids, pids + count, pid);
}

void read_kernel_threads(KernelThreads& threads) {
  constexpr pid_t parent_of_all = 2;
  threads.count = 0;
  ProcessFacts facts;
  if (!read_process(parent_of_all, facts) || !facts.of_kernel) return;
  FILE* file = fopen("/proc/2/task/2/children", "re");
  if (file == nullptr) return;
  threads.pids[threads.count++] = parent_of_all;
  long pid = 0;
  while (threads.count < KernelThreads::most && fscanf(file, "%ld", &pid) == 1)
    threads.pids[threads.count++] = static_cast<pid_t>(pid);
  fclose(file);
  std::sort(threads.pids, threads.pids + threads.count);
}

bool is_running(pid_t pid, unsigned long long start_ticks) {
  ProcessFacts facts;
  return read_process(pid, facts) && facts.start_ticks == start_ticks && facts.state != 'Z' &&
         facts.state != 'X';
}

Origin this_origin() {
  static Origin self;  // its boot and namespaces are those of whoever forked this process
  if (self.boot[0] == '\0') {
    read_small("/proc/sys/kernel/random/boot_id", self.boot, sizeof self.boot);
    self.boot[strcspn(self.boot, "\n")] = '\0';
    struct stat pids = {};
    struct stat clocks = {};
    if (stat("/proc/self/ns/pid", &pids) == 0)
      snprintf(self.space, sizeof self.space, "%llu", static_cast<unsigned long long>(pids.st_ino));
    if (const size_t n = strlen(self.space); stat("/proc/self/ns/time", &clocks) == 0)
      snprintf(self.space + n, sizeof self.space - n, "%s%llu", n > 0 ? "/" : "",
               static_cast<unsigned long long>(clocks.st_ino));
  }
  self.pid = getpid();
  ProcessFacts facts;
  self.start_ticks = read_process(self.pid, facts) ? facts.start_ticks : 0;
  if (getcwd(self.folder, sizeof self.folder) == nullptr) self.folder[0] = '\0';
  return self;
}

bool write_origin(const Origin& origin, char* text, size_t size) {
  const int n = snprintf(text, size, "%s:%s:%d:%llu:%s", origin.boot, origin.space, origin.pid,
                         origin.start_ticks, origin.folder);
  return n > 0 && static_cast<size_t>(n) < size;
}

bool read_origin(const char* text, Origin& origin) {
  char pid[32];
  char ticks[32];
  if (!take(text, origin.boot, sizeof origin.boot) || !take(text, origin.space, sizeof origin.space) ||
      !take(text, pid, sizeof pid) || !take(text, ticks, sizeof ticks))
    return false;
  origin.pid = static_cast<pid_t>(strtol(pid, nullptr, 10));
  origin.start_ticks = strtoull(ticks, nullptr, 10);
  snprintf(origin.folder, sizeof origin.folder, "%s", text);
  return origin.pid > 0 && origin.start_ticks > 0;
}

bool is_known_here(const Origin& origin, const Origin& self) {
  return origin.boot[0] != '\0' && strcmp(origin.boot, self.boot) == 0 &&
         strcmp(origin.space, self.space) == 0;
}

}  // namespace attempt
