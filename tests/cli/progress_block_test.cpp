#include "orchestrator/cli/text/live_block.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "orchestrator/cli/text/terminal.hpp"

using namespace shakedown;

namespace {

RunningCase running(const std::string& id, int number, double elapsed_s, double predicted_s) {
  RunningCase made;
  made.id = id;
  made.number = number;
  made.elapsed_s = elapsed_s;
  made.predicted_s = predicted_s;
  made.predicted_high_s = predicted_s + 30;
  return made;
}

WaitingCases waiting(const std::string& reason, int cases) {
  WaitingCases made;
  made.reason = reason;
  made.cases = cases;
  made.first = "gemm-cn001";
  return made;
}

/// A campaign on 20 nodes in its middle.
CampaignProgress middle() {
  CampaignProgress progress;
  progress.cases = 60;
  progress.done = 12;
  progress.failed = 1;
  progress.waiting = 44;
  progress.elapsed_s = 1044;
  progress.node_hours = {1.24, 2.6, false, 0};
  progress.time_left = {2460, false, 0, 0};
  progress.running = {running("hpl-98n", 7, 512, 430), running("hpcg-4n", 13, 250, 1000),
                      running("gemm-cn17", 20, 3, 0)};
  progress.running[0].job = "1234";
  progress.running[0].hosts = "cn[1-98]";
  progress.running[1].attempt = 2;
  progress.waits = {waiting("Resources", 4), waiting("no idle node", 40)};
  progress.waits[0].queued = true;
  progress.waits[0].jobs = 3;
  return progress;
}

std::vector<std::string> whole(const std::vector<BlockLine>& lines) {
  std::vector<std::string> texts;
  for (const BlockLine& line : lines)
    texts.push_back(line.label + (line.label.empty() ? "" : " ") + line.text);
  return texts;
}

}  // namespace

TEST_CASE("the block has a line of sums, one for each running case, one for each thing that is waited for") {
  const auto lines = whole(progress_block(middle(), {160, 20, true}));
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] ==
        "12 of 60 cases done, 1 failed, 3 running, 44 waiting · 17:24, about 41:00 left · 1.24 node-hours "
        "spent, "
        "about 2.60 left");
  CHECK(lines[1] ==
        "[ RUN ]  7/60 hpl-98n    8:32  past its prediction of 7:40 by 0:52  on cn[1-98] (job 1234)");
  CHECK(lines[2] == "[ RUN ] 13/60 hpcg-4n    4:10  ━━━━━─────────────── of about 16:40  attempt 2");
  CHECK(lines[3] == "[ RUN ] 20/60 gemm-cn17  0:03");
  CHECK(lines[4] == "[ WAIT] 4 cases in 3 jobs: Resources");
  CHECK(lines[5] == "[ WAIT] 40 cases: no idle node");
}

TEST_CASE("a narrow window gets fewer words in the line of sums, never a second line") {
  CHECK(
      whole(progress_block(middle(), {105, 20, true}))[0] ==
      "12/60, 1 failed, 3 running, 44 waiting · 17:24, about 41:00 left · 1.24 node-hours, about 2.60 left");
  CHECK(whole(progress_block(middle(), {79, 20, true}))[0] ==
        "12/60, 1 failed, 3 running, 44 waiting · 17:24 · 1.24 node-h, about 2.60 left");
  CHECK(whole(progress_block(middle(), {50, 20, true}))[0] ==
        "12/60, 1 failed, 3 running, 44 waiting · 17:24");
}

TEST_CASE("where a locale has no signs beyond ASCII the block has none") {
  for (const std::string& line : whole(progress_block(middle(), {50, 20, false})))
    CHECK(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; }));
  CHECK(whole(progress_block(middle(), {160, 20, false}))[2].find("#####-----") != std::string::npos);
}

TEST_CASE("a run that is past its predicted time is shown beside the end of its range") {
  CampaignProgress progress = middle();
  progress.running = {running("hpl-98n", 7, 35, 24)};
  CHECK(whole(progress_block(progress, {160, 20, true}))[1].ends_with(" of about 0:54"));
}

TEST_CASE("what does not fit is counted") {
  CampaignProgress progress = middle();
  for (int i = 0; i < 40; ++i)
    progress.running.push_back(running("gemm-" + std::to_string(i), 21 + i, 2, 10));
  const auto lines = whole(progress_block(progress, {100, 10, true}));
  REQUIRE(lines.size() == 10);
  CHECK(lines[7] == "        and 37 more running");
  CHECK(lines[8] == "[ WAIT] 4 cases in 3 jobs: Resources");

  progress.running.resize(1);
  for (int i = 0; i < 9; ++i) progress.waits.push_back(waiting("reason " + std::to_string(i), 2));
  const auto waits = whole(progress_block(progress, {100, 6, true}));
  REQUIRE(waits.size() == 6);
  CHECK(waits[5] == "        and 16 more waiting");
}

TEST_CASE("that the campaign is being stopped is said last, with the way to stop it at once") {
  CampaignProgress progress = middle();
  progress.stopping = true;
  const auto lines = whole(progress_block(progress, {160, 20, true}));
  CHECK(lines.back() == "stopping; Ctrl-C again kills it at once");
  CHECK(lines[1].starts_with("[STOP ]"));
  progress.at_once = true;
  CHECK(whole(progress_block(progress, {160, 20, true})).back() == "stopping");
}

TEST_CASE("words of others cannot break a line") {
  CampaignProgress progress = middle();
  progress.waits[0].reason = "Resources\n\x1b[2Jrest";
  CHECK(whole(progress_block(progress, {160, 20, true}))[4] ==
        "[ WAIT] 4 cases in 3 jobs: Resources \\u001b[2Jrest");
}

TEST_CASE("a block is never wider nor higher than it may be") {
  CHECK(rc::check([] {
    CampaignProgress progress = middle();
    const int runs = *rc::gen::inRange(0, 60);
    const int waits = *rc::gen::inRange(0, 30);
    const BlockShape shape{*rc::gen::inRange(1, 200), *rc::gen::inRange(1, 60), *rc::gen::arbitrary<bool>()};
    progress.running.clear();
    progress.waits.clear();
    progress.stopping = *rc::gen::arbitrary<bool>();
    for (int i = 0; i < runs; ++i)
      progress.running.push_back(
          running(*rc::gen::element<std::string>("hpl", "富岳-ノード",
                                                 "a-very-long-name-"
                                                 "of-a-case-that-goes-on-and-on-for-ever"),
                  i, *rc::gen::inRange(0, 500000), *rc::gen::inRange(0, 3000)));
    for (int i = 0; i < waits; ++i) progress.waits.push_back(waiting("reason " + std::to_string(i), i + 1));
    const auto lines = whole(progress_block(progress, shape));
    RC_ASSERT(static_cast<int>(lines.size()) <= shape.rows);
    for (const std::string& line : lines) RC_ASSERT(display_width(line) <= shape.columns);
  }));
}
