#include "orchestrator/plan/planned_case.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/placeholders.hpp"

namespace shakedown {
namespace {

/// Words of a GPU's model that tell its make.
struct Make {
  std::string_view id;
  std::array<std::string_view, 4> words;
};
constexpr std::array<Make, 3> makes = {{{"nvidia", {"NVIDIA", "Tesla", "GeForce", "Quadro"}},
                                        {"amd", {"AMD", "Instinct", "Radeon", "MI300"}},
                                        {"intel", {"Intel", "Ponte", "Arc", "Data Center GPU Max"}}}};

std::string_view make_of(const Gpu& gpu) {
  for (const Make& make : makes)
    for (const std::string_view word : make.words)
      if (gpu.model.find(word) != std::string::npos) return make.id;
  return {};
}

Result<void> has_required_gpus(const Implementation& implementation, const NodeGroup& node) {
  if (implementation.requires_gpu.empty()) return {};
  const bool other = std::ranges::any_of(node.gpus, [&](const Gpu& gpu) {
    const std::string_view make = make_of(gpu);
    return !make.empty() && make != implementation.requires_gpu;
  });
  if (!node.gpus.empty() && !other) return {};
  return fail("requirements",
              fmt::format("'{}' needs {} GPUs; the nodes '{}' have {}", implementation.id,
                          implementation.requires_gpu, node.name,
                          node.gpus.empty() ? std::string("none") : node.gpus.front().model),
              "another implementation, or nodes with such GPUs");
}

/// The word as an executable of this machine; as it is where it names a path or is not found.
std::string found_program(const std::string& program, const Implementation& implementation, Case& planned) {
  if (program.find('/') != std::string::npos) return program;
  const auto path = program_in_path(program);
  if (!path.empty()) return path.string();
  planned.warnings.push_back(fmt::format("'{}' is not in this machine's PATH{}{}", program,
                                         implementation.install_hint.empty() ? "" : ": ",
                                         implementation.install_hint));
  return program;
}

}  // namespace

Result<Case> planned_case(const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  if (auto ok = has_required_gpus(implementation, *request.group); !ok) return pass_on(ok);
  Case planned;
  planned.id = fmt::format("{}-{}-{}n", implementation.suite, implementation.id, layout.nodes);
  planned.suite = implementation.suite;
  planned.implementation = implementation.id;
  planned.parser = implementation.parser;
  planned.exercised = implementation.exercised;
  planned.nodes = layout.nodes;
  planned.ranks = layout.ranks();
  planned.ranks_per_node = layout.ranks_per_node;
  planned.threads_per_rank = layout.threads_per_rank;
  planned.hosts = folded_hostlist(request.hosts);
  planned.launcher = implementation.launcher;
  planned.binding = layout.binding;
  planned.result_file = implementation.result_file;
  planned.why = layout.why;

  const std::vector<Parameter> places = {{"libexec", request.layout.libexec.string()},
                                         {"threads", std::int64_t{layout.threads_per_rank}},
                                         {"ranks", std::int64_t{layout.ranks()}},
                                         {"nodes", std::int64_t{layout.nodes}},
                                         {"image", implementation.container}};
  std::vector<std::string> line = implementation.container_argv;
  line.push_back(implementation.program);
  line.insert(line.end(), implementation.arguments.begin(), implementation.arguments.end());
  if (layout.nodes == 1)
    line.insert(line.end(), implementation.one_node_arguments.begin(),
                implementation.one_node_arguments.end());
  for (std::string& word : line) word = filled(word, places);
  planned.program = found_program(line.front(), implementation, planned);
  planned.arguments.assign(line.begin() + 1, line.end());
  for (const Parameter& variable : implementation.environment)
    planned.environment.push_back({variable.name, filled(value_text(variable.value), places)});

  planned.warnings.insert(planned.warnings.end(), layout.warnings.begin(), layout.warnings.end());
  if (implementation.exercised == "rendered-only")
    planned.warnings.push_back(
        fmt::format("'{}' is rendered only, its run was never exercised{}{}", implementation.id,
                    implementation.exercised_note.empty() ? "" : ": ", implementation.exercised_note));
  return planned;
}

}  // namespace shakedown
