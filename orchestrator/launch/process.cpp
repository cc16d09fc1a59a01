#include "orchestrator/launch/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/connect_pipe.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/writable_pipe.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/stdio.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <list>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/spawn.hpp"

namespace shakedown {

namespace asio = boost::asio;
namespace process = boost::process::v2;

namespace {

/// Boost.Process initializer: a session of its own, so that neither our terminal's Ctrl-C nor our death reach
/// it.
struct NewSession {
  template <class Launcher>
  boost::system::error_code on_exec_setup(Launcher&, const boost::filesystem::path&,
                                          const char* const*) const {
    ::signal(SIGPIPE, SIG_DFL);
    if (::setsid() < 0) return {errno, boost::system::system_category()};
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    return {};
  }
};

/// The same for a short command, which nobody waits for when we are gone.
struct CommandSession : NewSession {
  template <class Launcher>
  boost::system::error_code on_exec_setup(Launcher& launcher, const boost::filesystem::path& path,
                                          const char* const* argv) const {
    if (auto failed = NewSession::on_exec_setup(launcher, path, argv)) return failed;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    return {};
  }
};

/// A command's standard input as a file in memory: it never waits for a reader. Nothing: /dev/null.
class InputFile {
 public:
  explicit InputFile(std::string_view text)
      : fd_(text.empty() ? ::open("/dev/null", O_RDONLY | O_CLOEXEC) : ::memfd_create("input", MFD_CLOEXEC)) {
    if (fd_ < 0 || text.empty()) return;
    if (::write(fd_, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::lseek(fd_, 0, SEEK_SET) == 0)
      return;
    ::close(fd_);
    fd_ = -1;
  }
  ~InputFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

// What a signal handler may touch.
std::atomic<int> interrupt_count{0};
std::atomic<int> interrupt_signal{0};
std::atomic<int> interrupt_event{-1};
std::atomic<bool> hung_up{false};
std::atomic<std::int64_t> interrupt_ns{0};  // when the last one came, by the steady clock
std::atomic<int> unanswered_interrupt{-1};  // whose time a command did not answer in; a count of interrupts

constexpr double answer_after_interrupt_s = 2.5;  // that a command may still take when an interrupt comes
constexpr double answer_once_interrupted_s = 2;   // that one may take which begins after it
constexpr double answers_once_interrupted_s = 4;  // that all of them may take, however many they are
constexpr double look_s = 0.05;                   // between two looks at a command's time
constexpr double end_s = 0.5;                     // that a killed command may take to end

constexpr std::array<int, 3> interrupting = {SIGINT, SIGTERM, SIGHUP};

void note_interrupt(int number) {
  const int saved = errno;
  // A closed terminal sends this twice, by its shell and by the kernel: the second is no further request.
  if (number == SIGHUP && hung_up.exchange(true)) return;
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  interrupt_ns.store(std::int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec);
  interrupt_signal.store(number);
  interrupt_count.fetch_add(1);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(interrupt_event.load(), &one, sizeof one);
  errno = saved;
}

bool is_interrupted() {
  return interrupt_event.load() >= 0 && interrupt_count.load() > 0;
}

/// When a command that began then must have answered, because the user wants the end; steady seconds.
double interrupted_limit_s(double begun_s) {
  if (!is_interrupted()) return std::numeric_limits<double>::infinity();
  const double last_s = Interrupts::last_s();
  return std::min(last_s + answers_once_interrupted_s,
                  std::max(last_s + answer_after_interrupt_s, begun_s + answer_once_interrupted_s));
}

}  // namespace

struct Processes::Loop {
  asio::io_context context{1};
  asio::steady_timer timer{context};
  std::list<asio::posix::stream_descriptor> watched;
  std::list<process::process> children;
  bool woken = false;

  /// Wakes up when the descriptor becomes readable, as a pidfd does at its process's end.
  void wake_once(asio::posix::stream_descriptor& descriptor) {
    descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                          [this](const boost::system::error_code& code) { woken = woken || !code; });
  }

  /// Wakes up on each signal that the eventfd counts.
  void wake_on_signals(asio::posix::stream_descriptor& descriptor) {
    descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                          [this, &descriptor](const boost::system::error_code& code) {
                            if (code) return;
                            std::uint64_t count = 0;
                            [[maybe_unused]] const ssize_t n =
                                ::read(descriptor.native_handle(), &count, sizeof count);
                            woken = true;
                            wake_on_signals(descriptor);
                          });
  }
};

Processes::Processes() : loop_(std::make_unique<Loop>()) {
  if (interrupt_event.load() < 0) return;
  auto& descriptor = loop_->watched.emplace_back(loop_->context, ::dup(interrupt_event.load()));
  loop_->wake_on_signals(descriptor);
}

Processes::~Processes() {
  for (auto& child : loop_->children) child.detach();
}

Result<int> Processes::start(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                             const std::vector<std::string>& environment) {
  const auto pid = spawned(argv, folder, environment);
  if (!pid) return pid;
  try {
    auto& child = loop_->children.emplace_back(loop_->context.get_executor(), *pid);
    const auto position = std::prev(loop_->children.end());
    child.async_wait([this, position](const boost::system::error_code&, int) {
      loop_->woken = true;
      loop_->children.erase(position);
    });
    return pid;
  } catch (const boost::system::system_error& error) {
    return fail_environment(argv.front(), fmt::format("cannot be watched: {}", error.code().message()));
  }
}

Result<void> Processes::watch(int pid) {
  const long handle = ::syscall(SYS_pidfd_open, pid, 0);
  if (handle < 0)
    return fail_environment(fmt::format("process {}", pid),
                            fmt::format("cannot be watched: {}", std::strerror(errno)));
  auto& descriptor = loop_->watched.emplace_back(loop_->context, static_cast<int>(handle));
  loop_->wake_once(descriptor);
  return {};
}

bool Processes::wait(double seconds) {
  loop_->woken = false;
  bool timed_out = false;
  loop_->timer.expires_after(std::chrono::microseconds(static_cast<long long>(seconds * 1e6)));
  loop_->timer.async_wait([&](const boost::system::error_code& code) { timed_out = !code; });
  loop_->context.restart();
  while (!loop_->woken && !timed_out) loop_->context.run_one();
  loop_->timer.cancel();
  loop_->context.restart();
  loop_->context.poll();
  return loop_->woken;
}

Interrupts::Interrupts() {
  interrupt_event.store(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  interrupt_count.store(0);
  hung_up.store(false);
  unanswered_interrupt.store(-1);
  ::signal(SIGPIPE, SIG_IGN);  // a reader of events that went away must not end the campaign
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  for (const int number : interrupting) {
    struct sigaction old = {};
    ::sigaction(number, nullptr, &old);
    if (number == SIGHUP && old.sa_handler == SIG_IGN) continue;  // nohup
    ::sigaction(number, &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  for (const int number : interrupting) {
    struct sigaction old = {};
    ::sigaction(number, nullptr, &old);
    if (old.sa_handler == note_interrupt) ::sigaction(number, &action, nullptr);
  }
  ::close(interrupt_event.exchange(-1));
}

int Interrupts::count() {
  return interrupt_count.load();
}
int Interrupts::last_signal() {
  return interrupt_signal.load();
}
double Interrupts::last_s() {
  return 1e-9 * static_cast<double>(interrupt_ns.load());
}
bool Interrupts::unanswered() {
  return is_interrupted() && unanswered_interrupt.load() == interrupt_count.load();
}

namespace {

/// A short command while it runs. It is killed with its session where its time is over.
class ShortCommand {
 public:
  ShortCommand(const std::string& program, const std::vector<std::string>& arguments, int input,
               double limit_s)
      : program_(program),
        begun_s_(steady_s()),
        limit_s_(limit_s),
        child_(started(context_, pipe_, program, arguments, input)) {}

  /// Runs it to its end, or to the end of its time.
  Result<CommandOutput> result() {
    asio::async_read(pipe_, asio::dynamic_buffer(result_.text),
                     [&](const boost::system::error_code&, size_t) { ended(); });
    child_.async_wait([&](const boost::system::error_code&, int code) {
      result_.exit_code = code;
      ended();
    });
    look_again(look_s);
    context_.run();
    if (still_open_ > 0) child_.detach();  // not even the kernel can end it
    if (!why_killed_.empty()) return fail_environment(program_, why_killed_);
    return std::move(result_);
  }

 private:
  static process::process started(asio::io_context& context, asio::readable_pipe& pipe,
                                  const std::string& program, const std::vector<std::string>& arguments,
                                  int input) {
    asio::writable_pipe write_end{context};
    asio::connect_pipe(pipe, write_end);
    const int output = write_end.native_handle();
    // Processes that outlive the command must not hold the pipe open beside its own output.
    for (const int end : {output, pipe.native_handle()}) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    return process::process(context, program, arguments, process::process_stdio{input, output, output},
                            CommandSession{});
  }

  void ended() {
    if (--still_open_ == 0) timer_.cancel();
  }

  void look_again(double pause_s) {
    timer_.expires_after(std::chrono::microseconds(static_cast<long long>(1e6 * pause_s)));
    timer_.async_wait([this](const boost::system::error_code& code) {
      if (!code) look();
    });
  }

  void look() {
    if (still_open_ == 0) return;  // it ended while this look was due
    if (!why_killed_.empty()) return context_.stop();
    const double left_s = begun_s_ + limit_s_ - steady_s();
    const bool interrupted = steady_s() >= interrupted_limit_s(begun_s_);
    if (left_s > 0 && !interrupted) return look_again(std::min(look_s, left_s));
    if (interrupted) unanswered_interrupt.store(interrupt_count.load());
    why_killed_ = left_s > 0
                      ? fmt::format("no answer within {:.1f} s, and then interrupted", steady_s() - begun_s_)
                      : fmt::format("no answer within {} s", limit_s_);
    ::kill(-static_cast<pid_t>(child_.id()), SIGKILL);
    look_again(end_s);
  }

  const std::string& program_;
  double begun_s_;
  double limit_s_;
  asio::io_context context_{1};
  asio::readable_pipe pipe_{context_};
  asio::steady_timer timer_{context_};
  process::process child_;
  CommandOutput result_;
  int still_open_ = 2;      ///< of its output and itself
  std::string why_killed_;  ///< empty: it was not
};

}  // namespace

Result<CommandOutput> command_output(const std::vector<std::string>& argv, double limit_s,
                                     std::string_view input) {
  const std::filesystem::path program = program_in_path(argv.front());
  if (program.empty()) return fail_environment(argv.front(), "no such program in PATH");
  if (Interrupts::unanswered())
    return fail_environment(program.string(),
                            "was not asked: interrupted, and the last command did not answer");
  try {
    const InputFile given(input);
    if (given.fd() < 0)
      return fail_environment(program.string(),
                              fmt::format("cannot be given its input: {}", std::strerror(errno)));
    const std::string path = program.string();
    return ShortCommand(path, {argv.begin() + 1, argv.end()}, given.fd(), limit_s).result();
  } catch (const boost::system::system_error& error) {
    return fail_environment(program.string(), fmt::format("cannot be run: {}", error.code().message()));
  }
}

}  // namespace shakedown
