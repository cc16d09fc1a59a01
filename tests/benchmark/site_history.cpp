// A simulated history for the history page. No machine measured any of it: system, nodes and notes say so.
//   build/<preset>/tests/benchmark_site_history store WORKSPACE [CAMPAIGNS [NODES]]
//     a workspace whose store was filled through the store's own interface: scheduled checks of 4 nodes each,
//     every 40th campaign an acceptance that measures every node and all of them together
//   build/<preset>/tests/benchmark_site_history page FILE [CAMPAIGNS [NODES]]
//     a page of campaigns that each measured every node: more than any store of checks holds
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check_log.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/site/page.hpp"

using namespace shakedown;

namespace {

constexpr double begin_s = 1'640'995'200;  // 2022-01-01
constexpr int nodes_of_check = 4;
constexpr int acceptance_every = 40;
const std::string system_name = "simulated";

/// Ends the program where something can't be done.
template <class T>
T must(Result<T> done) {
  if (!done) {
    std::cerr << to_string(done.error()) << "\n";
    std::exit(4);
  }
  if constexpr (!std::is_void_v<T>) return *std::move(done);
}

struct Machine {
  int campaigns = 2000;
  int nodes = 1000;
  std::mt19937_64 random{20261126};

  [[nodiscard]] double at_s(int campaign) const { return begin_s + campaign * 0.7 * day_s; }
  [[nodiscard]] std::string id(int campaign) const {
    std::string text = utc_text(at_s(campaign));
    for (char& c : text)
      if (c == ':') c = '-';
    return text + "-simulated";
  }
  [[nodiscard]] std::string node(int index) const { return fmt::format("sim{:04}", index + 1); }
  /// Of HPL on all nodes, GFLOP/s.
  [[nodiscard]] double limit() const { return 3400.0 * nodes; }
  /// A node's speed: its own, less after it broke, and all of them more after a new driver.
  double speed(int campaign, int node_index) {
    std::normal_distribution<double> noise(1, 0.004);
    const double own = 1 + 0.006 * std::sin(node_index * 12.9898);
    const double driver = campaign > campaigns / 2 ? 1.021 : 1;
    return own * driver * (is_broken(campaign, node_index) ? 0.94 : 1) * noise(random);
  }
  [[nodiscard]] bool is_broken(int campaign, int node_index) const {
    return node_index % 97 == 13 && campaign > campaigns * 2 / 3;
  }
  /// A check's verdict, as such losses are found: on each broken node.
  [[nodiscard]] std::pair<std::string, std::string> check(int campaign) const {
    int alarms = 0;
    for (int i = 0; i < nodes; ++i) alarms += is_broken(campaign, i) ? 1 : 0;
    if (alarms == 0)
      return {"pass", fmt::format("regression check: no alarm in {} series (simulated)", nodes)};
    return {"fail",
            fmt::format("regression check: alarm: GEMM FP64 rate on {}: 6 % worse, and on {} nodes more "
                        "(simulated)",
                        node(13), alarms - 1)};
  }
};

Case planned_case(const std::string& id, const std::string& suite, const std::string& hosts, int nodes) {
  Case planned;
  planned.id = id;
  planned.suite = suite;
  planned.implementation = "reference";
  planned.parser = suite;
  planned.nodes = nodes;
  planned.hosts = hosts;
  planned.argv = {"/simulated/" + suite};
  planned.parameters = {{"N", std::int64_t{2048}}};
  return planned;
}

AttemptRecord attempt(const Case& planned, double at_s, std::vector<Metric> metrics) {
  AttemptRecord record;
  record.state = AttemptState::finished;
  record.exit_code = 0;
  record.started_s = at_s;
  record.finished_s = at_s + 60;
  record.wall_s = 60;
  record.host = "simulated";
  record.hosts = planned.hosts;
  record.run_folder = planned.id + "/attempt-1";
  ResultRecord result;
  result.parsed.suite = planned.suite;
  result.parsed.implementation = planned.implementation;
  result.parsed.complete = true;
  result.parsed.parameters = planned.parameters;
  result.parsed.metrics = std::move(metrics);
  result.validity = Validity::valid;
  record.results.push_back(result);
  return record;
}

CampaignRecord campaign_of(const Machine& machine, int number) {
  CampaignRecord record;
  record.id = machine.id(number);
  record.system = system_name;
  const bool acceptance = number % acceptance_every == 0;
  record.kind = acceptance ? "acceptance" : std::string(regression_kind);
  record.state = CampaignState::finished;
  record.created_s = machine.at_s(number);
  record.finished_s = record.created_s + 600;
  record.tool_version = "simulated";
  record.note = "simulated: no machine measured this";
  record.inventory.system = system_name;
  NodeGroup group;
  group.hosts = fmt::format("sim[0001-{:04}]", machine.nodes);
  group.memory_bytes = 755LL << 30;
  group.cpu.model = "simulated processor";
  group.cpu.sockets = 2;
  group.cpu.cores = 192;
  record.inventory.groups = {group};
  record.environment.push_back(
      {machine.node(0), "kernel", number > machine.campaigns / 2 ? "6.1.0-26" : "6.1.0-25"});
  if (acceptance) {
    record.criteria_name = "simulated.toml";
    record.criteria_text =
        "title = \"Simulated\"\n[[criteria]]\nid = \"hpl-rmax\"\ntitle = \"HPL reaches its limit\"\nsuite = "
        "\"hpl\"\nmetric = \"rmax_gflops\"\ndirection = \">=\"\nlimit = " +
        fmt::format("{}", machine.limit()) +
        "\nlimit_source = \"simulated\"\naggregation = \"median\"\nseverity = \"mandatory\"\n";
    record.cases.push_back({planned_case("hpl-reference-all", "hpl", group.hosts, machine.nodes), {}});
  }
  const int count = acceptance ? machine.nodes : nodes_of_check;
  for (int i = 0; i < count; ++i) {
    const std::string node = machine.node(acceptance ? i : (number * nodes_of_check + i) % machine.nodes);
    record.cases.push_back({planned_case("gemm-reference-each-" + node, "gemm", node, 1), {}});
    record.cases.push_back({planned_case("stream-reference-each-" + node, "stream", node, 1), {}});
  }
  return record;
}

VerdictRow verdict_of(const CampaignRecord& campaign, double rmax, double limit) {
  if (campaign.kind != "acceptance")
    return {"pass", "regression check: no alarm in 8 series (simulated)", 0, {}};
  const bool good = rmax >= limit;
  return {good ? "pass" : "fail",
          good ? "accepted: 1 of 1 criteria pass (simulated)" : "not accepted: hpl-rmax (simulated)",
          good ? 0 : 1,
          {{"hpl-rmax", "rmax_gflops", "mandatory", good ? "pass" : "fail", 1, rmax, limit,
            good ? "" : "below its limit"}}};
}

void fill(const std::filesystem::path& folder, Machine machine) {
  const Workspace workspace{folder};
  auto database = must(Database::open(workspace.database()));
  must(database.defer_sync(true));
  std::string log;
  for (int number = 0; number < machine.campaigns; ++number) {
    const CampaignRecord record = campaign_of(machine, number);
    must(database.add_campaign(record));
    must(database.add_environment(record.id, record.environment));
    double rmax = 0;
    for (std::size_t i = 0; i < record.cases.size(); ++i) {
      const Case& planned = record.cases[i].planned;
      const int index = planned.nodes == 1 ? std::atoi(planned.hosts.c_str() + 3) - 1 : 1;
      const double speed = machine.speed(number, index);
      std::vector<Metric> metrics;
      if (planned.suite == "gemm") metrics.push_back({"fp64_gflops", 4300 * speed, 1});
      if (planned.suite == "stream") metrics.push_back({"triad_mb_s", 660'000 * speed, 1});
      if (planned.suite == "hpl")
        metrics.push_back({"rmax_gflops", rmax = 3450.0 * machine.nodes * speed, 1});
      must(database.record_attempt(record.id, planned.id,
                                   attempt(planned, record.created_s + static_cast<double>(i), metrics)));
    }
    must(database.record_verdict(record.id, verdict_of(record, rmax, machine.limit())));
  }
  must(append_acceptance(
      workspace, {system_name, machine.id(0), machine.at_s(0) + 7200, "simulation", "simulated", false}));
  for (int i = 13; i < machine.nodes; i += 97 * 3)
    must(append_node_event(workspace, {system_name, machine.node(i), NodeEventKind::reboot,
                                       machine.at_s(machine.campaigns * 3 / 4), "simulation", "simulated"}));
  must(store_declarations(workspace, database));
}

SiteHistory dense_history(Machine machine) {
  SiteHistory history;
  SiteSystem& system = history.systems.emplace_back();
  system.name = system_name;
  MetricSeries series{.suite = "gemm",
                      .implementation = "reference",
                      .nodes = 1,
                      .node_kind = "simulated",
                      .parameters = "N=2048",
                      .metric = "fp64_gflops",
                      .unit = "",
                      .points = {}};
  for (int i = 0; i < machine.nodes; ++i) {
    system.nodes.push_back(machine.node(i));
    system.pods[machine.node(i)] = fmt::format("pod-{:02}", i / 50 + 1);
    system.last_seen[machine.node(i)] = machine.at_s(machine.campaigns - 1);
  }
  for (int number = 0; number < machine.campaigns; ++number) {
    HistoryCampaign& campaign = system.campaigns.emplace_back();
    campaign.id = machine.id(number);
    campaign.system = system_name;
    campaign.kind = regression_kind;
    campaign.state = "finished";
    campaign.created_s = machine.at_s(number);
    campaign.finished_s = campaign.created_s + 600;
    campaign.note = "simulated: no machine measured this";
    campaign.cases = campaign.ended_cases = machine.nodes;
    std::tie(campaign.overall, campaign.sentence) = machine.check(number);
    system.reports.emplace_back();
    for (int i = 0; i < machine.nodes; ++i) {
      series.points.push_back(
          {static_cast<std::uint32_t>(system.series.runs.size()), 4300 * machine.speed(number, i)});
      system.series.runs.push_back(
          {campaign.id, "gemm", 1, campaign.created_s, machine.node(i), Validity::valid, true});
    }
  }
  system.counts.assign(system.series.runs.size(), true);
  system.series.series.push_back(std::move(series));
  return history;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (argc < 3 || (what != "store" && what != "page")) {
    std::cerr << "usage: benchmark_site_history store WORKSPACE|page FILE [CAMPAIGNS [NODES]]\n";
    return 2;
  }
  Machine machine;
  if (argc > 3) machine.campaigns = std::atoi(argv[3]);
  if (argc > 4) machine.nodes = std::atoi(argv[4]);
  const double begin = steady_s();
  if (what == "store") {
    must(make_folder(argv[2]));
    fill(argv[2], machine);
  } else {
    const SiteHistory history = dense_history(machine);
    const SiteDocument document = site_document(history);
    must(write_file(argv[2], must(site_page(site_template(), "template", history, document))));
  }
  std::cout << fmt::format("{} campaigns, {} nodes, simulated: {:.1f} s\n", machine.campaigns, machine.nodes,
                           steady_s() - begin);
  return 0;
}
