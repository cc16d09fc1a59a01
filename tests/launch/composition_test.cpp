#include "orchestrator/launch/composition.hpp"

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
