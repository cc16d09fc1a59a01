#include "orchestrator/plan/requirement.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/plan/implementation.hpp"

using namespace shakedown;

namespace {

Result<std::vector<Requirement>> requirement_read(const std::string& text) {
  auto table = TomlTable::parse(text, "x.toml");
  REQUIRE(table);
  auto requirements = requirements_from_toml(*table);
  if (auto ok = table->finished(); !ok) return failure_of(ok);
  return requirements;
}

std::string requirement_refusal_of(const std::string& text) {
  const auto requirements = requirement_read(text);
  return requirements ? std::string() : to_string(requirements.error());
}

Case two_nodes() {
  Case planned;
  planned.nodes = 2;
  planned.launcher = "srun";
  planned.program = "/opt/xhpl";
  planned.environment = {{"SPM", std::string("/data/spm.model")}};
  planned.container = {"pyxis", "/images/x.sqsh", "sha256:" + std::string(64, 'a'), {}};
  return planned;
}

std::vector<std::string> kinds_of(const Case& planned, const Site& site) {
  const std::vector<Requirement> all = {{RequirementKind::image, "", "", "", 0, "", ""},
                                        {RequirementKind::program, "", "", "", 0, "", ""},
                                        {RequirementKind::memlock, "", "", "", 0, "", ""},
                                        {RequirementKind::peer_memory, "", "", "", 0, "", ""},
                                        {RequirementKind::pmix, "", "", "", 0, "", ""},
                                        {RequirementKind::drop_caches, "", "", "", 0, "", ""},
                                        {RequirementKind::tokenizer, "", "{SPM}", "", 0, "", ""}};
  std::vector<std::string> kinds;
  for (const Requirement& each : requirements_of(planned, all, site))
    kinds.emplace_back(to_string(each.kind));
  return kinds;
}

using Kinds = std::vector<std::string>;

}  // namespace

TEST_CASE("requirements are read by their kind") {
  const auto requirements =
      requirement_read("[[requires]]\nkind = 'tokenizer'\npath = '{SPM}'\nbytes = 7\nsha256 = '" +
                       std::string(64, 'b') + "'\n[[requires]]\nkind = 'memlock'\n");
  REQUIRE(requirements);
  REQUIRE(requirements->size() == 2);
  CHECK(requirements->at(0).path == "{SPM}");
  CHECK(requirements->at(0).bytes == 7);
  CHECK(requirements->at(1).kind == RequirementKind::memlock);
}

TEST_CASE("a requirement that nobody can look at is refused with its line") {
  CHECK(requirement_refusal_of("[[requires]]\nkind = 'tokeniser'\n")
            .starts_with("x.toml:2: 'tokeniser' is no kind (did you mean 'tokenizer'?)"));
  CHECK(requirement_refusal_of("[[requires]]\nkind = 'dataset'\n").find("'path' is missing") !=
        std::string::npos);
  CHECK(requirement_refusal_of("[[requires]]\nkind = 'dataset'\npath = '/x'\nsha256 = 'abc'\n")
            .starts_with("x.toml:4: 'abc' is no SHA-256"));
  CHECK(requirement_refusal_of("[[requires]]\nkind = 'dataset'\npath = '/x'\nbytes = -1\n")
            .starts_with("x.toml:4:"));
  CHECK(requirement_refusal_of("[[requires]]\npath = '/x'\n").find("'kind' is missing") != std::string::npos);
}

TEST_CASE("a case needs what it uses: images with containers, the network's with several nodes") {
  Site site;
  site.mpi = "pmix_v4";
  CHECK(kinds_of(two_nodes(), site) ==
        Kinds{"image", "memlock", "peer_memory", "pmix", "tokenizer", "pyxis"});
  Case planned = two_nodes();
  planned.nodes = 1;
  CHECK(kinds_of(planned, site) == Kinds{"image", "tokenizer", "pyxis"});
  planned.container = {};
  planned.files = {{"io500.ini", "[global]\ndrop-caches = TRUE\n"}};
  CHECK(kinds_of(planned, site) == Kinds{"program", "drop_caches", "tokenizer"});
}

TEST_CASE("what a case knows is put in: its image and digest, its program, its environment") {
  const auto needed = requirements_of(two_nodes(),
                                      {{RequirementKind::image, "", "", "", 0, "", ""},
                                       {RequirementKind::tokenizer, "", "{SPM}", "", 0, "", ""}},
                                      {});
  REQUIRE(needed.size() == 3);
  CHECK(needed[0].path == "/images/x.sqsh");
  CHECK(needed[0].image == "sha256:" + std::string(64, 'a'));
  CHECK(needed[1].path == "/data/spm.model");
  CHECK(described(needed[1]) == "tokenizer /data/spm.model");
}

TEST_CASE("each kind of requirement is read as it is written") {
  for (const RequirementKind kind :
       {RequirementKind::image, RequirementKind::pmix, RequirementKind::peer_memory, RequirementKind::space})
    CHECK(requirement_kind(to_string(kind)) == kind);
  CHECK(to_string(RequirementKind::space) == "space");
  CHECK(!requirement_kind("spaces"));
}

TEST_CASE("a container's program is stated as container_program") {
  Case planned = two_nodes();
  planned.container.runtime = "apptainer";
  planned.program = "apptainer";
  const std::vector<Requirement> program = {{RequirementKind::program, "", "", "", 0, "", ""}};
  CHECK(requirements_of(planned, program, {}).front().remedy.find("`container_program` in [site]") !=
        std::string::npos);
  planned.container = {};
  CHECK(requirements_of(planned, program, {}).front().remedy.empty());
}

TEST_CASE("the shipped implementations state requirements of known kinds") {
  const auto all = read_implementation(fs::path(PROJECT_FOLDER) / "suites/mlperf/nvidia-gpt3.toml");
  REQUIRE(all);
  CHECK(all->requirements.size() == 8);
}
