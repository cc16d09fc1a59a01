#pragma once
#include <span>

#include "parsers/parser.hpp"
#include "tests/reports/fixture.hpp"

/// The campaign of `shakedown quick` with all suites, made from real logs.
namespace shakedown::fixture {

/// A case of the reference kernels on the one node.
inline Case reference_case(const std::string& suite, const std::string& benchmark = "") {
  Case planned;
  planned.id = (benchmark.empty() ? suite + "-reference" : suite + "-reference-" + benchmark) + "-1n";
  planned.suite = suite;
  planned.implementation = "reference";
  planned.benchmark = benchmark;
  planned.parser = suite;
  planned.ranks = planned.ranks_per_node = 2;
  planned.hosts = "n1";
  if (!benchmark.empty()) planned.parameters = {{"benchmark", benchmark}};
  return planned;
}

/// `planned` run once with the log `text`, its results judged as a campaign judges them.
inline CaseRecord ran_log(const Case& planned, const std::string& text, const Inventory& inventory,
                          std::span<const Screen> screens = {}) {
  CaseRecord record;
  record.planned = planned;
  AttemptRecord made = attempt(1, planned.id, {});
  made.results.clear();
  made.host = planned.hosts;
  made.files = {job_script(planned.id), file("stdout.log", text)};
  auto results = parsed_log(text, planned.suite);
  for (ParsedResult& parsed : results.value()) {
    Evidence evidence;
    evidence.result = &parsed;
    evidence.planned = &planned;
    evidence.inventory = &inventory;
    evidence.screens = screens;
    Judged outcome = judged(evidence);
    made.results.push_back({std::move(parsed), std::move(outcome.rules), outcome.validity, "stdout.log"});
  }
  record.attempts = {made};
  return record;
}

/// The same with the log tests/fixtures/<log>.
inline CaseRecord ran(const Case& planned, const std::string& log, const Inventory& inventory,
                      std::span<const Screen> screens = {}) {
  return ran_log(planned, project_file("tests/fixtures/" + log), inventory, screens);
}

/// The run began at `start_s` and took `wall_s`.
inline void at(AttemptRecord& attempt, double start_s, double wall_s) {
  attempt.started_s = start_s;
  attempt.wall_s = wall_s;
  attempt.finished_s = start_s + wall_s;
}

/// All five suites with their screens, as `shakedown quick` measured them.
inline CampaignRecord five_suites() {
  CampaignRecord campaign = quick_campaign();
  NodeGroup& group = campaign.inventory.groups[0];
  group.cpu.model = "AMD EPYC";
  group.cpu.base_mhz = 2596;
  group.cpu.fp64_flop_per_cycle = 16;
  campaign.id = "2026-11-22T05-47-05Z-n1";  // the logs of HPL and of the training state when they began
  campaign.created_s = 1795326425;
  double now_s = campaign.created_s + 6;
  std::vector<Screen> screens;
  const auto run = [&](Case planned, const std::string& log, double wall_s,
                       std::vector<Prediction> predicted) {
    planned.predicted = std::move(predicted);
    campaign.cases.push_back(ran(planned, "reports/quick/" + log, campaign.inventory, screens));
    at(campaign.cases.back().attempts[0], now_s, wall_s);
    campaign.finished_s = now_s + wall_s + 0.4;
    now_s += wall_s + 0.7;
    if (planned.suite == "gemm" || planned.suite == "stream")
      screens.push_back({campaign.cases.back().attempts[0].results.at(0).parsed, 1});
  };
  campaign.cases.clear();
  run(reference_case("gemm"), "gemm.out", 6.4, {{"fp64_gflops", 83.08, 41.54, 124.6}});
  run(reference_case("stream"), "stream.out", 2.9, {});
  run(reference_case("hpcg"), "hpcg.txt", 27.2, {{"wall_time_s", 27.3, 22.7, 55.3}});
  run(reference_case("hpl"), "hpl.out", 18.9,
      {{"rmax_gflops", 72.93, 18.23, 156.8}, {"time_s", 23.2, 10.8, 92.6}});
  run(reference_case("hpl-mxp"), "hpl-mxp.out", 23.6, {{"rmax_gflops", 159.5, 31.91, 343}});
  run(reference_case("io500"), "io500.out", 21.9, {{"wall_time_s", 20.8, 1, 57}});
  run(reference_case("mlperf", "shakedown_pretrain"), "pretrain.out", 16.6,
      {{"time_to_train_min", 0.3972, 0.1986, 0.9931}});
  return campaign;
}

inline CaseRecord& case_of(CampaignRecord& campaign, std::string_view suite) {
  for (CaseRecord& record : campaign.cases)
    if (record.planned.suite == suite) return record;
  throw std::runtime_error("no case of " + std::string(suite));
}

inline std::string rendered(std::string_view format, const CampaignRecord& campaign) {
  const Baseline baseline = sakuraone();
  const MeasuredCampaign measured(campaign);
  return rendered(format, measured, judge(measured, &baseline, comparability()).value(), &baseline);
}

/// Of a report's HTML, that is.
inline std::string first_page(const std::string& page) {
  return page.substr(0, page.find("</section>"));
}

/// The text from an element with that id to the next section's end.
inline std::string section(const std::string& page, const std::string& id) {
  const size_t at = page.find("id=\"" + id + "\"");
  if (at == std::string::npos) return "";
  return page.substr(at, page.find("</section>", at) - at);
}

}  // namespace shakedown::fixture
