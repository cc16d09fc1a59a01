#include "orchestrator/launch/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>

#include "orchestrator/core/layout.hpp"

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

constexpr std::array<int, 3> interrupting = {SIGINT, SIGTERM, SIGHUP};

void note_interrupt(int number) {
  const int saved = errno;
  // A terminal that is closed says so twice, by its shell and by the kernel: nobody asks for more by that.
  if (number == SIGHUP && hung_up.exchange(true)) return;
  interrupt_count.fetch_add(1);
  interrupt_signal.store(number);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(interrupt_event.load(), &one, sizeof one);
  errno = saved;
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

Result<int> Processes::start(const std::vector<std::string>& argv, const std::filesystem::path& folder) {
  const std::filesystem::path program = program_in_path(argv.front());
  if (program.empty()) return fail_environment(argv.front(), "no such program in PATH");
  try {
    const std::vector<std::string> arguments(argv.begin() + 1, argv.end());
    auto& child = loop_->children.emplace_back(
        loop_->context, program.string(), arguments, process::process_start_dir(folder.string()),
        process::process_stdio{nullptr, nullptr, nullptr}, NewSession{});
    const int pid = static_cast<int>(child.id());
    const auto position = std::prev(loop_->children.end());
    child.async_wait([this, position](const boost::system::error_code&, int) {
      loop_->woken = true;
      loop_->children.erase(position);
    });
    return pid;
  } catch (const boost::system::system_error& error) {
    return fail_environment(program.string(), fmt::format("cannot be started: {}", error.code().message()));
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

Result<CommandOutput> command_output(const std::vector<std::string>& argv, double limit_s,
                                     std::string_view input) {
  const std::filesystem::path program = program_in_path(argv.front());
  if (program.empty()) return fail_environment(argv.front(), "no such program in PATH");
  try {
    asio::io_context context{1};
    asio::readable_pipe pipe{context};
    asio::writable_pipe write_end{context};
    asio::connect_pipe(pipe, write_end);
    const InputFile given(input);
    if (given.fd() < 0)
      return fail_environment(program.string(),
                              fmt::format("cannot be given its input: {}", std::strerror(errno)));
    const std::vector<std::string> arguments(argv.begin() + 1, argv.end());
    const int output = write_end.native_handle();
    // What the command leaves running must not hold the pipe open beside its own output.
    for (const int end : {output, pipe.native_handle()}) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    process::process child(context, program.string(), arguments,
                           process::process_stdio{given.fd(), output, output}, NewSession{});
    write_end.close();
    CommandOutput result;
    bool timed_out = false;
    asio::steady_timer timer{context, std::chrono::milliseconds(static_cast<long long>(limit_s * 1000))};
    timer.async_wait([&](const boost::system::error_code& code) {
      if (code) return;
      timed_out = true;
      ::kill(-static_cast<pid_t>(child.id()), SIGKILL);
    });
    asio::async_read(pipe, asio::dynamic_buffer(result.text),
                     [&](const boost::system::error_code&, size_t) { timer.cancel(); });
    child.async_wait([&](const boost::system::error_code&, int code) { result.exit_code = code; });
    context.run();
    if (timed_out) return fail_environment(program.string(), fmt::format("no answer within {} s", limit_s));
    return result;
  } catch (const boost::system::system_error& error) {
    return fail_environment(program.string(), fmt::format("cannot be run: {}", error.code().message()));
  }
}

}  // namespace shakedown
