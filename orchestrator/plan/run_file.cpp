#include "orchestrator/plan/run_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"

namespace shakedown {

std::string wrong_run_file(std::string_view name) {
  if (name.empty()) return "a file without a name";
  if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return "a file's name holds control characters";
  if (name.front() == '/')
    return fmt::format("file '{}' is absolute: it must lie in the run directory", name);
  for (const std::string_view component : split(name, '/')) {
    if (component == "..") return fmt::format("file '{}' leaves the run directory", name);
    if (component.empty() || component == ".") return fmt::format("file '{}' is no plain path", name);
  }
  return {};
}

std::string wrong_input_file(std::string_view name) {
  // Of the wrapper and of job.sh: standard output and error, the claim and the end, measurements.
  static constexpr std::array<std::string_view, 15> written = {
      "stdout.log",      "stderr.log",     "started.json", "finished.json", "telemetry.csv",
      job_script_file,   environment_file, place_file,     scheduler_file,  stop_note_file,
      batch_script_file, batch_log_file,   slurm_log_file, imported_file,   job_file};
  if (const auto why = wrong_run_file(name); !why.empty()) return why;
  std::string first(split(name, '/').front());
  std::ranges::transform(first, first.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (first.starts_with('.'))
    return fmt::format("file '{}' is hidden: this name is reserved for shakedown", name);
  const bool temporary = std::ranges::any_of(written, [&](std::string_view each) {
    return first.starts_with(each) && first.substr(each.size()).starts_with('.');
  });
  const bool of_a_node = first.starts_with("node-") && first.ends_with(".json");
  const bool by_hand = first.starts_with("by-hand-");
  if (temporary || of_a_node || by_hand || std::ranges::find(written, first) != written.end())
    return fmt::format("file '{}': this name is reserved for shakedown", name);
  return {};
}

}  // namespace shakedown
