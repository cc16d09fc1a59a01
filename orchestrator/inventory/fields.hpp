#pragma once
#include <string_view>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// One key of an inventory file.
struct Key {
  std::string_view name;  ///< unit last: memory_bytes, base_mhz
  double minimum = 0;     ///< smaller numbers are refused
  bool required = false;
  bool always = false;  ///< written even where it is the default, which a reader may derive from its context
};

/// The keys of each part of an inventory and the member behind each, in the order in which they are written:
/// the one table that both file formats' readers and writers go through, so that they can't disagree.
///
///     Fields<Cpu>::visit([&](const Key& key, auto Cpu::*member) { ... });
template <class Part>
struct Fields;

template <>
struct Fields<Cache> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "level", .minimum = 1, .always = true}, &Cache::level);
    v(Key{.name = "size_bytes", .required = true}, &Cache::bytes);
    v(Key{.name = "instances", .minimum = 1, .always = true}, &Cache::instances);
  }
};

template <>
struct Fields<Cpu> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "model"}, &Cpu::model);
    v(Key{.name = "vendor"}, &Cpu::vendor);
    v(Key{.name = "architecture"}, &Cpu::architecture);
    v(Key{.name = "sockets", .minimum = 1, .always = true}, &Cpu::sockets);
    v(Key{.name = "cores", .minimum = 1, .required = true}, &Cpu::cores);
    v(Key{.name = "threads_per_core", .minimum = 1, .always = true}, &Cpu::threads_per_core);
    v(Key{.name = "numa_nodes", .minimum = 1, .always = true}, &Cpu::numa_nodes);
    v(Key{.name = "vector_extension"}, &Cpu::vector_extension);
    v(Key{.name = "base_mhz"}, &Cpu::base_mhz);
    v(Key{.name = "base_mhz_source"}, &Cpu::base_mhz_source);
    v(Key{.name = "max_mhz"}, &Cpu::max_mhz);
    v(Key{.name = "fp64_flop_per_cycle"}, &Cpu::fp64_flop_per_cycle);
    v(Key{.name = "fp64_source"}, &Cpu::fp64_source);
    v(Key{.name = "caches"}, &Cpu::caches);
  }
};

template <>
struct Fields<Usable> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "cores", .minimum = 1, .always = true}, &Usable::cores);
    v(Key{.name = "hardware_threads", .minimum = 1, .always = true}, &Usable::hardware_threads);
    v(Key{.name = "slurm_cpus_per_core", .minimum = 1}, &Usable::slurm_cpus_per_core);
    v(Key{.name = "slurm_gpus"}, &Usable::slurm_gpus);
    v(Key{.name = "cpu_quota_cores"}, &Usable::cpu_quota);
    v(Key{.name = "memory_bytes", .always = true}, &Usable::memory_bytes);
    v(Key{.name = "available_bytes"}, &Usable::available_bytes);
    v(Key{.name = "limited_by"}, &Usable::limited_by);
  }
};

template <>
struct Fields<GpuPeak> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "fp64_vector_tflops"}, &GpuPeak::fp64_vector_tflops);
    v(Key{.name = "fp64_tensor_tflops"}, &GpuPeak::fp64_tensor_tflops);
    v(Key{.name = "fp64_emulated_tflops"}, &GpuPeak::fp64_emulated_tflops);
    v(Key{.name = "fp32_tflops"}, &GpuPeak::fp32_tflops);
    v(Key{.name = "tf32_dense_tflops"}, &GpuPeak::tf32_dense_tflops);
    v(Key{.name = "bf16_dense_tflops"}, &GpuPeak::bf16_dense_tflops);
    v(Key{.name = "fp16_dense_tflops"}, &GpuPeak::fp16_dense_tflops);
    v(Key{.name = "fp8_dense_tflops"}, &GpuPeak::fp8_dense_tflops);
    v(Key{.name = "fp6_dense_tflops"}, &GpuPeak::fp6_dense_tflops);
    v(Key{.name = "fp4_dense_tflops"}, &GpuPeak::fp4_dense_tflops);
    v(Key{.name = "memory_bandwidth_gb_s"}, &GpuPeak::memory_bandwidth_gb_s);
    v(Key{.name = "link_gb_s"}, &GpuPeak::link_gb_s);
    v(Key{.name = "tdp_watts"}, &GpuPeak::tdp_watts);
    v(Key{.name = "source"}, &GpuPeak::source);
  }
};

template <>
struct Fields<Gpu> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "model"}, &Gpu::model);
    v(Key{.name = "uuid"}, &Gpu::uuid);
    v(Key{.name = "memory_bytes"}, &Gpu::memory_bytes);
    v(Key{.name = "sm_count"}, &Gpu::sm_count);
    v(Key{.name = "sm_max_mhz"}, &Gpu::sm_mhz_max);
    v(Key{.name = "memory_max_mhz"}, &Gpu::memory_mhz_max);
    v(Key{.name = "ecc"}, &Gpu::ecc);
    v(Key{.name = "pci_address"}, &Gpu::pci_address);
    v(Key{.name = "pci_id"}, &Gpu::pci_id);
    v(Key{.name = "numa_node", .minimum = -1}, &Gpu::numa_node);
    v(Key{.name = "driver"}, &Gpu::driver);
    v(Key{.name = "vbios"}, &Gpu::vbios);
    v(Key{.name = "peak"}, &Gpu::peak);
  }
};

template <>
struct Fields<Nic> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "name", .required = true}, &Nic::name);
    v(Key{.name = "driver"}, &Nic::driver);
    v(Key{.name = "speed_gbit_s"}, &Nic::speed_gb_s);
    v(Key{.name = "rdma_device"}, &Nic::rdma_device);
    v(Key{.name = "link_layer"}, &Nic::link_layer);
    v(Key{.name = "roce_gid_index"}, &Nic::roce_gid_index);
    v(Key{.name = "mtu_bytes"}, &Nic::mtu_bytes);
    v(Key{.name = "numa_node", .minimum = -1}, &Nic::numa_node);
    v(Key{.name = "state"}, &Nic::state);
    v(Key{.name = "firmware"}, &Nic::firmware);
    v(Key{.name = "pci_address"}, &Nic::pci_address);
    v(Key{.name = "role"}, &Nic::role);
    v(Key{.name = "gpu"}, &Nic::gpu);
    v(Key{.name = "rail"}, &Nic::rail);
  }
};

template <>
struct Fields<Mount> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "path", .required = true}, &Mount::path);
    v(Key{.name = "type"}, &Mount::type);
    v(Key{.name = "source"}, &Mount::source);
    v(Key{.name = "total_bytes"}, &Mount::total_bytes);
    v(Key{.name = "free_bytes"}, &Mount::free_bytes);
    v(Key{.name = "writable"}, &Mount::writable);
  }
};

template <>
struct Fields<Disk> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "name"}, &Disk::name);
    v(Key{.name = "model"}, &Disk::model);
    v(Key{.name = "size_bytes", .required = true}, &Disk::size_bytes);
    v(Key{.name = "bus"}, &Disk::bus);
    v(Key{.name = "rotational"}, &Disk::rotational);
    v(Key{.name = "firmware"}, &Disk::firmware);
    v(Key{.name = "mounts"}, &Disk::mounts);
  }
};

template <>
struct Fields<Software> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "os"}, &Software::os);
    v(Key{.name = "kernel"}, &Software::kernel);
    v(Key{.name = "firmware"}, &Software::firmware);
    v(Key{.name = "board"}, &Software::board);
    v(Key{.name = "gpu_driver"}, &Software::gpu_driver);
    v(Key{.name = "virtualisation"}, &Software::virtualisation);
  }
};

template <>
struct Fields<NodeGroup> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "name"}, &NodeGroup::name);
    v(Key{.name = "hosts", .required = true}, &NodeGroup::hosts);
    v(Key{.name = "memory_bytes", .minimum = 1, .required = true}, &NodeGroup::memory_bytes);
    v(Key{.name = "memory_modules"}, &NodeGroup::memory_modules);
    v(Key{.name = "memory_bandwidth_gb_s"}, &NodeGroup::memory_bandwidth_gb_s);
    v(Key{.name = "cpu", .required = true}, &NodeGroup::cpu);
    v(Key{.name = "usable", .always = true}, &NodeGroup::usable);
    v(Key{.name = "gpu_link"}, &NodeGroup::gpu_link);
    v(Key{.name = "power_watts"}, &NodeGroup::power_watts);
    v(Key{.name = "assumed"}, &NodeGroup::assumed);
    v(Key{.name = "gpus"}, &NodeGroup::gpus);
    v(Key{.name = "nics"}, &NodeGroup::nics);
    v(Key{.name = "mounts"}, &NodeGroup::mounts);
    v(Key{.name = "disks"}, &NodeGroup::disks);
    v(Key{.name = "software"}, &NodeGroup::software);
  }
};

template <>
struct Fields<Pod> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "name", .required = true}, &Pod::name);
    v(Key{.name = "hosts", .required = true}, &Pod::hosts);
    v(Key{.name = "assumed"}, &Pod::assumed);
  }
};

template <>
struct Fields<Fabric> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "technology"}, &Fabric::technology);
    v(Key{.name = "topology"}, &Fabric::topology);
    v(Key{.name = "rails"}, &Fabric::rails);
    v(Key{.name = "link_gbit_s"}, &Fabric::link_gbit_s);
    v(Key{.name = "switch_port_gbit_s"}, &Fabric::switch_port_gbit_s);
    v(Key{.name = "leaf_switches"}, &Fabric::leaf_switches);
    v(Key{.name = "spine_switches"}, &Fabric::spine_switches);
    v(Key{.name = "switch_model"}, &Fabric::switch_model);
    v(Key{.name = "switch_software"}, &Fabric::switch_software);
    v(Key{.name = "mtu_bytes"}, &Fabric::mtu_bytes);
    v(Key{.name = "assumed"}, &Fabric::assumed);
  }
};

template <>
struct Fields<Storage> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "name", .required = true}, &Storage::name);
    v(Key{.name = "type"}, &Storage::type);
    v(Key{.name = "mount"}, &Storage::mount);
    v(Key{.name = "servers"}, &Storage::servers);
    v(Key{.name = "server_model"}, &Storage::server_model);
    v(Key{.name = "nics_per_server"}, &Storage::nics_per_server);
    v(Key{.name = "nic_gbit_s"}, &Storage::nic_gbit_s);
    v(Key{.name = "raw_bytes"}, &Storage::raw_bytes);
    v(Key{.name = "usable_bytes"}, &Storage::usable_bytes);
    v(Key{.name = "inode_limit"}, &Storage::inode_limit);
    v(Key{.name = "assumed"}, &Storage::assumed);
  }
};

template <>
struct Fields<Inventory> {
  template <class Visitor>
  static void visit(Visitor&& v) {
    v(Key{.name = "system", .required = true}, &Inventory::system);
    v(Key{.name = "source", .always = true}, &Inventory::source);
    v(Key{.name = "discovered"}, &Inventory::discovered);
    v(Key{.name = "notes"}, &Inventory::notes);
    v(Key{.name = "pods"}, &Inventory::pods);
    v(Key{.name = "fabric"}, &Inventory::fabric);
    v(Key{.name = "storage"}, &Inventory::storage);
    v(Key{.name = "groups", .required = true}, &Inventory::groups);
  }
};

template <class T>
concept Part = requires {
  sizeof(Fields<T>);
};

/// A container of parts. By name: clang 19 crashes on the same words within a lambda.
template <class T>
concept Parts = requires {
  typename T::value_type;
}
&&Part<typename T::value_type>;

inline constexpr std::string_view inventory_schema = "shakedown.inventory/1";

}  // namespace shakedown
