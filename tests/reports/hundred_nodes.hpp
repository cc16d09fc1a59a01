#pragma once
#include <algorithm>
#include <cmath>
#include <string>

#include "tests/reports/five_suites.hpp"

/// The acceptance of 100 nodes in two pods, with all that may happen on the way: a node that fails and is
/// excluded, a slow node that is measured again, a run that is lost and retried, a disturbed one, a waiver, a
/// criterion that fails.
namespace shakedown::fixture {

inline std::string node_name(int number) {
  return "cn" + std::string(number < 10 ? "00" : number < 100 ? "0" : "") + std::to_string(number);
}

inline std::string hundred_criteria() {
  const auto row = [](const std::string& id, const std::string& title, const std::string& suite,
                      const std::string& metric, const std::string& limit, const std::string& more = "") {
    return "[[criteria]]\nid = '" + id + "'\ntitle = '" + title + "'\nsuite = '" + suite + "'\nmetric = '" +
           metric + "'\n" +
           (limit.empty() ? "" : "direction = '>='\naggregation = 'every'\nlimit = " + limit + "\n") +
           "severity = 'mandatory'\nlimit_source = 'contract, annex 2'\n" + more + "\n";
  };
  return "title = 'Contract 2026-114, annex 2'\n"
         "[disturbance.load]\nlimit = 1.05\nreason = 'contract, annex 2'\n" +
         row("hpl-valid", "HPL passes its residual check", "hpl", "validity", "") +
         row("hpl-rate", "Each node reaches 88 GFLOP/s with HPL", "hpl", "rmax_gflops", "88",
             "each_node = true\n") +
         row("hpcg-valid", "HPCG passes its own tests", "hpcg", "validity", "") +
         row("io500-valid", "IO500 runs its twelve phases and is valid", "io500", "validity", "") +
         row("training-valid", "Training reaches its target", "mlperf", "validity", "") +
         row("gemm-rate", "GEMM reaches 100 GFLOP/s on every node", "gemm", "fp64_gflops", "100",
             "each_node = true\n") +
         "[[waivers]]\ncriterion = 'io500-valid'\nreason = 'a short run was agreed; the full one follows'\n"
         "approver = 'acceptance board'\nexpires = 2027-03-31\n";
}

/// N, P and Q that grow with the nodes: as full a memory on each, the squarest grid of two ranks a node.
inline void put_grid(CaseRecord& record, int nodes) {
  std::int64_t P = 1;
  for (std::int64_t each = 1; each * each <= 2 * nodes; ++each)
    if (2 * nodes % each == 0) P = each;
  const std::int64_t N = static_cast<std::int64_t>(16896 * std::sqrt(nodes)) / 192 * 192;
  const auto put = [&](std::vector<Parameter>& list) {
    for (Parameter& each : list)
      if (each.name == "N")
        each.value = N;
      else if (each.name == "P" || each.name == "Q")
        each.value = each.name == "P" ? P : 2 * nodes / P;
  };
  put(record.planned.parameters);
  for (Reason& each : record.planned.why) {
    if (each.what == "N") each = {"N", N, "13 % of the memory, down to a multiple of NB = 192", "memory"};
    if (each.what == "P")
      each = {"P", P, "squarest grid of " + std::to_string(2 * nodes) + " ranks with P <= Q", "HPL grid"};
  }
}

/// HPL by netlib's program on `hosts`; its log states the time that `gflops` gives.
inline CaseRecord hpl_on(const std::string& id, int nodes, const std::string& hosts, double gflops,
                         double start_s, const Inventory& inventory, std::span<const Screen> screens = {}) {
  CaseRecord record = hpl_case(gflops);
  Case& planned = record.planned;
  planned.id = id;
  planned.implementation = "netlib";
  planned.nodes = nodes;
  planned.hosts = hosts;
  planned.bound = nodes == 1;
  planned.ranks = 2 * nodes;
  if (nodes > 1) put_grid(record, nodes);
  HplRun run;
  for (const auto& [name, value] : {std::pair("N", &run.N), {"P", &run.P}, {"Q", &run.Q}})
    for (const Parameter& each : planned.parameters)
      if (each.name == name) *value = std::get<std::int64_t>(each.value);
  run.gflops = gflops;
  run.start_s = start_s + 0.9;
  run.residual = 2.4e-3 * (1 + 0.2 * deviate(id + " residual"));
  if (nodes > 1) {
    const double expected = 91.0 * nodes * (1 - 0.012 * std::log2(nodes));
    const double expected_s = run.seconds() * gflops / expected;
    planned.predicted = {{"rmax_gflops", expected, expected * 0.93, expected * 1.08},
                         {"time_s", expected_s, expected_s * 0.93, expected_s * 1.08}};
    planned.time_limit_s = 60 * std::ceil(expected_s / 20);
  }
  record.attempts = ran_log(planned, hpl_log(run), inventory, screens).attempts;
  AttemptRecord& made = record.attempts[0];
  made.files.insert(made.files.begin(), file("HPL.dat", "HPLinpack benchmark input file\n"));
  at(made, start_s, run.seconds() + 2.2 + 0.1 * std::abs(deviate(id + " start")));
  made.conditions->foreign_cores = 0.02 + 0.006 * std::abs(deviate(id + " load"));
  made.conditions->steal_ratio = 0.002 + 0.001 * std::abs(deviate(id + " steal"));
  return record;
}

inline AttemptRecord lost_attempt(const std::string& case_id, int index, const std::string& why) {
  AttemptRecord lost = attempt(index, case_id, {});
  lost.state = AttemptState::lost;
  lost.exit_code.reset();
  lost.results.clear();
  lost.files = {job_script(case_id)};
  lost.failure = why;
  lost.failure_kind = FailureKind::node_failure;
  return lost;
}

/// The node's run of GEMM, which its other runs are set beside.
inline Screen screen_of(const CampaignRecord& campaign, int number) {
  return {campaign.cases.at(static_cast<std::size_t>(number) - 1).attempts[0].results.at(0).parsed, 1};
}

/// GEMM and HPL on each node, a minute and a half in all; nodes differ by half a per cent.
inline void add_each_node(CampaignRecord& campaign) {
  const double start_s = campaign.created_s + 20;
  for (int i = 1; i <= 100; ++i) {
    const std::string node = node_name(i);
    Case planned = gemm_case().planned;
    planned.id = "gemm-reference-1n-" + node;
    planned.hosts = node;
    planned.bound = true;
    planned.ranks = planned.ranks_per_node = 2;
    planned.threads_per_rank = 1;
    const double gflops = 111.2 * (1 + 0.003 * deviate(planned.id));
    CaseRecord record = ran_log(planned, gemm_log(gflops, node), campaign.inventory);
    at(record.attempts[0], start_s + 0.2 * i, 6.1 + 0.2 * std::abs(deviate(node + " gemm")));
    campaign.cases.push_back(std::move(record));
  }
  for (int i = 1; i <= 100; ++i) {
    const std::vector<Screen> screens = {screen_of(campaign, i)};
    const std::string node = node_name(i);
    const std::string id = "hpl-netlib-1n-" + node;
    const double gflops = i == 17 ? 85.12 : i == 63 ? 80.35 : 92.8 * (1 + 0.004 * deviate(id));
    CaseRecord record = hpl_on(id, 1, node, gflops, start_s + 40 + 0.2 * i, campaign.inventory, screens);
    if (i == 63) record.attempts[0].conditions->foreign_cores = 0.8;
    if (i == 42) {
      const double began_s = record.attempts[0].started_s;
      record.attempts = {lost_attempt(id, 1, "node failure, on cn042")};
      at(record.attempts[0], began_s, 21.4);
      campaign.exclusions = {{"cn042", "node failure", began_s + 22}};
    }
    campaign.cases.push_back(std::move(record));
  }
}

inline CampaignRecord hundred_nodes() {
  CampaignRecord campaign = quick_campaign();
  campaign.kind = "acceptance";
  campaign.system = "northern";
  campaign.id = "2026-11-22T05-25-15Z-northern";
  campaign.created_s = 1795325115;  // so that the training begins when its log says
  campaign.criteria_text = hundred_criteria();
  campaign.criteria_name = "acceptance.toml";
  campaign.config_text =
      "title = 'Acceptance of northern'\n[report]\nvendor = 'Example Systems Ltd'\n"
      "customer = 'Example University'\nsite = 'Hall 2, Example City'\ncontract = '2026-114, annex 2'\n"
      "tester = 'A. Example'\ncooling = 'direct liquid, 32 °C'\npower = 'N+1 supplies'\n"
      "[[runs]]\nsuite = 'hpl'\n";
  campaign.scheduler = "slurm";
  campaign.inventory.source = "discovered on 100 nodes of Slurm's partition compute";
  NodeGroup& group = campaign.inventory.groups[0];
  group.name = "compute";
  group.hosts = "cn[001-100]";
  Nic nic;
  nic.name = "ib0";
  nic.driver = "mlx5_core";
  nic.speed_gb_s = 200;
  nic.rdma_device = "mlx5_0";
  nic.state = "up";
  nic.firmware = "20.39.2048";
  group.nics = {nic};
  group.mounts = {{"/scratch", "lustre", "mgs@o2ib:/scratch", 800'000'000'000'000, 0, true}};
  group.software.firmware = "Example Systems 2.14, 2026-05-11";
  campaign.inventory.fabric.technology = "InfiniBand HDR";
  campaign.inventory.fabric.topology = "fat tree";
  campaign.inventory.fabric.leaf_switches = 4;
  campaign.inventory.fabric.spine_switches = 2;
  Storage scratch;
  scratch.name = "scratch";
  scratch.type = "lustre";
  scratch.mount = "/scratch";
  scratch.servers = 4;
  campaign.inventory.storage = {scratch};
  campaign.inventory.pods = {{"pod-a", "cn[001-050]"}, {"pod-b", "cn[051-100]"}};
  campaign.cases.clear();
  add_each_node(campaign);
  const std::vector<Screen> screens = {screen_of(campaign, 17)};
  double now_s = campaign.created_s + 130;
  const auto follow = [&](CaseRecord record, double wall_s) {
    at(record.attempts.back(), now_s, wall_s);
    now_s += wall_s + 4;
    campaign.cases.push_back(std::move(record));
  };
  for (int repeat = 2; repeat <= 4; ++repeat) {
    const std::string id = "hpl-netlib-1n-cn017-r" + std::to_string(repeat);
    CaseRecord record =
        hpl_on(id, 1, "cn017", 85.2 * (1 + 0.002 * deviate(id)), now_s, campaign.inventory, screens);
    record.planned.repetition = repeat;
    record.planned.bound = record.planned.confirms = true;
    const double wall_s = record.attempts[0].wall_s;
    follow(std::move(record), wall_s);
  }
  for (const auto& [nodes, hosts, gflops] :
       {std::tuple(25, "cn[001-025]", 2213.4), std::tuple(50, "cn[001-041,043-051]", 4307.8),
        std::tuple(99, "cn[001-041,043-100]", 8264.9)}) {
    const std::string id = "hpl-netlib-" + std::to_string(nodes) + "n";
    AttemptRecord lost = lost_attempt(id, 1, "the job was preempted");
    lost.failure_kind = FailureKind::preempted;
    if (nodes == 50) {
      at(lost, now_s, 57.3);
      now_s += 90;
    }
    CaseRecord record = hpl_on(id, nodes, hosts, gflops, now_s, campaign.inventory, screens);
    const double wall_s = record.attempts[0].wall_s;
    if (nodes == 50) {
      record.attempts[0].index = 2;
      record.attempts[0].run_folder = id + "/attempt-2";
      record.attempts.insert(record.attempts.begin(), lost);
    }
    follow(std::move(record), wall_s);
  }
  const auto own = [&](Case planned, const std::string& log, double wall_s) {
    planned.hosts = "cn001";
    follow(ran_log(planned, log, campaign.inventory), wall_s);
  };
  own(reference_case("hpcg"), project_file("tests/fixtures/reports/quick/hpcg.txt"), 27.2);
  own(reference_case("io500"), project_file("tests/fixtures/reports/quick/io500.out"), 21.9);
  own(reference_case("mlperf", "shakedown_pretrain"),
      with_values(project_file("tests/fixtures/reports/quick/pretrain.out"),
                  {{"AMD EPYC", "Intel Xeon Platinum 8481C"}}),
      16.6);
  campaign.finished_s = now_s;
  return campaign;
}

}  // namespace shakedown::fixture
