// Predictions of the shipped SAKURAONE campaign beside what SAKURAONE published, as a table. A row is
// `fitted` where the model was made from the very experiment that it is compared with: then agreement proves
// nothing. Where a model has published scales enough, `left out` is its prediction without that one.
//   build/<preset>/tests/benchmark_predictions
#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "orchestrator/core/units.hpp"
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

}  // namespace

int main() {
  const Layout layout = installed_layout();
  PlanOptions options;
  options.config = "sakuraone";
  const Acceptance acceptance = must(chosen_acceptance(options, layout));
  const Inventory inventory = must(chosen_inventory(options, acceptance, layout));
  const Plan plan = must(derived_plan(options, acceptance, inventory, layout));
  const Baseline baseline = must(read_baseline(layout.share / "baselines" / "sakuraone.toml"));
  const auto implementations = must(read_implementations(layout.share / "implementations"));
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
  return 0;
}
