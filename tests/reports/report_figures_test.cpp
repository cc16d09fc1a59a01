// The figures of whole reports: each is there, holds what was measured, and has a table beside it.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "parsers/progress.hpp"
#include "reports/html/figures.hpp"
#include "reports/measure/display.hpp"
#include "tests/reports/hundred_nodes.hpp"

using namespace shakedown;

namespace {

std::vector<Figure> figures_of(const CampaignRecord& campaign, std::string_view suite) {
  return suite_figures({MeasuredCampaign(campaign), fixture::judged(campaign), nullptr, {}, {}}, suite);
}

const Figure& titled(const std::vector<Figure>& figures, std::string_view beginning) {
  for (const Figure& figure : figures)
    if (figure.title.starts_with(beginning)) return figure;
  throw std::runtime_error(fmt::format("no figure '{}'", beginning));
}

std::size_t times(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("every figure has a table with as many cells as columns in each row, and a drawing") {
  for (CampaignRecord (*make)() : {fixture::quick_campaign, fixture::five_suites, fixture::hundred_nodes}) {
    const CampaignRecord campaign = make();
    std::size_t found = 0;
    for (const std::string_view suite : {"hpl", "hpcg", "hpl-mxp", "io500", "mlperf", "gemm", "stream"})
      for (const Figure& figure : figures_of(campaign, suite)) {
        INFO(suite << ": " << figure.title);
        ++found;
        CHECK(figure.drawn.starts_with("<svg"));
        CHECK_FALSE(figure.rows.empty());
        for (const auto& row : figure.rows) CHECK(row.size() == figure.columns.size());
      }
    CHECK(found > 0);
  }
}

TEST_CASE("IO500's twelve phases are bars, each with its rate in the table") {
  std::set<std::string> phases;
  std::size_t bars = 0;
  for (const Figure& figure : figures_of(fixture::five_suites(), "io500")) {
    if (!figure.title.starts_with("Phases in")) continue;
    for (const auto& row : figure.rows) phases.insert(row[0]);
    bars += times(figure.drawn, "<rect");
  }
  CHECK(phases == std::set<std::string>{"ior-easy-write", "ior-easy-read", "ior-hard-write", "ior-hard-read",
                                        "mdtest-easy-write", "mdtest-easy-stat", "mdtest-easy-delete",
                                        "mdtest-hard-write", "mdtest-hard-stat", "mdtest-hard-read",
                                        "mdtest-hard-delete", "find"});
  CHECK(bars >= 12);
}

TEST_CASE("HPL's progress is drawn where the log has it, and ends at the result") {
  CampaignRecord campaign = fixture::quick_campaign();
  const auto none = figures_of(campaign, "hpl");
  CHECK(std::ranges::none_of(none, [](const Figure& figure) { return figure.title == "Rate while it ran"; }));
  std::string log;
  for (int i = 1; i <= 6; ++i)
    log += fmt::format("Column={:09} Fraction={:4.1f}% Gflops={:.3e}\n", 1000 * i, 15.0 * i, 90.0 + i);
  REQUIRE(progress_points(log).size() == 6);
  AttemptRecord& attempt = fixture::hpl(campaign).attempts.back();
  for (FileRecord& file : attempt.files)
    if (file.name == "stdout.log") file.excerpt = log;
  const auto figures = figures_of(campaign, "hpl");
  const Figure& figure = titled(figures, "Rate while it ran");
  CHECK(figure.rows.back()[0] == "result");
  const double rate = attempt.results.back().parsed.metric("rmax_gflops")->value;
  CHECK(figure.rows.back()[1] == metric_text("rmax_gflops", rate));
}

TEST_CASE("the first page has a bullet bar for each suite with a limit that was decided, and none else") {
  const std::string page = fixture::first_page(fixture::rendered("html", fixture::hundred_nodes()));
  CHECK(times(page, "≥ 88.00 GFLOP/s") >= 1);
  CHECK(times(page, "class=\"bullet\"") == 2);  // HPL and GEMM; the others have no limit on speed
}

TEST_CASE("the exceptions of the first page count waivers, exclusions and retries") {
  const std::string page = fixture::first_page(fixture::rendered("html", fixture::hundred_nodes()));
  CHECK(page.find("1 waived: io500-valid") != std::string::npos);
  CHECK(page.find("5 more exceptions (cn042 excluded; retried: hpl-netlib-50n): see Results.") !=
        std::string::npos);
}

TEST_CASE("what a campaign's configuration does not state is shown as a gap on the first page") {
  CampaignRecord campaign = fixture::hundred_nodes();
  CHECK(fixture::first_page(fixture::rendered("html", campaign)).find("not stated") == std::string::npos);
  campaign.config_text = "title = 'x'\n[report]\nvendor = 'Example Systems Ltd'\n[[runs]]\nsuite = 'hpl'\n";
  const std::string page = fixture::first_page(fixture::rendered("html", campaign));
  CHECK(times(page, "not stated") == 4);  // customer, site, contract, tester
}

TEST_CASE("the machine section has network, storage, firmware and the software of the runs") {
  const std::string page = fixture::rendered("html", fixture::hundred_nodes());
  const std::string machine = fixture::section(page, "machine");
  for (const char* text :
       {"1 × mlx5_core, 200 Gbit/s, RDMA, firmware 20.39.2048", "/scratch lustre 728", "direct liquid, 32 °C",
        "N+1 supplies", "Example Systems 2.14, 2026-05-11", "InfiniBand HDR, fat tree", "4 leaf, 2 spine",
        "Storage scratch", "lustre, /scratch, 4 servers", "mpirun (Open MPI) 4.1.4",
        "GCC: (Debian 12.2.0-14) 12.2.0", "libopenblasp-r0.3.21.so"}) {
    INFO(text);
    CHECK(machine.find(text) != std::string::npos);
  }
}
