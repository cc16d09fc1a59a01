#include "suites/mlperf/reference/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <type_traits>
#include <variant>

namespace training {
namespace {

template <class Number>
std::string digits_of(Number value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

template <class Number>
tl::expected<Number, std::string> number(std::string_view option, std::string_view word, Number least,
                                         Number most) {
  Number value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = status == std::errc{} && end == word.data() + word.size();
  if (whole && value >= least && value <= most) return value;
  return tl::unexpected(std::string(option) + " must be a " +
                        (std::is_floating_point_v<Number> ? "number" : "whole number") + " from " +
                        digits_of(least) + " to " + digits_of(most) + ", but is '" + std::string(word) + "'");
}

constexpr std::uint64_t kMostSeed = 1'000'000'000'000;

/// Where an option's value goes, and its range.
struct Slot {
  std::string_view option;
  std::variant<int*, double*, std::uint64_t*, std::string*> place;
  double least = 0;
  double most = 0;
};

std::array<Slot, 22> slots(Options& options) {
  Workload& workload = options.workload;
  Shape& shape = workload.shape;
  Schedule& schedule = workload.schedule;
  return {{{"--seed", &options.run.seed, 1, 0},
           {"--grammar", &workload.grammar_seed, 0, 0},
           {"--save", &options.save, 0, 0},
           {"--load", &options.load, 0, 0},
           {"--max-steps", &workload.max_steps, 1, 1e8},
           {"--max-seconds", &options.run.most_seconds, 0.001, 1e7},
           {"--peak-gflops", &options.run.peak_gflops, 0.001, 1e12},
           {"--target", &workload.target, 0.001, 100},
           {"--batch", &workload.batch, 1, 1e6},
           {"--micro-batch", &workload.micro_batch, 1, 1e4},
           {"--train-samples", &workload.train_samples, 1, 1e8},
           {"--eval-samples", &workload.eval_samples, 1, 1e7},
           {"--eval-every", &workload.eval_every, 1, 1e8},
           {"--layers", &shape.layers, 1, 200},
           {"--width", &shape.width, 1, 16384},
           {"--heads", &shape.heads, 1, 256},
           {"--context", &shape.context, 1, 4096},
           {"--rank", &shape.rank, 1, 1024},
           {"--rate", &schedule.rate, 1e-9, 10},
           {"--end-rate", &schedule.end_rate, 0, 10},
           {"--warmup", &schedule.warmup_steps, 1, 1e8},
           {"--decay-steps", &schedule.decay_steps, 2, 1e8}}};
}

/// An empty text, or the sentence that refuses the value.
std::string put(const Slot& slot, std::string_view word) {
  return std::visit(
      [&](auto* place) -> std::string {
        using Value = std::remove_pointer_t<decltype(place)>;
        if constexpr (std::is_same_v<Value, std::string>) {
          if (word.empty()) return std::string(slot.option) + " needs the name of a file";
          *place = word;
        } else {
          const bool seed = std::is_same_v<Value, std::uint64_t>;
          const auto parsed =
              number<Value>(slot.option, word, static_cast<Value>(slot.least),
                            seed ? static_cast<Value>(kMostSeed) : static_cast<Value>(slot.most));
          if (!parsed) return parsed.error();
          *place = *parsed;
        }
        return "";
      },
      slot.place);
}

/// Why values exclude each other; empty: they don't.
std::string contradiction(const Options& options) {
  const Workload& workload = options.workload;
  const Shape& shape = workload.shape;
  const auto text = [](int value) { return std::to_string(value); };
  if (shape.width % shape.heads != 0)
    return "--width " + text(shape.width) + " does not divide among --heads " + text(shape.heads);
  if (workload.eval_every % workload.batch != 0)
    return "--eval-every " + text(workload.eval_every) + " is no multiple of --batch " +
           text(workload.batch) + ": evaluations come between whole steps";
  if (workload.train_samples < workload.batch)
    return "--train-samples " + text(workload.train_samples) + " are less than one --batch of " +
           text(workload.batch);
  if (workload.schedule.decay_steps <= workload.schedule.warmup_steps)
    return "--decay-steps " + text(workload.schedule.decay_steps) + " must be more than --warmup " +
           text(workload.schedule.warmup_steps);
  const double parameters = 12.0 * shape.layers * shape.width * shape.width;
  if (parameters > 1e9)
    return "a model of " + text(shape.layers) + " layers of width " + text(shape.width) +
           " has more than 1e9 parameters: choose a smaller --width or --layers";
  if (!options.fine_tunes() && !options.load.empty())
    return "--load is for lora: pretrain begins with random weights";
  if (options.fine_tunes() && !options.save.empty() && !options.load.empty())
    return "lora saves the weights that it pretrains itself: --save and --load exclude each other";
  return "";
}

/// Whether runs of the two have the same model, data, target and evaluations.
bool same_task(const Workload& a, const Workload& b) {
  return a.shape == b.shape && a.grammar_seed == b.grammar_seed && a.target == b.target &&
         a.train_samples == b.train_samples && a.eval_samples == b.eval_samples &&
         a.eval_every == b.eval_every;
}

/// The pretraining for a fine-tuning that has no checkpoint: the benchmark's own, of the same model.
Workload pretraining_for(const Workload& workload) {
  Workload before = pretraining();
  const Workload own = before;
  before.shape = workload.shape;
  before.shape.rank = 0;
  before.grammar_seed = workload.grammar_seed;
  if (!same_task(before, own)) {
    before.benchmark += "_custom";
    before.max_steps = std::min(before.max_steps, workload.max_steps);
  }
  return before;
}

}  // namespace

const char* const kUsage =
    "usage: mpirun -np RANKS mlperf pretrain|lora [OPTION VALUE]...\n"
    "\n"
    "pretrain  trains a small transformer on texts of a seeded grammar, from random weights to its target\n"
    "lora      fine-tunes its weights by LoRA on texts of a dialect; pretrains first without --load\n"
    "\n"
    "  --seed S           first weights and order of samples (another one for each run)\n"
    "  --save FILE        writes the pretrained weights\n"
    "  --load FILE        begins with them\n"
    "  --peak-gflops G    FP32 peak of all ranks, for the MFU\n"
    "  --max-steps N, --max-seconds S       gives up without the target: status 'aborted'\n"
    "  --batch B, --micro-batch M           samples of a step; of a rank at a time\n"
    "  --rate R, --end-rate R, --warmup N, --decay-steps N    of AdamW\n"
    "Another model, data or target make another benchmark, '..._custom', which has no score:\n"
    "  --layers N --width N --heads N --context N --rank R    the model; adapters' rank\n"
    "  --grammar S --train-samples N --eval-samples N --eval-every N --target X\n"
    "\n"
    "Set OPENBLAS_NUM_THREADS to cores per rank. Exit code: 0 the target is reached; 1 it is not, or a\n"
    "check failed; 2 the command line or the checkpoint is wrong.\n";

tl::expected<Options, std::string> parse_options(int argc, char** argv) {
  Options options;
  const std::string_view mode = argc > 1 ? argv[1] : "";
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--help" || std::string_view(argv[i]) == "-h") {
      options.help = true;
      return options;
    }
  if (mode != "pretrain" && mode != "lora")
    return tl::unexpected(mode.empty() ? "name what to train: pretrain or lora"
                                       : "'" + std::string(mode) + "' is neither pretrain nor lora");
  options.workload = mode == "lora" ? fine_tuning() : pretraining();
  const Workload own = options.workload;
  for (int i = 2; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const auto all = slots(options);
    const auto slot =
        std::find_if(all.begin(), all.end(), [&](const Slot& each) { return each.option == option; });
    if (slot == all.end()) return tl::unexpected("unknown option '" + std::string(option) + "'");
    if (i + 1 == argc) return tl::unexpected(std::string(option) + " needs a value");
    if (option == "--rank" && mode == "pretrain")
      return tl::unexpected(std::string("--rank is for lora: pretrain has no adapters"));
    if (std::string refused = put(*slot, argv[i + 1]); !refused.empty()) return tl::unexpected(refused);
  }
  if (std::string wrong = contradiction(options); !wrong.empty()) return tl::unexpected(wrong);
  if (!same_task(options.workload, own)) options.workload.benchmark += "_custom";
  if (options.fine_tunes()) options.before = pretraining_for(options.workload);
  return options;
}

}  // namespace training
