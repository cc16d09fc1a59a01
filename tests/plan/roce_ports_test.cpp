#include "orchestrator/plan/roce_ports.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/plan/planned_case.hpp"
#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

/// Nodes of SAKURAONE as a discovery of theirs would show them.
NodeGroup seen(const std::string& hosts, int gid_index, int mtu) {
  NodeGroup node = sakuraone_nodes(1);
  node.hosts = hosts;
  for (Nic& nic : node.nics) {
    nic.link_layer = "Ethernet";
    nic.roce_gid_index = gid_index;
    nic.mtu_bytes = mtu;
    nic.state = "up";
  }
  return node;
}

Inventory cluster_of(std::vector<NodeGroup> groups) {
  Inventory inventory;
  inventory.groups = std::move(groups);
  return inventory;
}

/// NVIDIA's HPL on all nodes of the first group's kind.
Case hpl_on(const Inventory& inventory, const Site& site) {
  const Implementation nvidia = shipped("hpl", "nvidia");
  PlanRequest request;
  request.inventory = &inventory;
  request.implementation = &nvidia;
  request.group = &inventory.groups.front();
  for (const NodeGroup& group : inventory.groups) {
    const auto hosts = expanded_hostlist(group.hosts).value();
    request.hosts.insert(request.hosts.end(), hosts.begin(), hosts.end());
  }
  request.site = &site;
  RankLayout layout;
  layout.nodes = static_cast<int>(request.hosts.size());
  layout.ranks_per_node = 8;
  auto hpl = planned_case(request, layout);
  if (!hpl) FAIL(to_string(hpl.error()));
  return *hpl;
}

std::string variable(const Case& planned, std::string_view name) {
  const Value* value = find_parameter(planned.environment, name);
  return value == nullptr ? "none" : value_text(*value);
}

}  // namespace

TEST_CASE("the RDMA MTU is the largest that leaves 96 bytes of headers in the interface's packets") {
  CHECK(rdma_mtu(9000) == 4096);
  CHECK(rdma_mtu(4192) == 4096);
  CHECK(rdma_mtu(4191) == 2048);
  CHECK(rdma_mtu(1500) == 1024);
  CHECK(rdma_mtu(0) == 0);
}

TEST_CASE("the GID index and the MTU that all ports share are the plan's, with where they were seen") {
  const Inventory inventory = cluster_of({seen("cn[001-002]", 5, 9000)});
  const Case hpl = hpl_on(inventory, {});
  CHECK(variable(hpl, "NCCL_IB_GID_INDEX") == "5");
  CHECK(variable(hpl, "UCX_IB_GID_INDEX") == "5");
  CHECK(variable(hpl, "UCX_IB_PATH_MTU") == "4096");
  CHECK(reason_for(hpl, "gid_index") == "so have all 16 RoCE ports of the nodes that the inventory shows");
  CHECK(mentions(hpl.warnings, "states no [site.fabric] traffic_class: "));
  Site with_nvshmem;
  with_nvshmem.fabric = SiteFabric{};
  with_nvshmem.fabric->nvshmem = true;
  with_nvshmem.fabric->traffic_class = 106;
  const Case other = hpl_on(inventory, with_nvshmem);
  CHECK(variable(other, "NVSHMEM_IB_GID_INDEX") == "5");
  CHECK_FALSE(mentions(other.warnings, "RoCE"));
}

TEST_CASE("what [site.fabric] states goes before what the ports show") {
  Site site;
  site.fabric = SiteFabric{};
  site.fabric->gid_index = 3;
  const Case hpl = hpl_on(cluster_of({seen("cn[001-002]", 5, 9000)}), site);
  CHECK(variable(hpl, "NCCL_IB_GID_INDEX") == "3");
  CHECK(reason_for(hpl, "gid_index").empty());
  CHECK(variable(hpl, "UCX_IB_PATH_MTU") == "4096");
}

TEST_CASE("where nodes or ports differ, the plan says where and takes no index") {
  const Case nodes = hpl_on(cluster_of({seen("cn[001-002]", 5, 9000), seen("cn003", 3, 1500)}), {});
  CHECK(variable(nodes, "NCCL_IB_GID_INDEX") == "none");
  CHECK(mentions(
      nodes.warnings,
      "the RoCE ports of the nodes differ: GID index 5 (cn[001-002]: mlx5_0, mlx5_1, mlx5_2, mlx5_4, "
      "mlx5_5, mlx5_6, mlx5_7, mlx5_11), 3 (cn003: mlx5_0"));
  CHECK(mentions(nodes.warnings, "; MTU 4096 (cn[001-002]: mlx5_0"));
  CHECK(mentions(nodes.warnings, "state [site.fabric] gid_index and mtu"));
  NodeGroup port = seen("cn[001-002]", 5, 9000);
  port.nics[3].roce_gid_index.reset();
  const Case ports = hpl_on(cluster_of({port}), {});
  CHECK(variable(ports, "NCCL_IB_GID_INDEX") == "none");
  CHECK(mentions(ports.warnings, ", none (cn[001-002]: mlx5_4)"));
}

TEST_CASE("ports that are down, of other hosts or of no GPU don't count") {
  NodeGroup node = seen("cn[001-002]", 5, 9000);
  Nic storage = node.nics.front();
  storage.name = storage.rdma_device = "mlx5_8";
  storage.gpu.reset();
  storage.roce_gid_index = 3;
  node.nics.push_back(storage);
  const Inventory inventory = cluster_of({node, seen("cn003", 3, 1500)});
  const std::vector<std::string> hosts = {"cn001", "cn002"};
  CHECK(roce_ports(inventory, hosts, {"mlx5_0", "mlx5_1"}).gid_index == 5);
  CHECK(roce_ports(inventory, hosts, {"mlx5_0", "mlx5_1"}).count == 4);
  CHECK_FALSE(roce_ports(inventory, hosts, {}).gid_index);
  NodeGroup infiniband = node;  // its storage is joined by RoCE
  for (Nic& nic : infiniband.nics)
    if (nic.gpu) {
      nic.link_layer = "InfiniBand";
      nic.roce_gid_index.reset();
    }
  CHECK(roce_ports(cluster_of({infiniband}), hosts, {}).count == 0);
  NodeGroup down = seen("cn[001-002]", 5, 9000);
  down.nics[0].state = "down";
  down.nics[0].roce_gid_index.reset();
  CHECK(roce_ports(cluster_of({down}), hosts, {}).gid_index == 5);
  CHECK(roce_ports(cluster_of({sakuraone_nodes(2)}), hosts, {}).count == 0);
}
