#include "orchestrator/launch/attempt/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
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

/// Whether the filesystem here keeps one journal, to which it adds in order: ext4 that has one, XFS. A sync
/// of a folder then also makes durable whatever was changed before it, whose data was written: names, sizes,
/// and where the data lies. One flush of the disk serves all files of an attempt, instead of one each.
bool keeps_one_journal() {
  struct statfs filesystem = {};
  struct stat here = {};
  if (statfs(".", &filesystem) != 0 || stat(".", &here) != 0) return false;
  if (filesystem.f_type == XFS_SUPER_MAGIC) return true;
  if (filesystem.f_type != EXT4_SUPER_MAGIC) return false;  // ext2 has the same
  char path[512];
  char device[256] = {};
  snprintf(path, sizeof path, "/sys/dev/block/%u:%u", major(here.st_dev), minor(here.st_dev));
  if (readlink(path, device, sizeof device - 1) <= 0) return false;
  const char* name = strrchr(device, '/');
  if (name == nullptr) return false;
  snprintf(path, sizeof path, "/sys/fs/ext4%s/journal_task", name);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  char task[8] = {};  // of its journal; "<none>": it has none
  const bool is_read = file >= 0 && read(file, task, sizeof task - 1) > 0;
  if (file >= 0) close(file);
  return is_read && task[0] >= '0' && task[0] <= '9';
}

/// Waits until the data of a file is on its way to the disk and its place there is in the filesystem's
/// journal
/// (`keeps_one_journal`), or until it is on the disk.
int sync_data(int fd, bool journal_follows) {
  constexpr unsigned wait = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  return journal_follows ? sync_file_range(fd, 0, 0, wait) : fdatasync(fd);
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
  const bool journal_follows = keeps_one_journal();  // `publish` syncs this folder
  // All begin to be written before the first is waited for.
  constexpr int most_at_once = 128;
  int files[most_at_once];
  int count = 0;
  const auto wait_for_all = [&] {
    for (int i = 0; i < count; ++i) {
      if (sync_data(files[i], journal_follows) != 0 && failed == 0) failed = errno;
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
  const bool journal_follows = keeps_one_journal();
  const bool synced = sync_data(prepared, journal_follows) == 0;
  const int code = errno;
  close(prepared);
  errno = code;
  if (!synced || rename(unfinished, "finished.json") != 0 || !sync_folder(".")) return false;
  return journal_follows || (sync_folder("..") && sync_folder("../.."));
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
