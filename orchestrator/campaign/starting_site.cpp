#include "orchestrator/campaign/starting_site.hpp"

#include <algorithm>
#include <map>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/plan/placeholders.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/roce_ports.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

std::string line(std::string_view key, std::string_view value, std::string_view edit = {}) {
  return fmt::format("{} = {}{}{}\n", key, value, edit.empty() ? "" : "   # EDIT: ", edit);
}

std::string texts(const std::vector<std::string>& list) {
  std::vector<std::string> quoted;
  quoted.reserve(list.size());
  for (const std::string& each : list) quoted.push_back(toml_quoted(each));
  return "[" + joined(quoted, ", ") + "]";
}

std::string value_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? toml_quoted(*text) : value_text(value);
}

/// The partition that an inventory was discovered in; empty: not stated.
std::string discovered_partition(const Inventory& inventory) {
  constexpr std::string_view words_before = "Slurm's partition ";
  const std::size_t at = inventory.source.find(words_before);
  return at == std::string::npos ? "" : inventory.source.substr(at + words_before.size());
}

/// This machine alone: no batch system needed.
bool is_here(const FittedRuns& fitted, const Inventory& inventory) {
  return fitted.nodes == 1 && !contains(inventory.source, "Slurm") &&
         fitted.kind.hosts.front() == host_name();
}

/// The network between the nodes, by its inventory, its ports or the names of its adapters.
enum class Network { unknown, roce, infiniband };

Network network_of(const Inventory& inventory, const NodeGroup& node) {
  const std::string technology = lower(inventory.fabric.technology);
  if (contains(technology, "roce")) return Network::roce;
  if (contains(technology, "infiniband")) return Network::infiniband;
  if (!technology.empty()) return Network::unknown;
  if (std::ranges::find(node.nics, "InfiniBand", &Nic::link_layer) != node.nics.end())
    return Network::infiniband;
  for (const Nic& nic : node.nics)
    if (nic.roce_gid_index) return Network::roce;
  // Linux names the network interface of an InfiniBand port ib...; an Ethernet port with RDMA uses RoCE.
  for (const Nic& nic : node.nics)
    if (!nic.rdma_device.empty() && nic.name.starts_with("ib")) return Network::infiniband;
  for (const Nic& nic : node.nics)
    if (!nic.rdma_device.empty() && (nic.name.starts_with("e") || nic.name.starts_with("bond")))
      return Network::roce;
  return Network::unknown;
}

std::string batch_system(const Acceptance& shipped, const Inventory& inventory, bool same_system) {
  std::string text = line("launcher", "\"srun\"") + line("scheduler", "\"slurm\"");
  if (const std::string partition = discovered_partition(inventory); !partition.empty())
    text += line("partition", toml_quoted(partition));
  else if (same_system)
    text += line("partition", toml_quoted(shipped.site.partition), "the partition of these nodes");
  else if (!contains(inventory.source, "Slurm"))
    text +=
        "# partition = \"...\"   # EDIT: the partition of these nodes; without it Slurm takes its default\n";
  text += line("mpi", "\"pmix\"");
  text +=
      "# account = \"...\"       # where your Slurm asks for them\n# qos = \"...\"\n# reservation = "
      "\"...\"\n";
  return text;
}

bool in_containers(const FittedRuns& fitted) {
  return std::ranges::any_of(fitted.runs, [](const FittedRun& run) {
    return std::ranges::any_of(run.implementations,
                               [](const Implementation& each) { return !each.container.empty(); });
  });
}

/// The variables with the folders of an implementation's data: {DATADIR} of its mounts and requirements.
std::vector<std::string> data_variables(const Implementation& implementation) {
  std::vector<std::string> places = implementation.mounts;
  for (const Requirement& each : implementation.requirements) places.push_back(each.path);
  std::vector<std::string> names;
  for (const std::string& place : places)
    for (const std::string& name : placeholders(place))
      if (name != "run" && std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

/// A shipped configuration's path on this site: what lies in its shared folder lies in ours.
std::string moved(const std::string& path, const Site& shipped, const std::string& folder) {
  for (const std::string& mount : shipped.mounts) {
    const std::string theirs = mount.substr(0, mount.find(':'));
    if (!theirs.empty() && path.starts_with(theirs + "/")) return folder + path.substr(theirs.size());
  }
  return path;
}

/// A variable that an implementation sets itself and a site may change; null: the site must state it.
const Value* own_value(const Implementation& implementation, std::string_view name) {
  return find_parameter(implementation.environment, name);
}

std::string program_text(const Implementation& implementation, const Site& shipped,
                         const std::string& folder) {
  const std::string id = implementation.benchmark.empty()
                             ? implementation.id
                             : fmt::format("{}-{}", implementation.id, implementation.benchmark);
  const SiteProgram* stated = shipped.program(implementation.suite, id);
  std::string text = fmt::format("# {}\n[[site.programs]]\nimplementation = \"{}/{}\"\n",
                                 implementation.title, implementation.suite, id);
  if (implementation.container.empty()) {
    const std::string program =
        stated != nullptr && !stated->program.empty()
            ? moved(stated->program, shipped, folder)
            : fmt::format("{}/{}/{}", folder, implementation.suite, implementation.program);
    const std::string hint =
        implementation.install_hint.empty() ? "" : fmt::format("# {}.\n", implementation.install_hint);
    return text + hint + line("program", toml_quoted(program), "path of the program on the nodes") + "\n";
  }
  const std::string image = stated != nullptr && !stated->image.empty()
                                ? moved(stated->image, shipped, folder)
                                : fmt::format("{}/images/{}-{}.sqsh", folder, implementation.suite, id);
  text += line("image", toml_quoted(image), fmt::format("path of the image of {}", implementation.container));
  text += line("digest", toml_quoted("sha256:" + std::string(64, '0')),
               "sha256: and the first field of `sha256sum IMAGE`");
  const std::vector<std::string> names = data_variables(implementation);
  if (!names.empty()) text += "\n[site.programs.environment]\n";
  for (const std::string& name : names) {
    const Value* known = stated == nullptr ? nullptr : find_parameter(stated->environment, name);
    if (const Value* own = own_value(implementation, name); known == nullptr && own != nullptr) {
      text +=
          line(name, toml_quoted(value_text(*own)), "keep it where the job's user may do this on the nodes");
      continue;
    }
    const std::string path = known != nullptr
                                 ? moved(value_text(*known), shipped, folder)
                                 : fmt::format("{}/{}/{}", folder, implementation.suite, lower(name));
    text += line(name, toml_quoted(path), "path of its data");
  }
  return text + "\n";
}

std::string fabric_text(const Inventory& inventory, const FittedRuns& fitted) {
  const NodeGroup& node = fitted.kind.like;
  const Network network = fitted.nodes > 1 ? network_of(inventory, node) : Network::unknown;
  if (network == Network::unknown)
    return fitted.nodes > 1 && !inventory.fabric.technology.empty()
               ? fmt::format(
                     "# {}: its libraries find it by themselves. [site.fabric] is for InfiniBand and "
                     "RoCE.\n\n",
                     on_one_line(inventory.fabric.technology))
               : "";
  if (network == Network::infiniband) {
    const auto port =
        std::ranges::find_if(node.nics, [](const Nic& nic) { return nic.name.starts_with("ib"); });
    const bool found = port != node.nics.end();
    return "# InfiniBand; the adapters are those of the inventory.\n[site.fabric]\n" +
           line("socket_interface", toml_quoted(found ? port->name : "ib0"),
                found ? "keep it where the ranks can reach each other by it: the interface of their first "
                        "contact"
                      : "the interface for the first contact of the ranks") +
           "\n";
  }
  const RocePorts ports = roce_ports(inventory, fitted.kind.hosts, gpu_nics(node));
  const int mtu = inventory.fabric.mtu_bytes > 0 ? inventory.fabric.mtu_bytes : ports.mtu;
  return "# RoCE: without these numbers, traffic may leave the lossless queue. The adapters are those of the "
         "inventory.\n"
         "[site.fabric]\n" +
         (ports.gid_index
              ? fmt::format("# The GID index of RoCE v2, {}, is the inventory's.\n", *ports.gid_index)
              : line("gid_index", "3", "of RoCE v2, from `show_gids`")) +
         line("traffic_class", "106", "of the lossless queue: DSCP x 4 + 2 (ECN on); 106 is DSCP 26") +
         line("socket_interface", "\"bond0\"", "the interface for the first contact of the ranks") +
         line("mtu", mtu > 0 ? fmt::format("{}", mtu) : "4096",
              mtu > 0 ? "" : "RDMA MTU in bytes (active_mtu of `ibv_devinfo`), not the interface's 9000") +
         "\n";
}

/// A value that all of a list share; empty: they differ, or it is not known.
template <class Range, class Projection>
std::string shared(const Range& range, Projection projection) {
  std::string value;
  for (const auto& each : range) {
    const std::string own = projection(each);
    if (own.empty() || (!value.empty() && own != value)) return "";
    value = own;
  }
  return value;
}

std::string settings_text(const FittedRuns& fitted) {
  const NodeGroup& node = fitted.kind.like;
  std::string text =
      "# The nodes as they were delivered: a result is invalid where a node does not have these settings. "
      "`shakedown list\n"
      "# --keys acceptance` names all of them.\n[settings]\n";
  if (!node.software.kernel.empty()) text += line("kernel", toml_quoted(node.software.kernel));
  std::string driver = shared(node.gpus, [](const Gpu& gpu) { return gpu.driver; });
  if (driver.empty()) driver = node.software.gpu_driver;
  if (!driver.empty()) text += line("driver", toml_quoted(driver));
  const std::string vbios = shared(node.gpus, [](const Gpu& gpu) { return gpu.vbios; });
  if (!vbios.empty()) text += line("vbios", toml_quoted(vbios));
  const std::string ecc = shared(node.gpus, [](const Gpu& gpu) {
    return gpu.ecc ? std::string(*gpu.ecc ? "true" : "false") : std::string();
  });
  if (!ecc.empty()) text += line("ecc", ecc);
  return text + "# governor = \"performance\"\n\n";
}

}  // namespace

std::string starting_site(const Acceptance& shipped, const Inventory& inventory, const FittedRuns& fitted) {
  std::string text;
  const std::string settings = settings_text(fitted);
  if (is_here(fitted, inventory) && fitted.screening)
    return "# This machine: no batch system, no network. Set OMP_NUM_THREADS and the like in "
           "[site.environment].\n[site]\n\n" +
           settings;
  const bool containers = in_containers(fitted);
  std::string folder = "/lustre/acceptance";
  for (const Storage& each : inventory.storage)
    if (!each.mount.empty()) folder = each.mount + "/acceptance";
  text += "[site]\n";
  if (!is_here(fitted, inventory)) text += batch_system(shipped, inventory, fitted.same_system);
  if (containers) {
    const bool pyxis = !is_here(fitted, inventory);
    text += line("container_runtime", pyxis ? "\"pyxis\"" : "\"apptainer\"",
                 "\"pyxis\", \"apptainer\" with .sif images, or \"none\" with programs on the nodes");
    text += line("mounts", texts({folder + ":" + folder}), "the shared folder of images, data and runs");
  } else if (!fitted.kind.like.gpus.empty()) {
    text +=
        "# Programs in an image: container_runtime = \"apptainer\" or \"pyxis\", and in [[site.programs]] "
        "`image` "
        "beside `program`.\n";
  }
  text += "\n";
  if (fitted.screening) return text + fabric_text(inventory, fitted) + settings;
  if (!shipped.site.environment.empty()) {
    text += "[site.environment]\n";
    for (const Parameter& each : shipped.site.environment) text += line(each.name, value_of(each.value));
    text += "\n";
  }
  std::vector<std::string> written;
  std::vector<std::string> tables;  // of suites
  std::string of_suites;
  for (const FittedRun& run : fitted.runs)
    for (const Implementation& each : run.implementations) {
      const std::string key = each.suite + "/" + each.id + "/" + each.benchmark;
      if (each.program.starts_with("{libexec}") || std::ranges::find(written, key) != written.end()) continue;
      written.push_back(key);
      text += program_text(each, shipped.site, folder);
      const SuiteFacts* facts = suite_facts(each.suite);
      if (facts == nullptr || facts->starting_site == nullptr ||
          std::ranges::find(tables, each.suite) != tables.end())
        continue;
      tables.push_back(each.suite);
      of_suites += facts->starting_site(shipped.site, inventory, folder);
    }
  return text + fabric_text(inventory, fitted) + of_suites + settings;
}

}  // namespace shakedown
