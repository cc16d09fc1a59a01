#include "reports/judge/next_step.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "reports/formats/format.hpp"
#include "tests/reports/fixture.hpp"
#include "tests/reports/hundred_nodes.hpp"

using namespace shakedown;
using fixture::gemm;
using fixture::hpl;

namespace {

NextStep next_of(const CampaignRecord& campaign) {
  const MeasuredCampaign measured(campaign);
  const Judgement judgement = judge(measured, nullptr, fixture::comparability()).value();
  return next_step(measured, judgement, "w", "w/campaigns/" + campaign.id);
}

}  // namespace

TEST_CASE("what to type next follows from what decided") {
  struct Row {
    const char* what;
    void (*changed)(CampaignRecord&);
    std::string cause;    ///< its begin
    std::string command;  ///< its begin
  };
  const std::string id = fixture::quick_campaign().id;
  const std::vector<Row> rows = {
      {"passed", [](CampaignRecord&) {}, "", "shakedown inventory discover -o cluster.toml"},
      {"passed, and no screening", [](CampaignRecord& campaign) { campaign.kind = "acceptance"; }, "",
       "shakedown accept " + id + " -w w"},
      {"disturbed",
       [](CampaignRecord& campaign) {
         hpl(campaign).attempts[0].conditions->foreign_cores = 1;
         NodeState node;
         node.other_processes = {{4242, 1000, "python3", "", 0.9}};
         hpl(campaign).attempts[0].nodes = {node};
       },
       "hpl-reference-1n, attempt 1: other processes used 1 of 2 cores while the job needed 2 (they may use "
       "0.10 "
       "cores): python3 (pid 4242, uid 1000), up to 0.90 cores; others, not seen at its end, 0.10 cores",
       "shakedown resume --disturbed " + id + " -w w"},
      {"not run", [](CampaignRecord& campaign) { hpl(campaign).attempts.clear(); },
       "hpl-valid: no attempt has ended yet", "shakedown resume " + id + " -w w"},
      {"not run, as its node was excluded",
       [](CampaignRecord& campaign) {
         hpl(campaign).attempts.clear();
         campaign.exclusions = {{"cn5", "bus error", 0}, {"cn3", "memory error", 0}};
       },
       "hpl-valid: no attempt has ended yet",
       "shakedown run --config w/campaigns/" + id + "/acceptance.toml -w w"},
      {"invalid",
       [](CampaignRecord& campaign) { hpl(campaign).attempts[0].results[0].validity = Validity::invalid; },
       "hpl-valid: attempt 1 is invalid",
       "shakedown parse --rules all w/campaigns/" + id + "/hpl-reference-1n/attempt-1/stdout.log"},
      {"failed", [](CampaignRecord& campaign) { hpl(campaign) = fixture::hpl_case(60); },
       "hpl-efficiency: 54.0 % < 70.5 %", "shakedown quick -w w"},
      {"an impossible ratio",
       [](CampaignRecord& campaign) { fixture::gemm(campaign) = fixture::gemm_case(60); },
       "HPL is faster than the matrix multiplication", "shakedown resume --disturbed " + id},
      {"interrupted", [](CampaignRecord& campaign) { campaign.state = CampaignState::interrupted; },
       "the campaign is interrupted", "shakedown resume " + id},
      {"without criteria", [](CampaignRecord& campaign) { campaign.criteria_text.clear(); },
       "no criteria were given",
       "shakedown report " + id + " --criteria your-criteria.toml --reason 'none were given before'"},
      {"without criteria, made elsewhere",
       [](CampaignRecord& campaign) {
         campaign.criteria_text.clear();
         campaign.kind = "external";
       },
       "no criteria were given", "shakedown compare " + id + " OTHER -w w"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    CampaignRecord campaign = fixture::quick_campaign();
    row.changed(campaign);
    const NextStep step = next_of(campaign);
    INFO(step.cause << "\n" << step.command);
    CHECK(step.cause.starts_with(row.cause));
    CHECK(step.command.starts_with(row.command));
    CHECK(step.command.empty() == row.command.empty());
    CHECK(next_step_words(step).empty() == row.command.empty());
  }
}

TEST_CASE(
    "of what is undecided the next step measures again what was disturbed, and else never reads a log "
    "twice") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.inventory.groups[0].software.virtualisation = "kvm";
  campaign.inventory.groups[0].cpu.threads_per_core = 1;
  fixture::gemm(campaign) = fixture::gemm_case(90);
  hpl(campaign) = fixture::hpl_case(80);
  CHECK(next_of(campaign).cause.starts_with("gemm-rpeak: 70.3 % < 74.4 %"));
  CHECK(next_of(campaign).command == "shakedown inventory discover -o machine.toml");
  hpl(campaign).attempts[0].conditions->foreign_cores = 1;
  CHECK(next_of(campaign).command == "shakedown resume --disturbed " + campaign.id + " -w w");
}

TEST_CASE("each next step says who acts") {
  CampaignRecord campaign = fixture::quick_campaign();
  CHECK(next_step_words(next_of(campaign))
            .starts_with("the operator keeps this report; an acceptance begins with an inventory"));
  campaign.kind = "acceptance";
  CHECK(next_step_words(next_of(campaign))
            .starts_with("vendor and customer sign the report, then the operator runs: shakedown accept "));
  campaign.kind = "screening";
  campaign.state = CampaignState::interrupted;
  hpl(campaign).attempts.clear();
  CHECK(next_step_words(next_of(campaign)).starts_with("the operator runs: shakedown resume "));
  campaign = fixture::quick_campaign();
  for (CaseRecord& record : campaign.cases) record.attempts[0].conditions->foreign_cores = 1.2;
  CHECK(next_step_words(next_of(campaign))
            .starts_with("the operator gives this machine a rest, then runs: shakedown resume --disturbed "));
}

TEST_CASE("what failed while it was disturbed is repeated on an idle machine first") {
  CampaignRecord campaign = fixture::quick_campaign();
  hpl(campaign).attempts[0].results[0].validity = Validity::invalid;
  hpl(campaign).attempts[0].conditions->foreign_cores = 1;
  NodeState node;
  node.other_processes = {{4242, 1000, "python3", "", 0.9}};
  hpl(campaign).attempts[0].nodes = {node};
  const NextStep step = next_of(campaign);
  CHECK(step.cause.starts_with("hpl-valid: attempt 1 is invalid"));
  CHECK(
      step.cause.find("; it was disturbed: hpl-reference-1n, attempt 1: other processes used 1 of 2 cores") !=
      std::string::npos);
  CHECK(
      step.first ==
      "the operator ends python3 (pid 4242, uid 1000), if it still runs, and repeats it on an idle machine");
  CHECK(step.command == "shakedown quick -w w");
  campaign.kind = "acceptance";
  CHECK(next_of(campaign).command ==
        "shakedown run --config w/campaigns/" + campaign.id + "/acceptance.toml -w w");
}

TEST_CASE("what a campaign excluded is repaired before it is measured by another") {
  CampaignRecord campaign = fixture::quick_campaign();
  hpl(campaign).attempts.clear();
  campaign.exclusions = {{"cn5", "bus error", 0}, {"cn3", "memory error", 0}};
  CHECK(next_step_words(next_of(campaign))
            .starts_with("the vendor repairs or replaces cn5 (bus error) and cn3 (memory "
                         "error); then the operator runs: shakedown run --config "));
  campaign.state = CampaignState::interrupted;  // the rest is run first
  CHECK(next_of(campaign).first.empty());
}

TEST_CASE("where nodes decide, those to be measured again go before repairs and another campaign") {
  CampaignRecord campaign = fixture::hundred_nodes();
  const std::string repairs = "the vendor repairs or replaces cn017 (slow) and cn042 (node failure)";
  NextStep step = next_of(campaign);
  CHECK(before_command(step) == "before " + repairs + ", the operator frees cn063 of load and runs:");
  CHECK(step.command == "shakedown resume --disturbed " + campaign.id + " -w w");
  auto& cn063 = *std::ranges::find(campaign.cases, "hpl-netlib-1n-cn063",
                                   [](const CaseRecord& record) { return record.planned.id; });
  cn063.attempts[0].conditions->foreign_cores = 0;  // slow by itself: it fails, and nothing has confirmed it
  step = next_of(campaign);
  CHECK(next_step_words(step) ==
        "before the vendor repairs or replaces cn017 and cn063 (slow) and cn042 (node failure), the operator "
        "runs: shakedown resume " +
            campaign.id + " --repeat-suspects -w w");
  for (Metric& metric : cn063.attempts[0].results[0].parsed.metrics)
    if (metric.name == "rmax_gflops") metric.value = 92.8;
  step = next_of(campaign);
  CHECK(step.first == repairs);
  CHECK(before_command(step).ends_with("; then the operator runs:"));
  CHECK(step.command == "shakedown run --config w/campaigns/" + campaign.id + "/acceptance.toml -w w");
}

TEST_CASE("a node that was slow once and not in its repeats is no node to be repaired") {
  CampaignRecord campaign = fixture::hundred_nodes();
  auto& cn063 = *std::ranges::find(campaign.cases, "hpl-netlib-1n-cn063",
                                   [](const CaseRecord& record) { return record.planned.id; });
  cn063.attempts[0].conditions->foreign_cores = 0;
  const CaseRecord once = cn063;
  for (int run = 2; run <= 4; ++run) {
    CaseRecord& repeat = campaign.cases.emplace_back(once);
    repeat.planned.id += fmt::format("-r{}", run);
    repeat.planned.confirms = true;
    for (Metric& metric : repeat.attempts[0].results[0].parsed.metrics)
      if (metric.name == "rmax_gflops") metric.value = 92.8 + 0.01 * run;
  }
  const NextStep step = next_of(campaign);
  CHECK(
      step.first ==
      "the vendor repairs or replaces cn017 (slow) and cn042 (node failure); cn063 is not slow by the median "
      "of its repeats");
  CHECK(before_command(step).ends_with("; then the operator runs:"));
}

TEST_CASE("the first page and the terminal give one next step, with the workspace") {
  for (const CampaignRecord& campaign : {fixture::hundred_nodes(), fixture::quick_campaign()}) {
    const MeasuredCampaign measured(campaign);
    const Judgement judgement = judge(measured, nullptr, fixture::comparability()).value();
    const auto page = report_format_named("html").value()->render({measured, judgement, nullptr, "w"});
    REQUIRE(page);
    const std::string command = next_of(campaign).command;
    std::string words;
    for (const std::string_view word : split(command, ' '))
      words += "<span class=\"word\">" + std::string(word) + "</span> ";
    CHECK(page->find(words) != std::string::npos);
  }
}

TEST_CASE("what a criterion on one case decides") {
  CampaignRecord one = fixture::quick_campaign();
  hpl(one) = fixture::hpl_case(60);
  CHECK(next_of(one).first == "the vendor finds what is slow on n1 (the runs are valid) and mends it");
  CHECK(before_command(next_of(one)).ends_with("; then the operator runs:"));
  one.environment.push_back({"n1", "environment OPENBLAS_CORETYPE", "Haswell"});
  CHECK(next_of(one).first ==
        "the operator unsets OPENBLAS_CORETYPE: it made OpenBLAS use Haswell's routines");
}

TEST_CASE("the cause says how many other runs were disturbed") {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].conditions->foreign_cores = 1;
  CHECK(next_of(campaign).cause.find("too") == std::string::npos);
  gemm(campaign).attempts[0].conditions->foreign_cores = 1;
  CHECK(next_of(campaign).cause.ends_with("; 1 more run was disturbed, too"));
}
