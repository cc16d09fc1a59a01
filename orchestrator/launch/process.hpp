#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Child processes, adopted processes and the user's interrupts on one event loop. The one door to
/// Boost.Process. One thread only.
class Processes {
 public:
  Processes();
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  /// Starts `argv` in `folder`, in a session of its own (it outlives us and our terminal), with standard
  /// input from and output to /dev/null, and every signal as it is by default. `environment`: "NAME=value"
  /// beside or instead of ours. Returns its pid. Fails (environment) when it can't be started.
  Result<int> start(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                    const std::vector<std::string>& environment = {});

  /// Watches a process that somebody else started; its end wakes `wait`.
  Result<void> watch(int pid);

  /// Sleeps until a started or watched process ended or a signal came (true), or `seconds` passed (false).
  bool wait(double seconds);

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;
};

/// SIGINT, SIGTERM and SIGHUP (a closed terminal) as a count, for as long as it lives; `Processes::wait`
/// wakes up on each.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  [[nodiscard]] static int count();        ///< since construction
  [[nodiscard]] static int last_signal();  ///< 0: none yet
  [[nodiscard]] static double last_s();    ///< when the last came, by `steady_s`; 0: none yet
  /// Whether a command did not answer in the time that remained: others would not either.
  [[nodiscard]] static bool unanswered();
};

/// What a short command printed.
struct CommandOutput {
  int exit_code = 0;
  std::string text;  ///< stdout and stderr together
};

/// Runs a short command (`mpirun --version`) and collects what it prints. Fails (environment) where it can't
/// be run, and where it does not answer: it is killed, with its session, after `limit_s` and 2.5 s after an
/// interrupt (2 s after its own start, where that is later); until the next interrupt no other is asked then.
/// `input` is its standard input.
Result<CommandOutput> command_output(const std::vector<std::string>& argv, double limit_s,
                                     std::string_view input = {});

}  // namespace shakedown
