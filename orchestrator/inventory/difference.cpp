#include "orchestrator/inventory/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "orchestrator/inventory/features.hpp"
#include "orchestrator/inventory/fields.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr size_t nowhere = static_cast<size_t>(-1);

struct Hosts {
  std::vector<std::string> order;
  std::unordered_map<std::string, size_t> group_of;
};

Hosts hosts_of(const Inventory& inventory) {
  Hosts hosts;
  for (size_t g = 0; g < inventory.groups.size(); ++g)
    for (std::string& host :
         expanded_hostlist(inventory.groups[g].hosts).value_or(std::vector<std::string>{})) {
      hosts.group_of.emplace(host, g);
      hosts.order.push_back(std::move(host));
    }
  return hosts;
}

size_t group_in(const Hosts& hosts, const std::string& host) {
  const auto it = hosts.group_of.find(host);
  return it == hosts.group_of.end() ? nowhere : it->second;
}

/// Changes with the hosts still to be folded; equal ones are one.
class Collected {
 public:
  void add(const Change& change, const std::vector<std::string>& hosts) {
    const auto [it, fresh] =
        known_.try_emplace(std::tuple(change.what, change.before, change.after), list_.size());
    if (fresh) list_.push_back({change, {}});
    auto& all = list_[it->second].second;
    all.insert(all.end(), hosts.begin(), hosts.end());
  }
  std::vector<Change> changes() && {
    std::vector<Change> done;
    for (auto& [change, hosts] : list_) {
      if (!hosts.empty()) change.hosts = folded_hostlist(hosts);
      done.push_back(std::move(change));
    }
    return done;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, size_t> known_;
  std::vector<std::pair<Change, std::vector<std::string>>> list_;
};

const Feature* find(const std::vector<Feature>& list, const std::string& name) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const Feature& f) { return f.name == name; });
  return it == list.end() ? nullptr : &*it;
}

/// Whether another feature's change already reports this one.
bool is_notified(const Feature& feature, const Feature& other, const std::vector<Feature>& before,
                 const std::vector<Feature>& after) {
  const Feature* first = find(before, std::string(feature.follows));
  const Feature* second = find(after, std::string(feature.follows));
  return first != nullptr && second != nullptr && first->value == feature.value &&
         second->value == other.value;
}

/// A node without a part is also without that part's features: only the part is named.
void compare_nodes(const NodeGroup& a, const NodeGroup& b, const std::vector<std::string>& hosts,
                   ComparedAs how, Collected& collected) {
  const auto before = features(a);
  const auto after = features(b);
  for (const Feature& feature : before) {
    const Feature* other = find(after, feature.name);
    if (other == nullptr && feature.is_part)
      collected.add({feature.kind, "", feature.name, feature.value, ""}, hosts);
    if (other == nullptr || same_value(feature, *other, how.tolerance)) continue;
    // Few files list the local disks.
    const bool silent = feature.value.empty() || (feature.kind == FeatureKind::disk && feature.value == "0");
    if (how.only_stated_before && silent) continue;
    if (is_notified(feature, *other, before, after)) continue;
    collected.add({feature.kind, "", feature.name, feature.value, other->value}, hosts);
  }
  if (how.only_stated_before) return;
  for (const Feature& feature : after)
    if (feature.is_part && find(before, feature.name) == nullptr)
      collected.add({feature.kind, "", feature.name, "", feature.value}, hosts);
}

void compare_groups(const Inventory& before, const Inventory& after, ComparedAs how, Collected& collected) {
  const Hosts a = hosts_of(before);
  const Hosts b = hosts_of(after);
  std::map<std::pair<size_t, size_t>, std::vector<std::string>> pairs;
  for (const std::string& host : a.order) pairs[{group_in(a, host), group_in(b, host)}].push_back(host);
  for (const std::string& host : b.order)
    if (group_in(a, host) == nowhere) pairs[{nowhere, group_in(b, host)}].push_back(host);
  for (const auto& [groups, hosts] : pairs) {
    if (groups.first == nowhere)
      collected.add({FeatureKind::nodes, "", "node", "", "there"}, hosts);
    else if (groups.second == nowhere)
      collected.add({FeatureKind::nodes, "", "node", "there", ""}, hosts);
    else
      compare_nodes(before.groups[groups.first], after.groups[groups.second], hosts, how, collected);
  }
}

std::unordered_map<std::string, std::string> pod_of_host(const Inventory& inventory) {
  std::unordered_map<std::string, std::string> pods;
  for (const Pod& pod : inventory.pods)
    for (const std::string& host : expanded_hostlist(pod.hosts).value_or(std::vector<std::string>{}))
      pods.emplace(host, pod.name);
  return pods;
}

void compare_pods(const Inventory& before, const Inventory& after, Collected& collected) {
  if (before.pods.empty() || after.pods.empty()) return;  // not stated: nothing differs
  const auto a = pod_of_host(before);
  const auto b = pod_of_host(after);
  const auto name_in = [](const auto& pods, const std::string& host) {
    const auto it = pods.find(host);
    return it == pods.end() ? std::string() : it->second;
  };
  const Hosts hosts = hosts_of(before);
  const Hosts others = hosts_of(after);
  for (const std::string& host : hosts.order)
    if (others.group_of.contains(host) && name_in(a, host) != name_in(b, host))
      collected.add({FeatureKind::fabric, "", "pod", name_in(a, host), name_in(b, host)}, {host});
}

/// A field as text; empty for a default, which means "not stated".
template <class T>
std::string field_text(const T& value) {
  if (value == T{}) return "";
  if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return fmt::format("{} keys", value.size());
  else
    return fmt::format("{}", value);
}

template <class T>
void compare_fields(FeatureKind kind, const std::string& prefix, const T& before, const T& after,
                    Collected& collected) {
  Fields<T>::visit([&]<class Member>(const Key& key, Member T::*member) {
    if (key.name == "assumed" || before.*member == after.*member) return;
    collected.add(
        {kind, "", prefix + std::string(key.name), field_text(before.*member), field_text(after.*member)},
        {});
  });
}

const Storage* storage_called(const Inventory& inventory, const std::string& name) {
  for (const Storage& storage : inventory.storage)
    if (storage.name == name) return &storage;
  return nullptr;
}

void compare_storage(const Inventory& before, const Inventory& after, Collected& collected) {
  for (const Storage& storage : before.storage) {
    const Storage* other = storage_called(after, storage.name);
    if (other == nullptr)
      collected.add({FeatureKind::mount, "", "storage " + storage.name, "there", ""}, {});
    else
      compare_fields(FeatureKind::mount, "storage " + storage.name + " ", storage, *other, collected);
  }
  for (const Storage& storage : after.storage)
    if (storage_called(before, storage.name) == nullptr)
      collected.add({FeatureKind::mount, "", "storage " + storage.name, "", "there"}, {});
}

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

std::vector<Change> differences(const Inventory& before, const Inventory& after, ComparedAs how) {
  Collected collected;
  compare_groups(before, after, how, collected);
  if (!how.only_stated_before) {
    compare_pods(before, after, collected);
    compare_fields(FeatureKind::fabric, "fabric ", before.fabric, after.fabric, collected);
    compare_storage(before, after, collected);
  }
  return std::move(collected).changes();
}

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
