#include "orchestrator/launch/attempt/cgroup.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "orchestrator/launch/attempt/machine.hpp"

namespace attempt {

namespace {

constexpr char prefix[] = "shakedown-";

/// The inode of the PID namespace, the part of the wrapper's space that a file's name can hold.
unsigned long long pid_namespace(const Origin& origin) {
  return strtoull(origin.space, nullptr, 10);
}

}  // namespace

namespace {

bool find_own_cgroup(char* path, size_t size) {
  char text[4096];
  if (!read_small("/proc/self/cgroup", text, sizeof text)) return false;
  const char* line = strncmp(text, "0::", 3) == 0 ? text : strstr(text, "\n0::");
  if (line == nullptr) return false;
  line += line == text ? 3 : 4;
  const int length = static_cast<int>(strcspn(line, "\n"));
  // Alone, or beside the hierarchies of version 1.
  constexpr const char* mounts[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
  for (const char* mount : mounts) {
    snprintf(path, size, "%s/cgroup.controllers", mount);
    if (access(path, F_OK) != 0) continue;
    const int n = snprintf(path, size, "%s%.*s", mount, strcmp(line, "/") == 0 ? 0 : length, line);
    while (n > 0 && path[strlen(path) - 1] == '/') path[strlen(path) - 1] = '\0';
    return n > 0 && static_cast<size_t>(n) < size && access(path, F_OK) == 0;
  }
  return false;
}

}  // namespace

bool own_cgroup(char* path, size_t size) {
  // Looked up once: the wrapper stays where it began.
  static char known[1024];
  static const bool found = find_own_cgroup(known, sizeof known);
  return found && snprintf(path, size, "%s", known) < static_cast<int>(size);
}

bool make_cgroup(const Origin& self, char* path, size_t size) {
  char parent[1024];
  if (!own_cgroup(parent, sizeof parent)) return false;
  const int n = snprintf(path, size, "%s/%s%llu-%d-%llu", parent, prefix, pid_namespace(self), self.pid,
                         self.start_ticks);
  return n > 0 && static_cast<size_t>(n) < size && mkdir(path, 0755) == 0;
}

void enter_cgroup(const char* path) {
  char file[2048];
  snprintf(file, sizeof file, "%s/cgroup.procs", path);
  const int fd = open(file, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t n = write(fd, "0", 1);  // else it stays in ours
  close(fd);
}

void remove_cgroup(const char* path) {
  rmdir(path);
}

bool origin_of_cgroup(const char* name, const Origin& self, Origin& origin) {
  unsigned long long space = 0;
  if (sscanf(name, "shakedown-%llu-%d-%llu", &space, &origin.pid, &origin.start_ticks) != 3) return false;
  return space == pid_namespace(self) && origin.pid > 0 && origin.start_ticks > 0;
}

void for_processes_in(const char* path, void (*each)(void* context, pid_t pid), void* context) {
  char file[2048];
  snprintf(file, sizeof file, "%s/cgroup.procs", path);
  FILE* list = fopen(file, "re");
  if (list == nullptr) return;
  char line[64];
  while (fgets(line, sizeof line, list) != nullptr)
    if (const long pid = strtol(line, nullptr, 10); pid > 0) each(context, static_cast<pid_t>(pid));
  fclose(list);
}

}  // namespace attempt
