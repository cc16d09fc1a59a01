#include "orchestrator/inventory/inventory_text.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/inventory.hpp"

using namespace shakedown;

namespace {

const fs::path fixtures = fs::path(TEST_FOLDER) / "fixtures/inventory";

}  // namespace

TEST_CASE("an inventory is shown for people") {
  const auto inventory = read_inventory(fixtures / "gpu-cluster.toml");
  REQUIRE(inventory);
  const auto expected = file_content(fixtures / "gpu-cluster.txt");
  REQUIRE(expected);
  CHECK(inventory_text(*inventory) == *expected);
}

TEST_CASE("the inventory for people fits 100 columns") {
  const auto inventory = read_inventory(fixtures / "gpu-cluster.toml");
  REQUIRE(inventory);
  const std::string text = inventory_text(*inventory);
  for (const std::string_view line : split(text, '\n')) {
    CAPTURE(line);
    CHECK(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }) <= 100);
  }
}

TEST_CASE("an inventory of which little is known shows what there is") {
  Inventory inventory;
  inventory.system = "unknown";
  inventory.groups.emplace_back();
  CHECK(inventory_text(inventory) ==
        "unknown  0 nodes\n"
        "\n"
        "nodes  no hosts\n"
        "  CPU       1 x unknown model\n"
        "            1 core, 1 hardware thread per core, 1 NUMA node\n"
        "  memory    unknown\n"
        "  usable    the whole board\n"
        "  GPUs      none\n");
}

TEST_CASE("an inventory file is read by its ending") {
  const auto folder = fs::temp_directory_path() / "shakedown-inventory-test";
  REQUIRE(make_folder(folder));
  const auto inventory = read_inventory(fixtures / "gpu-cluster.toml");
  REQUIRE(inventory);
  REQUIRE(write_file(folder / "i.json", inventory_json(*inventory)));
  REQUIRE(write_file(folder / "i.toml", inventory_toml(*inventory)));
  CHECK(*read_inventory(folder / "i.json") == *inventory);
  CHECK(*read_inventory(folder / "i.toml") == *inventory);
  CHECK(read_inventory(folder / "none.toml").error().fault == Fault::input);
  fs::remove_all(folder);
}
