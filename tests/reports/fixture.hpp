#pragma once
#include <string>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "reports/formats/format.hpp"
#include "reports/judge/judgement.hpp"
#include "tests/reports/simulated_runs.hpp"

/// Hand-built campaigns for the tests of judging and reporting.
namespace shakedown::fixture {

inline std::string project_file(const std::string& name) {
  return file_content(std::string(PROJECT_FOLDER) + "/" + name).value();
}

inline Baseline sakuraone() {
  return read_baseline(std::string(PROJECT_FOLDER) + "/reports/baselines/sakuraone.toml").value();
}

inline std::string comparability() {
  return project_file("reports/compare/comparability.toml");
}

inline NodeGroup node() {
  NodeGroup group;
  group.name = "nodes";
  group.hosts = "n1";
  group.cpu = {.model = "Intel Xeon Platinum 8481C",
               .vendor = "GenuineIntel",
               .architecture = "x86_64",
               .sockets = 1,
               .cores = 2,
               .threads_per_core = 1,
               .numa_nodes = 1,
               .vector_extension = "avx512",
               .base_mhz = 2000,
               .base_mhz_source = "",
               .max_mhz = 0,
               .fp64_flop_per_cycle = 32,
               .fp64_source = "",
               .caches = {}};
  group.memory_bytes = std::int64_t{16} << 30;
  group.usable.cores = 2;
  group.usable.hardware_threads = 2;
  group.usable.memory_bytes = std::int64_t{16} << 30;
  group.software = {.os = "Debian GNU/Linux 12 (bookworm)",
                    .kernel = "6.1.0-23-amd64",
                    .firmware = "",
                    .board = "KVM",
                    .gpu_driver = "",
                    .virtualisation = "kvm"};
  return group;
}

inline RuleResult rule(std::string id, std::string title, RuleStatus status, std::string value, int line,
                       Severity severity = Severity::validity) {
  return {.id = std::move(id),
          .title = std::move(title),
          .source = "netlib HPL FAQ; HPL.dat",
          .severity = severity,
          .status = status,
          .value = std::move(value),
          .line = line,
          .text = ""};
}

inline ResultRecord hpl_result(double gflops, double seconds) {
  ResultRecord result;
  result.parsed.suite = "hpl";
  result.parsed.implementation = "reference";
  result.parsed.version = "0.1.0";
  result.parsed.complete = true;
  result.parsed.parameters = {
      {"N", std::int64_t{16896}}, {"NB", std::int64_t{192}}, {"P", std::int64_t{1}}, {"Q", std::int64_t{2}}};
  result.parsed.metrics = {{"rmax_gflops", gflops, 38}, {"time_s", seconds, 38}, {"residual", 2.35e-3, 44}};
  result.rules = {
      rule("HPL-01", "The precision is FP64, without iterative refinement", RuleStatus::pass, "fp64", 3),
      rule("HPL-03", "The scaled residual is below 16.0 and the check says PASSED", RuleStatus::pass,
           "2.35e-03, PASSED", 44),
      rule("HPL-04", "GFLOP/s follow from N and time", RuleStatus::pass, "off by 1.2e-05", 38),
      rule("HPL-05", "P x Q is the number of ranks", RuleStatus::pass, "1 x 2 = 2", 38),
      rule("HPL-06c", "The matrix fills at least 70 % of memory", RuleStatus::fail, "13 %", 41,
           Severity::warning),
      rule("HPL-07a", "Rmax does not exceed the theoretical peak", RuleStatus::unknown, "", 0,
           Severity::eligibility)};
  result.rules[4].text = "a small N under-reports the rate";
  result.rules[5].text = "the log does not say the peak";
  result.validity = Validity::valid;
  return result;
}

inline FileRecord file(std::string name, std::string text) {
  return {.name = std::move(name),
          .sha256 = sha256(text),
          .bytes = static_cast<std::int64_t>(text.size()),
          .excerpt = std::move(text)};
}

inline FileRecord job_script(const std::string& case_id) {
  return file("job.sh", "#!/bin/sh\n# " + case_id + "\nexec ./program >stdout.log 2>stderr.log\n");
}

/// A run that began `index` minutes after its campaign. HPL's log is one of that result.
inline AttemptRecord attempt(int index, const std::string& case_id, ResultRecord result) {
  AttemptRecord attempt;
  attempt.index = index;
  attempt.state = AttemptState::finished;
  attempt.exit_code = 0;
  attempt.started_s = 1795284309 + 60.0 * index;
  attempt.wall_s = 36.4;
  attempt.finished_s = attempt.started_s + attempt.wall_s;
  attempt.host = "n1";
  attempt.run_folder = case_id + "/attempt-" + std::to_string(index);
  attempt.conditions = Conditions{
      .cores = 2, .steal_ratio = 0.004, .foreign_cores = 0.03, .job_cores = 1.96, .load_before = 0.1};
  std::string log = "shakedown " + result.parsed.suite + " reference 0.1.0\n";
  if (const Metric* rate = result.parsed.metric("rmax_gflops"); rate && result.parsed.suite == "hpl")
    log = hpl_log({.program = "reference", .gflops = rate->value, .start_s = attempt.started_s + 0.8});
  attempt.results.push_back(std::move(result));
  attempt.files = {file("HPL.dat", "HPLinpack benchmark input file\n"), job_script(case_id),
                   file("stdout.log", std::move(log))};
  return attempt;
}

inline CaseRecord gemm_case(double gflops = 111.2, double spread_pct = 1.3) {
  CaseRecord record;
  Case& planned = record.planned;
  planned.id = "gemm-reference-1n";
  planned.suite = "gemm";
  planned.implementation = "reference";
  planned.parser = "gemm";
  planned.threads_per_rank = 2;
  planned.hosts = "n1";
  planned.parameters = {{"n", std::int64_t{2048}}, {"repetitions", std::int64_t{3}}};
  ResultRecord result;
  result.parsed.suite = "gemm";
  result.parsed.implementation = "reference";
  result.parsed.complete = true;
  result.parsed.metrics = {{"fp64_gflops", gflops, 7}, {"spread_pct", spread_pct, 8}};
  record.attempts.push_back(attempt(1, planned.id, std::move(result)));
  record.attempts.back().files = {job_script(planned.id), file("stdout.log", gemm_log(gflops, planned.id))};
  return record;
}

inline CaseRecord hpl_case(double gflops = 93.182) {
  CaseRecord record;
  Case& planned = record.planned;
  planned.id = "hpl-reference-1n";
  planned.suite = "hpl";
  planned.implementation = "reference";
  planned.parser = "hpl";
  planned.ranks = 2;
  planned.ranks_per_node = 2;
  planned.hosts = "n1";
  planned.parameters = {
      {"N", std::int64_t{16896}}, {"NB", std::int64_t{192}}, {"P", std::int64_t{1}}, {"Q", std::int64_t{2}}};
  planned.why = {{"N", std::int64_t{16896}, "60 s at 93 GFLOP/s allow 16911, down to a multiple of NB = 192",
                  "run time"},
                 {"NB", std::int64_t{192}, "192 suits AVX-512 cores with this BLAS",
                  "tuning table of the implementation"},
                 {"P", std::int64_t{1}, "squarest grid of 2 ranks with P <= Q", "HPL grid"}};
  planned.predicted = {{"rmax_gflops", 91, 82, 100}, {"time_s", 35.3, 32, 39}};
  planned.model.text = "N^3 at 0.82 of measured GEMM";
  planned.time_limit_s = 180;
  record.attempts.push_back(attempt(1, planned.id, hpl_result(gflops, HplRun{.gflops = gflops}.seconds())));
  return record;
}

/// A valid result of one metric on n1, by the suite's reference program.
inline CaseRecord case_of(const std::string& suite, const std::string& metric, double value) {
  CaseRecord record;
  record.planned.id = suite + "-reference-1n";
  record.planned.suite = suite;
  record.planned.implementation = "reference";
  record.planned.hosts = "n1";
  ResultRecord result;
  result.parsed.suite = suite;
  result.parsed.implementation = "reference";
  result.parsed.complete = true;
  result.parsed.metrics = {{metric, value, 4}};
  result.validity = Validity::valid;
  record.attempts.push_back(attempt(1, record.planned.id, std::move(result)));
  return record;
}

/// The campaign of `shakedown quick` on a quiet machine, with good results.
inline CampaignRecord quick_campaign() {
  CampaignRecord campaign;
  campaign.id = "2026-11-21T18-05-09Z-n1";
  campaign.system = "n1";
  campaign.kind = "screening";
  campaign.state = CampaignState::finished;
  campaign.created_s = 1795284309;
  campaign.finished_s = 1795284430;
  campaign.tool_version = "0.1.0";
  campaign.inventory.system = "n1";
  campaign.inventory.source = "discovered on n1";
  campaign.inventory.groups = {node()};
  campaign.inventory.notes = {"no NVIDIA driver: zero GPUs"};
  campaign.criteria_text = project_file("reports/criteria/quick.toml");
  campaign.criteria_name = "quick.toml";
  campaign.baseline_name = "sakuraone";
  campaign.cases = {gemm_case(), hpl_case()};
  campaign.environment = {{"n1", "kernel", "6.1.0-23-amd64"},
                          {"n1", "version /usr/bin/mpirun", "mpirun (Open MPI) 4.1.4"},
                          {"n1", "sha256 /lib/x86_64-linux-gnu/libopenblas.so.0",
                           "1ca8d1b6b1cc5ec1a2ccb86ed9ea7bd70d6ec6d4d2b1f1f4dc2cc0d9ad2ab7c8  "
                           "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so"},
                          {"n1", "compiler /opt/shakedown/kernels", "GCC: (Debian 12.2.0-14) 12.2.0"}};
  return campaign;
}

/// What a run on one machine takes beside the time that its program reports, and that time.
inline double wall_of(const AttemptRecord& attempt) {
  for (const ResultRecord& result : attempt.results) {
    double reported = 0;
    for (const auto& [metric, seconds] :
         {std::pair("time_s", 1.0), std::pair("timed_s", 1.0), std::pair("wall_time_s", 1.0),
          std::pair("time_to_train_min", 60.0)})
      if (const Metric* found = result.parsed.metric(metric))
        reported = std::max(reported, seconds * found->value);
    if (reported > 0) return reported + 1.9;
  }
  return attempt.wall_s;
}

/// The attempts of a campaign on one machine, one after the other; each takes the time that it reports.
inline void in_turn(CampaignRecord& campaign) {
  double now_s = campaign.created_s + 2.1;
  for (CaseRecord& record : campaign.cases)
    for (AttemptRecord& each : record.attempts) {
      each.started_s = now_s;
      each.wall_s = wall_of(each);
      each.finished_s = now_s + each.wall_s;
      now_s = each.finished_s + 0.7;
    }
  campaign.finished_s = now_s;
}

inline CaseRecord& gemm(CampaignRecord& campaign) {
  return campaign.cases[0];
}
inline CaseRecord& hpl(CampaignRecord& campaign) {
  return campaign.cases[1];
}

inline Judgement judged(const CampaignRecord& campaign) {
  const Baseline baseline = sakuraone();
  return judge(MeasuredCampaign(campaign), &baseline, comparability()).value();
}

inline std::string rendered(std::string_view format, const MeasuredCampaign& campaign,
                            const Judgement& judgement, const Baseline* baseline = nullptr) {
  for (const ReportFormat* each : report_formats())
    if (each->id == format) return each->render({campaign, judgement, baseline}).value();
  throw std::runtime_error("no such format");
}

inline const CriterionResult& criterion(const Judgement& judgement, std::string_view id) {
  for (const CriterionResult& result : judgement.criteria)
    if (result.id == id) return result;
  throw std::runtime_error("no criterion " + std::string(id));
}

/// HPL by NVIDIA's build on 98 nodes of 8 GPUs.
inline CampaignRecord sakuraone_again() {
  CampaignRecord campaign = quick_campaign();
  Gpu gpu;
  gpu.model = "NVIDIA H100 80GB HBM3";
  gpu.memory_bytes = 84943715696;  // 79.11 GiB
  campaign.inventory.groups[0].gpus.assign(8, gpu);
  CaseRecord& record = hpl(campaign);
  record = hpl_case(33000000);
  record.planned.implementation = "nvidia";
  record.planned.nodes = 98;
  record.planned.ranks = 784;
  ResultRecord& result = record.attempts[0].results[0];
  result.parsed.parameters[0].value = std::int64_t{2706432};
  result.rules.push_back(
      rule("HPL-02", "FP64 is computed by the hardware", RuleStatus::pass, "version 24.9", 1));
  return campaign;
}

/// The section "Results and criteria" of a page.
inline std::string results_section(const std::string& page) {
  const std::size_t begin = page.find("<section aria-labelledby=\"results\">");
  return begin == std::string::npos ? "" : page.substr(begin, page.find("</section>", begin) - begin);
}

}  // namespace shakedown::fixture
