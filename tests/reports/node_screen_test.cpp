// Which of many like nodes are slow, and what is reported of them.
#include "reports/measure/node_screen.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/judge/overall.hpp"
#include "reports/statistics/distributions.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

/// Values as healthy nodes give them: normal ones at even steps of their distribution, in a mixed order.
std::vector<double> healthy(std::size_t count, double middle, double spread) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = (static_cast<double>(i * 7 % count) + 0.5) / static_cast<double>(count);
    values.push_back(middle * (1 + spread * normal_limit(place)));
  }
  return values;
}

std::string name_of(std::size_t node) {
  return "cn" + std::to_string(node + 1);
}

CaseRecord on_node(std::size_t node, double rmax_gflops, int repetition = 1) {
  CaseRecord record = fixture::hpl_case(rmax_gflops);
  record.planned.hosts = name_of(node);
  record.planned.id = "hpl-each-" + name_of(node);
  if (repetition > 1) record.planned.id += "-r" + std::to_string(repetition);
  record.planned.repetition = repetition;
  record.planned.bound = true;
  return record;
}

CampaignRecord node_screen_campaign_of(const std::vector<double>& rates) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  campaign.cases.clear();
  campaign.inventory.groups.front().hosts = "cn[1-100]";
  for (std::size_t i = 0; i < rates.size(); ++i) campaign.cases.push_back(on_node(i, rates[i]));
  return campaign;
}

/// 40 nodes around 50 GFLOP/s that spread by 0.5 %, cn17 as given.
CampaignRecord forty(double cn17) {
  auto rates = healthy(40, 50, 0.005);
  rates[16] = cn17;
  return node_screen_campaign_of(rates);
}

std::string contract(int limit) {
  return "title = \"Contract\"\n[[criteria]]\nid = \"rate\"\ntitle = \"HPL on each node\"\nsuite = "
         "\"hpl\"\nmetric = \"rmax_gflops\"\ndirection = \">=\"\nlimit = " +
         std::to_string(limit) +
         "\naggregation = \"median\"\nseverity = \"mandatory\"\nlimit_source = \"contract 4.2\"\n";
}

std::vector<std::string> names(const std::vector<const ScreenedNode*>& nodes) {
  std::vector<std::string> found;
  for (const ScreenedNode* node : nodes) found.push_back(node->node);
  return found;
}

NodeScreen only_screen(const CampaignRecord& campaign, const NodePast& past = {}) {
  auto screens = node_screens(MeasuredCampaign(campaign), past);
  REQUIRE(screens.size() == 1);
  return screens.front();
}

std::string node_screen_rendered(std::string_view id, const CampaignRecord& campaign) {
  return fixture::rendered(id, MeasuredCampaign(campaign), fixture::judged(campaign));
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("of 40 nodes the one that is 7 % slow is suspect, and no other") {
  const NodeScreen screen = only_screen(forty(46.5));
  CHECK(screen.nodes.size() == 40);
  CHECK(screen.metric == "rmax_gflops");
  CHECK(screen.median == Approx(50).epsilon(0.002));
  CHECK(screen.spread == Approx(0.005).epsilon(0.1));
  CHECK(names(screen.of(NodeFinding::suspect)) == Names{"cn17"});
  CHECK(screen.of(NodeFinding::sound).size() == 39);
  const ScreenedNode& slow = *screen.of(NodeFinding::suspect).front();
  CHECK(slow.case_id == "hpl-each-cn17");
  CHECK(slow.expected == screen.median);
  CHECK(slow.adjusted_p < 0.001);
}

TEST_CASE("nodes that spread as healthy ones do are all sound, whatever their spread") {
  for (const double spread : {0.002, 0.005, 0.01, 0.02})
    for (const std::size_t count : {8U, 40U, 100U}) {
      INFO(count << " nodes, " << spread);
      CHECK(only_screen(node_screen_campaign_of(healthy(count, 50, spread))).of(NodeFinding::sound).size() ==
            count);
    }
}

TEST_CASE("the same loss is none among nodes that spread by as much") {
  auto rates = healthy(40, 50, 0.04);
  rates[16] = 46.5;
  CHECK(only_screen(node_screen_campaign_of(rates)).of(NodeFinding::suspect).empty());
}

TEST_CASE("too few nodes are not judged, which is said, and one alone is beside nothing") {
  const NodeScreen two = only_screen(node_screen_campaign_of({50, 30}));
  CHECK(two.unjudged == "2 nodes are too few to find a slow one: 8 at least");
  CHECK(two.of(NodeFinding::suspect).empty());
  auto seven = healthy(7, 50, 0.002);
  seven[2] = 30;
  CHECK_FALSE(only_screen(node_screen_campaign_of(seven)).unjudged.empty());
  CHECK(slow_node_sentences(node_screens(MeasuredCampaign(node_screen_campaign_of(seven)))).empty());
  auto eight = healthy(8, 50, 0.002);
  eight[2] = 30;
  CHECK(names(only_screen(node_screen_campaign_of(eight)).of(NodeFinding::suspect)) == Names{"cn3"});
  CHECK(node_screens(MeasuredCampaign(node_screen_campaign_of({50}))).empty());
}

TEST_CASE("where less is better the node that takes longer is the slow one") {
  CampaignRecord campaign = node_screen_campaign_of(healthy(20, 50, 0.005));
  for (std::size_t i = 0; i < 20; ++i) {
    CaseRecord& record = campaign.cases[i];
    record.planned.suite = "mlperf";
    ParsedResult& parsed = record.attempts[0].results[0].parsed;
    parsed.metrics = {{"time_to_train_min", i == 4 ? 11.0 : i == 5 ? 9.0 : parsed.metrics[0].value / 5, 1}};
  }
  const NodeScreen screen = only_screen(campaign);
  CHECK(screen.better == Better::lower);
  CHECK(screen.median == Approx(10).epsilon(0.002));
  CHECK(names(screen.of(NodeFinding::suspect)) == Names{"cn5"});
  CHECK(screen.of(NodeFinding::suspect)[0]->expected == screen.median);
  CHECK(slow_node_sentences({screen}).front().find("cn5 +1") != std::string::npos);
}

TEST_CASE("repeats of the case on the same node confirm a suspect or clear it") {
  CampaignRecord campaign = forty(46.5);
  for (int repetition = 2; repetition <= 4; ++repetition)
    campaign.cases.push_back(on_node(16, 46.4 + 0.1 * repetition, repetition));
  NodeScreen screen = only_screen(campaign);
  CHECK(names(screen.of(NodeFinding::confirmed)) == Names{"cn17"});
  CHECK(screen.of(NodeFinding::confirmed)[0]->judged() == Approx(46.7));
  const auto alarm = [&] {
    auto found = fixture::judged(campaign).alarms;
    std::erase_if(found, [](const std::string& each) { return each.find("slow by") == std::string::npos; });
    return found;
  };
  CHECK(alarm() == Names{"1 node is slow by HPL Rmax, as repeats confirm, and fails no criterion: cn17 " +
                         distance_text(46.7, screen.median)});
  campaign.criteria_text = R"(title = "Contract"
[[criteria]]
id = "rate"
title = "Each node is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 48
each_node = true
aggregation = "every"
severity = "mandatory"
limit_source = "contract"
)";
  CHECK(alarm().empty());  // it is named by the verdict
  campaign.criteria_text.replace(campaign.criteria_text.find("limit = 48"), 10, "limit = 46");
  for (std::size_t i = 40; i < 43; ++i) campaign.cases[i].planned.confirms = true;
  campaign.cases[40].attempts[0].results[0].parsed.metrics[0].value = 24.43;
  REQUIRE(alarm().size() == 1);  // first runs are judged
  CHECK(alarm()[0].ends_with("; repeats beyond the limit of 46.00 GFLOP/s: cn17 24.43 GFLOP/s"));
  for (std::size_t i = 40; i < 43; ++i)
    campaign.cases[i].attempts[0].results[0].parsed.metrics[0].value = 50.1;
  screen = only_screen(campaign);
  CHECK(names(screen.of(NodeFinding::cleared)) == Names{"cn17"});
  CHECK(slow_node_sentences({screen}).empty());
}

TEST_CASE("nodes of another kind, other parameters and another build are not set beside these") {
  const auto groups = [](const auto& change) {
    CampaignRecord campaign = forty(46.5);
    for (std::size_t i = 0; i < 20; ++i) change(campaign, campaign.cases[i], i);
    return node_screens(MeasuredCampaign(campaign)).size();
  };
  CHECK(groups([](CampaignRecord&, CaseRecord&, std::size_t) {}) == 1);
  CHECK(groups([](CampaignRecord&, CaseRecord& record, std::size_t) {
          record.planned.implementation = "netlib";
        }) == 2);
  CHECK(groups([](CampaignRecord&, CaseRecord& record, std::size_t) {
          record.planned.parameters[0].value = std::int64_t{8000};
          record.attempts[0].results[0].parsed.parameters[0].value = std::int64_t{8000};
        }) == 2);
  CHECK(groups([](CampaignRecord& campaign, CaseRecord&, std::size_t i) {
          if (i > 0) return;
          campaign.inventory.groups[0].hosts = "cn[1-20]";
          campaign.inventory.groups.push_back(fixture::node());
          campaign.inventory.groups[1].hosts = "cn[21-100]";
          campaign.inventory.groups[1].cpu.model = "another processor";
        }) == 2);
  CHECK(groups([](CampaignRecord&, CaseRecord& record, std::size_t) { record.planned.nodes = 2; }) == 1);
}

TEST_CASE("a node whose result does not count is no slow node, but one without a result") {
  CampaignRecord campaign = forty(50);
  campaign.cases[3].attempts[0].results[0] = fixture::hpl_result(20, 100);
  campaign.cases[3].attempts[0].results[0].validity = Validity::invalid;
  campaign.cases[8].attempts.clear();
  const NodeScreen screen = only_screen(campaign);
  CHECK(screen.nodes.size() == 38);
  CHECK(screen.unmeasured == Names{"cn4", "cn9"});
  CHECK(screen.of(NodeFinding::sound).size() == 38);
  CHECK_THAT(node_screen_rendered("html", campaign),
             Catch::Contains("None of those measured is slow") && !Catch::Contains("None is slow"));
  // The parameters of a screen that plans none are those that the logs state.
  for (CaseRecord& record : campaign.cases) record.planned.parameters.clear();
  CHECK(only_screen(campaign).unmeasured == Names{"cn4", "cn9"});
}

TEST_CASE("a run counts for the node that it got, not for the one that was planned") {
  CampaignRecord campaign = forty(46.5);
  campaign.cases[16].attempts[0].hosts = "cn99";
  CHECK(names(only_screen(campaign).of(NodeFinding::suspect)) == Names{"cn99"});
}

namespace {

/// Five earlier campaigns of the 40 nodes, with the values of `rate` for day and node.
template <class Rate>
SystemSeries five_days(const CampaignRecord& campaign, const Rate& rate) {
  SystemSeries past;
  MetricSeries series{
      "hpl",         "reference", 1, only_screen(campaign).node_kind, "N=16896 NB=192 P=1 Q=2",
      "rmax_gflops", "",          {}};
  for (std::size_t day = 0; day < 5; ++day)
    for (std::size_t node = 0; node < 40; ++node) {
      SeriesRun run;
      run.campaign = "day-" + std::to_string(day);
      run.at_s = campaign.created_s - 86'400.0 * static_cast<double>(5 - day);
      run.hosts = name_of(node);
      run.validity = Validity::valid;
      run.complete = true;
      series.points.push_back({static_cast<std::uint32_t>(past.runs.size()), rate(day, node)});
      past.runs.push_back(std::move(run));
    }
  past.series.push_back(std::move(series));
  return past;
}

/// Among nodes that differ by 2 %, each of which gives what it always gave within 0.1 %, cn17 lost 3 %.
CampaignRecord hidden_loss() {
  auto rates = healthy(40, 50, 0.02);
  rates[16] = 50 * 0.97;
  return node_screen_campaign_of(rates);
}

double before_the_loss(std::size_t day, std::size_t node) {
  const double own = node == 16 ? 50 : healthy(40, 50, 0.02)[node];
  return own * (1 + 0.001 * static_cast<double>((day * 3 + node) % 5) - 0.002);
}

}  // namespace

TEST_CASE("a loss that the spread of the nodes hides is found by the node's own past") {
  const CampaignRecord campaign = hidden_loss();
  CHECK(only_screen(campaign).of(NodeFinding::suspect).empty());
  const SystemSeries past = five_days(campaign, before_the_loss);
  const NodeScreen screen = only_screen(campaign, {&past, {}});
  CHECK(screen.with_past == 40);
  REQUIRE(names(screen.of(NodeFinding::suspect)) == Names{"cn17"});
  CHECK(screen.of(NodeFinding::suspect)[0]->by_past);
  CHECK(screen.of(NodeFinding::suspect)[0]->expected == Approx(50).epsilon(0.003));
  CHECK(slow_node_sentences({screen}).front().find("(beside its own past)") != std::string::npos);
}

TEST_CASE("what a node gave before something happened to it, later, or invalidly, is not its past") {
  const CampaignRecord campaign = hidden_loss();
  SystemSeries past = five_days(campaign, before_the_loss);
  const NodeEvent moved{campaign.system, "cn17", NodeEventKind::moved, campaign.created_s - 3600, "ops", ""};
  CHECK(only_screen(campaign, {&past, {moved}}).of(NodeFinding::suspect).empty());
  CHECK(only_screen(campaign, {&past, {moved}}).with_past == 39);
  for (SeriesRun& run : past.runs) run.validity = Validity::unknown;
  CHECK(only_screen(campaign, {&past, {}}).with_past == 0);
  for (SeriesRun& run : past.runs) {
    run.validity = Validity::valid;
    run.at_s = campaign.created_s + 86'400;
  }
  CHECK(only_screen(campaign, {&past, {}}).with_past == 0);
}

TEST_CASE("a node that always was slow is suspect beside the others, however well it keeps to its past") {
  const CampaignRecord campaign = forty(46.5);
  const SystemSeries past = five_days(campaign, [](std::size_t day, std::size_t node) {
    const double own = node == 16 ? 46.5 : healthy(40, 50, 0.005)[node];
    return own * (1 + 0.001 * static_cast<double>((day + node) % 3));
  });
  const NodeScreen screen = only_screen(campaign, {&past, {}});
  CHECK(names(screen.of(NodeFinding::suspect)) == Names{"cn17"});
  CHECK_FALSE(screen.of(NodeFinding::suspect)[0]->by_past);
}

TEST_CASE("slow nodes are a deviation, with how far they are off") {
  CampaignRecord campaign = forty(46.5);
  const auto said = slow_node_sentences(node_screens(MeasuredCampaign(campaign)));
  REQUIRE(said.size() == 1);
  CHECK(said[0] ==
        "slow node among 40 by HPL Rmax, beside their median of 50.00 GFLOP/s; suspect, to be repeated: "
        "cn17 −7.0 %");
  CHECK(fixture::judged(campaign).deviations.front() == said[0]);
}

TEST_CASE("of many slow nodes the sentence names the slowest and counts the others") {
  auto rates = healthy(100, 50, 0.005);
  for (std::size_t i = 0; i < 9; ++i) rates[i] = 40 + static_cast<double>(i) * 0.5;
  const CampaignRecord campaign = node_screen_campaign_of(rates);
  CHECK(slow_node_sentences(node_screens(MeasuredCampaign(campaign)))[0].find("to be repeated: cn1 −19.") !=
        std::string::npos);
  CHECK(slow_node_sentences(node_screens(MeasuredCampaign(campaign)))[0].find(" and 3 more") !=
        std::string::npos);
}

TEST_CASE("slow nodes decide no criterion, and repeats of them none either") {
  CampaignRecord campaign = forty(46.5);
  campaign.criteria_text = contract(47);
  const Judgement before = fixture::judged(campaign);
  CHECK(before.overall == Verdict::fail);
  for (int repetition = 2; repetition <= 4; ++repetition) {
    campaign.cases.push_back(on_node(16, 50, repetition));
    campaign.cases.back().planned.confirms = true;
  }
  const Judgement after = fixture::judged(campaign);
  CHECK(after.overall == Verdict::fail);
  CHECK(after.sentence == before.sentence);
  CHECK(after.criteria[0].n == before.criteria[0].n);
  CHECK(after.suite_results.size() == before.suite_results.size());
  CHECK(after.reliability.front().started == before.reliability.front().started + 3);
  campaign.criteria_text = contract(40);
  campaign.cases.resize(40);
  const Judgement accepted = fixture::judged(campaign);
  CHECK(accepted.overall == Verdict::pass);
  CHECK(accepted.deviations.front().starts_with("slow node among 40"));
}

TEST_CASE("results.json has a screen with its median and spread, and the nodes that are not sound") {
  CampaignRecord campaign = forty(46.5);
  auto document = nlohmann::json::parse(node_screen_rendered("json", campaign));
  const auto& screen = document["node_screens"].at(0);
  CHECK(screen["metric"] == "rmax_gflops");
  CHECK(screen["n"] == 40);
  CHECK(screen["sound"] == 39);
  REQUIRE(screen["nodes"].size() == 1);
  CHECK(screen["nodes"][0]["node"] == "cn17");
  CHECK(screen["nodes"][0]["finding"] == "suspect");
  CHECK(screen["nodes"][0]["ratio"].get<double>() == Approx(0.93).epsilon(0.002));
  CHECK_FALSE(screen["nodes"][0].contains("repeats"));
  document = nlohmann::json::parse(node_screen_rendered("json", node_screen_campaign_of({50, 30})));
  CHECK(document["node_screens"][0].contains("unjudged"));
  CHECK_FALSE(document["node_screens"][0].contains("nodes"));
  CHECK_FALSE(nlohmann::json::parse(node_screen_rendered("json", node_screen_campaign_of({50})))
                  .contains("node_screens"));
}

TEST_CASE("the page shows the nodes beside each other, with the slow ones and what to do") {
  CampaignRecord campaign = forty(46.5);
  campaign.criteria_text = contract(40);
  std::string page = node_screen_rendered("html", campaign);
  CHECK(page.find("<section id=\"nodes\">") != std::string::npos);
  CHECK(page.find("1 to be repeated") != std::string::npos);
  CHECK(page.find("Next step: <code>shakedown resume 2026-11-21T18-05-09Z-n1 --repeat-suspects</code>") !=
        std::string::npos);
  CHECK(page.find("<span class=\"word\">2026-11-21T18-05-09Z-n1</span> "
                  "<span class=\"word\">--repeat-suspects</span>") != std::string::npos);
  const std::string first = fixture::results_section(page);
  CHECK(first.find("to be repeated: cn17 −7.0 %") != std::string::npos);
  for (int repetition = 2; repetition <= 4; ++repetition) {
    campaign.cases.push_back(on_node(16, 46 + 0.1 * repetition, repetition));
    campaign.cases.back().planned.confirms = true;
  }
  page = node_screen_rendered("html", campaign);
  CHECK(page.find("46.30 GFLOP/s<span class=\"why wrap\">median of 46.") != std::string::npos);
  CHECK(page.find("<b>46.20 GFLOP/s</b>") == std::string::npos);  // repeats are no results of page one
  page = node_screen_rendered("html", node_screen_campaign_of(healthy(40, 50, 0.005)));
  CHECK(page.find("None of those that were judged is slow beside the others.") != std::string::npos);
  CHECK(page.find("Nodes that were suspect") == std::string::npos);
  CHECK(node_screen_rendered("html", node_screen_campaign_of({50})).find("<section id=\"nodes\">") ==
        std::string::npos);
}

TEST_CASE("a scheduled check without an alarm says how many nodes are slow all the same") {
  const auto screen = [](const char* metric,
                         std::initializer_list<std::pair<const char*, NodeFinding>> nodes) {
    NodeScreen made;
    made.metric = metric;
    for (const auto& [name, finding] : nodes) {
      ScreenedNode node;
      node.node = name;
      node.finding = finding;
      made.nodes.push_back(node);
    }
    return made;
  };
  Judgement judgement;
  CheckVerdict verdict;
  verdict.exit_code = 0;
  verdict.sentence = "regression check: no alarm in 130 series";
  take_check_verdict(judgement, verdict);
  CHECK(judgement.sentence == "regression check: no alarm in 130 series");
  CHECK(judgement.overall == Verdict::pass);
  judgement.node_screens = {
      screen("fp64_gflops",
             {{"cn1", NodeFinding::confirmed}, {"cn2", NodeFinding::sound}, {"cn3", NodeFinding::cleared}}),
      screen("triad_mb_s", {{"cn1", NodeFinding::suspect}})};
  take_check_verdict(judgement, verdict);
  CHECK(judgement.sentence ==
        "regression check: no alarm in 130 series; 1 node is slower than those like it");
  judgement.node_screens.push_back(screen("rmax_gflops", {{"cn4", NodeFinding::suspect}}));
  take_check_verdict(judgement, verdict);
  CHECK(judgement.sentence.ends_with("; 2 nodes are slower than those like them"));
  verdict.exit_code = 1;
  verdict.sentence = "regression check: alarm: HPL";
  take_check_verdict(judgement, verdict);
  CHECK(judgement.sentence == "regression check: alarm: HPL");
  CHECK(judgement.overall == Verdict::fail);
}

TEST_CASE("a suspect whose run was disturbed says so") {
  std::vector<double> rates = healthy(40, 50, 0.005);
  rates[16] = 46;
  CampaignRecord campaign = node_screen_campaign_of(rates);
  const auto found = [&] { return node_screen_rendered("html", campaign).find("its run was disturbed"); };
  CHECK(found() == std::string::npos);
  campaign.cases[16].attempts[0].conditions->foreign_cores = 0.9;
  CHECK(found() != std::string::npos);
}
