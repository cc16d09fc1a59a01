#include "orchestrator/plan/suite_facts.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/nodes.hpp"

using namespace shakedown;

namespace {

using Names = std::vector<std::string>;

/// What changes when the node is changed.
template <class Edit>
std::vector<Change> after(Edit edit) {
  NodeGroup node = gpu_node("cn2");
  edit(node);
  return differences(inventory_of({gpu_node("cn[1-3]")}), inventory_of({gpu_node("cn[1,3]"), node}));
}

}  // namespace

TEST_CASE("each kind of change has its suites") {
  CHECK(suites_to_run_again(after([](NodeGroup& n) { n.gpus.pop_back(); })) ==
        Names{"hpl", "hpcg", "hpl-mxp", "mlperf"});
  CHECK(suites_to_run_again(after([](NodeGroup& n) { n.software.gpu_driver = "560"; })) ==
        Names{"hpl", "hpcg", "hpl-mxp", "mlperf"});
  CHECK(suites_to_run_again(after([](NodeGroup& n) { n.nics[0].firmware = "28.40"; })) ==
        Names{"hpl", "hpcg", "hpl-mxp", "io500", "mlperf"});
  CHECK(suites_to_run_again(after([](NodeGroup& n) { n.mounts[0].source = "mds2:/scratch"; })) ==
        Names{"io500"});
  CHECK(suites_to_run_again(after([](NodeGroup& n) { n.software.kernel = "6"; })) ==
        Names{"hpl", "hpcg", "hpl-mxp", "io500", "mlperf"});
  CHECK(suites_to_run_again(std::vector<Change>{}).empty());
}
