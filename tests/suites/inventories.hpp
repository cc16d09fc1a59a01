#pragma once
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::tests {

/// Two cores of a Zen 4 server in a virtual machine: no GPU, no SMT, clock readable.
inline NodeGroup two_core_node() {
  NodeGroup node;
  node.name = "vm";
  node.hosts = "vm";
  node.cpu = {"AMD EPYC", "AuthenticAMD", "x86_64", 1, 2,  1,  1,
              "avx512",   2600,           "",       0, 16, "", {{3, 32 << 20, 1}}};
  node.memory_bytes = 24684096LL * 1024;
  node.usable = {2, 2, 0, 24684096LL * 1024, 24290032LL * 1024, {}};
  return node;
}

/// A node with eight H100 and two sockets of 48 cores.
inline NodeGroup h100_nodes(const std::string& hosts) {
  NodeGroup node;
  node.name = "compute";
  node.hosts = hosts;
  node.cpu = {"Intel Xeon Platinum 8580+",
              "GenuineIntel",
              "x86_64",
              2,
              96,
              2,
              2,
              "avx512",
              2000,
              "",
              3800,
              32,
              "",
              {}};
  node.memory_bytes = static_cast<std::int64_t>(1500 * gibi);
  node.usable = {96, 192, 0, static_cast<std::int64_t>(1500 * gibi), 0, {}};
  Gpu gpu;
  gpu.model = "NVIDIA H100 80GB HBM3";
  gpu.memory_bytes = static_cast<std::int64_t>(79.11 * gibi);
  node.gpus.assign(8, gpu);
  return node;
}

inline const Suite& suite_called(std::string_view id) {
  for (const Suite* suite : suites())
    if (suite->id == id) return *suite;
  throw std::runtime_error("no such suite");
}

/// An implementation as it is shipped, with its program under a fixed path, so that a golden does not depend
/// on what is installed.
inline Implementation shipped(const std::string& suite, const std::string& id) {
  auto read = read_implementation(std::string(BUILD_FOLDER "/share/shakedown/implementations/") + suite +
                                  "/" + id + ".toml");
  if (!read) throw std::runtime_error(to_string(read.error()));
  if (read->program == "hpcc" || read->program == "xhpl") read->program = "/usr/bin/" + read->program;
  return *read;
}

struct Wish {
  double time_s = 0;
  double gemm_gflops = 0;
  std::vector<Parameter> pins = {};
  std::string system = "sakuraone";  ///< that the shipped models of GPUs are fitted to
  double triad_gb_s = 0;
  std::vector<SiteProgram> programs = {};
  double gpu_gemm_gflops = 0;  ///< of a node
  double gpu_triad_gb_s = 0;   ///< of a node
};

inline Result<Case> planned(const NodeGroup& node, const Implementation& implementation, Wish wish = {}) {
  Inventory inventory;
  inventory.system = wish.system;
  inventory.groups = {node};
  PlanRequest request;
  request.inventory = &inventory;
  request.implementation = &implementation;
  request.group = &node;
  request.hosts = expanded_hostlist(node.hosts).value();
  request.layout = {"/opt/shakedown/bin/shakedown", "/opt/shakedown/libexec/shakedown",
                    "/opt/shakedown/share/shakedown"};
  request.time_s = wish.time_s;
  request.measured.triad_gb_s = wish.triad_gb_s;
  request.measured.gpu_gemm_gflops = wish.gpu_gemm_gflops;
  request.measured.gpu_triad_gb_s = wish.gpu_triad_gb_s;
  request.measured.gemm_gflops = wish.gemm_gflops / static_cast<double>(request.hosts.size());
  request.pins = wish.pins;
  Site site;
  site.container_program = "/usr/bin/apptainer";  // so that a golden does not depend on what is installed
  site.programs = wish.programs;
  request.site = &site;
  return suite_called(implementation.suite).plan(request);
}

inline double parameter(const Case& planned, std::string_view name) {
  const Value* value = find_parameter(planned.parameters, name);
  return value == nullptr ? std::nan("") : value_number(*value);
}

inline Prediction prediction(const Case& planned, std::string_view metric) {
  for (const Prediction& one : planned.predicted)
    if (one.metric == metric) return one;
  return {};
}

inline bool mentions(const std::vector<std::string>& texts, std::string_view part) {
  return std::ranges::any_of(
      texts, [part](const std::string& text) { return text.find(part) != std::string::npos; });
}

/// The reason of a planned number; empty where there is none.
inline std::string reason_for(const Case& planned, std::string_view what) {
  for (const Reason& reason : planned.why)
    if (reason.what == what) return reason.because;
  return {};
}

}  // namespace shakedown::tests
