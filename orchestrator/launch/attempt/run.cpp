#include "orchestrator/launch/attempt/run.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "orchestrator/launch/attempt/cgroup.hpp"
#include "orchestrator/launch/attempt/command.hpp"
#include "orchestrator/launch/attempt/files.hpp"
#include "orchestrator/launch/attempt/machine.hpp"
#include "orchestrator/launch/attempt/orphans.hpp"
#include "orchestrator/launch/attempt/sha256.hpp"

namespace attempt {

namespace {

constexpr int exit_io = 74;
constexpr int exit_not_ours = 75;

struct Arguments {
  const char* folder = nullptr;
  const char* program = nullptr;  // whose content is hashed; null: none
  Limits limits;
  Around around;
  char** command = nullptr;
};

bool parse(int argc, char** argv, Arguments& arguments) {
  int i = 1;
  for (; i + 1 < argc && strcmp(argv[i], "--") != 0; i += 2) {
    if (strcmp(argv[i], "--folder") == 0)
      arguments.folder = argv[i + 1];
    else if (strcmp(argv[i], "--program") == 0)
      arguments.program = argv[i + 1];
    else if (strcmp(argv[i], "--limit") == 0)
      arguments.limits.limit_s = strtod(argv[i + 1], nullptr);
    else if (strcmp(argv[i], "--grace") == 0)
      arguments.limits.grace_s = strtod(argv[i + 1], nullptr);
    else if (strcmp(argv[i], "--around") != 0 || !arguments.around.add(argv[i + 1]))
      return false;
  }
  if (arguments.folder == nullptr || i + 1 >= argc) return false;
  arguments.command = argv + i + 1;
  return true;
}

/// The executable that will run, and the hash of its content.
struct Program {
  char path[1024] = {};  // longer ones are omitted, so that finished.json stays whole
  char sha256[sha256_text] = {};
};

Program program_of(const Arguments& arguments) {
  Program program;
  if (arguments.program == nullptr || !found_program(arguments.program, program.path, sizeof program.path))
    return {};
  return sha256_of_file(program.path, program.sha256) ? program : Program{};
}

/// Ends processes of attempts whose wrapper was killed, those of `cgroup` (null: none) too; prints how many.
int end_what_is_left(const char* cgroup) {
  static Orphans left;
  end_orphans({.grace_s = 2, .wait_s = 4}, this_origin(), cgroup, left);
  Text text;
  text.add("{");
  add_orphans(text, left);
  text.add("}\n");
  fputs(text.data, stdout);
  return left.count > 0 ? 1 : 0;
}

/// Names this wrapper to all that it will start.
void mark_descendants(const Origin& self) {
  char mark[2048];
  if (write_origin(self, mark, sizeof mark)) setenv(origin_variable, mark, 1);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double cpu_seconds(const rusage& used) {
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

int run(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "--end-orphans") == 0)
    return end_what_is_left(argc > 3 && strcmp(argv[2], "--cgroup") == 0 ? argv[3] : nullptr);
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    fprintf(stderr,
            "usage: attempt --folder DIR [--program FILE] [--limit SECONDS] [--grace SECONDS] "
            "[--around WORD]... -- COMMAND "
            "[ARGUMENT...]\n");
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
  // The terminal of the orchestrator may close, and a batch system sends what it was asked to (--signal).
  for (const int number : ignored_signals) signal(number, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  const Origin self = this_origin();
  char cgroup[2048] = {};
  if (!make_cgroup(self, cgroup, sizeof cgroup)) cgroup[0] = '\0';
  const int claimed = claim(self, cgroup);
  if (claimed != 1 && cgroup[0] != '\0') remove_cgroup(cgroup);
  if (claimed == 0) return exit_not_ours;
  if (claimed < 0) {
    fprintf(stderr, "attempt: cannot write started.json: %s\n", strerror(errno));
    return exit_io;
  }
  mark_descendants(self);
  // It looks while this process makes room, ends what is left, and hashes.
  const Observer begun = begin_look(arguments.around, old_mask);
  reserve();  // where there is no room even now it is tried again at the end
  static Orphans orphans;
  const double grace_s = arguments.limits.grace_s;
  end_orphans({.grace_s = grace_s / 5, .wait_s = 2 * grace_s}, self, nullptr, orphans);
  const Program program = program_of(arguments);
  const Observer observer = looked_before(arguments.around, begun, old_mask);
  rusage used_before = {};
  getrusage(RUSAGE_CHILDREN, &used_before);
  const MachineTime before = machine_time();
  const double started_s = clock_s(CLOCK_REALTIME);
  const double begin = clock_s(CLOCK_MONOTONIC);
  int reason = 0;
  const pid_t pid = start(arguments.command, cgroup, old_mask, reason);
  Ending ending;
  if (pid > 0) ending = watch(pid, arguments.limits, waited, observer.pid);
  // It looks while this process reads its own clocks and writes. Whoever stopped it waits for its end, and
  // for no more.
  const bool looks = !ending.interrupted && let_look(observer);
  if (ending.interrupted) dismiss(observer);
  const double wall_s = (pid > 0 ? ending.ended : clock_s(CLOCK_MONOTONIC)) - begin;
  const double finished_s = clock_s(CLOCK_REALTIME);
  const MachineTime after = machine_time();
  rusage used = {};
  getrusage(RUSAGE_CHILDREN, &used);
  if (cgroup[0] != '\0') remove_cgroup(cgroup);
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
  text.add(",\"started_s\":%.6f,\"finished_s\":%.6f,\"wall_s\":%.6f", started_s, finished_s, wall_s);
  text.add(",\"cpus\":%d,\"job_cpu_s\":%.3f,\"busy_cpu_s\":%.3f,\"steal_cpu_s\":%.3f,\"all_cpu_s\":%.3f",
           after.cpus, cpu_seconds(used) - cpu_seconds(used_before), (after.busy - before.busy) / ticks,
           (after.steal - before.steal) / ticks, (after.all - before.all) / ticks);
  text.add(",\"leftover_processes\":%d,", ending.leftovers);
  add_orphans(text, orphans);
  if (disk_is_full()) text.add(",\"disk_full\":true");
  if (program.sha256[0] != '\0') {
    text.add(",\"program\":");
    text.add_string(program.path);
    text.add(",\"program_sha256\":\"%s\"", program.sha256);
  }
  // Written before the others are synced: the filesystem then commits once for all of them, and once more for
  // its name, without which it is no end.
  const size_t sound = text.size;
  text.add("}\n");
  int prepared = prepare_finished(text);
  const Observer looked =
      ending.interrupted ? Observer{} : looked_after(arguments.around, observer, looks, old_mask);
  if (const int unsynced = prepared < 0 ? 0 : sync_files(); unsynced != 0) {
    close(prepared);
    text.size = sound;
    text.add(",\"unsynced\":");
    text.add_string(strerror(unsynced));
    text.add("}\n");
    prepared = prepare_finished(text);
  }
  if (prepared < 0 || !publish(prepared)) {
    fprintf(stderr, "attempt: cannot write finished.json: %s\n", strerror(errno));
    return exit_io;
  }
  reap(looked);
  return 0;
}

}  // namespace attempt
