#include "orchestrator/plan/planned_case.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/each_node.hpp"
#include "orchestrator/plan/placeholders.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/roce_ports.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {
namespace {

/// Words of a GPU's model that name its make.
struct Make {
  std::string_view id;
  std::array<std::string_view, 4> words;
};
constexpr std::array<Make, 3> makes = {{{"nvidia", {"NVIDIA", "Tesla", "GeForce", "Quadro"}},
                                        {"amd", {"AMD", "Instinct", "Radeon", "MI300"}},
                                        {"intel", {"Intel", "Ponte", "Arc", "Data Center GPU Max"}}}};

Result<void> has_required_gpus(const Implementation& implementation, const NodeGroup& node) {
  if (implementation.requires_gpu.empty()) return {};
  const bool other = std::ranges::any_of(node.gpus, [&](const Gpu& gpu) {
    const std::string_view make = gpu_make(gpu);
    return !make.empty() && make != implementation.requires_gpu;
  });
  if (!node.gpus.empty() && !other) return {};
  return fail("requirements",
              fmt::format("'{}' needs {} GPUs; the nodes '{}' have {}", implementation.id,
                          implementation.requires_gpu, node.name,
                          node.gpus.empty() ? std::string("none") : node.gpus.front().model),
              "another implementation, or nodes with such GPUs");
}

/// What the site states of the implementation: of its benchmark ("mlperf/nvidia-gpt3"), else of all of them.
const SiteProgram* stated_program(const Implementation& implementation, const Site* site) {
  if (site == nullptr) return nullptr;
  if (!implementation.benchmark.empty())
    if (const SiteProgram* own = site->program(
            implementation.suite, fmt::format("{}-{}", implementation.id, implementation.benchmark)))
      return own;
  return site->program(implementation.suite, implementation.id);
}

/// The word as an executable of this machine; as it is where it names a path or is not found.
std::string found_program(const std::string& program, const Implementation& implementation, Case& planned) {
  if (program.find('/') != std::string::npos) return program;
  const auto path = program_in_path(program);
  if (!path.empty()) return path.string();
  const bool container = planned.container.runtime == "apptainer";
  const std::string hint = container
                               ? "run it where Apptainer is, or state another container_runtime in [site]"
                               : implementation.install_hint;
  add_obstacle(planned, fmt::format("'{}' is not in this machine's PATH{}{}", program,
                                    hint.empty() ? "" : ": ", hint));
  return program;
}

/// The container of the implementation as the site runs it: Pyxis is asked for by the launcher's options,
/// Apptainer by words before the program.
Container container_of(const PlanRequest& request, const SiteProgram* stated, Case& planned) {
  const Implementation& implementation = *request.implementation;
  Container container;
  if (implementation.container.empty() && (stated == nullptr || stated->image.empty())) return container;
  const std::string runtime = request.site == nullptr ? "" : request.site->container_runtime;
  if (runtime == "none") return container;
  container.runtime = runtime.empty() ? "apptainer" : runtime;
  container.image = stated != nullptr && !stated->image.empty() ? stated->image : implementation.container;
  container.mounts = implementation.mounts;
  if (stated != nullptr) {
    container.digest = stated->digest;
    container.mounts.insert(container.mounts.end(), stated->mounts.begin(), stated->mounts.end());
  }
  if (request.site != nullptr)
    container.mounts.insert(container.mounts.end(), request.site->mounts.begin(), request.site->mounts.end());
  if (stated == nullptr || stated->image.empty())
    add_obstacle(planned,
                 fmt::format("the configuration states no local image of {}/{}: '{}' is a placeholder",
                             implementation.suite, implementation.id, container.image));
  else if (container.digest.empty())
    planned.warnings.push_back(
        fmt::format("the configuration states no digest of {}: the report cannot prove which image ran",
                    container.image));
  return container;
}

std::vector<std::string> apptainer_words(const Container& container, const Implementation& implementation,
                                         const Site* site) {
  const std::string program =
      site != nullptr && !site->container_program.empty() ? site->container_program : "apptainer";
  std::vector<std::string> words = {program, "exec"};
  if (implementation.requires_gpu == "nvidia") words.emplace_back("--nv");
  if (implementation.requires_gpu == "amd") words.emplace_back("--rocm");
  for (const std::string& mount : container.mounts) words.insert(words.end(), {"--bind", mount});
  words.push_back(container.image);
  return words;
}

/// Without a container the places that it mounts are the host's own: `/my-dat-files` is the run directory.
void unmount(std::vector<std::string>& line, const std::vector<std::string>& mounts) {
  for (const std::string& mount : mounts) {
    const size_t colon = mount.find(':');
    if (colon == std::string::npos) continue;
    const std::string host = mount.substr(0, colon);
    const std::string inside = mount.substr(colon + 1, mount.find(':', colon + 1) - colon - 1);
    for (std::string& word : line)
      for (size_t at = word.find(inside); at != std::string::npos; at = word.find(inside, at + host.size()))
        word.replace(at, inside.size(), host);
  }
}

void set_variable(std::vector<Parameter>& environment, const Parameter& variable) {
  const auto known = std::ranges::find(environment, variable.name, &Parameter::name);
  if (known != environment.end())
    known->value = variable.value;
  else
    environment.push_back(variable);
}

/// What the site leaves open of RoCE is taken from the ports that the inventory shows, where they agree; what
/// is still missing is warned about.
void fill_roce(SiteFabric& fabric, const PlanRequest& request, Case& planned) {
  const std::string& technology = request.inventory->fabric.technology;
  const bool stated = technology.starts_with("RoCE");
  if (!technology.empty() && !stated) return;
  const RocePorts ports = roce_ports(*request.inventory, request.hosts,
                                     fabric.hca.empty() ? gpu_nics(*request.group) : fabric.hca);
  const auto explain = [&](const char* what, int value, const char* rule) {
    planned.why.push_back(
        {what, std::int64_t{value},
         fmt::format("so have all {} RoCE ports of the nodes that the inventory shows", ports.count), rule});
  };
  if (!fabric.gid_index && ports.gid_index) {
    fabric.gid_index = ports.gid_index;
    explain("gid_index", *ports.gid_index, "index of the RoCE v2 GID with an IPv4 address, by sysfs");
  }
  if (fabric.mtu == 0 && ports.mtu > 0) {
    fabric.mtu = ports.mtu;
    explain(
        "mtu", ports.mtu,
        "the largest RDMA MTU that fits into the interface's: Linux, include/rdma/ib_addr.h, iboe_get_mtu");
  }
  if (!ports.differences.empty() && (!fabric.gid_index || fabric.mtu == 0))
    planned.warnings.push_back(fmt::format(
        "the RoCE ports of the nodes differ: {}; make them alike, or state [site.fabric] gid_index and mtu",
        ports.differences));
  if (ports.count == 0 && !stated) return;
  std::vector<std::string> missing;
  if (!fabric.gid_index) missing.emplace_back("gid_index");
  if (!fabric.traffic_class) missing.emplace_back("traffic_class");
  if (!missing.empty())
    planned.warnings.push_back(fmt::format(
        "the nodes are joined by RoCE and the configuration states no [site.fabric] {}: traffic may "
        "leave the lossless queue",
        joined(missing, " and ")));
}

/// The site's words on the fabric, then its own variables: the most special wins.
void add_site(const PlanRequest& request, const SiteProgram* stated, Case& planned) {
  const Implementation& implementation = *request.implementation;
  const bool network = planned.nodes > 1 && !implementation.fabric.empty();
  const bool fabric = request.site != nullptr && request.site->fabric.has_value();
  if (network) {
    SiteFabric known = fabric ? *request.site->fabric : SiteFabric{};
    fill_roce(known, request, planned);
    if (known.socket_interface.empty()) known.socket_interface = first_contact_nic(*request.group);
    std::vector<std::string> families = implementation.fabric;
    if (!known.nvshmem) std::erase(families, "nvshmem");
    for (const Parameter& variable :
         known.nvshmem ? implementation.with_nvshmem : implementation.without_nvshmem)
      set_variable(planned.environment, variable);
    for (const Parameter& variable : fabric_environment(known, gpu_nics(*request.group), families))
      set_variable(planned.environment, variable);
  }
  if (request.site != nullptr) {
    for (const Parameter& variable : request.site->environment) set_variable(planned.environment, variable);
    planned.modules = request.site->modules;
  }
  if (stated == nullptr) return;
  for (const Parameter& variable : stated->environment) set_variable(planned.environment, variable);
  planned.modules.insert(planned.modules.end(), stated->modules.begin(), stated->modules.end());
}

}  // namespace

std::string_view gpu_make(const Gpu& gpu) {
  for (const Make& make : makes)
    for (const std::string_view word : make.words)
      if (gpu.model.find(word) != std::string::npos) return make.id;
  return {};
}

std::string measured_where(const PlanRequest& request) {
  return request.measured.source.empty() ? "" : fmt::format(" ({})", request.measured.source);
}

Result<void> check_program_gpus(const Implementation& implementation, const Site* site,
                                const NodeGroup& node) {
  if (auto ok = has_required_gpus(implementation, node); !ok) return ok;
  GpuCode code = implementation.gpu_code;
  if (const SiteProgram* stated = stated_program(implementation, site);
      stated != nullptr && !stated->gpu_code.empty())
    code = {stated->gpu_code, "gpu_code in [[site.programs]]", "another build, or other GPUs"};
  return check_gpu_code(code, implementation.suite + "/" + implementation.id, node.gpus);
}

bool gpu_is(const Gpu& gpu, std::string_view word) {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return !word.empty() && !std::ranges::search(gpu.model, word, same).empty();
}

Result<Case> planned_case(const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  if (auto ok = check_program_gpus(implementation, request.site, *request.group); !ok) return failure_of(ok);
  const SiteProgram* stated = stated_program(implementation, request.site);
  Case planned;
  const std::string benchmark = implementation.benchmark.empty() ? "" : "-" + implementation.benchmark;
  planned.id = fmt::format("{}-{}{}-{}n", implementation.suite, implementation.id, benchmark, layout.nodes);
  planned.suite = implementation.suite;
  planned.implementation = implementation.id;
  planned.benchmark = implementation.benchmark;
  planned.parser = implementation.parser;
  planned.tested = implementation.tested;
  planned.nodes = layout.nodes;
  planned.ranks = layout.ranks();
  planned.ranks_per_node = layout.ranks_per_node;
  planned.threads_per_rank = layout.threads_per_rank;
  const NodeGroup& node = *request.group;
  // All hardware threads of a rank's cores where these are Slurm's CPUs; no more than the node has, where it
  // has more ranks than cores.
  const int cpus_per_core =
      node.usable.slurm_cpus_per_core > 0 ? node.usable.slurm_cpus_per_core : node.cpu.threads_per_core;
  const int share = usable_cores(node) * cpus_per_core / std::max(1, layout.ranks_per_node);
  // A GPU's rank may have fewer threads than its part of the cores: those beside its GPU. It gets them all,
  // to find these among them.
  const bool of_gpu = implementation.rank_per == "gpu";
  const int part = of_gpu ? usable_cores(node) / std::max(1, layout.ranks_per_node) : 0;
  const int cpus = std::clamp(std::max(part, layout.threads_per_rank) * cpus_per_core, 1, std::max(1, share));
  if (cpus != layout.threads_per_rank) planned.cpus_per_rank = cpus;
  if (!implementation.requires_gpu.empty())
    planned.gpus_per_node = node.usable.slurm_gpus.value_or(static_cast<int>(node.gpus.size()));
  planned.hosts = folded_hostlist(request.hosts);
  planned.launcher = request.site != nullptr && !request.site->launcher.empty() ? request.site->launcher
                                                                                : implementation.launcher;
  planned.binding = layout.binding;
  if (of_gpu && implementation.tuned_text("binding") == "core") {
    if (ranks_lie_beside_gpus(node))
      planned.binding = "core";
    else
      planned.warnings.emplace_back(
          "ranks are not bound to cores: the inventory does not state that equal parts of the cores, in "
          "their "
          "order, lie beside the GPUs (numa_node)");
  }
  planned.result_file = implementation.result_file;
  planned.why = layout.why;
  planned.container = container_of(request, stated, planned);

  std::vector<std::string> line;
  if (planned.container.runtime == "apptainer")
    line = apptainer_words(planned.container, implementation, request.site);
  line.push_back(stated != nullptr && !stated->program.empty() ? stated->program : implementation.program);
  line.insert(line.end(), implementation.arguments.begin(), implementation.arguments.end());
  if (implementation.rank_per == "gpu")
    for (std::string& word : affinity_arguments(implementation.affinity, *request.group))
      line.push_back(std::move(word));
  if (layout.nodes == 1)
    line.insert(line.end(), implementation.one_node_arguments.begin(),
                implementation.one_node_arguments.end());
  if (!implementation.container.empty() && planned.container.runtime.empty()) {
    unmount(line, implementation.mounts);
    if (stated == nullptr || stated->program.empty())
      add_obstacle(
          planned,
          fmt::format(
              "{}/{} is planned without its container, and the configuration states no program: '{}' is the "
              "container's own path",
              implementation.suite, implementation.id, line.front()));
  }
  for (const Parameter& variable : implementation.environment)
    planned.environment.push_back({variable.name, value_text(variable.value)});
  add_site(request, stated, planned);

  const std::vector<Parameter> places = {{"libexec", request.layout.libexec.string()},
                                         {"threads", std::int64_t{layout.threads_per_rank}},
                                         {"ranks", std::int64_t{layout.ranks()}},
                                         {"ranks_per_node", std::int64_t{layout.ranks_per_node}},
                                         {"nodes", std::int64_t{layout.nodes}}};
  for (std::string& word : line) word = filled(word, places);
  for (Parameter& variable : planned.environment)
    if (auto* text = std::get_if<std::string>(&variable.value)) *text = filled(*text, places);
  // A program inside a container is not looked up here; where Apptainer starts it, Apptainer is.
  planned.program = planned.container.runtime == "pyxis"
                        ? line.front()
                        : found_program(line.front(), implementation, planned);
  planned.arguments.assign(line.begin() + 1, line.end());

  planned.warnings.insert(planned.warnings.end(), layout.warnings.begin(), layout.warnings.end());
  if (implementation.tested == "rendered")
    planned.warnings.push_back(fmt::format(
        "'{}' is not tested on hardware: only its command line and inputs were checked{}{}",
        implementation.id, implementation.tested_note.empty() ? "" : ": ", implementation.tested_note));
  return planned;
}

Result<void> fill_parameters(Case& planned) {
  std::vector<Parameter> values = planned.parameters;
  const Value* rows = find_parameter(planned.parameters, "P");
  if (const auto* P = rows == nullptr ? nullptr : std::get_if<std::int64_t>(rows); P != nullptr) {
    // p divides P; and q divides Q, since P x Q is a multiple of p x q and q has no factor of P / p.
    const std::int64_t each = planned.ranks_per_node;
    const std::int64_t p = std::gcd(*P, each);
    values.push_back({"p", p});
    values.push_back({"q", each / p});
  }
  for (std::string& word : planned.arguments) word = filled(word, values);
  for (Parameter& variable : planned.environment)
    if (auto* text = std::get_if<std::string>(&variable.value)) *text = filled(*text, values);
  std::vector<std::string> left = {"run"};
  if (planned.hosts == host_placeholder) left.emplace_back("host");
  std::vector<std::string> names = left;
  for (const Parameter& value : values) names.push_back(value.name);
  const auto unknown = [&](std::string_view text) -> Result<void> {
    for (const std::string& name : placeholders(text))
      if (std::ranges::find(left, name) == left.end())
        return fail(planned.suite + "/" + planned.implementation,
                    fmt::format("unknown placeholder '{{{}}}'{}", name, did_you_mean(name, names)),
                    fmt::format("known: {}", joined(names, ", ")));
    return {};
  };
  for (const std::string& word : planned.arguments)
    if (auto ok = unknown(word); !ok) return ok;
  return {};
}

Model described_model(const Implementation& implementation, std::string text) {
  return {std::move(text), implementation.tuned_text("model_kind"),
          static_cast<int>(implementation.tuned("model_parameters", 0)),
          static_cast<int>(implementation.tuned("model_points", 0))};
}

std::string grid_shape(const Case& planned) {
  const Value* P = find_parameter(planned.parameters, "P");
  const Value* Q = find_parameter(planned.parameters, "Q");
  return P == nullptr || Q == nullptr ? std::string()
                                      : fmt::format("{} x {}", value_text(*P), value_text(*Q));
}

UsableMemory usable_host_memory(const NodeGroup& node) {
  UsableMemory least;
  const auto consider = [&least](std::int64_t bytes, const char* because) {
    if (bytes > 0 && (least.bytes == 0 || bytes < least.bytes)) least = {bytes, because};
  };
  consider(node.memory_bytes, "on the board of a node");
  consider(node.usable.memory_bytes, "that a job is limited to on a node");
  consider(node.usable.available_bytes, "available now on a node");
  return least;
}

UsableMemory usable_gpu_memory(const NodeGroup& node) {
  if (node.gpus.empty()) return {};
  const auto smallest = std::ranges::min_element(node.gpus, {}, &Gpu::memory_bytes);
  const std::string_view make = gpu_make(*smallest);
  return {smallest->memory_bytes, make == "nvidia" ? "of a GPU, visible to CUDA"
                                  : make == "amd"  ? "of a GPU, visible to HIP"
                                                   : "of a GPU, visible to programs"};
}

Result<std::optional<std::int64_t>> PlanRequest::pinned(std::string_view name) const {
  const Value* value = find_parameter(pins, name);
  if (value == nullptr) return std::optional<std::int64_t>();
  const auto* whole = std::get_if<std::int64_t>(value);
  if (whole == nullptr || *whole < 1)
    return fail(fmt::format("pin {}", name),
                fmt::format("'{}' is no whole number above 0", value_text(*value)));
  return std::optional<std::int64_t>(*whole);
}

std::string PlanRequest::pinned_text(std::string_view name) const {
  const Value* value = find_parameter(pins, name);
  return value == nullptr ? std::string() : value_text(*value);
}

}  // namespace shakedown
