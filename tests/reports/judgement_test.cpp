#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "reports/judge/deviations.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::gemm;
using fixture::hpl;
using fixture::judged;
using fixture::quick_campaign;

TEST_CASE("a good screening passes, and is never called accepted") {
  const Judgement judgement = judged(quick_campaign());
  CHECK(judgement.overall == Verdict::pass);
  CHECK(judgement.sentence == "screening passed");
  CHECK(judgement.exit_code == 0);
  CHECK(criterion(judgement, "hpl-valid").verdict == Verdict::pass);
  const CriterionResult& efficiency = criterion(judgement, "hpl-efficiency");
  CHECK(efficiency.verdict == Verdict::pass);
  CHECK(efficiency.because == "83.8 % ≥ 70.5 % (one result, of 111.2 GFLOP/s measured GEMM)");
  CHECK(efficiency.evidence_path == "hpl-reference-1n/attempt-1/stdout.log");
  CHECK(efficiency.evidence_sha256.size() == 64);
}

TEST_CASE(
    "a criterion for planned suites is silent where the suite was not asked for, and not-run where it was "
    "refused") {
  CampaignRecord campaign = quick_campaign();
  const auto of_hpcg = [](const Judgement& judgement) {
    return std::count_if(judgement.criteria.begin(), judgement.criteria.end(),
                         [](const CriterionResult& result) { return result.suite == "hpcg"; });
  };
  CHECK(of_hpcg(judged(campaign)) == 0);
  campaign.refused.push_back(
      {.suite = "hpcg", .benchmark = "", .rule = "HPCG-03", .because = "no shape", .next_good = ""});
  const Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "hpcg-correct").verdict == Verdict::not_run);
  CHECK(judgement.overall == Verdict::undecided);
}

TEST_CASE("the words for the overall verdict depend on the kind of campaign") {
  CampaignRecord campaign = quick_campaign();
  campaign.kind = "acceptance";
  CHECK(judged(campaign).sentence.starts_with("accepted: "));  // what is weak in it: weaknesses_test.cpp
  hpl(campaign) = fixture::hpl_case(60);
  CHECK(judged(campaign).sentence ==
        "not accepted: hpl-efficiency: 54.0 % < 70.5 % (one result, of 111.2 GFLOP/s measured GEMM)");
}

TEST_CASE("a rate below the limit fails the screening with exit code 1") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign) = fixture::hpl_case(60);
  const Judgement judgement = judged(campaign);
  CHECK(judgement.overall == Verdict::fail);
  CHECK(judgement.exit_code == 1);
  CHECK(criterion(judgement, "hpl-valid").verdict == Verdict::pass);
  CHECK(judgement.sentence.starts_with("screening failed: hpl-efficiency: 54.0 % < 70.5 %"));
}

TEST_CASE(
    "an invalid result makes its criteria invalid, and a mandatory one on validity fails the screening") {
  CampaignRecord campaign = quick_campaign();
  ResultRecord& result = hpl(campaign).attempts[0].results[0];
  result.validity = Validity::invalid;
  result.rules[1].status = RuleStatus::fail;
  result.rules[1].text = "the residual is 43.1";
  const Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "hpl-valid").verdict == Verdict::invalid);
  CHECK(criterion(judgement, "hpl-efficiency").verdict == Verdict::invalid);
  CHECK_FALSE(criterion(judgement, "hpl-efficiency").measured);
  CHECK(criterion(judgement, "hpl-valid").because == "attempt 1 is invalid: HPL-03: the residual is 43.1");
  CHECK(judgement.sentence ==
        "screening failed: hpl-valid: attempt 1 is invalid: HPL-03: the residual is 43.1");
  CHECK(judgement.overall == Verdict::fail);
  CHECK(judgement.exit_code == 1);
}

TEST_CASE("a case without an attempt, or whose attempts left nothing, is not run") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts.clear();
  Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "hpl-valid").verdict == Verdict::not_run);
  CHECK(criterion(judgement, "hpl-valid").because == "no attempt has ended yet");
  CHECK(judgement.exit_code == 3);

  campaign = quick_campaign();
  AttemptRecord& attempt = hpl(campaign).attempts[0];
  attempt.state = AttemptState::timed_out;
  attempt.failure = "no result within 180 s";
  attempt.results[0].parsed.complete = false;
  judgement = judged(campaign);
  CHECK(criterion(judgement, "hpl-efficiency").verdict == Verdict::not_run);
  CHECK(judgement.overall == Verdict::undecided);

  campaign = quick_campaign();
  campaign.cases.pop_back();
  // Of a criterion that does not ask whether its suite was planned.
  for (size_t at = 0; (at = campaign.criteria_text.find("if_planned = true", at)) != std::string::npos;)
    campaign.criteria_text.replace(at, 17, "if_planned = false");
  judgement = judged(campaign);
  CHECK(criterion(judgement, "hpl-efficiency").because == "the campaign has no case of HPL");
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("a result whose validity is unknown decides nothing") {
  CampaignRecord campaign = quick_campaign();
  ResultRecord& result = hpl(campaign).attempts[0].results[0];
  result.validity = Validity::unknown;
  result.parsed.complete = false;
  result.parsed.reason = "the log ends before the residual";
  const Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "hpl-valid").verdict == Verdict::undecided);
  CHECK(criterion(judgement, "hpl-efficiency").verdict == Verdict::undecided);
  CHECK(criterion(judgement, "hpl-valid").because ==
        "attempt 1: whether the result is valid is not known (the log ends before the residual)");
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("an efficiency without a measured GEMM is not comparable and leaves the verdict open") {
  CampaignRecord campaign = quick_campaign();
  gemm(campaign).attempts.clear();
  const Judgement judgement = judged(campaign);
  const CriterionResult& efficiency = criterion(judgement, "hpl-efficiency");
  CHECK(efficiency.verdict == Verdict::not_comparable);
  CHECK(efficiency.severity == CriterionSeverity::mandatory);
  CHECK(efficiency.because == "no reference: GEMM was not measured in this campaign");
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("GEMM is judged against the peak, and only advises where the clock is not readable") {
  CampaignRecord campaign = quick_campaign();
  campaign.inventory.groups[0].software.virtualisation.clear();
  CHECK(criterion(judged(campaign), "gemm-rpeak").verdict == Verdict::pass);
  gemm(campaign) = fixture::gemm_case(90);
  hpl(campaign) = fixture::hpl_case(80);
  Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "gemm-rpeak").verdict == Verdict::fail);
  CHECK(criterion(judgement, "gemm-rpeak").because ==
        "70.3 % < 74.4 % (one result, of 128.0 GFLOP/s, the peak at the base clock)");
  CHECK(judgement.exit_code == 1);

  campaign.inventory.groups[0].cpu.base_mhz = 0;
  judgement = judged(campaign);
  CHECK(criterion(judgement, "gemm-rpeak").verdict == Verdict::not_comparable);
  CHECK(criterion(judgement, "gemm-rpeak").severity == CriterionSeverity::mandatory);
  CHECK(judgement.sentence.starts_with("screening undecided: gemm-rpeak: no peak to compare with"));
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("a peak by the counter of a virtual machine carries the criterion, and says so") {
  CampaignRecord campaign = quick_campaign();
  campaign.inventory.groups[0].cpu.base_mhz_source = time_stamp_counter;
  CHECK(criterion(judged(campaign), "gemm-rpeak").verdict == Verdict::pass);
  CHECK(
      criterion(judged(campaign), "gemm-rpeak")
          .because.ends_with("the peak at the base clock by the time stamp counter of the virtual machine)"));
}

TEST_CASE("a peak by a guessed base clock decides no criterion, and a screening is undecided without it") {
  CampaignRecord campaign = quick_campaign();
  campaign.inventory.groups[0].assumed = {"cpu.base_mhz"};
  Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "gemm-rpeak").verdict == Verdict::not_comparable);
  CHECK(criterion(judgement, "gemm-rpeak").because ==
        "no peak to compare with: the base clock, 2000 MHz, is assumed, not stated");
  CHECK(criterion(judgement, "gemm-rpeak").remedy.find("`base_mhz = 2450`") != std::string::npos);
  CHECK(fixture::rendered("html", MeasuredCampaign(campaign), judged(campaign))
            .find("`shakedown inventory discover -o machine.toml`") != std::string::npos);
  CHECK(criterion(judgement, "gemm-rpeak").severity == CriterionSeverity::mandatory);
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("a virtual machine's peak that a run exceeded is none too large: GEMM below it fails") {
  CampaignRecord campaign = quick_campaign();
  gemm(campaign) = fixture::gemm_case(90);
  NodeGroup& node = campaign.inventory.groups[0];
  node.software.virtualisation = "kvm";
  CaseRecord calm = fixture::gemm_case(141);  // of 128
  calm.planned.id = "gemm-reference-1n-r2";
  calm.planned.repetition = 2;
  campaign.cases.push_back(calm);
  campaign.criteria_text = R"(title = "every run"
[[criteria]]
id = "gemm-rpeak"
title = "GEMM"
suite = "gemm"
metric = "efficiency_rpeak"
direction = ">="
limit = 0.744
aggregation = "every"
severity = "mandatory"
limit_source = "the test"
)";
  const CriterionResult missed = criterion(judged(campaign), "gemm-rpeak");
  CHECK(missed.verdict == Verdict::fail);
  CHECK(missed.because.find("hardware thread") == std::string::npos);
}

TEST_CASE("a virtual machine's cores may be threads of fewer, so that GEMM below its peak is undecided") {
  CampaignRecord campaign = quick_campaign();
  gemm(campaign) = fixture::gemm_case(90);
  hpl(campaign) = fixture::hpl_case(80);
  NodeGroup& node = campaign.inventory.groups[0];
  node.software.virtualisation = "kvm";
  node.cpu.threads_per_core = 1;
  const CriterionResult missed = criterion(judged(campaign), "gemm-rpeak");
  CHECK(missed.verdict == Verdict::undecided);
  CHECK(missed.because ==
        "70.3 % < 74.4 % (one result, of 128.0 GFLOP/s, the peak at the base clock); a core "
        "of the virtual machine (kvm) may be one hardware thread, so that the true peak is lower");
  CHECK(missed.remedy.find("`threads_per_core`") != std::string::npos);
  CHECK(judged(campaign).exit_code == 3);

  gemm(campaign) = fixture::gemm_case(27);
  const CriterionResult far = criterion(judged(campaign), "gemm-rpeak");
  CHECK(far.verdict == Verdict::fail);  // 42.2 % of half the peak
  CHECK(far.because ==
        "21.1 % < 74.4 % (one result, of 128.0 GFLOP/s, the peak at the base clock); even by a peak 2 "
        "times lower it misses the limit");
  gemm(campaign).attempts[0].conditions->foreign_cores = 1.5;
  CHECK(criterion(judged(campaign), "gemm-rpeak").verdict == Verdict::undecided);
  CHECK(judged(campaign).sentence.find(
            "; the disturbed run was also below its limit (gemm-rpeak: 21.1 % < 74.4 %), which does") !=
        std::string::npos);
  gemm(campaign) = fixture::gemm_case(90);
  CHECK_FALSE(criterion(judged(campaign), "gemm-rpeak").remedy.empty());
  gemm(campaign).attempts[0].conditions->foreign_cores = 1.5;
  CHECK(criterion(judged(campaign), "gemm-rpeak").remedy.empty());  // it is measured again first
  gemm(campaign) = fixture::gemm_case(90);

  node.cpu.threads_per_core = 2;  // it shows which threads share a core
  CHECK(criterion(judged(campaign), "gemm-rpeak").verdict == Verdict::fail);

  node.cpu.threads_per_core = 1;
  gemm(campaign) = fixture::gemm_case(100);
  CHECK(criterion(judged(campaign), "gemm-rpeak").verdict == Verdict::pass);
}

TEST_CASE("every finished attempt counts, and so does a complete result of one that was cut") {
  CampaignRecord campaign = quick_campaign();
  CaseRecord& record = hpl(campaign);
  record.attempts.push_back(fixture::attempt(2, "hpl-reference-1n", fixture::hpl_result(70, 46)));
  record.attempts.push_back(fixture::attempt(3, "hpl-reference-1n", fixture::hpl_result(60, 53)));
  record.attempts.push_back(fixture::attempt(4, "hpl-reference-1n", fixture::hpl_result(99, 30)));
  record.attempts[3].state = AttemptState::interrupted;
  record.attempts[3].results[0].parsed.complete = false;
  const Judgement judgement = judged(campaign);
  const CriterionResult& efficiency = criterion(judgement, "hpl-efficiency");
  CHECK(efficiency.n == 3);
  CHECK(efficiency.points.size() == 3);
  CHECK(efficiency.measured.value() == Approx(70 / 111.2));
  CHECK(efficiency.verdict == Verdict::fail);
  CHECK(efficiency.evidence_path == "hpl-reference-1n/attempt-2/stdout.log");
  CHECK(judgement.deviations.front() == "hpl-reference-1n, attempt 4 stopped; it does not count");
}

TEST_CASE("a slow run whose result is printed counts, whoever cuts it then, and however fast the next is") {
  for (const AttemptState cut : {AttemptState::interrupted, AttemptState::timed_out, AttemptState::lost}) {
    CampaignRecord campaign = quick_campaign();
    CaseRecord& record = hpl(campaign);
    record = fixture::hpl_case(60);
    record.attempts[0].state = cut;
    record.attempts.push_back(fixture::attempt(2, "hpl-reference-1n", fixture::hpl_result(62, 46)));
    Judgement judgement = judged(campaign);
    CHECK(criterion(judgement, "hpl-efficiency").n == 2);
    CHECK(criterion(judgement, "hpl-efficiency").points.front() == Approx(60 / 111.2));
    CHECK(judgement.exit_code == 1);
    const auto reported = [](const std::string& each) {
      return each.find("; the result that it had left counts") != std::string::npos;
    };
    CHECK(std::ranges::count_if(judgement.deviations, reported) == 1);
    // Under its own validity: one that breaks a rule is no way out either.
    record.attempts[0].results[0].validity = Validity::invalid;
    CHECK(criterion(judged(campaign), "hpl-efficiency").verdict == Verdict::invalid);
  }
}

TEST_CASE("one invalid repetition spoils the criterion although others are valid") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts.push_back(fixture::attempt(2, "hpl-reference-1n", fixture::hpl_result(90, 35)));
  hpl(campaign).attempts[1].results[0].validity = Validity::invalid;
  CHECK(criterion(judged(campaign), "hpl-efficiency").verdict == Verdict::invalid);
}

TEST_CASE("several cases of a suite are judged one by one") {
  CampaignRecord campaign = quick_campaign();
  campaign.cases.push_back(fixture::hpl_case(40));
  campaign.cases.back().planned.id = "hpl-hpcc-1n";
  campaign.cases.back().planned.implementation = "hpcc";
  const Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "hpl-efficiency@hpl-reference-1n").verdict == Verdict::pass);
  CHECK(criterion(judgement, "hpl-efficiency@hpl-hpcc-1n").verdict == Verdict::fail);
  CHECK(judgement.exit_code == 1);
}

TEST_CASE("a value just below its limit is judged unrounded and never printed as the limit") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign) = fixture::hpl_case(111.2 * 0.7047 * (1 - 1e-7));
  const CriterionResult below = criterion(judged(campaign), "hpl-efficiency");
  CHECK(below.verdict == Verdict::fail);
  CHECK(below.because.starts_with("70.46999 % < 70.47000 %"));
  gemm(campaign) = fixture::gemm_case(100);
  hpl(campaign) = fixture::hpl_case(70.47);
  CHECK(criterion(judged(campaign), "hpl-efficiency").verdict == Verdict::pass);
}

TEST_CASE("without criteria, or while a campaign runs, nothing passes") {
  CampaignRecord campaign = quick_campaign();
  campaign.criteria_text.clear();
  CHECK(judged(campaign).sentence == "not judged: no criteria were given");
  CHECK(judged(campaign).exit_code == 3);
  campaign = quick_campaign();
  campaign.state = CampaignState::interrupted;
  CHECK(judged(campaign).sentence == "screening undecided: the campaign is interrupted, not finished");
}

TEST_CASE("a campaign that is no longer what it was bound to is not accepted, and may still fail") {
  CampaignRecord campaign = quick_campaign();
  campaign.kind = "acceptance";
  campaign.breaches = {"criteria.toml in the campaign's folder is gone", "plan.json in it is gone"};
  CHECK(judged(campaign).overall == Verdict::undecided);
  CHECK(judged(campaign).exit_code == 3);
  CHECK(judged(campaign).sentence ==
        "acceptance undecided: the commitment is broken: criteria.toml in the campaign's folder is gone; and "
        "1 more");
  hpl(campaign) = fixture::hpl_case(60);
  CHECK(judged(campaign).exit_code == 1);
}

TEST_CASE("newer published values that ship with shakedown move no verdict, and are reported") {
  CampaignRecord campaign = quick_campaign();
  campaign.baseline_name = "sakuraone";
  const Verdict before = judged(campaign).overall;
  campaign.breaches = {other_published_values("sakuraone")};
  CHECK(judged(campaign).overall == before);
  const auto reported = deviations(MeasuredCampaign(campaign));
  CHECK(std::ranges::find(reported,
                          "the commitment is broken: the published values of sakuraone are others than "
                          "when the campaign began") != reported.end());
}

TEST_CASE("a rate that is not a number decides nothing") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign) = fixture::hpl_case(std::nan(""));
  CHECK(criterion(judged(campaign), "hpl-efficiency").verdict == Verdict::undecided);
}

TEST_CASE("criteria that can't be read are an error, not a verdict") {
  CampaignRecord campaign = quick_campaign();
  campaign.criteria_text = "title = 'x'\n[[criterias]]\n";
  const auto judgement = judge(MeasuredCampaign(campaign), nullptr, fixture::comparability());
  REQUIRE_FALSE(judgement);
  CHECK(judgement.error().where == "quick.toml:2");
}

TEST_CASE("criteria that share a reason say it once in the verdict") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts.clear();
  CHECK(judged(campaign).sentence ==
        "screening undecided: hpl-valid, hpl-efficiency: no attempt has ended yet");
}

TEST_CASE("a machine that could start no case is the environment's failure, with its reason") {
  CampaignRecord campaign = quick_campaign();
  for (CaseRecord& record : campaign.cases) {
    AttemptRecord& last = record.attempts.back();
    last.results.clear();
    last.state = AttemptState::not_started;
    last.failure = "mpirun could not start the program: exit code 1; stderr says: no such folder";
  }
  const Judgement judgement = judged(campaign);
  CHECK(judgement.overall == Verdict::undecided);
  CHECK(judgement.exit_code == 4);
  CHECK(judgement.sentence ==
        "screening undecided: no case could be started: mpirun could not start the program: exit code 1; "
        "stderr "
        "says: no such folder");
  SECTION("but one case that began is enough for a verdict on what it did") {
    campaign.cases.back().attempts.back().state = AttemptState::finished;
    CHECK(judged(campaign).exit_code == 3);
  }
}

TEST_CASE("a condition that is not met keeps its criterion mandatory, with or without a denominator") {
  CampaignRecord campaign = quick_campaign();
  campaign.criteria_text =
      "title = 'T'\n[[criteria]]\nid = 'e'\ntitle = 'E'\nsuite = 'hpl'\nmetric = 'efficiency_gemm'\n"
      "direction = '>='\nlimit = 0.5\nlimit_source = 's'\naggregation = 'every'\nseverity = 'mandatory'\n"
      "exclusions_max = 0\n";
  gemm(campaign).attempts.clear();
  CHECK(criterion(judged(campaign), "e").verdict == Verdict::not_comparable);
  campaign.exclusions = {{"n7", "node failure", 1795284400}};
  CHECK(criterion(judged(campaign), "e").verdict == Verdict::fail);
  CHECK(criterion(judged(campaign), "e").severity == CriterionSeverity::mandatory);
  CHECK(judged(campaign).exit_code == 1);
}

TEST_CASE("an unknown reference takes no mandatory criterion out of a contract") {
  struct Row {
    const char* kind;
    const char* sentence;
  };
  for (const Row& row : {Row{"screening", "screening undecided: gemm-rpeak: "},
                         Row{"acceptance", "acceptance undecided: gemm-rpeak: "},
                         Row{"external", "the logs do not decide: gemm-rpeak: "}}) {
    INFO(row.kind);
    CampaignRecord campaign = quick_campaign();
    campaign.kind = row.kind;
    campaign.inventory.groups.front().cpu = {};  // a hypervisor hides the model
    campaign.inventory.groups.front().cpu.cores = 2;
    const Judgement judgement = judged(campaign);
    CHECK(criterion(judgement, "gemm-rpeak").verdict == Verdict::not_comparable);
    CHECK(criterion(judgement, "gemm-rpeak").severity == CriterionSeverity::mandatory);
    CHECK(judgement.sentence.starts_with(row.sentence));
    CHECK(judgement.exit_code == 3);
  }
}

TEST_CASE("an invalid repetition fails a criterion on validity while another is still missing") {
  CampaignRecord campaign = quick_campaign();
  CaseRecord second = fixture::hpl_case(90);
  second.planned.id += "-r2";
  second.planned.repetition = 2;
  second.attempts.clear();
  campaign.cases.push_back(second);
  ResultRecord& result = hpl(campaign).attempts[0].results[0];
  result.validity = Validity::invalid;
  result.rules[1].status = RuleStatus::fail;
  const Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "hpl-valid").verdict == Verdict::invalid);
  CHECK(judgement.exit_code == 1);
}

TEST_CASE("a training whose log holds only the pretraining that it starts from has no result") {
  CampaignRecord campaign = fixture::five_suites();
  CaseRecord& training = fixture::case_of(campaign, "mlperf");
  training.planned.id = "mlperf-reference-shakedown_lora-1n";
  training.planned.benchmark = "shakedown_lora";
  training.planned.parameters = {{"benchmark", std::string("shakedown_lora")}};
  training.attempts[0].state = AttemptState::timed_out;
  training.attempts[0].failure = "ended at its time limit of 4m 10s";
  REQUIRE(training.attempts[0].results[0].validity == Validity::valid);
  const Judgement judgement = judged(campaign);
  const CriterionResult& valid = criterion(judgement, "mlperf-correct");
  CHECK(valid.verdict == Verdict::not_run);
  CHECK(valid.because == "attempt 1 timed out: ended at its time limit of 4m 10s");
  CHECK(judgement.overall != Verdict::pass);
}
