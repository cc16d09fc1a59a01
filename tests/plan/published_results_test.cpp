#include "orchestrator/plan/published_results.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <set>

#include "orchestrator/plan/implementation.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

constexpr const char* columns =
    "metric\tsystem\tmake\tgpu\tgpus\tgpus_per_node\tN\tfabric\tbasis\tvalue\tpublished\tstatus\tsource\n";

std::string refused(const std::string& row) {
  const TemporaryFolder folder;
  const auto path = folder.path / "results.tsv";
  std::ofstream(path) << "# a comment\n" << columns << row;
  const auto read = read_published_results(path);
  return read ? "" : read.error().where.substr(read.error().where.rfind('/') + 1) + ": " + read.error().what;
}

}  // namespace

TEST_CASE("a published result needs all fields, and numbers where they belong") {
  CHECK(refused("rmax_gflops\tAlps\tnvidia\tgh200\t10400\t4\t15400960\tslingshot\t66900\t434900000\t2025-"
                "06\tlisted\tlist\n")
            .empty());
  CHECK(refused("rmax_gflops\tAlps\tnvidia\tgh200\t10400\n") ==
        "results.tsv:3: 13 fields are expected, 5 are there");
  CHECK(
      refused("rmax_gflops\tAlps\tnvidia\tgh200\tmany\t4\t1\tslingshot\t66900\t434900000\t-\tlisted\tlist\n")
          .find("must be numbers above 0") != std::string::npos);
  CHECK(refused("rmax_gflops\tAlps\tnvidia\tgh200\t8\t4\t1\tslingshot\t66900\t434900000\t-\tlisted\t\n")
            .find("source must be given") != std::string::npos);
}

TEST_CASE("when a result was published is a month, and its status one of four words") {
  const std::string row = "rmax_gflops\tAlps\tnvidia\tgh200\t8\t4\t1\tslingshot\t66900\t434900000\t";
  for (const char* published : {"2025-06", "-"}) CHECK(refused(row + published + "\tlog\tlist\n").empty());
  for (const char* published : {"June 2025", "2025-6", "2025", "", "2025/06"})
    CHECK(refused(row + published + "\tlog\tlist\n") ==
          "results.tsv:3: published must be a month (2025-06) or -");
  CHECK(refused(row + "2025-06\trumour\tlist\n") ==
        "results.tsv:3: status must be listed, submitted, log or stated");
}

TEST_CASE("columns in another order are refused") {
  const TemporaryFolder folder;
  const auto path = folder.path / "results.tsv";
  std::ofstream(path) << "system\tmetric\n";
  const auto read = read_published_results(path);
  REQUIRE_FALSE(read);
  CHECK(read.error().what.starts_with("the columns must be: metric\tsystem"));
}

TEST_CASE("the shipped results are read with the implementations for GPUs, each row once") {
  const auto all = read_implementations(BUILD_FOLDER "/share/shakedown/implementations");
  REQUIRE(all);
  int with_results = 0;
  for (const Implementation& each : *all) {
    CAPTURE(each.suite, each.id);
    if (each.rank_per != "gpu") CHECK(each.results.empty());
    with_results += each.results.empty() ? 0 : 1;
    std::set<std::string> rows;
    for (const PublishedResult& row : each.results)
      CHECK(rows.insert(row.metric + row.system + row.source + std::to_string(row.gpus)).second);
  }
  CHECK(with_results == 8);
}
