#include "orchestrator/campaign/loaded_rule.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

LoadedFile loaded_as(const std::string& path, char hash) {
  LoadedFile file;
  file.path = path;
  file.sha256 = std::string(64, hash);
  return file;
}

LoadedFile program_as(char hash) {
  LoadedFile file = loaded_as("/opt/xhpl", hash);
  file.is_program = true;
  return file;
}

const std::string planned_program(64, 'a');

/// Three nodes that found the same: a library, a script, and on the others the program.
std::vector<LoadedOnNode> alike() {
  const std::vector<LoadedFile> files = {loaded_as("/lib/libm.so.6", 'c'), loaded_as("/opt/run.sh", 'b')};
  std::vector<LoadedOnNode> nodes = {{"cn1", files}, {"cn2", files}, {"cn3", files}};
  for (const std::size_t other : {1U, 2U}) nodes[other].files.push_back(program_as('a'));
  return nodes;
}

Commitment bound() {
  Commitment commitment;
  commitment.parts = {{"file /opt/run.sh", std::string(64, 'b')}};
  return commitment;
}

RuleResult stays(const std::vector<LoadedOnNode>& nodes) {
  return loaded_rule(nodes, bound(), planned_program);
}

}  // namespace

TEST_CASE("what all nodes load alike, and as it was bound, keeps both rules") {
  CHECK(stays(alike()).status == RuleStatus::pass);
  CHECK(alike_rule(alike(), planned_program).status == RuleStatus::pass);
  CHECK(alike_rule(alike(), planned_program).value == "3 nodes");
}

TEST_CASE("a script that is another one on the second node alone makes the result invalid") {
  auto nodes = alike();
  nodes[1].files[1].sha256 = std::string(64, 'e');
  const RuleResult rule = stays(nodes);
  CHECK(rule.status == RuleStatus::fail);
  CHECK(rule.text ==
        "cn2: /opt/run.sh has SHA-256 eeeeeeeeeeeeeeee, and had bbbbbbbbbbbbbbbb when the campaign began");
}

TEST_CASE("a program that is another one on further nodes than the first makes the result invalid") {
  auto nodes = alike();
  for (const std::size_t other : {1U, 2U}) nodes[other].files.back() = program_as('d');
  const RuleResult rule = stays(nodes);
  CHECK(rule.status == RuleStatus::fail);
  CHECK(rule.text ==
        "cn[2-3]: /opt/xhpl has SHA-256 dddddddddddddddd, and had aaaaaaaaaaaaaaaa when the campaign began");
  // Where the campaign was bound to none, what the first node executed is what the others must have.
  CHECK(loaded_rule(nodes, bound(), "").status == RuleStatus::pass);
  CHECK(alike_rule(nodes, planned_program).status == RuleStatus::fail);
}

TEST_CASE("what changed on a node since an attempt before makes the result invalid, whatever the first has") {
  auto nodes = alike();
  nodes[2].files[0].before = std::string(64, 'f');
  CHECK(stays(nodes).status == RuleStatus::fail);
  nodes[0].files.clear();  // which reported nothing
  CHECK(stays(nodes).text.starts_with("cn3: /lib/libm.so.6 has SHA-256 cccccccccccccccc, and had ffff"));
}

TEST_CASE("a library that is not the same on all nodes is a warning, which names file and nodes") {
  auto nodes = alike();
  for (const std::size_t other : {1U, 2U}) nodes[other].files[0].sha256 = std::string(64, 'd');
  CHECK(stays(nodes).status == RuleStatus::pass);
  const RuleResult rule = alike_rule(nodes, planned_program);
  CHECK(rule.severity == Severity::warning);
  CHECK(rule.status == RuleStatus::fail);
  CHECK(rule.text == "cn[2-3]: /lib/libm.so.6 has SHA-256 dddddddddddddddd, and cccccccccccccccc on cn1");
}

TEST_CASE("a file that only one node loads is a difference, one that the program writes is none") {
  auto nodes = alike();
  nodes[1].files[0].path = "/opt/libm.so.6";
  CHECK(alike_rule(nodes, planned_program).text ==
        "cn2: /lib/libm.so.6 is not loaded, and is on cn1; "
        "cn2: /opt/libm.so.6 is loaded, and not on cn1");
  nodes = alike();
  nodes[1].files[0].written = true;
  nodes[1].files[0].sha256 = std::string(64, 'd');
  CHECK(alike_rule(nodes, planned_program).status == RuleStatus::pass);
  CHECK(stays(nodes).text == "cn2: /lib/libm.so.6 changed while the program ran");
}

TEST_CASE("nodes that report nothing leave it unknown whether they load the same") {
  auto nodes = alike();
  nodes[1].files.clear();
  const RuleResult rule = alike_rule(nodes, planned_program);
  CHECK(rule.status == RuleStatus::unknown);
  CHECK(rule.text == "cn2 did not report what the program loads");
}

TEST_CASE("the nodes' files of an attempt are read in the order of its hosts, also by their short names") {
  const TemporaryFolder folder;
  REQUIRE(
      write_file(folder.path / "environment.json", with_loaded("{}", {{loaded_as("/opt/run.sh", 'b')}, {}})));
  REQUIRE(write_file(folder.path / "node-cn2.site.json",
                     with_loaded("{}", {{loaded_as("/opt/run.sh", 'e')}, {}})));
  AttemptRecord attempt;
  attempt.nodes.resize(2);
  attempt.nodes[0].node = "cn1.site";
  attempt.nodes[1].node = "cn2.site";
  const std::vector<std::string> hosts = {"cn1", "cn2", "cn3"};
  const auto nodes = loaded_on_nodes(folder.path, attempt, hosts);
  REQUIRE(nodes.size() == 3);
  CHECK(nodes[0].files.front().sha256 == std::string(64, 'b'));
  CHECK(nodes[1].files.front().sha256 == std::string(64, 'e'));
  CHECK(nodes[2].files.empty());
  CHECK(loaded_on_nodes(folder.path, attempt, std::span(hosts).first(1)).size() == 1);
}
