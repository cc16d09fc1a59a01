// How the report names a suite, its cases, nodes and runs.
#include <catch2/catch.hpp>

#include "orchestrator/core/units.hpp"
#include "tests/reports/five_suites.hpp"
#include "tests/reports/hundred_nodes.hpp"

using namespace shakedown;
using fixture::first_page;
using fixture::rendered;

TEST_CASE("the head of a suite says what its cases span; that of one case how it ran") {
  const std::string page = rendered("html", fixture::hundred_nodes());
  const std::string hpl = fixture::section(page, "suite-hpl");
  CHECK(contains(hpl, "103 cases: implementation netlib, 1 to 99 nodes, 4 sizes (N " + grouped(16896) +
                          " to " + grouped(168000) + ")."));
  CHECK_FALSE(contains(hpl, "on cn001.</p>"));
  CHECK(contains(fixture::section(page, "suite-hpcg"), "Implementation reference, 1 node, "));
}

TEST_CASE("shakedown's own programs have one name in all tables, and their sections do not call the suite") {
  const std::string page = rendered("html", fixture::hundred_nodes());
  const std::string results = fixture::results_section(page);
  for (const char* name :
       {"HPCG-like solver (shakedown)", "File system test (shakedown)", "Training test (shakedown)"}) {
    INFO(name);
    CHECK(contains(results, std::string("<th scope=\"row\">") + name + "<span class=\"why\">Asks:"));
  }
  CHECK(contains(fixture::section(page, "limits"), "<th scope=\"row\">File system test (shakedown)<"));
  CHECK(contains(fixture::section(page, "suite-mlperf"), "<p>Time to train a model to its target quality. "));
  CHECK(contains(fixture::section(page, "suite-io500"), "<p>Bandwidth and metadata of a file system"));
}

TEST_CASE("a row of the first page says on how many of the machine's nodes its value was measured") {
  CampaignRecord campaign = fixture::hundred_nodes();
  const std::string page = first_page(rendered("html", campaign));
  CHECK(contains(page, "<span class=\"why\">rating, grid 176 × 80 × 80, 1 of 100 nodes</span>"));
  CHECK(contains(page,
                 "<span class=\"why\">time to train, shakedown_pretrain, batch 32, 1 of 100 nodes</span>"));
  CHECK_FALSE(contains(first_page(rendered("html", fixture::five_suites())), "1 of 1 node"));
}

TEST_CASE("a row of the first page says how large the problem was, as it ran or else as it was planned") {
  CampaignRecord campaign = fixture::five_suites();
  auto& parsed = fixture::case_of(campaign, "io500").attempts[0].results[0].parsed;
  parsed.parameters = {{"procs", std::int64_t{12800}}, {"stonewall_s", std::int64_t{300}}};
  fixture::case_of(campaign, "gemm").planned.parameters = {{"N", std::int64_t{4096}}};
  const std::string page = first_page(rendered("html", campaign));
  for (const char* text :
       {"Rmax, N = 13\u202f632<", "rating, grid 176 × 80 × 80<",
        "IOR easy write, 12\u202f800 ranks, stonewall 300 s<", "shakedown_pretrain, batch 32<",
        "FP64 rate, N = 2048<", "triad, 20\u202f000\u202f000 elements<"}) {
    INFO(text);
    CHECK(contains(page, text));
  }
  // Of several sizes the row says which one it shows.
  CaseRecord smaller = fixture::case_of(campaign, "hpl");
  smaller.planned.id += "-smaller";
  for (Parameter& each : smaller.attempts[0].results[0].parsed.parameters)
    if (each.name == "N") each.value = std::int64_t{9600};
  campaign.cases.push_back(smaller);
  CHECK(contains(first_page(rendered("html", campaign)), "Rmax, 2 sizes, median of 2 cases<"));
  campaign.cases.back().planned.nodes = 0;
  CHECK(contains(first_page(rendered("html", campaign)), "Rmax, N = 13\u202f632 (1 of 2 sizes), "));
}

TEST_CASE("a disturbed run is marked in the table of its suite, whether or not another one counts instead") {
  CampaignRecord campaign = fixture::five_suites();
  CHECK_FALSE(contains(fixture::section(rendered("html", campaign), "suite-hpcg"), "disturbed"));
  fixture::case_of(campaign, "hpcg").attempts[0].conditions->foreign_cores = 1.2;
  CHECK(contains(fixture::section(rendered("html", campaign), "suite-hpcg"),
                 "<span class=\"muted\">disturbed"));
}

TEST_CASE("of a guest the cores are those that the hypervisor shows") {
  CampaignRecord campaign = fixture::quick_campaign();
  const std::string shown = "as the hypervisor (kvm) shows them";
  const std::string page = rendered("html", campaign);
  CHECK(contains(page, shown));
  CHECK(page.find(shown) == page.rfind(shown));
  campaign.inventory.groups[0].software.virtualisation.clear();
  CHECK_FALSE(contains(rendered("html", campaign), shown));
}

TEST_CASE("HPL a little above its GEMM stands on the first page as a reference that is too low") {
  CampaignRecord campaign = fixture::quick_campaign();
  fixture::hpl(campaign) = fixture::hpl_case(104);
  fixture::gemm(campaign) = fixture::gemm_case(100);
  const std::string page = fixture::rendered("html", MeasuredCampaign(campaign), fixture::judged(campaign));
  CHECK(page.substr(0, page.find("</section>")).find("104.0 % of its reference, which is too low") !=
        std::string::npos);
}

TEST_CASE("the row of a suite counts the benchmarks that it does not show") {
  CampaignRecord campaign = fixture::quick_campaign();
  for (const char* benchmark : {"bert", "dlrm", "gnn"}) {
    CaseRecord record = fixture::case_of("mlperf", "time_to_train_min", 3);
    record.planned.id = benchmark;
    record.planned.benchmark = benchmark;
    campaign.cases.push_back(std::move(record));
  }
  const std::string page = fixture::rendered("html", MeasuredCampaign(campaign), fixture::judged(campaign));
  CHECK(page.find("1 of 3 workloads, all under Results and criteria") < page.find("</section>"));
}

TEST_CASE("of more nodes than can be listed the worst are printed beside the limit") {
  const std::string page = rendered("html", fixture::hundred_nodes());
  CHECK(page.find("the 20 worst of 99 nodes: 80.35 GFLOP/s, 85.12 GFLOP/s, ") != std::string::npos);
}
