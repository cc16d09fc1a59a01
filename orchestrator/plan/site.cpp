#include "orchestrator/plan/site.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/plan/gpu_code.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

std::optional<int> small_number(TomlTable& table, std::string_view key, int most) {
  const auto value = table.optional_integer(key);
  if (!value) return std::nullopt;
  if (*value < 0 || *value > most) {
    table.reject(key, fmt::format("'{}' is {}, outside 0 to {}", key, *value, most));
    return std::nullopt;
  }
  return static_cast<int>(*value);
}

SiteFabric fabric_from(TomlTable table) {
  SiteFabric fabric;
  fabric.hca = table.texts("hca");
  fabric.gid_index = small_number(table, "gid_index", 255);
  fabric.traffic_class = small_number(table, "traffic_class", 255);
  fabric.socket_interface = table.text("socket_interface", "");
  fabric.mtu = small_number(table, "mtu", 65'535).value_or(0);
  fabric.nvshmem = table.boolean("nvshmem", false);
  return fabric;
}

SiteProgram program_from(TomlTable table) {
  SiteProgram program;
  program.implementation = table.required_text("implementation");
  if (program.implementation.find('/') == std::string::npos)
    table.reject("implementation", fmt::format("'{}' names no suite", program.implementation),
                 "write suite/implementation, as `shakedown list` does: hpl/nvidia");
  program.image = table.text("image", "");
  program.digest = table.text("digest", "");
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  constexpr std::string_view prefix = "sha256:";
  if (!program.digest.empty() &&
      (!program.digest.starts_with(prefix) || program.digest.size() != prefix.size() + 64 ||
       !std::ranges::all_of(program.digest.substr(prefix.size()), is_hex)))
    table.reject("digest", fmt::format("'{}' is no digest", program.digest), "sha256: and 64 hex digits");
  program.program = table.text("program", "");
  program.gpu_code = code_names(table, "gpu_code");
  program.mounts = table.texts("mounts");
  program.modules = table.texts("modules");
  program.environment = environment_from(table.table("environment"));
  return program;
}

void add(std::vector<Parameter>& list, const char* name, const std::optional<int>& value) {
  if (value) list.push_back({name, std::int64_t{*value}});
}

void add(std::vector<Parameter>& list, const char* name, const std::string& value) {
  if (!value.empty()) list.push_back({name, value});
}

bool are_distinct(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

std::string devices(const std::vector<std::string>& hca, std::string_view port) {
  std::vector<std::string> unique;
  for (const std::string& device : hca)
    if (std::ranges::find(unique, device + std::string(port)) == unique.end())
      unique.push_back(device + std::string(port));
  return joined(unique, ",");
}

}  // namespace

const SiteProgram* Site::program(std::string_view suite, std::string_view id) const {
  const std::string wanted = fmt::format("{}/{}", suite, id);
  const auto found = std::ranges::find(programs, wanted, &SiteProgram::implementation);
  return found == programs.end() ? nullptr : &*found;
}

const SuiteSite* Site::of_suite(std::string_view suite) const {
  const auto found = std::ranges::find(suites, suite, &SuiteSite::suite);
  return found == suites.end() ? nullptr : &*found;
}

Site site_from_toml(TomlTable table) {
  Site site;
  site.launcher = table.text("launcher", "");
  if (!site.launcher.empty()) site.launcher_place = table.place("launcher");
  site.container_runtime = table.text("container_runtime", "");
  if (!site.container_runtime.empty())
    must_be_one_of(table, "container_runtime", site.container_runtime,
                   std::array<std::string, 3>{"pyxis", "apptainer", "none"});
  if (site.container_runtime == "pyxis" && site.launcher != "srun")
    table.reject("container_runtime", "'pyxis' is a plugin of srun, and the launcher is another",
                 "launcher = \"srun\"");
  site.container_program = table.text("container_program", "");
  site.mpi = table.text("mpi", "");
  site.partition = table.text("partition", "");
  site.account = table.text("account", "");
  site.reservation = table.text("reservation", "");
  site.scheduler = table.text("scheduler", "");
  site.qos = table.text("qos", "");
  site.constraint = table.text("constraint", "");
  if (const auto most = table.optional_integer("most_jobs")) {
    if (*most < 1 || *most > 100'000) table.reject("most_jobs", "'most_jobs' is not within 1 to 100000");
    site.most_jobs = static_cast<int>(std::clamp<std::int64_t>(*most, 1, 100'000));
  }
  if (const auto poll = table.optional_integer("poll_seconds")) {
    if (*poll < 1 || *poll > 86'400) table.reject("poll_seconds", "'poll_seconds' is not within 1 to 86400");
    site.poll_s = static_cast<double>(std::clamp<std::int64_t>(*poll, 1, 86'400));
  }
  if (const auto wait = table.optional_integer("node_wait_seconds")) {
    if (*wait < 0 || *wait > 604'800)
      table.reject("node_wait_seconds", "'node_wait_seconds' is not within 0 to 604800 (a week)");
    site.node_wait_s = static_cast<double>(std::clamp<std::int64_t>(*wait, 0, 604'800));
  }
  site.slurm_options = table.texts("slurm_options");
  site.scheduler_options = table.texts("scheduler_options");
  for (const auto& [key, words] : {std::pair("slurm_options", &site.slurm_options),
                                   std::pair("scheduler_options", &site.scheduler_options)})
    if (const std::string word = secret_argument(*words); !word.empty())
      table.reject(key, fmt::format("'{}' holds what looks like a secret: {}", key, word),
                   "command lines can be read by others: put it into [site.environment]");
  site.modules = table.texts("modules");
  site.environment = environment_from(table.table("environment"));
  site.mounts = table.texts("mounts");
  for (TomlTable& program : table.tables("programs")) site.programs.push_back(program_from(program));
  // Also where absent, so that a misspelled key is distinguished from a known one.
  SiteFabric fabric = fabric_from(table.table("fabric"));
  if (table.has("fabric")) site.fabric = std::move(fabric);
  for (const SuiteFacts* facts : suites_in_order()) {
    if (facts->site == nullptr) continue;
    SuiteSite stated = facts->site(table.table(facts->id));
    if (table.has(facts->id)) site.suites.push_back(std::move(stated));
  }
  return site;
}

std::vector<Parameter> fabric_environment(const SiteFabric& fabric, const std::vector<std::string>& hca,
                                          const std::vector<std::string>& families) {
  const std::vector<std::string>& devices_of_node = fabric.hca.empty() ? hca : fabric.hca;
  std::vector<Parameter> list;
  for (const std::string& family : families) {
    if (family == "nccl") {
      // '=' asks for exact names: mlx5_1 would match mlx5_11 too.
      if (!devices_of_node.empty()) list.push_back({"NCCL_IB_HCA", "=" + devices(devices_of_node, "")});
      add(list, "NCCL_IB_GID_INDEX", fabric.gid_index);
      add(list, "NCCL_IB_TC", fabric.traffic_class);
      add(list, "NCCL_SOCKET_IFNAME", fabric.socket_interface);
    } else if (family == "ucx") {
      add(list, "UCX_NET_DEVICES", devices(devices_of_node, ":1"));
      add(list, "UCX_IB_GID_INDEX", fabric.gid_index);
      add(list, "UCX_IB_TRAFFIC_CLASS", fabric.traffic_class);
      if (fabric.mtu > 0) list.push_back({"UCX_IB_PATH_MTU", std::int64_t{fabric.mtu}});
    } else if (family == "nvshmem") {
      // With the mapping, rank i of a node has device i of the list; without it the nearest one. So the list
      // is used where the site states it, or where each GPU, in their order, has a device of its own.
      if (!fabric.hca.empty() || are_distinct(hca)) {
        add(list, "NVSHMEM_HCA_LIST", devices(devices_of_node, ":1"));
        if (!devices_of_node.empty()) list.push_back({"NVSHMEM_ENABLE_NIC_PE_MAPPING", std::int64_t{1}});
      }
      add(list, "NVSHMEM_IB_GID_INDEX", fabric.gid_index);
      add(list, "NVSHMEM_IB_TRAFFIC_CLASS", fabric.traffic_class);
      add(list, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", fabric.socket_interface);
    }
  }
  return list;
}

}  // namespace shakedown
