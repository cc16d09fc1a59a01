// What Open MPI's mpirun, PRRTE's prterun and MPI libraries write when a program ends badly.
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/launcher_report.hpp"

namespace shakedown {
namespace {

using How = RankFailure::How;

/// One line, with one blank between its words: messages of Open MPI are wrapped anywhere.
std::string unwrapped(std::string_view text) {
  std::string line;
  for (const std::string_view word : words(text)) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  return line;
}

/// Who a message of mpirun or prterun names: "rank 5 with PID 10343 on node cn3 exited on signal 11 (...)".
std::optional<RankFailure> named_process(std::string_view text) {
  RankFailure failure{.first_only = true};
  const auto of_signal = behind(text, " noticed that process rank ");
  const auto rest = of_signal ? of_signal : behind(text, " has exited due to process rank ");
  if (!rest) return std::nullopt;
  const auto rank = leading_number(*rest);
  const auto node = behind(*rest, " on node ");
  if (!rank || !node) return std::nullopt;
  failure.ranks = {*rank};
  failure.hosts = {first_word(*node)};
  if (!of_signal) {
    failure.how = How::abort;
    return failure;
  }
  const auto signal = behind(*node, " exited on signal ");
  const auto number = signal ? leading_number(*signal) : std::nullopt;
  if (!number) return std::nullopt;
  failure.how = How::signal;
  failure.code = *number;
  return failure;
}

/// "Process name: [[17546,1],5] Exit code: 7", or PRRTE's "[prterun-cn1-4711@1,5]".
std::optional<RankFailure> named_exit(std::string_view text) {
  const auto name = behind(text, "Process name: [");
  const auto code = name ? behind(*name, "Exit code: ") : std::nullopt;
  const auto number = code ? leading_number(*code) : std::nullopt;
  if (!number) return std::nullopt;
  const std::string word = first_word(*name);
  const auto rank = leading_number(std::string_view(word).substr(word.rfind(',') + 1));
  if (!rank || word.find(',') == std::string::npos) return std::nullopt;
  return RankFailure{.how = How::exit_code, .code = *number, .ranks = {*rank}, .first_only = true};
}

/// "MPI_ABORT was invoked on rank 5 in communicator MPI_COMM_WORLD with errorcode 3.", or MPICH's
/// "application called MPI_Abort(MPI_COMM_WORLD, 3) - process 5".
std::optional<RankFailure> named_abort(std::string_view text) {
  RankFailure failure{.how = How::abort, .first_only = true};
  std::optional<std::string_view> rank;
  std::optional<std::string_view> code;
  if (const auto open_mpi = behind(text, "MPI_ABORT was invoked on rank ")) {
    const size_t sentence = open_mpi->find(" in communicator MPI_COMM_WORLD");
    if (sentence == open_mpi->find(' ')) rank = open_mpi;  // of another communicator it is another number
    code = behind(*open_mpi, "errorcode ");
    if (!code) code = behind(*open_mpi, "Errorcode: ");
  } else if (const auto mpich = behind(text, "application called MPI_Abort(MPI_COMM_WORLD, ")) {
    rank = behind(*mpich, " - process ");
    code = mpich;
  } else {
    return std::nullopt;
  }
  if (const auto number = rank ? leading_number(*rank) : std::nullopt) failure.ranks = {*number};
  failure.code = code ? leading_number(*code).value_or(0) : 0;
  return failure;
}

/// "... unable to launch the specified application ... Node: cn3 while attempting to start process rank 4."
std::optional<RankFailure> named_executable(std::string_view text) {
  const auto message = behind(text, " was unable to ");
  if (!message) return std::nullopt;
  const auto node = behind(*message, " Node: ");
  const auto rank = behind(*message, " while attempting to start process rank ");
  const auto number = rank ? leading_number(*rank) : std::nullopt;
  if (!node || !number) return std::nullopt;
  const bool found = message->starts_with("launch ");
  return RankFailure{.how = How::not_executed,
                     .ranks = {*number},
                     .hosts = {first_word(*node)},
                     .reason = found ? "it cannot be accessed or executed" : "no such executable",
                     .first_only = true};
}

/// "ORTE has lost communication with a remote daemon. ... Remote daemon: [[12165,0],1] on node cn1".
std::optional<RankFailure> named_daemon(std::string_view text) {
  const auto message = behind(text, " has lost communication with ");
  if (!message) return std::nullopt;
  auto node = behind(*message, " Remote daemon: ");
  node = node ? behind(*node, " on node ") : behind(*message, " hostname: ");
  if (!node) return std::nullopt;
  return RankFailure{.how = How::node_lost, .hosts = {first_word(*node)}};
}

}  // namespace

std::optional<RankFailure> mpirun_report(std::string_view stderr_text) {
  const std::string text = unwrapped(stderr_text);
  std::optional<RankFailure> failure = named_daemon(text);
  if (!failure) failure = named_process(text);
  if (!failure || failure->how == How::abort)
    if (auto abort = named_abort(text)) {
      if (failure && abort->ranks.empty()) abort->ranks = failure->ranks;
      if (failure && abort->ranks == failure->ranks) abort->hosts = failure->hosts;
      failure = std::move(abort);
    }
  if (!failure) failure = named_exit(text);
  if (!failure) failure = named_executable(text);
  if (failure && failure->how != How::not_executed && failure->how != How::node_lost)
    failure->ended_by = "mpirun";
  return failure;
}

}  // namespace shakedown
