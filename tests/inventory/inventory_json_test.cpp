#include <rapidcheck/catch.h>

#include <catch2/catch.hpp>

#include "orchestrator/inventory/inventory.hpp"
#include "tests/inventory/sample.hpp"

using namespace shakedown;

namespace {

std::string document(const std::string& group) {
  return R"({"schema":"shakedown.inventory/1","system":"t","groups":[{"hosts":"cn[1-2]","memory_bytes":1024,)" +
         group + "}]}";
}

std::string inventory_json_refused(std::string_view text) {
  const auto inventory = inventory_from_json(text, "inventory.json");
  return inventory ? "" : to_string(inventory.error());
}

}  // namespace

TEST_CASE("an inventory survives being written as JSON and read back") {
  rc::prop("inventory_from_json(inventory_json(i)) == i", [] {
    const Inventory inventory = drawn_inventory();
    const std::string text = inventory_json(inventory);
    const auto again = inventory_from_json(text, "drawn.json");
    if (!again) RC_FAIL(to_string(again.error()) + "\n" + text);
    RC_ASSERT(*again == inventory);
  });
}

TEST_CASE("what is not known is absent from the JSON, never 0") {
  const auto inventory = inventory_from_json(document(R"("cpu":{"cores":2})"), "t");
  REQUIRE(inventory);
  const std::string text = inventory_json(*inventory);
  CHECK(text.find("base_mhz") == std::string::npos);
  CHECK(text.find("available_bytes") == std::string::npos);
  CHECK(text.find("\"cores\": 2") != std::string::npos);
}

TEST_CASE("a wrong JSON inventory is refused with the path of the wrong value") {
  CHECK(inventory_json_refused("{\n\"schema\":\n}") == "inventory.json:3: the file is not valid JSON");
  CHECK(inventory_json_refused("[]") == "inventory.json: an inventory is a JSON object");
  CHECK(inventory_json_refused("{}") == "inventory.json: schema null is not \"shakedown.inventory/1\"");
  CHECK(inventory_json_refused(document(R"("cpu":{})")) ==
        "inventory.json: 'groups[0].cpu.cores' is missing");
  CHECK(inventory_json_refused(document(R"("cpu":{"cores":"2"})")) ==
        "inventory.json: 'groups[0].cpu.cores' must be a whole number, not string");
  CHECK(inventory_json_refused(document(R"("cpu":{"cores":0})")) ==
        "inventory.json: 'groups[0].cpu.cores' must be at least 1, not 0");
  CHECK(inventory_json_refused(document(R"("cpu":{"cores":99999999999})")) ==
        "inventory.json: 'groups[0].cpu.cores' is too large");
  CHECK(inventory_json_refused(
            document(R"("cpu":{"cores":2},"mounts":[{"path":"/","total_bytes":18446744073709551615}])")) ==
        "inventory.json: 'groups[0].mounts[0].total_bytes' is too large");
  CHECK_THAT(inventory_json_refused(document(R"("cpu":{"cores":2},"gpsu":[])")),
             Catch::StartsWith("inventory.json: 'groups[0].gpsu' is unknown (did you mean 'gpus'?)"));
  CHECK(inventory_json_refused(document(R"("cpu":{"cores":2},"nics":[{"name":"ib0","gpu":0}])")) ==
        "inventory.json: groups[0].nics[0].gpu: nic 'ib0' serves gpu 0 but nodes 'cn[1-2]' have 0 gpus\n"
        "hint: gpus are numbered from 0");
  CHECK(inventory_json_refused(document(R"("cpu":{"cores":2},"assumed":["hots"])")) ==
        "inventory.json: groups[0].assumed: 'assumed' names no key: 'hots' (did you mean 'hosts'?)\n"
        "hint: write the key and the table it is in: cpu.base_mhz");
  CHECK(inventory_json_refused(document(R"("cpu":{"cores":3,"sockets":2})")) ==
        "inventory.json: groups[0].cpu.cores: 3 cores can't be shared by 2 equal sockets\n"
        "hint: 'cores' counts the physical cores of the whole node");
}

TEST_CASE("an empty JSON inventory and wrong pods are refused") {
  const std::string head = R"({"schema":"shakedown.inventory/1","system":"t","groups":[)";
  const std::string group = R"({"hosts":"cn1","memory_bytes":1,"cpu":{"cores":1}}])";
  CHECK(inventory_json_refused(head + "]}") == "inventory.json: there is no group of nodes");
  CHECK(inventory_json_refused(head + group + R"(,"pods":[{"name":"a","hosts":"cn2"}]})") ==
        "inventory.json: pods[0].hosts: pod 'a' has host 'cn2', which is in no group");
  CHECK(inventory_json_refused(head + group + R"(,"fabric":{"assumed":["x"]}})") ==
        "inventory.json: fabric.assumed: 'assumed' names no key: 'x'\n"
        "hint: write the key and the table it is in: cpu.base_mhz");
}
