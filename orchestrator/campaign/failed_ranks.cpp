#include "orchestrator/campaign/failed_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/text_source.hpp"

namespace shakedown {
namespace {

constexpr size_t report_bytes = 64 << 10;  // of stderr's end, which is read whole: mpirun reports there
constexpr size_t earlier_bytes = 1 << 20;  // of launchers' lines on ends of ranks before it
constexpr size_t words_bytes = 6000;       // of a log's end, for the program's last line
constexpr size_t quoted_bytes = 160;

std::string short_name(std::string_view host) {
  return std::string(host.substr(0, host.find('.')));
}

/// The attempt's name of a host, which launchers may report with its domain; empty: it is none of them.
std::string own_name(const std::string& reported, std::span<const std::string> hosts) {
  const auto same = std::ranges::find(hosts, reported);
  if (same != hosts.end()) return *same;
  const auto alike = std::ranges::find_if(
      hosts, [&](const std::string& host) { return short_name(host) == short_name(reported); });
  return alike == hosts.end() ? std::string() : *alike;
}

/// The nodes of ranks by the layout that our launchers ask for; none where it is another.
std::vector<std::string> laid_out(const std::vector<int>& ranks, const Case& planned,
                                  std::span<const std::string> hosts) {
  const int per_node = planned.ranks_per_node;
  if (planned.launcher.empty() || per_node <= 0 || std::ssize(hosts) != planned.nodes ||
      planned.ranks != per_node * planned.nodes)
    return {};
  std::vector<std::string> nodes;
  for (const int rank : ranks) {
    if (rank >= planned.ranks) return {};
    const std::string& node = hosts[static_cast<size_t>(rank / per_node)];
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  }
  return nodes;
}

/// The ranks of whose end the launcher reports nothing.
std::vector<int> without_end(const LauncherReport& report, const Case& planned) {
  std::vector<int> ranks;
  for (int rank = 0; rank < planned.ranks; ++rank)
    if (std::ranges::find(report.ended, rank) == report.ended.end()) ranks.push_back(rank);
  return ranks;
}

bool has_reported(const AttemptPlace& place) {
  std::error_code code;
  return fs::file_size(place.folder() / "stdout.log", code) > 0 && !code;
}

/// Failures that a node can cause. An error of memory, the disk, numbers or MPI that a program or library
/// reports points to the program, except if a memory or instruction fault ended its ranks.
bool is_of_a_node(FailureKind kind, const RankFailure& failure) {
  constexpr std::array of_faults = {FailureKind::numerical, FailureKind::storage, FailureKind::mpi_error,
                                    FailureKind::out_of_memory};
  if (is_fault(failure.how, failure.code) && std::ranges::find(of_faults, kind) != of_faults.end())
    return true;
  constexpr std::array kinds = {FailureKind::signal,        FailureKind::nonzero_exit,
                                FailureKind::gpu_error,     FailureKind::program_missing,
                                FailureKind::launch_failed, FailureKind::node_failure};
  return std::ranges::find(kinds, kind) != kinds.end();
}

/// The end of a standard error, and before it the lines on ends of ranks: in a wide run the words of peers
/// that lost the first one follow it.
std::string launcher_text(const fs::path& path) {
  std::string earlier;
  std::string end;
  auto source = TextSource::file(path);
  while (source) {
    const auto piece = source->next();
    if (!piece) break;
    end += piece->text;
    if (end.size() > report_bytes) {
      const size_t cut = std::min(end.find('\n', end.size() - report_bytes), end.size() - 1) + 1;
      for (const std::string_view line : split(std::string_view(end).substr(0, cut), '\n'))
        if (reports_end(line) && earlier.size() + line.size() < earlier_bytes)
          earlier.append(line).append("\n");
      end.erase(0, cut);
    }
    if (piece->last) break;
  }
  return earlier + end;
}

/// Whether a byte that follows "ESC [" ends the sequence.
bool ends_sequence(char c) {
  return c >= '@' && c <= '~';
}

}  // namespace

LauncherReport reported_ranks(const AttemptPlace& place, std::span<const std::string> hosts) {
  LauncherReport report =
      launcher_report(launcher_text(place.folder() / "stderr.log"), place.planned->launcher);
  if (report.failure && report.failure->hosts.empty())
    report.failure->hosts = laid_out(report.failure->ranks, *place.planned, hosts);
  return report;
}

SuspectNodes suspect_nodes(const AttemptRecord& attempt, const AttemptPlace& place,
                           std::span<const std::string> hosts) {
  if (hosts.size() < 2 || !attempt.failure_kind) return {};
  if (std::ranges::any_of(attempt.results, [](const ResultRecord& r) { return r.parsed.complete; }))
    return {};
  const LauncherReport report = reported_ranks(place, hosts);
  const auto& failure = report.failure;
  if (!failure || !is_of_a_node(*attempt.failure_kind, *failure)) return {};
  // Ranks that srun waited for in vain: their node is gone or hangs, and the failed ones may be their peers.
  if (report.timed_out && failure->how != RankFailure::How::node_lost)
    return {laid_out(without_end(report, *place.planned), *place.planned, hosts), false};
  using How = RankFailure::How;
  const bool own_decision =
      failure->how == How::abort ||
      (failure->how == How::exit_code && std::ranges::find(failure->ranks, 0) != failure->ranks.end() &&
       has_reported(place));
  if (own_decision || (failure->hosts.size() != 1 && failure->how != How::node_lost)) return {};
  SuspectNodes suspects;
  for (const std::string& host : failure->hosts)
    if (std::string name = own_name(host, hosts); !name.empty()) suspects.nodes.push_back(std::move(name));
  suspects.alone = suspects.nodes.size() == 1 && !failure->first_only;
  return suspects;
}

std::string last_words(const AttemptPlace& place) {
  const SecretMask mask(place.campaign_folder, *place.planned);
  if (!mask.quotes()) return {};
  for (const std::string_view file : {"stderr.log", "stdout.log"}) {
    const std::string text = mask.tail(place.folder() / file, words_bytes);
    const auto lines = file == "stderr.log" ? program_lines(text) : split(text, '\n');
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
      if (const std::string words = plain_text(*line, quoted_bytes);
          words.find_first_not_of("-=* ") != std::string::npos)
        return fmt::format("{} ends with '{}'", file, words);
  }
  return {};
}

std::string plain_text(std::string_view text, size_t bytes) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if (c == 0x1b && next == '[') {
      i += 2;
      while (i < text.size() && !ends_sequence(text[i])) ++i;
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // C1 controls in UTF-8
      ++i;
    } else if (c == '\t' || c == '\n' || c == '\r') {
      plain += ' ';
    } else if (c >= 0x20 && c != 0x7f) {
      plain += text[i];
    }
  }
  const std::string_view shown = trimmed(plain);
  if (shown.size() <= bytes) return std::string(shown);
  size_t end = bytes;  // between two characters of UTF-8
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xc0U) == 0x80U) --end;
  return std::string(shown.substr(0, end)) + "...";
}

}  // namespace shakedown
