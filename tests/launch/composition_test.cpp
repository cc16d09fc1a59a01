#include "orchestrator/launch/composition.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "orchestrator/plan/planned_case.hpp"

using namespace shakedown;

namespace {

Case eight_nodes() {
  Case planned;
  planned.id = "lora-8n-r2";
  planned.launcher = "srun";
  planned.program = "bash";
  planned.nodes = 8;
  planned.ranks = 64;
  planned.ranks_per_node = 8;
  planned.hosts = "cn[001-008]";
  planned.environment = {{"OTHER", std::string("cn001")}, {first_host_variable, std::string("cn001")}};
  return planned;
}

}  // namespace

TEST_CASE("a case that is placed on other nodes gets the first of those") {
  Case planned = eight_nodes();
  REQUIRE(compose_argv(planned, 0));
  CHECK(value_text(*find_parameter(planned.environment, first_host_variable)) == "cn001");
  planned.hosts = "cn[009-016]";
  REQUIRE(compose_argv(planned, 0));
  CHECK(value_text(*find_parameter(planned.environment, first_host_variable)) == "cn009");
  CHECK(value_text(*find_parameter(planned.environment, "OTHER")) == "cn001");
}

TEST_CASE("a case that did not ask for its first host does not get it") {
  Case planned = eight_nodes();
  planned.environment.clear();
  REQUIRE(compose_argv(planned, 0));
  CHECK(find_parameter(planned.environment, first_host_variable) == nullptr);
}

TEST_CASE("what prepares the nodes runs once on each of them, after what prepares the case") {
  Case planned = eight_nodes();
  planned.preparation = {{"mkdir", "-p", "{run}/index"}};
  planned.node_preparation = {{"sh", "-c", "sync"}};
  REQUIRE(compose_argv(planned, 0));
  auto lines = preparation_lines(planned);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == planned.preparation[0]);
  const auto has = [&](std::string_view word) { return std::ranges::find(lines[1], word) != lines[1].end(); };
  CHECK(lines[1].front() == planned.argv.front());
  CHECK(has("--nodes=8"));
  CHECK(has("--ntasks-per-node=1"));
  CHECK(has("--nodelist=cn[001-008]"));
  CHECK_FALSE(has("--ntasks-per-node=8"));
  CHECK(lines[1].back() == "sync");
  // Other nodes: the step follows the case.
  planned.hosts = "cn[009-016]";
  REQUIRE(compose_argv(planned, 0));
  lines = preparation_lines(planned);
  CHECK(has("--nodelist=cn[009-016]"));
  // One node, and a launcher that is started there.
  planned.launcher = "mpirun";
  planned.nodes = 1;
  planned.hosts = "cn001";
  REQUIRE(compose_argv(planned, 0));
  CHECK(preparation_lines(planned)[1] == planned.node_preparation[0]);
}
