#include "suites/io500/rates.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"

namespace shakedown::io500 {
namespace {

using Point = std::vector<Parameter>;

double value_of(const Point& point, std::string_view name) {
  const Value* value = find_parameter(point, name);
  return value == nullptr ? 0 : value_number(*value);
}

/// Why these rates are not the storage's; empty: they are.
std::string other_storage(const Implementation& implementation, const Storage* storage) {
  if (storage == nullptr) return "the inventory describes no shared storage";
  const std::string model = implementation.tuned_text("storage_server_model");
  const auto servers = static_cast<int>(implementation.tuned("storage_servers", 0));
  if (storage->type == implementation.tuned_text("storage_type") && storage->server_model == model &&
      storage->servers == servers)
    return {};
  return fmt::format("the published rates are of {} x {}, and this is {}", servers, model,
                     storage->server_model.empty()
                         ? fmt::format("'{}'", storage->name)
                         : fmt::format("{} x {}", storage->servers, storage->server_model));
}

std::string with_bound(std::string why, const Storage* storage) {
  const double most = storage == nullptr ? 0 : server_gib_s(*storage);
  if (most > 0) why += fmt::format("; the servers' links carry at most {} GiB/s", number(most, 3));
  return "no model applies: " + why;
}

}  // namespace

double Rates::rate(std::string_view phase) const {
  return value_of(values, phase);
}

double Rates::write_s(std::string_view phase) const {
  return value_of(values, std::string(phase) + "_s");
}

double server_gib_s(const Storage& storage) {
  return storage.servers * storage.nics_per_server * storage.nic_gbit_s * 1e9 / 8 / gibi;
}

double client_gib_s(const NodeGroup& node) {
  double storage = 0;
  double all = 0;
  for (const Nic& nic : node.nics) {
    if (nic.role == "storage") storage += nic.speed_gb_s;
    if (nic.role != "management" && nic.role != "reserved") all += nic.speed_gb_s;
  }
  return (storage > 0 ? storage : all) * 1e9 / 8 / gibi;
}

namespace {

/// No client writes or reads faster than its links.
void bound_by_clients(Rates& rates, const NodeGroup& node, double nodes) {
  const double each = client_gib_s(node);
  if (each <= 0) return;
  for (Parameter& rate : rates.values) {
    const bool bandwidth = rate.name.starts_with("ior_") && !rate.name.ends_with("_s");
    if (!bandwidth || value_number(rate.value) <= nodes * each) continue;
    rate.value = nodes * each;
    rates.client_bound = fmt::format("{} x {} GiB/s, what the clients' links to the storage carry",
                                     std::llround(nodes), number(each, 3));
  }
}

}  // namespace

Rates rates(const PlanRequest& request, const Storage* storage) {
  const Implementation& implementation = *request.implementation;
  const auto nodes = static_cast<double>(request.hosts.size());
  Rates found;
  if (implementation.recipes.empty()) {
    found.text = with_bound("the implementation has no published rates", storage);
    return found;
  }
  if (std::string other = other_storage(implementation, storage); !other.empty()) {
    found.text = with_bound(std::move(other), storage);
    return found;
  }
  std::vector<Point> points = implementation.recipes;
  std::ranges::sort(points, {}, [](const Point& point) { return value_of(point, "nodes"); });
  const auto above =
      std::ranges::find_if(points, [&](const Point& point) { return value_of(point, "nodes") >= nodes; });
  found.known = true;
  const bool below_all = above == points.begin() && value_of(*above, "nodes") > nodes;
  if (above == points.end() || below_all) {
    found.values = below_all ? points.front() : points.back();
    found.nodes = std::llround(value_of(found.values, "nodes"));
    found.text = with_bound(fmt::format("the published runs had {} to {} nodes, and these are {}",
                                        std::llround(value_of(points.front(), "nodes")),
                                        std::llround(value_of(points.back(), "nodes")), std::llround(nodes)),
                            storage);
    bound_by_clients(found, *request.group, nodes);
    return found;
  }
  found.predicts = true;
  const Point& high = *above;
  const Point& low = above == points.begin() ? high : *(above - 1);
  const double span = std::log(value_of(high, "nodes") / value_of(low, "nodes"));
  const double along = span > 0 ? std::log(nodes / value_of(low, "nodes")) / span : 0;
  for (const Parameter& each : low) {
    const double first = value_number(each.value);
    const double second = value_of(high, each.name);
    if (first > 0 && second > 0 && each.name != "nodes")
      found.values.push_back({each.name, first * std::pow(second / first, along)});
  }
  found.text = fmt::format(
      "rates by a power law in the number of nodes between the published {} and {}, whatever the ranks per "
      "node; "
      "total time = the phases' sum; {}",
      std::llround(value_of(points.front(), "nodes")), std::llround(value_of(points.back(), "nodes")),
      implementation.tuned_text("model_source"));
  return found;
}

}  // namespace shakedown::io500
