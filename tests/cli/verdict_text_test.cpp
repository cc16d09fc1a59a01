#include "orchestrator/cli/campaign_run.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/outcome.hpp"

using namespace shakedown;

namespace {

CriterionResult ratio(const std::string& metric, double measured) {
  CriterionResult result;
  result.id = "of-" + metric;
  result.suite = "hpl";
  result.metric = metric;
  result.verdict = Verdict::pass;
  result.measured = measured;
  result.limit = 0.5;
  return result;
}

bool holds(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("the terminal says what a ratio is a share of") {
  Judgement judgement;
  judgement.criteria = {ratio("efficiency_gemm", 0.8), ratio("efficiency_stream", 2.275),
                        ratio("rmax_gflops", 80)};
  const std::string text = verdict_text(Outcome{MeasuredCampaign(CampaignRecord()), judgement, {}});
  CHECK(holds(text, "80.0 % of measured GEMM  (>= 50.0 %)  pass"));
  CHECK(holds(text, "227.5 % of measured STREAM  (>= 50.0 %)  pass"));
  CHECK(holds(text, "80.00 GFLOP/s  (>= "));
}

TEST_CASE("the terminal names the peak that a share is of, also of one that passes") {
  Judgement judgement;
  judgement.criteria = {ratio("efficiency_rpeak", 1.1), ratio("efficiency_gemm", 0.8)};
  for (CriterionResult& each : judgement.criteria) each.because = "110.0 % of 128.0 GFLOP/s, " + each.metric;
  const std::string text = verdict_text(Outcome{MeasuredCampaign(CampaignRecord()), judgement, {}});
  CHECK(holds(text, "        110.0 % of 128.0 GFLOP/s, efficiency_rpeak\n"));
  CHECK_FALSE(holds(text, "        110.0 % of 128.0 GFLOP/s, efficiency_gemm\n"));
}

TEST_CASE("the terminal names an attempt that does not count once, with each cause") {
  Judgement judgement;
  for (const char* cause : {"a neighbour", "GEMM repetitions differ"}) {
    Disturbance& each = judgement.set_aside.emplace_back();
    each.case_id = "gemm-1n";
    each.attempt = 1;
    each.sentence = std::string("gemm-1n, attempt 1: ") + cause;
  }
  const std::string line =
      "gemm-1n, attempt 1: a neighbour; GEMM repetitions differ; its speed does not count, that of an "
      "undisturbed repeat does";
  judgement.deviations = {line};
  const std::string text = verdict_text(Outcome{MeasuredCampaign(CampaignRecord()), judgement, {}});
  CHECK(holds(text, "  ! exception: " + line + "\n"));
  CHECK(text.find("gemm-1n, attempt 1") == text.rfind("gemm-1n, attempt 1"));
}

TEST_CASE("the terminal names the exceptions that it counts, each once") {
  Judgement judgement;
  judgement.deviations = {"hpl-1n needed 2 attempts: attempt 1 lost"};
  judgement.alarms = {"every run was disturbed, 2 of 2"};
  CampaignRecord campaign;
  campaign.warnings = {"every run was disturbed, 2 of 2", "no model predicts its time"};
  const std::string text = verdict_text(Outcome{MeasuredCampaign(campaign), judgement, {}});
  CHECK(holds(text, "  ! exception: hpl-1n needed 2 attempts: attempt 1 lost\n"));
  CHECK(holds(text, "  ! exception: no model predicts its time\n"));
  CHECK(holds(text, "  ! exception: every run was disturbed, 2 of 2\n"));  // three, as they are counted
  judgement.deviations.clear();
  for (int i = 0; i < 12; ++i)
    judgement.deviations.push_back("event " + std::string(1, static_cast<char>('a' + i)));
  const std::string many = verdict_text(Outcome{MeasuredCampaign(CampaignRecord()), judgement, {}});
  CHECK(holds(many, "exception: event j\n  ! 2 more exceptions, in the report\n"));
}

TEST_CASE("an exception that another line has within it is listed all the same: its number is counted") {
  Judgement judgement;
  const std::string lost = "hpl-1n, attempt 1 failed: node n1 was lost";
  judgement.deviations = {lost};
  ReliabilityRow& all = judgement.reliability.emplace_back();
  all.started = 2;
  all.succeeded = all.failed = 1;
  all.unsuccessful.push_back({"hpl-1n", 1, false, false, "failed: node n1 was lost"});
  const std::string text = verdict_text(Outcome{MeasuredCampaign(CampaignRecord()), judgement, {}});
  CHECK(holds(text, "  ! exception: " + lost + "\n"));
}

TEST_CASE("roots of a screening are printed as those of an acceptance") {
  CampaignRecord campaign;
  campaign.kind = "screening";
  campaign.journal = JournalRecord{12, std::string(64, 'a'), std::string(64, 'b'), {}, {}};
  const std::string text = verdict_text(Outcome{MeasuredCampaign(campaign), Judgement(), {}});
  CHECK(holds(text, "first root  aaaaaaaa "));
  CHECK(holds(text, "last root   bbbbbbbb "));
}

TEST_CASE("of many disturbances the terminal names the first") {
  Judgement judgement;
  for (int i = 0; i < 12; ++i) {
    Disturbance& each = judgement.disturbances.emplace_back();
    each.case_id = "c" + std::to_string(i);
    each.sentence = "run " + std::to_string(i);
  }
  const std::string text = verdict_text(Outcome{MeasuredCampaign(CampaignRecord()), judgement, {}});
  CHECK(holds(text, "  ! disturbed: run 9\n  ! 2 more disturbances, in the report\n"));
  CHECK_FALSE(holds(text, "run 10"));
}

TEST_CASE("a criterion that passes by a short run says so in its line") {
  Judgement judgement;
  CriterionResult& result = judgement.criteria.emplace_back();
  result.id = "io500-correct";
  result.suite = "io500";
  result.metric = "validity";
  result.verdict = Verdict::pass;
  result.because = "correct; too short to be an official IO500 result";
  result.is_short = true;
  const auto text = [&] { return verdict_text(Outcome{MeasuredCampaign(CampaignRecord()), judgement, {}}); };
  CHECK(holds(text(), "  io500 io500-correct  pass: correct; too short to be an official IO500 result\n"));
  result.is_short = false;
  CHECK(holds(text(), "  io500 io500-correct  pass\n"));
}

TEST_CASE("who stopped a run is written out once") {
  CampaignRecord campaign;
  AttemptRecord& attempt = campaign.cases.emplace_back().attempts.emplace_back();
  attempt.state = AttemptState::interrupted;
  attempt.failure = "stopped by alice on login1 at 2026-11-21T18:06:00Z (Ctrl-C)";
  Judgement judgement;
  judgement.deviations = {"a, attempt 1 " + attempt.failure, "b needed it: " + attempt.failure};
  const std::string text = verdict_text(Outcome{MeasuredCampaign(campaign), judgement, {}});
  CHECK(holds(text, "exception: a, attempt 1 stopped by alice on login1"));
  CHECK(holds(text, "exception: b needed it: stopped by Ctrl-C\n"));
  attempt.failure = "its job step was cancelled; " + attempt.failure;
  judgement.deviations = {"a, attempt 1 stopped: " + attempt.failure,
                          "b, attempt 1 stopped: " + attempt.failure};
  CHECK(holds(verdict_text(Outcome{MeasuredCampaign(campaign), judgement, {}}),
              "exception: b, attempt 1 stopped by Ctrl-C\n"));
}
