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
  static constexpr std::array<std::string_view, 7> written = {
      "job.sh",        "stdout.log",       "stderr.log",   "started.json",
      "finished.json", "environment.json", "telemetry.csv"};
  if (const auto why = wrong_run_file(name); !why.empty()) return why;
  const std::string_view first = split(name, '/').front();
  const bool of_a_node = first.starts_with("node-") && first.ends_with(".json");
  if (of_a_node || std::ranges::find(written, first) != written.end())
    return fmt::format("file '{}' is written by the job itself", name);
  return {};
}

}  // namespace shakedown
