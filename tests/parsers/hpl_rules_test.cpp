#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

/// The rules that fail on a log's only result.
std::vector<std::string> hpl_broken(std::string_view text, Severity severity = Severity::validity) {
  const auto results = parsed(text);
  REQUIRE(results.size() == 1);
  std::vector<std::string> ids;
  for (const RuleResult& rule : judge(results.front()).rules)
    if (rule.status == RuleStatus::fail && rule.severity == severity) ids.emplace_back(rule.id);
  return ids;
}

using HplRulesIds = std::vector<std::string>;

/// A case, an inventory and a result that agree, to be put at odds.
struct HplRulesScene {
  ParsedResult result = parsed(fixture("hpl/grammar/netlib-passed.out")).front();
  Case planned;
  Inventory inventory;
  std::vector<Screen> screens = std::vector<Screen>(1);

  HplRulesScene() {
    planned.nodes = 1;
    planned.ranks = 2;
    planned.hosts = "node1";
    planned.parameters = {{"N", std::int64_t{1500}},
                          {"NB", std::int64_t{64}},
                          {"P", std::int64_t{1}},
                          {"Q", std::int64_t{2}},
                          {"PMAP", std::string("row")}};
    NodeGroup group;
    group.hosts = "node[1-2]";
    group.cpu.base_mhz = 2000;
    group.cpu.fp64_flop_per_cycle = 16;
    group.usable.cores = 2;
    group.usable.memory_bytes = 8 * 1500 * 1500 * 10 / 8;
    inventory.groups = {group};
    screens[0].result.suite = "gemm";
    screens[0].result.metrics = {{"fp64_gflops", 60.0, 1}};
  }

  [[nodiscard]] RuleResult judge(std::string_view id, const NodeEvidence* nodes = nullptr) const {
    Evidence evidence;
    evidence.nodes = nodes;
    evidence.result = &result;
    evidence.planned = &planned;
    evidence.inventory = &inventory;
    evidence.screens = screens;
    return rule(judged(evidence), id);
  }
};

}  // namespace

TEST_CASE("a sound log breaks no validity rule, and what it can't tell stays unknown") {
  const auto judged = judge(parsed(fixture("hpl/grammar/netlib-passed.out")).front());
  CHECK(judged.validity == Validity::valid);
  for (const char* id : {"HPL-03", "HPL-04"}) CHECK(rule(judged, id).status == RuleStatus::pass);
  for (const char* id : {"HPL-01", "HPL-02", "HPL-05a", "HPL-07a", "HPL-07c"}) {
    INFO(id);
    CHECK(rule(judged, id).status == RuleStatus::unknown);
    CHECK_FALSE(rule(judged, id).text.empty());
  }
  // What the log has not got to be held to: norms, a rate per GPU, HPCC's summary, a plan.
  for (const char* id : {"HPL-03b", "HPL-04c", "HPL-04d", "HPL-05b", "HPL-05c"}) {
    INFO(id);
    CHECK(rule(judged, id).status == RuleStatus::not_applicable);
    CHECK_FALSE(rule(judged, id).text.empty());
  }
}

TEST_CASE("a forged rate, time or order breaks the identity") {
  const std::string text = fixture("hpl/grammar/onemkl.out");
  CHECK(hpl_broken(text).empty());
  CHECK(hpl_broken(replaced(text, "7.56132e+03", "7.66132e+03")) == HplRulesIds{"HPL-04"});
  CHECK(hpl_broken(replaced(text, "7.56132e+03", "7.56132e+04")) == HplRulesIds{"HPL-04"});
  CHECK(hpl_broken(replaced(text, "  88.17  ", "  87.17  ")) == HplRulesIds{"HPL-04"});
  CHECK(hpl_broken(replaced(text, "WC11C2R4      100000", "WC11C2R4      101000")) ==
        HplRulesIds{"HPL-04", "HPL-05f"});
}

TEST_CASE("the identity allows what rounding explains and nothing more") {
  const std::string text = fixture("hpl/grammar/onemkl.out");
  // 88.17 s means 88.165 to 88.175 s, so 7560.89 to 7561.76 GFLOP/s.
  CHECK(hpl_broken(replaced(text, "7.56132e+03", "7.56174e+03")).empty());
  CHECK(hpl_broken(replaced(text, "7.56132e+03", "7.56182e+03")) == HplRulesIds{"HPL-04"});
  CHECK(hpl_broken(replaced(text, "7.56132e+03", "7.56083e+03")) == HplRulesIds{"HPL-04"});
}

TEST_CASE(
    "where the time is printed as 0.00 the identity is unknown unless the rate is too low for any such "
    "time") {
  const std::string text = fixture("hpl/grammar/netlib-wrapped-lists.out");
  const auto fast = rule(judge(parsed(text).front()), "HPL-04");
  CHECK(fast.status == RuleStatus::unknown);
  CHECK(fast.text == "the time is printed with too few digits to check the rate");
  const auto slow = rule(judge(parsed(replaced(text, "2.5038e+01", "2.5038e+00")).front()), "HPL-04");
  CHECK(slow.status == RuleStatus::fail);
}

TEST_CASE("rate and time forged together are found by the solver's clock") {
  std::string text = fixture("hpl/grammar/onemkl.out");
  text = replaced(replaced(text, "7.56132e+03", "1.51226e+04"), "  88.17  ", "  44.09  ");
  CHECK(hpl_broken(text) == HplRulesIds{"HPL-04e"});
  CHECK(hpl_broken(text, Severity::warning) == HplRulesIds{"HPL-06a"});
}

TEST_CASE("a time is not shorter than the solver's clock, but for the stamps' whole seconds") {
  const std::string text = fixture("hpl/grammar/onemkl.out");
  const std::string end = parsed(text).front().fact("ended")->value;
  const std::string start = parsed(text).front().fact("started")->value;
  struct Row {
    const char* start;
    const char* end;
    RuleStatus status;
  };
  for (const Row& row :
       {Row{"Mon Oct 26 12:00:00 2020", "Mon Oct 26 12:01:29 2020", RuleStatus::pass},
        Row{"Mon Oct 26 12:00:00 2020", "Mon Oct 26 12:01:30 2020", RuleStatus::fail},
        Row{"Mon Oct 26 12:00:00 2020", "Mon Oct 26 12:00:29 2020", RuleStatus::pass},     // 04b's
        Row{"Sun Mar 29 01:59:00 2020", "Sun Mar 29 03:00:28 2020", RuleStatus::unknown},  // clocks moved
        Row{"Mon Mar 30 01:59:00 2020", "Mon Mar 30 03:00:28 2020", RuleStatus::fail}}) {
    INFO(row.start << " to " << row.end);
    const std::string log = replaced(replaced(text, start, row.start), end, row.end);
    CHECK(rule(judge(parsed(log).front()), "HPL-04e").status == row.status);
  }
}

TEST_CASE("a time is not longer than its attempt took") {
  const ParsedResult result = parsed(fixture("hpl/grammar/onemkl.out")).front();  // 88.17 s
  Evidence evidence;
  evidence.result = &result;
  CHECK(rule(judged(evidence), "HPL-04f").status == RuleStatus::unknown);
  evidence.wall_s = 95;
  CHECK(rule(judged(evidence), "HPL-04f").status == RuleStatus::pass);
  evidence.wall_s = 80;
  CHECK(rule(judged(evidence), "HPL-04f").status == RuleStatus::fail);
  CHECK(judged(evidence).validity == Validity::invalid);
}

TEST_CASE("a run finishes the tests that it announced") {
  const std::string one = fixture("hpl/grammar/netlib-passed.out");
  CHECK(rule(judge(parsed(one).front()), "HPL-05g").value == "1 announced, 1 finished");
  for (const auto& [genuine, forged] : {std::pair("N      :    1500 ", "N      :    1500    9000 "),
                                        std::pair("DEPTH  :       1 ", "DEPTH  :       0       1 "),
                                        std::pair("NBMIN  :       4 ", "NBMIN  :       2       4 ")}) {
    INFO(forged);
    CHECK(hpl_broken(replaced(one, genuine, forged)) == HplRulesIds{"HPL-05g"});
  }
  // A program that repeats its test finishes a multiple of what it announced.
  const std::string twice = fixture("hpl/grammar/rochpl-two-iterations.out");
  for (const ParsedResult& result : parsed(twice))
    CHECK(rule(judge(result), "HPL-05g").status == RuleStatus::pass);
  // shakedown's own program lists four of the parameters.
  const std::string own = fixture("hpl/reference-two-problems.out");
  for (const ParsedResult& result : parsed(own))
    CHECK(rule(judge(result), "HPL-05g").value == "2 announced, 2 finished");
  const std::string many = fixture("hpl/grammar/netlib-eight-problems.out");
  for (const ParsedResult& result : parsed(many))
    CHECK(rule(judge(result), "HPL-05g").status == RuleStatus::pass);
}

TEST_CASE("where NVIDIA's HPL may have emulated FP64, validity is open until somebody states it") {
  const std::string run = fixture("hpl/grammar/nvidia-two-loops.out");
  const ParsedResult result = parsed(run).front();
  const auto open = judge(result);
  CHECK(open.validity == Validity::unknown);
  CHECK(rule(open, "HPL-02b").status == RuleStatus::unknown);
  CHECK(rule(open, "HPL-02b").text.find("--state fp64_mode=native") != std::string::npos);
  CHECK(leaves_open("hpl", rule(open, "HPL-02b")));
  Evidence bare;
  bare.result = &result;
  bare.bare = true;
  CHECK(judged(bare).validity == Validity::valid);
  CHECK(rule(judged(bare), "HPL-02b").status == RuleStatus::unknown);
  const std::string by_log = "HPL_EMULATE_DOUBLE_PRECISION=0\n" + run;
  CHECK(judge(parsed(by_log).front()).validity == Validity::valid);
  CHECK(judge(parsed(replaced(run, "25.4.0", "24.3.0")).front()).validity == Validity::valid);
  // The end of a log without its version: older than 25.04 by the solver's stamp, or not.
  const std::string end = run.substr(run.find("T/V  "));  // of 3 March 2025
  CHECK(rule(judge(parsed(end).front()), "HPL-02b").status == RuleStatus::pass);
  CHECK(rule(judge(parsed(replaced(end, "2025", "2026")).front()), "HPL-02b").status == RuleStatus::unknown);
  Evidence evidence;
  evidence.result = &result;
  const std::vector<Parameter> native = {{"fp64_mode", std::string("native")}};
  evidence.stated = native;
  CHECK(judged(evidence).validity == Validity::valid);
  const std::vector<Parameter> emulated = {{"fp64_mode", std::string("emulated")}};
  evidence.stated = emulated;
  CHECK(judged(evidence).validity == Validity::invalid);
}

TEST_CASE("FAILED rewritten to PASSED is found by the residual, the norms or the footer") {
  const std::string text = fixture("hpl/grammar/netlib-1.0a-second-check-failed.out");
  CHECK(hpl_broken(replaced(text, "FAILED", "PASSED")) == HplRulesIds{"HPL-03"});
  CHECK(hpl_broken(replaced(replaced(text, "FAILED", "PASSED"), "226.0272613", "  0.0272613")) ==
        HplRulesIds{"HPL-03"});
  const auto by_footer =
      judge(parsed(replaced(replaced(text, "FAILED", "PASSED"), "226.0272613", "  0.0272613")).front());
  CHECK(rule(by_footer, "HPL-03").text == "the footer counts 0 tests that passed, the log shows 1");
}

TEST_CASE("a residual that the norms below it do not give is forged") {
  const std::string text = fixture("hpl/grammar/nvidia-23-indented.out");
  CHECK(rule(judge(parsed(text).front()), "HPL-03b").status == RuleStatus::pass);
  CHECK(hpl_broken(replaced(text, "0.001366568920", "0.000366568920")) == HplRulesIds{"HPL-03b"});
}

TEST_CASE("a loosened threshold does not make a large residual pass") {
  std::string text = fixture("hpl/grammar/netlib-passed.out");
  const size_t at = text.find("3.00378377e-03");
  REQUIRE(at != std::string::npos);
  text.replace(at, 14, "3.00378377e+01");
  const auto judged = judge(parsed(text).front());
  CHECK(rule(judged, "HPL-03").status == RuleStatus::fail);
  CHECK(rule(judged, "HPL-03").line == 53);
}

TEST_CASE("a failed row does not make its neighbour invalid") {
  std::string text = fixture("hpl/grammar/netlib-eight-problems.out");
  const size_t first = text.find("...... PASSED");
  text.replace(first, 13, "...... FAILED");
  text = replaced(replaced(text, "8 tests completed and passed", "7 tests completed and passed"),
                  "0 tests completed and failed", "1 tests completed and failed");
  const auto results = parsed(text);
  CHECK(judge(results[0]).validity == Validity::invalid);
  for (size_t i = 1; i < results.size(); ++i) CHECK(judge(results[i]).validity == Validity::valid);
}

TEST_CASE("single precision and emulated FP64 are not HPL") {
  const std::string netlib = fixture("hpl/grammar/netlib-passed.out");
  CHECK(hpl_broken(replaced(netlib, "1.110223e-16", "5.960464e-08")) == HplRulesIds{"HPL-01"});
  const std::string nvidia =
      replaced(fixture("hpl/grammar/nvidia-two-loops.out"), "HPL_OOC_MODE from environment variable 0",
               "HPL_EMULATE_DOUBLE_PRECISION from environment variable 1");
  CHECK(rule(judge(parsed(nvidia).front()), "HPL-02").status == RuleStatus::fail);
  const auto old = judge(parsed(fixture("hpl/grammar/nvidia-1.0.0-coloured.out")).front());
  CHECK(rule(old, "HPL-02").status == RuleStatus::pass);
}

TEST_CASE("our own program, which has no other arithmetic, is known to compute in FP64") {
  const auto results = parsed(replaced(fixture("hpl/grammar/netlib-passed.out"),
                                       "HPLinpack 2.3  --  High-Performance Linpack benchmark",
                                       "shakedown HPL reference 0.1.0  --  High-Performance Linpack"));
  CHECK(results.front().implementation == "reference");
  CHECK(results.front().version == "0.1.0");
  CHECK(rule(judge(results.front()), "HPL-01").status == RuleStatus::pass);
  CHECK(rule(judge(results.front()), "HPL-02").status == RuleStatus::pass);
}

TEST_CASE("a result is judged by its plan and inventory where they are known") {
  const HplRulesScene scene;
  for (const char* id : {"HPL-05a", "HPL-05b", "HPL-05c", "HPL-05d", "HPL-05f", "HPL-06b", "HPL-06c",
                         "HPL-07a", "HPL-07c", "HPL-07d"}) {
    INFO(id << ": " << scene.judge(id).text);
    CHECK(scene.judge(id).status == RuleStatus::pass);
  }
  // One node of CPUs.
  for (const char* id : {"HPL-05e", "HPL-07b", "HPL-08", "HPL-09a", "HPL-09b"}) {
    INFO(id << ": " << scene.judge(id).text);
    CHECK(scene.judge(id).status == RuleStatus::not_applicable);
  }
}

TEST_CASE("another N, grid or mapping than planned is reported") {
  HplRulesScene scene;
  scene.planned.parameters[0].value = std::int64_t{2000};
  CHECK(scene.judge("HPL-05b").status == RuleStatus::fail);
  CHECK(scene.judge("HPL-05b").value == "N = 1500, planned 2000");
  scene.planned.parameters[4].value = std::string("column");
  CHECK(scene.judge("HPL-05c").text == "ranks are placed row-major, planned column-major");
  scene.planned.ranks = 4;
  CHECK(scene.judge("HPL-05a").status == RuleStatus::fail);
}

TEST_CASE("on GPUs Rmax is held against their native FP64 peak, where it is known of all") {
  HplRulesScene scene;
  scene.result.implementation = "nvidia";
  const double rate = scene.result.metric("rmax_gflops")->value;
  scene.inventory.groups[0].gpus.resize(2);
  CHECK(scene.judge("HPL-07c").text == "the inventory does not state the GPUs' FP64 rate");
  GpuPeak& first = scene.inventory.groups[0].gpus[0].peak;
  first.fp64_vector_tflops = 0.2 * rate / 1e3 / scene.planned.nodes;
  first.fp64_tensor_tflops = 0.4 * rate / 1e3 / scene.planned.nodes;
  CHECK(scene.judge("HPL-07c").status == RuleStatus::unknown);
  scene.inventory.groups[0].gpus[1].peak.fp64_vector_tflops = 0.7 * rate / 1e3 / scene.planned.nodes;
  CHECK(scene.judge("HPL-07c").status == RuleStatus::pass);
  scene.inventory.groups.push_back(scene.inventory.groups[0]);  // another kind of node, whose GPUs are slower
  scene.inventory.groups[1].gpus.resize(1);
  CHECK(scene.judge("HPL-07c").status == RuleStatus::unknown);
  scene.inventory.groups.resize(1);
  scene.inventory.groups[0].gpus[0].peak.fp64_tensor_tflops = 0.2 * rate / 1e3 / scene.planned.nodes;
  CHECK(scene.judge("HPL-07c").status == RuleStatus::unknown);
  CHECK(scene.judge("HPL-07c").text.starts_with("the rate is above the GPUs' native FP64 peak"));
}

TEST_CASE("a stated inventory that names none of the nodes in a log may name them otherwise") {
  HplRulesScene scene;
  scene.result.facts.push_back({"hosts", "node1:2,node3:2", 7});
  Evidence evidence;
  evidence.result = &scene.result;
  evidence.inventory = &scene.inventory;
  CHECK(rule(judged(evidence), "HPL-07a").status == RuleStatus::fail);  // it names one, and not the other
  scene.inventory.groups[0].hosts = "cn[1-2]";
  CHECK(rule(judged(evidence), "HPL-07a").text == "the stated inventory names none of these nodes");
  // Nodes of one kind are counted, whatever their names.
  CHECK(rule(judged(evidence), "HPL-06c").status != RuleStatus::unknown);
  CHECK(rule(judged(evidence), "HPL-07c").status == RuleStatus::pass);
  scene.inventory.groups.push_back(scene.inventory.groups[0]);
  CHECK(rule(judged(evidence), "HPL-07c").status == RuleStatus::unknown);  // which of the kinds ran?
  scene.inventory.groups.pop_back();
  CHECK(rule(judged(evidence), "HPL-07a").status == RuleStatus::unknown);
}

TEST_CASE("memory, nodes, Rpeak and the gemm screen bound what is believed") {
  HplRulesScene scene;
  scene.inventory.groups[0].usable.memory_bytes = 8 * 1500 * 1500;
  CHECK(scene.judge("HPL-06b").status == RuleStatus::fail);
  scene.inventory.groups[0].usable.memory_bytes *= 100;
  CHECK(scene.judge("HPL-06c").status == RuleStatus::fail);
  scene.planned.hosts = "node[2-3]";
  CHECK(scene.judge("HPL-07a").text == "the inventory does not have node3");
  // Of a run that went to other nodes than planned, those count.
  const std::vector<std::string> there = {"node1"};
  const std::vector<std::string> away = {"node1", "node4"};
  const NodeEvidence on_known = {.states = {}, .hosts = there, .settings = {}};
  const NodeEvidence on_unknown = {.states = {}, .hosts = away, .settings = {}};
  CHECK(scene.judge("HPL-07a", &on_known).status == RuleStatus::pass);
  CHECK(scene.judge("HPL-07a", &on_unknown).text == "the inventory does not have node4");
  scene.inventory.groups[0].cpu.base_mhz = 200;
  CHECK(scene.judge("HPL-07c").status == RuleStatus::unknown);
  scene.inventory.groups[0].cpu.max_mhz = 300;
  CHECK(scene.judge("HPL-07c").status == RuleStatus::fail);
  CHECK(scene.judge("HPL-07c").severity == Severity::eligibility);
  scene.inventory.groups[0].cpu.base_mhz = 20000;
  CHECK(scene.judge("HPL-07c").status == RuleStatus::pass);
  scene.inventory.groups[0].assumed = {"cpu.base_mhz"};
  CHECK(scene.judge("HPL-07c").status == RuleStatus::unknown);
  CHECK(scene.judge("HPL-07c").text == "the processors' base clock is assumed, not stated");
  CHECK(scene.judge("HPL-07d").status == RuleStatus::pass);
  scene.screens[0].nodes = 1000;  // its rate is that of all of them
  CHECK(scene.judge("HPL-07d").status == RuleStatus::fail);
  scene.screens[0].nodes = 1;
  scene.screens[0].result.metrics[0].value = 0.01;
  CHECK(scene.judge("HPL-07d").status == RuleStatus::fail);
  scene.screens.clear();
  CHECK(scene.judge("HPL-07d").text == "no GEMM reference run in this campaign");
}

TEST_CASE("a row that the run did not announce is not its own") {
  const std::string text = fixture("hpl/grammar/onemkl.out");
  CHECK(hpl_broken(replaced(text, "   384     2     2 ", "   192     2     2 ")) == HplRulesIds{"HPL-05f"});
}

TEST_CASE("NVIDIA's HPL solves as many whole blocks as fit the announced N, and no others") {
  const std::string text = fixture("hpl/grammar/nvidia-two-loops.out");
  const auto of_announced = [&](const char* N) {
    const auto results = parsed(replaced(text, "N      :  264192 ", N));
    REQUIRE_FALSE(results.empty());
    return rule(judge(results.front()), "HPL-05f").status;
  };
  CHECK(of_announced("N      :  264192 ") == RuleStatus::pass);
  CHECK(of_announced("N      :  265215 ") == RuleStatus::pass);  // 258 blocks of 1024, and 1023 columns
  CHECK(of_announced("N      :  265216 ") == RuleStatus::fail);
  CHECK(of_announced("N      :  264191 ") == RuleStatus::fail);
  HplRulesScene scene;
  scene.result = parsed(text).front();
  const auto of_planned = [&](std::int64_t N) {
    scene.planned.parameters = {{"N", N}, {"NB", std::int64_t{1024}}};
    return scene.judge("HPL-05b").status;
  };
  CHECK(of_planned(265215) == RuleStatus::pass);
  CHECK(of_planned(265216) == RuleStatus::fail);
  CHECK(of_planned(264191) == RuleStatus::fail);
  // Others solve what they announce.
  CHECK(hpl_broken(replaced(fixture("hpl/grammar/onemkl.out"), "N        :  100000 ",
                            "N        :  100100 ")) == HplRulesIds{"HPL-05f"});
}

TEST_CASE("a footer that counts other tests than the log shows is reported") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const auto says = [](const std::string& log) { return rule(judge(parsed(log).front()), "HPL-03").text; };
  for (const auto& [genuine, forged] :
       {std::pair("0 tests completed and failed", "1 tests completed and failed"),
        std::pair("0 tests skipped", "1 tests skipped")}) {
    INFO(forged);
    CHECK(hpl_broken(replaced(text, genuine, forged)) == HplRulesIds{"HPL-03"});
  }
  CHECK(hpl_broken(replaced(text, "Finished      1 ", "Finished      9 ")) ==
        HplRulesIds{"HPL-03", "HPL-05g"});
  // The block of a failed row cut out.
  std::string failed = fixture("hpl/grammar/netlib-eight-problems.out");
  failed = replaced(failed, "8 tests completed and passed", "7 tests completed and passed");
  failed = replaced(failed, "0 tests completed and failed", "1 tests completed and failed");
  const size_t block = failed.find("T/V      ", failed.find("T/V      ") + 1);
  failed.erase(block, failed.find("T/V      ", block + 1) - block);
  CHECK(says(failed) == "the footer counts 1 tests that failed, the log shows 0");
  // The end of a log whose start is lost may have had more rows.
  const std::string end = failed.substr(failed.rfind("T/V      "));
  CHECK(judge(parsed(end).front()).validity == Validity::unknown);
}

TEST_CASE("a time of 0.00 proves no rate, and none that no machine can have") {
  const std::string text = replaced(fixture("hpl/grammar/netlib-passed.out"), "    1500 ", "   15000 ");
  const std::string row =
      text.substr(text.find("WR11C2R4"), text.find('\n', text.find("WR11C2R4")) - text.find("WR11C2R4"));
  const auto with = [&](std::string_view end) {
    return parsed(replaced(
        text, row,
        "WR11C2R4       15000    64     1     2               0.00             " + std::string(end)));
  };
  const auto unproven = with("4.6005e+05");
  CHECK_FALSE(unproven.front().complete);
  CHECK(unproven.front().reason.find("nothing proves the rate") != std::string::npos);
  CHECK(judge(unproven.front()).validity == Validity::unknown);
  CHECK(rule(judge(with("4.6005e+09").front()), "HPL-04").status == RuleStatus::fail);
}

TEST_CASE("the rate per GPU is a part of the total") {
  const std::string text = fixture("hpl/grammar/nvidia-two-loops.out");
  CHECK(rule(judge(parsed(text).front()), "HPL-04c").status == RuleStatus::pass);
  const std::string each = parsed(text).front().fact("rmax_per_gpu_printed")->value;
  CHECK(rule(judge(parsed(replaced(text, each, "9" + each.substr(1))).front()), "HPL-04c").status ==
        RuleStatus::fail);
}

TEST_CASE("HPCC's summary repeats the row's rate") {
  const std::string text = fixture("hpl/hpcc.txt");
  const auto genuine = parsed(text);
  CHECK(rule(judge(genuine.front()), "HPL-04d").status == RuleStatus::pass);
  const std::string said = "HPL_Tflops=" + genuine.front().fact("hpl_tflops")->value;
  CHECK(
      rule(judge(parsed(replaced(text, said, "HPL_Tflops=9" + said.substr(11))).front()), "HPL-04d").status ==
      RuleStatus::fail);
}

TEST_CASE("a residual in the form of another version is not of this run") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  CHECK(rule(judge(parsed(text).front()), "HPL-03d").status == RuleStatus::pass);
  CHECK(hpl_broken(replaced(text, "HPLinpack 2.3 ", "HPLinpack 2.1 ")) == HplRulesIds{"HPL-03d"});
  for (const char* typed : {"0.00300378377", "3.00378e-03", "3.003783770e-03", "30.0378377e-04"}) {
    INFO(typed);
    CHECK(hpl_broken(replaced(text, "3.00378377e-03", typed)) == HplRulesIds{"HPL-03d"});
  }
  const std::string nvidia = fixture("hpl/grammar/nvidia-two-loops.out");
  const std::string own = parsed(nvidia).front().fact("residual_printed")->value;
  CHECK(rule(judge(parsed(nvidia).front()), "HPL-03d").status == RuleStatus::pass);
  CHECK(rule(judge(parsed(replaced(nvidia, own, own.substr(0, 9))).front()), "HPL-03d").status ==
        RuleStatus::fail);
}

TEST_CASE("a loosened threshold is reported") {
  const std::string text = replaced(fixture("hpl/grammar/netlib-passed.out"),
                                    "are less than                16.0", "are less than                 1e9");
  CHECK(hpl_broken(text, Severity::warning) == HplRulesIds{"HPL-03c", "HPL-04j", "HPL-06a"});
}

TEST_CASE("emulated FP64 is found however the log says it, and for all runs that it holds for") {
  const std::string run = fixture("hpl/grammar/nvidia-two-loops.out");
  const std::string name = "HPL_EMULATE_DOUBLE_PRECISION";
  const auto status = [](const ParsedResult& result) { return rule(judge(result), "HPL-02").status; };
  std::string many;
  for (int i = 0; i < 70; ++i) many += "HPL_FOO_" + std::to_string(i) + "=1\n";
  for (const std::string& before :
       {name + "=1\n", "export " + name + "=1\n", "+ export " + name + "='1'\n",
        "+ mpirun -np 8 -x " + name + "=1 ./hpl.sh\n", many + name + "=1\n", name + "=1\n" + name + "=0\n",
        "CUBLAS_EMULATE_DOUBLE_PRECISION=1\n" + name + "=0\n"}) {
    INFO(before);
    CHECK(status(parsed(before + run).front()) == RuleStatus::fail);
  }
  for (const std::string& before : {"#export " + name + "=1\n", "export " + name + "=${EMULATE:-0}\n"}) {
    INFO(before);
    CHECK(status(parsed(before + run).front()) == RuleStatus::unknown);
  }
  for (const ParsedResult& result : parsed(name + "=1\n" + run + run + run))
    CHECK(status(result) == RuleStatus::fail);
  const auto both = parsed(run + "export " + name + "=1\n" + run + "export " + name + "=0\n" + run);
  REQUIRE(both.size() == 6);
  CHECK(status(both[0]) == RuleStatus::unknown);
  CHECK(status(both[2]) == RuleStatus::fail);
  CHECK(status(both[4]) == RuleStatus::pass);
}

TEST_CASE("a run with two footers that differ is invalid, and one that is printed twice is not") {
  const std::string genuine = fixture("hpl/grammar/netlib-passed.out");
  REQUIRE(hpl_broken(genuine).empty());
  const std::size_t begin = genuine.find("Finished ");
  const std::size_t end = genuine.find("illegal input values.", begin);
  REQUIRE(end != std::string::npos);
  const std::string footer = genuine.substr(begin, genuine.find('\n', end) + 1 - begin);
  std::string twice = genuine;
  twice.insert(begin, footer);
  CHECK(hpl_broken(twice).empty());
  std::string other = genuine;
  other.insert(begin, replaced(footer, "0 tests completed and failed", "1 tests completed and failed"));
  CHECK(hpl_broken(other) == HplRulesIds{"HPL-03"});
}
