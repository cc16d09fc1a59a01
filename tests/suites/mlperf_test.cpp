#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "tests/suites/golden.hpp"
#include "tests/suites/gpu_nodes.hpp"
#include "tests/suites/shipped_system.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

const ShippedSystem& mlperf_sakuraone() {
  static const ShippedSystem system("sakuraone");
  return system;
}

const Implementation& gpt3() {
  static const Implementation read = shipped("mlperf", "nvidia-gpt3");
  return read;
}

const Implementation& mlperf_lora() {
  static const Implementation read = shipped("mlperf", "nvidia-llama2_70b_lora");
  return read;
}

std::string mlperf_message(const Result<Case>& planned) {
  return planned ? "planned" : to_string(planned.error());
}

/// All places stated, as a site would.
Site complete_site() {
  Site site;
  site.launcher = "srun";
  site.container_runtime = "pyxis";
  SiteProgram program;
  program.implementation = "mlperf/nvidia-gpt3";
  program.image = "/images/gpt3.sqsh";
  program.digest = "sha256:" + std::string(64, '0');
  program.environment = {{"PREPROC_DATA", std::string("/data/c4")},
                         {"SPM", std::string("/data/c4.model")},
                         {"LOAD_CHECKPOINTS_PATH", std::string("/data/checkpoints")}};
  site.programs.push_back(program);
  program.implementation = "mlperf/nvidia-llama2_70b_lora";
  program.image = "/images/lora.sqsh";
  program.environment = {{"DATADIR", std::string("/data/gov_report")}, {"MODEL", std::string("/data/model")}};
  site.programs.push_back(program);
  program.implementation = "mlperf/nvidia-llama31_8b";
  program.image = "/images/llama31_8b.sqsh";
  program.environment = {{"DATADIR", std::string("/data/c4_8b")}};
  site.programs.push_back(program);
  return site;
}

std::string text_of(const std::vector<Parameter>& list, std::string_view name) {
  const Value* value = find_parameter(list, name);
  return value == nullptr ? std::string() : value_text(*value);
}

struct Row {
  int nodes;
  double gpus, DP, TP, PP, CP, VP, GBS, MBS, minutes;
};

void check_row(const Implementation& implementation, const Row& row) {
  CAPTURE(row.nodes);
  const auto planned = mlperf_sakuraone().plan(implementation, row.nodes, complete_site());
  REQUIRE(planned);
  CHECK(text_parameter(*planned, "benchmark") == implementation.benchmark);
  CHECK(parameter(*planned, "gpus") == row.gpus);
  CHECK(parameter(*planned, "DP") == row.DP);
  CHECK(parameter(*planned, "TP") == row.TP);
  CHECK(parameter(*planned, "PP") == row.PP);
  CHECK(parameter(*planned, "CP") == row.CP);
  CHECK(parameter(*planned, "VP") == row.VP);
  CHECK(parameter(*planned, "GBS") == row.GBS);
  CHECK(parameter(*planned, "MBS") == row.MBS);
  CHECK(prediction(*planned, "time_to_train_min").value == Approx(row.minutes).margin(0.01));
  CHECK(prediction(*planned, "wall_time_s").value > 60 * row.minutes);
}

}  // namespace

TEST_CASE("the planned GPT-3 runs of SAKURAONE are the published ones") {
  check_row(gpt3(), {32, 256, 4, 4, 16, 1, 6, 1024, 2, 105.31});
  check_row(gpt3(), {64, 512, 8, 4, 16, 1, 6, 1536, 2, 58.30});
  check_row(gpt3(), {96, 768, 6, 8, 16, 1, 6, 2304, 6, 41.86});
}

TEST_CASE("the planned Llama 2 LoRA runs of SAKURAONE are the published ones") {
  check_row(mlperf_lora(), {1, 8, 2, 4, 1, 1, 1, 8, 1, 28.44});
  check_row(mlperf_lora(), {8, 64, 8, 4, 1, 2, 1, 8, 1, 4.79});
  check_row(mlperf_lora(), {64, 512, 64, 4, 1, 2, 1, 64, 1, 1.94});
  check_row(mlperf_lora(), {96, 768, 96, 4, 1, 2, 1, 96, 1, 1.26});
}

TEST_CASE("tokens per second and the pipeline's bubble of GPT-3 are those of the published runs") {
  const auto planned = mlperf_sakuraone().plan(gpt3(), 64, complete_site());
  REQUIRE(planned);
  CHECK(prediction(*planned, "tokens_per_s_per_gpu").value == Approx(758));
  CHECK(prediction(*planned, "samples_per_s").value == Approx(758.0 * 512 / 2048).margin(0.01));
  const auto bubble = std::ranges::find(planned->why, "bubble", &Reason::what);
  REQUIRE(bubble != planned->why.end());
  CHECK(value_number(bubble->value) == Approx(15.0 / (6 * 96)));
  CHECK(bubble->because == "(PP 16 - 1) / (VP 6 x 96 microbatches)");
}

TEST_CASE("GPUs that are no multiple of TP x PP are refused with the next good number of nodes") {
  CHECK(mlperf_message(mlperf_sakuraone().plan(gpt3(), 1)) == "ML-09: 8 GPUs < TP x PP = 64\nhint: 16 nodes");
  CHECK(mlperf_message(mlperf_sakuraone().plan(gpt3(), 97)) ==
        "ML-09: 776 GPUs are no multiple of TP x PP = 128\nhint: 96 nodes");
}

TEST_CASE(
    "the next good number of nodes is one that the inventory has, else the next above is named as such") {
  const auto on = [](int there, int nodes) {
    NodeGroup node = h100_nodes(fmt::format("cn[001-{:03}]", there));
    Inventory inventory;
    inventory.groups = {node};
    PlanRequest request;
    request.inventory = &inventory;
    request.implementation = &gpt3();
    request.group = &node;
    request.hosts = expanded_hostlist(node.hosts).value();
    request.hosts.resize(static_cast<size_t>(nodes));
    return mlperf_message(suite_called("mlperf").plan(request));
  };
  CHECK(on(4, 4) ==
        "ML-09: 32 GPUs < TP x PP = 64\nhint: none within the 4 nodes there; the next above is 16 nodes");
  CHECK(on(16, 4) == "ML-09: 32 GPUs < TP x PP = 64\nhint: 16 nodes");
  // 64 nodes are nearer to 63 than 60, and are not there.
  CHECK(on(63, 63).ends_with("\nhint: 60 nodes"));
  CHECK(on(64, 63).ends_with("\nhint: 64 nodes"));
  // So many only divide evenly: 16 microbatches a pipeline of 16 stages, and no time is predicted there.
  CHECK(on(2049, 2049)
            .ends_with("\nhint: 2048 nodes, which divides evenly, with a pipeline bubble of 15.6 %; the next "
                       "below with at most "
                       "5 %: 284 nodes"));
}

TEST_CASE("a LoRA batch above the largest reference convergence point is warned about") {
  const auto plan = [](std::int64_t GBS) {
    return mlperf_sakuraone().plan(mlperf_lora(), 64, complete_site(), {{"GBS", GBS}});
  };
  const auto large = plan(192);
  REQUIRE(large);
  CHECK(mentions(
      large->warnings,
      "GBS = 192 is above the largest reference convergence point (128): an official score needs its "
      "own (ML-05)"));
  const auto largest = plan(128);
  REQUIRE(largest);
  CHECK_FALSE(mentions(largest->warnings, "ML-05"));
}

TEST_CASE("a prediction that rests on a published run with inconsistent values says so") {
  const auto text = [](int nodes) {
    return mlperf_sakuraone().plan(gpt3(), nodes, complete_site()).value().model.text;
  };
  const char* const doubt =
      "; of the run on 768 GPUs the published rates are inconsistent: TFLOPS/GPU and tokens/s/GPU (taken "
      "here) "
      "disagree by 7.6 % (SAKURAONE, Table 9)";
  CHECK(text(96).ends_with(doubt));
  CHECK(text(64).find("inconsistent") == std::string::npos);
  CHECK(
      text(32).starts_with("time to train = 22 evaluations x 50.33 million tokens / (707.62 tokens/s/GPU x "
                           "256) + 3.43 min; wall time "
                           "= that + 900 s of start (at most 1800); "));
}

TEST_CASE("plans of MLPerf are rendered to the last byte") {
  check_golden("mlperf-gpt3-32.json",
               case_json(mlperf_sakuraone().plan(gpt3(), 32, complete_site()).value()));
  check_golden("mlperf-llama2_70b_lora-8.json",
               case_json(mlperf_sakuraone().plan(mlperf_lora(), 8, complete_site()).value()));
  check_golden(
      "mlperf-llama31_8b-1.json",
      case_json(mlperf_sakuraone().plan(shipped("mlperf", "nvidia-llama31_8b"), 1, complete_site()).value()));
}

TEST_CASE("other scales take the nearest published recipe that fits") {
  const auto few = mlperf_sakuraone().plan(gpt3(), 16);
  REQUIRE(few);
  CHECK(parameter(*few, "TP") == 4);
  CHECK(parameter(*few, "DP") == 2);
  CHECK(parameter(*few, "GBS") == 1536);
  CHECK(few->predicted.empty());
  CHECK(few->model.text == "no model applies: the published runs had 256 to 768 GPUs, and these are 128");
  // 48 nodes: 384 GPUs are nearer to 512 than to 256, and its GBS of 1536 divides by 6 x 2.
  const auto between = mlperf_sakuraone().plan(gpt3(), 48);
  REQUIRE(between);
  CHECK(parameter(*between, "GBS") == 1536);
  CHECK(parameter(*between, "DP") == 6);
  const Prediction time = prediction(*between, "time_to_train_min");
  CHECK(time.value > 58.30);
  CHECK(time.value < 105.31);
}

TEST_CASE("a retired benchmark and a batch outside of the closed division are said") {
  const auto small = mlperf_sakuraone().plan(gpt3(), 32, complete_site());
  REQUIRE(small);
  CHECK(mentions(small->warnings, "MLPerf Training retired gpt3 after v4.1"));
  CHECK(mentions(small->warnings,
                 "GBS = 1024 is outside the closed division's 1536 to 8192 (ML-04): performance only"));
  const auto closed = mlperf_sakuraone().plan(gpt3(), 64, complete_site());
  REQUIRE(closed);
  CHECK_FALSE(mentions(closed->warnings, "outside the closed division"));
  const auto tuned = mlperf_sakuraone().plan(mlperf_lora(), 8, complete_site());
  REQUIRE(tuned);
  CHECK_FALSE(mentions(tuned->warnings, "retired"));
  CHECK_FALSE(mentions(tuned->warnings, "learning rate"));
}

TEST_CASE("pins replace a recipe's values: what breaks ML-09 is refused, what is unwise is warned about") {
  const auto plan = [](std::vector<Parameter> pins) {
    return mlperf_sakuraone().plan(gpt3(), 64, complete_site(), std::move(pins));
  };
  CHECK(mlperf_message(plan({{"TP", std::int64_t{5}}}))
            .starts_with("ML-09: 512 GPUs are no multiple of TP x PP = 80"));
  CHECK(mlperf_message(plan({{"VP", std::int64_t{5}}}))
            .starts_with("ML-09: 96 layers are no multiple of PP x VP = 16 x 5"));
  CHECK(mlperf_message(plan({{"DP", std::int64_t{3}}}))
            .starts_with("ML-09: DP = 3 does not fill 512 GPUs with TP x PP = 64"));
  CHECK(mlperf_message(plan({{"GBS", std::int64_t{1000}}}))
            .starts_with("ML-09: GBS = 1000 is no multiple of DP x MBS = 8 x 2"));
  CHECK(mlperf_message(plan({{"GBS", std::int64_t{1552}}}))
            .starts_with("ML-09: 97 microbatches are no multiple of PP = 16, as VP = 6 needs"));
  CHECK(mlperf_message(plan({{"TP", std::int64_t{64}}, {"PP", std::int64_t{1}}}))
            .starts_with("ML-09: 96 heads are no multiple of TP = 64"));
  CHECK(mlperf_message(plan({{"TP", std::int64_t{9'000'000}}})) ==
        "pin TP: 9000000 is larger than any machine");
  CHECK(mlperf_message(plan({{"TP", std::int64_t{0}}})) == "pin TP: '0' is no whole number above 0");
  CHECK(mlperf_message(plan({{"CP", std::int64_t{2}}})) ==
        "pin CP: 'NVIDIA MLPerf Training v4.1, GPT-3 175B' has no setting for it\nhint: leave it out");
  const auto wide = plan({{"TP", std::int64_t{32}},
                          {"GBS", std::int64_t{1536}},
                          {"VP", std::int64_t{1}},
                          {"MBS", std::int64_t{16}}});
  REQUIRE(wide);
  CHECK(mentions(wide->warnings, "TP = 32 spans several nodes of 8 GPUs"));
  CHECK(mentions(wide->warnings, "the pipeline's bubble is 15.6 %, above 5 % (ML-09)"));
  CHECK(wide->predicted.empty());
  CHECK(wide->model.text.starts_with("no model applies: the recipe is pinned"));
}

TEST_CASE("MLPerf's configuration environment is rendered to the last byte") {
  const auto large = mlperf_sakuraone().plan(gpt3(), 32, complete_site());
  REQUIRE(large);
  CHECK(large->launcher == "srun");
  CHECK(large->container.image == "/images/gpt3.sqsh");
  CHECK(large->container.mounts == std::vector<std::string>{"{run}:/results", "{run}/npy_index:/npy_index",
                                                            "/data/c4:/preproc_data",
                                                            "/data/c4.model:/workspace/llm/tokenizer.model",
                                                            "/data/checkpoints:/load_checkpoints"});
  CHECK(large->program == "bash");
  check_golden("mlperf-gpt3-32.sh", large->files.front().content);
  const auto small = mlperf_sakuraone().plan(mlperf_lora(), 8, complete_site());
  REQUIRE(small);
  CHECK(small->container.image == "/images/lora.sqsh");
  check_golden("mlperf-llama2_70b_lora-8.sh", small->files.front().content);
}

TEST_CASE("Llama 3.1 8B is offered to systems without a published recipe, and predicted by others' results") {
  const Implementation offered = shipped("mlperf", "nvidia-llama31_8b");
  const auto one = mlperf_sakuraone().plan(offered, 1);
  REQUIRE(one);
  CHECK(parameter(*one, "TP") == 4);
  CHECK(parameter(*one, "DP") == 2);
  CHECK(parameter(*one, "GBS") == 32);
  CHECK(one->model.text.starts_with("time to train by 20 published results"));
  const auto eight = mlperf_sakuraone().plan(offered, 8);
  REQUIRE(eight);
  const Prediction time = prediction(*eight, "time_to_train_min");
  CHECK(time.low < 45.445);  // Cisco's 64 H100, which are among them
  CHECK(time.high > 45.445);
  CHECK(time.high / time.low < 2);
  CHECK_FALSE(mentions(one->warnings, "retired"));
  CHECK(one->files.front().content.find("export INTERLEAVED_PIPELINE=null\n") != std::string::npos);
}

TEST_CASE("data that the site does not state is a placeholder, said in a warning") {
  const auto planned = mlperf_sakuraone().plan(mlperf_lora(), 1);
  REQUIRE(planned);
  CHECK(
      mentions(planned->warnings,
               "the configuration does not state where DATADIR, MODEL are: put them into the environment of "
               "mlperf/nvidia-llama2_70b_lora in [[site.programs]]"));
  CHECK(std::ranges::find(planned->arguments, "/not-stated/MODEL:/ckpt") != planned->arguments.end());
}

TEST_CASE("other GPUs get a plan and no prediction") {
  NodeGroup node = h100_nodes("cn[001-064]");
  for (Gpu& gpu : node.gpus) gpu.model = "NVIDIA H200";
  const auto other = planned(node, gpt3());
  REQUIRE(other);
  CHECK(other->predicted.empty());
  CHECK(other->model.text == "no model applies: the published times are of h100, and this is NVIDIA H200");
  CHECK(mentions(other->warnings,
                 "the recipe is published for H100 with 80 GB in FP8, and this is NVIDIA H200"));
  CHECK(other->time_limit_s == 86400 - 420);  // a day with the container's start
}

TEST_CASE("GPUs without the recipe's precision are refused with those that have it") {
  NodeGroup node = h100_nodes("cn[001-064]");
  for (Gpu& gpu : node.gpus) gpu.model = "NVIDIA A100-SXM4-80GB";
  for (const Implementation* each : {&gpt3(), &mlperf_lora()}) {
    const std::string message = mlperf_message(planned(node, *each));
    CHECK(message.starts_with("requirements: the recipe trains in FP8 (config"));
    CHECK(message.find("and 'NVIDIA A100-SXM4-80GB' is not known to have it\nhint: GPUs with FP8: h100") !=
          std::string::npos);
  }
  for (Gpu& gpu : node.gpus) gpu.peak.fp8_dense_tflops = 1000;
  CHECK(planned(node, mlperf_lora()));
}

TEST_CASE("a division that the GPUs' memory does not hold is refused with the estimate") {
  const auto on = [](int nodes, double gib) {
    NodeGroup node = h100_nodes(hosts_to(nodes));
    for (Gpu& gpu : node.gpus) gpu.memory_bytes = static_cast<std::int64_t>(gib * gibi);
    return planned(node, gpt3());
  };
  // 8 nodes with DP = 1: nothing shares the optimizer's state.
  const std::string message = mlperf_message(on(8, 79.11));
  CHECK(message.starts_with("memory: TP 4 x PP 16 x CP 1 with DP = 1 and MBS = 2 takes about 83."));
  CHECK(message.find(
            "GiB a GPU, and there are 79.1 GiB: 45.7 GiB of parameters, gradients and optimizer + 32.") !=
        std::string::npos);
  CHECK(message.ends_with("hint: none within the 8 nodes there; the next above is 16 nodes"));
  const auto large = on(8, 139.8);  // H200
  REQUIRE(large);
  CHECK(parameter(*large, "DP") == 1);
  CHECK(parameter(*large, "GBS") == 1536);
  CHECK(reason_for(*large, "memory_per_gpu").find("60 % of 140 GiB of a GPU, visible to CUDA") !=
        std::string::npos);
  // All published runs fit by the same estimate.
  for (const int nodes : {32, 64, 96}) CHECK(on(nodes, 79.11));
  NodeGroup small = h100_nodes("cn001");
  CHECK(planned(small, mlperf_lora()));
  for (Gpu& gpu : small.gpus) gpu.memory_bytes = static_cast<std::int64_t>(63.6 * gibi);  // H100 with 64 GB
  const auto halved = planned(small, mlperf_lora());
  REQUIRE(halved);
  CHECK(parameter(*halved, "CP") == 2);  // two GPUs share a sequence, as on several nodes
  for (Gpu& gpu : small.gpus) gpu.memory_bytes = static_cast<std::int64_t>(40 * gibi);
  CHECK(mlperf_message(planned(small, mlperf_lora())).starts_with("memory: TP 4 x PP 1 x CP 1 with DP = 2"));
}

TEST_CASE("each scale has the variables and the learning rate that are published for it") {
  const auto variable = [](const Implementation& implementation, int nodes, const char* name) {
    return text_of(mlperf_sakuraone().plan(implementation, nodes, complete_site()).value().environment, name);
  };
  CHECK(variable(gpt3(), 32, "BUCKET_CAP_MB") == "125");
  CHECK(variable(gpt3(), 64, "BUCKET_CAP_MB").empty());
  CHECK(variable(gpt3(), 64, "LR") == "0.00002");
  CHECK(variable(gpt3(), 32, "CHECKPOINT_NAME") == "ckpt4000-consumed_samples=0");
  CHECK(variable(mlperf_lora(), 1, "FP8_DPA") == "1");
  CHECK(variable(mlperf_lora(), 1, "LAYER_CUDA_GRAPH").empty());
  CHECK(variable(mlperf_lora(), 1, "MAX_STEPS") == "800");
  for (const int nodes : {2, 8, 64}) {
    CHECK(variable(mlperf_lora(), nodes, "FP8_DPA") == "0");
    CHECK(variable(mlperf_lora(), nodes, "LAYER_CUDA_GRAPH") == "1");
    CHECK(variable(mlperf_lora(), nodes, "MAX_STEPS") == "1024");
  }
  CHECK(variable(mlperf_lora(), 8, "LR") == "0.0004");
  CHECK(variable(mlperf_lora(), 16, "LR") == "0.00035");
  CHECK(variable(mlperf_lora(), 64, "LR") == "0.0005");
  const auto between = mlperf_sakuraone().plan(mlperf_lora(), 80, complete_site());
  REQUIRE(between);
  CHECK(mentions(between->warnings,
                 "the learning rate for GBS = 80 is not published: 0.0005 is that of GBS = 64, the largest "
                 "published batch below it"));
  // The site's own goes first, in the file that the image sources, too.
  Site site = complete_site();
  for (SiteProgram& program : site.programs) {
    program.environment.push_back({"LR", std::string("0.0007")});
    program.environment.push_back({"BUCKET_CAP_MB", std::int64_t{50}});
  }
  const auto own = mlperf_sakuraone().plan(gpt3(), 32, site);
  REQUIRE(own);
  CHECK(own->files.front().content.find("export BUCKET_CAP_MB=50\n") != std::string::npos);
  CHECK(own->files.front().content.find("export LR=0.0007\n") != std::string::npos);
  CHECK(reason_for(*own, "LR").empty());
}

TEST_CASE("each node drops its caches before a run, and the log says so where the image does not") {
  const auto large = mlperf_sakuraone().plan(gpt3(), 32, complete_site());
  REQUIRE(large);
  REQUIRE(large->node_preparation.size() == 1);
  const std::string& script = large->node_preparation.front().back();
  CHECK(script.find("drop='sudo -n /sbin/sysctl vm.drop_caches=3'") != std::string::npos);
  CHECK(script.find(R"("key": "cache_clear")") != std::string::npos);
  const auto lora = mlperf_sakuraone().plan(mlperf_lora(), 8, complete_site());
  REQUIRE(lora);
  REQUIRE(lora->node_preparation.size() == 1);
  CHECK(lora->node_preparation.front().back().find("cache_clear") == std::string::npos);
  CHECK(lora->preparation == std::vector<std::vector<std::string>>{
                                 {"mkdir", "-p", "{run}/data_index/train", "{run}/data_index/val"}});
}

TEST_CASE(
    "a planned training fills the GPUs and divides batch and layers, whatever the machine, or is refused") {
  const bool holds = rc::check([] {
    const Implementation& implementation = *rc::gen::arbitrary<bool>() ? gpt3() : mlperf_lora();
    const int nodes = *rc::gen::inRange(1, 20001);
    const int gpus = *rc::gen::inRange(0, 17);
    NodeGroup node = h100_nodes("n[1-" + std::to_string(nodes) + "]");
    const Gpu gpu = node.gpus.front();
    node.gpus.assign(static_cast<size_t>(gpus), gpu);
    const auto planned_one = planned(node, implementation);
    if (!planned_one) {
      const Error& error = planned_one.error();
      if (gpus == 0) RC_ASSERT(error.where == "requirements");
      if (gpus > 0)
        RC_ASSERT(error.where == "ML-09" || error.where == "ML-04" || error.where == "ML-05" ||
                  error.where == "memory");
      RC_ASSERT(!error.hint.empty());
      return;
    }
    const Case& one = *planned_one;
    const auto value = [&one](std::string_view name) { return std::llround(parameter(one, name)); };
    const long long layers = implementation.benchmark == "gpt3" ? 96 : 80;
    RC_ASSERT(value("gpus") == static_cast<long long>(nodes) * gpus);
    RC_ASSERT(value("DP") * value("TP") * value("PP") * value("CP") == value("gpus"));
    RC_ASSERT(value("GBS") % (value("DP") * value("MBS")) == 0);
    RC_ASSERT(layers % (value("PP") * value("VP")) == 0);
    RC_ASSERT(value("VP") == 1 || value("GBS") / (value("DP") * value("MBS")) % value("PP") == 0);
    RC_ASSERT(one.ranks == value("gpus"));
    RC_ASSERT(gpus % value("TP") == 0);
    RC_ASSERT(implementation.benchmark != "gpt3" || value("GBS") <= 8192);
  });
  CHECK(holds);
}

TEST_CASE("LoRA on other GPUs and systems is predicted by what others published, within their band") {
  struct Row {
    const char* model;
    double fp8_tflops;
    const char* hosts;
    double published_min;
  };
  const Row rows[] = {
      {"NVIDIA B200", 4500, "n1", 11.1},                // MLPerf Training v5.0, Dell and others
      {"NVIDIA H200", 1979, "n1", 23.0},                // v5.0, Dell and others
      {"NVIDIA H100 80GB HBM3", 1979, "n[1-16]", 3.07}  // v4.1, Oracle
  };
  for (const Row& row : rows) {
    CAPTURE(row.model);
    NodeGroup node = h100_nodes(row.hosts);
    for (Gpu& gpu : node.gpus) {
      gpu.model = row.model;
      gpu.peak.fp8_dense_tflops = row.fp8_tflops;
    }
    const auto other = planned(node, mlperf_lora(), {.system = "another"});
    REQUIRE(other);
    const Prediction time = prediction(*other, "time_to_train_min");
    CHECK(time.value == Approx(row.published_min).epsilon(0.25));
    CHECK(time.low < row.published_min);
    CHECK(time.high > row.published_min);
    CHECK(time.high / time.low < 2);
  }
}
