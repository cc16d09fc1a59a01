#include "orchestrator/cli/text/progress_text.hpp"

#include <catch2/catch.hpp>
#include <iostream>
#include <sstream>

#include "orchestrator/cli/text/progress.hpp"

using namespace shakedown;

TEST_CASE("a clock ticks in place") {
  CHECK(clock_text(0) == "0:00");
  CHECK(clock_text(42.9) == "0:42");
  CHECK(clock_text(1044) == "17:24");
  CHECK(clock_text(7500) == "2:05:00");
  CHECK(clock_text(273600) == "3d 04:00:00");
}

TEST_CASE("node-hours left say what they rest on") {
  CHECK(hours_left_text({1, 2.6, false, 0}) == "about 2.60 left");
  CHECK(hours_left_text({1, 2.6, true, 0}) == "at most about 2.60 left");
  CHECK(hours_left_text({1, 0, false, 0}) == "none to come");
  CHECK(hours_left_text({1, 0, false, 1}) == "1 case of unknown length left");
  CHECK(hours_left_text({1, 1204.4, false, 3}) == "about 1204 left beside 3 cases of unknown length");
}

TEST_CASE("time left says how sure it is") {
  CHECK(time_left_text({2460, false, 0, 0}) == "about 41:00 left");
  CHECK(time_left_text({2460, true, 0, 0}) == "at most about 41:00 left");
  CHECK(time_left_text({2460, false, 1, 0}) == "more than 41:00 left");
  CHECK(time_left_text({0, false, 1, 0}).empty());
}

TEST_CASE("a heartbeat is one line with counts, times, node-hours, the longest case and the reasons") {
  CampaignProgress progress;
  progress.cases = 60;
  progress.done = 12;
  progress.waiting = 28;
  progress.elapsed_s = 1044;
  progress.node_hours = {1.24, 2.6, true, 0};
  RunningCase longest;
  longest.id = "hpl-98n";
  longest.elapsed_s = 512;
  longest.predicted_s = 430;
  longest.predicted_high_s = 430;
  progress.running = {longest};
  WaitingCases queued;
  queued.reason = "Resources";
  queued.queued = true;
  queued.cases = 1;
  queued.jobs = 1;
  queued.first = "hpl-4n";
  queued.first_job = "1234";
  progress.waits = {queued};
  CHECK(heartbeat_text(progress) ==
        "12 of 60 cases done, 1 running, 28 waiting; 17:24; node-hours: 1.24 spent, at most about 2.60 left; "
        "longest: "
        "hpl-98n 8:32, past its prediction of 7:10 by 1:22; waiting: hpl-4n (job 1234): Resources");
}

TEST_CASE("a heartbeat's JSON has the same values") {
  CampaignProgress progress;
  progress.cases = 3;
  progress.done = 1;
  progress.waiting = 1;
  progress.elapsed_s = 10;
  progress.node_hours = {0.5, 1.5, true, 1};
  RunningCase longest;
  longest.id = "hpl";
  longest.elapsed_s = 150;
  longest.predicted_s = 100;
  longest.predicted_high_s = 120;
  progress.running = {longest};
  WaitingCases group;
  group.reason = "no idle node";
  group.cases = 1;
  group.first = "hpcg";
  progress.waits = {group};
  Event event;
  event.kind = Event::Kind::heartbeat;
  event.of = 3;
  event.progress = &progress;
  const auto line = event_json(event);
  CHECK(line["v"] == 1);
  CHECK(line["event"] == "heartbeat");
  CHECK(line["cases"]["done"] == 1);
  CHECK(line["cases"]["running"] == 1);
  CHECK(line["node_hours"]["spent"] == 0.5);
  CHECK(line["node_hours"]["left_is_at_most"] == true);
  CHECK(line["running"][0]["case"] == "hpl");
  CHECK(line["running"][0]["past_prediction_s"] == 30);
  CHECK(line["waiting"][0]["reason"] == "no idle node");
}

TEST_CASE("a log gets its first heartbeat after ten seconds and then one a minute") {
  HeartbeatClock clock;
  int beats = 0;
  for (double now_s = 1000; now_s <= 1190; now_s += 0.5)
    if (clock.is_due(now_s)) ++beats;
  CHECK(beats == 4);  // at 10, 70, 130 and 190 s
  CHECK(clock.is_due(2000));
  CHECK_FALSE(clock.is_due(2059));  // a run that was held up does not catch up
}

TEST_CASE("cases that stay disturbed for one reason are one line with their number") {
  CommonOptions common;
  common.progress = "plain";
  common.color = "never";
  const auto printed = [&](const std::vector<std::string>& reasons) {
    const std::ostringstream text;
    std::streambuf* const before = std::cerr.rdbuf(text.rdbuf());
    {
      Progress progress(common, "");
      int number = 0;
      for (const std::string& because : reasons) {
        Case planned;
        planned.id = "gemm-1n";
        Event event;
        event.kind = Event::Kind::repeat_given_up;
        event.planned = &planned;
        event.number = ++number;
        event.of = 3;
        event.text = because;
        progress.show(event);
      }
      progress.end();
    }
    std::cerr.rdbuf(before);
    return text.str();
  };
  CHECK(printed({"a"}) == "[ !!! ] 1/3 gemm-1n  not measured again after all: a\n");
  CHECK(printed({"a", "a", "a"}) == "[ !!! ] 3 cases not measured again after all: a\n");
  CHECK(printed({"a", "b"}) ==
        "[ !!! ] 1/3 gemm-1n  not measured again after all: a\n[ !!! ] 2/3 gemm-1n  not measured again after "
        "all: b\n");
}
