#include "orchestrator/plan/site.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/plan/acceptance.hpp"

using namespace shakedown;

namespace {

const std::string digest = "sha256:" + std::string(64, 'a');

std::string site_refusal_of(const std::string& text) {
  const auto read = acceptance_from_toml(text, "a.toml");
  return read ? std::string() : to_string(read.error());
}

}  // namespace

TEST_CASE("a configuration is read with its site, runs and pins, and leaves the criteria to the reports") {
  const auto read = acceptance_from_toml(
      "system = 'sakuraone'\nbaseline = 'sakuraone'\n"
      "[site]\nlauncher = 'srun'\nnode_wait_seconds = 30\ncontainer_runtime = 'pyxis'\nmpi = 'pmix'\nmodules "
      "= ['cuda']\n"
      "[[site.programs]]\nimplementation = 'hpl/nvidia'\nimage = '/i.sqsh'\ndigest = '" +
          digest +
          "'\n"
          "[site.fabric]\ngid_index = 3\ntraffic_class = 106\n"
          "[site.io500]\ndatadir = '/l'\nallow_full_io500 = true\n"
          "[[site.io500.stripes]]\nphase = 'ior-easy'\ncount = 1\nsize = '1M'\n"
          "[[runs]]\nsuite = 'hpl'\nnodes = [96, 98]\nrepetitions = 3\n[runs.pins]\nN = 1000\n"
          "[[criteria]]\nid = 'x'\n",
      "a.toml");
  REQUIRE(read);
  CHECK(read->system == "sakuraone");
  REQUIRE(read->site.program("hpl", "nvidia") != nullptr);
  CHECK(read->site.program("hpl", "nvidia")->digest == digest);
  CHECK(read->site.program("hpl", "amd") == nullptr);
  CHECK(read->site.node_wait_s == 30);
  REQUIRE(read->site.fabric);
  CHECK(read->site.fabric->traffic_class == 106);
  const SuiteSite* io500 = read->site.of_suite("io500");
  REQUIRE(io500 != nullptr);
  CHECK(io500->full_run == "allow_full_io500");
  CHECK(find_parameter(io500->values, "datadir") != nullptr);
  CHECK(read->site.of_suite("hpl") == nullptr);
  REQUIRE(read->runs.size() == 1);
  CHECK(read->runs[0].nodes == std::vector<int>{96, 98});
  CHECK(read->runs[0].repetitions == 3);
  CHECK(read->runs[0].pins == std::vector<Parameter>{{"N", std::int64_t{1000}}});
}

TEST_CASE("a wrong configuration is refused with its line and a way out") {
  CHECK(site_refusal_of("[site]\npartitoin = 'gpu'\n")
            .starts_with("a.toml:2: unknown key 'partitoin' in [site] (did you mean 'partition'?)"));
  CHECK(site_refusal_of("[site]\nnode_wait_seconds = -1\n")
            .starts_with("a.toml:2: 'node_wait_seconds' is not within 0 to 604800 (a week)"));
  CHECK(site_refusal_of("[site]\ncontainer_runtime = 'docker'\n")
            .starts_with("a.toml:2: 'docker' is no container_runtime"));
  CHECK(site_refusal_of("[site]\ncontainer_runtime = 'pyxis'\nlauncher = 'mpirun'\n")
            .starts_with("a.toml:2: 'pyxis' is a plugin of srun"));
  CHECK(site_refusal_of("[site.fabric]\ngid_index = 300\n").starts_with("a.toml:2: 'gid_index' is 300"));
  CHECK(site_refusal_of("[[site.programs]]\nimplementation = 'nvidia'\n")
            .starts_with("a.toml:2: 'nvidia' names no suite"));
  CHECK(site_refusal_of("[[site.programs]]\nimplementation = 'hpl/nvidia'\ndigest = 'abc'\n")
            .starts_with("a.toml:3: 'abc' is no digest"));
  CHECK(site_refusal_of("[[site.io500.stripes]]\nphase = 'find'\n")
            .starts_with("a.toml:2: 'find' is no phase"));
  CHECK(site_refusal_of("[site.io500]\nfree_bytes = -1\n").starts_with("a.toml:2: 'free_bytes' is negative"));
  CHECK(site_refusal_of("[[runs]]\nsuite = 'hpl'\nnodes = [0]\n")
            .starts_with("a.toml:3: 0 is no number of nodes"));
  CHECK(site_refusal_of("[[runs]]\nsuite = 'hpl'\nnodes = []\n").starts_with("a.toml:3: 'nodes' is empty"));
  CHECK(site_refusal_of("[[runs]]\nsuite = 'hpl'\nrepetitions = 0\n")
            .starts_with("a.toml:3: 'repetitions' is 0, outside 1 to 1000"));
  CHECK(site_refusal_of("[[runs]]\nsuite = 'hpl'\nminutes = -1\n")
            .starts_with("a.toml:3: 'minutes' is no number"));
  CHECK(site_refusal_of("[[runs]]\nnodes = [1]\n").find("'suite' is missing") != std::string::npos);
}

TEST_CASE("the fabric becomes the variables of NCCL, UCX and NVSHMEM") {
  SiteFabric fabric;
  fabric.gid_index = 3;
  fabric.traffic_class = 106;
  fabric.socket_interface = "bond0";
  fabric.mtu = 4096;
  const std::vector<std::string> hca = {"mlx5_0", "mlx5_1", "mlx5_1"};
  const auto text = [](const std::vector<Parameter>& list) {
    std::string lines;
    for (const Parameter& one : list) lines += one.name + "=" + value_text(one.value) + "\n";
    return lines;
  };
  CHECK(text(fabric_environment(fabric, hca, {"nccl"})) ==
        "NCCL_IB_HCA==mlx5_0,mlx5_1\nNCCL_IB_GID_INDEX=3\nNCCL_IB_TC=106\nNCCL_SOCKET_IFNAME=bond0\n");
  CHECK(text(fabric_environment(fabric, hca, {"ucx"})) ==
        "UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1\nUCX_IB_GID_INDEX=3\nUCX_IB_TRAFFIC_CLASS=106\n"
        "UCX_IB_PATH_MTU=4096\n");
  // One device for two GPUs: each rank takes the nearest. A device for each: in the order of the GPUs.
  CHECK(text(fabric_environment(fabric, hca, {"nvshmem"})) ==
        "NVSHMEM_IB_GID_INDEX=3\nNVSHMEM_IB_TRAFFIC_CLASS=106\nNVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME=bond0\n");
  CHECK(text(fabric_environment(fabric, {"mlx5_0", "mlx5_1"}, {"nvshmem"}))
            .starts_with("NVSHMEM_HCA_LIST=mlx5_0:1,mlx5_1:1\nNVSHMEM_ENABLE_NIC_PE_MAPPING=1\n"));
  fabric.hca = {"mlx5_9"};
  CHECK(text(fabric_environment(fabric, hca, {"nvshmem"})).starts_with("NVSHMEM_HCA_LIST=mlx5_9:1\n"));
  CHECK(text(fabric_environment(fabric, hca, {"nccl"})).starts_with("NCCL_IB_HCA==mlx5_9\n"));
  CHECK(fabric_environment(SiteFabric(), {}, {"nccl", "ucx"}).empty());
}
