#pragma once
#include <rapidcheck.h>

#include <type_traits>

#include "orchestrator/inventory/fields.hpp"

namespace shakedown {

/// An inventory drawn at random in which no part contradicts another.
inline Inventory drawn_inventory() {
  using Names = std::vector<std::string>;
  const auto size = [](int from, int to) { return *rc::gen::inRange(from, to); };
  const auto fill = [&]<class T>(T& part) {
    Fields<T>::visit([&]<class Member>(const Key&, Member T::*member) {
      Member& field = part.*member;
      if constexpr (std::is_same_v<Member, std::string>)
        field = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
      else if constexpr (std::is_same_v<Member, int>)
        field = size(1, 1000);
      else if constexpr (std::is_same_v<Member, std::int64_t>)
        field = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50);
      else if constexpr (std::is_same_v<Member, double>)
        field = size(0, 1'000'000) / 7.0;
      else if constexpr (std::is_same_v<Member, bool>)
        field = *rc::gen::arbitrary<bool>();
      else if constexpr (std::is_same_v<Member, std::optional<bool>>)
        field = *rc::gen::element<std::optional<bool>>(std::nullopt, false, true);
      else if constexpr (std::is_same_v<Member, std::optional<double>>)
        field = *rc::gen::element<std::optional<double>>(std::nullopt, 0.0, 66.9, 1.0 / 3);
      else if constexpr (std::is_same_v<Member, std::optional<int>>)
        field = *rc::gen::element<std::optional<int>>(std::nullopt, 0, 1);
      else if constexpr (std::is_same_v<Member, std::vector<std::string>>)
        field = *rc::gen::container<std::vector<std::string>>(
            rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127)));
    });
  };
  Inventory inventory;
  fill(inventory);
  inventory.system += "s";
  fill(inventory.fabric);
  inventory.fabric.rails = size(2, 9);
  inventory.fabric.assumed = *rc::gen::element(Names{}, Names{"rails", "mtu_bytes"});
  for (int i = size(0, 3); i > 0; --i) {
    Storage& storage = inventory.storage.emplace_back();
    fill(storage);
    storage.name += "s";
    storage.assumed = *rc::gen::element(Names{}, Names{"mount"});
  }
  const int groups = size(1, 4);
  for (int g = 0; g < groups; ++g) {
    NodeGroup group;
    fill(group);
    group.hosts = "g" + std::to_string(g) + "n[1-" + std::to_string(size(2, 99)) + "]";
    group.assumed = *rc::gen::element(Names{}, Names{"hosts", "cpu.base_mhz", "gpus.peak.source"});
    if (*rc::gen::arbitrary<bool>())
      inventory.pods.push_back({"pod" + std::to_string(g), "g" + std::to_string(g) + "n1", g > 1});
    fill(group.cpu);
    group.cpu.cores = group.cpu.sockets * size(1, 99);
    for (int c = size(0, 4); c > 0; --c) fill(group.cpu.caches.emplace_back());
    fill(group.usable);
    group.usable.cores = size(1, group.cpu.cores + 1);
    group.usable.hardware_threads = size(1, group.cpu.cores * group.cpu.threads_per_core + 1);
    group.memory_bytes += 1;
    group.usable.memory_bytes = *rc::gen::inRange<std::int64_t>(0, group.memory_bytes + 1);
    fill(group.software);
    for (int i = size(0, 4); i > 0; --i) {
      Gpu gpu;
      fill(gpu);
      fill(gpu.peak);
      // Runs of equal GPUs, which TOML writes as one table.
      for (int k = size(1, 4); k > 0; --k) {
        gpu.uuid = *rc::gen::element<std::string>("", "GPU-a", "GPU-b");
        gpu.numa_node = size(-1, 3);
        group.gpus.push_back(gpu);
      }
    }
    for (int i = size(0, 3); i > 0; --i) {
      Nic& nic = group.nics.emplace_back();
      fill(nic);
      nic.name += "e";
      nic.gpu.reset();
      if (!group.gpus.empty() && *rc::gen::arbitrary<bool>())
        nic.gpu = size(0, static_cast<int>(group.gpus.size()));
    }
    for (int i = size(0, 3); i > 0; --i) {
      Mount& mount = group.mounts.emplace_back();
      fill(mount);
      mount.path += "/";
    }
    for (int i = size(0, 3); i > 0; --i) fill(group.disks.emplace_back());
    inventory.groups.push_back(group);
  }
  return inventory;
}

}  // namespace shakedown
