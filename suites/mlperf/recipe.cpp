#include "suites/mlperf/recipe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "orchestrator/inventory/node_kind.hpp"

namespace shakedown::mlperf {
namespace {

constexpr std::int64_t most_pinned = 1'000'000'000;  // products of three stay far from overflow
constexpr std::array<std::string_view, 7> pinnable = {"DP", "TP", "PP", "CP", "VP", "GBS", "MBS"};

using Pins = std::map<std::string_view, std::int64_t>;

Result<Pins> pins_of(const PlanRequest& request) {
  Pins pins;
  for (const std::string_view name : pinnable) {
    const auto pin = request.pinned(name);
    if (!pin) return failure_of(pin);
    const std::optional<std::int64_t> pinned = *pin;
    if (!pinned) continue;
    if (*pinned > (name == "GBS" ? most_pinned : 100'000))
      return fail(fmt::format("pin {}", name), fmt::format("{} is larger than any machine", *pinned));
    pins[name] = *pinned;
  }
  return pins;
}

/// The recipes, those of the nearest number of GPUs first.
std::vector<const Recipe*> by_distance(const Implementation& implementation, std::int64_t gpus) {
  std::vector<const Recipe*> all;
  all.reserve(implementation.recipes.size());
  for (const Recipe& recipe : implementation.recipes) all.push_back(&recipe);
  std::ranges::stable_sort(all, {}, [gpus](const Recipe* recipe) {
    return std::abs(std::log(value_of(*recipe, "gpus") / static_cast<double>(gpus)));
  });
  return all;
}

Parallelism parallelism_of(const Recipe& recipe, const Implementation& implementation, std::int64_t nodes,
                           std::int64_t gpus_per_node, const Pins& pins) {
  const auto chosen = [&](std::string_view name, double otherwise) {
    const auto pin = pins.find(name);
    return pin != pins.end() ? pin->second : std::max<std::int64_t>(1, std::llround(otherwise));
  };
  Parallelism one;
  one.gpus = nodes * gpus_per_node;
  one.TP = chosen("TP", value_of(recipe, "TP"));
  one.PP = chosen("PP", value_of(recipe, "PP"));
  one.VP = chosen("VP", value_of(recipe, "VP"));
  const double by_nodes = implementation.tuned(nodes == 1 ? "CP_one_node" : "CP_several_nodes", 0);
  one.CP = chosen("CP", by_nodes > 0 ? by_nodes : value_of(recipe, "CP"));
  one.MBS = chosen("MBS", value_of(recipe, "MBS"));
  const std::int64_t copies = one.gpus / one.model_gpus();
  one.DP = chosen("DP", static_cast<double>(copies));
  const double least = implementation.tuned("least_GBS", 0);
  one.GBS = chosen(
      "GBS", least > 0 ? std::max(least, static_cast<double>(one.DP * one.MBS)) : value_of(recipe, "GBS"));
  return one;
}

bool some_recipe_fits(const Implementation& implementation, std::int64_t nodes, std::int64_t gpus_per_node,
                      const Pins& pins) {
  return std::ranges::any_of(implementation.recipes, [&](const Recipe& recipe) {
    return check_parallelism(parallelism_of(recipe, implementation, nodes, gpus_per_node, pins),
                             implementation)
        .has_value();
  });
}

/// The number of nodes nearest to the request's that a recipe fits: of those that are there, else the next
/// above.
std::string nearest_good(const PlanRequest& request, std::int64_t gpus_per_node, const Pins& pins) {
  constexpr std::int64_t reach = 512;
  const auto nodes = static_cast<std::int64_t>(request.hosts.size());
  const auto kind = largest_kind(*request.inventory);
  const auto there = std::max(nodes, kind ? static_cast<std::int64_t>(kind->hosts.size()) : 0);
  const auto fits = [&](std::int64_t other) {
    return some_recipe_fits(*request.implementation, other, gpus_per_node, pins);
  };
  const auto text = [](std::int64_t other) { return fmt::format("{} node{}", other, other == 1 ? "" : "s"); };
  for (std::int64_t step = 1; step < there; ++step)
    for (const std::int64_t other : {nodes - step, nodes + step})
      if (other > 0 && other <= there && fits(other)) return text(other);
  for (std::int64_t other = there + 1; other <= there + reach; ++other)
    if (fits(other))
      return fmt::format("none within the {} there; the next above is {}", text(there), text(other));
  return "other pins, or nodes with another number of GPUs";
}

void explain(FittedRecipe& fitted, const Implementation& implementation, std::int64_t nodes,
             const Pins& pins) {
  const Parallelism& one = fitted.parallelism;
  const Value* stated = find_parameter(*fitted.recipe, "source");
  const std::string source = stated == nullptr ? implementation.source : value_text(*stated);
  const auto exact = static_cast<std::int64_t>(value_of(*fitted.recipe, "gpus")) == one.gpus;
  const std::string published = exact ? "published for this scale"
                                      : fmt::format("of the nearest published scale that fits, {} GPUs",
                                                    std::llround(value_of(*fitted.recipe, "gpus")));
  const auto add = [&](std::string_view name, std::int64_t value, std::string because, std::string rule) {
    if (pins.contains(name))
      fitted.why.push_back(
          {std::string(name), value, "as the configuration wants it", "pinned in the configuration"});
    else
      fitted.why.push_back({std::string(name), value, std::move(because), std::move(rule)});
  };
  add("TP", one.TP, published, source);
  add("PP", one.PP, published, source);
  add("VP", one.VP, published, source);
  const std::string by_nodes = implementation.tuned_text("CP_source");
  add("CP", one.CP, by_nodes.empty() ? published : fmt::format("{} node{}", nodes, nodes == 1 ? "" : "s"),
      by_nodes.empty() ? source : by_nodes);
  add("MBS", one.MBS, published, source);
  add("DP", one.DP, fmt::format("{} GPUs / (TP {} x PP {} x CP {})", one.gpus, one.TP, one.PP, one.CP),
      "ML-09");
  const auto least = std::llround(implementation.tuned("least_GBS", 0));
  add("GBS", one.GBS, least > 0 ? fmt::format("max({}, DP {} x MBS {})", least, one.DP, one.MBS) : published,
      least > 0 ? implementation.tuned_text("GBS_source") : source);
  fitted.why.push_back({"microbatches", one.microbatches(),
                        fmt::format("GBS {} / (DP {} x MBS {})", one.GBS, one.DP, one.MBS), "ML-09"});
  fitted.why.push_back(
      {"bubble", one.bubble(),
       fmt::format("(PP {} - 1) / (VP {} x {} microbatches)", one.PP, one.VP, one.microbatches()),
       "ML-09: at most 5 %"});
}

}  // namespace

double value_of(const Recipe& recipe, std::string_view name) {
  const Value* value = find_parameter(recipe, name);
  return value == nullptr ? 0 : value_number(*value);
}

Result<FittedRecipe> fitted_recipe(const PlanRequest& request, int gpus_per_node) {
  const Implementation& implementation = *request.implementation;
  const auto nodes = static_cast<std::int64_t>(request.hosts.size());
  const auto pins = pins_of(request);
  if (!pins) return failure_of(pins);
  std::optional<Error> first;
  for (const Recipe* recipe : by_distance(implementation, nodes * gpus_per_node)) {
    const Parallelism one = parallelism_of(*recipe, implementation, nodes, gpus_per_node, *pins);
    if (auto kept = check_parallelism(one, implementation); !kept) {
      if (!first) first = kept.error();
      continue;
    }
    FittedRecipe fitted{one, recipe, !pins->empty(), {}};
    explain(fitted, implementation, nodes, *pins);
    return fitted;
  }
  if (!first) return fail("recipes", fmt::format("'{}' has no recipe", implementation.title));
  first->hint = nearest_good(request, gpus_per_node, *pins);
  return tl::unexpected<Error>(*first);
}

}  // namespace shakedown::mlperf
