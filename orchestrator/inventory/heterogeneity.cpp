#include "orchestrator/inventory/heterogeneity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "orchestrator/inventory/features.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr size_t most_sentences = 6;  // about the same nodes

/// The groups whose nodes have one value of a feature.
struct Holders {
  Feature feature;
  bool has_it = true;  ///< false: these nodes don't have the part
  std::vector<size_t> groups;
  size_t nodes = 0;
};

struct Nodes {
  std::vector<std::vector<std::string>> hosts;  ///< of each group
  [[nodiscard]] std::string names(const Holders& holders) const {
    std::vector<std::string> names;
    for (const size_t group : holders.groups)
      names.insert(names.end(), hosts[group].begin(), hosts[group].end());
    return folded_hostlist(names);
  }
};

void add(std::vector<Holders>& values, const Feature& feature, bool has_it, size_t group, size_t nodes) {
  auto it = std::find_if(values.begin(), values.end(), [&](const Holders& known) {
    return known.has_it == has_it && (!has_it || same_value(known.feature, feature));
  });
  if (it == values.end()) it = values.insert(it, Holders{feature, has_it, {}, 0});
  it->groups.push_back(group);
  it->nodes += nodes;
}

/// "1 socket", "2 sockets"; names of counts are plurals.
std::string counted(const Feature& feature) {
  const bool one = feature.value == "1" && feature.name.ends_with('s');
  return fmt::format("{} {}", feature.value,
                     std::string_view(feature.name).substr(0, feature.name.size() - (one ? 1 : 0)));
}

std::string sentence(const Holders& few, const Holders& many) {
  const std::string others =
      fmt::format("{} node{} {}", many.nodes, many.nodes == 1 ? "" : "s", many.nodes == 1 ? "has" : "have");
  const Feature& feature = few.feature;
  if (!few.has_it) return fmt::format("no {} where {} one", feature.name, others);
  if (!many.has_it) return fmt::format("a {} where {} none", feature.name, others);
  if (feature.counts) return fmt::format("{} where {} {}", counted(feature), others, many.feature.value);
  return fmt::format("{} {} where {} {}", feature.name, feature.value, others, many.feature.value);
}

/// The features in the order in which they are first seen, each with who has what.
std::vector<std::vector<Holders>> values_of(const Inventory& inventory, const Nodes& nodes) {
  std::vector<std::vector<Feature>> all;
  std::vector<const Feature*> order;
  std::unordered_map<std::string, size_t> known;
  all.reserve(inventory.groups.size());
  for (const NodeGroup& group : inventory.groups) all.push_back(features(group));
  for (const auto& list : all)
    for (const Feature& feature : list)
      if (known.try_emplace(feature.name, order.size()).second) order.push_back(&feature);
  std::vector<std::vector<Holders>> values(order.size());
  for (size_t g = 0; g < all.size(); ++g) {
    std::vector<bool> seen(order.size());
    for (const Feature& feature : all[g]) {
      const size_t index = known[feature.name];
      seen[index] = true;
      if (!feature.value.empty()) add(values[index], feature, true, g, nodes.hosts[g].size());
    }
    for (size_t i = 0; i < order.size(); ++i)
      if (!seen[i] && order[i]->is_part) add(values[i], *order[i], false, g, nodes.hosts[g].size());
  }
  return values;
}

}  // namespace

std::vector<std::string> heterogeneity(const Inventory& inventory) {
  if (inventory.groups.size() < 2) return {};
  Nodes nodes;
  for (const NodeGroup& group : inventory.groups)
    nodes.hosts.push_back(expanded_hostlist(group.hosts).value_or(std::vector<std::string>{}));
  std::vector<std::string> sentences;
  std::map<std::string, size_t> said;
  for (const auto& values : values_of(inventory, nodes)) {
    if (values.size() < 2) continue;
    const auto many = std::max_element(values.begin(), values.end(),
                                       [](const Holders& a, const Holders& b) { return a.nodes < b.nodes; });
    for (const Holders& few : values) {
      if (&few == &*many || few.nodes == 0) continue;
      const std::string names = nodes.names(few);
      if (++said[names] <= most_sentences)
        sentences.push_back(fmt::format("{}: {}", names, sentence(few, *many)));
    }
  }
  for (const auto& [names, count] : said)
    if (count > most_sentences)
      sentences.push_back(fmt::format("{}: {} more difference{}", names, count - most_sentences,
                                      count - most_sentences == 1 ? "" : "s"));
  return sentences;
}

}  // namespace shakedown
