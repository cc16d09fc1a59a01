// Predictions beside published values, as tables.
//
// First those of the shipped SAKURAONE campaign. A row is `fitted` where the model was made from the very
// experiment that it is compared with: then agreement proves nothing. Where a model has published scales
// enough, `left out` is its prediction without that one.
//
// Then every published result that predictions for other systems rest on (suites/*/results*.tsv), each
// predicted without the rows of its own system; and a summary of these, and of the predictions without any
// row of the same GPU model.
//
// Last, the blind test: results published after the method was made, each from the rows published before.
//   build/<preset>/tests/benchmark_predictions
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "reports/compare/baseline.hpp"

using namespace shakedown;

namespace {

template <class T>
T must(Result<T> result) {
  if (result) return *std::move(result);
  std::cerr << to_string(result.error()) << "\n";
  std::exit(4);
}

double condition(const BaselineValue& value, std::string_view name) {
  const Value* stated = find_parameter(value.conditions, name);
  return stated == nullptr ? std::nan("") : value_number(*stated);
}

bool is_of(const BaselineValue& value, const Case& planned) {
  const Value* benchmark = find_parameter(value.conditions, "benchmark");
  return value.suite == planned.suite && condition(value, "nodes") == planned.nodes &&
         (planned.benchmark.empty() || (benchmark != nullptr && value_text(*benchmark) == planned.benchmark));
}

/// The case as it is planned if the implementation has no values for its own number of nodes.
std::optional<Case> left_out(const Case& planned, const Inventory& inventory, const Layout& layout,
                             std::vector<Implementation> implementations) {
  const auto same = [&](const Implementation& i) {
    return i.suite == planned.suite && i.id == planned.implementation && i.benchmark == planned.benchmark;
  };
  const auto found = std::ranges::find_if(implementations, same);
  const auto suite = std::ranges::find(suites(), planned.suite, &Suite::id);
  if (found == implementations.end() || suite == suites().end()) return std::nullopt;
  const size_t removed = std::erase_if(found->recipes, [&](const std::vector<Parameter>& recipe) {
    const Value* nodes = find_parameter(recipe, "nodes");
    return nodes != nullptr && value_number(*nodes) == planned.nodes;
  });
  if (removed == 0) return std::nullopt;
  PlanRequest request;
  request.inventory = &inventory;
  request.implementation = &*found;
  request.group = inventory.groups.data();
  request.hosts = must(expanded_hostlist(planned.hosts));
  request.layout = layout;
  auto again = (*suite)->plan(request);
  return again ? std::optional<Case>(*std::move(again)) : std::nullopt;
}

/// The prediction of a metric; of a published value per GPU, the total's over the GPUs.
std::optional<Prediction> predicted(const Case& planned, const BaselineValue& value) {
  if (const Prediction* own = find_prediction(planned, value.metric)) return *own;
  constexpr std::string_view per_gpu = "_per_gpu";
  if (!value.metric.ends_with(per_gpu)) return std::nullopt;
  const Prediction* total =
      find_prediction(planned, value.metric.substr(0, value.metric.size() - per_gpu.size()));
  const double gpus = condition(value, "gpus");
  if (total == nullptr || !(gpus > 0)) return std::nullopt;
  return Prediction{value.metric, total->value / gpus, total->low / gpus, total->high / gpus};
}

std::string error_text(double predicted, double published) {
  return fmt::format("{:+.1f} %", (predicted / published - 1) * 100);
}

/// A system like that of a published result, for planning.
Inventory system_like(const PublishedResult& result, double memory_fraction) {
  NodeGroup node;
  node.name = "compute";
  int per_node = result.gpus_per_node > 0 ? result.gpus_per_node : 8;
  while (result.gpus % per_node != 0) per_node /= 2;
  node.hosts = fmt::format("n[1-{}]", result.gpus / per_node);
  node.cpu.cores = 64;
  node.usable.cores = node.usable.hardware_threads = 64;
  node.memory_bytes = node.usable.memory_bytes = std::int64_t{1} << 40;
  Gpu gpu;
  gpu.model = (result.make == "amd" ? "AMD Instinct " : "NVIDIA ") + upper(result.gpu);
  // Room for the published matrix, where there is one.
  constexpr double room = 20 * gibi;
  const double each = 8 * result.N * result.N / result.gpus / memory_fraction;
  gpu.memory_bytes = static_cast<std::int64_t>(std::max(each, 80 * gibi) + room);
  gpu.peak.fp64_tensor_tflops = result.basis / 1000;
  gpu.peak.memory_bandwidth_gb_s = result.basis;
  gpu.peak.fp8_dense_tflops = result.basis;
  gpu.peak.fp16_dense_tflops = result.basis / 1000;
  node.gpus.assign(static_cast<std::size_t>(per_node), gpu);
  Inventory inventory;
  inventory.system = "another system";
  inventory.groups = {node};
  return inventory;
}

using Same = std::function<bool(const PublishedResult&)>;

/// What is predicted of a result's system without the results that are like it.
std::optional<Prediction> predicted_without(Implementation implementation, const PublishedResult& result,
                                            const Same& same, const Layout& layout) {
  const auto suite = std::ranges::find(suites(), implementation.suite, &Suite::id);
  if (suite == suites().end()) return std::nullopt;
  std::erase_if(implementation.results, same);
  const Inventory inventory = system_like(result, implementation.memory_fraction);
  PlanRequest request;
  request.inventory = &inventory;
  request.implementation = &implementation;
  request.group = inventory.groups.data();
  request.hosts = must(expanded_hostlist(inventory.groups.front().hosts));
  request.layout = layout;
  if (result.N > 0 && (*suite)->pins.front() == "N")
    request.pins = {{"N", static_cast<std::int64_t>(result.N)}};
  const auto planned = (*suite)->plan(request);
  if (!planned) return std::nullopt;
  const Prediction* found = find_prediction(*planned, result.metric);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

/// How well results were predicted.
struct Score {
  int rows = 0;
  int inside = 0;
  int none = 0;
  double widest = 1;
  std::vector<double> errors;

  bool add(const std::optional<Prediction>& prediction, double published) {
    ++rows;
    if (!prediction) {
      ++none;
      return false;
    }
    const bool in_band = prediction->low <= published && published <= prediction->high;
    inside += in_band ? 1 : 0;
    widest = std::max(widest, prediction->high / prediction->low);
    errors.push_back(std::abs(prediction->value / published - 1));
    return in_band;
  }

  [[nodiscard]] std::string cells() {
    std::ranges::sort(errors);
    const int made = rows - none;
    if (made == 0) return fmt::format("{} | {} | - | - | -", rows, none);
    return fmt::format("{} | {} | {:.1f} % | {:.0f} % | {:.2f}", rows, none, 100 * errors[errors.size() / 2],
                       100.0 * inside / made, widest);
  }
};

void print_scores(std::string_view title, std::map<std::string, Score>& scores) {
  std::cout << fmt::format(
      "\n| {} | results | no prediction | median error | in their band | widest band, high / low |\n"
      "|{}---|---|---|---|---|---|\n",
      title, contains(title, "|") ? "---|" : "");
  for (auto& [name, score] : scores) std::cout << fmt::format("| {} | {} |\n", name, score.cells());
}

/// The last month whose results were there when the method of predicting was made.
constexpr std::string_view method_made = "2025-06";

/// The results that were published later, each predicted from those that were there before.
void print_blind(const std::vector<Implementation>& implementations, const Layout& layout) {
  std::cout << "\n| suite | system | GPUs | published | predicted before | band | error | in band | when | "
               "status | "
               "source |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  std::map<std::string, Score> by_suite;
  std::map<std::string, Score> by_gpu;
  for (const Implementation& implementation : implementations) {
    const auto later = [](const PublishedResult& row) { return row.published > method_made; };
    for (const PublishedResult& result : implementation.results) {
      if (!later(result) || result.make != implementation.requires_gpu) continue;
      const std::string suite =
          implementation.suite + (implementation.benchmark.empty() ? "" : " ") + implementation.benchmark;
      const bool known = std::ranges::any_of(implementation.results, [&](const PublishedResult& row) {
        return row.gpu == result.gpu && !later(row) && row.system != result.system;
      });
      const auto prediction = predicted_without(
          implementation, result,
          [&](const PublishedResult& row) { return later(row) || row.system == result.system; }, layout);
      const bool inside =
          by_suite[suite + (known ? " | with results" : " | none")].add(prediction, result.value);
      by_gpu[suite + " | " + result.gpu].add(prediction, result.value);
      if (prediction)
        std::cout << fmt::format("| {} | {} | {} {} | {} | {} | {} to {} | {} | {} | {} | {} | {} |\n", suite,
                                 result.system, result.gpus, result.gpu, number(result.value, 4),
                                 number(prediction->value, 4), number(prediction->low, 3),
                                 number(prediction->high, 3), error_text(prediction->value, result.value),
                                 inside ? "yes" : "no", result.published, result.status, result.source);
    }
  }
  print_scores("suite | its GPU before", by_suite);
  print_scores("suite | GPU, blind", by_gpu);
}

/// What the catalogue states of a GPU, as the results of this suite are stated; 0: nothing.
double catalogued_basis(const GpuPeak& peak, std::string_view suite, std::string_view metric) {
  if (suite == "hpl-mxp") return 1000 * peak.fp16_dense_tflops.value_or(0);
  if (metric == "rmax_gflops")
    return 1000 * peak.fp64_tensor_tflops.value_or(peak.fp64_vector_tflops.value_or(0));
  return (metric == "rating_gflops" ? peak.memory_bandwidth_gb_s : peak.fp8_dense_tflops).value_or(0);
}

/// How wide the bands of the catalogue's GPUs are, with results or without.
void print_widths(const std::vector<Implementation>& implementations, const Layout& layout) {
  std::cout << "\n| suite | GPU | band on 8 GPUs, high / low | on 512 | on 8192 |\n|---|---|---|---|---|\n";
  for (const Implementation& implementation : implementations) {
    if (implementation.results.empty()) continue;
    std::set<std::string> printed;
    for (const Accelerator& row : accelerators()) {
      PublishedResult like = implementation.results.front();
      like.make = lower(row.vendor);
      like.basis = catalogued_basis(row.peak, implementation.suite, like.metric);
      const bool other_form =
          contains(lower(row.names.front()), lower(row.form));  // than the usual one of its family
      like.gpu = lower(other_form ? row.family + " " + row.form : row.family);
      if (like.make != implementation.requires_gpu || !(like.basis > 0) || !printed.insert(like.gpu).second)
        continue;
      std::string cells;
      for (const int count : {8, 512, 8192}) {
        like.gpus = count;
        like.gpus_per_node = 8;
        like.N = 0;
        const auto found = predicted_without(
            implementation, like, [](const auto&) { return false; }, layout);
        cells += found && is_useful(*found) ? fmt::format(" {:.2f} |", found->high / found->low) : " - |";
      }
      std::cout << fmt::format("| {}{}{} | {} |{}\n", implementation.suite,
                               implementation.benchmark.empty() ? "" : " ", implementation.benchmark,
                               like.gpu, cells);
    }
  }
}

/// All published results, each predicted without its own system.
void print_left_out(const std::vector<Implementation>& implementations, const Layout& layout) {
  std::cout
      << "\n| suite | system | GPUs | published | predicted without it | band | error | in band | source |\n"
         "|---|---|---|---|---|---|---|---|---|\n";
  std::map<std::string, Score> by_suite;
  std::map<std::string, Score> by_gpu;
  std::map<std::string, Score> without_gpu;
  int not_plannable = 0;
  for (const Implementation& implementation : implementations)
    for (const PublishedResult& result : implementation.results) {
      if (result.make != implementation.requires_gpu) {
        not_plannable += implementation.benchmark.empty() ? 0 : 1;
        continue;
      }
      const std::string suite =
          implementation.suite + (implementation.benchmark.empty() ? "" : " ") + implementation.benchmark;
      const auto prediction = predicted_without(
          implementation, result, [&](const auto& other) { return other.system == result.system; }, layout);
      const bool inside = by_suite[suite].add(prediction, result.value);
      by_suite["all suites"].add(prediction, result.value);
      by_gpu[suite + " | " + result.gpu].add(prediction, result.value);
      without_gpu[suite].add(
          predicted_without(
              implementation, result, [&](const auto& other) { return other.gpu == result.gpu; }, layout),
          result.value);
      if (prediction)
        std::cout << fmt::format("| {} | {} | {} {} | {} | {} | {} to {} | {} | {} | {} |\n", suite,
                                 result.system, result.gpus, result.gpu, number(result.value, 4),
                                 number(prediction->value, 4), number(prediction->low, 3),
                                 number(prediction->high, 3), error_text(prediction->value, result.value),
                                 inside ? "yes" : "no", result.source);
    }
  print_scores("suite, own system left out", by_suite);
  print_scores("suite | GPU, own system left out", by_gpu);
  print_scores("suite, all systems with this GPU left out", without_gpu);
  if (not_plannable > 0)
    std::cout << fmt::format("\n{} results are of GPUs that no implementation here runs on.\n",
                             not_plannable);
}

}  // namespace

int main() {
  const Layout layout = installed_layout();
  PlanOptions options;
  options.config = "sakuraone";
  const Acceptance acceptance = must(chosen_acceptance(options, layout));
  const Inventory inventory = must(chosen_inventory(options, acceptance, layout));
  const Plan plan = must(derived_plan(options, acceptance, inventory, layout));
  const Baseline baseline = must(read_baseline(layout.share / "baselines" / "sakuraone.toml"));
  auto implementations = must(read_implementations(layout.share / "implementations"));
  // Each owner ran a program of its own, with code for its GPUs.
  for (Implementation& each : implementations) each.gpu_code = {};
  std::cout << "| case | metric | published | predicted | band | error | fitted | left out | source |\n"
               "|---|---|---|---|---|---|---|---|---|\n";
  int rows = 0;
  int inside = 0;
  for (const Case& planned : plan.cases) {
    const auto without = left_out(planned, inventory, layout, implementations);
    for (const BaselineValue& value : baseline.values) {
      const auto prediction = is_of(value, planned) ? predicted(planned, value) : std::nullopt;
      if (!prediction) continue;
      const auto other = without ? predicted(*without, value) : std::nullopt;
      const bool fitted = planned.model.source == "fit";
      ++rows;
      inside += prediction->low <= value.value && value.value <= prediction->high ? 1 : 0;
      std::cout << fmt::format(
          "| {} | {} | {} | {} | {} to {} | {} | {} | {} | {} |\n", planned.id, value.metric,
          number(value.value, 5), number(prediction->value, 5), number(prediction->low, 4),
          number(prediction->high, 4), error_text(prediction->value, value.value),
          fitted ? fmt::format("{} of {}", planned.model.parameters, planned.model.points) : "no",
          !other ? (without ? "no model" : "-") : error_text(other->value, value.value), value.source);
    }
  }
  std::cout << fmt::format("\n{} of {} published values lie in the band.\n", inside, rows);
  print_left_out(implementations, layout);
  print_blind(implementations, layout);
  print_widths(implementations, layout);
  return 0;
}
