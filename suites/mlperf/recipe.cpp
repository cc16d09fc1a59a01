#include "suites/mlperf/recipe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "suites/mlperf/memory_use.hpp"

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
    if ((name == "CP" || name == "VP") && *pinned > 1 &&
        request.implementation->tuned_text(fmt::format("export_{}", name)).empty())
      return fail(fmt::format("pin {}", name),
                  fmt::format("'{}' has no setting for it", request.implementation->title), "leave it out");
    pins[name] = *pinned;
  }
  return pins;
}

/// The recipes, those of the nearest number of GPUs first; those of one node last for several, and the other
/// way round: there the network makes the difference.
std::vector<const Recipe*> by_distance(const Implementation& implementation, std::int64_t nodes,
                                       std::int64_t gpus) {
  std::vector<const Recipe*> all;
  all.reserve(implementation.recipes.size());
  for (const Recipe& recipe : implementation.recipes) all.push_back(&recipe);
  std::ranges::stable_sort(all, {}, [nodes, gpus](const Recipe* recipe) {
    return std::pair((value_of(*recipe, "nodes") == 1) != (nodes == 1),
                     std::abs(std::log(value_of(*recipe, "gpus") / static_cast<double>(gpus))));
  });
  return all;
}

/// The global batch size that is not pinned, and why it is that.
struct Batch {
  std::int64_t GBS = 0;
  std::string because;
  bool published = false;  ///< the recipe's own, at its own scale
};

std::int64_t rounded_up(std::int64_t number, std::int64_t step) {
  return (number + step - 1) / step * step;
}

/// A batch that DP x MBS divides (x PP, where the pipeline is interleaved): where the batch follows the GPUs,
/// the least; else the recipe's, at other scales in proportion to the GPUs, from the closed division's least
/// to the largest published one, up to such a multiple.
Batch batch_of(const Recipe& recipe, const Implementation& implementation, const Parallelism& one) {
  const std::int64_t unit = one.DP * one.MBS * (one.VP > 1 ? one.PP : 1);
  const std::string unit_text =
      one.VP > 1 ? fmt::format("DP {} x MBS {} x PP {} = {}", one.DP, one.MBS, one.PP, unit)
                 : fmt::format("DP {} x MBS {} = {}", one.DP, one.MBS, unit);
  if (const auto least = std::llround(implementation.tuned("least_GBS", 0)); least > 0) {
    const std::int64_t GBS = rounded_up(std::max<std::int64_t>(least, unit), unit);
    return {GBS, fmt::format("the least multiple of {} that is at least {}", unit_text, least)};
  }
  const auto own = std::llround(value_of(recipe, "GBS"));
  const auto its_gpus = std::llround(value_of(recipe, "gpus"));
  if (its_gpus == one.gpus) return {own, {}, true};
  const auto in_proportion = static_cast<std::int64_t>(
      std::llround(static_cast<double>(own) * static_cast<double>(one.gpus) / static_cast<double>(its_gpus)));
  const auto least_closed = std::llround(implementation.tuned("least_closed_GBS", 1));
  std::int64_t largest = least_closed;
  for (const Recipe& each : implementation.recipes)
    largest = std::max<std::int64_t>(largest, std::llround(value_of(each, "GBS")));
  const std::int64_t wanted = std::clamp<std::int64_t>(in_proportion, least_closed, largest);
  const std::int64_t GBS = rounded_up(wanted, unit);
  std::string because = fmt::format("{} on {} GPUs, in proportion {}", own, its_gpus, in_proportion);
  if (in_proportion < least_closed)
    because += fmt::format(", raised to the closed division's {}", least_closed);
  if (in_proportion > largest) because += fmt::format(", at most the largest published, {}", largest);
  if (GBS != wanted) because += fmt::format(", up to a multiple of {}", unit_text);
  return {GBS, std::move(because)};
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
  one.CP = chosen("CP", value_of(recipe, "CP"));
  one.MBS = chosen("MBS", value_of(recipe, "MBS"));
  const std::int64_t copies = one.gpus / one.model_gpus();
  one.DP = chosen("DP", static_cast<double>(copies));
  const auto pinned = pins.find("GBS");
  one.GBS = pinned != pins.end() ? pinned->second : batch_of(recipe, implementation, one).GBS;
  return one;
}

/// That ranks of a layer share nodes evenly, and, where it is ours to choose, that the batch stays in the
/// closed division's range and within the published convergence, and that the GPUs hold the division by the
/// estimate.
Result<void> check_fit(const Recipe& recipe, const Parallelism& one, const PlanRequest& request,
                       std::int64_t gpus_per_node, const Pins& pins) {
  const Implementation& implementation = *request.implementation;
  if (auto kept = check_parallelism(one, implementation); !kept) return kept;
  const bool shared_evenly =
      gpus_per_node % one.TP == 0 || (pins.contains("TP") && one.TP % gpus_per_node == 0);
  if (!shared_evenly)
    return fail("ML-09", fmt::format("TP = {} does not divide the {} GPUs of a node: some layers would be "
                                     "shared over the network",
                                     one.TP, gpus_per_node));
  const auto most = std::llround(implementation.tuned("most_closed_GBS", 0));
  if (most > 0 && one.GBS > most && !pins.contains("GBS") && !batch_of(recipe, implementation, one).published)
    return fail("ML-04",
                fmt::format("the least batch that DP = {} x MBS = {} x PP = {} divides is {}, above the "
                            "closed division's {}",
                            one.DP, one.MBS, one.PP, one.GBS, most));
  const auto most_reference = std::llround(implementation.tuned("most_reference_GBS", 0));
  if (most_reference > 0 && one.GBS > most_reference && !pins.contains("GBS"))
    return fail("ML-05", fmt::format("the least batch that DP = {} x MBS = {} divides is {}, above {}, the "
                                     "largest whose convergence is published ({})",
                                     one.DP, one.MBS, one.GBS, most_reference,
                                     implementation.tuned_text("reference_source")));
  const bool divided_by_pins = std::ranges::any_of(std::array{"TP", "PP", "CP", "MBS"},
                                                   [&](const char* name) { return pins.contains(name); });
  return divided_by_pins ? Result<void>() : check_memory(one, request);
}

/// The division by the first recipe that fits so many nodes; nothing: none does.
std::optional<Parallelism> fitting(const PlanRequest& request, std::int64_t nodes, std::int64_t gpus_per_node,
                                   const Pins& pins) {
  for (const Recipe* recipe : by_distance(*request.implementation, nodes, nodes * gpus_per_node)) {
    const Parallelism one = parallelism_of(*recipe, *request.implementation, nodes, gpus_per_node, pins);
    if (check_fit(*recipe, one, request, gpus_per_node, pins)) return one;
  }
  return std::nullopt;
}

/// The nodes above which any batch that the division allows is too large, unless their scale is a published
/// one: there the search for a number that fits need not look.
std::int64_t most_nodes_by_batch(const PlanRequest& request, std::int64_t gpus_per_node, const Pins& pins) {
  constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
  const Implementation& implementation = *request.implementation;
  std::int64_t most = unbounded;
  for (const char* name : {"most_closed_GBS", "most_reference_GBS"})
    if (const auto batch = std::llround(implementation.tuned(name, 0)); batch > 0)
      most = std::min<std::int64_t>(most, batch);
  if (most == unbounded || pins.contains("GBS") || pins.contains("DP")) return unbounded;
  std::int64_t gpus = 0;
  for (const Recipe& recipe : implementation.recipes) {
    const Parallelism one = parallelism_of(recipe, implementation, 1, gpus_per_node, pins);
    gpus = std::max(gpus, most / one.MBS * one.model_gpus());  // DP x MBS divides the batch
  }
  return gpus / gpus_per_node;
}

/// The number of nodes nearest to the request's that a recipe fits: of those that are there, else the next
/// above. No time is predicted for most of them: a large bubble is stated, with the nearest smaller number
/// that has none.
std::string nearest_good(const PlanRequest& request, std::int64_t gpus_per_node, const Pins& pins) {
  constexpr std::int64_t reach = 512;
  const auto nodes = static_cast<std::int64_t>(request.hosts.size());
  const auto kind = largest_kind(*request.inventory);
  const auto there = std::max(nodes, kind ? static_cast<std::int64_t>(kind->hosts.size()) : 0);
  const std::int64_t most = most_nodes_by_batch(request, gpus_per_node, pins);
  const auto is_published = [&](std::int64_t other) {
    return std::ranges::any_of(request.implementation->recipes, [&](const Recipe& recipe) {
      return std::llround(value_of(recipe, "gpus")) == other * gpus_per_node;
    });
  };
  const auto fit = [&](std::int64_t other) {
    return other <= most || is_published(other) ? fitting(request, other, gpus_per_node, pins) : std::nullopt;
  };
  const auto text = [&](std::int64_t other, const Parallelism& one) {
    std::string found = plural(other, "node");
    if (one.bubble() <= large_bubble) return found;
    found += fmt::format(", which divides evenly, with a pipeline bubble of {}", percent_text(one.bubble()));
    for (std::int64_t fewer = other - 1; fewer > 0; --fewer)
      if (const auto better = fit(fewer); better && better->bubble() <= large_bubble)
        return found + fmt::format("; the next below with at most {}: {}", percent_text(large_bubble, 0),
                                   plural(fewer, "node"));
    return found;
  };
  for (std::int64_t step = 1; step < there; ++step)
    for (const std::int64_t other : {nodes - step, nodes + step})
      if (other > 0 && other <= there)
        if (const auto one = fit(other)) return text(other, *one);
  for (std::int64_t other = there + 1; other <= there + reach; ++other)
    if (const auto one = fit(other))
      return fmt::format("none within the {} there; the next above is {}", plural(there, "node"),
                         text(other, *one));
  return "other pins, or nodes with another number of GPUs";
}

void explain(FittedRecipe& fitted, const Implementation& implementation, const Pins& pins) {
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
  add("CP", one.CP, published, source);
  add("MBS", one.MBS, published, source);
  add("DP", one.DP, fmt::format("{} GPUs / (TP {} x PP {} x CP {})", one.gpus, one.TP, one.PP, one.CP),
      "ML-09");
  const Batch batch = batch_of(*fitted.recipe, implementation, one);
  const std::string batch_source = implementation.tuned_text("GBS_source");
  add("GBS", one.GBS, batch.published ? published : batch.because,
      batch.published || batch_source.empty() ? source : batch_source);
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
  for (const Recipe* recipe : by_distance(implementation, nodes, nodes * gpus_per_node)) {
    const Parallelism one = parallelism_of(*recipe, implementation, nodes, gpus_per_node, *pins);
    if (auto kept = check_fit(*recipe, one, request, gpus_per_node, *pins); !kept) {
      if (!first) first = kept.error();
      continue;
    }
    FittedRecipe fitted{one, recipe, !pins->empty(), {}};
    explain(fitted, implementation, *pins);
    if (Reason memory = explained_memory(one, request); !memory.what.empty())
      fitted.why.push_back(std::move(memory));
    return fitted;
  }
  if (!first) return fail("recipes", fmt::format("'{}' has no recipe", implementation.title));
  first->hint = nearest_good(request, gpus_per_node, *pins);
  return tl::unexpected<Error>(*first);
}

}  // namespace shakedown::mlperf
