#include "orchestrator/campaign/loaded_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/job.hpp"
#include "orchestrator/launch/node_arguments.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

/// The beginning of a hash, which results.json holds whole.
std::string short_hash(const std::string& sha256) {
  return sha256.substr(0, 16);
}

/// Sentences, each with the nodes that it is true of.
class Differences {
 public:
  explicit Differences(std::size_t nodes) : names_nodes_(nodes > 1) {}
  void add(const std::string& sentence, const std::string& node) {
    if (!sentence.empty()) nodes_[sentence].push_back(node);
  }
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] std::string text() const {
    constexpr std::size_t most = 5;
    std::vector<std::string> sentences;
    for (const auto& [sentence, nodes] : nodes_)
      if (sentences.size() < most)
        sentences.push_back(names_nodes_ ? fmt::format("{}: {}", folded_hostlist(nodes), sentence)
                                         : sentence);
    const std::size_t more = nodes_.size() - sentences.size();
    return joined(sentences, "; ") + (more > 0 ? fmt::format("; and {} more", more) : "");
  }

 private:
  bool names_nodes_;
  std::map<std::string, std::vector<std::string>> nodes_;
};

/// Where a file is another than it was; empty: it is the same, or nobody knows.
std::string loaded_difference(const LoadedFile& file, const std::string& bound) {
  if (!file.before.empty())
    return fmt::format("{} has SHA-256 {}, and had {} in an attempt before", file.path,
                       short_hash(file.sha256), short_hash(file.before));
  if (bound.empty() || bound == file.sha256) return "";
  return fmt::format("{} has SHA-256 {}, and had {} when the campaign began", file.path,
                     short_hash(file.sha256), short_hash(bound));
}

const LoadedFile* find_file(const std::vector<LoadedFile>& files, std::string_view path) {
  const auto it = std::ranges::find(files, path, &LoadedFile::path);
  return it == files.end() ? nullptr : &*it;
}

/// Where a node's files are not those of the first one.
void compare_nodes(Differences& differ, const LoadedOnNode& first, const LoadedOnNode& other,
                   const std::string& program) {
  for (const LoadedFile& file : other.files) {
    const LoadedFile* same = find_file(first.files, file.path);
    const std::string& wanted = file.is_program ? program : same != nullptr ? same->sha256 : "";
    const bool may_differ = file.written || (same != nullptr && same->written);
    if (may_differ || (file.is_program && program.empty())) continue;
    if (wanted.empty())
      differ.add(fmt::format("{} is loaded, and not on {}", file.path, first.node), other.node);
    else if (wanted != file.sha256)
      differ.add(fmt::format("{} has SHA-256 {}, and {} on {}", file.path, short_hash(file.sha256),
                             short_hash(wanted), first.node),
                 other.node);
  }
  for (const LoadedFile& file : first.files)
    if (find_file(other.files, file.path) == nullptr)
      differ.add(fmt::format("{} is not loaded, and is on {}", file.path, first.node), other.node);
}

}  // namespace

std::vector<LoadedOnNode> loaded_on_nodes(const std::filesystem::path& folder, const AttemptRecord& attempt,
                                          std::span<const std::string> hosts) {
  const auto read = [&](const std::string& name) {
    const auto text = file_content(folder / name);
    return loaded_from_json(text ? *text : "").files;
  };
  std::vector<LoadedOnNode> loaded = {
      {hosts.empty() ? attempt.host : hosts.front(), read(std::string(environment_file))}};
  for (const std::string& host : hosts.empty() ? hosts : hosts.subspan(1)) {
    auto state = std::ranges::lower_bound(attempt.nodes, host, {}, &NodeState::node);  // they are sorted
    if (state == attempt.nodes.end() || state->node != host)
      state = std::ranges::find_if(attempt.nodes,
                                   [&](const NodeState& each) { return same_host(each.node, host); });
    loaded.push_back({host, {}});
    if (state != attempt.nodes.end())
      loaded.back().files = read(fmt::format("node-{}.json", file_name_of(state->node)));
  }
  return loaded;
}

RuleResult loaded_rule(std::span<const LoadedOnNode> loaded, const Commitment& commitment,
                       const std::string& program) {
  RuleResult rule;
  rule.id = "IMPL-02";
  rule.title = "Scripts, files and libraries that the program loads stay the same";
  rule.source = "the campaign's commitment, and the attempts before on that node";
  rule.value = plural(loaded.empty() ? 0 : loaded.front().files.size(), "file");
  Differences differ(loaded.size());
  Differences written(loaded.size());
  for (const LoadedOnNode& node : loaded)
    for (const LoadedFile& file : node.files)
      if (file.written)
        written.add(file.path + " changed while the program ran", node.node);
      else
        differ.add(loaded_difference(file, file.is_program ? program : committed_file(commitment, file.path)),
                   node.node);
  if (!differ.empty()) {
    rule.status = RuleStatus::fail;
    rule.text = differ.text();
  } else if (loaded.empty() || loaded.front().files.empty()) {
    rule.text = "the node did not report what the program loads";
  } else if (!written.empty()) {
    rule.text = written.text();
  } else {
    rule.status = RuleStatus::pass;
  }
  return rule;
}

RuleResult alike_rule(std::span<const LoadedOnNode> loaded, const std::string& program) {
  RuleResult rule;
  rule.id = "IMPL-03";
  rule.title = "The program loads the same files on all nodes";
  rule.source = "SHA-256 of the files, as each node found them before the start";
  rule.severity = Severity::warning;
  rule.value = plural(loaded.size(), "node");
  Differences differ(loaded.size());
  std::vector<std::string> silent;
  for (const LoadedOnNode& node : loaded)
    if (node.files.empty())
      silent.push_back(node.node);
    else if (!loaded.front().files.empty())
      compare_nodes(differ, loaded.front(), node, program);
  rule.status = !differ.empty() ? RuleStatus::fail : !silent.empty() ? RuleStatus::unknown : RuleStatus::pass;
  rule.text = differ.text();
  if (!silent.empty())
    rule.text += fmt::format("{}{} did not report what the program loads", differ.empty() ? "" : "; ",
                             folded_hostlist(silent));
  return rule;
}

void judge_loaded(AttemptRecord& attempt, std::span<const LoadedOnNode> loaded, const Case& planned,
                  const std::optional<Commitment>& commitment) {
  if (!commitment || std::ranges::all_of(loaded, [](const auto& node) { return node.files.empty(); })) return;
  std::vector<RuleResult> rules = {
      loaded_rule(loaded, *commitment, committed_program(*commitment, executable_of(planned)))};
  if (loaded.size() > 1) rules.push_back(alike_rule(loaded, attempt.program_sha256));
  for (ResultRecord& result : attempt.results) {
    // A suite without rules is judged by its results alone: one more unknown rule would make it undecided.
    const bool bare = result.rules.empty();
    for (const RuleResult& rule : rules) {
      const bool fails = rule.status == RuleStatus::fail;
      if (!bare || fails) result.rules.push_back(rule);
      if (fails && rule.severity == Severity::validity) result.validity = Validity::invalid;
    }
  }
}

}  // namespace shakedown
