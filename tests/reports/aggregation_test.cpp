// How one value is computed from a criterion's runs, and how many it takes.
#include "reports/judge/criteria.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/reports/five_suites.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::judged;

namespace {

/// A criterion on HPL's rate of at least 50 GFLOP/s, by the given keys.
std::string aggregation_rate(const std::string& keys) {
  return "title = 'Contract'\n[[criteria]]\nid = 'rate'\ntitle = 'HPL reaches 50 GFLOP/s'\nsuite = 'hpl'\n"
         "metric = 'rmax_gflops'\ndirection = '>='\nlimit = 50\nseverity = 'mandatory'\n"
         "limit_source = 'contract 4.2'\n" +
         keys;
}

/// A case that is run as often as there are rates, each repetition a case of its own as plans have it.
CampaignRecord runs_of(const std::vector<double>& rates, const std::string& criteria) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  campaign.criteria_text = criteria;
  campaign.cases.clear();
  for (size_t i = 0; i < rates.size(); ++i) {
    CaseRecord record = fixture::hpl_case(rates[i]);
    record.planned.id = i == 0 ? "hpl-98n" : "hpl-98n-r" + std::to_string(i + 1);
    record.planned.repetition = static_cast<int>(i) + 1;
    record.attempts[0].started_s += 1000.0 * static_cast<double>(i);
    record.attempts[0].run_folder = record.planned.id + "/attempt-1";
    campaign.cases.push_back(std::move(record));
  }
  return campaign;
}

CriterionResult judged_runs(const std::vector<double>& rates, const std::string& keys) {
  return criterion(judged(runs_of(rates, aggregation_rate(keys))), "rate");
}

std::string aggregation_refusal(const std::string& keys) {
  const auto criteria = read_criteria(aggregation_rate(keys), "c.toml");
  return criteria ? "" : to_string(criteria.error());
}

}  // namespace

TEST_CASE("repetitions of a case are judged together, as one value") {
  const Judgement judgement = judged(runs_of({60, 49, 61}, aggregation_rate("aggregation = 'median'\n")));
  REQUIRE(judgement.criteria.size() == 1);
  CHECK(judgement.criteria[0].n == 3);
  CHECK(judgement.criteria[0].verdict == Verdict::pass);
  CHECK(judgement.criteria[0].because == "60.00 GFLOP/s ≥ 50.00 GFLOP/s (median of 3 results)");
  CHECK(judgement.criteria[0].points == std::vector<double>{60, 49, 61});
}

TEST_CASE("'every' is judged by the worst run, and shows that run's log") {
  const CriterionResult below = judged_runs({60, 49, 61}, "aggregation = 'every'\n");
  CHECK(below.verdict == Verdict::fail);
  CHECK(below.because == "49.00 GFLOP/s < 50.00 GFLOP/s (lowest of 3 results)");
  CHECK(below.evidence_path == "hpl-98n-r2/attempt-1/stdout.log");
  CHECK(judged_runs({60, 50, 61}, "aggregation = 'every'\n").verdict == Verdict::pass);
}

TEST_CASE("no confidence is shown as a whole one") {
  CHECK(confidence_text(0.95) == "95 %");
  CHECK(confidence_text(0.999) == "99.9 %");
  CHECK(confidence_text(0.9996) == "99.96 %");
  CHECK(confidence_text(0.29) == "29 %");
}

TEST_CASE("a lower confidence limit is the run whose rank is one for the median, exactly") {
  // One of n runs lies below the median but for 1 in 2^n: at 95 % it takes 5 runs, and then it is the lowest.
  const CriterionResult five = judged_runs({51, 60, 61, 62, 63}, "aggregation = 'lower_confidence'\n");
  CHECK(five.verdict == Verdict::pass);
  CHECK(*five.measured == 51);
  CHECK(
      five.because ==
      "51.00 GFLOP/s ≥ 50.00 GFLOP/s (lower 95 % limit of the median of 5 results, rank 1, exactly 96.9 %)");
  // Of 8 runs the second lowest is one: 9 of 256 samples have fewer than 2 below their median.
  const CriterionResult eight =
      judged_runs({40, 51, 60, 61, 62, 63, 64, 65}, "aggregation = 'lower_confidence'\n");
  CHECK(*eight.measured == 51);
  CHECK(eight.verdict == Verdict::pass);
  CHECK(judged_runs({40, 51, 60, 61, 62, 63, 64, 65}, "aggregation = 'lower_confidence'\nconfidence = 0.99\n")
            .verdict == Verdict::fail);
}

TEST_CASE("runs that are too few for the criterion leave it undecided, however good they are") {
  const CriterionResult four = judged_runs({60, 61, 62, 63}, "aggregation = 'lower_confidence'\n");
  CHECK(four.verdict == Verdict::undecided);
  CHECK(four.because ==
        "4 runs, and the criterion takes 5 at least (4 results give no 95 % limit of the median; 5 values "
        "would "
        "do)");
  const CriterionResult stated = judged_runs({60, 61}, "aggregation = 'every'\nruns_min = 3\n");
  CHECK(stated.verdict == Verdict::undecided);
  CHECK(stated.because == "2 runs, and the criterion takes 3 at least");
  CHECK_FALSE(stated.measured);
  CHECK(judged_runs({60, 61, 62}, "aggregation = 'every'\nruns_min = 3\n").verdict == Verdict::pass);
  const CampaignRecord few = runs_of({60, 61}, aggregation_rate("aggregation = 'every'\nruns_min = 3\n"));
  CHECK(judged(few).exit_code == 3);
  CHECK(fixture::section(fixture::rendered("html", few), "limits").find("n = 2 of the needed 3") !=
        std::string::npos);
}

TEST_CASE("several problems in one log are one run, which counts by its worst") {
  CampaignRecord campaign = runs_of({60}, aggregation_rate("aggregation = 'every'\nruns_min = 2\n"));
  std::vector<ResultRecord>& results = campaign.cases[0].attempts[0].results;
  results.push_back(fixture::hpl_result(40, 50));
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::undecided);
  CHECK(criterion(judged(campaign), "rate").because ==
        "1 run with 2 results, and the criterion takes 2 at least");
  campaign.criteria_text = aggregation_rate("aggregation = 'best_of'\nbest_of = { k = 1, n = 2 }\n");
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::undecided);
  campaign.criteria_text = aggregation_rate("aggregation = 'every'\n");
  CHECK(criterion(judged(campaign), "rate").because == "40.00 GFLOP/s < 50.00 GFLOP/s (lowest of 2 results)");

  const auto two_runs = [&](double first, double second) {
    campaign = runs_of({60, 61}, aggregation_rate("aggregation = 'median'\nruns_min = 2\n"));
    campaign.cases[0].attempts[0].results.push_back(fixture::hpl_result(first, 50));
    campaign.cases[1].attempts[0].results.push_back(fixture::hpl_result(second, 50));
    return criterion(judged(campaign), "rate");
  };
  // Of 60 with 48 and 61 with 51: the median of 48 and 51, though three of four results reach the limit.
  CHECK(two_runs(48, 51).verdict == Verdict::fail);
  CHECK(two_runs(48, 51).because ==
        "49.50 GFLOP/s < 50.00 GFLOP/s (median of 2 results, the worst of each run)");
  CHECK(two_runs(48, 51).points.size() == 4);
  CHECK(two_runs(52, 51).verdict == Verdict::pass);
  // Validity asks for runs, too.
  campaign = runs_of({60},
                     "title = 'Contract'\n[[criteria]]\nid = 'valid'\ntitle = 'HPL is valid'\nsuite = "
                     "'hpl'\nmetric = 'validity'\nseverity = 'mandatory'\nlimit_source = 'HPL'\n"
                     "runs_min = 2\n");
  campaign.cases[0].attempts[0].results.push_back(fixture::hpl_result(60, 50));
  CHECK(criterion(judged(campaign), "valid").verdict == Verdict::undecided);
  campaign.cases[0].attempts.push_back(fixture::attempt(2, "hpl-98n", fixture::hpl_result(60, 50)));
  CHECK(criterion(judged(campaign), "valid").verdict == Verdict::pass);
}

TEST_CASE("imported logs of one shape are repetitions, and of another they are not") {
  const auto imported = [](const std::vector<std::int64_t>& sizes, const std::string& keys) {
    CampaignRecord campaign = runs_of(std::vector<double>(sizes.size(), 60), aggregation_rate(keys));
    campaign.kind = "external";
    for (size_t i = 0; i < sizes.size(); ++i) {
      Case& planned = campaign.cases[i].planned;
      planned.id = "hpl-log-" + std::to_string(i);
      planned.repetition = 1;
      planned.parameters = {{"N", sizes[i]}, {"seed", static_cast<std::int64_t>(i)}};
      campaign.cases[i].attempts[0].state = AttemptState::imported;
    }
    return campaign;
  };
  const std::string three = "aggregation = 'every'\nruns_min = 3\n";
  const Judgement alike = judged(imported({1000, 1000, 1000}, three));
  REQUIRE(alike.criteria.size() == 1);
  CHECK(alike.criteria[0].verdict == Verdict::pass);
  CHECK(alike.criteria[0].n == 3);
  const Judgement unlike = judged(imported({1000, 1000, 2000}, three));
  REQUIRE(unlike.criteria.size() == 2);
  CHECK(unlike.criteria[0].verdict == Verdict::undecided);
  CHECK(unlike.exit_code == 3);
  // Logs that state nothing of their run are like no others.
  CampaignRecord silent = imported({1000, 1000, 1000}, three);
  for (CaseRecord& record : silent.cases) record.planned.parameters.clear();
  CHECK(judged(silent).criteria.size() == 3);
}

TEST_CASE("the best k of n of logs made elsewhere is chosen with the logs at hand, and decides nothing") {
  CampaignRecord campaign =
      runs_of({60, 40, 41}, aggregation_rate("aggregation = 'best_of'\nbest_of = { k = 1, n = 3 }\n"));
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::pass);
  campaign.kind = "external";
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::undecided);
  CHECK(criterion(judged(campaign), "rate")
            .because.starts_with(
                "k = 1 and n = 3 were not fixed before the first run, but with the logs at hand; 60.00"));
}

TEST_CASE("the k-th best of n is taken of the first n runs alone") {
  const std::string best = "aggregation = 'best_of'\nbest_of = { k = 2, n = 3 }\n";
  CHECK(judged_runs({60, 40, 51}, best).verdict == Verdict::pass);
  CHECK(judged_runs({60, 40, 51}, best).because ==
        "51.00 GFLOP/s ≥ 50.00 GFLOP/s (number 2 of the best, the median, of 3 results)");
  CHECK(judged_runs({60, 40, 41}, best).verdict == Verdict::fail);
  // Runs that were added after the third change nothing.
  const CriterionResult added = judged_runs({60, 40, 41, 70, 71}, best);
  CHECK(added.verdict == Verdict::fail);
  CHECK(added.because.find("of the first 3 of 5 results") != std::string::npos);
  CHECK(added.points.size() == 5);
  CHECK(judged_runs({60, 61}, best).verdict == Verdict::undecided);
}

TEST_CASE("k and n that a revision brings were not fixed before the first run, and decide nothing") {
  const std::string best = "aggregation = 'best_of'\nbest_of = { k = 1, n = 3 }\n";
  CampaignRecord campaign = runs_of({60, 40, 41}, aggregation_rate("aggregation = 'every'\n"));
  campaign.criteria_revisions = {{2, "kinder.toml", aggregation_rate(best), "amendment 1", 1795290000}};
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::undecided);
  CHECK(criterion(judged(campaign), "rate")
            .because.starts_with(
                "k = 1 and n = 3 were not fixed before the first run, but by a revision; 60.00"));
  CHECK(judged(campaign).exit_code == 3);
  // A revision with the same k and n may change the rest of the criterion.
  campaign.criteria_text = aggregation_rate(best);
  CHECK(criterion(judged(campaign), "rate").verdict == Verdict::pass);
}

TEST_CASE("where less is better, the worst run is the highest and the limit of the median an upper one") {
  const std::vector<double> times = {10, 11, 12, 13, 20};
  CHECK(*aggregated({.kind = Aggregation::Kind::every}, times, Direction::at_most).value == 20);
  CHECK(*aggregated({.kind = Aggregation::Kind::lower_confidence}, times, Direction::at_most).value == 20);
  CHECK(*aggregated({.kind = Aggregation::Kind::best_of, .k = 2, .n = 5}, times, Direction::at_most).value ==
        11);
  CHECK(aggregated({.kind = Aggregation::Kind::lower_confidence}, times, Direction::at_most)
            .text.starts_with("upper 95 % limit"));
}

TEST_CASE("an order-statistic limit keeps its confidence on skewed runs: 2,000 seeded campaigns") {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> slow(1);
  int above = 0;
  constexpr int campaigns = 2000;
  for (int i = 0; i < campaigns; ++i) {
    std::vector<double> runs(8);
    for (double& run : runs) run = slow(random);
    above += *aggregated({.kind = Aggregation::Kind::lower_confidence}, runs, Direction::at_least).value >
                     std::log(2.0)
                 ? 1
                 : 0;
  }
  CHECK(above < campaigns * 0.05);  // exactly 9 / 256 = 3.5 %
  CHECK(above > campaigns * 0.02);
}

TEST_CASE("what an aggregation needs is asked for before the first run") {
  CHECK(aggregation_refusal("aggregation = 'best_of'\n").find("'best_of' is missing") != std::string::npos);
  CHECK(aggregation_refusal("aggregation = 'best_of'\nbest_of = { k = 4, n = 3 }\n")
            .find("there is no number 4 of 3 runs") != std::string::npos);
  CHECK(aggregation_refusal("aggregation = 'every'\nbest_of = { k = 1, n = 3 }\n")
            .find("'best_of' belongs to the aggregation 'best_of', and this one is 'every'") !=
        std::string::npos);
  CHECK(aggregation_refusal("aggregation = 'median'\nconfidence = 0.9\n").find("'confidence' belongs to") !=
        std::string::npos);
  CHECK(aggregation_refusal("aggregation = 'lower_confidence'\nruns_min = 3\n")
            .find("'runs_min' is 3, and the aggregation takes 5 runs") != std::string::npos);
  CHECK(aggregation_refusal("aggregation = 'lower_confidence'\nconfidence = 1\n")
            .find("no limit at 1 confidence") != std::string::npos);
}

TEST_CASE("an aggregation survives the freezing of its criterion") {
  for (const std::string keys :
       {"aggregation = 'every'\nruns_min = 3\n", "aggregation = 'lower_confidence'\nconfidence = 0.9\n",
        "aggregation = 'best_of'\nbest_of = { k = 2, n = 3 }\n"}) {
    const auto frozen = frozen_criteria(aggregation_rate(keys), "c.toml", {});
    REQUIRE(frozen);
    const auto before = read_criteria(aggregation_rate(keys), "c.toml");
    const auto after = read_criteria(*frozen, "frozen");
    REQUIRE(after);
    CHECK(after->criteria[0].aggregation.kind == before->criteria[0].aggregation.kind);
    CHECK(after->criteria[0].aggregation.confidence == before->criteria[0].aggregation.confidence);
    CHECK(after->criteria[0].aggregation.k == before->criteria[0].aggregation.k);
    CHECK(after->criteria[0].fewest_runs() == before->criteria[0].fewest_runs());
  }
}

TEST_CASE("no run that misses its limit is printed as one that meets it, nor the way to the limit as none") {
  const std::string page =
      fixture::rendered("html", runs_of({60, 50 * (1 - 1e-7)}, aggregation_rate("aggregation = 'every'\n")));
  const std::string limits = fixture::section(page, "limits");
  CHECK(limits.find("every result: 60.00 GFLOP/s, 49.99999") != std::string::npos);
  CHECK(page.find("49.999995 GFLOP/s</td>") != std::string::npos);
  CHECK(page.find("\u22120.00001 %") != std::string::npos);
}
