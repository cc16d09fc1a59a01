#pragma once

#include <cstdint>
#include <string>

#include "suites/mlperf/reference/adamw.hpp"
#include "suites/mlperf/reference/block.hpp"
#include "suites/mlperf/reference/grammar.hpp"

namespace training {

/// What is trained, on what, and when it is good.
///
/// Data and target are the same for every run of a workload; a run's seed gives its first weights and the
/// order of its samples.
struct Workload {
  std::string benchmark;  ///< "shakedown_pretrain"
  Shape shape;
  std::uint64_t grammar_seed = 1;
  bool dialect = false;  ///< the fine-tuning's data
  double target = 0;     ///< log-perplexity on held-out samples, in nats per token
  int train_samples = 0;
  int eval_samples = 0;
  int eval_every = 0;   ///< samples trained between two evaluations; a multiple of the batch
  int batch = 0;        ///< samples of a step, of all ranks
  int micro_batch = 0;  ///< samples that a rank takes at a time
  int max_steps = 0;
  Schedule schedule;

  [[nodiscard]] Samples training() const;
  [[nodiscard]] Samples held_out() const;
};

/// From random weights to a target on the grammar's own texts.
Workload pretraining();
/// From pretrained weights, by adapters, to a target on texts of a dialect.
Workload fine_tuning();

}  // namespace training
