#include "suites/mlperf/reference/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "suites/mlperf/reference/checkpoint.hpp"
#include "suites/mlperf/reference/linear.hpp"
#include "suites/mlperf/reference/model.hpp"
#include "suites/mlperf/reference/replicas.hpp"

namespace training {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What was trained within some time.
struct Work {
  int samples = 0;
  double seconds = 0;
};

class Trainer {
 public:
  Trainer(const Workload& workload, Model<float>& model, Replicas& replicas, const MlLog& log,
          const RunSettings& settings)
      : workload_(workload),
        model_(model),
        replicas_(replicas),
        log_(log),
        settings_(settings),
        training_(workload.training()),
        held_out_(workload.held_out()),
        adamw_(model.trained(), workload.schedule) {}

  Outcome run() {
    log_.start("run_start");
    began_ = now();
    begin_epoch();
    log_.start("block_start", {{"samples_count", 0}});
    Work block;
    for (int step = 1; !ended_ && step <= workload_.max_steps; ++step) {
      const double begin = now();
      train_step();
      block.seconds += now() - begin;
      block.samples += workload_.batch;
      outcome_.samples += workload_.batch;
      if (outcome_.samples % workload_.eval_every != 0 && step < workload_.max_steps) continue;
      end_block(block);
      judge(evaluate());
      if (!ended_) log_.start("block_start", position());
      block = {};
    }
    log_.stop("epoch_stop", {{"epoch_num", epoch_}, {"samples_count", outcome_.samples}});
    if (!ended_)
      outcome_.why_not = "the target was not reached in " + std::to_string(workload_.max_steps) + " steps";
    outcome_.seconds = now() - began_;
    Members status = position();
    status.insert(status.begin(), {"status", outcome_.reached ? "success" : "aborted"});
    log_.stop("run_stop", status);
    log_.point("trained_samples", outcome_.samples);
    report_rates(total_);
    compare_operations();
    return outcome_;
  }

 private:
  [[nodiscard]] Members position() const { return {{"samples_count", outcome_.samples}}; }

  void begin_epoch() {
    order_ = shuffled(workload_.train_samples, settings_.seed, epoch_);
    next_ = 0;
    log_.start("epoch_start", {{"epoch_num", epoch_}, {"samples_count", outcome_.samples}});
  }

  /// The numbers of the next batch; an epoch's last samples that fill none are skipped.
  std::vector<int> next_batch() {
    if (next_ + workload_.batch > workload_.train_samples) {
      log_.stop("epoch_stop", {{"epoch_num", epoch_}, {"samples_count", outcome_.samples}});
      ++epoch_;
      begin_epoch();
    }
    const auto begin = order_.begin() + next_;
    next_ += workload_.batch;
    return {begin, begin + workload_.batch};
  }

  /// Calls `use` with the tokens of this rank's share of `numbers`, some samples at a time.
  template <class Use>
  void for_own_share(const std::vector<int>& numbers, const Samples& samples, Use use) const {
    const int count = static_cast<int>(numbers.size());
    const int end = replicas_.share_begin(count, replicas_.rank() + 1);
    for (int i = replicas_.share_begin(count, replicas_.rank()); i < end; i += workload_.micro_batch) {
      const int last = std::min(end, i + workload_.micro_batch);
      use(samples.tokens({numbers.begin() + i, numbers.begin() + last}));
    }
  }

  void train_step() {
    const std::vector<int> batch = next_batch();
    const double weight = 1.0 / (static_cast<double>(workload_.batch) * workload_.shape.context);
    const std::int64_t before = multiplied();
    const auto gradients = model_.trained().gradients();
    for_own_share(batch, training_, [&](const std::vector<int>& tokens) {
      model_.accumulate(tokens, weight);
      sum_.take(gradients);
    });
    sum_.give(gradients);
    operations_ += static_cast<double>(multiplied() - before);
    replicas_.add_up(gradients);
    adamw_.step();
  }

  double evaluate() {
    log_.start("eval_start", position());
    std::vector<int> numbers(static_cast<std::size_t>(workload_.eval_samples));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
    double loss = 0;
    for_own_share(numbers, held_out_, [&](const std::vector<int>& tokens) { loss += model_.loss(tokens); });
    const double quality =
        replicas_.sum(loss) / (static_cast<double>(workload_.eval_samples) * workload_.shape.context);
    log_.point("eval_accuracy", quality, {{"samples_count", outcome_.samples}, {"epoch_num", epoch_}});
    log_.stop("eval_stop", position());
    return quality;
  }

  void judge(double quality) {
    outcome_.quality = quality;
    outcome_.sound = replicas_.alike(hash_of(model_.trained().values()));
    if (!outcome_.sound)
      end("the ranks' copies of the model differ: a message was lost or changed");
    else if (!std::isfinite(quality))
      end("the loss is not finite");
    else if (quality <= workload_.target)
      outcome_.reached = ended_ = true;
    else if (replicas_.agreed(settings_.most_seconds > 0 && now() - began_ > settings_.most_seconds))
      end("the target was not reached in the time that --max-seconds gives");
  }

  void end(std::string why) {
    outcome_.why_not = std::move(why);
    ended_ = true;
  }

  void end_block(const Work& block) {
    const Work slowest = {block.samples, replicas_.largest(block.seconds)};
    total_.samples += slowest.samples;
    total_.seconds += slowest.seconds;
    report_rates(slowest);
    log_.stop("block_stop", position());
  }

  void report_rates(const Work& work) const {
    if (work.seconds <= 0) return;
    const double samples = work.samples / work.seconds;
    const double tokens = samples * workload_.shape.context;
    const double gflops = tokens * static_cast<double>(flops_per_token(workload_.shape).training) * 1e-9;
    Members rates = {{"throughput", samples}, {"tokens_per_s", tokens}, {"gflops", gflops}};
    if (settings_.peak_gflops > 0) rates.push_back({"mfu", gflops / settings_.peak_gflops});
    log_.point("tracked_stats", Json(rates), position());
  }

  void compare_operations() {
    const double counted = replicas_.sum(operations_);
    const double expected = static_cast<double>(flops_per_token(workload_.shape).training) *
                            workload_.shape.context * outcome_.samples;
    const bool equal = std::fabs(counted - expected) <= 1e-9 * expected;
    outcome_.sound = outcome_.sound && equal;
    if (replicas_.first())
      std::printf("FLOP of training: %.9e counted in products, %.9e by the formula%s\n", counted, expected,
                  equal ? "" : ": they differ");
  }

  const Workload& workload_;
  Model<float>& model_;
  Replicas& replicas_;
  const MlLog& log_;
  RunSettings settings_;
  Samples training_;
  Samples held_out_;
  AdamW<float> adamw_;
  PairwiseSum sum_;
  std::vector<int> order_;
  int next_ = 0;
  int epoch_ = 0;
  Work total_;
  double operations_ = 0;
  double began_ = 0;
  bool ended_ = false;
  Outcome outcome_;
};

}  // namespace

Outcome train(const Workload& workload, Model<float>& model, Replicas& replicas, const MlLog& log,
              const RunSettings& settings) {
  return Trainer(workload, model, replicas, log, settings).run();
}

}  // namespace training
