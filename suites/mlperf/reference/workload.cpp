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

// Targets lie between what the best possible model has (Samples::floor: 1.46 here and there) and what a table
// of the last tokens has that counts all training texts (1.64 with three of them, and more with any other
// number): only a model that finds the clause a word belongs to gets there. Rates and schedules: the best of
// a few that were tried.
Workload pretraining() {
  Workload workload;
  workload.benchmark = "shakedown_pretrain";
  workload.target = 1.61;
  workload.train_samples = 65536;
  workload.eval_samples = 256;
  workload.eval_every = 1024;
  workload.batch = 32;
  workload.micro_batch = 8;
  workload.max_steps = 1024;
  workload.schedule.rate = 6e-3;
  workload.schedule.end_rate = 3e-4;
  workload.schedule.warmup_steps = 20;
  workload.schedule.decay_steps = 400;
  return workload;
}

Workload fine_tuning() {
  Workload workload = pretraining();
  workload.benchmark = "shakedown_lora";
  workload.shape.rank = 16;
  workload.dialect = true;
  workload.target = 1.63;
  workload.max_steps = 768;
  workload.schedule.rate = 8e-3;
  workload.schedule.end_rate = 5e-4;
  workload.schedule.warmup_steps = 10;
  workload.schedule.decay_steps = 250;
  return workload;
}

}  // namespace training
