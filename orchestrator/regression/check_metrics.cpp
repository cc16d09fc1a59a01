#include "orchestrator/regression/check_metrics.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "reports/formats/prometheus.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

using nlohmann::ordered_json;
constexpr const char* began = "shakedown_check_start_timestamp_seconds";
constexpr const char* took = "shakedown_check_duration_seconds";

using Labels = std::vector<std::pair<std::string, std::string>>;

fs::path file_in(const Workspace& workspace) {
  return workspace.folder / "regression-metrics.json";
}

Labels labels_of(const std::string& system, const SeriesName& name) {
  return {{"system", system},
          {"suite", name.suite},
          {"implementation", name.implementation},
          {"metric", name.metric},
          {"nodes", name.nodes},
          {"kind", name.node_kind},
          {"parameters", name.parameters}};
}

/// The node that samples of these labels are of, where they are of one; empty: of none, or of several.
std::string node_of(const Labels& labels, const std::string& system) {
  std::string node;
  for (const auto& [name, value] : labels) {
    if (name == "system" && value != system) return "";
    if (name == "nodes" && value.find(' ') == std::string::npos) node = value;
  }
  return node;
}

std::string label(const Labels& labels, std::string_view wanted) {
  for (const auto& [name, value] : labels)
    if (name == wanted) return value;
  return "";
}

/// The number of nodes in a series' label: "cn3" is one, "4 nodes" four.
int nodes_in(const std::string& text) {
  return text.find(' ') == std::string::npos ? 1 : std::atoi(text.c_str());
}

/// Whether a run of the configuration may be the one that a series is of. One that states no number of nodes
/// has those that the budget allows, `most`, or fewer where fewer were idle.
bool may_be_of(const Labels& labels, const AcceptanceRun& run, int most) {
  const int nodes = nodes_in(label(labels, "nodes"));
  return label(labels, "suite") == run.suite &&
         (run.implementation.empty() || label(labels, "implementation") == run.implementation) &&
         (!run.each_node || nodes == 1) && (run.nodes.empty() ? nodes <= most : run.nodes.front() == nodes);
}

/// Whether a check has as many cases as there are runs on the nodes of a series, and all of them have a
/// value.
bool all_measured(const Labels& labels, std::size_t runs, const CampaignRecord& campaign) {
  const std::string nodes = label(labels, "nodes");
  std::vector<const CaseRecord*> cases;
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    if (planned.suite != label(labels, "suite") ||
        planned.implementation != label(labels, "implementation") || planned.nodes != nodes_in(nodes) ||
        (planned.nodes == 1 && planned.hosts != nodes))
      continue;
    const bool good = std::ranges::any_of(record.attempts, [&](const AttemptRecord& attempt) {
      return std::ranges::any_of(attempt.results, [&](const ResultRecord& result) {
        return usable(result) || valid_but_for_length(campaign, result);
      });
    });
    if (!good) return false;
    if (std::ranges::none_of(
            cases, [&](const CaseRecord* other) { return same_case(other->planned, record.planned); }))
      cases.push_back(&record);
  }
  return !cases.empty() && cases.size() >= runs;
}

MetricFamily family_from(const ordered_json& each) {
  MetricFamily family{each.at("name"), each.at("help"), each.at("counter"), {}};
  for (const ordered_json& sample : each.at("samples")) {
    MetricSample& one = family.samples.emplace_back();
    for (const auto& [name, value] : sample.at("labels").items()) one.labels.emplace_back(name, value);
    one.value = sample.at("value");
  }
  return family;
}

}  // namespace

CheckMetrics CheckMetrics::read(const Workspace& workspace) try {
  CheckMetrics metrics;
  const auto text = file_content(file_in(workspace));
  if (!text) return metrics;
  const ordered_json document = json_or_thrown<ordered_json>(*text);
  for (const ordered_json& each : document.at("families")) metrics.families_.push_back(family_from(each));
  return metrics;
} catch (const nlohmann::json::exception&) {
  return {};
}

Result<void> CheckMetrics::write(const Workspace& workspace) const {
  ordered_json document = {{"schema", "shakedown.regression-metrics/1"}, {"families", ordered_json::array()}};
  for (const MetricFamily& each : families_) {
    ordered_json family = {{"name", each.name},
                           {"help", each.help},
                           {"counter", each.counter},
                           {"samples", ordered_json::array()}};
    for (const MetricSample& sample : each.samples) {
      ordered_json labels = ordered_json::object();
      for (const auto& [name, value] : sample.labels) labels[name] = value;
      family["samples"].push_back({{"labels", labels}, {"value", sample.value}});
    }
    document["families"].push_back(std::move(family));
  }
  return write_file(file_in(workspace),
                    document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

void CheckMetrics::put(const std::string& name, const std::string& help, MetricSample sample, bool counter) {
  auto family = std::ranges::find(families_, name, &MetricFamily::name);
  if (family == families_.end()) {
    families_.push_back({name, help, counter, {}});
    family = std::prev(families_.end());
  }
  family->help = help;  // the stored text may be of another version
  const auto same = std::ranges::find(family->samples, sample.labels, &MetricSample::labels);
  if (same == family->samples.end())
    family->samples.push_back(std::move(sample));
  else
    same->value = sample.value;
}

bool CheckMetrics::has_check(const std::string& system, double began_s) const {
  const auto family = std::ranges::find(families_, began, &MetricFamily::name);
  return family != families_.end() && std::ranges::any_of(family->samples, [&](const MetricSample& sample) {
           return sample.labels == Labels{{"system", system}} && sample.value >= began_s;
         });
}

void CheckMetrics::drop_ended(const Regression& regression, const CheckState& standing) {
  const std::string& system = standing.history.system;
  std::vector<Labels> measured;
  measured.reserve(standing.verdict.series.size());
  for (const JudgedSeries& each : standing.verdict.series)
    measured.push_back(labels_of(system, each.series.name));
  const auto is_alike = [](const Labels& a, const Labels& b) {
    return std::ranges::all_of(std::array{"suite", "implementation", "metric", "nodes"},
                               [&](const char* name) { return label(a, name) == label(b, name); });
  };
  const auto is_ended = [&](const MetricSample& sample) {
    const Labels& labels = sample.labels;
    if (label(labels, "system") != system || label(labels, "suite").empty()) return false;
    const auto runs =
        static_cast<std::size_t>(std::ranges::count_if(regression.facts.runs, [&](const AcceptanceRun& run) {
          return may_be_of(labels, run, regression.nodes);
        }));
    if (runs == 0) return true;
    return std::ranges::find(measured, labels) == measured.end() &&
           std::ranges::any_of(measured, [&](const Labels& other) { return is_alike(labels, other); }) &&
           all_measured(labels, runs, standing.campaign);
  };
  for (MetricFamily& family : families_) std::erase_if(family.samples, is_ended);
}

void CheckMetrics::record_check(const CheckState& standing, const Coverage& coverage,
                                const std::set<std::string>& hosts) {
  const std::string& system = standing.history.system;
  const CampaignRecord& campaign = standing.campaign;
  record_verdict(system, campaign.created_s, standing.verdict, hosts);
  const auto gauge = [&](const char* name, const char* help, double value) {
    put(name, help, {{{"system", system}}, value});
  };
  gauge(took, "How long it took.", std::max(0.0, campaign.finished_s - campaign.created_s));
  gauge("shakedown_coverage_nodes", "Nodes that checks are planned for.", coverage.nodes);
  gauge("shakedown_coverage_seen_nodes", "Of them seen within the promised days.", coverage.seen);
  gauge("shakedown_coverage_oldest_seconds", "Since the node longest not seen was.",
        coverage.oldest_days * 86'400);
}

void CheckMetrics::record_verdict(const std::string& system, double began_s, const CheckVerdict& verdict,
                                  const std::set<std::string>& hosts) {
  std::vector<Labels> measured;
  measured.reserve(verdict.series.size());
  for (const JudgedSeries& each : verdict.series) measured.push_back(labels_of(system, each.series.name));
  for (MetricFamily& family : families_)
    std::erase_if(family.samples, [&](const MetricSample& sample) {
      if (family.name == took && sample.labels == Labels{{"system", system}}) return true;  // of another
      const std::string node = node_of(sample.labels, system);
      return (!node.empty() && !hosts.contains(node)) ||
             std::ranges::find(measured, sample.labels) != measured.end();
    });
  const auto gauge = [&](const char* name, const char* help, double value) {
    put(name, help, {{{"system", system}}, value});
  };
  gauge(began, "When the last check began.", began_s);
  gauge("shakedown_check_exit_code", "0 no alarm, 1 alarm or below a floor, 3 undecided.", verdict.exit_code);
  gauge("shakedown_check_success", "1: no alarm, and above all floors.", verdict.exit_code == 0 ? 1 : 0);
  for (std::size_t i = 0; i < verdict.series.size(); ++i) {
    const JudgedSeries& each = verdict.series[i];
    const auto of_series = [&](const std::string& name, std::string_view help, double value) {
      put(name, std::string(help), {measured[i], value});
    };
    const BaseUnit unit = base_unit(each.series.name.metric);
    of_series(unit.name, measured_help, each.value * unit.factor);
    of_series("shakedown_series_measured_timestamp_seconds", "When that check began.", began_s);
    of_series("shakedown_series_alarm", "1: a loss that is sure and large enough.", each.alarm() ? 1 : 0);
    if (each.series.floor)
      of_series("shakedown_series_below_floor", "1: beyond the contract's limit.",
                each.watched.below_floor ? 1 : 0);
    of_series("shakedown_series_learning", "1: too few checks for an alarm.", each.learning() ? 1 : 0);
    if (each.watched.expected > 0)
      of_series("shakedown_series_loss_ratio", "Loss against the control region; below 0: a gain.",
                each.watched.loss);
  }
}

void CheckMetrics::record_counts(const CheckLog& log, const std::string& system) {
  const auto counter = [&](const char* name, const char* help, double value) {
    put(name, help, {{{"system", system}}, value}, true);
  };
  const CheckLog::Skipped skipped = log.skipped(system);
  counter("shakedown_checks_total", "Checks that came to a verdict.", log.verdicts(system));
  counter("shakedown_checks_skipped_total", "Checks that were not made, for another one or a busy system.",
          skipped.all);
  counter("shakedown_checks_failed_total", "Checks that ended in an error.",
          static_cast<double>(std::ranges::count(log.failures, system, &LoggedFailure::system)));
  put("shakedown_checks_skipped_since_last", "Skipped since the last check that was made.",
      {{{"system", system}}, static_cast<double>(skipped.since_last_check)});
}

void write_textfile(const Check& check, CheckMetrics metrics) {
  if (check.options.metrics.empty()) return;
  if (const auto log = read_check_log(check.workspace)) metrics.record_counts(*log, check.inventory.system);
  if (auto written = write_metrics(check.options.metrics, metrics.families()); !written)
    check.output.warn("metrics not written", written.error());
}

void record_and_write_textfile(const Check& check, CheckMetrics metrics) {
  if (auto noted = metrics.write(check.workspace); !noted)
    check.output.warn("metrics not stored", noted.error());
  write_textfile(check, std::move(metrics));
}

void recover_textfile(const Check& check, const CheckLog& log) {
  const std::string& system = check.inventory.system;
  const auto last = std::find_if(log.checks.rbegin(), log.checks.rend(),
                                 [&](const LoggedCheck& each) { return each.system == system; });
  CheckMetrics metrics = CheckMetrics::read(check.workspace);
  if (last == log.checks.rend() || metrics.has_check(system, last->at_s)) return;
  const auto text = file_content(check.workspace.campaign(last->campaign) / check_verdict_file);
  if (!text) return;
  const auto verdict = check_verdict_from_json(*text, check_verdict_file);
  if (!verdict) return;
  metrics.record_verdict(system, last->at_s, *verdict, all_hosts(check.inventory));
  record_and_write_textfile(check, std::move(metrics));
}

}  // namespace shakedown
