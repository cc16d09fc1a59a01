#include "orchestrator/inventory/named_inventory.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

std::string hostfile_refused(std::string_view text) {
  const auto entries = hostfile_entries(text, "hosts");
  return entries ? "" : to_string(entries.error());
}

}  // namespace

TEST_CASE("an Open MPI hostfile is read with comments, users and slots") {
  const auto entries = hostfile_entries(
      "# all nodes\r\n\n  cn001 slots=8 max_slots=16  # the first\ncn002 slots = "
      "4\nroot@cn003\nlogin-1.site.org "
      "max-slots=2 cpu=3\n",
      "hosts");
  REQUIRE(entries);
  CHECK(*entries ==
        std::vector<HostfileEntry>{{"cn001", 8}, {"cn002", 4}, {"cn003", 0}, {"login-1.site.org", 3}});
}

TEST_CASE("a host on several lines has the sum of its slots") {
  CHECK(*hostfile_entries("a\nb slots=2\na\nb slots=3\na\n", "hosts") ==
        std::vector<HostfileEntry>{{"a", 3}, {"b", 5}});
}

TEST_CASE("a wrong hostfile is refused with its line") {
  const auto [text, what] = GENERATE(table<std::string, std::string>({
      {"", "hosts: the hostfile names no host\nhint: write one host a line: cn001 slots=8"},
      {"# nothing\n", "hosts: the hostfile names no host\nhint: write one host a line: cn001 slots=8"},
      {"a\ncn[01-04] slots=8\n",
       "hosts:2: Open MPI's hostfiles have no ranges or lists, as in 'cn[01-04]'\nhint: write one host a "
       "line"},
      {"a,b\n",
       "hosts:1: Open MPI's hostfiles have no ranges or lists, as in 'a,b'\nhint: write one host a line"},
      {"a slot5=8\n",
       "hosts:1: 'slot5' is neither 'slots' nor 'max_slots'\nhint: write hosts as: cn001 slots=8"},
      {"a slots\n", "hosts:1: 'slots' has no value\nhint: write hosts as: cn001 slots=8"},
      {"a slots=\n", "hosts:1: 'slots' has no value\nhint: write hosts as: cn001 slots=8"},
      {"a slots=many\n", "hosts:1: 'slots' must be a whole number, not 'many'"},
      {"a slots=-1\n", "hosts:1: 'slots' must be a whole number, not '-1'"},
      {"-x\n", "hosts:1: '-x' is no host name\nhint: write hosts as: cn001 slots=8"},
      {"+n0\n", "hosts:1: '+n0' is no host name\nhint: write hosts as: cn001 slots=8"},
      {"a;reboot\n", "hosts:1: 'a;reboot' is no host name\nhint: write hosts as: cn001 slots=8"},
  }));
  CHECK(hostfile_refused(text) == what);
}
