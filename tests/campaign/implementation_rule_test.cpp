#include "orchestrator/campaign/run_files.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// An attempt at HPL that ended well, in a campaign that is bound to /opt/xhpl.
struct ImplementationRuleScene {
  TemporaryFolder temporary;
  Case planned;
  Inventory inventory;

  ImplementationRuleScene() {
    planned.id = "hpl";
    planned.suite = "hpl";
    planned.implementation = "reference";
    planned.parser = "hpl";
    planned.program = "/opt/xhpl";
    planned.launcher = "mpirun";
    planned.ranks = 2;
    file("hpl/attempt-1/started.json", R"({"host":"n1","pid":1,"started_s":100.0})");
    file("hpl/attempt-1/stdout.log",
         file_content(fs::path(TEST_FOLDER) / "fixtures/hpl/reference-passed.out").value());
    bind_to("aa11");
    ran("aa11");
  }
  void file(const std::string& name, const std::string& content) const {
    REQUIRE(make_folder((temporary.path / name).parent_path()));
    REQUIRE(write_file(temporary.path / name, content));
  }
  void bind_to(const std::string& hash) const {
    Commitment commitment;
    if (!hash.empty()) commitment.parts = {{"program /opt/xhpl", hash}};
    commitment.root = commitment_root(commitment.parts);
    file("journal.jsonl", commitment_line(commitment, 0));
  }
  void ran(const std::string& hash) const {
    const std::string said = hash.empty() ? "" : R"(,"program":"/opt/xhpl","program_sha256":")" + hash + "\"";
    file("hpl/attempt-1/finished.json",
         R"({"state":"finished","exit_code":0,"started_s":100.0,"finished_s":110.0,"wall_s":10.0)" + said +
             "}");
  }
  [[nodiscard]] AttemptRecord collected() const {
    return collected_attempt({temporary.path, &planned, 1}, inventory);
  }
};

const RuleResult* rule_of(const AttemptRecord& attempt) {
  for (const RuleResult& rule : attempt.results.at(0).rules)
    if (rule.id == "IMPL-01") return &rule;
  return nullptr;
}

}  // namespace

TEST_CASE("a result of the planned executable holds IMPL-01") {
  const ImplementationRuleScene scene;
  const AttemptRecord attempt = scene.collected();
  REQUIRE(rule_of(attempt) != nullptr);
  CHECK(rule_of(attempt)->status == RuleStatus::pass);
  CHECK(rule_of(attempt)->severity == Severity::validity);
  CHECK(attempt.results[0].validity == Validity::valid);
  CHECK(attempt.program == "/opt/xhpl");
  CHECK(attempt.program_sha256 == "aa11");
}

TEST_CASE("a result of another executable is invalid, and both hashes are named") {
  const ImplementationRuleScene scene;
  scene.ran("bb22");
  const AttemptRecord attempt = scene.collected();
  REQUIRE(rule_of(attempt) != nullptr);
  CHECK(rule_of(attempt)->status == RuleStatus::fail);
  CHECK(rule_of(attempt)->text == "/opt/xhpl ran with SHA-256 bb22, and the planned /opt/xhpl has aa11");
  CHECK(attempt.results[0].validity == Validity::invalid);
}

TEST_CASE("where either hash is not known IMPL-01 is unknown and the result as it was") {
  ImplementationRuleScene scene;
  SECTION("the node did not say it") {
    scene.ran("");
  }
  SECTION("it could not be read where the campaign was started") {
    scene.bind_to("");
  }
  SECTION("it ran in a container") {
    scene.planned.container = {"apptainer", "hpl.sif", "sha256:abc", {}};
  }
  const AttemptRecord attempt = scene.collected();
  REQUIRE(rule_of(attempt) != nullptr);
  CHECK(rule_of(attempt)->status == RuleStatus::unknown);
  CHECK_FALSE(rule_of(attempt)->text.empty());
  CHECK(attempt.results[0].validity == Validity::valid);
}

TEST_CASE("a campaign without a commitment has no IMPL-01") {
  const ImplementationRuleScene scene;
  fs::remove(scene.temporary.path / "journal.jsonl");
  const AttemptRecord attempt = scene.collected();
  CHECK(rule_of(attempt) == nullptr);
  CHECK(attempt.results[0].validity == Validity::valid);
}

TEST_CASE("a result of a suite without rules gets IMPL-01 only where it is broken") {
  AttemptRecord attempt;
  attempt.program = "/opt/xhpl";
  attempt.program_sha256 = "aa11";
  attempt.results.resize(1);
  Case planned;
  planned.program = "/opt/xhpl";
  Commitment commitment;
  commitment.parts = {{"program /opt/xhpl", "aa11"}};
  judge_implementation(attempt, planned, commitment);
  CHECK(attempt.results[0].rules.empty());
  attempt.program_sha256 = "bb22";
  judge_implementation(attempt, planned, commitment);
  CHECK(attempt.results[0].rules.size() == 1);
  CHECK(attempt.results[0].validity == Validity::invalid);
}
