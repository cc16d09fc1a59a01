#include "orchestrator/cli/support/pass_telling.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// A workspace whose last pass was an alarm.
struct Scene {
  TemporaryFolder folder;
  Workspace workspace{folder.path};
  Regression regression;

  Scene() {
    regression.notice.command = {"/bin/sh", "-c", "cat >" + (folder.path / "told").string()};
    REQUIRE(make_folder(workspace.campaign("c1")));
    PassVerdict verdict;
    verdict.sentence = "regression pass: alarm: gemm";
    verdict.exit_code = 1;
    REQUIRE(write_file(workspace.campaign("c1") / pass_verdict_file, pass_verdict_json(verdict)));
    REQUIRE(log_pass(workspace, {"sys", "c1", 100, 1, {}, {}, {}}));
  }
  [[nodiscard]] std::optional<PassTelling> late() const {
    return untold(workspace, regression, read_pass_log(workspace).value(), "sys");
  }
};

}  // namespace

TEST_CASE("a pass whose verdict is kept, and of which nobody was told, is told of later, once") {
  const Scene scene;
  const auto late = scene.late();
  REQUIRE(late);
  CHECK(late->verdict.sentence == "regression pass: alarm: gemm");
  REQUIRE(tell(scene.workspace, scene.regression.notice, *late));
  CHECK(file_content(scene.folder.path / "told")->find("regression pass: alarm: gemm") != std::string::npos);
  CHECK_FALSE(scene.late());
}

TEST_CASE("a telling that failed is owed, too") {
  Scene scene;
  scene.regression.notice.command = {"/bin/false"};
  CHECK_FALSE(tell(scene.workspace, scene.regression.notice, scene.late().value()));
  CHECK(scene.late());
}

TEST_CASE("nothing is owed of a pass without alarm, of one before the last, or to nobody") {
  Scene scene;
  CHECK_FALSE(untold(scene.workspace, scene.regression, *read_pass_log(scene.workspace), "other"));
  scene.regression.notice.command.clear();
  CHECK_FALSE(scene.late());
  scene.regression.notice.command = {"/bin/true"};
  REQUIRE(log_pass(scene.workspace, {"sys", "c2", 200, 0, {}, {}, {}}));
  CHECK_FALSE(scene.late());
}
