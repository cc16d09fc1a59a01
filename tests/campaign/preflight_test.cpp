#include "orchestrator/campaign/preflight.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

CaseRecord record_of(const std::string& id, const std::string& program) {
  CaseRecord each;
  each.planned.id = id;
  each.planned.suite = "hpl";
  each.planned.implementation = "intel";
  each.planned.program = program;
  return each;
}

Implementation intel() {
  Implementation implementation;
  implementation.suite = "hpl";
  implementation.id = "intel";
  implementation.requirements = {{RequirementKind::program, "", "", "", 0, "", ""}};
  return implementation;
}

Layout built() {
  const fs::path build = BUILD_FOLDER;
  return {build / "bin/shakedown", build / "libexec/shakedown", build / "share/shakedown"};
}

}  // namespace

TEST_CASE("what several cases need is looked at once") {
  const std::vector<CaseRecord> cases = {record_of("a", "/opt/xhpl"), record_of("b", "/opt/xhpl"),
                                         record_of("c", "sh")};
  const std::vector<Implementation> all = {intel()};
  const auto needed = needed_by(cases, all, {});
  REQUIRE(needed.size() == 2);
  CHECK(needed[0].cases == std::vector<std::string>{"a", "b"});
  CHECK(needed[1].cases == std::vector<std::string>{"c"});
  CHECK(needed_by(cases, {}, {}).empty());
}

TEST_CASE("only what is missing keeps cases from running, and the reason names node and thing") {
  const std::vector<NeededBy> needed = {
      {{RequirementKind::program, "", "/opt/xhpl", "", 0, "", ""}, {"a", "b"}},
      {{RequirementKind::memlock, "", "", "", 0, "", ""}, {"b"}},
      {{RequirementKind::peer_memory, "", "", "", 0, "", ""}, {"c"}}};
  Preflight seen;
  seen.node = "cn001";
  seen.found = {{needed[0].requirement, Met::no, "is not there, or can't be executed"},
                {needed[1].requirement, Met::wrong, "is limited to 64 KiB"},
                {needed[2].requirement, Met::unknown, "no driver"}};
  const auto why = lacking(needed, seen);
  CHECK(why.size() == 2);
  CHECK(why.at("a") == "prerequisite: program /opt/xhpl on cn001: is not there, or can't be executed");
  CHECK(why.at("b").ends_with("; memlock on cn001: is limited to 64 KiB"));
}

TEST_CASE("a look that could not be taken says nothing of any node") {
  const TemporaryFolder temporary;
  const std::vector<NeededBy> needed = {{{RequirementKind::program, "", "sh", "", 0, "", ""}, {"a"}}};
  const Preflight unknown = preflight(needed, {temporary.path / "p", "no-such", {}, built(), {"n1"}});
  CHECK(unknown.inconclusive == "no scheduler 'no-such'");
  CHECK(lacking(needed, unknown).empty());
  const Preflight nowhere = preflight(needed, {temporary.path / "p", "local", {}, built(), {}});
  CHECK(nowhere.inconclusive == "no node is named");
  // Something else than this program answers.
  Layout wrong = built();
  wrong.executable = "/bin/echo";
  const Preflight other = preflight(needed, {temporary.path / "q", "local", {}, wrong, {"n1"}});
  CHECK(other.inconclusive.find("is no list of requirements") != std::string::npos);
  CHECK(lacking(needed, other).empty());
}
