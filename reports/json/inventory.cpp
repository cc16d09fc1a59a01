#include <nlohmann/json.hpp>

#include "reports/json/objects.hpp"
#include "reports/json/value.hpp"

namespace shakedown::results_json {
namespace {

json node_group_object(const NodeGroup& group) {
  json cpu = {{"model", group.cpu.model},           {"sockets", group.cpu.sockets},
              {"cores", group.cpu.cores},           {"threads_per_core", group.cpu.threads_per_core},
              {"numa_nodes", group.cpu.numa_nodes}, {"vector_extension", group.cpu.vector_extension}};
  if (group.cpu.base_mhz > 0) cpu["base_mhz"] = group.cpu.base_mhz;
  if (group.cpu.max_mhz > 0) cpu["max_mhz"] = group.cpu.max_mhz;
  if (group.cpu.fp64_flop_per_cycle > 0) cpu["fp64_flop_per_cycle"] = group.cpu.fp64_flop_per_cycle;
  if (const double peak = cpu_peak_gflops(group); peak > 0) cpu["peak_gflops"] = peak;
  json gpus = json::array();
  for (const Gpu& gpu : group.gpus)
    gpus.push_back({{"model", gpu.model},
                    {"uuid", gpu.uuid},
                    {"memory_bytes", gpu.memory_bytes},
                    {"driver", gpu.driver}});
  json nics = json::array();
  for (const Nic& nic : group.nics)
    nics.push_back({{"name", nic.name}, {"driver", nic.driver}, {"rdma_device", nic.rdma_device}});
  return {{"name", group.name},
          {"hosts", group.hosts},
          {"cpu", cpu},
          {"memory_bytes", group.memory_bytes},
          {"usable_cores", group.usable.cores},
          {"usable_memory_bytes", group.usable.memory_bytes},
          {"gpus", gpus},
          {"nics", nics},
          {"os", group.software.os},
          {"kernel", group.software.kernel},
          {"firmware", group.software.firmware},
          {"virtualisation", group.software.virtualisation}};
}

}  // namespace

json inventory_object(const Inventory& inventory) {
  json object = {{"system", inventory.system},
                 {"source", inventory.source},
                 {"groups", json::array()},
                 {"notes", inventory.notes}};
  for (const NodeGroup& group : inventory.groups) object["groups"].push_back(node_group_object(group));
  return object;
}

}  // namespace shakedown::results_json
