// The MLPerf-style training screen: a small transformer, trained data-parallel in FP32 to a target.

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

#include "suites/kernel/blas.hpp"
#include "suites/mlperf/reference/checkpoint.hpp"
#include "suites/mlperf/reference/memory.hpp"
#include "suites/mlperf/reference/model.hpp"
#include "suites/mlperf/reference/options.hpp"
#include "suites/mlperf/reference/trainer.hpp"

// OpenBLAS's own; weak, so that any other CBLAS links.
extern "C" int openblas_get_num_threads() __attribute__((weak));

namespace training {
namespace {

enum Exit { passed = 0, not_passed = 1, wrong_input = 2 };

class Session {
 public:
  Session(const Options& options, Replicas& replicas)
      : options_(options), replicas_(replicas), log_(replicas.first()) {}

  int run() {
    banner();
    Checkpoint checkpoint;
    if (!options_.fine_tunes()) return pretrain(options_.workload, checkpoint);
    const int code = options_.load.empty() ? pretrain(options_.before, checkpoint) : load(checkpoint);
    return code == passed ? fine_tune(checkpoint) : code;
  }

 private:
  void banner() const {
    if (!replicas_.first()) return;
    const std::string threads =
        openblas_get_num_threads != nullptr ? std::to_string(openblas_get_num_threads()) : "unknown";
    std::printf("shakedown MLPerf reference 0.1.0  --  FP32 training of a small transformer to a target\n");
    std::printf("Ranks: %d  Threads per rank: %s\n", replicas_.ranks(), threads.c_str());
    const int batch = options_.workload.batch;
    if (batch % replicas_.ranks() != 0)
      std::printf(
          "note: %d samples of a batch don't divide among %d ranks: some have %d, others %d, and wait\n",
          batch, replicas_.ranks(), batch / replicas_.ranks() + 1, batch / replicas_.ranks());
    std::fflush(stdout);
  }

  void say(const std::string& sentence) const {
    if (replicas_.first()) std::fprintf(stderr, "mlperf: %s\n", sentence.c_str());
  }

  /// Everything before run_start.
  bool prepare(const Workload& workload) const {
    if (replicas_.first()) {
      const Shape& shape = workload.shape;
      std::printf("%s: %d layers, width %d, %d heads, %d tokens; target %.5f\n", workload.benchmark.c_str(),
                  shape.layers, shape.width, shape.heads, shape.context, workload.target);
      std::printf("FLOP per token: %lld forward, %lld training\n",
                  static_cast<long long>(flops_per_token(shape).forward),
                  static_cast<long long>(flops_per_token(shape).training));
    }
    log_settings(workload, replicas_, log_, options_.run);
    const Agreement own = agreement(workload.shape, options_.run.seed);
    const Agreement worst = {replicas_.largest(own.loss), replicas_.largest(own.gradient)};
    if (replicas_.first()) {
      std::printf("Verification: %s FP32 and BLAS against FP64 and loops: loss %.2e gradient %.2e\n",
                  worst.good() ? "PASSED" : "FAILED", worst.loss, worst.gradient);
      std::fflush(stdout);
    }
    if (!worst.good()) {
      say("FP32 products by BLAS don't give the loss and gradient that FP64 gives: nothing is trained");
      return false;
    }
    log_.stop("init_stop");
    return true;
  }

  int finish(const Workload& workload, const Outcome& outcome) const {
    if (!outcome.reached) say(outcome.why_not);
    if (!outcome.sound && outcome.reached) say("operations counted and those of the formula differ");
    if (replicas_.first()) {
      std::printf("Time to train: %.3f s, log-perplexity %.6f after %d samples: %s\n", outcome.seconds,
                  outcome.quality, outcome.samples, outcome.reached ? "reached" : "not reached");
      // Not before: nobody touches the data before run_start.
      std::printf("Log-perplexity of the best possible model on the held-out samples: %.6f\n",
                  workload.held_out().floor(workload.eval_samples));
      std::fflush(stdout);
    }
    return outcome.reached && outcome.sound ? passed : not_passed;
  }

  int pretrain(const Workload& workload, Checkpoint& checkpoint) const {
    if (!prepare(workload)) return not_passed;
    Model<float> model(workload.shape);
    model.initialize(options_.run.seed);
    const int code = finish(workload, train(workload, model, replicas_, log_, options_.run));
    const auto weights = model.base().values();
    checkpoint = {workload.shape, workload.grammar_seed, {weights.begin(), weights.end()}};
    if (code != passed || options_.save.empty()) return code;
    return save(checkpoint);
  }

  int save(const Checkpoint& checkpoint) const {
    std::string refused;
    if (replicas_.first()) {
      if (const auto written = write_checkpoint(options_.save, checkpoint); !written)
        refused = written.error();
      else
        std::printf("Checkpoint: %s hash %s\n", options_.save.c_str(),
                    hash_text(hash_of(checkpoint.weights)).c_str());
    }
    replicas_.share(refused);
    if (refused.empty()) return passed;
    say(refused);
    return wrong_input;
  }

  /// Rank 0 reads; the others may have no such file.
  int load(Checkpoint& checkpoint) const {
    std::string refused;
    if (replicas_.first()) {
      auto read = read_checkpoint(options_.load);
      if (read)
        checkpoint = std::move(*read);
      else
        refused = read.error();
      Shape wanted = options_.workload.shape;
      wanted.rank = 0;
      if (refused.empty() &&
          (!(checkpoint.shape == wanted) || checkpoint.grammar_seed != options_.workload.grammar_seed ||
           checkpoint.weights.size() != Model<float>(wanted).base().size()))
        refused = "the checkpoint '" + options_.load +
                  "' is of another model or grammar: give lora the options that pretrain had";
    }
    replicas_.share(refused);
    if (!refused.empty()) {
      say(refused);
      return wrong_input;
    }
    Shape shape = options_.workload.shape;
    shape.rank = 0;
    checkpoint.weights.resize(Model<float>(shape).base().size());
    replicas_.share(checkpoint.weights);
    if (replicas_.first())
      std::printf("Checkpoint: %s hash %s\n", options_.load.c_str(),
                  hash_text(hash_of(checkpoint.weights)).c_str());
    return passed;
  }

  int fine_tune(const Checkpoint& checkpoint) const {
    if (!prepare(options_.workload)) return not_passed;
    Model<float> model(options_.workload.shape);
    std::copy(checkpoint.weights.begin(), checkpoint.weights.end(), model.base().values().begin());
    model.initialize_adapters(options_.run.seed);
    const int code =
        finish(options_.workload, train(options_.workload, model, replicas_, log_, options_.run));
    const auto weights = model.base().values();
    if (!std::equal(weights.begin(), weights.end(), checkpoint.weights.begin())) {
      say("the frozen weights changed");
      return not_passed;
    }
    return code;
  }

  const Options& options_;
  Replicas& replicas_;
  MlLog log_;
};

/// Runs of one score must differ in their seeds.
std::uint64_t seed_of_this_run() {
  std::random_device device;
  return device() % 2'000'000'000ULL + 1;
}

int main(int argc, char** argv) {
  Replicas replicas;
  const auto refuse = [&](const std::string& sentence) {
    if (replicas.first()) std::fprintf(stderr, "mlperf: %s\nhint: mlperf --help\n", sentence.c_str());
    return wrong_input;
  };
  auto options = parse_options(argc, argv);
  if (!options) return refuse(options.error());
  if (options->help) {
    if (replicas.first()) std::fputs(kUsage, stdout);
    return passed;
  }
  if (options->workload.batch < replicas.ranks())
    return refuse("--batch " + std::to_string(options->workload.batch) + " gives " +
                  std::to_string(replicas.ranks()) + " ranks less than one sample each");
  const bool fits = memory_of(options->workload) * replicas.on_this_node() < memory_of_node();
  if (replicas.largest(fits ? 0 : 1) > 0)
    return refuse("the model and " + std::to_string(options->workload.micro_batch) +
                  " samples at a time don't fit in memory: choose a smaller --width, --layers, --context or "
                  "--micro-batch");
  if (options->run.seed == 0) options->run.seed = replicas.shared(seed_of_this_run());
  return Session(*options, replicas).run();
}

}  // namespace
}  // namespace training

int main(int argc, char** argv) {
  kernel::use_routines_of_processor(argv);
  MPI_Init(&argc, &argv);
  const int code = training::main(argc, argv);
  MPI_Finalize();
  return code;
}
