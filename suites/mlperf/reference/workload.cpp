#include "suites/mlperf/reference/workload.hpp"

namespace training {
namespace {

constexpr double kDialectShare = 0.3;

enum Part : std::uint64_t { train = 11, held_out_part = 12 };

Grammar grammar_of(const Workload& workload) {
  const Grammar grammar(workload.grammar_seed);
  return workload.dialect ? grammar.dialect(workload.grammar_seed, kDialectShare) : grammar;
}

/// Apart for each grammar and use.
std::uint64_t part(const Workload& workload, Part use) {
  return workload.grammar_seed * 64 + use * 2 + (workload.dialect ? 1 : 0);
}

}  // namespace

Samples Workload::training() const {
  return {grammar_of(*this), part(*this, train), shape.context};
}

Samples Workload::held_out() const {
  return {grammar_of(*this), part(*this, held_out_part), shape.context};
}

Workload pretraining() {
  Workload workload;
  workload.benchmark = "shakedown_pretrain";
  workload.target = 1.5;
  workload.train_samples = 65536;
  workload.eval_samples = 512;
  workload.eval_every = 1024;
  workload.batch = 32;
  workload.micro_batch = 8;
  workload.max_steps = 2000;
  workload.schedule.rate = 3e-3;
  workload.schedule.end_rate = 3e-4;
  workload.schedule.warmup_steps = 50;
  workload.schedule.decay_steps = 1500;
  return workload;
}

Workload fine_tuning() {
  Workload workload = pretraining();
  workload.benchmark = "shakedown_lora";
  workload.shape.rank = 8;
  workload.dialect = true;
  workload.target = 1.6;
  workload.max_steps = 1500;
  workload.schedule.rate = 5e-3;
  workload.schedule.end_rate = 5e-4;
  workload.schedule.warmup_steps = 20;
  workload.schedule.decay_steps = 1000;
  return workload;
}

}  // namespace training
