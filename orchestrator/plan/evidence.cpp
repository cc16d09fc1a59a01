#include "orchestrator/plan/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown {
namespace {

constexpr std::array<std::string_view, 2> board_forms = {"pcie", "nvl"};
constexpr double band_share = 0.8;
constexpr double normal_90 = 1.2816;    // the normal distribution's 90 % quantile
constexpr double enough_to_spread = 4;  // systems of a model whose deviations from its median count

/// The results of one GPU model, by the logarithms of their ratios and sizes.
struct GpuModel {
  std::string_view maker;
  std::string_view architecture;
  std::vector<double> ratios;
  std::vector<double> doublings;
  std::vector<std::string_view> names;  ///< of the results' systems
  double systems = 0;   ///< the sizes of one system count once: they share its network and software
  double median = 0;    ///< of the systems' means
  double variance = 0;  ///< around the median, drawn towards that of all models

  [[nodiscard]] double median_variance() const { return variance / systems; }
  [[nodiscard]] double squares() const;  ///< of the systems' deviations, a system's results by their mean
};

using GpuModels = std::map<std::string_view, GpuModel>;

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The quantile for a further value: of n values, the k-th is at k / (n + 1).
double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double last = static_cast<double>(values.size()) - 1;
  const double place = std::clamp(share * (last + 2) - 1, 0.0, last);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
}

/// The mean of each system's values.
std::vector<double> system_means(std::span<const std::string_view> names, std::span<const double> values) {
  std::map<std::string_view, std::vector<double>> of;
  for (std::size_t i = 0; i < values.size(); ++i) of[names[i]].push_back(values[i]);
  std::vector<double> means;
  means.reserve(of.size());
  for (const auto& [name, own] : of) means.push_back(mean(own));
  return means;
}

double GpuModel::squares() const {
  std::vector<double> each;
  each.reserve(ratios.size());
  for (const double ratio : ratios) each.push_back((ratio - median) * (ratio - median));
  double sum = 0;
  for (const double square : system_means(names, each)) sum += square;
  return sum;
}

/// What all results say of how systems, models and scales differ.
struct Spread {
  std::vector<double> residuals;  ///< of the systems from their model's median, in its own deviations
  double system_variance = 0;
  double model_variance = 0;         ///< of models from their maker's mean
  double model_freedom = 0;          ///< of that; 0: there is one model of each maker, so it is not known
  double sibling_variance = 0;       ///< of models of one architecture from their mean
  double sibling_freedom = 0;        ///< of that; 0: no two models have the same
  double per_doubling_variance = 0;  ///< of the change by one doubling of the GPUs
};

/// Of the systems around the medians of their models, by models of at least so many systems.
double pooled_variance(const GpuModels& models, double least) {
  double squares = 0;
  double free = 0;
  for (const auto& [word, model] : models) {
    if (model.systems < least) continue;
    squares += model.squares();
    free += model.systems - 1;
  }
  return free > 0 ? squares / free : 0;
}

/// Draws each model's variance towards that of all: its own counts as many systems as it has, the other as
/// few as are enough to have one.
void set_variances(GpuModels& models, double pooled) {
  for (auto& [word, model] : models)
    model.variance = (enough_to_spread * pooled + model.squares()) / (enough_to_spread + model.systems);
}

/// Student's 90 % quantile over the normal one: by how much a band must be wider whose variance is estimated
/// with so many degrees of freedom. Abramowitz and Stegun, 26.7.5.
double student_90(double freedom) {
  constexpr double z = normal_90;
  const double third = z * z * z;
  const double fifth = third * z * z;
  const double seventh = fifth * z * z;
  const double first_term = (third + z) / 4;
  const double second_term = (5 * fifth + 16 * third + 3 * z) / 96;
  const double third_term = (3 * seventh + 19 * fifth + 17 * third - 15 * z) / 384;
  return 1 + (first_term + (second_term + third_term / freedom) / freedom) / freedom / z;
}

/// The sum of squares of the models' medians around the means of their groups, with its degrees of freedom. A
/// model with an empty group name is in none.
struct WithinGroups {
  double squares = 0;
  double freedom = 0;
};

WithinGroups within_groups(const GpuModels& models, std::string_view GpuModel::*group) {
  std::map<std::string_view, std::vector<double>> groups;
  for (const auto& [word, model] : models)
    if (!(model.*group).empty()) groups[model.*group].push_back(model.median);
  WithinGroups within;
  for (const auto& [name, medians] : groups) {
    for (const double median : medians) within.squares += (median - mean(medians)) * (median - mean(medians));
    within.freedom += static_cast<double>(medians.size()) - 1;
  }
  return within;
}

/// What a normal distribution must have for Student's band; 0 degrees of freedom: as it is.
double student_variance(double variance, double freedom) {
  return variance * (freedom > 0 ? student_90(freedom) * student_90(freedom) : 1);
}

GpuModels models_of(std::span<const Observation> observations) {
  GpuModels models;
  for (const Observation& each : observations) {
    GpuModel& model = models[each.gpu];
    model.maker = each.make;
    model.architecture = each.architecture;
    model.ratios.push_back(std::log(each.ratio));
    model.doublings.push_back(std::log2(each.gpus));
    model.names.push_back(each.system);
  }
  for (auto& [word, model] : models) {
    const std::vector<double> means = system_means(model.names, model.ratios);
    model.systems = static_cast<double>(means.size());
    model.median = quantile(means, 0.5);
  }
  return models;
}

Spread spread_of(GpuModels& models) {
  Spread spread;
  spread.system_variance = pooled_variance(models, enough_to_spread);
  if (!(spread.system_variance > 0)) spread.system_variance = pooled_variance(models, 1);
  set_variances(models, spread.system_variance);
  double xx = 0;
  double xy = 0;
  for (const auto& [word, model] : models) {
    if (model.systems < enough_to_spread && models.size() > 1) continue;
    const double x0 = mean(model.doublings);
    const double y0 = mean(model.ratios);
    for (std::size_t i = 0; i < model.ratios.size(); ++i) {
      // A median is drawn towards each of the few systems that it is of.
      if (model.variance > 0 && model.systems > 1)
        spread.residuals.push_back((model.ratios[i] - model.median) /
                                   std::sqrt(model.variance * (1 - 1 / model.systems)));
      xx += (model.doublings[i] - x0) * (model.doublings[i] - x0);
      xy += (model.doublings[i] - x0) * (model.ratios[i] - y0);
    }
  }
  if (spread.residuals.empty()) spread.residuals = {-normal_90, normal_90};
  const WithinGroups makers = within_groups(models, &GpuModel::maker);
  spread.model_variance = makers.freedom > 0 ? makers.squares / makers.freedom : spread.system_variance;
  spread.model_freedom = makers.freedom;
  const WithinGroups architectures = within_groups(models, &GpuModel::architecture);
  if (architectures.freedom > 0) spread.sibling_variance = architectures.squares / architectures.freedom;
  spread.sibling_freedom = architectures.freedom;
  if (xx > 0) spread.per_doubling_variance = xy / xx * (xy / xx) + spread.system_variance / xx;
  return spread;
}

/// The centre of log(ratio) of a GPU's systems.
struct Guess {
  double centre = 0;
  double variance = 0;         ///< of the centre
  std::vector<double> scales;  ///< doublings of the GPUs of the results behind it
  std::string of;              ///< whose results they are, of a GPU without its own
};

/// Of a GPU without results: the mean of its architecture's models, drawn towards its maker's the more, the
/// fewer they are and the less architectures differ.
Guess guess_without(const GpuModels& models, const Gpu& gpu, const Spread& spread) {
  const std::string_view maker = gpu_make(gpu);
  const std::string_view architecture = architecture_named(gpu.model);
  Guess guess;
  std::vector<double> all;
  std::vector<double> siblings;
  std::vector<std::string> named;
  std::vector<double> scales;
  double of_medians = 0;
  for (const auto& [word, model] : models) {
    if (model.maker != maker) continue;
    all.push_back(model.median);
    guess.scales.insert(guess.scales.end(), model.doublings.begin(), model.doublings.end());
    if (architecture.empty() || model.architecture != architecture) continue;
    siblings.push_back(model.median);
    named.push_back(upper(word));
    of_medians += model.median_variance();
    scales.insert(scales.end(), model.doublings.begin(), model.doublings.end());
  }
  guess.centre = mean(all);
  guess.of = fmt::format("GPUs of {}", maker);
  const double of_mean = spread.model_variance / static_cast<double>(all.size());
  if (siblings.empty() || spread.sibling_freedom == 0) {
    guess.variance = student_variance(spread.model_variance + of_mean, spread.model_freedom);
    return guess;
  }
  const auto count = static_cast<double>(siblings.size());
  const double within = std::min(spread.sibling_variance, spread.model_variance);
  const double between = spread.model_variance - within;
  const double of_siblings = (within + of_medians / count) / count;
  const double weight = between > 0 ? between / (between + of_siblings) : 0;
  guess.centre += weight * (mean(siblings) - guess.centre);
  const double of_architecture = weight * of_siblings + (1 - weight) * (1 - weight) * of_mean;
  guess.variance = student_variance(within + of_architecture, spread.sibling_freedom);
  guess.scales = std::move(scales);
  guess.of = fmt::format("{} of the same architecture, {},", joined(named, ", "), architecture);
  return guess;
}

/// Of a GPU with results: their median, drawn towards its maker's mean.
Guess guess_of(const GpuModel& own, const GpuModels& models, const Spread& spread) {
  std::vector<double> medians;
  for (const auto& [word, model] : models)
    if (model.maker == own.maker) medians.push_back(model.median);
  const double centre = mean(medians);
  const double of_median = own.median_variance();
  const double weight = of_median > 0 ? spread.model_variance / (spread.model_variance + of_median) : 1.0;
  return {centre + weight * (own.median - centre), weight * of_median, own.doublings, ""};
}

/// What is missing where all results are of GPUs with quite another peak; empty: they are not.
std::string said_of_peak(std::span<const Observation> observations, const Gpu& gpu, double peak) {
  const auto [least, most] = std::ranges::minmax(observations, {}, &Observation::peak);
  if (!(peak > 0) || !(least.peak > 0)) return {};
  if (peak >= least.peak / widest_prediction && peak <= most.peak * widest_prediction) return {};
  const bool less = peak < least.peak;
  return fmt::format(
      "no published result of a GPU like '{}' is known: its stated peak is {:.1f} times {} that of "
      "any GPU with results",
      gpu.model, less ? least.peak / peak : peak / most.peak, less ? "below" : "above");
}

std::string said_of(const PublishedEvidence& found, const Gpu& gpu, const std::string& of, double beyond) {
  const auto systems = [](int count) { return plural(count, "published result"); };
  std::string text = found.of_this_gpu > 0
                         ? fmt::format("{:.3f} of it as {} with this GPU {}", found.ratio,
                                       systems(found.of_this_gpu), found.of_this_gpu == 1 ? "shows" : "show")
                         : fmt::format("{:.3f} of it as {} show, with none for '{}' among {}", found.ratio,
                                       of, gpu.model, systems(found.observations));
  text += fmt::format(", four of five within {:.3f} to {:.3f}", found.low, found.high);
  if (beyond > 0)
    text +=
        fmt::format("; the number of GPUs lies outside of theirs by a factor of {:.1f}", std::exp2(beyond));
  if (!is_useful(found.low, found.high))
    text += fmt::format("; that is wider than a factor of {:g}", widest_prediction);
  return text;
}

/// How far a scale in doublings lies outside of the least and the largest; at one of them not at all.
double outside(double doublings, double least, double most) {
  return std::max({0.0, doublings - most, least - doublings});
}

/// Whether a word of the GPU's model begins so: "h200" is in "NVIDIA H200", and not in "GH200".
bool begins_a_word(const Gpu& gpu, std::string_view start) {
  const std::string model = lower(gpu.model);
  for (std::size_t at = model.find(start); at != std::string::npos; at = model.find(start, at + 1))
    if (at == 0 || std::isalnum(static_cast<unsigned char>(model[at - 1])) == 0) return true;
  return false;
}

}  // namespace

std::string_view gpu_word(const Gpu& gpu, std::span<const std::string_view> known) {
  std::string_view best;
  for (const std::string_view word : known) {
    const auto parts = words(word);
    const auto is_there = [&](std::string_view part) { return begins_a_word(gpu, part); };
    const bool held = !parts.empty() && std::ranges::all_of(parts, is_there) &&
                      std::ranges::none_of(board_forms, [&](std::string_view form) {
                        return gpu_is(gpu, form) && !contains(word, form);
                      });
    if (held && word.size() > best.size()) best = word;
  }
  return best;
}

double published_basis(std::span<const PublishedResult> results, const Gpu& gpu) {
  std::vector<std::string_view> known;
  for (const PublishedResult& each : results) known.push_back(each.gpu);
  const std::string_view word = gpu_word(gpu, known);
  double basis = 0;
  for (const PublishedResult& each : results) {
    if (each.gpu != word) continue;
    if (basis > 0 && each.basis != basis) return 0;
    basis = each.basis;
  }
  return basis;
}

double doubling_uncertainty(std::span<const Observation> observations) {
  GpuModels models = models_of(observations);
  return models.empty() ? 0 : std::sqrt(spread_of(models).per_doubling_variance);
}

double widened(double distance, double uncertainty) {
  return std::hypot(distance, normal_90 * uncertainty);
}

double doublings_outside(double gpus, double least, double most) {
  return outside(std::log2(gpus), std::log2(least), std::log2(most));
}

PublishedEvidence evidence_for(std::span<const Observation> observations, const Gpu& gpu, double peak,
                               double gpus, double extra) {
  GpuModels models = models_of(observations);
  PublishedEvidence found;
  found.observations = static_cast<int>(observations.size());
  found.gpu_models = static_cast<int>(models.size());
  std::vector<std::string_view> known;
  known.reserve(models.size());
  for (const auto& [word, model] : models) known.push_back(word);
  const std::string_view maker = gpu_make(gpu);
  if (std::ranges::none_of(models, [&](const auto& each) { return each.second.maker == maker; }) ||
      found.observations < 2) {
    found.because = fmt::format("no published result of a GPU {}'{}' is known",
                                maker.empty() ? "like " : fmt::format("of {}, like ", maker), gpu.model);
    return found;
  }
  const Spread spread = spread_of(models);
  const auto own = models.find(gpu_word(gpu, known));
  if (own == models.end()) {
    if (found.because = said_of_peak(observations, gpu, peak); !found.because.empty()) return found;
  }
  const bool has_own = own != models.end();
  const Guess guess = has_own ? guess_of(own->second, models, spread) : guess_without(models, gpu, spread);
  if (has_own) found.of_this_gpu = static_cast<int>(own->second.ratios.size());
  const auto [least, most] = std::ranges::minmax(guess.scales);
  const double beyond = outside(std::log2(gpus), least, most);
  const double variance = guess.variance + spread.per_doubling_variance * beyond * beyond + extra * extra;
  const double deviation = std::sqrt(has_own ? own->second.variance : spread.system_variance);
  const double below = deviation * std::min(0.0, quantile(spread.residuals, (1 - band_share) / 2));
  const double above = deviation * std::max(0.0, quantile(spread.residuals, (1 + band_share) / 2));
  found.ratio = std::exp(guess.centre);
  found.low = std::exp(guess.centre - widened(below, std::sqrt(variance)));
  found.high = std::exp(guess.centre + widened(above, std::sqrt(variance)));
  found.because = said_of(found, gpu, guess.of, beyond);
  return found;
}

}  // namespace shakedown
