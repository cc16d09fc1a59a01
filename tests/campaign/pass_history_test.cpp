#include "orchestrator/campaign/pass_history.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

/// Three passes of HPL on cn1, and one of cn2 in the second; a run a pass.
PassHistory three_passes() {
  PassHistory history;
  history.system = "sys";
  for (int i = 1; i <= 3; ++i) {
    CampaignSummary pass;
    pass.id = "c" + std::to_string(i);
    pass.created_s = 1000 * i;
    history.passes.push_back(pass);
  }
  MetricSeries hpl{"hpl", "reference", 1, "EPYC", "N=8000", "rmax_gflops", "", {}};
  const auto add = [&](const std::string& campaign, const std::string& host, double at_s, double value) {
    history.series.runs.push_back({campaign, "hpl-" + host, 1, at_s, host, Validity::valid, true});
    hpl.points.push_back({static_cast<std::uint32_t>(history.series.runs.size() - 1), value});
  };
  add("accepted", "cn1", 500, 100);
  add("accepted", "cn2", 500, 50);
  add("c1", "cn1", 1010, 90);
  add("c2", "cn1", 2010, 91);
  add("c2", "cn2", 2020, 70);
  add("c3", "cn1", 3010, 92);
  history.series.series = {hpl};
  return history;
}

std::vector<double> firsts(const PassSeries& series) {
  std::vector<double> values;
  for (const SeriesPass& pass : series.passes) values.push_back(pass.runs.front());
  return values;
}

}  // namespace

TEST_CASE("a node's series are its own passes; what other campaigns measured is none of them") {
  const auto series = series_of_pass(three_passes(), "c3", {});
  REQUIRE(series.size() == 1);
  CHECK(series.front().name.nodes == "cn1");
  CHECK(firsts(series.front()) == std::vector<double>{90, 91, 92});
  CHECK(series.front().control_from == 0);
}

TEST_CASE("a pass is judged by what was before it") {
  const auto series = series_of_pass(three_passes(), "c2", {});
  REQUIRE(series.size() == 2);
  CHECK(firsts(series.front()) == std::vector<double>{90, 91});
  CHECK(firsts(series.back()) == std::vector<double>{70});
}

TEST_CASE("runs that a pass left out, and those of invalid results, are no values") {
  PassHistory history = three_passes();
  history.log.passes.push_back({"sys", "c2", 2000, 3, {}, {}, {"hpl-cn1/attempt-1"}});
  history.series.runs[2].validity = Validity::invalid;  // of c1, which was never judged
  const auto series = series_of_pass(history, "c3", {});
  REQUIRE(series.size() == 1);
  CHECK(firsts(series.front()) == std::vector<double>{92});
}

TEST_CASE("the control region begins with the first pass since something happened to the node") {
  PassHistory history = three_passes();
  history.events.push_back({"sys", "cn1", NodeEventKind::replaced, 1500, "A. Admin", "new board"});
  history.events.push_back({"sys", "cn2", NodeEventKind::reboot, 2900, "A. Admin", ""});
  auto series = series_of_pass(history, "c3", {});
  CHECK(series.front().control_from == 1);
  CHECK(series.front().reopened == "cn1 declared 'replaced' by A. Admin on 1970-01-01T00:25:00Z (new board)");
  history.log.changes.push_back({"sys", "c3", "cn1", 3000, {"kernel: 1 -> 2"}});
  series = series_of_pass(history, "c3", {});
  CHECK(series.front().control_from == 2);
  CHECK(series.front().reopened == "found on cn1 on 1970-01-01T00:50:00Z: kernel: 1 -> 2");
}

TEST_CASE("a change that a later pass found is no part of an earlier one's control region") {
  PassHistory history = three_passes();
  history.log.changes.push_back({"sys", "c3", "cn1", 3000, {"kernel: 1 -> 2"}});
  CHECK(series_of_pass(history, "c2", {}).front().control_from == 0);
}

TEST_CASE("a floor is of the same node in the named campaign, or as the configuration states it") {
  PassHistory history = three_passes();
  RegressionFloor floor{"accepted", 0.9, {}};
  CHECK_FALSE(series_of_pass(history, "c3", floor).front().floor);
  CHECK(series_of_pass(history, "c3", floor).front().floor_source ==
        "no campaign of this system is accepted yet");
  history.accepted = "accepted";
  CHECK(*series_of_pass(history, "c3", floor).front().floor == Approx(90));
  CHECK(*series_of_pass(history, "c2", floor).back().floor == Approx(45));
  floor.relative_to = "elsewhere";
  CHECK(series_of_pass(history, "c3", floor).front().floor_source ==
        "elsewhere has no run of the same parameters on as many nodes");
  floor.limits.push_back({"hpl", "rmax_gflops", 77});
  CHECK(*series_of_pass(history, "c3", floor).front().floor == 77);
}

TEST_CASE("coverage is when a pass last had a value of a node") {
  PassHistory history = three_passes();
  auto seen = coverage(history);
  CHECK(seen.at("cn1") == 3010);
  CHECK(seen.at("cn2") == 2020);
  history.log.passes.push_back({"sys", "c3", 3000, 3, {}, {}, {"hpl-cn1/attempt-1"}});
  CHECK(coverage(history).at("cn1") == 2010);
}
