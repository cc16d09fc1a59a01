// The wrapper that job.sh runs its command under: claims the attempt, keeps the time limit, ends every
// process of the job, and says how it ended. It stands alone (libc only), so that it starts in a fraction of
// a millisecond and runs wherever the job runs.
//
//   attempt --folder DIR [--limit SECONDS] [--grace SECONDS] -- PROGRAM [ARGUMENT...]
//
// In DIR it writes started.json (created only if absent: whoever creates it owns the attempt), stdout.log,
// stderr.log and finished.json (synced to disk: it survives a power loss). SIGTERM or SIGINT end the job
// politely, a second one or SIGQUIT at once. Exit code: 0 when finished.json was written, 75 when the attempt
// belongs to another, 74 on an I/O failure.
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr int exit_io = 74;
constexpr int exit_not_ours = 75;
constexpr int max_processes = 4096;

double clock_s(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// A small text that grows by printf; JSON documents of this program are well below its size.
struct Text {
  char data[8192] = {};
  size_t size = 0;
  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(data + size, sizeof data - size, format, arguments);
    va_end(arguments);
    if (n > 0)
      size += static_cast<size_t>(n) < sizeof data - size ? static_cast<size_t>(n) : sizeof data - size - 1;
  }
  void add_string(const char* text) {
    add("\"");
    for (; *text != '\0'; ++text) {
      const auto c = static_cast<unsigned char>(*text);
      if (c == '"' || c == '\\')
        add("\\%c", c);
      else if (c < 0x20)
        add("\\u%04x", c);
      else
        add("%c", c);
    }
    add("\"");
  }
};

bool read_small(const char* path, char* buffer, size_t size) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t n = read(fd, buffer, size - 1);
  close(fd);
  buffer[n > 0 ? n : 0] = '\0';
  return n > 0;
}

/// Jiffies of all CPUs since boot, from the first line of /proc/stat, and the number of CPUs in it.
struct MachineTime {
  double busy = 0;  // user, nice, system, irq, softirq
  double steal = 0;
  double all = 0;
  int cpus = 0;
};

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

/// Field 22 of /proc/<pid>/stat: with the boot id it names a process for ever.
unsigned long long start_ticks() {
  char text[1024];
  if (!read_small("/proc/self/stat", text, sizeof text)) return 0;
  const char* rest = strrchr(text, ')');
  if (rest == nullptr) return 0;
  unsigned long long ticks = 0;
  int field = 2;
  for (const char* p = rest; *p != '\0'; ++p)
    if (*p == ' ' && ++field == 22) {
      ticks = strtoull(p + 1, nullptr, 10);
      break;
    }
  return ticks;
}

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

/// Creates started.json whole or not at all. 1: ours, 0: it was there, -1: I/O failure.
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

/// All living processes below us, by /proc/*/task/*/children. As a subreaper, we are the parent of every
/// process of the job whose own parent died, so none escapes.
int descendants(pid_t* found) {
  int count = 0;
  pid_t pending[max_processes];
  int left = 0;
  pending[left++] = getpid();
  while (left > 0) {
    const pid_t parent = pending[--left];
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    char text[16384];
    if (!read_small(path, text, sizeof text)) continue;
    char* rest = text;
    while (true) {
      char* end = nullptr;
      const long pid = strtol(rest, &end, 10);
      if (end == rest) break;
      rest = end;
      if (count < max_processes && left < max_processes) {
        found[count++] = static_cast<pid_t>(pid);
        pending[left++] = static_cast<pid_t>(pid);
      }
    }
  }
  return count;
}

/// Signals the command's process group and everything below us (a kernel may not tell of children).
void signal_all(pid_t command, int signal_number) {
  static pid_t found[max_processes];
  kill(-command, signal_number);
  const int count = descendants(found);
  for (int i = 0; i < count; ++i)
    if (getpgid(found[i]) != command) kill(found[i], signal_number);
}

struct Arguments {
  const char* folder = nullptr;
  double limit_s = 0;
  double grace_s = 10;
  char** command = nullptr;
};

bool parse(int argc, char** argv, Arguments& arguments) {
  int i = 1;
  for (; i + 1 < argc && strcmp(argv[i], "--") != 0; i += 2) {
    if (strcmp(argv[i], "--folder") == 0)
      arguments.folder = argv[i + 1];
    else if (strcmp(argv[i], "--limit") == 0)
      arguments.limit_s = strtod(argv[i + 1], nullptr);
    else if (strcmp(argv[i], "--grace") == 0)
      arguments.grace_s = strtod(argv[i + 1], nullptr);
    else
      return false;
  }
  if (arguments.folder == nullptr || i + 1 >= argc) return false;
  arguments.command = argv + i + 1;
  return true;
}

/// Starts the command in a process group of its own. Returns its pid, or 0 with `reason` = errno of exec.
pid_t start(char** command, const sigset_t& old_mask, int& reason) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    reason = errno;
    return 0;
  }
  const int out = open("stdout.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  const int err = open("stderr.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t pid = out < 0 || err < 0 || null < 0 ? -1 : fork();
  if (pid == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // no job without its wrapper
    sigprocmask(SIG_SETMASK, &old_mask, nullptr);
    signal(SIGHUP, SIG_DFL);
    dup2(null, 0);
    dup2(out, 1);
    dup2(err, 2);
    execvp(command[0], command);
    const int code = errno;
    [[maybe_unused]] const ssize_t n = write(report[1], &code, sizeof code);
    _exit(127);
  }
  reason = pid < 0 ? errno : 0;
  if (out >= 0) close(out);
  if (err >= 0) close(err);
  if (null >= 0) close(null);
  close(report[1]);
  if (pid > 0) {
    int code = 0;
    if (read(report[0], &code, sizeof code) == static_cast<ssize_t>(sizeof code)) reason = code;
  }
  close(report[0]);
  if (pid < 0) return 0;
  if (reason != 0) {
    waitpid(pid, nullptr, 0);
    return 0;
  }
  return pid;
}

/// How the command ended, and what we did to it.
struct Ending {
  int status = 0;  // of waitpid
  bool timed_out = false;
  bool interrupted = false;
  int leftovers = 0;  // processes that outlived the command
  double ended = 0;   // monotonic clock
};

/// Waits for the command under its limit, then ends whatever it left behind.
Ending watch(pid_t pid, const Arguments& arguments, const sigset_t& waited) {
  Ending ending;
  const double begin = clock_s(CLOCK_MONOTONIC);
  double kill_at = 0;  // 0: nobody was asked to end yet
  while (true) {
    int status = 0;
    pid_t ended = 0;
    bool done = false;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended != pid) continue;
      ending.status = status;
      done = true;
    }
    if (done || (ended < 0 && errno == ECHILD)) break;

    const double now = clock_s(CLOCK_MONOTONIC);
    if (kill_at == 0 && arguments.limit_s > 0 && now - begin >= arguments.limit_s) {
      ending.timed_out = true;
      signal_all(pid, SIGTERM);
      kill_at = now + arguments.grace_s;
    }
    if (kill_at > 0 && now >= kill_at) {
      signal_all(pid, SIGKILL);
      kill_at = now + 1;
    }
    double next = 3600;
    if (kill_at > 0)
      next = kill_at - now;
    else if (arguments.limit_s > 0)
      next = begin + arguments.limit_s - now;
    next = next < 0.001 ? 0.001 : next > 3600 ? 3600 : next;
    const timespec timeout = {
        static_cast<time_t>(next),
        static_cast<long>(1e9 * (next - static_cast<double>(static_cast<time_t>(next))))};
    const int signal_number = sigtimedwait(&waited, nullptr, &timeout);
    if (signal_number == SIGTERM || signal_number == SIGINT || signal_number == SIGQUIT) {
      const bool at_once = ending.interrupted || signal_number == SIGQUIT;
      ending.interrupted = true;
      signal_all(pid, at_once ? SIGKILL : SIGTERM);
      kill_at = clock_s(CLOCK_MONOTONIC) + (at_once ? 1 : arguments.grace_s);
    }
  }
  ending.ended = clock_s(CLOCK_MONOTONIC);
  // Ranks that outlived mpirun: none may go on computing beside the next case.
  static pid_t found[max_processes];
  const double deadline = clock_s(CLOCK_MONOTONIC) + 10;
  for (int round = 0; clock_s(CLOCK_MONOTONIC) < deadline; ++round) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    const int count = descendants(found);
    if (count == 0) break;
    if (round == 0) ending.leftovers = count;
    for (int i = 0; i < count; ++i) kill(found[i], round < 5 ? SIGTERM : SIGKILL);
    const timespec pause = {0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
  return ending;
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

/// Writes finished.json so that it is there whole or not at all, also after a power loss.
bool publish(const Text& text) {
  if (!sync_files()) return false;
  const int fd = open("finished.json.tmp", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  const bool written = write_all(fd, text) && fdatasync(fd) == 0;
  close(fd);
  if (!written || rename("finished.json.tmp", "finished.json") != 0) return false;
  return sync_folder(".") && sync_folder("..") && sync_folder("../..");
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    fprintf(stderr,
            "usage: attempt --folder DIR [--limit SECONDS] [--grace SECONDS] -- PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  if (chdir(arguments.folder) != 0) {
    fprintf(stderr, "attempt: %s: %s\n", arguments.folder, strerror(errno));
    return exit_io;
  }
  sigset_t waited;
  sigset_t old_mask;
  sigemptyset(&waited);
  constexpr int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGQUIT};
  for (const int number : signals) sigaddset(&waited, number);
  sigprocmask(SIG_BLOCK, &waited, &old_mask);
  signal(SIGHUP, SIG_IGN);  // the terminal of the orchestrator may close
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  const int claimed = claim();
  if (claimed == 0) return exit_not_ours;
  if (claimed < 0) {
    fprintf(stderr, "attempt: cannot write started.json: %s\n", strerror(errno));
    return exit_io;
  }
  const MachineTime before = machine_time();
  const double started_s = clock_s(CLOCK_REALTIME);
  const double begin = clock_s(CLOCK_MONOTONIC);
  int reason = 0;
  const pid_t pid = start(arguments.command, old_mask, reason);
  Ending ending;
  if (pid > 0) ending = watch(pid, arguments, waited);
  const double wall_s = (pid > 0 ? ending.ended : clock_s(CLOCK_MONOTONIC)) - begin;
  const MachineTime after = machine_time();
  rusage used = {};
  getrusage(RUSAGE_CHILDREN, &used);

  Text text;
  text.add("{\"schema\":\"shakedown.finished/1\",\"state\":\"%s\"", pid == 0             ? "not-started"
                                                                    : ending.interrupted ? "interrupted"
                                                                    : ending.timed_out   ? "timed-out"
                                                                                         : "finished");
  if (pid == 0) {
    text.add(",\"reason\":");
    text.add_string(strerror(reason));
  } else if (WIFSIGNALED(ending.status)) {
    text.add(",\"signal\":%d", WTERMSIG(ending.status));
  } else {
    text.add(",\"exit_code\":%d", WEXITSTATUS(ending.status));
  }
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  text.add(",\"started_s\":%.6f,\"finished_s\":%.6f,\"wall_s\":%.6f", started_s, clock_s(CLOCK_REALTIME),
           wall_s);
  text.add(",\"cpus\":%d,\"job_cpu_s\":%.3f,\"busy_cpu_s\":%.3f,\"steal_cpu_s\":%.3f,\"all_cpu_s\":%.3f",
           after.cpus, seconds(used.ru_utime) + seconds(used.ru_stime), (after.busy - before.busy) / ticks,
           (after.steal - before.steal) / ticks, (after.all - before.all) / ticks);
  text.add(",\"leftover_processes\":%d}\n", ending.leftovers);
  if (!publish(text)) {
    fprintf(stderr, "attempt: cannot write finished.json: %s\n", strerror(errno));
    return exit_io;
  }
  return 0;
}
