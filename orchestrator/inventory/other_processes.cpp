#include "orchestrator/inventory/other_processes.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

constexpr int kernel_threads = 2;     // the parent of all of them
constexpr double least_cores = 0.05;  // of another process; monitoring agents stay below
constexpr double least_cpu_s = 0.1;   // that a clock of 10 ms can distinguish from 0
constexpr std::size_t most_other_processes = 20;

struct ProcessStat {
  std::string command;
  int parent = 0;
  ProcessTime time;
};

/// Fields of /proc/<pid>/stat; the name, in parentheses, may hold anything.
std::optional<ProcessStat> process_stat(const std::filesystem::path& root, int pid) {
  const auto text = system_file(root / "proc" / std::to_string(pid) / "stat");
  if (!text) return std::nullopt;
  const std::size_t open = text->find('(');
  const std::size_t close = text->rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  const auto fields = words(std::string_view(*text).substr(close + 1));
  if (fields.size() < 20) return std::nullopt;
  const auto field = [&](std::size_t i) { return parsed_number(fields[i]).value_or(0); };
  static const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  ProcessStat stat;
  stat.command = valid_utf8(text->substr(open + 1, close - open - 1));
  stat.parent = static_cast<int>(field(1));
  stat.time = {pid, static_cast<unsigned long long>(field(19)), (field(11) + field(12)) / ticks};
  return stat;
}

/// Most of the kernel's threads, without reading each: a large node has thousands.
std::set<int> listed_kernel_threads(const std::filesystem::path& root) {
  const auto parent = process_stat(root, kernel_threads);
  if (!parent || parent->parent != 0) return {};
  std::set<int> pids;
  const auto list = system_file(root / "proc/2/task/2/children");
  for (const std::string_view word : words(list ? std::string_view(*list) : std::string_view()))
    if (const auto pid = parsed_integer(word)) pids.insert(static_cast<int>(*pid));
  return pids;
}

std::set<int> ancestry(const std::map<int, ProcessStat>& all, int self) {
  std::set<int> line;
  for (int pid = self; pid > 0 && line.insert(pid).second;) {
    const auto it = all.find(pid);
    pid = it == all.end() ? 0 : it->second.parent;
  }
  return line;
}

/// "4711" of ".../job_4711/step_0/...", by which Slurm names its control groups.
std::string job_of(const std::filesystem::path& root, int pid) {
  const auto text = system_file(root / "proc" / std::to_string(pid) / "cgroup");
  if (!text) return "";
  constexpr std::string_view mark = "/job_";
  const std::size_t at = text->find(mark);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + mark.size();
  return text->substr(begin, text->find_first_not_of("0123456789", begin) - begin);
}

int user_of(const std::filesystem::path& root, int pid) {
  struct stat info = {};
  return ::stat((root / "proc" / std::to_string(pid)).c_str(), &info) == 0 ? static_cast<int>(info.st_uid)
                                                                           : -1;
}

}  // namespace

std::optional<std::vector<ProcessTime>> others(const std::filesystem::path& root, int self) {
  std::map<int, ProcessStat> all;
  const std::set<int> unread = listed_kernel_threads(root);
  for (const std::string& name : names_in(root / "proc")) {
    const auto pid = parsed_integer(name);
    if (!pid || unread.contains(static_cast<int>(*pid))) continue;
    if (auto stat = process_stat(root, static_cast<int>(*pid)))
      all.emplace(static_cast<int>(*pid), std::move(*stat));
  }
  // Where the first process is out of sight, so are those of others; and the kernel's threads are seen in
  // the machine's own namespace alone.
  if (!all.contains(1) || !all.contains(kernel_threads) || all.at(kernel_threads).parent != 0)
    return std::nullopt;
  const std::set<int> ours = ancestry(all, self);
  std::vector<ProcessTime> times;
  for (const auto& [pid, stat] : all)
    if (pid != kernel_threads && stat.parent != kernel_threads && !ours.contains(pid))
      times.push_back(stat.time);
  return times;
}

std::vector<OtherProcess> other_processes(const std::filesystem::path& root,
                                          const std::vector<ProcessTime>& before,
                                          const std::vector<ProcessTime>& now, double seconds) {
  std::map<int, ProcessTime> known;
  for (const ProcessTime& each : before) known[each.pid] = each;
  std::vector<OtherProcess> found;
  if (!(seconds > 0)) return found;
  for (const ProcessTime& each : now) {
    const auto it = known.find(each.pid);
    const bool same = it != known.end() && it->second.start_ticks == each.start_ticks;
    const double cpu_s = each.cpu_s - (same ? it->second.cpu_s : 0);
    if (cpu_s < least_cpu_s || cpu_s / seconds < least_cores) continue;
    const auto stat = process_stat(root, each.pid);
    found.push_back({each.pid, user_of(root, each.pid), stat ? stat->command : "", job_of(root, each.pid),
                     cpu_s / seconds});
  }
  std::ranges::sort(found, std::ranges::greater(), &OtherProcess::cores);
  if (found.size() > most_other_processes) found.resize(most_other_processes);
  return found;
}

}  // namespace shakedown
