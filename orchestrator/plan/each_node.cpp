#include "orchestrator/plan/each_node.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

void name_node(std::string& text, std::string_view host) {
  for (size_t at = text.find(host_placeholder); at != std::string::npos;
       at = text.find(host_placeholder, at + host.size()))
    text.replace(at, host_placeholder.size(), host);
}

void name_node(std::vector<std::string>& texts, std::string_view host) {
  for (std::string& text : texts) name_node(text, host);
}

void name_node(std::vector<Parameter>& parameters, std::string_view host) {
  for (Parameter& each : parameters)
    if (auto* text = std::get_if<std::string>(&each.value)) name_node(*text, host);
}

Case on_node(const Case& like, const std::string& host) {
  Case planned = like;
  planned.hosts = folded_hostlist({&host, 1});
  name_node(planned.id, host);
  for (auto* texts :
       {&planned.container.mounts, &planned.arguments, &planned.argv, &planned.modules, &planned.warnings})
    name_node(*texts, host);
  for (auto* text : {&planned.container.image, &planned.program, &planned.result_file, &planned.model.text})
    name_node(*text, host);
  name_node(planned.environment, host);
  name_node(planned.parameters, host);
  for (Reason& each : planned.why) name_node(each.because, host);
  for (TextFile& each : planned.files) {
    name_node(each.name, host);
    name_node(each.content, host);
  }
  for (auto* lines : {&planned.preparation, &planned.node_preparation})
    for (auto& line : *lines) name_node(line, host);
  return planned;
}

/// Whether cases on each node have an id and a node in common.
bool meet(const std::vector<Case>& cases) {
  std::unordered_map<std::string_view, std::vector<const Case*>> by_id;
  for (const Case& planned : cases)
    if (is_for_each_node(planned)) by_id[planned.id].push_back(&planned);
  for (const auto& [id, like] : by_id) {
    if (like.size() == 1) continue;
    std::unordered_set<std::string> seen;
    for (const Case* planned : like)
      for (std::string& host : expanded_hostlist(planned->hosts).value_or(std::vector<std::string>()))
        if (!seen.insert(std::move(host)).second) return true;
  }
  return false;
}

}  // namespace

bool is_for_each_node(const Case& planned) {
  return planned.id.find(host_placeholder) != std::string::npos;
}

int node_count(const Case& planned) {
  if (!is_for_each_node(planned)) return 1;
  const auto hosts = expanded_hostlist(planned.hosts);
  return hosts ? static_cast<int>(hosts->size()) : 1;
}

std::vector<Case> written_out(std::vector<Case> cases) {
  if (std::ranges::none_of(cases, is_for_each_node)) return cases;
  std::vector<Case> all;
  for (size_t begin = 0; begin < cases.size();) {
    size_t end = begin + 1;
    const auto hosts = is_for_each_node(cases[begin]) ? expanded_hostlist(cases[begin].hosts)
                                                      : Result<std::vector<std::string>>();
    if (!hosts || hosts->empty()) {
      all.push_back(std::move(cases[begin]));
      begin = end;
      continue;
    }
    while (end < cases.size() && is_for_each_node(cases[end]) && cases[end].hosts == cases[begin].hosts &&
           cases[end].repetition > cases[end - 1].repetition)
      ++end;
    for (const std::string& host : *hosts)
      for (size_t i = begin; i < end; ++i) all.push_back(on_node(cases[i], host));
    begin = end;
  }
  return all;
}

void number_equal_ids(std::vector<Case>& cases) {
  if (meet(cases)) cases = written_out(std::move(cases));
  std::unordered_map<std::string, int> seen;
  for (Case& planned : cases) {
    if (node_count(planned) > 1) continue;
    planned = std::move(written_out({std::move(planned)}).front());
    if (const int count = ++seen[planned.id]; count > 1) planned.id += fmt::format("-{}", count);
  }
}

}  // namespace shakedown
