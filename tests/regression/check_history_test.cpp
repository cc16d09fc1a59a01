#include "orchestrator/regression/check_history.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

/// Three checks of HPL on cn1, and one of cn2 in the second; a run a check.
CheckHistory three_passes() {
  CheckHistory history;
  history.system = "sys";
  for (int i = 1; i <= 3; ++i) {
    CampaignSummary each;
    each.id = "c" + std::to_string(i);
    each.created_s = 1000 * i;
    history.checks.push_back(each);
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

std::vector<double> firsts(const CheckSeries& series) {
  std::vector<double> values;
  for (const SeriesCheck& each : series.checks) values.push_back(each.runs.front());
  return values;
}

}  // namespace

TEST_CASE("a node's series are its own checks; what other campaigns measured is none of them") {
  const auto series = series_of_check(three_passes(), "c3", {});
  REQUIRE(series.size() == 1);
  CHECK(series.front().name.nodes == "cn1");
  CHECK(firsts(series.front()) == std::vector<double>{90, 91, 92});
  CHECK(series.front().control_from == 0);
}

TEST_CASE("a node's series knows what the nodes like it gave last, and after a reset only since then") {
  CheckHistory history = three_passes();
  CHECK(series_of_check(history, "c3", {}).front().like == std::vector<double>{70});
  const auto second = series_of_check(history, "c2", {});
  CHECK(second.front().like == std::vector<double>{70});
  CHECK(second.back().like == std::vector<double>{91});
  history.log.changes.push_back({"sys", "c3", "cn1", 3000, {"kernel: 1 -> 2"}});
  CHECK(series_of_check(history, "c3", {}).front().like.empty());
}

TEST_CASE("a check is judged by what was before it") {
  const auto series = series_of_check(three_passes(), "c2", {});
  REQUIRE(series.size() == 2);
  CHECK(firsts(series.front()) == std::vector<double>{90, 91});
  CHECK(firsts(series.back()) == std::vector<double>{70});
}

TEST_CASE("runs that a check left out, and those of invalid results, are no values") {
  CheckHistory history = three_passes();
  history.log.checks.push_back({"sys", "c2", 2000, 3, {}, {}, {"hpl-cn1/attempt-1"}});
  history.series.runs[2].validity = Validity::invalid;  // of c1, which was never judged
  const auto series = series_of_check(history, "c3", {});
  REQUIRE(series.size() == 1);
  CHECK(firsts(series.front()) == std::vector<double>{92});
}

TEST_CASE("of a check that was given up no run is a value, and none that is added to it later") {
  CheckHistory history = three_passes();
  history.log.checks.push_back({"sys", "c2", 2000, 3, {}, {}, {std::string(every_run)}});
  const auto series = series_of_check(history, "c3", {});
  REQUIRE(series.size() == 1);
  CHECK(firsts(series.front()) == std::vector<double>{90, 92});
  CHECK_FALSE(coverage(history).contains("cn2"));
  CHECK(series_of_check(history, "c3", {"c2", 0.9, {}}).front().floor_source ==
        "c2 has no run of the same parameters on as many nodes");
}

TEST_CASE("the control region begins with the first check since something happened to the node") {
  CheckHistory history = three_passes();
  history.events.push_back({"sys", "cn1", NodeEventKind::replaced, 1500, "A. Admin", "new board"});
  history.events.push_back({"sys", "cn2", NodeEventKind::reboot, 2900, "A. Admin", ""});
  auto series = series_of_check(history, "c3", {});
  CHECK(series.front().control_from == 1);
  CHECK(series.front().reopened == "cn1 declared 'replaced' by A. Admin on 1970-01-01T00:25:00Z (new board)");
  history.log.changes.push_back({"sys", "c3", "cn1", 3000, {"kernel: 1 -> 2"}});
  series = series_of_check(history, "c3", {});
  CHECK(series.front().control_from == 2);
  CHECK(series.front().reopened == "found on cn1 on 1970-01-01T00:50:00Z: kernel: 1 -> 2");
}

TEST_CASE("a change that a later check found is no part of an earlier one's control region") {
  CheckHistory history = three_passes();
  history.log.changes.push_back({"sys", "c3", "cn1", 3000, {"kernel: 1 -> 2"}});
  CHECK(series_of_check(history, "c2", {}).front().control_from == 0);
}

TEST_CASE("a floor is of the same node in the named campaign, or as the configuration states it") {
  CheckHistory history = three_passes();
  RegressionFloor floor{"accepted", 0.9, {}};
  CHECK_FALSE(series_of_check(history, "c3", floor).front().floor);
  CHECK(series_of_check(history, "c3", floor).front().floor_source ==
        "no campaign of this system is accepted yet");
  history.accepted = {"accepted"};
  CHECK(*series_of_check(history, "c3", floor).front().floor == Approx(90));
  CHECK(*series_of_check(history, "c2", floor).back().floor == Approx(45));
  floor.relative_to = "elsewhere";
  CHECK(series_of_check(history, "c3", floor).front().floor_source ==
        "elsewhere has no run of the same parameters on as many nodes");
  floor.limits.push_back({"hpl", "rmax_gflops", 77});
  CHECK(*series_of_check(history, "c3", floor).front().floor == 77);
}

TEST_CASE("a floor is of the values that count in the named campaign: neither invalid nor left out") {
  CheckHistory history = three_passes();
  history.accepted = {"accepted"};
  const auto add = [&](const std::string& campaign, Validity validity, double value) {
    history.series.runs.push_back({campaign, "hpl-cn1-r2", 1, 510, "cn1", validity, true});
    history.series.series.front().points.push_back(
        {static_cast<std::uint32_t>(history.series.runs.size() - 1), value});
  };
  add("accepted", Validity::invalid, 20);
  CHECK(*series_of_check(history, "c3", {"accepted", 0.9, {}}).front().floor == Approx(90));
  add("c1", Validity::invalid, 30);  // a short run by design, which its check counted
  add("c1", Validity::valid, 500);
  history.series.runs.back().case_id = "hpl-cn1-r3";
  history.log.checks.push_back({"sys", "c1", 1000, 0, {}, {}, {"hpl-cn1-r3/attempt-1"}});
  CHECK(*series_of_check(history, "c3", {"c1", 0.9, {}}).front().floor == Approx(0.9 * 60));
}

TEST_CASE(
    "the floor of a node that was not in the named campaign is of the other nodes, a repeated one once") {
  CheckHistory history = three_passes();
  history.accepted = {"accepted"};
  const auto add = [&](const std::string& campaign, const std::string& node, double value) {
    history.series.runs.push_back({campaign, "hpl-" + node, 1, 4000, node, Validity::valid, true});
    history.series.series.front().points.push_back(
        {static_cast<std::uint32_t>(history.series.runs.size() - 1), value});
  };
  for (int repeat = 0; repeat < 3; ++repeat) add("accepted", "cn2", 51);
  add("c3", "cn3", 90);
  CHECK(*series_of_check(history, "c3", {"accepted", 0.9, {}}).back().floor == Approx(0.9 * (100 + 51) / 2));
}

TEST_CASE("a part of the reference gives the floor of the nodes that it measured again, and of no other") {
  CheckHistory history = three_passes();
  history.accepted = {"accepted", "part"};
  history.series.runs.push_back({"part", "hpl-cn1", 1, 2500, "cn1", Validity::valid, true});
  history.series.series.front().points.push_back(
      {static_cast<std::uint32_t>(history.series.runs.size() - 1), 80});
  const RegressionFloor floor{"accepted", 0.9, {}};
  CHECK(*series_of_check(history, "c3", floor).front().floor == Approx(72));
  CHECK(*series_of_check(history, "c2", floor).back().floor == Approx(45));
}

TEST_CASE("MLPerf is watched by its rate, since its time to train comes in steps") {
  CheckHistory history = three_passes();
  MetricSeries time = history.series.series.front();
  time.suite = "mlperf";
  time.metric = "time_to_train_min";
  MetricSeries samples = time;
  samples.metric = "samples_per_s";
  MetricSeries tokens = time;
  tokens.metric = "tokens_per_s_per_gpu";
  const auto watched = [&](const std::vector<MetricSeries>& all) {
    history.series.series = all;
    const auto series = series_of_check(history, "c3", {});
    return series.size() == 1 ? series.front().name.metric : std::to_string(series.size()) + " series";
  };
  CHECK(watched({time, samples, tokens}) == "tokens_per_s_per_gpu");
  CHECK(watched({time, samples}) == "samples_per_s");
  tokens.parameters = "another benchmark";
  tokens.points.pop_back();  // not of this check
  CHECK(watched({time, samples, tokens}) == "samples_per_s");
  CHECK(watched({time}) == "time_to_train_min");
  SECTION("but by its time, too, where the contract's floor is of it") {
    history.series.series = {time, samples};
    const auto both = series_of_check(history, "c3", {"", 0, {{"mlperf", "time_to_train_min", 100}}});
    REQUIRE(both.size() == 2);
    CHECK(both.front().name.metric == "time_to_train_min");
    CHECK(both.front().better == Better::lower);
    CHECK(both.front().floor == 100);
    CHECK_FALSE(both.back().floor);
  }
}

TEST_CASE("a floor of a metric that no check watches is refused, with those that it watches") {
  CHECK(watched_floors({"", 0, {{"hpl", "rmax_gflops", 1}, {"mlperf", "time_to_train_min", 1}}}, "r.toml"));
  CHECK(watched_floors({"", 0, {{"mlperf", "samples_per_s", 1}}}, "r.toml"));
  const auto refused = watched_floors({"", 0, {{"hpl", "rmax", 1}}}, "r.toml");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == "r.toml");
  CHECK(refused.error().hint == "it watches rmax_gflops");
  CHECK_FALSE(watched_floors({"", 0, {{"hpll", "rmax_gflops", 1}}}, "r.toml"));
}

namespace {

/// Checks of HPL on two of four nodes, in turns: cn1 and cn2, then cn3 and cn4.
CheckHistory passes_of_groups(int checks) {
  CheckHistory history;
  history.system = "sys";
  MetricSeries hpl{"hpl", "reference", 2, "EPYC", "N=8000", "rmax_gflops", "", {}};
  for (int i = 1; i <= checks; ++i) {
    CampaignSummary each;
    each.id = "c" + std::to_string(i);
    each.created_s = 1000 * i;
    history.checks.push_back(each);
    history.series.runs.push_back(
        {each.id, "hpl", 1, 1000.0 * i + 10, i % 2 == 1 ? "cn[1-2]" : "cn[3-4]", Validity::valid, true});
    hpl.points.push_back({static_cast<std::uint32_t>(i - 1), 90});
  }
  history.series.series = {hpl};
  return history;
}

}  // namespace

TEST_CASE("a series of several nodes begins anew once for what all of them show, one group after the other") {
  CheckHistory history = passes_of_groups(8);
  const auto found = [&](int each, const std::vector<std::string>& nodes, const std::string& what) {
    for (const std::string& node : nodes)
      history.log.changes.push_back({"sys", "c" + std::to_string(each), node, 1000.0 * each, {what}});
  };
  found(3, {"cn1", "cn2"}, "kernel: 1 -> 2");
  found(4, {"cn3", "cn4"}, "kernel: 1 -> 2");
  CHECK(series_of_check(history, "c8", {}).front().control_from == 2);
  SECTION("another change is another beginning") {
    found(6, {"cn3", "cn4"}, "kernel: 2 -> 3");
    CHECK(series_of_check(history, "c8", {}).front().control_from == 5);
  }
  SECTION("and so is the same that happens to a node again") {
    found(5, {"cn1", "cn2"}, "kernel: 2 -> 1");
    found(7, {"cn1", "cn2"}, "kernel: 1 -> 2");
    found(8, {"cn3", "cn4"}, "kernel: 1 -> 2");
    CHECK(series_of_check(history, "c8", {}).front().control_from == 7 - 1);
  }
}

TEST_CASE("what was declared of several nodes at once is one beginning of their common series") {
  CheckHistory history = passes_of_groups(8);
  for (const char* node : {"cn1", "cn2", "cn3", "cn4"})
    history.events.push_back({"sys", node, NodeEventKind::reboot, 2500, "A. Admin", ""});
  CHECK(series_of_check(history, "c8", {}).front().control_from == 2);
  history.events.push_back({"sys", "cn3", NodeEventKind::reboot, 5500, "A. Admin", ""});
  CHECK(series_of_check(history, "c8", {}).front().control_from == 5);
}

TEST_CASE("coverage is when a check last had a value of a node") {
  CheckHistory history = three_passes();
  auto seen = coverage(history);
  CHECK(seen.at("cn1") == 3010);
  CHECK(seen.at("cn2") == 2020);
  history.log.checks.push_back({"sys", "c3", 3000, 3, {}, {}, {"hpl-cn1/attempt-1"}});
  CHECK(coverage(history).at("cn1") == 2010);
}
