#include <algorithm>
#include <fstream>
#include <string>

#include "suites/mlperf/reference/trainer.hpp"

namespace training {
namespace {

/// "AMD EPYC" of /proc/cpuinfo.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    return line.substr(std::min(line.size(), colon + 2));
  }
  return "unknown CPU";
}

std::string platform(const Replicas& replicas) {
  return std::to_string(replicas.nodes()) + "x" + processor() + ", " + std::to_string(replicas.ranks()) +
         (replicas.ranks() == 1 ? " rank" : " ranks");
}

}  // namespace

void log_settings(const Workload& workload, const Replicas& replicas, const MlLog& log,
                  const RunSettings& settings) {
  const Schedule& schedule = workload.schedule;
  log.point("cache_clear", true, {{"note", "data are made in memory: there is no cache to clear"}});
  log.start("init_start");
  log.point("submission_benchmark", workload.benchmark);
  log.point("submission_org", "shakedown reference");
  log.point("submission_division", "open");
  log.point("submission_status", "onprem");
  log.point("submission_platform", platform(replicas));
  log.point("seed", static_cast<unsigned long long>(settings.seed));
  log.point("grammar_seed", static_cast<unsigned long long>(workload.grammar_seed));
  log.point("number_of_ranks", replicas.ranks());
  log.point("number_of_nodes", replicas.nodes());
  log.point("global_batch_size", workload.batch);
  log.point("max_sequence_length", workload.shape.context);
  log.point("train_samples", workload.train_samples);
  log.point("eval_samples", workload.eval_samples);
  log.point("evaluation_frequency", workload.eval_every);
  log.point("max_steps", workload.max_steps);
  log.point("target_accuracy", workload.target);
  log.point("opt_name", "adamw");
  log.point("opt_base_learning_rate", schedule.rate);
  log.point("opt_end_learning_rate", schedule.end_rate);
  log.point("opt_learning_rate_warmup_steps", schedule.warmup_steps);
  log.point("opt_learning_rate_decay_steps", schedule.decay_steps);
  log.point("opt_learning_rate_decay_schedule", "cosine with linear warmup");
  log.point("opt_adamw_beta_1", schedule.beta_1);
  log.point("opt_adamw_beta_2", schedule.beta_2);
  log.point("opt_adamw_epsilon", schedule.epsilon);
  log.point("opt_adamw_weight_decay", schedule.decay);
  log.point("opt_gradient_clip_norm", schedule.clip);
  if (workload.shape.rank > 0) {
    log.point("lora_rank", workload.shape.rank);
    log.point("lora_alpha", Linear<float>::scale * workload.shape.rank);
  }
}

}  // namespace training
