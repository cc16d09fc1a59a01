#include "orchestrator/launch/attempt/orphans.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "orchestrator/launch/attempt/cgroup.hpp"
#include "orchestrator/launch/attempt/machine.hpp"

namespace attempt {

namespace {

/// "<case>/attempt-<k>", the end of an attempt's folder.
const char* attempt_of(const char* folder) {
  const char* slash = strrchr(folder, '/');
  while (slash != nullptr && slash > folder && slash[-1] != '/') --slash;
  return slash == nullptr ? folder : slash;
}

/// Where a process comes from, by its environment.
struct Descent {
  Origin origin;
  char job[32] = {};    // Slurm's
  char node[256] = {};  // of Slurm, on which it runs
  bool is_empty = false;
};

/// A process's environment.
struct Environment {
  char text[256 << 10];
  size_t size = 0;
};

/// False: it is not ours to read. By one read, which ends only where the environment or the room does:
/// between two the process may execute another program.
bool read_environment(pid_t pid, Environment& environment) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", pid);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t n = read(file, environment.text, sizeof environment.text - 1);
  close(file);
  environment.size = n > 0 ? static_cast<size_t>(n) : 0;
  environment.text[environment.size] = '\0';
  return true;
}

/// Where one reading is enough: the environment is not ours to read, or is one without an origin, as those of
/// most processes are.
bool has_no_origin(pid_t pid) {
  static Environment environment;
  if (!read_environment(pid, environment)) return true;
  return environment.size > 0 &&
         memmem(environment.text, environment.size, origin_variable, sizeof origin_variable - 1) == nullptr;
}

/// False: it has no origin, or its environment is not ours to read.
bool read_descent(pid_t pid, Descent& descent) {
  static Environment environment;
  if (!read_environment(pid, environment)) return false;
  const char* text = environment.text;
  const size_t size = environment.size;
  descent.is_empty = size == 0;
  bool found = false;
  for (const char* entry = text; entry < text + size; entry += strlen(entry) + 1) {
    const auto value = [&](const char* name) -> const char* {
      const size_t length = strlen(name);
      return strncmp(entry, name, length) == 0 && entry[length] == '=' ? entry + length + 1 : nullptr;
    };
    if (const char* origin = value(origin_variable)) found = read_origin(origin, descent.origin);
    if (const char* job = value("SLURM_JOB_ID")) snprintf(descent.job, sizeof descent.job, "%s", job);
    if (const char* node = value("SLURMD_NODENAME")) snprintf(descent.node, sizeof descent.node, "%s", node);
  }
  return found;
}

/// This process's own; that of --end-orphans is the attempt that asks for it.
Descent own_descent() {
  Descent own;
  const auto value = [](const char* name) {
    const char* text = getenv(name);
    return text == nullptr ? "" : text;
  };
  read_origin(value(origin_variable), own.origin);
  snprintf(own.job, sizeof own.job, "%s", value("SLURM_JOB_ID"));
  snprintf(own.node, sizeof own.node, "%s", value("SLURMD_NODENAME"));
  return own;
}

/// What is looked for, and what was found in this round.
struct Search {
  const Origin& self;
  const Descent& own;
  Orphans& found;
  SeenProcesses* seen;  // null: none
  bool unread = false;  // a process had no environment: it may be about to execute another program
};

void note_marked(SeenProcesses* seen, pid_t pid) {
  if (seen == nullptr) return;
  if (seen->count < SeenProcesses::most)
    seen->marked[seen->count++] = pid;
  else
    seen->all_seen_s = 0;
}

/// Adds a remaining process of an attempt. `before`: its facts, read before that was known: a process that
/// got its pid since is another one.
void add(Search& search, pid_t pid, const ProcessFacts& before, const char* folder) {
  Orphans& found = search.found;
  ProcessFacts facts;
  if (pid == search.self.pid || !read_process(pid, facts) || facts.state == 'Z' || facts.state == 'X') return;
  if (facts.start_ticks != before.start_ticks) return;
  for (int i = 0; i < found.count; ++i)
    if (found.alive[i].pid == pid) return;
  if (found.count == Orphans::most) return;
  Orphan& orphan = found.alive[found.count++];
  orphan = Orphan();
  orphan.pid = pid;
  orphan.start_ticks = facts.start_ticks;
  snprintf(orphan.command, sizeof orphan.command, "%s", facts.command);
  snprintf(orphan.attempt, sizeof orphan.attempt, "%s", attempt_of(folder));
  char path[64];
  snprintf(path, sizeof path, "/proc/%d", pid);
  struct stat info = {};
  if (stat(path, &info) == 0) orphan.user = info.st_uid;
}

/// Whether the wrapper runs elsewhere, if at all, and the process remains of an earlier attempt of our job:
/// on its nodes a job runs one attempt after the other.
bool is_of_earlier_attempt(const Descent& theirs, const Descent& own) {
  return own.job[0] != '\0' && own.node[0] != '\0' && own.origin.folder[0] != '\0' &&
         strcmp(theirs.job, own.job) == 0 && strcmp(theirs.node, own.node) == 0 &&
         strcmp(theirs.origin.boot, own.origin.boot) == 0 &&
         strcmp(theirs.origin.folder, own.origin.folder) != 0;
}

void look_at_process(Search& search, pid_t pid) {
  ProcessFacts before;
  Descent descent;
  if (has_no_origin(pid) || !read_process(pid, before)) return;
  if (!read_descent(pid, descent)) {
    // One that sleeps has none for good.
    if (descent.is_empty && !before.of_kernel && (before.state == 'R' || before.state == 'D'))
      search.unread = true;
    return;
  }
  note_marked(search.seen, pid);
  const Origin& origin = descent.origin;
  const bool orphan = is_known_here(origin, search.self) ? !is_running(origin.pid, origin.start_ticks)
                                                         : is_of_earlier_attempt(descent, search.own);
  if (orphan) add(search, pid, before, origin.folder);
}

void look_into(Search& search, const char* cgroup) {
  const char* name = strrchr(cgroup, '/');
  Origin origin;
  if (name == nullptr || !origin_of_cgroup(name + 1, search.self, origin) ||
      is_running(origin.pid, origin.start_ticks))
    return;
  for_processes_in(
      cgroup,
      [](void* context, pid_t pid) {
        ProcessFacts facts;
        if (read_process(pid, facts)) add(*static_cast<Search*>(context), pid, facts, "");
      },
      &search);
  remove_cgroup(cgroup);  // stays where something is in it
}

/// All entries of a folder.
template <class Each>
void for_names(const char* path, const Each& each) {
  DIR* folder = opendir(path);
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) each(entry->d_name);
  closedir(folder);
}

/// The pid that was given last; 0: not known.
pid_t last_pid() {
  char text[128];
  if (!read_small("/proc/loadavg", text, sizeof text)) return 0;
  const char* last = strrchr(text, ' ');
  return last == nullptr ? 0 : static_cast<pid_t>(strtol(last, nullptr, 10));
}

void look_at_all(Search& search) {
  const pid_t last = last_pid();
  if (search.seen != nullptr) {
    search.seen->count = 0;
    search.seen->last = last;
    search.seen->all_seen_s = last > 0 ? clock_s(CLOCK_MONOTONIC) : 0;
  }
  static KernelThreads of_kernel;
  read_kernel_threads(of_kernel);
  for_names("/proc", [&](const char* name) {
    if (isdigit(static_cast<unsigned char>(*name)) == 0) return;
    const auto pid = static_cast<pid_t>(strtol(name, nullptr, 10));
    if (!of_kernel.has(pid)) look_at_process(search, pid);
  });
  if (search.seen != nullptr && search.unread) search.seen->all_seen_s = 0;
}

/// Whether it is enough to look at the processes of attempts and at those that began since all were looked
/// at; then it has done so.
bool look_at_new(Search& search) {
  constexpr double most_s = 1;  // too short for all pids to be given once
  constexpr pid_t most_new = 256;
  SeenProcesses* seen = search.seen;
  if (seen == nullptr || seen->all_seen_s == 0) return false;
  const double passed = clock_s(CLOCK_MONOTONIC) - seen->all_seen_s;
  const pid_t last = last_pid();
  if (passed < 0 || passed > most_s || last < seen->last || last - seen->last > most_new) return false;
  const SeenProcesses before = *seen;
  seen->count = 0;
  seen->last = last;
  for (int i = 0; i < before.count; ++i) look_at_process(search, before.marked[i]);
  for (pid_t pid = before.last + 1; pid <= last; ++pid) look_at_process(search, pid);
  if (search.unread) seen->all_seen_s = 0;
  return true;
}

void find(Search& search, const char* cgroup) {
  search.found.count = 0;
  search.unread = false;
  if (!look_at_new(search)) look_at_all(search);
  if (cgroup != nullptr) look_into(search, cgroup);
  char own[1024];
  if (!own_cgroup(own, sizeof own)) return;
  for_names(own, [&](const char* name) {
    char path[2048];
    if (snprintf(path, sizeof path, "%s/%s", own, name) < static_cast<int>(sizeof path))
      look_into(search, path);
  });
}

/// Signals the process that was found, never one that has its pid since.
void send(const Orphan& orphan, int number) {
  const long handle = syscall(SYS_pidfd_open, orphan.pid, 0);
  if (handle < 0) {
    if (errno == ENOSYS && is_running(orphan.pid, orphan.start_ticks)) kill(orphan.pid, number);
    return;
  }
  if (is_running(orphan.pid, orphan.start_ticks))
    syscall(SYS_pidfd_send_signal, static_cast<int>(handle), number, nullptr, 0);
  close(static_cast<int>(handle));
}

/// Whether this process is asked to end; the signal stays for whoever waits for it.
bool is_interrupted() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1 ||
         sigismember(&pending, SIGQUIT) == 1;
}

bool is_same(const Orphan& a, const Orphan& b) {
  return a.pid == b.pid && a.start_ticks == b.start_ticks;
}

const Orphan* same_among(const Orphans& orphans, const Orphan& wanted) {
  for (int i = 0; i < orphans.count; ++i)
    if (is_same(orphans.alive[i], wanted)) return &orphans.alive[i];
  return nullptr;
}

}  // namespace

SeenProcesses* seen_processes = nullptr;

void end_orphans(const OrphanLimits& limits, const Origin& self, const char* cgroup, Orphans& orphans) {
  static Orphans first;  // what forks while it ends is counted once
  static Orphans before;
  const Descent own = own_descent();
  Search search{self, own, orphans, seen_processes};
  constexpr int most_unread = 10;  // rounds: some programs have no environment for good
  const double begin = clock_s(CLOCK_MONOTONIC);
  first.count = 0;
  for (int round = 0;; ++round) {
    find(search, cgroup);
    if (first.count == 0 && orphans.count > 0) first = orphans;
    const double passed = clock_s(CLOCK_MONOTONIC) - begin;
    const bool none = orphans.count == 0 && (!search.unread || round >= most_unread);
    if (none || passed > limits.wait_s || is_interrupted()) break;
    const bool patient = passed < limits.grace_s;
    for (int i = 0; i < orphans.count; ++i) {
      Orphan& orphan = orphans.alive[i];
      const Orphan* known = round > 0 ? same_among(before, orphan) : nullptr;
      orphan.asked = known != nullptr && known->asked;
      if (patient && orphan.asked) continue;
      send(orphan, patient ? SIGTERM : SIGKILL);
      orphan.asked = true;
    }
    before = orphans;
    const timespec pause = {0, orphans.count == 0 ? 5'000'000 : patient ? 30'000'000 : 200'000'000};
    nanosleep(&pause, nullptr);
  }
  orphans.ended = 0;
  for (int i = 0; i < first.count; ++i)
    if (same_among(orphans, first.alive[i]) == nullptr) ++orphans.ended;
}

}  // namespace attempt
