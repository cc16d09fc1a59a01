#include "reports/compare/campaign_comparison.hpp"

#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

/// A campaign of HPL with a repetition for each rate.
CampaignRecord campaign_comparison_rates(const std::vector<double>& gflops) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.cases.clear();
  for (const double rate : gflops) {
    CaseRecord record = fixture::hpl_case(rate);
    record.planned.parser = "hpl";
    record.planned.repetition = static_cast<int>(campaign.cases.size()) + 1;
    record.planned.id += fmt::format("-r{}", record.planned.repetition);
    campaign.cases.push_back(std::move(record));
  }
  return campaign;
}

std::vector<MetricComparison> compared(const CampaignRecord& before, const CampaignRecord& after) {
  return campaign_comparison(MeasuredCampaign(before), MeasuredCampaign(after),
                             read_comparability(fixture::comparability(), "table").value());
}

MetricComparison rmax(const CampaignRecord& before, const CampaignRecord& after) {
  for (MetricComparison& comparison : compared(before, after))
    if (comparison.metric == "rmax_gflops") return std::move(comparison);
  FAIL("no Rmax is compared");
  return {};
}

/// The row of attempts.
MetricComparison attempts(const CampaignRecord& before, const CampaignRecord& after) {
  for (MetricComparison& comparison : compared(before, after))
    if (comparison.attempts) return std::move(comparison);
  FAIL("attempts are not compared");
  return {};
}

/// The campaign with that many more attempts, which exited with 1 and have no result.
CampaignRecord with_failed(CampaignRecord campaign, int count) {
  for (int i = 0; i < count; ++i) {
    CaseRecord record = campaign.cases.front();
    record.planned.repetition = static_cast<int>(campaign.cases.size()) + 1;
    record.planned.id += fmt::format("-r{}", record.planned.repetition);
    record.attempts[0].exit_code = 1;
    record.attempts[0].results.clear();
    campaign.cases.push_back(std::move(record));
  }
  return campaign;
}

/// A campaign of HPL on single nodes, a repetition for each rate.
CampaignRecord on_nodes(const std::vector<std::pair<std::string, std::vector<double>>>& nodes) {
  CampaignRecord campaign = campaign_comparison_rates({});
  for (const auto& [node, values] : nodes)
    for (CaseRecord record : campaign_comparison_rates(values).cases) {
      record.planned.hosts = record.attempts[0].host = node;
      campaign.cases.push_back(std::move(record));
    }
  return campaign;
}

/// As many nodes, n1 on, of which node i has the rate `rate(i)`.
template <class Rate>
CampaignRecord fleet(int count, const Rate& rate) {
  std::vector<std::pair<std::string, std::vector<double>>> nodes;
  for (int i = 1; i <= count; ++i) nodes.push_back({fmt::format("n{}", i), {rate(i)}});
  return on_nodes(nodes);
}

/// Nodes that differ by 2 % for good.
double own_rate(int node) {
  return 100 + node * 7 % 5;
}

const std::vector<double> usual = {100, 100.2, 99.9, 100.1, 100.3};

}  // namespace

TEST_CASE("a loss beyond noise and magnitude is worse, with shift, interval, p and medians") {
  const MetricComparison comparison =
      rmax(campaign_comparison_rates(usual), campaign_comparison_rates({95, 95.1, 94.9, 95.2, 94.8}));
  CHECK(comparison.change == ChangeVerdict::worse);
  CHECK(comparison.leading);
  CHECK(comparison.median_before == 100.1);
  CHECK(comparison.median_after == 95);
  REQUIRE(comparison.statistics);
  CHECK(comparison.statistics->p == Approx(2.0 / 252));  // the extreme deal of 5 and 5, on either side
  CHECK(comparison.shift.value() == Approx(-0.051).margin(0.002));
  CHECK(comparison.verdict.starts_with("5.1 % slower, more than the noise within these days ("));
}

TEST_CASE("a gain is better, whichever way a metric is read") {
  CHECK(rmax(campaign_comparison_rates({95, 95.1, 94.9, 95.2, 94.8}), campaign_comparison_rates(usual))
            .verdict.find("% faster, more than the noise within these days") != std::string::npos);
  CampaignRecord slow = campaign_comparison_rates(usual);
  for (CaseRecord& record : slow.cases)
    for (Metric& metric : record.attempts[0].results[0].parsed.metrics)
      if (metric.name == "time_s") metric.value *= 1.1 + 0.001 * record.planned.repetition;
  for (const MetricComparison& comparison : compared(campaign_comparison_rates(usual), slow))
    if (comparison.metric == "time_s") {
      CHECK(comparison.change == ChangeVerdict::worse);
      CHECK_FALSE(comparison.leading);
      CHECK(comparison.verdict.find("slower") != std::string::npos);
    }
}

TEST_CASE("the same is what refutes a difference that counts, not what merely shows none") {
  const MetricComparison comparison =
      rmax(campaign_comparison_rates(usual), campaign_comparison_rates({100.1, 100, 100.2, 99.9, 100.2}));
  CHECK(comparison.change == ChangeVerdict::same);
  CHECK(comparison.verdict.starts_with("no difference of 2.0 % or more between these days ("));
  // Three of five lost 2.2 %.
  const MetricComparison part = rmax(campaign_comparison_rates({50.00, 50.05, 49.95, 50.02, 49.98}),
                                     campaign_comparison_rates({48.90, 48.90, 48.95, 50.01, 50.03}));
  CHECK(part.change == ChangeVerdict::undecided);
  CHECK(part.verdict.starts_with(
      "cannot be distinguished from noise: 2.1 % slower, and \u22122.2 % to 0.1 % is possible"));
}

TEST_CASE("a sure difference below what counts is no change") {
  const MetricComparison comparison =
      rmax(campaign_comparison_rates(usual), campaign_comparison_rates({99.2, 99.1, 99.3, 99, 99.2}));
  CHECK(comparison.change == ChangeVerdict::same);
  CHECK(comparison.verdict.find("sure and below the 2.0 % that counts") != std::string::npos);
}

TEST_CASE("no share is shown as what counts, or beyond it, unless it is") {
  const MetricComparison comparison =
      rmax(campaign_comparison_rates({50.00, 50.001, 49.999, 50.002, 49.998}),
           campaign_comparison_rates({49.02, 49.021, 49.019, 49.022, 49.018}));
  CHECK(comparison.change == ChangeVerdict::same);
  CHECK(comparison.verdict.starts_with("1.96 % slower, which is sure and below the 2.00 % that counts ("));
  const MetricComparison either = rmax(campaign_comparison_rates({50.00, 50.05, 49.95, 50.02, 49.98}),
                                       campaign_comparison_rates({49.02, 49.03, 49.01, 49.04, 49.005}));
  CHECK(either.change == ChangeVerdict::undecided);
  CHECK(either.verdict.starts_with(
      "1.96 % slower, which is sure; whether it is the 2.00 % that counts is not ("));
}

TEST_CASE(
    "few runs are never the same: one against five is undecided, and three against three show a loss alone") {
  const MetricComparison one = rmax(campaign_comparison_rates(usual), campaign_comparison_rates({90}));
  CHECK(one.change == ChangeVerdict::undecided);
  CHECK(one.verdict == "too few to decide: n = 5 and 1");
  CHECK_FALSE(one.statistics);
  CHECK(one.shift.value() == Approx(90 / 100.1 - 1));
  const MetricComparison three =
      rmax(campaign_comparison_rates({100, 100.1, 100.2}), campaign_comparison_rates({90, 90.1, 90.2}));
  CHECK(three.change == ChangeVerdict::worse);
  CHECK(three.verdict.starts_with("10.0 % slower, more than the noise within these days (90 % interval"));
  CHECK(three.verdict.find("one-sided p = 0.05, n = 3 and 3") != std::string::npos);
  const MetricComparison gain =
      rmax(campaign_comparison_rates({90, 90.1, 90.2}), campaign_comparison_rates({100, 100.1, 100.2}));
  CHECK(gain.change == ChangeVerdict::undecided);
  CHECK(gain.verdict.starts_with("too few to decide: n = 3 and 3"));
}

TEST_CASE("noise that hides what counts is undecided") {
  const MetricComparison comparison = rmax(campaign_comparison_rates({90, 110, 100, 105, 95}),
                                           campaign_comparison_rates({97, 108, 99, 91, 103}));
  CHECK(comparison.change == ChangeVerdict::undecided);
  CHECK(comparison.verdict.starts_with("cannot be distinguished from noise: "));
}

TEST_CASE("invalid results are not compared, and a metric that lost them says so") {
  CampaignRecord after = campaign_comparison_rates(usual);
  for (CaseRecord& record : after.cases) record.attempts[0].results[0].validity = Validity::invalid;
  const auto metrics = compared(campaign_comparison_rates(usual), after);
  for (const MetricComparison& comparison : metrics) {
    if (comparison.attempts) continue;
    CHECK(comparison.change == ChangeVerdict::not_compared);
    CHECK(comparison.verdict == "no valid result after");
  }
  const MetricComparison lost = attempts(campaign_comparison_rates(usual), after);
  CHECK(lost.change == ChangeVerdict::worse);  // all of five, and none before
  CHECK(lost.verdict.find("5 invalid") != std::string::npos);
  CHECK(overall_change(metrics) == ChangeVerdict::worse);
}

TEST_CASE("where both measured and neither result is valid, that is said, with the rule") {
  CampaignRecord invalid = campaign_comparison_rates({90});
  ResultRecord& result = invalid.cases[0].attempts[0].results[0];
  result.validity = Validity::invalid;
  result.rules.front().status = RuleStatus::fail;
  result.rules.front().text = "1 s instead of 300 s";
  CHECK(compared(invalid, invalid).front().verdict ==
        "not compared: both measured, but neither result is valid (HPL-01: 1 s instead of 300 s)");
  result.parsed.complete = false;
  result.validity = Validity::unknown;
  CHECK(compared(invalid, invalid).front().verdict == "not compared: neither has a value");
}

TEST_CASE("attempts that failed are counted, with exact intervals, and leave nothing silently the same") {
  const CampaignRecord after = with_failed(campaign_comparison_rates(usual), 5);
  CHECK(rmax(campaign_comparison_rates(usual), after).change == ChangeVerdict::same);
  const MetricComparison lost = attempts(campaign_comparison_rates(usual), after);
  CHECK(lost.leading);
  CHECK(lost.change == ChangeVerdict::undecided);
  CHECK(lost.attempts->before.started == 5);
  CHECK(lost.attempts->before.succeeded == 5);
  CHECK(lost.attempts->after.started == 10);
  CHECK(lost.attempts->after.failed == 5);
  CHECK(
      lost.verdict ==
      "5 of 5 attempts succeeded before (95 % interval 47.8 % to 100.0 %), 5 of 10 attempts succeeded after "
      "(95 % interval 18.7 % to 81.3 %; 5 failed): cannot be distinguished from chance, and the values are "
      "those of the successful attempts only (Fisher's exact p = 0.1)");
  CHECK(overall_change(compared(campaign_comparison_rates(usual), after)) == ChangeVerdict::undecided);
}

TEST_CASE("failed attempts whose parameters neither plan nor log tells are lost where their like is") {
  const auto unplanned = [](CampaignRecord campaign) {
    for (CaseRecord& record : campaign.cases) record.planned.parameters.clear();
    return campaign;
  };
  const CampaignRecord before = unplanned(campaign_comparison_rates(usual));
  const MetricComparison lost = attempts(before, unplanned(with_failed(campaign_comparison_rates(usual), 2)));
  CHECK(lost.attempts->after.started == 7);
  CHECK(lost.change == ChangeVerdict::undecided);
  CampaignRecord none = before;
  for (CaseRecord& record : none.cases) record.attempts[0].results.clear();
  CHECK(attempts(before, none).change == ChangeVerdict::worse);
  CHECK(overall_change(compared(before, none)) == ChangeVerdict::worse);
}

TEST_CASE("a success rate that differs beyond chance is worse, or better") {
  std::vector<double> ten;
  for (const double rate : usual) ten.insert(ten.end(), {rate, rate + 0.01});
  const CampaignRecord flaky = with_failed(campaign_comparison_rates(usual), 5);
  CHECK(attempts(campaign_comparison_rates(ten), flaky).change == ChangeVerdict::worse);
  CHECK(overall_change(compared(campaign_comparison_rates(ten), flaky)) == ChangeVerdict::worse);
  CHECK(attempts(flaky, campaign_comparison_rates(ten)).change == ChangeVerdict::better);
}

TEST_CASE("attempts that all succeeded lead nothing; those that a person stopped are distinguished") {
  const MetricComparison none = attempts(campaign_comparison_rates(usual), campaign_comparison_rates(usual));
  CHECK_FALSE(none.leading);
  CHECK(none.change == ChangeVerdict::same);
  CampaignRecord stopped = with_failed(campaign_comparison_rates(usual), 1);
  AttemptRecord& attempt = stopped.cases.back().attempts[0];
  attempt.state = AttemptState::interrupted;
  const MetricComparison lost = attempts(campaign_comparison_rates(usual), stopped);
  CHECK(lost.attempts->after.stopped == 1);
  CHECK(lost.change == ChangeVerdict::undecided);
}

TEST_CASE("an attempt that never began, or still runs, is none") {
  CampaignRecord after = with_failed(campaign_comparison_rates(usual), 2);
  after.cases[5].attempts[0].state = AttemptState::running;
  after.cases[6].attempts[0].state = AttemptState::lost;
  after.cases[6].attempts[0].started_s = 0;
  CHECK(attempts(campaign_comparison_rates(usual), after).attempts->after.started == 5);
}

TEST_CASE("another build is not compared where the table wants the same, and the condition is named") {
  CampaignRecord after = campaign_comparison_rates(usual);
  for (CaseRecord& record : after.cases) record.planned.implementation = "netlib";
  const MetricComparison comparison = rmax(campaign_comparison_rates(usual), after);
  CHECK(comparison.change == ChangeVerdict::not_compared);
  CHECK(comparison.verdict.find("implementation reference before, netlib after") != std::string::npos);
}

TEST_CASE(
    "another problem size is said, and compared only where the table has a rule for it and it is near") {
  const auto sized = [](std::int64_t N) {
    CampaignRecord campaign = campaign_comparison_rates(usual);
    for (CaseRecord& record : campaign.cases)
      for (auto* parameters : {&record.planned.parameters, &record.attempts[0].results[0].parsed.parameters})
        for (Parameter& parameter : *parameters)
          if (parameter.name == "N") parameter.value = N;
    return campaign;
  };
  const auto near = compared(sized(16896), sized(17088));
  const auto rate = std::ranges::find(near, "rmax_gflops", &MetricComparison::metric);
  CHECK(rate->change == ChangeVerdict::same);
  CHECK(rate->note == "N 16896 before, 17088 after");
  CHECK(std::ranges::find(near, "time_s", &MetricComparison::metric)->change == ChangeVerdict::not_compared);
  const MetricComparison far = rmax(sized(16896), sized(4000));
  CHECK(far.change == ChangeVerdict::not_compared);
  CHECK(far.verdict == "not compared: N 16896 before, 4000 after");
}

TEST_CASE("a condition that one side alone tells is no equal one, be it of one run among five") {
  const auto on_gpus = [](int reported) {
    CampaignRecord campaign = campaign_comparison_rates(usual);
    for (CaseRecord& record : campaign.cases) {
      record.planned.implementation = "nvidia";
      if (reported-- > 0)
        record.attempts[0].results[0].rules.push_back(
            fixture::rule("HPL-02", "FP64 is computed by the hardware", RuleStatus::pass, "version 24.3", 1));
    }
    campaign.inventory.groups[0].gpus.resize(1);
    campaign.inventory.groups[0].gpus[0].model = "NVIDIA A100";
    return campaign;
  };
  CHECK(rmax(on_gpus(5), on_gpus(5)).change == ChangeVerdict::same);
  CHECK(rmax(on_gpus(0), on_gpus(0)).change == ChangeVerdict::same);  // neither states it; both run the same
  CHECK(rmax(on_gpus(5), on_gpus(0)).verdict == "not compared: fp64_mode not known after");
  CHECK(rmax(on_gpus(5), on_gpus(4)).verdict == "not compared: fp64_mode not known of all runs after");
}

TEST_CASE("a condition of all runs counts, not that of the first") {
  CampaignRecord after = campaign_comparison_rates(usual);
  after.cases[3].attempts[0].results[0].parsed.parameters.push_back({"precision", std::string("fp32")});
  CHECK(rmax(campaign_comparison_rates(usual), after).verdict ==
        "not compared: precision fp64 before, fp32 after");
}

TEST_CASE("what has no counterpart is listed, and decides nothing") {
  CampaignRecord after = campaign_comparison_rates(usual);
  CampaignRecord more = after;
  more.cases.push_back(fixture::gemm_case());
  more.cases.back().planned.parser = "gemm";
  const auto metrics = compared(after, more);
  CHECK(metrics.back().verdict == "not compared: nothing like it was run before");
  CHECK(metrics.back().before_case.empty());
  CHECK(overall_change(metrics) == ChangeVerdict::same);
  CHECK(compared(more, after).back().verdict == "not compared: nothing like it was run after");
}

TEST_CASE("a lower message rate is worse, and no gain of time") {
  const auto messages = [](double factor) {
    CampaignRecord campaign = campaign_comparison_rates(usual);
    for (CaseRecord& record : campaign.cases) {
      record.planned.suite = "osu";
      auto& parsed = record.attempts[0].results[0].parsed;
      parsed.metrics = {{"messages_s", parsed.metrics[0].value * factor, 1}};
    }
    return campaign;
  };
  const auto metrics = compared(messages(1), messages(0.7));
  CHECK(metrics.front().change == ChangeVerdict::worse);
  CHECK(metrics.front().verdict.starts_with("30.0 % slower"));
  CHECK(metrics.front().leading);
}

TEST_CASE("one leading metric that is worse decides, one that is undecided is not hidden by a better one") {
  std::vector<MetricComparison> metrics(3);
  for (MetricComparison& comparison : metrics) comparison.leading = true;
  metrics[0].change = ChangeVerdict::better;
  metrics[1].change = ChangeVerdict::same;
  CHECK(overall_change(metrics) == ChangeVerdict::better);
  metrics[2].change = ChangeVerdict::undecided;
  CHECK(overall_change(metrics) == ChangeVerdict::undecided);
  metrics[1].change = ChangeVerdict::worse;
  CHECK(overall_change(metrics) == ChangeVerdict::worse);
  metrics[1].leading = false;
  CHECK(overall_change(metrics) == ChangeVerdict::undecided);
  CHECK(overall_change({}) == ChangeVerdict::not_compared);
}

TEST_CASE("values of all repetitions count, none is left out") {
  CHECK(rmax(campaign_comparison_rates({100, 1, 100, 100, 100}), campaign_comparison_rates(usual)).before ==
        std::vector<double>{100, 1, 100, 100, 100});
}

TEST_CASE("repetitions on other nodes than before are no more values than there are nodes") {
  // Two nodes a side, which differ as nodes do; pooled, ten runs against ten would be worse at p = 1.1e-05.
  const CampaignRecord before =
      on_nodes({{"n1", {50.0, 50.01, 49.99, 50.0, 50.02}}, {"n2", {50.8, 50.81, 50.79, 50.8, 50.82}}});
  const CampaignRecord after =
      on_nodes({{"n3", {48.9, 48.91, 48.89, 48.9, 48.92}}, {"n4", {49.3, 49.31, 49.29, 49.3, 49.32}}});
  const MetricComparison comparison = rmax(before, after);
  CHECK(comparison.change == ChangeVerdict::undecided);
  CHECK(comparison.before.size() == 10);
  CHECK(comparison.verdict.starts_with(
      "too few to decide: n = 2 and 2 nodes, others before than after, the median of each"));
  CHECK(rmax(on_nodes({{"n1", usual}}), on_nodes({{"n2", {90, 90, 90, 90, 90}}})).verdict ==
        "too few to decide: n = 1 and 1 nodes, others before than after, the median of each");
}

TEST_CASE("as many other nodes as a test takes are compared by the median of each") {
  CampaignRecord after = fleet(6, [](int i) { return 0.9 * own_rate(i); });
  for (CaseRecord& record : after.cases) record.planned.hosts = "m" + record.planned.hosts;
  const MetricComparison comparison = rmax(fleet(6, own_rate), after);
  CHECK(comparison.change == ChangeVerdict::worse);
  CHECK(comparison.verdict.find("n = 6 and 6 nodes") != std::string::npos);
}

TEST_CASE("the same nodes are set beside themselves, so that what tells them apart is no noise") {
  const MetricComparison comparison =
      rmax(fleet(8, own_rate), fleet(8, [](int i) { return own_rate(i) * (0.97 + 0.0001 * i); }));
  CHECK(comparison.change == ChangeVerdict::worse);
  CHECK(comparison.shift.value() == Approx(-0.02955));
  CHECK(comparison.verdict.find("n = 8 nodes, each before and after); the worst: n1 3.0 % slower") !=
        std::string::npos);
  CHECK(comparison.by_node.size() == 8);
  CHECK(comparison.by_node.front().node == "n1");
}

TEST_CASE("one bad node among a hundred is not hidden by the others") {
  const auto after = [](int i) { return own_rate(i) * (i == 17 ? 0.92 : 1 + 0.001 * (i % 3 - 1)); };
  const MetricComparison comparison = rmax(fleet(100, own_rate), fleet(100, after));
  CHECK(comparison.change == ChangeVerdict::undecided);
  CHECK(comparison.verdict.ends_with(
      "; the worst: n17 8.0 % slower; out of line with the others: n17: repeat it "
      "to confirm (shakedown resume "
      "--repeat-suspects)"));
  const auto even = [](int i) { return own_rate(i) * (1 + 0.001 * (i % 3 - 1)); };
  CHECK(rmax(fleet(100, own_rate), fleet(100, even)).change == ChangeVerdict::same);

  // The runs that confirm a suspect decide for it, and count nowhere else.
  const auto repeated = [&](double share) {
    CampaignRecord campaign = fleet(100, after);
    for (CaseRecord record : on_nodes({{"n17", std::vector<double>(3, share * own_rate(17))}}).cases) {
      record.planned.confirms = true;
      campaign.cases.push_back(std::move(record));
    }
    return rmax(fleet(100, own_rate), campaign);
  };
  const MetricComparison slow = repeated(0.921);
  CHECK(slow.change == ChangeVerdict::worse);
  CHECK(slow.verdict.ends_with(
      "; out of line with the others: n17 8.0 % slower, confirmed by its repeats: 7.9 % slower"));
  CHECK(slow.after.size() == 100);
  CHECK(repeated(1).change == ChangeVerdict::same);
}

TEST_CASE("a node that stood above the others before is not sent to repeats that nobody would run") {
  const auto level = [](int i) { return 100 + 0.01 * (i % 5); };
  const MetricComparison comparison =
      rmax(fleet(100, [&](int i) { return level(i) * (i == 1 ? 1.08 : 1); }), fleet(100, level));
  CHECK(comparison.change == ChangeVerdict::undecided);
  CHECK(comparison.verdict.ends_with(
      "; out of line with the others: n1: no suspect of its own campaign that `shakedown resume "
      "--repeat-suspects` would run again; its own runs decide where both campaigns have more repetitions "
      "on it (n = 1 and 1)"));

  // That advice is right: by its own runs it is worse, or refuted.
  const auto repeated = [&](double share) {
    std::vector<std::pair<std::string, std::vector<double>>> nodes;
    for (int i = 1; i <= 10; ++i)
      nodes.push_back({fmt::format("n{}", i), std::vector<double>(8, level(i) * (i == 1 ? share : 1))});
    return on_nodes(nodes);
  };
  CHECK(rmax(repeated(1.08), repeated(1)).change == ChangeVerdict::worse);
  CHECK(rmax(repeated(1), repeated(1)).change == ChangeVerdict::same);
  // Repetitions of one side alone do not decide.
  const auto once = [&](int i) { return level(i) * (i == 1 ? 1.08 : 1); };
  CHECK(rmax(fleet(10, once), repeated(1)).change == ChangeVerdict::undecided);
}

TEST_CASE("nodes too few to be judged together are judged by the runs of each, the worst first") {
  const std::vector<double> slower = {97, 97.1, 96.9, 97.2, 96.8};
  const std::vector<double> again = {100.1, 100, 100.2, 99.9, 100.2};
  const MetricComparison comparison =
      rmax(on_nodes({{"n1", usual}, {"n2", usual}}), on_nodes({{"n1", again}, {"n2", slower}}));
  CHECK(comparison.change == ChangeVerdict::worse);
  CHECK(
      comparison.verdict.starts_with("node by node, as 2 are too few to be judged together: n2: 3.1 % "
                                     "slower, more than the noise within these days ("));
  CHECK(comparison.verdict.find("; n1: no difference of 2.0 % or more between these days (") !=
        std::string::npos);
  CHECK(rmax(on_nodes({{"n1", usual}, {"n2", usual}}), on_nodes({{"n1", again}, {"n2", again}})).change ==
        ChangeVerdict::same);
  CHECK(rmax(on_nodes({{"n1", usual}, {"n2", {100}}}), on_nodes({{"n1", again}, {"n2", {100}}})).change ==
        ChangeVerdict::undecided);
}

TEST_CASE("nodes that one side alone measured are left aside, and that is said") {
  const MetricComparison comparison =
      rmax(on_nodes({{"n1", usual}}), on_nodes({{"n1", usual}, {"n2", {90, 90, 90}}}));
  CHECK(comparison.change == ChangeVerdict::same);
  CHECK(
      comparison.verdict.ends_with("; this is of n1, 1 more was measured on one side only and not compared"));
  CHECK(comparison.after.size() == 5);
  const MetricComparison two = rmax(on_nodes({{"n1", usual}, {"n2", usual}}),
                                    on_nodes({{"n1", usual}, {"n2", usual}, {"n3", {90, 90, 90}}}));
  CHECK(two.after.size() == 10);
}

TEST_CASE("where nodes are not known each run is a value, as on many nodes together") {
  CampaignRecord before = campaign_comparison_rates(usual);
  CampaignRecord after = campaign_comparison_rates({95, 95.1, 94.9, 95.2, 94.8});
  for (CampaignRecord* side : {&before, &after})
    for (CaseRecord& record : side->cases) record.planned.hosts = record.attempts[0].host = "";
  CHECK(rmax(before, after).change == ChangeVerdict::worse);
  CHECK(rmax(before, after).by_node.empty());
}

TEST_CASE("nodes of unlike kinds are not taken together") {
  CampaignRecord campaign = on_nodes({{"n1", usual}, {"g1", {900, 901, 899, 900, 900}}});
  campaign.inventory.groups.push_back(campaign.inventory.groups[0]);
  campaign.inventory.groups[1].hosts = "g1";
  campaign.inventory.groups[1].cpu.model = "AMD EPYC 9654";
  int rows = 0;
  for (const MetricComparison& comparison : compared(campaign, campaign)) {
    if (comparison.metric != "rmax_gflops") continue;
    ++rows;
    CHECK(comparison.change == ChangeVerdict::same);
    CHECK(comparison.before.size() == 5);
  }
  CHECK(rows == 2);
}
