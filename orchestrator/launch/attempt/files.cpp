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

constexpr char unfinished[] = "finished.json.tmp";

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

/// A new file: one that others put there, which may be a link to any file, goes away unopened.
int new_file(const char* name) {
  unlink(name);
  return open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/// Syncs the names in a folder.
bool sync_folder(const char* name) {
  const int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = folder >= 0 && fsync(folder) == 0;
  if (folder >= 0) close(folder);
  return synced;
}

}  // namespace

int claim(const Origin& self, const char* cgroup) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  Text text;
  text.add("{\"schema\":\"shakedown.started/1\",\"host\":");
  text.add_string(host);
  text.add(",\"pid\":%d,\"start_ticks\":%llu,\"boot_id\":", self.pid, self.start_ticks);
  text.add_string(self.boot);
  text.add(",\"space\":");
  text.add_string(self.space);
  text.add(",\"session\":%d", getsid(0));
  if (cgroup[0] != '\0') {
    text.add(",\"cgroup\":");
    text.add_string(cgroup);
  }
  text.add(",\"started_s\":%.6f,\"load_before\":%.2f}\n", clock_s(CLOCK_REALTIME), load_average());
  char temporary[64];
  snprintf(temporary, sizeof temporary, ".started.%d", getpid());
  const int fd = new_file(temporary);
  if (fd < 0) return -1;
  const bool written = write_all(fd, text);
  close(fd);
  int outcome = -1;
  if (written) outcome = link(temporary, "started.json") == 0 ? 1 : errno == EEXIST ? 0 : -1;
  unlink(temporary);
  return outcome;
}

bool reserve() {
  const int fd = new_file(unfinished);
  if (fd < 0) return false;
  // Where a filesystem can't reserve, this writes to each block.
  const bool reserved = posix_fallocate(fd, 0, sizeof Text::data) == 0;
  close(fd);
  if (!reserved) unlink(unfinished);
  return reserved;
}

int sync_files() {
  DIR* folder = opendir(".");
  if (folder == nullptr) return errno;
  int failed = 0;
  // All begin to be written before the first is waited for: one commit of the filesystem's journal then
  // serves all of them, instead of one each.
  constexpr int most_at_once = 128;
  int files[most_at_once];
  int count = 0;
  const auto wait_for_all = [&] {
    for (int i = 0; i < count; ++i) {
      if (fdatasync(files[i]) != 0 && failed == 0) failed = errno;
      close(files[i]);
    }
    count = 0;
  };
  while (const dirent* entry = readdir(folder)) {
    struct stat info = {};
    if (lstat(entry->d_name, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) continue;
    const int fd = open(entry->d_name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    if (strcmp(entry->d_name, unfinished) == 0) {  // `publish` waits for it
      close(fd);
      continue;
    }
    files[count++] = fd;
    if (count == most_at_once) wait_for_all();
  }
  wait_for_all();
  closedir(folder);
  return failed;
}

int prepare_finished(const Text& text) {
  // Over what was reserved: not one byte more is needed.
  const int fd = open(unfinished, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0 || (write_all(fd, text) && ftruncate(fd, static_cast<off_t>(text.size)) == 0)) return fd;
  const int code = errno;
  close(fd);
  errno = code;
  return -1;
}

bool publish(int prepared) {
  const bool synced = fdatasync(prepared) == 0;
  const int code = errno;
  close(prepared);
  errno = code;
  if (!synced || rename(unfinished, "finished.json") != 0) return false;
  return sync_folder(".") && sync_folder("..") && sync_folder("../..");
}

void add_orphans(Text& text, const Orphans& orphans) {
  constexpr int most_named = 4;  // a text of ours is short
  text.add("\"orphans_ended\":%d,\"orphans_alive\":%d", orphans.ended, orphans.count);
  if (orphans.count == 0) return;
  text.add(",\"orphans\":[");
  for (int i = 0; i < orphans.count && i < most_named; ++i) {
    const Orphan& each = orphans.alive[i];
    text.add("%s{\"pid\":%d,\"uid\":%u,\"command\":", i > 0 ? "," : "", each.pid, each.user);
    text.add_string(each.command);
    text.add(",\"attempt\":");
    text.add_string(each.attempt);
    text.add("}");
  }
  text.add("]");
}

}  // namespace attempt
