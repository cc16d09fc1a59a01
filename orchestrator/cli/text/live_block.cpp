#include "orchestrator/cli/text/live_block.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "orchestrator/cli/text/progress_text.hpp"
#include "orchestrator/cli/text/terminal.hpp"

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

/// Blocks Ctrl-Z while a block is half written.
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
  winsize window{};
  if (::ioctl(fd, TIOCGWINSZ, &window) != 0) return size;
  if (window.ws_col > 0) size.columns = window.ws_col;
  if (window.ws_row > 0) size.rows = window.ws_row;
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
    // After the last line the rest of a longer block is erased too.
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

namespace {

using Tone = BlockLine::Tone;

constexpr int label_width = 8;  // "[ RUN ] "
constexpr int bar_width = 20;
constexpr int longest_name = 40;

std::string_view mark(const BlockShape& shape) {
  return shape.utf8 ? "…" : ">";
}

BlockLine line(const BlockShape& shape, std::string label, const std::string& text, Tone tone = Tone::dim) {
  const int columns = shape.columns - (label.empty() ? 0 : label_width);
  if (columns < 8) return {"", cut_to(one_line(text), shape.columns, mark(shape)), tone};
  return {std::move(label), cut_to(one_line(text), columns, mark(shape)), tone};
}

/// The first that fits; else the last, cut.
std::string fitting(const std::vector<std::string>& variants, int columns) {
  const auto it =
      std::ranges::find_if(variants, [&](const std::string& text) { return display_width(text) <= columns; });
  return it == variants.end() ? variants.back() : *it;
}

/// The sums, in as many words as there is room for.
std::string sums(const CampaignProgress& progress, const BlockShape& shape) {
  const std::string_view d = shape.utf8 ? " · " : "  ";
  const std::string elapsed = clock_text(progress.elapsed_s);
  const std::string left = time_left_text(progress.time_left);
  const std::string times = left.empty() ? elapsed : fmt::format("{}, {}", elapsed, left);
  const std::string counts = counts_text(progress);
  const NodeHours& hours = progress.node_hours;
  const std::string spent = node_hours_number(hours.spent);
  std::string brief = fmt::format("{}/{}", progress.done, progress.cases);
  if (progress.failed > 0) brief += fmt::format(", {} failed", progress.failed);
  brief += fmt::format(", {} running, {} waiting", progress.running.size(), progress.waiting);
  const std::string rest = hours.left > 0
                               ? fmt::format("{} {} left", hours.at_most ? "at most about" : "about",
                                             node_hours_number(hours.left))
                               : std::string("? left");
  return fitting(
      {fmt::format("{}{}{}{}{} node-hours spent, {}", counts, d, times, d, spent, hours_left_text(hours)),
       fmt::format("{}{}{}{}{} node-hours spent, {}", counts, d, times, d, spent, rest),
       fmt::format("{}{}{}{}{} node-hours, {}", brief, d, times, d, spent, rest),
       fmt::format("{}{}{}{}{} node-h, {}", brief, d, elapsed, d, spent, rest),
       fmt::format("{}{}{}{}{} node-h", brief, d, elapsed, d, spent),
       fmt::format("{}{}{}", brief, d, elapsed)},
      shape.columns);
}

/// `━━━━━━──── `: as much of the predicted time as has passed; never more than full.
std::string bar(double share, bool utf8) {
  const int full = std::clamp(static_cast<int>(share * bar_width), 0, bar_width);
  std::string text;
  for (int i = 0; i < bar_width; ++i) text += i < full ? (utf8 ? "━" : "#") : (utf8 ? "─" : "-");
  return text;
}

/// What is expected of a case that runs.
std::string expectation(const RunningCase& running, bool utf8) {
  if (const std::string past = past_text(running); !past.empty()) return past;
  if (running.predicted_s > 0)
    return fmt::format("{} of about {}", bar(running.elapsed_s / running.expected_s(), utf8),
                       clock_text(running.expected_s()));
  if (running.time_limit_s > 0) return fmt::format("of at most {}", clock_text(running.time_limit_s));
  return "";
}

/// How wide the columns of the running cases are.
struct Columns {
  int number = 0;
  int name = 0;
  int elapsed = 0;
};

std::string place(const RunningCase& running, int of) {
  return fmt::format("{}/{}", running.number, of);
}

std::string running_text(const RunningCase& running, int of, const Columns& wide, const BlockShape& shape) {
  const std::string number = place(running, of);
  std::string text = std::string(static_cast<std::size_t>(wide.number) - number.size(), ' ') + number + " " +
                     padded_to(cut_to(running.id, wide.name, mark(shape)), wide.name) +
                     fmt::format("  {:>{}}", clock_text(running.elapsed_s), wide.elapsed);
  if (const std::string expected = expectation(running, shape.utf8); !expected.empty())
    text += "  " + expected;
  if (running.attempt > 1) text += fmt::format("  attempt {}", running.attempt);
  if (!running.hosts.empty()) text += "  on " + running.hosts;
  if (!running.job.empty() && !running.job.starts_with("pid ")) text += fmt::format(" (job {})", running.job);
  return text;
}

/// `shown` of `all` lines, the last of them saying how many more there are where they are not all.
std::size_t whole_lines(std::size_t all, std::size_t shown) {
  return all <= shown ? all : shown > 0 ? shown - 1 : 0;
}

}  // namespace

std::vector<BlockLine> progress_block(const CampaignProgress& progress, const BlockShape& shape) {
  std::vector<BlockLine> lines;
  const auto rows = static_cast<std::size_t>(std::max(1, shape.rows));
  lines.push_back({"", cut_to(sums(progress, shape), shape.columns, mark(shape)), Tone::plain});
  std::size_t room = rows - 1;
  const std::string stop = progress.at_once ? "stopping" : "stopping; Ctrl-C again kills it at once";
  const bool stopping = progress.stopping && room > 0;
  if (stopping) --room;

  const std::size_t runs = progress.running.size();
  const std::size_t waits = progress.waits.size();
  // A third of the lines is for those that wait, and more if fewer run.
  const std::size_t for_waits = std::min(waits, std::max((room + 2) / 3, room - std::min(room, runs)));
  const std::size_t for_runs = std::min(runs, room - for_waits);

  const std::size_t whole = whole_lines(runs, for_runs);
  Columns wide;
  for (std::size_t i = 0; i < whole; ++i) {
    const RunningCase& running = progress.running[i];
    wide.number = std::max(wide.number, static_cast<int>(place(running, progress.cases).size()));
    wide.name = std::max(wide.name, std::min(longest_name, display_width(running.id)));
    wide.elapsed = std::max(wide.elapsed, static_cast<int>(clock_text(running.elapsed_s).size()));
  }
  for (std::size_t i = 0; i < whole; ++i) {
    const RunningCase& running = progress.running[i];
    const bool past = running.past_s() > 0;
    lines.push_back(line(shape, progress.stopping ? "[STOP ]" : "[ RUN ]",
                         running_text(running, progress.cases, wide, shape), past ? Tone::bad : Tone::dim));
  }
  if (whole < for_runs)
    lines.push_back(line(shape, "       ", fmt::format("and {} more running", runs - whole)));

  const std::size_t whole_waits = whole_lines(waits, for_waits);
  for (std::size_t i = 0; i < whole_waits; ++i)
    lines.push_back(line(shape, "[ WAIT]", waiting_text(progress.waits[i])));
  if (whole_waits < for_waits) {
    int more = 0;
    for (std::size_t i = whole_waits; i < waits; ++i) more += progress.waits[i].cases;
    lines.push_back(line(shape, "       ", fmt::format("and {} more waiting", more)));
  }
  if (stopping) lines.push_back(line(shape, "", stop, Tone::bad));
  return lines;
}

}  // namespace shakedown
