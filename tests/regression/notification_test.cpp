#include "orchestrator/regression/notification.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// A workspace whose last check was an alarm.
struct PassTellingScene {
  TemporaryFolder folder;
  Workspace workspace{folder.path};
  Regression regression;

  PassTellingScene() {
    regression.notice.command = {"/bin/sh", "-c", "cat >" + (folder.path / "reported").string()};
    REQUIRE(make_folder(workspace.campaign("c1")));
    CheckVerdict verdict;
    verdict.sentence = "regression check: alarm: gemm";
    verdict.exit_code = 1;
    REQUIRE(write_file(workspace.campaign("c1") / check_verdict_file, check_verdict_json(verdict)));
    REQUIRE(log_check(workspace, {"sys", "c1", 100, 1, {}, {}, {}}));
  }
  [[nodiscard]] std::optional<CheckNotification> late() const {
    return unsent_notification(workspace, regression, read_check_log(workspace).value(), "sys");
  }
};

}  // namespace

TEST_CASE("a telling of a floor names the value that it was judged on, and no loss while the series learns") {
  CheckSeries series;
  series.name = {"gemm", "reference", "fp64_gflops", "cn1", "", "N=2048"};
  series.checks = {{"c1", {100, 75, 80}}};
  series.floor = 90;
  series.floor_source = "as the configuration states it";
  const auto verdict = judged_check({series}, {}, {});
  REQUIRE(verdict);
  CheckNotification telling;
  telling.verdict = *verdict;
  const auto reported = nlohmann::json::parse(notification_json(telling, 0));
  const auto& one = reported.at("series").at(0);
  CHECK(one.at("value") == 100.0);
  CHECK(one.at("floor") == 90.0);
  CHECK(one.at("floor_value") == 80.0);
  CHECK(one.at("floor_value_of") == 3);
  CHECK_FALSE(one.contains("expected"));
  CHECK_FALSE(one.contains("loss"));
}

TEST_CASE("a telling of an alarm says what was expected, and by how much it was missed") {
  CheckNotification telling;
  JudgedSeries& alarm = telling.verdict.series.emplace_back();
  alarm.watched.state = WatchState::alarm;
  alarm.watched.expected = 100;
  alarm.watched.loss = 0.05;
  alarm.value = 95;
  const auto reported = nlohmann::json::parse(notification_json(telling, 0));
  const auto& one = reported.at("series").at(0);
  CHECK(one.at("expected") == 100.0);
  CHECK(one.at("loss") == 0.05);
  CHECK_FALSE(one.contains("floor"));
  CHECK_FALSE(one.contains("floor_value"));
}

TEST_CASE("a notification that failed is sent again by the next check, once") {
  const PassTellingScene scene;
  const auto late = scene.late();
  REQUIRE(late);
  CHECK(late->verdict.sentence == "regression check: alarm: gemm");
  REQUIRE(notify(scene.workspace, scene.regression.notice, *late));
  CHECK(file_content(scene.folder.path / "reported")->find("regression check: alarm: gemm") !=
        std::string::npos);
  CHECK_FALSE(scene.late());
}

TEST_CASE("where no workspace can be written it is reported nevertheless") {
  const PassTellingScene scene;
  CheckNotification failure;
  failure.system = "sys";
  failure.verdict.sentence = "regression check: failed: no space left on device";
  failure.verdict.exit_code = 4;
  REQUIRE(notify(Workspace{"/proc/none"}, scene.regression.notice, failure));
  CHECK(file_content(scene.folder.path / "reported")->find("no space left on device") != std::string::npos);
}

TEST_CASE("a telling that failed is owed, too") {
  PassTellingScene scene;
  scene.regression.notice.command = {"/bin/false"};
  CHECK_FALSE(notify(scene.workspace, scene.regression.notice, scene.late().value()));
  CHECK(scene.late());
}

TEST_CASE("nothing is owed of a check without alarm, of one before the last, or to nobody") {
  PassTellingScene scene;
  CHECK_FALSE(
      unsent_notification(scene.workspace, scene.regression, *read_check_log(scene.workspace), "other"));
  scene.regression.notice.command.clear();
  CHECK_FALSE(scene.late());
  scene.regression.notice.command = {"/bin/true"};
  REQUIRE(log_check(scene.workspace, {"sys", "c2", 200, 0, {}, {}, {}}));
  CHECK_FALSE(scene.late());
}
