#include "orchestrator/launch/launcher_report.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

/// A rule of dashes around a message of Open MPI, maybe behind an unfinished line of the program.
bool is_rule(std::string_view line) {
  constexpr size_t least = 70;
  return line.size() >= least && line.find_first_not_of('-', line.size() - least) == std::string_view::npos;
}

/// A line without what srun or slurmstepd wrote behind an unfinished line of the program.
std::string_view program_part(std::string_view line) {
  const std::string_view before = line.substr(0, line.size() - launcher_part(line).size());
  return before.empty() ? line : trimmed(before);
}

bool is_launcher_line(std::string_view line) {
  line = trimmed(line);
  // The last one is a notice of our own programs, and no reason of an end.
  constexpr std::array<std::string_view, 6> starts = {
      "srun: ",   "slurmstepd: ", "slurmstepd-",
      "mpirun: ", "prterun: ",    "OpenBLAS takes this processor for a "};
  if (std::ranges::any_of(starts, [&](std::string_view start) { return line.starts_with(start); }))
    return true;
  // "[cn1:10721] *** Process received signal ***", "[cn1:10721] [ 1] /lib/...": what Open MPI's library adds.
  const size_t end = line.find("] ");
  if (!line.starts_with('[') || end == std::string_view::npos) return false;
  const std::string_view name = line.substr(1, end - 1);
  const size_t colon = name.rfind(':');
  return colon != std::string_view::npos && leading_number(name.substr(colon + 1)).has_value() &&
         name.find(' ') == std::string_view::npos;
}

}  // namespace

LauncherReport launcher_report(std::string_view stderr_text, std::string_view launcher) {
  std::optional<RankFailure> failure = mpirun_report(stderr_text);
  const bool aborted = failure && failure->how == RankFailure::How::abort;
  if (launcher == "mpirun" || (failure && !aborted)) return {.failure = std::move(failure)};
  if (!failure) return srun_report(stderr_text);
  // The MPI library reports the abort, srun where that rank was.
  failure->ended_by.clear();
  if (failure->ranks.size() == 1)
    if (std::string host = host_of_task(stderr_text, failure->ranks.front()); !host.empty()) {
      failure->hosts = {std::move(host)};
      failure->ended_by = "Slurm";
    }
  return {.failure = std::move(failure)};
}

bool reports_end(std::string_view line) {
  constexpr std::array<std::string_view, 3> aborts = {"MPI_ABORT was invoked on rank ", "with errorcode ",
                                                      "application called MPI_Abort("};
  return !launcher_part(line).empty() || std::ranges::any_of(aborts, [&](std::string_view words) {
    return line.find(words) != std::string_view::npos;
  });
}

std::vector<std::string_view> program_lines(std::string_view stderr_text) {
  std::vector<std::string_view> lines;
  bool framed = false;
  for (const std::string_view raw : split(stderr_text, '\n')) {
    const std::string_view line = program_part(trimmed(raw));
    if (is_rule(line))
      framed = !framed;
    else if (!framed && !line.empty() && !is_launcher_line(line))
      lines.push_back(line);
  }
  return lines;
}

std::optional<int> leading_number(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  constexpr size_t most_digits = 8;
  if (end == 0 || end > most_digits) return std::nullopt;
  return static_cast<int>(*parsed_integer(text.substr(0, end)));
}

std::optional<std::string_view> behind(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + mark.size());
}

std::string_view launcher_part(std::string_view line) {
  const size_t at = std::min(line.find("srun: "), line.find("slurmstepd"));
  return at == std::string_view::npos ? std::string_view() : line.substr(at);
}

std::string first_word(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return std::string(text.substr(0, text.find(' ')));
}

}  // namespace shakedown
