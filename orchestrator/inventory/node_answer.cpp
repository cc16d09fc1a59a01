#include "orchestrator/inventory/node_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/merge.hpp"
#include "orchestrator/inventory/readers.hpp"

namespace shakedown {
namespace {

/// From the line "{" to the last line "}", as inventory_json writes it.
std::string_view document_in(std::string_view printed) {
  size_t begin = printed.starts_with("{\n") ? 0 : printed.find("\n{\n");
  if (begin == printed.npos) return {};
  if (begin > 0) ++begin;
  const size_t end = printed.rfind("\n}");
  return end == printed.npos || end < begin ? std::string_view() : printed.substr(begin, end + 2 - begin);
}

/// The first line with words: launchers frame their messages with dashes.
std::string first_sentence(std::string_view printed) {
  for (const std::string_view line : split(printed, '\n')) {
    const std::string_view text = trimmed(line);
    if (text.find_first_not_of("-=*") != text.npos) return std::string(text.substr(0, 160));
  }
  return "nothing was printed";
}

/// Hosts grouped by the same sentence, in the order of the first.
class Sentences {
 public:
  void add(const std::string& sentence, const std::string& host) {
    auto it =
        std::find_if(list_.begin(), list_.end(), [&](const auto& one) { return one.first == sentence; });
    if (it == list_.end()) it = list_.insert(it, {sentence, {}});
    it->second.push_back(host);
  }
  [[nodiscard]] const auto& list() const { return list_; }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> list_;
};

}  // namespace

Result<NodeAnswer> node_answer(std::string_view printed, const std::string& host) {
  const std::string_view document = document_in(printed);
  if (document.empty()) return fail_environment(host, first_sentence(printed));
  auto inventory = inventory_from_json(document, host);
  if (!inventory) return failure_of(inventory);
  if (inventory->groups.size() != 1) return fail_environment(host, "the answer is not that of one node");
  NodeAnswer answer{host, inventory->groups.front().hosts, std::move(*inventory)};
  answer.inventory.groups.front().hosts = host;
  return answer;
}

bool is_unanswered(const Inventory& inventory) {
  return std::ranges::find(inventory.notes, no_node_answered) != inventory.notes.end();
}

std::vector<std::string> silence_notes(const std::vector<SilentNode>& silent) {
  Sentences reasons;
  for (const SilentNode& node : silent) {
    // The host's own name would make every reason another one.
    constexpr std::string_view anyone = "<node>";
    std::string why = node.why;
    for (size_t at = why.find(node.host); at != why.npos; at = why.find(node.host, at + anyone.size()))
      why.replace(at, node.host.size(), anyone);
    reasons.add(why, node.host);
  }
  std::vector<std::string> notes;
  for (const auto& [why, hosts] : reasons.list())
    notes.push_back(fmt::format("{}: no answer ({})", folded_hostlist(hosts), why));
  return notes;
}

Inventory merged_answers(const std::vector<NodeAnswer>& answers, const std::vector<SilentNode>& silent,
                         const std::string& system, const Inventory* expected) {
  std::vector<Inventory> inventories;
  Sentences names;
  std::map<std::string, const Usable*, std::less<>> of_slurm;  // by host
  if (expected != nullptr)
    for (const NodeGroup& group : expected->groups)
      for (const std::string& host : expanded_hostlist(group.hosts).value_or(std::vector<std::string>{}))
        of_slurm[host] = &group.usable;
  for (const NodeAnswer& answer : answers) {
    inventories.push_back(answer.inventory);
    if (const auto known = of_slurm.find(answer.host); known != of_slurm.end()) {
      Usable& usable = inventories.back().groups.front().usable;
      usable.slurm_cpus_per_core = known->second->slurm_cpus_per_core;
      usable.slurm_gpus = known->second->slurm_gpus;
    }
    names.add(answer.calls_itself, answer.host);
  }
  Inventory whole = merged(inventories, system);
  for (std::string& note : silence_notes(silent)) whole.notes.push_back(std::move(note));
  for (const auto& [name, hosts] : names.list())
    if (hosts.size() > 1)
      whole.notes.push_back(fmt::format("{}: one machine answers to these names, it calls itself '{}'",
                                        folded_hostlist(hosts), name));
  if (expected == nullptr) return whole;
  for (const Change& change : differences(*expected, whole, {.only_stated_before = true}))
    if (change.what == "GPUs" || change.what == "cores")
      whole.notes.push_back(fmt::format("{}: {} {}, but {} has {}", change.hosts, change.after, change.what,
                                        expected->source, change.before));
  return whole;
}

}  // namespace shakedown
