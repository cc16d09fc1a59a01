#include <algorithm>
#include <array>
#include <filesystem>

#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/redact/forms.hpp"
#include "reports/redact/redacted.hpp"
#include "reports/redact/texts.hpp"

namespace shakedown {
namespace {

/// The nodes in the order of the inventory, then as the plan and the attempts name others.
class NodeNames {
 public:
  void add_list(std::string_view hosts) {
    const auto all = expanded_hostlist(hosts);
    if (!all) return;
    for (const std::string& host : *all) add(host);
  }
  void add(const std::string& host) {
    if (host.empty() || !known_.insert(host).second) return;
    names_.push_back(host);
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::set<std::string> known_;
};

NodeNames nodes_named_by(const CampaignRecord& campaign) {
  NodeNames nodes;
  for (const NodeGroup& group : campaign.inventory.groups) nodes.add_list(group.hosts);
  for (const Pod& pod : campaign.inventory.pods) nodes.add_list(pod.hosts);
  for (const CaseRecord& record : campaign.cases) {
    nodes.add_list(record.planned.hosts);
    nodes.add_list(record.planned.among);
    for (const AttemptRecord& attempt : record.attempts) {
      nodes.add_list(attempt.hosts);
      nodes.add(attempt.host);
      for (const NodeState& state : attempt.nodes) nodes.add(state.node);
    }
  }
  for (const Exclusion& each : campaign.exclusions) nodes.add(each.node);
  for (const EnvironmentRecord& each : campaign.environment) nodes.add(each.node);
  return nodes;
}

/// What the batch system's variables name, by how they end.
struct VariableKind {
  std::string_view ending;
  NameKind kind;
};
constexpr std::array<VariableKind, 12> variables = {{{"_JOB_USER", NameKind::user},
                                                     {"_LOGNAME", NameKind::user},
                                                     {"_O_HOST", NameKind::node},
                                                     {"_SUBMIT_HOST", NameKind::node},
                                                     {"_SUBMIT_NODE", NameKind::node},
                                                     {"_JOB_ACCOUNT", NameKind::account},
                                                     {"_JOB_GROUP", NameKind::account},
                                                     {"_JOB_QOS", NameKind::account},
                                                     {"_JOB_PARTITION", NameKind::partition},
                                                     {"_O_QUEUE", NameKind::partition},
                                                     {"_RESERVATION", NameKind::partition},
                                                     {"_CLUSTER_NAME", NameKind::system}}};

void add_node(Redactor& names, const std::string& host) {
  names.add(NameKind::node, host);
  // A name with its domain is the same node as the one without.
  const std::size_t dot = host.find('.');
  if (dot == std::string::npos || dot == 0) return;
  names.add_alias(host.substr(0, dot), host);
  const std::string domain = host.substr(dot + 1);
  if (domain.find_first_not_of("0123456789.") != std::string::npos) names.add(NameKind::domain, domain);
}

void add_variable(Redactor& names, const VariableKind& variable, std::string_view value) {
  if (variable.kind == NameKind::node)
    add_node(names, std::string(value));
  else
    names.add(variable.kind, value);
}

/// The values that a text assigns to such variables: "export SLURM_JOB_ACCOUNT=proj42".
void add_assigned(Redactor& names, const std::string& text) {
  for (const VariableKind& variable : variables)
    for (std::size_t at = text.find(variable.ending); at != std::string::npos;
         at = text.find(variable.ending, at + 1)) {
      std::size_t start = at + variable.ending.size();
      if (start >= text.size() || text[start] != '=') continue;
      ++start;
      while (start < text.size() && (text[start] == '"' || text[start] == '\'')) ++start;
      const std::size_t end = std::min(text.find_first_of(" \t\n\"';,", start), text.size());
      if (end > start) add_variable(names, variable, std::string_view(text).substr(start, end - start));
    }
}

/// The users whose home folders a text names: "/home/alice/...".
void add_users(Redactor& names, const std::string& text) {
  for (const std::string_view folder : {"/home/", "/users/", "/Users/", "/user/"})
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at + 1)) {
      const std::size_t start = at + folder.size();
      std::size_t end = start;
      while (end < text.size() && (is_word(text[end]) || text[end] == '_' || text[end] == '.')) ++end;
      if (end > start) names.add(NameKind::user, std::string_view(text).substr(start, end - start));
    }
}

/// The domains that a text puts behind a known node or a mailbox: "cn003.acme.example", "bob@acme.example".
void add_domains(Redactor& names, const std::string& text) {
  const auto fits = [](char c) { return is_word(c) || c == '.' || c == '-' || c == '@'; };
  for (std::size_t at = 0; at < text.size();) {
    if (!fits(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && fits(text[end])) ++end;
    std::string_view word = std::string_view(text).substr(at, end - at);
    at = end;
    while (!word.empty() && !is_word(word.back())) word.remove_suffix(1);
    const std::size_t mail = word.find('@');
    const std::size_t dot = word.find('.');
    const bool of_node =
        mail == std::string_view::npos && dot != std::string_view::npos && names.knows(word.substr(0, dot));
    if (mail == std::string_view::npos && !of_node) continue;
    const std::string_view domain = word.substr((of_node ? dot : mail) + 1);
    if (domain.find('.') != std::string_view::npos &&
        domain.find_first_not_of("0123456789.") != std::string_view::npos)
      names.add(NameKind::domain, domain);
  }
}

void add_parties(Redactor& names, const CampaignRecord& campaign) {
  if (!campaign.config_text.empty())
    if (const auto read = acceptance_from_toml(campaign.config_text, "configuration")) {
      const ReportParties& parties = read->parties;
      for (const std::string* name : {&parties.vendor, &parties.customer, &parties.site, &parties.contract})
        names.add(NameKind::party, *name);
      names.add(NameKind::person, parties.tester);
    }
  const CriteriaRevision judging = judging_criteria(campaign);
  if (const auto criteria = read_criteria(judging.text, judging.name))
    for (const Waiver& waiver : criteria->waivers) names.add(NameKind::person, waiver.approver);
}

/// Logs made elsewhere are called as somebody named them, and so are their cases and the campaign. What is a
/// single word ("result.txt", "HPL.out") is a benchmark's own name.
void add_imported(Redactor& names, const CampaignRecord& campaign) {
  if (!is_external(campaign)) return;
  if (!is_plain_word(campaign.id)) names.add(NameKind::campaign, campaign.id);
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (const FileRecord& file : attempt.files) {
        const std::string stem = std::filesystem::path(file.name).stem().string();
        const bool is_word_alone =
            std::ranges::all_of(stem, [](char c) { return is_word(c) && !is_digit(c); });
        if (!is_word_alone && !names.keeps(stem) && suite_facts(stem) == nullptr)
          names.add(NameKind::file, stem);
      }
}

/// What is no name, though a node may be called so.
void keep_identifiers(Redactor& names, const CampaignRecord& campaign) {
  for (const CaseRecord& record : campaign.cases) {
    for (const std::string* text : {&record.planned.suite, &record.planned.implementation,
                                    &record.planned.parser, &record.planned.benchmark})
      names.keep(*text);
    for (const Prediction& each : record.planned.predicted) names.keep(each.metric);
    for (const AttemptRecord& attempt : record.attempts)
      for (const ResultRecord& result : attempt.results)
        for (const Metric& metric : result.parsed.metrics) names.keep(metric.name);
  }
  names.keep(campaign.kind);
  names.keep(campaign.scheduler);
}

}  // namespace

Redactor names_of(const CampaignRecord& campaign) {
  Redactor names;
  keep_identifiers(names, campaign);
  const NodeNames nodes = nodes_named_by(campaign);
  for (const std::string& host : nodes.all()) add_node(names, host);
  for (const std::string* system : {&campaign.system, &campaign.inventory.system})
    names.add(NameKind::system, *system);
  for (const Storage& storage : campaign.inventory.storage) names.add(NameKind::system, storage.name);
  add_imported(names, campaign);
  const Site& site = campaign.site;
  for (const std::string* name : {&site.partition, &site.reservation}) names.add(NameKind::partition, *name);
  for (const Pod& pod : campaign.inventory.pods) names.add(NameKind::partition, pod.name);
  for (const std::string* name : {&site.account, &site.qos}) names.add(NameKind::account, *name);
  add_parties(names, campaign);
  for (const EnvironmentRecord& each : campaign.environment)
    for (const VariableKind& variable : variables)
      if (each.name.ends_with(variable.ending)) add_variable(names, variable, each.value);
  for (const CaseRecord& record : campaign.cases)
    for (const Parameter& each : record.planned.environment)
      for (const VariableKind& variable : variables)
        if (each.name.ends_with(variable.ending)) add_variable(names, variable, value_text(each.value));
  CampaignRecord all = campaign;
  each_text(all, [&](std::string& text) {
    add_users(names, text);
    add_assigned(names, text);
    add_domains(names, text);
  });
  return names;
}

}  // namespace shakedown
