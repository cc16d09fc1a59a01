#include "orchestrator/regression/skip_alarm.hpp"
#include "orchestrator/core/time.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

/// A check a day, of which one was made at 0, and then only skipped ones, each at its time.
struct SkippedPassesScene {
  Regression regression;
  CheckHistory history;
  std::vector<std::string> hosts = {"cn1", "cn2"};

  explicit SkippedPassesScene(const std::vector<double>& skip_days) {
    history.system = "sys";
    history.log.checks.push_back({"sys", "c1", 0, 0, {}, {}, {}});
    history.checks.push_back({});
    for (const double day : skip_days) history.log.skips.push_back({"sys", day * day_s, "busy"});
  }
  [[nodiscard]] std::string alarm(double day) const {
    return skip_alarm(regression, history, hosts, day * day_s);
  }
};

}  // namespace

TEST_CASE("skips are an alarm once more than two checks were due without a verdict") {
  CHECK(SkippedPassesScene({1, 2}).alarm(2.01).empty());
  CHECK(SkippedPassesScene({1, 2}).alarm(2.4).empty());  // a schedule is no clockwork
  CHECK(SkippedPassesScene({1, 2, 3}).alarm(2.99) ==
        "3 checks in a row were skipped, and there was no verdict for 71h 45m: the last one is of "
        "1970-01-01T00:00:00Z");
}

TEST_CASE("a single skip is no alarm, however long ago the last verdict is") {
  CHECK(SkippedPassesScene({40}).alarm(40).empty());
  CHECK_FALSE(SkippedPassesScene({39, 40}).alarm(40).empty());
}

TEST_CASE("where there never was a verdict the first skip counts") {
  SkippedPassesScene scene({1, 2});
  scene.history.log.checks.clear();
  scene.history.checks.clear();
  CHECK(scene.alarm(2).empty());
  scene.history.log.skips.push_back({"sys", 4 * day_s, "busy"});
  CHECK(scene.alarm(4) ==
        "3 checks in a row were skipped, and there was never a verdict; the first skip was on "
        "1970-01-02T00:00:00Z");
}

TEST_CASE("skips are an alarm where a node is late by the next check, and only where days are promised") {
  SkippedPassesScene scene({1, 2});
  scene.regression.days = 4;
  CHECK(scene.alarm(2).empty());
  scene.regression.days = 2;
  CHECK(scene.alarm(2) ==
        "2 checks in a row were skipped, and the coverage promise of 2 days breaks before the next: 2 of 2 "
        "nodes, cn1 first");
  scene.regression.days = 0;
  CHECK(scene.alarm(2).empty());
}

TEST_CASE("skips in a row are notified once, as what they are") {
  SkippedPassesScene scene({1, 2, 3});
  CHECK_FALSE(skip_notification(scene.regression, scene.history, "", "busy"));
  const auto telling = skip_notification(scene.regression, scene.history, scene.alarm(3), "busy");
  REQUIRE(telling);
  CHECK(telling->kind() == "skipped");
  CHECK(telling->verdict.exit_code == 75);
  CHECK(telling->skipped.value().count == 3);
  CHECK(notification_json(*telling, 0).find("\"kind\": \"skipped\"") != std::string::npos);
  scene.history.log.skips.back().notified = true;
  CHECK_FALSE(skip_notification(scene.regression, scene.history, scene.alarm(3), "busy"));
}

TEST_CASE("a notification says whether it is of a verdict or of a failure") {
  CheckNotification telling{"sys", "c1", "", {}, {}};
  CHECK(telling.kind() == "verdict");
  telling.campaign.clear();
  CHECK(telling.kind() == "failed");
}
