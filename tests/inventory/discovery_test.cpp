#include <sched.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/inventory_text.hpp"
#include "orchestrator/inventory/usable.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

namespace {

/// Runs `body` in a child, so that it may change what holds for the process. Gives what it returns.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("this machine is discovered, and what is discovered can be written and read back") {
  const Inventory inventory = discovered_inventory();
  REQUIRE(inventory.groups.size() == 1);
  const NodeGroup& node = inventory.groups[0];
  CHECK(inventory.nodes() == 1);
  CHECK(inventory.source == "discovered on " + node.hosts);
  CHECK(node.cpu.cores * node.cpu.threads_per_core >= static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
  CHECK(node.usable.hardware_threads == static_cast<int>(cpu_affinity().size()));
  CHECK(node.memory_bytes >= ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE));
  CHECK(node.usable.memory_bytes <= node.memory_bytes);
  CHECK(node.usable.available_bytes > 0);
  CHECK(node.usable.available_bytes <= node.usable.memory_bytes);
  const auto from_toml = inventory_from_toml(inventory_toml(inventory), "discovered.toml");
  REQUIRE(from_toml);
  CHECK(*from_toml == inventory);
  const auto from_json = inventory_from_json(inventory_json(inventory), "discovered.json");
  REQUIRE(from_json);
  CHECK(*from_json == inventory);
}

TEST_CASE("the root filesystem's space is what statvfs says") {
  struct statvfs space {};
  REQUIRE(::statvfs("/", &space) == 0);
  const Inventory inventory = discovered_inventory();
  const auto& mounts = inventory.groups.at(0).mounts;
  const auto root =
      std::find_if(mounts.begin(), mounts.end(), [](const Mount& mount) { return mount.path == "/"; });
  if (root == mounts.end()) {  // in a chroot
    skip("'/' is no mount of this process");
    return;
  }
  CHECK(root->total_bytes == static_cast<std::int64_t>(space.f_blocks * space.f_frsize));
}

TEST_CASE("a process bound to one hardware thread may use one core, whatever the board has") {
  const std::vector<int> threads = cpu_affinity();
  REQUIRE(!threads.empty());
  const int cores = discovered_inventory().groups.at(0).cpu.cores;
  const int code = in_child([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(threads.back()), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return 2;
    const NodeGroup node = discovered_inventory().groups.at(0);
    const bool cut = node.usable.cores == 1 && node.usable.hardware_threads == 1;
    const bool said = threads.size() == 1 || !node.usable.limited_by.empty();
    return node.cpu.cores == cores && cut && said ? 0 : 1;
  });
  CHECK(code == 0);
}
