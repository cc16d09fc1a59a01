#include "parsers/mlperf/machine.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "parsers/mlperf/benchmarks.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// "32xNVIDIA DGX H100" -> 32 and "NVIDIA DGX H100".
std::pair<std::optional<std::int64_t>, std::string> nodes_of(std::string_view platform) {
  const size_t end = std::min(platform.find_first_not_of("0123456789"), platform.size());
  const auto nodes = positive_integer(platform.substr(0, end));
  if (!nodes || end >= platform.size() || platform[end] != 'x') return {std::nullopt, std::string(platform)};
  return {nodes, std::string(platform.substr(end + 1))};
}

}  // namespace

std::string mlperf_benchmark_of(const MlperfRun& run) {
  std::string name = run.setting_text("submission_benchmark");
  return name == "mask" ? "maskrcnn" : name;
}

std::string mlperf_implementation(const MlperfRun& run) {
  if (run.ours) return "reference";
  struct Sign {
    std::string_view text;
    std::string_view implementation;
  };
  constexpr std::array signs = {
      Sign{"SHAKEDOWN", "reference"},
      Sign{"TPU", "google"},
      Sign{"MI2", "amd"},
      Sign{"MI3", "amd"},
      Sign{"GAUDI", "intel"},
      Sign{"ASCEND", "huawei"},
      Sign{"NVIDIA", "nvidia"},
      Sign{"DGX", "nvidia"},
      Sign{"HGX", "nvidia"},
      Sign{"A100", "nvidia"},
      Sign{"H100", "nvidia"},
      Sign{"H200", "nvidia"},
      Sign{"B200", "nvidia"},
      Sign{"V100", "nvidia"},
      Sign{"_PLACEHOLDER", "nvidia"},  // what NVIDIA's logger prints where nothing is set

  };
  const std::string org = run.setting_text("submission_org");
  std::string said = org + " " + run.setting_text("submission_platform");
  std::transform(said.begin(), said.end(), said.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const Sign& sign : signs)
    if (said.find(sign.text) != std::string::npos) return std::string(sign.implementation);
  std::string name = org;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

MlperfMachine mlperf_machine(const MlperfRun& run) {
  MlperfMachine machine;
  const auto [nodes, node] = nodes_of(run.setting_text("submission_platform"));
  machine.nodes = nodes;
  if (nodes) {
    if (const auto gpus = gpus_of_platform(node))
      machine.gpus = *nodes * *gpus;
    else if (run.init_starts > *nodes && run.init_starts % *nodes == 0 && run.init_starts / *nodes <= 16)
      machine.gpus = run.init_starts;
  }
  const auto counted = run.setting_number("number_of_nodes");
  const auto each = run.setting_number("accelerators_per_node");
  if (counted && *counted >= 1 && *counted < 1e6) {
    machine.nodes = std::llround(*counted);
    if (each && *each >= 1 && *each < 1e3) machine.gpus = *machine.nodes * std::llround(*each);
  }
  return machine;
}

}  // namespace shakedown
