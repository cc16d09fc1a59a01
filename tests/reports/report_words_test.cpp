// Words that readers of a report asked for: what a number is of, and what a mark means.
#include <catch2/catch.hpp>

#include "reports/judge/next_step.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "tests/reports/five_suites.hpp"
#include "tests/reports/hundred_nodes.hpp"

using namespace shakedown;
using fixture::first_page;
using fixture::rendered;

TEST_CASE("a limit that a disturbed run missed is no fail, and the verdict says so") {
  CampaignRecord campaign = fixture::five_suites();
  CaseRecord& gemm = fixture::gemm(campaign);
  gemm = fixture::gemm_case(60);
  gemm.attempts[0].conditions->foreign_cores = 1.2;
  const std::string sentence = fixture::judged(campaign).sentence;
  INFO(sentence);
  CHECK(contains(sentence, "; the disturbed run was also below its limit (gemm-rpeak: "));
  CHECK(contains(sentence, "), which does not count as a fail because it was disturbed"));
  CHECK_FALSE(contains(sentence, "meanwhile"));
}

TEST_CASE(
    "page one names mandatory criteria without a result, and what became of the other numbers of nodes") {
  CampaignRecord campaign = fixture::hundred_nodes();
  const auto page = [&] { return first_page(rendered("html", campaign)); };
  CHECK(contains(
      page(),
      "6 of 9 mandatory criteria pass, 1 failed, 1 waived, 1 without a result (hpl-valid@each-node)."));
  CHECK(contains(page(), "<span class=\"why\">99 nodes, N = 168\u202f000: 8.265 TFLOP/s (valid)</span>"));
  CHECK_FALSE(contains(page(), "50 nodes: "));  // the largest of those that pass
  campaign.criteria_text +=
      "[[criteria]]\nid = 'hpl-fifty'\ntitle = 'HPL on 50 nodes'\nsuite = 'hpl'\nmetric = 'rmax_gflops'\n"
      "nodes = 50\ndirection = '>='\naggregation = 'every'\nlimit = 4000\nlimit_source = 'contract'\n"
      "severity = 'mandatory'\n";
  CHECK(contains(
      page(), "4.308 TFLOP/s ≥ 4.000 TFLOP/s <span class=\"nobreak\">(50 nodes, N = 119 424, pass)</span>"));
  for (CaseRecord& record : campaign.cases)
    if (record.planned.id == "hpl-netlib-50n") record.attempts.resize(1);  // the one that was preempted
  CHECK(
      contains(page(), "<span class=\"why\">50 nodes, N = 119\u202f424: no result (≥ 4.000 TFLOP/s)</span>"));
  CHECK(contains(page(), "3 without a result (hpl-valid@"));
  CHECK(contains(page(), "hpl-fifty"));
}

TEST_CASE("the most that others used, which the verdict states, is in the table of disturbed runs") {
  CampaignRecord campaign = fixture::five_suites();
  double cores = 1.2;
  for (CaseRecord& record : campaign.cases) record.attempts[0].conditions->foreign_cores = (cores += 0.1);
  CHECK(contains(fixture::judged(campaign).sentence, "used up to 1.9 of the 2 cores during 7 runs; "));
  CHECK(contains(fixture::results_section(rendered("html", campaign)), ">1.9 of 2 cores<"));
}

TEST_CASE(
    "a rule that is advice says that its result stays valid, for what disturbs a run has its own limit") {
  const std::string page = rendered("html", fixture::five_suites());
  CHECK(contains(page, "the result stays valid"));
  CHECK_FALSE(contains(page, "advice only"));
}

TEST_CASE("the figure of disturbances says which run beyond a limit spoilt nothing, and why") {
  CampaignRecord campaign = fixture::hundred_nodes();
  for (CaseRecord& record : campaign.cases)
    if (record.planned.id == "hpl-netlib-50n") {
      record.attempts[0].conditions = record.attempts[1].conditions;  // it was preempted
      record.attempts[0].conditions->foreign_cores = 1.7;
    }
  CHECK(contains(
      rendered("html", campaign),
      "; beyond a limit, without effect on any verdict: hpl-netlib-50n, attempt 1 (it left no result "
      "that counts)"));
  for (CaseRecord& record : campaign.cases) record.attempts[0].conditions->foreign_cores = 0.01;
  CHECK_FALSE(contains(rendered("html", campaign), "beyond a limit, without effect"));
}

TEST_CASE("a median in the table of runs says of how many it is, for that of all nodes is another") {
  CHECK(contains(fixture::section(rendered("html", fixture::hundred_nodes()), "suite-hpl"),
                 "median of these 99: "));
}

TEST_CASE("a file system test that is short of the list is not said to break the rule of length alone") {
  const std::string page = rendered("html", fixture::five_suites());
  CHECK(contains(page, "IO5-06"));  // the number of client nodes
  CHECK_FALSE(contains(page, "but that of"));
  CHECK_FALSE(contains(page, "no check but those of length"));
}

TEST_CASE("the boxes beside a verdict are each party's own decision") {
  const std::string page = first_page(rendered("html", fixture::hundred_nodes()));
  CHECK(contains(page, "<span class=\"box\"></span>accepts"));
  CHECK(contains(page, "Ticks concern the machine; none: witnessed."));
}

TEST_CASE("the report says which results n counts, and all suites have their interval") {
  const std::string limits = fixture::section(rendered("html", fixture::hundred_nodes()), "limits");
  CHECK(contains(limits, "n is the number of results that a criterion is judged on"));
  const std::size_t all = limits.find("<th scope=\"row\">All suites");
  REQUIRE(all != std::string::npos);
  CHECK(contains(limits.substr(all, limits.find("</tr>", all) - all), " % to "));
}

TEST_CASE("of a case that was measured again the table names the attempt that counts") {
  CampaignRecord campaign = fixture::five_suites();
  CaseRecord& training = fixture::case_of(campaign, "mlperf");
  AttemptRecord again = training.attempts.front();
  again.index = 2;
  training.attempts.front().set_aside = "attempt 2";
  training.attempts.push_back(std::move(again));
  CHECK(contains(fixture::results_section(rendered("html", campaign)),
                 ", attempt 2; attempt 1 was disturbed and does not count"));
  training.attempts.back().set_aside = "attempt 3";
  training.attempts.push_back(training.attempts.back());
  training.attempts.back().index = 3;
  training.attempts.back().set_aside.clear();
  CHECK(contains(fixture::results_section(rendered("html", campaign)),
                 ", attempt 3; attempts 1 and 2 were disturbed and do not count"));
}

TEST_CASE("the peak alone in a wide range is no prediction") {
  Case planned;
  planned.model.source = "spec";
  CHECK(is_peak_alone({"fp64_gflops", 147, 73, 221}, planned));
  CHECK_FALSE(is_peak_alone({"triad_mb_s", 100, 60, 100}, planned));
  planned.model.points = 3;
  CHECK_FALSE(is_peak_alone({"fp64_gflops", 147, 73, 221}, planned));
}

TEST_CASE("a report on storage names the file system, or says that nobody stated it") {
  CampaignRecord campaign = fixture::five_suites();
  const auto section = [&] { return fixture::section(rendered("html", campaign), "suite-io500"); };
  CHECK(contains(section(),
                 "File system not stated: the files lay in the run directory; datadir of "
                 "[site.io500] chooses another folder."));
  campaign.config_text = "[site.io500]\ndatadir = \"/scratch/io500\"\n";
  CHECK(contains(section(), "target folder /scratch/io500."));
  Storage storage;
  storage.type = "lustre";
  storage.mount = "/scratch";
  storage.servers = 4;
  campaign.inventory.storage = {storage};
  CHECK(contains(section(), "File system: lustre, 4 servers on /scratch; target folder /scratch/io500."));
  CHECK_FALSE(contains(fixture::section(rendered("html", campaign), "suite-hpl"), "File system"));
}

TEST_CASE("a run that its own log marks invalid is so on the first page, judged or not") {
  CampaignRecord campaign = fixture::five_suites();
  CaseRecord& storage = fixture::case_of(campaign, "io500");
  storage.planned.implementation = "official";
  ResultRecord& result = storage.attempts.front().results.front();
  result.parsed.implementation = "official";
  result.validity = Validity::invalid;
  Phase phase;
  phase.name = "ior-easy-write";
  phase.valid = false;
  phase.scored = true;
  result.parsed.phases = {phase};
  campaign.kind = "external";
  campaign.criteria_text.clear();
  CHECK(contains(first_page(rendered("html", campaign)), "[INVALID], not judged"));
}

TEST_CASE("a report whose only exceptions are warnings does not say that there are none") {
  CampaignRecord campaign = fixture::quick_campaign();
  for (CaseRecord& record : campaign.cases) record.planned.warnings.clear();
  CHECK(contains(rendered("html", campaign), "None: every attempt finished with a result"));
  fixture::hpl(campaign).planned.warnings = {"N = 16896 fills 13 % of the memory"};
  CHECK(contains(rendered("html", campaign), "None besides the warnings below: every attempt finished"));
}
