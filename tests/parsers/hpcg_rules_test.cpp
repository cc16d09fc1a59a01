#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

/// The rules that fail on a log's only result.
std::vector<std::string> hpcg_broken(std::string_view text, Severity severity = Severity::validity) {
  const auto results = parsed(text);
  REQUIRE(results.size() == 1);
  std::vector<std::string> ids;
  for (const RuleResult& rule : judge(results.front()).rules)
    if (rule.status == RuleStatus::fail && rule.severity == severity) ids.emplace_back(rule.id);
  return ids;
}

using HpcgRulesIds = std::vector<std::string>;

RuleResult hpcg_rules_found(const std::string& name, std::string_view id) {
  return rule(judge(parsed(fixture("hpcg/" + name)).front()), id);
}

std::string valid() {
  return fixture("hpcg/official-valid.txt");
}

/// A case, an inventory and a result that agree, to be put at odds.
struct HpcgRulesScene {
  ParsedResult result = parsed(valid()).front();
  Case planned;
  Inventory inventory;
  std::vector<Screen> screens;

  HpcgRulesScene() {
    planned.nodes = 2;
    planned.ranks = 16;
    planned.hosts = "node[1-2]";
    for (const auto& [name, value] :
         {std::pair{"npx", 4}, {"npy", 2}, {"npz", 2}, {"nx", 104}, {"ny", 104}, {"nz", 104}, {"rt", 1830}})
      planned.parameters.push_back({name, std::int64_t{value}});
    NodeGroup group;
    group.hosts = "node[1-2]";
    group.memory_bytes = 16'000'000'000;
    inventory.groups = {group};
  }

  [[nodiscard]] RuleResult judge(std::string_view id) const {
    Evidence evidence;
    evidence.result = &result;
    evidence.planned = &planned;
    evidence.inventory = &inventory;
    evidence.screens = screens;
    return rule(judged(evidence), id);
  }
};

}  // namespace

TEST_CASE("a sound HPCG report breaks no validity rule, and what it can't tell stays unknown") {
  const auto judged = judge(parsed(valid()).front());
  CHECK(judged.validity == Validity::valid);
  for (const char* id : {"HPCG-01",  "HPCG-01b", "HPCG-02",  "HPCG-02b", "HPCG-04a", "HPCG-04b", "HPCG-04c",
                         "HPCG-04d", "HPCG-04e", "HPCG-05a", "HPCG-05b", "HPCG-05c", "HPCG-05d", "HPCG-06a",
                         "HPCG-06b", "HPCG-06c", "HPCG-06d", "HPCG-06e", "HPCG-06f", "HPCG-06g", "HPCG-06h",
                         "HPCG-06i", "HPCG-08b", "HPCG-08c", "HPCG-09"}) {
    INFO(id);
    CHECK(rule(judged, id).status == RuleStatus::pass);
  }
  CHECK(rule(judged, "HPCG-07").status == RuleStatus::not_applicable);
  for (const char* id : {"HPCG-03", "HPCG-04f"}) {
    INFO(id);
    CHECK(rule(judged, id).status == RuleStatus::unknown);
    CHECK_FALSE(rule(judged, id).text.empty());
  }
}

TEST_CASE("HPCG-01: only VALID with tests that passed is valid") {
  CHECK(hpcg_rules_found("official-valid.txt", "HPCG-01").value ==
        "VALID, 5.45273 GFLOP/s; passed: spectral convergence, symmetry, iteration count, reproducibility");
  CHECK(hpcg_rules_found("official-invalid.txt", "HPCG-01").status == RuleStatus::fail);
  CHECK(hpcg_rules_found("rochpcg.out", "HPCG-01").status == RuleStatus::unknown);
  CHECK(hpcg_rules_found("iterations-log.txt", "HPCG-01").status == RuleStatus::unknown);
  CHECK(hpcg_broken(replaced(valid(), "Reproducibility Information::Result=PASSED",
                             "Reproducibility Information::Result=FAILED")) == HpcgRulesIds{"HPCG-01"});
}

TEST_CASE("HPCG-01b: a test does not pass with values that fail it") {
  CHECK(hpcg_broken(replaced(valid(), "Departure for MG=4.35551e-07", "Departure for MG=71.4819")) ==
        HpcgRulesIds{"HPCG-01b"});
  CHECK(hpcg_broken(replaced(valid(), "Unpreconditioned::Maximum iteration count=11",
                             "Unpreconditioned::Maximum iteration count=13")) == HpcgRulesIds{"HPCG-01b"});
  CHECK(hpcg_broken(replaced(valid(), "Scaled residual variance=0", "Scaled residual variance=0.002")) ==
        HpcgRulesIds{"HPCG-01b"});
  CHECK(hpcg_rules_found("rochpcg.out", "HPCG-01b").status == RuleStatus::unknown);
}

TEST_CASE("HPCG-02: an official run takes 1800 s, or what its report asks for") {
  CHECK(hpcg_rules_found("official-valid.txt", "HPCG-02").value == "1832.42 s of 1800");
  const auto quick = hpcg_rules_found("official-quick-path.txt", "HPCG-02");
  CHECK(quick.status == RuleStatus::fail);
  CHECK(quick.value == "1.55399 s of 1800, QuickPath");
  CHECK(hpcg_rules_found("rochpcg-summary.out", "HPCG-02").status == RuleStatus::unknown);
  const std::string early = fixture("hpcg/nested-2.4.out");
  CHECK(rule(judge(parsed(early).front()), "HPCG-02").status == RuleStatus::pass);
}

TEST_CASE("HPCG-02b: the end of the report tells of the same time") {
  const std::string text = fixture("hpcg/official-too-short.txt");
  CHECK(hpcg_broken(replaced(text, "execution time (sec) is=9.49299", "execution time (sec) is=9.59299")) ==
        HpcgRulesIds{"HPCG-02b"});
  CHECK(hpcg_rules_found("official-invalid.txt", "HPCG-02b").status == RuleStatus::unknown);
}

TEST_CASE("HPCG-03: the memory is the hosts' for a CPU's run") {
  HpcgRulesScene scene;
  CHECK(scene.judge("HPCG-03").status == RuleStatus::pass);
  CHECK(scene.judge("HPCG-03").value == "12.8633 GB, 40.2 % of the host memory of 2 nodes");
  for (Fact& fact : scene.result.facts)
    if (fact.name == "memory_optimize") fact.value = "-0.0275622";
  CHECK(scene.judge("HPCG-03").value ==
        "12.8633 GB, 40.2 % of the host memory of 2 nodes, after OptimizeProblem saved 0.0276 GB");
  scene.inventory.groups.front().memory_bytes = 64'000'000'000;
  CHECK(scene.judge("HPCG-03").status == RuleStatus::fail);
  CHECK(scene.judge("HPCG-03").severity == Severity::eligibility);
  scene.inventory.groups.clear();
  CHECK(scene.judge("HPCG-03").status == RuleStatus::unknown);
}

TEST_CASE("HPCG-03: the memory is the GPUs' where they do the work, never the sum of both") {
  HpcgRulesScene scene;
  scene.result = parsed(fixture("hpcg/nvidia-console.out")).front();
  Gpu gpu;
  gpu.memory_bytes = 40'000'000'000;
  scene.inventory.groups.front().gpus.assign(4, gpu);
  scene.inventory.groups.front().memory_bytes = 1'000'000'000'000;
  CHECK(scene.judge("HPCG-03").value == "95.9245 GB, 30.0 % of the memory of 8 GPUs");
  CHECK(scene.judge("HPCG-03").status == RuleStatus::pass);
  scene.result.facts.push_back({"execution", "Grace-Only", 1});
  std::erase_if(scene.result.facts,
                [](const Fact& f) { return f.name == "execution" && f.value == "GPU-Only"; });
  CHECK(scene.judge("HPCG-03").value == "95.9245 GB, 4.8 % of the host memory of 2 nodes");
  CHECK(scene.judge("HPCG-03").status == RuleStatus::fail);
}

TEST_CASE("HPCG-10: the bandwidth that the rate implies is one that the measured STREAM can carry") {
  HpcgRulesScene scene;
  CHECK(scene.judge("HPCG-10").text == "no STREAM reference run in this campaign");
  Screen gemm;
  gemm.result.suite = "gemm";
  gemm.result.metrics = {{"fp64_gflops", 100, 1}};
  Screen stream;
  stream.result.suite = "stream";
  stream.result.metrics = {{"triad_mb_s", 20'000, 1}};
  scene.screens = {gemm, stream};
  CHECK(scene.judge("HPCG-10").status == RuleStatus::pass);
  CHECK(scene.judge("HPCG-10").value ==
        "41.57 GB/s by HPCG's count, 104 % of the 40.00 GB/s of STREAM Triad");
  scene.screens[1].nodes = 8;  // 2.5 GB/s each
  CHECK(scene.judge("HPCG-10").status == RuleStatus::fail);
  CHECK(scene.judge("HPCG-10").severity == Severity::warning);
  scene.result.implementation = "nvidia";
  CHECK(scene.judge("HPCG-10").status == RuleStatus::unknown);
}

TEST_CASE("HPCG-10b: a problem that the caches hold a part of has no rate of the memory") {
  HpcgRulesScene scene;
  CHECK(scene.judge("HPCG-10b").text == "the last-level caches of the devices that ran are not known");
  Screen stream;
  stream.result.suite = "stream";
  stream.result.metrics = {{"triad_mb_s", 8'000, 1}};
  scene.screens = {stream};
  Cpu& cpu = scene.inventory.groups.front().cpu;
  cpu.caches = {{.level = 3, .bytes = 32'000'000, .instances = 1}};
  CHECK(scene.judge("HPCG-10b").status == RuleStatus::pass);
  CHECK(scene.judge("HPCG-10").value ==
        "41.57 GB/s by HPCG's count, 260 % of the 16.00 GB/s of STREAM Triad");
  cpu.caches.front().bytes = 2'000'000'000;
  const RuleResult cached = scene.judge("HPCG-10b");
  CHECK(cached.status == RuleStatus::fail);
  CHECK(cached.severity == Severity::warning);
  CHECK(cached.value == "12 GiB of data, 3.22 times the 3.73 GiB of last-level caches");
  // The share stands nowhere then.
  CHECK(scene.judge("HPCG-10").status == RuleStatus::not_applicable);
  CHECK(scene.judge("HPCG-10").value.empty());
}

TEST_CASE("HPCG-10b: the caches of GPUs are those that the screen on them prints") {
  HpcgRulesScene scene;
  scene.result = parsed(fixture("hpcg/nvidia-console.out")).front();
  scene.inventory.groups.front().cpu.caches = {{.level = 3, .bytes = 32'000'000, .instances = 8}};
  CHECK(scene.judge("HPCG-10b").status == RuleStatus::unknown);
  Screen stream;
  stream.result.suite = "stream";
  stream.result.parameters = {{"l2_bytes", std::int64_t{52'428'800}}};
  scene.screens = {stream};
  CHECK(scene.judge("HPCG-10b").status == RuleStatus::pass);
  CHECK(scene.judge("HPCG-10b").value == "89.3 GiB of data, 229 times the 400 MiB of last-level caches");
}

TEST_CASE("HPCG-04: grid, domains and processes fit each other and the benchmark's shape") {
  CHECK(hpcg_broken(replaced(valid(), "Distributed Processes=16", "Distributed Processes=32")) ==
        HpcgRulesIds{"HPCG-04a"});
  CHECK(hpcg_broken(replaced(valid(), "Local Domain Dimensions::nz=104",
                             "Local Domain Dimensions::nz=112")) == HpcgRulesIds{"HPCG-04b"});
  CHECK(hpcg_broken(replaced(valid(), "Local Domain Dimensions::ny=104",
                             "Local Domain Dimensions::ny=100")) == HpcgRulesIds{"HPCG-04b", "HPCG-04c"});
  CHECK(hpcg_broken(replaced(valid(), "Local Domain Dimensions::nz=104", "Local Domain Dimensions::nz=8")) ==
        HpcgRulesIds{"HPCG-04b", "HPCG-04d"});
  CHECK(hpcg_broken(replaced(replaced(valid(), "Dimensions::npx=4", "Dimensions::npx=16"),
                             "Dimensions::npy=2", "Dimensions::npy=1")) ==
        HpcgRulesIds{"HPCG-04a", "HPCG-04b", "HPCG-04e"});
  CHECK(hpcg_rules_found("intel-stdout.out", "HPCG-04a").status == RuleStatus::unknown);
  CHECK(hpcg_rules_found("rochpcg.out", "HPCG-04b").status == RuleStatus::pass);
  // What a console does not print is not taken from itself.
  CHECK(hpcg_rules_found("rochpcg.out", "HPCG-04a").status == RuleStatus::unknown);
}

TEST_CASE("HPCG-04f: the run is the one that was planned") {
  HpcgRulesScene scene;
  CHECK(scene.judge("HPCG-04f").status == RuleStatus::pass);
  scene.planned.parameters[5].value = std::int64_t{112};
  CHECK(scene.judge("HPCG-04f").status == RuleStatus::fail);
  CHECK(scene.judge("HPCG-04f").value == "nz = 104, planned 112");
  scene.planned.parameters.clear();
  CHECK(scene.judge("HPCG-04f").status == RuleStatus::unknown);
}

TEST_CASE("HPCG-05: equations, nonzero terms, coarse grids and memory follow from the problem") {
  CHECK(hpcg_broken(replaced(valid(), "Linear System Information::Number of Equations=17997824",
                             "Linear System Information::Number of Equations=17997825")) ==
        HpcgRulesIds{"HPCG-05a"});
  const std::string terms = "Linear System Information::Number of Nonzero Terms=482057464";
  CHECK(hpcg_broken(replaced(valid(), terms, terms + "0")) ==
        HpcgRulesIds{"HPCG-05b", "HPCG-06f", "HPCG-06l"});
  CHECK(hpcg_broken(replaced(valid(), "Coarse Grids::Number of Equations=2249728",
                             "Coarse Grids::Number of Equations=2249720")) == HpcgRulesIds{"HPCG-05c"});
  CHECK(hpcg_broken(replaced(valid(), "Total memory used for data (Gbytes)=12.8633",
                             "Total memory used for data (Gbytes)=39.8633")) == HpcgRulesIds{"HPCG-05d"});
  for (const char* id : {"HPCG-05a", "HPCG-05b", "HPCG-05c", "HPCG-05d"})
    CHECK(hpcg_rules_found("rochpcg.out", id).status == RuleStatus::unknown);
}

TEST_CASE("HPCG-05b: HPCG 3.1 counts rows that its matrix lacks where local domains have two heights") {
  const auto terms = hpcg_rules_found("official-layers.txt", "HPCG-05b");
  CHECK(terms.status == RuleStatus::fail);
  CHECK(terms.value == "410780 for 16 x 32 x 40");
  CHECK(terms.text == "a 27-point stencil there has 510232 nonzero terms");
  CHECK(hpcg_rules_found("official-layers.txt", "HPCG-04b").status == RuleStatus::pass);
}

TEST_CASE("HPCG-06: what rounding to six digits explains is no mismatch, the next digit is one") {
  // 1.00443e+13 operations in 1832.42 s, 0.1 x 3.21766 s for each of 30 sets: 5.45267 to 5.45276.
  CHECK(hpcg_broken(replaced(valid(), "5.45273", "5.45274")).empty());
  CHECK(hpcg_broken(replaced(valid(), "5.45273", "5.45281")) == HpcgRulesIds{"HPCG-06b", "HPCG-06i"});
}

TEST_CASE("HPCG-06: the rating of version 2.4 leaves the setup out, that of 3.0 and 3.1 does not") {
  CHECK(hpcg_rules_found("nested-2.4.out", "HPCG-06b").status == RuleStatus::pass);
  CHECK(hpcg_rules_found("nested-3.0.out", "HPCG-06b").status == RuleStatus::pass);
  CHECK(hpcg_rules_found("official-too-short.txt", "HPCG-06b").status == RuleStatus::pass);
  CHECK(hpcg_rules_found("official-too-short.txt", "HPCG-06h").status == RuleStatus::pass);
  CHECK(hpcg_rules_found("nested-2.4.out", "HPCG-06h").status == RuleStatus::unknown);
}

TEST_CASE("HPCG-06j and k: consoles' summaries are held to themselves") {
  CHECK(hpcg_rules_found("rochpcg.out", "HPCG-06j").status == RuleStatus::pass);
  CHECK(hpcg_rules_found("nvidia-older.out", "HPCG-06j").status == RuleStatus::pass);
  CHECK(hpcg_rules_found("nvidia-older.out", "HPCG-06k").status == RuleStatus::pass);
  CHECK(hpcg_rules_found("rochpcg.out", "HPCG-06k").status == RuleStatus::unknown);
  CHECK(hpcg_rules_found("official-valid.txt", "HPCG-06j").status == RuleStatus::not_applicable);
}

TEST_CASE("HPCG-07: NVIDIA's benchmark mode has no valid rating") {
  CHECK(hpcg_rules_found("nvidia-console.out", "HPCG-07").status == RuleStatus::pass);
  const auto mode = hpcg_rules_found("nvidia-benchmark-mode.out", "HPCG-07");
  CHECK(mode.status == RuleStatus::fail);
  CHECK(mode.value == "on, --bi 3");
  CHECK(mode.line == 5);
  CHECK(hpcg_rules_found("nvidia-benchmark-mode.out", "HPCG-07b").severity == Severity::eligibility);
  CHECK(hpcg_rules_found("nvidia-benchmark-mode.out", "HPCG-07b").status == RuleStatus::fail);
  CHECK(hpcg_rules_found("official-valid.txt", "HPCG-07").status == RuleStatus::not_applicable);
  HpcgRulesScene scene;
  const std::string text = fixture("hpcg/nvidia-console.out");
  scene.result = parsed(text.substr(text.find("HPCG-Benchmark\n"))).front();
  CHECK(scene.judge("HPCG-07").status == RuleStatus::pass);
  scene.planned.arguments = {"--nx", "256", "--b", "1"};
  CHECK(scene.judge("HPCG-07").status == RuleStatus::fail);
}

TEST_CASE("HPCG-08 and 09 advise and spoil nothing") {
  CHECK(hpcg_broken(valid(), Severity::warning) == HpcgRulesIds{"HPCG-08a"});
  CHECK(hpcg_rules_found("nvidia-console.out", "HPCG-08a").status == RuleStatus::pass);
  CHECK(hpcg_rules_found("official-invalid.txt", "HPCG-08a").status == RuleStatus::unknown);
  CHECK(hpcg_rules_found("nvidia-older.out", "HPCG-08b").status == RuleStatus::pass);
  CHECK(rule(judge(parsed(replaced(fixture("hpcg/nvidia-older.out"), "Iterations per set:\t54",
                                   "Iterations per set:\t267"))
                       .front()),
             "HPCG-08b")
            .status == RuleStatus::fail);
  const auto jitter = hpcg_rules_found("intel.out", "HPCG-09");
  CHECK(jitter.status == RuleStatus::fail);
  CHECK(jitter.value == "1.58 to 9.78806 s, ratio 6.19");
  CHECK(judge(parsed(fixture("hpcg/intel.out")).front()).validity == Validity::valid);
  CHECK(hpcg_rules_found("arm-flat.txt", "HPCG-09").status == RuleStatus::unknown);
  HpcgRulesScene scene;
  scene.result.implementation = "nvidia";
  scene.result.parameters = {{"nx", std::int64_t{512}}, {"ny", std::int64_t{512}}, {"nz", std::int64_t{296}}};
  CHECK(scene.judge("HPCG-08c").status == RuleStatus::fail);
  scene.result.implementation = "official";
  CHECK(scene.judge("HPCG-08c").status == RuleStatus::pass);
}

TEST_CASE("a kernel of HPCG that took no time has no rate, and one that is rounded to 0 an unproved one") {
  const auto rates_after = [](const std::string& time) {
    return rule(judge(parsed(replaced(valid(), "Benchmark Time Summary::DDOT=109.945",
                                      "Benchmark Time Summary::DDOT=" + time))
                          .front()),
                "HPCG-06d");
  };
  CHECK(rates_after("0").status == RuleStatus::fail);
  CHECK(rates_after("0").value == "1.48311; 1.6306e+11 operations in 0 s");
  CHECK(rates_after("0.00").status == RuleStatus::unknown);
  CHECK(rates_after("0.00").value == "1.48311");
}
