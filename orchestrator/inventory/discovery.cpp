#include <sys/utsname.h>

#include <algorithm>
#include <type_traits>

#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/inventory/amd_gpus.hpp"
#include "orchestrator/inventory/cpu_model.hpp"
#include "orchestrator/inventory/disks.hpp"
#include "orchestrator/inventory/fields.hpp"
#include "orchestrator/inventory/gpus.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/memory_modules.hpp"
#include "orchestrator/inventory/mounts.hpp"
#include "orchestrator/inventory/nics.hpp"
#include "orchestrator/inventory/software.hpp"
#include "orchestrator/inventory/system_file.hpp"
#include "orchestrator/inventory/topology.hpp"
#include "orchestrator/inventory/usable.hpp"

namespace shakedown {
namespace {

using Notes = std::vector<std::string>;

void append(Notes& notes, const Notes& more) {
  notes.insert(notes.end(), more.begin(), more.end());
}

/// A board by the affinity alone, for when hwloc fails: each hardware thread is taken for a core.
Topology assumed_topology(const std::vector<int>& affinity) {
  Topology board;
  for (const int thread : affinity) board.threads_of_core.push_back({thread});
  if (board.threads_of_core.empty()) board.threads_of_core.push_back({0});
  return board;
}

Topology topology(const std::vector<int>& affinity, Notes& notes) {
  auto board = read_topology();
  if (!board || board->threads_of_core.empty()) {
    notes.push_back("cores are hardware threads and caches are unknown, since " +
                    (board ? std::string("hwloc sees no core") : to_string(board.error())));
    return assumed_topology(affinity);
  }
  if (!board->this_machine) notes.emplace_back("HWLOC_* variables describe another machine than this one");
  return *board;
}

/// `assumed`: gets the keys of values that nothing states.
Cpu cpu(const Topology& board, const std::filesystem::path& root, const std::string& architecture,
        Notes& notes, std::vector<std::string>& assumed) {
  CpuModel model = read_cpu_model(root);
  model.datapath_bits = cpuid_datapath_bits();
  const Fp64Rate rate = fp64_rate(model);
  const CpuClock clock = read_cpu_clock(root, model, cpuid_base_mhz());
  Cpu cpu;
  cpu.model = model.name;
  cpu.vendor = model.vendor;
  cpu.architecture = architecture;
  cpu.sockets = board.sockets;
  cpu.cores = static_cast<int>(board.threads_of_core.size());
  cpu.threads_per_core = board.threads_per_core;
  cpu.numa_nodes = board.numa_nodes;
  cpu.vector_extension = vector_extension(model);
  cpu.base_mhz = clock.base_mhz;
  cpu.base_mhz_source = clock.source;
  cpu.max_mhz = clock.max_mhz;
  cpu.fp64_flop_per_cycle = rate.per_cycle;
  cpu.fp64_source = rate.source;
  cpu.caches = board.caches;
  if (!clock.note.empty()) notes.push_back(clock.note);
  if (clock.assumed) assumed.emplace_back(base_clock_key);
  if (!rate.note.empty()) notes.push_back(rate.note);
  if (cpu.fp64_flop_per_cycle == 0)
    notes.push_back("the FP64 operations per cycle of '" + model.name +
                    "' are not in the catalogue, so no theoretical peak is given");
  return cpu;
}

/// Replaces what file formats can't carry, in every text of the inventory.
template <class T>
void make_portable(T& part) {
  Fields<T>::visit([&]<class Member>(const Key&, Member T::*member) {
    Member& field = part.*member;
    if constexpr (std::is_same_v<Member, std::string>)
      field = valid_utf8(field);
    else if constexpr (std::is_same_v<Member, std::vector<std::string>>)
      std::transform(field.begin(), field.end(), field.begin(),
                     [](const std::string& text) { return valid_utf8(text); });
    else if constexpr (Part<Member>)
      make_portable(field);
    else if constexpr (Parts<Member>)
      for (auto& element : field) make_portable(element);
  });
}

/// The GPUs of both vendors, with what the catalogue knows of those that the drivers don't name.
FoundGpus gpus_of(const std::filesystem::path& root) {
  FoundGpus found = read_gpus(root);
  FoundGpus amd = read_amd_gpus(root);
  if (amd.gpus.empty()) return found;
  for (Gpu& gpu : amd.gpus)
    if (const CatalogueAnswer answer = catalogued(gpu); answer.row != nullptr && gpu.model.empty())
      gpu.model = answer.row->names.front();
  if (!found.gpus.empty()) {
    found.driver += ", " + amd.driver;
    append(found.notes, amd.notes);
    found.gpus.insert(found.gpus.end(), amd.gpus.begin(), amd.gpus.end());
    return found;
  }
  return amd;
}

/// The host as a hostlist of one; a name that can't be one is replaced.
std::string host_name(const std::string& node_name) {
  const auto hosts = expanded_hostlist(node_name);
  return hosts && hosts->size() == 1 && hosts->front() == node_name ? node_name : "localhost";
}

}  // namespace

Inventory discovered_inventory() {
  const std::filesystem::path root = "/";
  utsname name{};
  ::uname(&name);
  Inventory inventory;
  const std::string host = host_name(name.nodename);
  inventory.system = host;
  inventory.source = "discovered on " + host;
  inventory.discovered = utc_text(now_s());

  NodeGroup node;
  node.hosts = host;
  const std::vector<int> affinity = cpu_affinity();
  const Topology board =
      with_total_memory(topology(affinity, inventory.notes), meminfo_bytes(root, "MemTotal"));
  node.cpu = cpu(board, root, name.machine, inventory.notes, node.assumed);
  node.memory_bytes = board.memory_bytes;
  node.usable = usable_part(board, read_limits(root, affinity));
  if (node.memory_bytes == 0) inventory.notes.emplace_back("the size of the memory is not readable");

  MemoryModules modules = read_memory_modules(root);
  node.memory_modules = std::move(modules.text);
  node.memory_bandwidth_gb_s = modules.bandwidth_gb_s;
  if (!modules.note.empty()) inventory.notes.push_back(std::move(modules.note));

  FoundGpus gpus = gpus_of(root);
  node.gpus = std::move(gpus.gpus);
  append(inventory.notes, gpus.notes);
  node.nics = with_gpu_affinity(read_nics(root, driver_firmware), node.gpus, root);
  FoundMounts mounts = read_mounts(root);
  node.mounts = std::move(mounts.mounts);
  append(inventory.notes, mounts.notes);
  node.disks = read_disks(root);
  node.software = read_software(root, cpuid_hypervisor());
  node.software.gpu_driver = gpus.driver;

  inventory.groups.push_back(std::move(node));
  fill_from_catalogue(inventory);
  make_portable(inventory);
  return inventory;
}

}  // namespace shakedown
