#include "orchestrator/cli/text/live_block.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "orchestrator/cli/text/display_width.hpp"

namespace shakedown {
namespace {

constexpr int most_rows = 9999;

// What a signal handler may look at.
volatile sig_atomic_t drawn_rows = 0;  // of the block, on the screen
volatile sig_atomic_t drawn_on = -1;   // the terminal; -1: there is no block

/// Moves up by the block's rows and clears what is below. Uses nothing that a signal handler may not.
void wipe_in_handler() {
  const int rows = drawn_rows;
  if (rows <= 0 || drawn_on < 0) return;
  std::array<char, 16> text = {'\r', '\x1b', '['};
  std::size_t at = 3;
  for (int unit = 1000; unit > 0; unit /= 10)
    text[at++] = static_cast<char>('0' + std::min(rows, most_rows) / unit % 10);
  for (const char c : {'A', '\x1b', '[', 'J'}) text[at++] = c;
  static_cast<void>(!::write(drawn_on, text.data(), at));
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = flags;
  ::sigaction(signal, &action, nullptr);
}

/// Ctrl-Z: stops as every program does, but with a clean screen.
void on_stop(int signal) {
  const int error = errno;
  wipe_in_handler();
  drawn_rows = 0;
  handle(SIGTSTP, SIG_DFL, 0);
  ::raise(signal);  // stops here; SA_NODEFER lets it through
  handle(SIGTSTP, on_stop, SA_RESTART | SA_NODEFER);
  errno = error;
}

/// After any stop the screen below is the shell's.
void on_continue(int /*signal*/) {
  drawn_rows = 0;
}

/// Keeps Ctrl-Z away while a block is half written.
class Undisturbed {
 public:
  Undisturbed() {
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTSTP);
    ::pthread_sigmask(SIG_BLOCK, &stops, &before_);
  }
  ~Undisturbed() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  sigset_t before_{};
};

int whole_number(const char* variable, int otherwise) {
  const char* value = std::getenv(variable);
  const int number = value == nullptr ? 0 : std::atoi(value);
  return number > 0 ? number : otherwise;
}

/// Without the sequences that colour it.
std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b')
      at = std::min(text.find('m', at), text.size() - 1);
    else
      plain += text[at];
  }
  return plain;
}

}  // namespace

WindowSize window_size(int fd) {
  WindowSize size{whole_number("COLUMNS", 80), whole_number("LINES", 24)};
  winsize told{};
  if (::ioctl(fd, TIOCGWINSZ, &told) != 0) return size;
  if (told.ws_col > 0) size.columns = told.ws_col;
  if (told.ws_row > 0) size.rows = told.ws_row;
  return size;
}

LiveBlock::LiveBlock(int fd) : fd_(fd) {
  drawn_rows = 0;
  drawn_on = fd;
  if (::isatty(fd) != 1) return;
  handle(SIGTSTP, on_stop, SA_RESTART | SA_NODEFER);
  handle(SIGCONT, on_continue, SA_RESTART);
}

LiveBlock::~LiveBlock() {
  wipe();
  drawn_on = -1;
  if (::isatty(fd_) != 1) return;
  handle(SIGTSTP, SIG_DFL, 0);
  handle(SIGCONT, SIG_DFL, 0);
}

bool LiveBlock::in_foreground() const {
  const pid_t group = ::tcgetpgrp(fd_);
  return group < 0 || group == ::getpgrp();
}

std::string LiveBlock::to_top() const {
  if (drawn_rows <= 0) return "";
  const int columns = window_size(fd_).columns;
  int rows = 0;
  for (const int width : widths_) rows += std::max(1, (width + columns - 1) / columns);
  return "\r\x1b[" + std::to_string(rows) + "A";
}

std::string LiveBlock::drawn_again() {
  std::string text;
  widths_.clear();
  for (const std::string& line : lines_) {
    widths_.push_back(display_width(without_colours(line)));
    // Behind the last one all that is left of a longer block goes too.
    text += line + (&line == &lines_.back() ? "\x1b[J\n" : "\x1b[K\n");
  }
  return text;
}

void LiveBlock::put(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return;  // nobody reads any more
    pollfd room{fd_, POLLOUT, 0};
    static_cast<void>(::poll(&room, 1, -1));
  }
}

void LiveBlock::draw(const std::vector<std::string>& lines) {
  const Undisturbed undisturbed;
  if (!in_foreground()) return;
  lines_ = lines;
  const std::string top = to_top();
  put(top + drawn_again());
  drawn_rows = static_cast<sig_atomic_t>(lines_.size());
}

void LiveBlock::print(std::string_view line) {
  const Undisturbed undisturbed;
  if (!in_foreground()) {
    put(std::string(line) + "\n");
    return;
  }
  const std::string top = to_top();
  const bool drawn = drawn_rows > 0;
  put(top + (drawn ? "\x1b[J" : "") + std::string(line) + "\n" + (drawn ? drawn_again() : ""));
}

void LiveBlock::wipe() {
  const Undisturbed undisturbed;
  if (drawn_rows > 0 && in_foreground()) put(to_top() + "\x1b[J");
  drawn_rows = 0;
  lines_.clear();
  widths_.clear();
}

}  // namespace shakedown
