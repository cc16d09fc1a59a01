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
         "[[waivers]]\ncriterion = 'io500-valid'\nreason = 'a short run was agreed; the full one follows on "
         "the second metadata server'\n"
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
  for (ResultRecord& result : record.attempts[0].results) put(result.parsed.parameters);
  for (Reason& each : record.planned.why) {
    if (each.what == "N") each = {"N", N, "13 % of the memory, down to a multiple of NB = 192", "memory"};
    if (each.what == "P")
      each = {"P", P, "squarest grid of " + std::to_string(2 * nodes) + " ranks with P <= Q", "HPL grid"};
  }
}

/// HPL on `nodes` nodes.
inline CaseRecord hpl_on(const std::string& id, int nodes, const std::string& hosts, double gflops) {
  CaseRecord record = hpl_case(gflops);
  record.planned.id = id;
  record.planned.implementation = "netlib";
  record.planned.nodes = nodes;
  record.planned.hosts = hosts;
  record.planned.ranks = 2 * nodes;
  record.attempts[0].run_folder = id + "/attempt-1";
  record.attempts[0].host = hosts;
  for (ResultRecord& result : record.attempts[0].results) result.parsed.implementation = "netlib";
  if (nodes > 1) put_grid(record, nodes);
  return record;
}

inline AttemptRecord lost_attempt(const std::string& case_id, int index, const std::string& why) {
  AttemptRecord lost = attempt(index, case_id, {});
  lost.state = AttemptState::lost;
  lost.exit_code.reset();
  lost.results.clear();
  lost.files.clear();
  lost.failure = why;
  lost.failure_kind = FailureKind::node_failure;
  return lost;
}

inline CampaignRecord hundred_nodes() {
  CampaignRecord campaign = quick_campaign();
  campaign.kind = "acceptance";
  campaign.system = "northern";
  campaign.id = "2026-11-21T18-05-09Z-northern";
  campaign.criteria_text = hundred_criteria();
  campaign.criteria_name = "acceptance.toml";
  campaign.config_text =
      "title = 'Acceptance of northern'\n[report]\nvendor = 'Example Systems Ltd'\n"
      "customer = 'Example University'\nsite = 'Hall 2, Example City'\ncontract = '2026-114, annex 2'\n"
      "tester = 'A. Example'\n[[runs]]\nsuite = 'hpl'\n";
  campaign.scheduler = "slurm";
  NodeGroup& group = campaign.inventory.groups[0];
  group.name = "compute";
  group.hosts = "cn[001-100]";
  campaign.inventory.pods = {{"pod-a", "cn[001-050]"}, {"pod-b", "cn[051-100]"}};
  campaign.cases.clear();
  for (const bool screen : {true, false})
    for (int i = 1; i <= 100; ++i) {
      const double part = 1 + 0.004 * ((i * (screen ? 37 : 53) % 21) - 10) / 10;
      CaseRecord record = screen ? gemm_case(111.2 * part)
                                 : hpl_on("hpl-netlib-1n-" + node_name(i), 1, node_name(i), 92.8 * part);
      record.planned.id = (screen ? "gemm-reference-1n-" : "hpl-netlib-1n-") + node_name(i);
      record.planned.hosts = node_name(i);
      record.planned.bound = true;
      record.attempts[0].run_folder = record.planned.id + "/attempt-1";
      record.attempts[0].started_s = 1795284309 + (screen ? 0 : 120) + i;
      record.attempts[0].finished_s = record.attempts[0].started_s + 40;
      if (!screen && i == 17) record.attempts[0].results[0].parsed.metrics[0].value = 85.1;
      if (!screen && i == 42)
        record.attempts = {lost_attempt(record.planned.id, 1, "node failure, on cn042")};
      if (!screen && i == 63) record.attempts[0].conditions->foreign_cores = 0.8;
      campaign.cases.push_back(std::move(record));
    }
  for (int repeat = 2; repeat <= 4; ++repeat) {
    CaseRecord record =
        hpl_on("hpl-netlib-1n-cn017-r" + std::to_string(repeat), 1, "cn017", 85.0 + 0.1 * repeat);
    record.planned.repetition = repeat;
    record.planned.bound = true;
    campaign.cases.push_back(std::move(record));
  }
  campaign.exclusions = {{"cn042", "node failure", 1795284600}};
  for (const auto& [nodes, gflops] : {std::pair(25, 2210.0), std::pair(50, 4310.0), std::pair(99, 8290.0)}) {
    const std::string id = "hpl-netlib-" + std::to_string(nodes) + "n";
    CaseRecord record =
        hpl_on(id, nodes, nodes == 99 ? "cn[001-041,043-100]" : "cn[001-" + node_name(nodes).substr(2) + "]",
               gflops);
    record.attempts[0].started_s = 1795284800 + 60 * nodes;
    record.attempts[0].finished_s = record.attempts[0].started_s + 300;
    record.planned.predicted = {{"rmax_gflops", gflops * 1.03, gflops * 0.95, gflops * 1.1}};
    if (nodes == 50) {
      record.attempts[0].index = 2;
      record.attempts.insert(record.attempts.begin(),
                             lost_attempt(id, 1, "the job was requeued: node failure"));
    }
    campaign.cases.push_back(std::move(record));
  }
  for (const auto& [suite, log] : {std::pair("hpcg", "hpcg.txt"), std::pair("io500", "io500.out")})
    campaign.cases.push_back(
        ran(reference_case(suite), std::string("reports/quick/") + log, campaign.inventory));
  campaign.cases.push_back(
      ran(reference_case("mlperf", "shakedown_pretrain"), "reports/quick/pretrain.out", campaign.inventory));
  campaign.created_s = 1795284300;
  double last_s = 0;
  for (CaseRecord& record : campaign.cases) {
    if (record.planned.hosts == "n1") record.planned.hosts = "cn001";
    for (AttemptRecord& each : record.attempts) {
      if (each.host == "n1") each.host = "cn001";
      last_s = std::max(last_s, each.finished_s);
    }
  }
  campaign.finished_s = last_s;
  campaign.inventory.source = "discovered on 100 nodes of Slurm's partition compute";
  return campaign;
}

}  // namespace shakedown::fixture
