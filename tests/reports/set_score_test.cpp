// A benchmark that scores several runs together: the score stands for them, and what is no score is named so.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "reports/html/figures.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/set_score.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;

namespace {

/// A fine-tuning made elsewhere. ML-09d was checked in the first alone, ML-01 in none.
CaseRecord set_run(int number, const std::string& implementation) {
  CaseRecord record;
  record.planned.id = fmt::format("training-{}", number);
  record.planned.suite = record.planned.parser = "mlperf";
  record.planned.benchmark = "llama2_70b_lora";
  record.planned.implementation = implementation;
  record.planned.origin = fmt::format("/data/deep/eos_n1/result_{}.txt", number);
  record.planned.nodes = 1;
  ResultRecord result;
  result.parsed.suite = "mlperf";
  result.parsed.complete = true;
  result.parsed.parameters = {{"benchmark", std::string("llama2_70b_lora")},
                              {"version", std::string("4.1")},
                              {"gpus", std::int64_t{8}},
                              {"GBS", std::int64_t{8}}};
  result.parsed.metrics = {{"time_to_train_min", 20.0 + number, 1}};
  result.validity = Validity::valid;
  result.rules = {fixture::rule("ML-01", "A score is the mean of the benchmark's number of runs",
                                RuleStatus::unknown, "", 0),
                  fixture::rule("ML-09d", "Layers divide by PP x VP",
                                number == 0 ? RuleStatus::pass : RuleStatus::unknown, "", 0)};
  record.planned.parameters = result.parsed.parameters;
  AttemptRecord attempt;
  attempt.state = AttemptState::imported;
  attempt.run_folder = record.planned.id + "/attempt-1";
  attempt.results = {result};
  record.attempts = {attempt};
  return record;
}

CampaignRecord set_campaign(const std::string& implementation = "nvidia") {
  CampaignRecord campaign;
  campaign.id = "eos";
  campaign.system = "eos";
  campaign.kind = "external";
  campaign.state = CampaignState::finished;
  campaign.inventory.source = made_elsewhere;
  SetScore set;
  set.suite = "mlperf";
  set.benchmark = "llama2_70b_lora";
  set.name = "/data/deep/eos_n1";
  set.score_min = 33.25;
  set.runs = 10;
  set.converged = 10;
  set.validity = Validity::valid;
  set.rules = {fixture::rule("ML-01", "A score is the mean of the benchmark's number of runs",
                             RuleStatus::pass, "10 of 10 runs", 0)};
  for (int i = 0; i < 10; ++i) {
    campaign.cases.push_back(set_run(i, implementation));
    set.files.push_back(campaign.cases.back().planned.origin);
  }
  set.dropped = {set.files.front(), set.files.back()};
  campaign.set_scores = {set};
  return campaign;
}

std::size_t times(const std::string& page, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++count;
  return count;
}

Tally tally_of(const CampaignRecord& campaign) {
  return fixture::judged(campaign).tally;
}

std::string decision(const std::string& page) {
  const std::size_t at = page.find("class=\"page-one\"");
  return page.substr(at, page.find("</section>", at) - at);
}

}  // namespace

TEST_CASE("how a model is split over GPUs decides no eligibility: MLCommons has no rule on it") {
  CHECK(tally_of(set_campaign()).eligible == 1);  // ten runs make one score
  CHECK(tally_of(set_campaign()).candidates == 1);
  CHECK(tally_of(set_campaign()).results == 10);
  CHECK(tally_of(set_campaign()).open_rules.empty());
  CampaignRecord campaign = set_campaign();
  for (CaseRecord& record : campaign.cases) record.attempts[0].results[0].rules[1].id = "ML-06b";
  CHECK(tally_of(campaign).eligible == 0);  // one run's open rule is the set's
  CHECK(tally_of(campaign).eligibility_open == 1);
  CHECK(tally_of(campaign).open_rules.starts_with("ML-06b ("));
}

TEST_CASE("where a set of runs has a score, the first page and the suite's show it as such") {
  const std::string page = fixture::rendered("html", set_campaign());
  constexpr std::string_view words = "unverified MLPerf score: mean of 8 of 10 runs";
  const std::string value = metric_text("time_to_train_min", 33.25);
  for (const std::string& part :
       {decision(page), fixture::section(page, "suite-mlperf"), fixture::results_section(page)}) {
    CHECK(times(part, words) >= 1);
    CHECK(times(part, value) >= 1);
    CHECK(times(part, "median of") == 0);
  }
  // The runs of one set are one row among the results.
  CHECK(times(fixture::results_section(page), "time to train") == 1);
}

TEST_CASE(
    "a score that its organisation normalises has the normalised value beside it, on the first page too") {
  CampaignRecord campaign = set_campaign();
  campaign.set_scores[0].normalised_min = 34.125;
  const std::string page = fixture::rendered("html", MeasuredCampaign(campaign), fixture::judged(campaign));
  const std::string words =
      "10 runs; normalised to the convergence of the reference by the method of MLCommons: " +
      metric_text("score_min", 34.125);
  INFO(words);
  CHECK(contains(page.substr(0, page.find("id=\"sign-off\"")), words));
  CHECK(contains(fixture::section(page, "suite-mlperf"), words));
}

TEST_CASE("the figure of a set marks the runs that its score drops") {
  const CampaignRecord campaign = set_campaign();
  const auto figures =
      suite_figures({MeasuredCampaign(campaign), fixture::judged(campaign), nullptr, {}, {}}, "mlperf");
  const auto set = std::ranges::find_if(figures, [](const Figure& figure) {
    return figure.title.find("runs of the set") != std::string::npos;
  });
  REQUIRE(set != figures.end());
  for (std::size_t i = 0; i < 10; ++i)
    CHECK((set->rows[i].back().find(", dropped") != std::string::npos) == (i == 0 || i == 9));
  CHECK(times(set->drawn, ", dropped") == 2);
}

TEST_CASE("where nothing is judged, each workload and number of nodes has its row on the first page") {
  CampaignRecord campaign = set_campaign();
  CHECK(times(decision(fixture::rendered("html", campaign)), "<th scope=\"row\">") == 1);
  for (int nodes = 2; nodes < 4; ++nodes) {
    CaseRecord more = set_run(nodes, "nvidia");
    more.planned.id += "-more";
    more.planned.nodes = nodes;
    more.planned.origin += ".more";
    more.attempts[0].results[0].parsed.metrics[0].value = 10.0 + nodes;
    campaign.cases.push_back(more);
  }
  std::string first = decision(fixture::rendered("html", campaign));
  CHECK(times(first, "<th scope=\"row\">") == 3);
  for (const char* nodes : {"3 nodes", "2 nodes", "1 node, unverified MLPerf score"})
    CHECK(times(first, fmt::format("llama2_70b_lora, batch 8, {}", nodes)) == 1);
  for (const double minutes : {33.25, 12.0, 13.0})
    CHECK(times(first, metric_text("time_to_train_min", minutes)) == 1);
  for (int nodes = 4; nodes < 9; ++nodes) {
    campaign.cases.push_back(campaign.cases.back());
    campaign.cases.back().planned.id += "-more";
    campaign.cases.back().planned.nodes = nodes;
  }
  first = decision(fixture::rendered("html", campaign));
  CHECK(times(first, "<th scope=\"row\">") == 5);
  CHECK(times(first, "and 3 more sizes or workloads under Results and criteria") == 1);
}

TEST_CASE("runs without a score are called single runs, with what a score lacks") {
  CampaignRecord campaign = set_campaign();
  SetScore& set = campaign.set_scores[0];
  set.score_min.reset();
  set.validity = Validity::invalid;
  set.rules[0].status = RuleStatus::fail;
  set.rules[0].value = "7 of 10 runs";
  const std::string page = fixture::rendered("html", campaign);
  CHECK(times(decision(page),
              "unverified, median of 10 single runs and no MLPerf score (ML-01: 7 of 10 runs)") == 1);
  CHECK(times(fixture::section(page, "suite-mlperf"), "<b>no score</b>, ML-01: 7 of 10 runs") == 1);
  CHECK(times(page, "unverified MLPerf score") == 0);
  for (const char* term : {"correct", "not-judged"})
    CHECK(times(decision(page), fmt::format("href=\"#term-{}\"", term)) == 1);
  for (const char* term : {"correct", "not-judged", "unverified", "valid"})
    CHECK(times(page, fmt::format("id=\"term-{}\"", term)) == 1);
  campaign.set_scores.clear();
  CHECK(times(decision(fixture::rendered("html", campaign)),
              "unverified, median of 10 single runs and no MLPerf score<") == 1);
}

TEST_CASE("results that nobody reviewed are unverified wherever they stand; shakedown's own are none") {
  const std::string page = fixture::rendered("html", set_campaign());
  CHECK(fixture::section(page, "set-scores").find("Scores of several runs, unverified") != std::string::npos);
  CHECK(times(page, "Official score") == 0);
  CHECK(times(fixture::section(page, "suite-mlperf"), "Time to train, unverified") >= 1);
  CHECK(times(page, "<b>Results: unverified.</b>") >= 1);
  const std::string own = fixture::rendered("html", set_campaign("reference"));
  CHECK(times(decision(own) + fixture::section(own, "suite-mlperf") + fixture::results_section(own),
              "unverified") == 0);
}

TEST_CASE("a rule that could not be checked is counted in results, and one that its set shows is none") {
  const std::string section = fixture::section(fixture::rendered("html", set_campaign()), "suite-mlperf");
  CHECK(section.find("(in 9 of them)") != std::string::npos);
  CHECK(section.find("ML-01") == std::string::npos);
  CampaignRecord campaign = set_campaign();
  campaign.set_scores.clear();
  CHECK(fixture::section(fixture::rendered("html", campaign), "suite-mlperf").find("<b>ML-01</b>") !=
        std::string::npos);
}

TEST_CASE("a set is named by the end of its path that no other set ends in") {
  CampaignRecord campaign = set_campaign();
  SetScore& first = campaign.set_scores[0];
  CHECK(short_set_name(campaign, first) == "eos_n1");
  SetScore other = first;
  other.name = "/data/flat/eos_n1";
  campaign.set_scores.push_back(other);
  CHECK(short_set_name(campaign, campaign.set_scores[0]) == "deep/eos_n1");
  CHECK(short_set_name(campaign, campaign.set_scores[1]) == "flat/eos_n1");
  campaign.set_scores[0].name = "eos_n1";
  CHECK(short_set_name(campaign, campaign.set_scores[0]) == "eos_n1");
  CHECK(short_set_name(campaign, campaign.set_scores[1]) == "flat/eos_n1");
}

TEST_CASE("Markdown and CSV hold a row of each set, and the mark beside results that nobody reviewed") {
  const CampaignRecord campaign = set_campaign();
  const std::string markdown = fixture::rendered("markdown", campaign);
  CHECK(times(markdown, "| eos\\_n1 | MLPerf llama2\\_70b\\_lora | " + metric_text("score_min", 33.25, 2) +
                            " | unverified MLPerf score: mean of 8 of 10 runs | 10 | 10 | valid |\n") == 1);
  CHECK(times(markdown, metric_text("time_to_train_min", 21) + ", unverified |") == 1);
  const std::string csv = fixture::rendered("csv", campaign);
  CHECK(times(csv, "eos,eos,eos_n1,mlperf,nvidia,1,") == 1);
  CHECK(times(csv, ",valid,,yes,score_min,33.25,min,,,unverified MLPerf score: mean of 8 of 10 runs\n") == 1);
  CHECK(times(csv, ",unverified\n") == 10);
  CampaignRecord without = campaign;
  without.set_scores[0].score_min.reset();
  without.set_scores[0].validity = Validity::invalid;
  without.set_scores[0].rules[0].status = RuleStatus::fail;
  without.set_scores[0].rules[0].value = "7 of 10 runs";
  CHECK(times(fixture::rendered("csv", without),
              ",invalid,,no,score_min,,min,,,\"unverified MLPerf runs, no score (ML-01: 7 of 10 runs)\"\n") ==
        1);
  const CampaignRecord own = set_campaign("reference");
  CHECK(times(fixture::rendered("markdown", own) + fixture::rendered("csv", own), "unverified") == 0);
}
