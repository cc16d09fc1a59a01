#include "orchestrator/cli/support/pass_telling.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// A workspace whose last pass was an alarm.
struct PassTellingScene {
  TemporaryFolder folder;
  Workspace workspace{folder.path};
  Regression regression;

  PassTellingScene() {
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

TEST_CASE("a telling of a floor names the value that it was judged on, and no loss while the series learns") {
  PassSeries series;
  series.name = {"gemm", "reference", "fp64_gflops", "cn1", "", "N=2048"};
  series.passes = {{"c1", {100, 75, 80}}};
  series.floor = 90;
  series.floor_source = "as the configuration states it";
  const auto verdict = judged_pass({series}, {}, {});
  REQUIRE(verdict);
  PassTelling telling;
  telling.verdict = *verdict;
  const auto told = nlohmann::json::parse(notification_json(telling, 0));
  const auto& one = told.at("series").at(0);
  CHECK(one.at("value") == 100.0);
  CHECK(one.at("floor") == 90.0);
  CHECK(one.at("floor_value") == 80.0);
  CHECK(one.at("floor_value_of") == 3);
  CHECK_FALSE(one.contains("expected"));
  CHECK_FALSE(one.contains("loss"));
}

TEST_CASE("a telling of an alarm says what was expected, and by how much it was missed") {
  PassTelling telling;
  JudgedSeries& alarm = telling.verdict.series.emplace_back();
  alarm.watched.state = WatchState::alarm;
  alarm.watched.expected = 100;
  alarm.watched.loss = 0.05;
  alarm.value = 95;
  const auto told = nlohmann::json::parse(notification_json(telling, 0));
  const auto& one = told.at("series").at(0);
  CHECK(one.at("expected") == 100.0);
  CHECK(one.at("loss") == 0.05);
  CHECK_FALSE(one.contains("floor"));
  CHECK_FALSE(one.contains("floor_value"));
}

TEST_CASE("a pass whose verdict is kept, and of which nobody was told, is told of later, once") {
  const PassTellingScene scene;
  const auto late = scene.late();
  REQUIRE(late);
  CHECK(late->verdict.sentence == "regression pass: alarm: gemm");
  REQUIRE(tell(scene.workspace, scene.regression.notice, *late));
  CHECK(file_content(scene.folder.path / "told")->find("regression pass: alarm: gemm") != std::string::npos);
  CHECK_FALSE(scene.late());
}

TEST_CASE("where no workspace can be written it is told all the same") {
  const PassTellingScene scene;
  PassTelling failure;
  failure.system = "sys";
  failure.verdict.sentence = "regression pass: failed: no space left on device";
  failure.verdict.exit_code = 4;
  REQUIRE(tell(Workspace{"/proc/none"}, scene.regression.notice, failure));
  CHECK(file_content(scene.folder.path / "told")->find("no space left on device") != std::string::npos);
}

TEST_CASE("a telling that failed is owed, too") {
  PassTellingScene scene;
  scene.regression.notice.command = {"/bin/false"};
  CHECK_FALSE(tell(scene.workspace, scene.regression.notice, scene.late().value()));
  CHECK(scene.late());
}

TEST_CASE("nothing is owed of a pass without alarm, of one before the last, or to nobody") {
  PassTellingScene scene;
  CHECK_FALSE(untold(scene.workspace, scene.regression, *read_pass_log(scene.workspace), "other"));
  scene.regression.notice.command.clear();
  CHECK_FALSE(scene.late());
  scene.regression.notice.command = {"/bin/true"};
  REQUIRE(log_pass(scene.workspace, {"sys", "c2", 200, 0, {}, {}, {}}));
  CHECK_FALSE(scene.late());
}
