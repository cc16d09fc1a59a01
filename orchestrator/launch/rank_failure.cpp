#include "orchestrator/launch/rank_failure.hpp"

#include <fmt/format.h>
#include <csignal>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/launcher_report.hpp"

namespace shakedown {
namespace {

using How = RankFailure::How;

struct SignalName {
  int number;
  std::string_view name;  ///< as strsignal(3) has it, and so srun and mpirun
};

constexpr std::array signal_names = {
    SignalName{SIGHUP, "Hangup"},
    SignalName{SIGINT, "Interrupt"},
    SignalName{SIGQUIT, "Quit"},
    SignalName{SIGILL, "Illegal instruction"},
    SignalName{SIGTRAP, "Trace/breakpoint trap"},
    SignalName{SIGABRT, "Aborted"},
    SignalName{SIGBUS, "Bus error"},
    SignalName{SIGFPE, "Floating point exception"},
    SignalName{SIGKILL, "Killed"},
    SignalName{SIGUSR1, "User defined signal 1"},
    SignalName{SIGSEGV, "Segmentation fault"},
    SignalName{SIGUSR2, "User defined signal 2"},
    SignalName{SIGPIPE, "Broken pipe"},
    SignalName{SIGALRM, "Alarm clock"},
    SignalName{SIGTERM, "Terminated"},
    SignalName{SIGXCPU, "CPU time limit exceeded"},
    SignalName{SIGXFSZ, "File size limit exceeded"},
    SignalName{SIGSYS, "Bad system call"},
};

std::string list_text(const std::vector<int>& ranks) {
  std::string text;
  for (size_t i = 0; i < ranks.size();) {
    size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!text.empty()) text += ",";
    text += last == i ? fmt::format("{}", ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[last]);
    i = last + 1;
  }
  return text;
}

std::string who_text(const RankFailure& failure) {
  std::string text = failure.ranks.empty()       ? "a rank"
                     : failure.ranks.size() == 1 ? "rank " + list_text(failure.ranks)
                                                 : "ranks " + list_text(failure.ranks);
  if (!failure.hosts.empty()) text += " on " + folded_hostlist(failure.hosts);
  return text;
}

constexpr int shell = 128;  // and a signal's number: the exit code behind a shell or container

std::string exit_text(int code) {
  const auto it = std::ranges::find(signal_names, code - shell, &SignalName::number);
  return it == signal_names.end() ? fmt::format("exit code {}", code)
                                  : fmt::format("exit code {} (128 + {})", code, signal_text(it->number));
}

std::string how_text(const RankFailure& failure) {
  switch (failure.how) {
    case How::exit_code:
      return "ended with " + exit_text(failure.code);
    case How::signal:
      return "ended with " + signal_text(failure.code);
    case How::out_of_memory:
      return "ran out of memory";
    case How::abort:
      return failure.code == 0 ? "gave up (MPI_Abort)"
                               : fmt::format("called MPI_Abort with error code {}", failure.code);
    case How::not_executed:
      return "could not execute the program" + (failure.reason.empty() ? "" : ": " + failure.reason);
    case How::node_lost:
      return "was lost";
  }
  return "failed";
}

}  // namespace

std::optional<int> signal_number(std::string_view name) {
  const auto it = std::ranges::find(signal_names, name, &SignalName::name);
  if (it != signal_names.end()) return it->number;
  if (constexpr std::string_view real_time = "Real-time signal "; name.starts_with(real_time)) {
    const auto above = leading_number(name.substr(real_time.size()));
    return above && *above <= SIGRTMAX - SIGRTMIN ? std::optional(SIGRTMIN + *above) : std::nullopt;
  }
  for (int number = 1; number < SIGRTMIN; ++number)
    if (const char* text = ::sigdescr_np(number); text != nullptr && name == text) return number;
  return std::nullopt;
}

bool is_fault(RankFailure::How how, int code) {
  constexpr std::array faults = {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
  const bool exited = how == How::exit_code;
  return (exited || how == How::signal) &&
         std::ranges::find(faults, exited ? code - shell : code) != faults.end();
}

std::string signal_text(int signal) {
  const auto it = std::ranges::find(signal_names, signal, &SignalName::number);
  if (it == signal_names.end()) return fmt::format("signal {}", signal);
  std::string name(it->name);
  name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return fmt::format("signal {} ({})", signal, name);
}

std::string failure_text(const RankFailure& failure, int ranks) {
  if (failure.how == How::node_lost)
    return failure.hosts.empty() ? "a node was lost" : "node " + folded_hostlist(failure.hosts) + " was lost";
  std::string text = fmt::format("{} {}", who_text(failure), how_text(failure));
  if (!failure.ended_by.empty() && ranks > static_cast<int>(failure.ranks.size()))
    text += fmt::format("; {} then ended the other ranks", failure.ended_by);
  return text;
}

}  // namespace shakedown
