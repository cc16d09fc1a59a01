#include "suites/io500/reference/guardian.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace io500 {
namespace {

constexpr double patience_s = 120;  ///< for ranks that hang in the file system
constexpr char over = 'o';

// What a signal handler may touch.
volatile sig_atomic_t guardian_process = 0;
volatile sig_atomic_t guardian_pipe = -1;
volatile sig_atomic_t marker_lock = -1;

void interrupted(int signal) {
  static constexpr char words[] = "io500: interrupted; the data files are being removed\n";
  [[maybe_unused]] const ssize_t said = write(STDERR_FILENO, words, sizeof words - 1);
  if (marker_lock >= 0) close(marker_lock);
  if (guardian_pipe >= 0) close(guardian_pipe);
  if (guardian_process > 0)
    while (waitpid(guardian_process, nullptr, 0) < 0 && errno == EINTR) {
    }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// Lets go of rank 0's files: its connections to the launcher must end with it.
void detach(int pipe) {
  setsid();
  dup2(pipe, STDIN_FILENO);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0)
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) dup2(null, descriptor);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
}

[[noreturn]] void guard(const Claim& claim, int pipe) {
  detach(pipe);
  char word = 0;
  ssize_t got = 0;
  do got = read(STDIN_FILENO, &word, 1);
  while (got < 0 && errno == EINTR);
  if (got != 1 || word != over) removed(claim, patience_s);
  _exit(0);
}

}  // namespace

Result<Guardian> Guardian::started(const Claim& claim) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected(system_text("can't make a pipe"));
  const pid_t process = fork();
  if (process < 0) return tl::unexpected(system_text("can't start a process"));
  if (process == 0) {
    close(ends[1]);
    guard(claim, ends[0]);
  }
  close(ends[0]);
  guardian_process = process;
  guardian_pipe = ends[1];
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, interrupted);
  return Guardian(process, ends[1]);
}

Guardian::Guardian(Guardian&& other) noexcept
    : process_(std::exchange(other.process_, -1)), pipe_(std::exchange(other.pipe_, -1)) {}

void Guardian::hand_over(int lock) {
  marker_lock = lock;
}

void Guardian::dismiss() const {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  guardian_process = 0;
  guardian_pipe = -1;
  marker_lock = -1;
  [[maybe_unused]] const ssize_t said = write(pipe_, &over, 1);
  close(pipe_);
  waitpid(process_, nullptr, 0);
}

}  // namespace io500
