#include "orchestrator/cli/text/change_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/inventory/nodes.hpp"

using namespace shakedown;

TEST_CASE("differences are printed as a table and as JSON") {
  NodeGroup node = gpu_node("cn2");
  node.gpus.pop_back();
  node.software.kernel = "6";
  const auto changes =
      differences(inventory_of({gpu_node("cn[1-3]")}), inventory_of({gpu_node("cn[1,3]"), node}));
  CHECK(differences_text(changes, {"a.toml", "b.toml"}) ==
        "hosts  what    a.toml    b.toml  run again\n"
        "cn2    GPUs    8         7       hpl hpcg hpl-mxp mlperf\n"
        "cn2    kernel  5.14.0-1  6       hpl hpcg hpl-mxp io500 mlperf\n"
        "\n"
        "2 differences; worth running again: hpl, hpcg, hpl-mxp, io500, mlperf\n");
  CHECK(differences_text({}, {"a", "b"}) == "no differences between a and b\n");
  const auto json = nlohmann::json::parse(differences_json(changes, {"a", "b"}, {"cn9"}));
  CHECK(json["schema"] == "shakedown.inventory-diff/1");
  CHECK(json["changes"][0]["hosts"] == "cn2");
  CHECK(json["changes"][0]["kind"] == "GPU");
  CHECK(json["changes"][1]["after"] == "6");
  CHECK(json["changes"][0]["run_again"].size() == 4);
  CHECK(json["run_again"].size() == 5);
  CHECK(json["no_answer"] == nlohmann::json{"cn9"});
}
