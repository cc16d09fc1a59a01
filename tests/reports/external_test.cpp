#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/html/case_text.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;

namespace {

/// A vendor's HPL log on eight GPUs, without anything else.
CampaignRecord external_campaign() {
  CampaignRecord campaign;
  campaign.id = "vendor";
  campaign.system = "acme";
  campaign.kind = "external";
  campaign.state = CampaignState::finished;
  campaign.created_s = 1795284309;
  campaign.tool_version = "0.1.0";
  campaign.note = "sent on Monday";
  campaign.inventory.source = made_elsewhere;
  campaign.baseline_name = "sakuraone";
  CaseRecord record;
  record.planned.id = "hpl-nvidia-HPL";
  record.planned.suite = "hpl";
  record.planned.implementation = "nvidia";
  record.planned.parser = "hpl";
  record.planned.origin = "/data/HPL.out";
  record.planned.result_file = "HPL.out";
  record.planned.nodes = record.planned.ranks = 0;
  record.planned.ranks_per_node = record.planned.threads_per_rank = 0;
  AttemptRecord attempt = fixture::attempt(1, record.planned.id, fixture::hpl_result(336'000, 53));
  attempt.state = AttemptState::imported;
  attempt.exit_code.reset();
  attempt.conditions.reset();
  attempt.started_s = attempt.finished_s = attempt.wall_s = 0;
  attempt.host.clear();
  attempt.files = {fixture::file("HPL.out", "a log\n")};
  attempt.results[0].parsed.implementation = "nvidia";
  attempt.results[0].file = "HPL.out";
  record.attempts = {attempt};
  campaign.cases = {record};
  return campaign;
}

/// A second log in a folder beside the first one's.
CampaignRecord two_logs() {
  CampaignRecord campaign = external_campaign();
  campaign.cases.push_back(campaign.cases[0]);
  campaign.cases[0].planned.origin = "/data/acme/n1/HPL.out";
  campaign.cases[0].attempts[0].results[0].parsed.facts = {{"started", "Sat Nov 21 18:36:08 2026", 39}};
  campaign.cases[1].planned.origin = "/data/acme/n8/HPL.out";
  campaign.cases[1].planned.id += "-n8";
  campaign.cases[1].attempts[0].results[0].parsed.facts = {{"run_start", "1726839527056", 20}};
  return campaign;
}

SetScore score() {
  SetScore set;
  set.schema = "shakedown.mlperf-score/1";
  set.suite = "mlperf";
  set.benchmark = "llama2_70b_lora";
  set.name = "eos_n1 <1>";
  set.score_min = 27.9284;
  set.runs = 10;
  set.converged = 9;
  set.files = {"a/result_0.txt", "a/result_1.txt"};
  set.dropped = {"a/result_1.txt"};
  set.validity = Validity::valid;
  set.rules = {fixture::rule("ML-01", "There are enough runs", RuleStatus::pass, "10 of 10", 0)};
  set.warnings = {"Two runs are alike."};
  return set;
}

std::string external_rendered(std::string_view format, const CampaignRecord& campaign) {
  const Baseline baseline = fixture::sakuraone();
  const MeasuredCampaign measured(campaign);
  return fixture::rendered(format, measured, judge(measured, &baseline, fixture::comparability()).value(),
                           &baseline);
}

bool external_holds(const std::string& page, std::string_view text) {
  return page.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a report on logs made elsewhere says what is not known, and invents nothing") {
  const std::string page = external_rendered("html", external_campaign());
  for (const char* text :
       {"Report on logs made elsewhere", "Not judged", "not known: logs made elsewhere",
        "Not known: logs made elsewhere.", "sent on Monday", "imported 2026-11-21T18:05:09Z",
        "No criterion was judged: a signature confirms only that this report was read",
        "nodes not known, ranks not known", "from the log /data/HPL.out",
        "the logs were made elsewhere: plan, machine, environment, exit codes, disturbances and "
        "other runs are not known"}) {
    INFO(text);
    CHECK(external_holds(page, text));
  }
  for (const char* text :
       {"the runs were witnessed", ", 0 nodes", ", 0 ranks", "Planned</dt>", "not finished", "1970-"}) {
    INFO(text);
    CHECK_FALSE(external_holds(page, text));
  }
}

TEST_CASE("the suite of a log made elsewhere shows how it ran, its time and its residual") {
  CampaignRecord campaign = external_campaign();
  campaign.cases[0].planned.parameters = {{"N", std::int64_t{264192}}, {"NB", std::int64_t{1024}}};
  const std::string page = fixture::rendered("html", campaign);
  const std::string section = fixture::section(page, "suite-hpl");
  CHECK(section.find("<p>N = 264\u202f192, NB = 1024</p>") != std::string::npos);
  CHECK(section.find("<span class=\"why\">in ") != std::string::npos);
  CHECK(section.find(", residual ") != std::string::npos);
  CHECK(page.find("job script") == std::string::npos);  // there is none
}

TEST_CASE("results.json of logs made elsewhere leaves out what is not known") {
  const auto document = nlohmann::json::parse(external_rendered("json", external_campaign()));
  CHECK(document["kind"] == "external");
  CHECK(document["note"] == "sent on Monday");
  CHECK(document["environment"].empty());
  CHECK(document["inventory"]["groups"].empty());
  CHECK(document["inventory"]["source"] == "not known: logs made elsewhere");
  CHECK_FALSE(document.contains("finished"));
  CHECK_FALSE(document.contains("set_scores"));
  const auto& entry = document["cases"][0];
  for (const char* key : {"nodes", "ranks", "ranks_per_node", "threads_per_rank"})
    CHECK_FALSE(entry.contains(key));
  CHECK(entry["origin"] == "/data/HPL.out");
  CHECK(entry["metrics"]["rmax_gflops"] == 336'000);
  const auto& attempt = entry["attempts"][0];
  CHECK(attempt["state"] == "imported");
  for (const char* key : {"exit_code", "started", "finished", "host", "conditions"})
    CHECK_FALSE(attempt.contains(key));
  CHECK(attempt["results"][0]["file"] == "HPL.out");
}

TEST_CASE("an imported result counts, and its log is the evidence") {
  const MeasuredCampaign campaign(external_campaign());
  CHECK(campaign.cases[0].counted.size() == 1);
  const LogReference log = log_reference(campaign.cases[0].planned, campaign.cases[0].attempts[0]);
  CHECK(log.path == "hpl-nvidia-HPL/attempt-1/HPL.out");
  CHECK(log.sha256 == sha256("a log\n"));
}

TEST_CASE("conditions that a log does not tell are not known, rather than zero") {
  const MeasuredCampaign campaign(external_campaign());
  const auto comparability = read_comparability(fixture::comparability(), "comparability.toml").value();
  const MeasuredCase& record = campaign.cases[0];
  for (const char* name : {"nodes", "gpus", "gpu", "memory_fraction", "list_class"}) {
    INFO(name);
    CHECK_FALSE(condition_of(name, campaign, record, comparability));
  }
  CHECK(measured(campaign, record, "rmax_gflops_per_gpu", comparability).missing ==
        "the number of GPUs is not in the log");
  for (const char* name : {"efficiency_rpeak", "efficiency_gemm"})
    CHECK(measured(campaign, record, name, comparability).missing == "the number of nodes is not in the log");
  CampaignRecord changed = external_campaign();
  changed.cases[0].planned.implementation = "netlib";
  const MeasuredCampaign netlib(changed);
  for (const char* name : {"device", "gpu", "gpus"}) {
    INFO(name);
    CHECK_FALSE(condition_of(name, netlib, netlib.cases[0], comparability));
  }
  changed.cases[0].planned.implementation = "reference";
  const MeasuredCampaign own(changed);
  CHECK(value_text(*condition_of("device", own, own.cases[0], comparability)) == "cpu");
  changed = external_campaign();
  changed.cases[0].planned.ranks = 8;
  const MeasuredCampaign reported(changed);
  CHECK(value_text(*condition_of("gpus", reported, reported.cases[0], comparability)) == "8");
  CHECK(measured(reported, reported.cases[0], "rmax_gflops_per_gpu", comparability).points ==
        std::vector<double>{336'000.0 / 8});
}

TEST_CASE("set scores have a section of their own, with what they leave out and that nobody verified them") {
  CampaignRecord campaign = external_campaign();
  CHECK_FALSE(external_holds(external_rendered("html", campaign), "Scores of several runs"));
  campaign.set_scores = {score()};
  const std::string page = external_rendered("html", campaign);
  for (const char* text :
       {"<h2>Scores of several runs, unverified</h2>", "href=\"#set-scores\"", "27.9284 min",
        "why\">unverified<", "Result not verified by MLCommons Association.", "eos_n1 &lt;1&gt;",
        "The score leaves out a/result_1.txt: its rule drops the fastest and the slowest.",
        "Two runs are alike.", "ML-01", "a/result_0.txt"}) {
    INFO(text);
    CHECK(external_holds(page, text));
  }
  const auto document = nlohmann::json::parse(external_rendered("json", campaign));
  REQUIRE(document["set_scores"].size() == 1);
  CHECK(document["set_scores"][0]["score_min"] == 27.9284);
  CHECK(document["set_scores"][0]["schema"] == "shakedown.mlperf-score/1");
}

TEST_CASE("a set without a score shows none") {
  CampaignRecord campaign = external_campaign();
  campaign.set_scores = {score()};
  campaign.set_scores[0].score_min.reset();
  campaign.set_scores[0].validity = Validity::invalid;
  CHECK_FALSE(external_holds(external_rendered("html", campaign), "why\">unverified<"));
  CHECK_FALSE(
      nlohmann::json::parse(external_rendered("json", campaign))["set_scores"][0].contains("score_min"));
}

TEST_CASE("phases of a result stand in results.json as parse gives them") {
  CampaignRecord campaign = external_campaign();
  campaign.cases[0].attempts[0].results[0].parsed.phases = {{"find", 12.5, "kIOPS", 3.25, false, true, 9}};
  const auto document = nlohmann::json::parse(external_rendered("json", campaign));
  CHECK(document["cases"][0]["attempts"][0]["results"][0]["phases"]["find"] ==
        nlohmann::json(
            {{"value", 12.5}, {"unit", "kIOPS"}, {"time_s", 3.25}, {"valid", false}, {"scored", true}}));
}

TEST_CASE("runs that make no valid score together are a deviation, whatever each of them proves") {
  CampaignRecord campaign = external_campaign();
  SetScore set = score();
  set.rules[0].status = RuleStatus::fail;
  set.rules[0].text = "9 runs are missing";
  set.validity = Validity::invalid;
  campaign.set_scores = {set};
  const auto reported = [&](const std::string& text) {
    const auto found = deviations(MeasuredCampaign(campaign));
    return std::ranges::find(found, text) != found.end();
  };
  const std::string said = std::string("the runs of ") + suite_title("mlperf") +
                           " llama2_70b_lora in eos_n1 <1> make no valid score: ML-01: 9 runs are "
                           "missing";
  CHECK(reported(said));
  // A screening was to make as few.
  campaign.kind = "screening";
  CHECK_FALSE(reported(said));
  campaign.kind = "external";
  campaign.set_scores[0].rules[0].status = RuleStatus::pass;
  CHECK_FALSE(reported(said));
}

TEST_CASE("logs made elsewhere are named by what tells them apart, with the dates that they state") {
  const std::string page = fixture::rendered("html", two_logs());
  const std::string suite = fixture::section(page, "suite-hpl");
  CHECK(suite.find("Made elsewhere, 2 logs, named by their path in /data/acme/.") != std::string::npos);
  CHECK(suite.find("<span class=\"muted\">n1/HPL.out</span>") != std::string::npos);
  CHECK(suite.find("<span class=\"muted\">n8/HPL.out</span>") != std::string::npos);
  CHECK(suite.find("data-label=\"When, by its log\">Sat Nov 21 18:36:08 2026 (clock of the "
                   "machine, zone not in the log)<") != std::string::npos);
  CHECK(suite.find("data-label=\"When, by its log\">2024-09-20T13:38:47Z<") != std::string::npos);
  CHECK(suite.find("Wall time") == std::string::npos);
  const auto stated = [](const char* time) {
    ParsedResult result;
    result.facts = {{"start", time, 1}};
    return started_text(result);
  };
  for (const char* zoned :
       {"Sat Nov 21 18:36:08 JST 2026", "Sat Nov 21 06:36:08 PM UTC 2026", "Sat Nov 21 18:36:08 -03 2026",
        "2026-11-21T18:36:08+09:00", "2026-11-21T18:36:08Z"})
    CHECK(stated(zoned) == zoned);
  for (const std::string bare :
       {"2026-11-21 18:36:08", "Sat Nov 21 06:36:08 PM 2026", "20261121-1836", "21-NOV-2026 18:36"})
    CHECK(stated(bare.c_str()) == bare + " (clock of the machine, zone not in the log)");
  const std::string one = fixture::section(fixture::rendered("html", external_campaign()), "suite-hpl");
  CHECK(one.find("from the log /data/HPL.out.") != std::string::npos);
  CHECK(one.find("data-label=\"When, by its log\">–<") != std::string::npos);
}
