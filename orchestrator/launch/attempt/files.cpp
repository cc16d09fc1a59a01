#include "orchestrator/launch/attempt/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "orchestrator/launch/attempt/machine.hpp"

namespace attempt {

namespace {

bool write_all(int fd, const Text& text) {
  size_t done = 0;
  while (done < text.size) {
    const ssize_t n = write(fd, text.data + done, text.size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

/// Syncs every file here that holds something: logs, and the file that the program writes its result to.
bool sync_files() {
  DIR* folder = opendir(".");
  if (folder == nullptr) return false;
  bool synced = true;
  while (const dirent* entry = readdir(folder)) {
    struct stat info = {};
    if (lstat(entry->d_name, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) continue;
    const int fd = open(entry->d_name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    synced = fdatasync(fd) == 0 && synced;
    close(fd);
  }
  closedir(folder);
  return synced;
}

/// Syncs the names in a folder.
bool sync_folder(const char* name) {
  const int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = folder >= 0 && fsync(folder) == 0;
  if (folder >= 0) close(folder);
  return synced;
}

}  // namespace

int claim() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  char boot[64] = {};
  read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
  boot[strcspn(boot, "\n")] = '\0';
  Text text;
  text.add("{\"schema\":\"shakedown.started/1\",\"host\":");
  text.add_string(host);
  text.add(",\"pid\":%d,\"start_ticks\":%llu,\"boot_id\":", getpid(), start_ticks());
  text.add_string(boot);
  text.add(",\"started_s\":%.6f,\"load_before\":%.2f}\n", clock_s(CLOCK_REALTIME), load_average());
  char temporary[64];
  snprintf(temporary, sizeof temporary, ".started.%d", getpid());
  const int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return -1;
  const bool written = write_all(fd, text);
  close(fd);
  int outcome = -1;
  if (written) outcome = link(temporary, "started.json") == 0 ? 1 : errno == EEXIST ? 0 : -1;
  unlink(temporary);
  return outcome;
}

bool publish(const Text& text) {
  if (!sync_files()) return false;
  const int fd = open("finished.json.tmp", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  const bool written = write_all(fd, text) && fdatasync(fd) == 0;
  close(fd);
  if (!written || rename("finished.json.tmp", "finished.json") != 0) return false;
  return sync_folder(".") && sync_folder("..") && sync_folder("../..");
}

}  // namespace attempt
