#include "orchestrator/campaign/starting_configuration.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "orchestrator/campaign/starting_site.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "reports/judge/criteria_reach.hpp"

namespace shakedown {
namespace {

std::string heading(const StartingOptions& options, const Inventory& inventory, const FittedRuns& fitted) {
  const std::string nodes = plural(fitted.nodes, "node");
  std::string text = fmt::format(
      "# {} of {} of {}, fitted to the inventory: {} of the shipped '{}'{}.\n"
      "# A line with EDIT holds an example: put your site's value there. Criteria in comments need a "
      "contract's value.\n",
      fitted.screening ? "Screening" : "Acceptance", nodes, inventory.system,
      fitted.kind.like.gpus.empty() ? "stages and repetitions" : "runs and criteria", options.from,
      fitted.kind.like.gpus.empty() && !fitted.screening ? ", programs for nodes without GPUs" : "");
  if (fitted.screening)
    text +=
        "#\n# A screening of small problems: the reference kernels run, for about half a minute each. It "
        "shows "
        "that the nodes\n"
        "# work and agree. Its numbers are no official results, and its rates are advisory. For an "
        "acceptance of "
        "nodes without\n"
        "# GPUs write their inventory to a file and name it with --inventory; else name other "
        "implementations "
        "(`shakedown\n"
        "# list`) and take `minutes` out.\n";
  text += fmt::format("\ntitle = {}\n",
                      toml_quoted(fmt::format("{} of {} of {}", fitted.screening ? "Screening" : "Acceptance",
                                              nodes, inventory.system)));
  if (!options.system.empty()) text += fmt::format("system = {}\n", toml_quoted(options.system));
  return text;
}

/// Who the report is about: gaps on its first page until they are stated. A screening has none.
std::string starting_parties(bool screening) {
  if (screening) return "";
  return "\n[report]   # on the report's first page\n"
         "vendor = \"\"     # EDIT: who delivered the system\n"
         "customer = \"\"   # EDIT: who accepts it\n"
         "site = \"\"       # EDIT: where it stands\n"
         "contract = \"\"   # EDIT: contract that is being fulfilled\n"
         "tester = \"\"     # EDIT: who runs the campaign\n";
}

/// What a run is for, as a sentence.
std::string purpose(const FittedRun& fit, const FittedRuns& fitted) {
  const AcceptanceRun& run = fit.run;
  if (run.each_node) return "each node by itself. A node that fails here gets no more work";
  if (run.nodes.size() > 1) return "growing numbers of nodes: they show where the network costs time";
  const std::string nodes = run.nodes.front() == fitted.nodes && fitted.nodes > 1
                                ? fmt::format("all {} nodes", fitted.nodes)
                                : plural(run.nodes.front(), "node");
  std::string text = run.repetitions > 1 ? fmt::format("{}, {} runs", nodes, run.repetitions) : nodes;
  if (fit.as_shipped && run.nodes.front() < fitted.nodes)
    text += fmt::format(", not all {}: as in the shipped configuration", fitted.nodes);
  if (fit.because.empty()) return text;
  text += fmt::format(", not {}{}: {}", fit.meant == fitted.nodes ? "all " : "", fit.meant,
                      on_one_line(fit.because));
  const bool each_alone = std::ranges::any_of(
      fitted.runs, [&](const FittedRun& each) { return each.run.each_node && each.run.suite == run.suite; });
  return text + (each_alone ? ". The runs of each node cover the others" : "");
}

std::string pinned(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? toml_quoted(*text) : value_text(value);
}

std::string runs_text(const FittedRuns& fitted) {
  std::string text;
  for (const FittedRun& each : fitted.runs) {
    const AcceptanceRun& run = each.run;
    text += fmt::format("# {}{}.\n[[runs]]\nsuite = {}\nimplementation = {}\n",
                        run.stage > 0 ? fmt::format("Stage {}: ", run.stage) : "", purpose(each, fitted),
                        toml_quoted(run.suite), toml_quoted(run.implementation));
    if (!run.benchmark.empty()) text += fmt::format("benchmark = {}\n", toml_quoted(run.benchmark));
    if (run.each_node) text += "each_node = true\n";
    std::vector<std::string> counts;
    counts.reserve(run.nodes.size());
    for (const int nodes : run.nodes) counts.push_back(fmt::format("{}", nodes));
    if (!counts.empty()) text += fmt::format("nodes = [{}]\n", joined(counts, ", "));
    if (!run.hosts.empty()) text += fmt::format("hosts = {}\n", toml_quoted(run.hosts));
    if (run.minutes > 0) text += fmt::format("minutes = {}\n", run.minutes);
    if (run.repetitions > 1) text += fmt::format("repetitions = {}\n", run.repetitions);
    if (run.stage > 0) text += fmt::format("stage = {}\n", run.stage);
    if (!run.pins.empty()) text += "[runs.pins]\n";
    for (const Parameter& pin : run.pins) text += fmt::format("{} = {}\n", pin.name, pinned(pin.value));
    text += "\n";
  }
  return text;
}

/// Why the reference kernels run, and what writes an acceptance where that is known; empty: it is one.
std::string why_screening(const StartingOptions& options, const FittedRuns& fitted) {
  if (!fitted.screening) return "";
  if (options.screening) return "as --screening asks";
  if (const std::vector<Gpu>& gpus = fitted.kind.like.gpus; !gpus.empty())
    return fmt::format("no other program is for the GPUs '{}'", gpus.front().model);
  return "--inventory FILE writes an acceptance by the official programs";
}

/// The command that writes a configuration for nodes of another kind, in the folder of this one.
std::string command_for(const std::string& hosts, const StartingOptions& options) {
  return on_one_line(fmt::format("shakedown init --inventory {} --from {} --hosts {}",
                                 shell_quoted(options.system), options.from, shell_quoted(hosts)));
}

/// The readers of `plan` and `criteria check` take it.
Result<void> check_readable(const std::string& text, const Inventory& inventory, const Layout& layout) {
  const auto acceptance = acceptance_from_toml(text, "the configuration");
  if (!acceptance) return failure_of(acceptance);
  const auto criteria = read_criteria(text, "the configuration");
  if (!criteria) return failure_of(criteria);
  const auto plan = derived_plan({}, *acceptance, inventory, layout);
  if (!plan) return failure_of(plan);
  return named_refusal(*plan, *acceptance);
}

}  // namespace

std::vector<int> lines_to_edit(std::string_view text) {
  std::vector<int> marked;
  int number = 0;
  for (const std::string_view each : split(text, '\n')) {
    ++number;
    if (contains(each, "# EDIT: ")) marked.push_back(number);
  }
  return marked;
}

std::vector<std::string> shipped_configurations(const Layout& layout) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(layout.share / "templates", code), end; !code && entry != end;
       entry.increment(code))
    if (entry->path().extension() == ".toml") names.push_back(entry->path().stem().string());
  std::ranges::sort(names);
  return names;
}

Result<StartingConfiguration> starting_configuration(const StartingOptions& options,
                                                     const Inventory& inventory, const Layout& layout) {
  const std::vector<std::string> names = shipped_configurations(layout);
  if (std::ranges::find(names, options.from) == names.end())
    return fail(
        "--from",
        fmt::format("no shipped configuration '{}'{}", options.from, did_you_mean(options.from, names)),
        fmt::format("shipped: {}", joined(names, ", ")));
  const auto shipped_text = file_content(layout.share / "templates" / (options.from + ".toml"));
  if (!shipped_text) return failure_of(shipped_text);
  const auto shipped = acceptance_from_toml(*shipped_text, options.from);
  if (!shipped) return failure_of(shipped);
  const auto criteria = read_criteria(*shipped_text, options.from);
  if (!criteria) return failure_of(criteria);
  // This machine, which no inventory names, shall have something that runs.
  const bool at_once =
      options.screening ||
      (options.system.empty() &&
       std::ranges::all_of(inventory.groups, [](const NodeGroup& each) { return each.gpus.empty(); }));
  const auto fitted = fitted_runs({.from = &*shipped,
                                   .inventory = &inventory,
                                   .nodes = options.nodes,
                                   .suites = options.suites,
                                   .hosts = options.hosts,
                                   .at_once = at_once},
                                  layout);
  if (!fitted) return failure_of(fitted);
  StartingConfiguration made;
  made.left_out = fitted->left_out;
  made.screening = why_screening(options, *fitted);
  made.hosts = folded_hostlist(fitted->kind.hosts);
  made.other_kinds = fitted->other_kinds;
  made.kind_because = fitted->kind_because;
  std::string& text = made.text;
  text = heading(options, inventory, *fitted);
  if (!fitted->kind.like.gpus.empty() && !fitted->screening && !shipped->baseline.empty())
    text += fmt::format("baseline = {}   # published values that the report shows beside the measured ones\n",
                        toml_quoted(shipped->baseline));
  text += starting_parties(fitted->screening);
  text += "\n" + starting_site(*shipped, inventory, *fitted) + runs_text(*fitted);
  for (const std::string& each : fitted->other_kinds)
    text += fmt::format("# Nodes of another kind, for a configuration of their own: `{}`.\n",
                        command_for(each, options));
  for (const std::string& each : fitted->left_out)
    text += fmt::format("# Not planned: {}.\n", on_one_line(each));
  if (!fitted->left_out.empty() || !fitted->other_kinds.empty()) text += "\n";
  text += starting_criteria(*criteria, *fitted);
  while (text.ends_with("\n\n")) text.pop_back();
  if (auto ok = check_readable(text, inventory, layout); !ok) return failure_of(ok);
  made.edits = lines_to_edit(text);
  for (const std::string_view each : split(text, '\n')) made.commented += each == "#   [[criteria]]" ? 1 : 0;
  return made;
}

namespace {

/// The runs that a shipped criterion is about.
struct Concerned {
  std::vector<const FittedRun*> runs;
  std::set<int> scales;
  bool each_node = false;
  bool together = false;
  bool as_shipped = true;
  int repetitions = 1;
};

Concerned concerned(const Criterion& criterion, const FittedRuns& fitted) {
  Concerned found;
  for (const FittedRun& each : fitted.runs) {
    const AcceptanceRun& run = each.run;
    if (run.suite != criterion.suite) continue;
    if (!criterion.benchmark.empty() && run.benchmark != criterion.benchmark) continue;
    (run.each_node ? found.each_node : found.together) = true;
    found.as_shipped = found.as_shipped && each.as_shipped;
    found.runs.push_back(&each);
    found.scales.insert(run.nodes.begin(), run.nodes.end());
    if (!run.each_node) found.repetitions = std::max(found.repetitions, run.repetitions);
  }
  return found;
}

/// The largest number of three digits that is not above the value: "5180000".
std::string rounded_down(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return fmt::format("{:.{}f}", std::floor(value / unit) * unit,
                     static_cast<int>(std::max(0.0, -std::log10(unit))));
}

/// What the plan predicts of a metric at a scale; null: nothing of use.
const Prediction* prediction(const Concerned& runs, const std::string& metric, int nodes) {
  for (const FittedRun* run : runs.runs)
    for (const Case& planned : run->cases) {
      if (planned.nodes != nodes || run->run.each_node) continue;
      const Prediction* found = find_prediction(planned, metric);
      if (found != nullptr && is_useful(*found)) return found;
    }
  return nullptr;
}

/// `id` with the number of nodes at its end replaced: "gpt3-ttt-96n" on 16 nodes is "gpt3-ttt-16n".
std::string renumbered(const std::string& id, int shipped, int nodes) {
  const std::string end = fmt::format("-{}n", shipped);
  return id.ends_with(end) ? id.substr(0, id.size() - end.size()) + fmt::format("-{}n", nodes) : id;
}

std::string keys_of_nodes(const Criterion& criterion, const Concerned& runs, int nodes) {
  std::string text;
  if (criterion.each_node == true && runs.each_node) text += "each_node = true\n";
  const bool for_all = criterion.metric == "validity" && !criterion.each_node;
  if (criterion.each_node != true && runs.each_node && !for_all) text += "each_node = false\n";
  return text + (nodes > 1 && criterion.nodes_required ? fmt::format("nodes_required = {}\n", nodes) : "");
}

std::string head_of(const Criterion& criterion, const std::string& id, const std::string& title) {
  std::string text = fmt::format("[[criteria]]\nid = {}\ntitle = {}\nsuite = {}\n", toml_quoted(id),
                                 toml_quoted(title), toml_quoted(criterion.suite));
  if (!criterion.benchmark.empty()) text += fmt::format("benchmark = {}\n", toml_quoted(criterion.benchmark));
  return text + fmt::format("metric = {}\n", toml_quoted(criterion.metric));
}

std::string validity_text(const Criterion& criterion, const Concerned& runs, int all_nodes) {
  return head_of(criterion, criterion.id, criterion.title) + "severity = \"mandatory\"\n" +
         keys_of_nodes(criterion, runs, all_nodes) +
         (criterion.attempts_max ? fmt::format("attempts_max = {}\n", *criterion.attempts_max) : "") +
         fmt::format("limit_source = {}\n\n", toml_quoted(criterion.limit_source));
}

/// A shipped criterion as it is, on runs that are as they were shipped.
std::string kept_text(const Criterion& criterion) {
  std::string text = head_of(criterion, criterion.id, criterion.title) +
                     fmt::format("direction = {}\n", toml_quoted(to_string(criterion.direction)));
  if (criterion.relative_to.empty())
    text += fmt::format("limit = {}\n", criterion.limit.value_or(0));
  else
    text +=
        fmt::format("relative_to = {}\nfactor = {}\n", toml_quoted(criterion.relative_to), criterion.factor);
  text += fmt::format("aggregation = {}\n", toml_quoted(to_string(criterion.aggregation.kind)));
  if (criterion.runs_min) text += fmt::format("runs_min = {}\n", *criterion.runs_min);
  text += fmt::format("severity = {}\n", toml_quoted(to_string(criterion.severity)));
  if (criterion.each_node) text += fmt::format("each_node = {}\n", *criterion.each_node);
  for (const auto& [key, number] :
       {std::pair("nodes", criterion.nodes), std::pair("nodes_required", criterion.nodes_required),
        std::pair("exclusions_max", criterion.exclusions_max),
        std::pair("attempts_max", criterion.attempts_max)})
    if (number) text += fmt::format("{} = {}\n", key, *number);
  if (!criterion.limit_source.empty())
    text += fmt::format("limit_source = {}\n", toml_quoted(criterion.limit_source));
  if (!criterion.approver.empty()) text += fmt::format("approver = {}\n", toml_quoted(criterion.approver));
  return text + "\n";
}

/// A limit that the contract states, for a scale of this system.
std::string contract_text(const Criterion& criterion, const Concerned& runs, int nodes, bool screening) {
  const bool more_is_better = criterion.direction == Direction::at_least;
  const std::string id = renumbered(criterion.id, criterion.nodes.value_or(0), nodes);
  const std::string what = criterion.benchmark.empty() ? suite_title(criterion.suite) : criterion.benchmark;
  const std::string title =
      fmt::format("Each run of {} on {} {} the contract's {}", what, plural(nodes, "node"),
                  more_is_better ? "reaches" : "keeps within", criterion.metric);
  const Prediction* predicted = prediction(runs, criterion.metric, nodes);
  std::string text = head_of(criterion, id, title);
  text += fmt::format("direction = {}\nrelative_to = \"contract\"\n",
                      toml_quoted(to_string(criterion.direction)));
  if (predicted == nullptr)
    text += "contract = { value = 1, source = \"contract, clause ...\" }\n";
  else
    // The mark ends the line, so that an editor jumps to it.
    text += fmt::format(
        "contract = {{ value = {}, source = \"{}\" }}   "
        "# EDIT: the contract's value of {}, and its clause\n",
        rounded_down(predicted->value), predicted_source, criterion.metric);
  text += fmt::format("factor = {}\naggregation = \"every\"\n", more_is_better ? 0.95 : 1.05);
  if (runs.repetitions > 1) text += fmt::format("runs_min = {}\n", runs.repetitions);
  text += fmt::format("severity = \"{}\"\n", screening ? "advisory" : "mandatory");
  text += keys_of_nodes(criterion, runs, nodes);
  text += runs.scales.size() > 1 ? fmt::format("nodes = {}\n\n", nodes) : "\n";
  if (predicted != nullptr) return text;
  std::string commented = fmt::format(
      "# No prediction of {} here. Put the contract's value in, and remove the leading # signs:\n#\n",
      criterion.metric);
  text.resize(text.size() - 2);  // its end is an empty line
  for (const std::string_view line : split(text, '\n')) commented += fmt::format("#   {}\n", line);
  return commented + "\n";
}

}  // namespace

std::string starting_criteria(const Criteria& shipped, const FittedRuns& fitted) {
  std::string text;
  std::set<std::string> judged;
  std::set<std::string> written;
  for (const Criterion& criterion : shipped.criteria) {
    const Concerned runs = concerned(criterion, fitted);
    if (runs.runs.empty()) continue;
    if (criterion.each_node == false && !runs.together) continue;
    if (criterion.metric == "validity") {
      // What is asked of each node by itself says nothing of the runs on several.
      if (criterion.each_node != true || !runs.together) judged.insert(criterion.suite);
      text +=
          validity_text(criterion, runs, runs.each_node && criterion.each_node == true ? fitted.nodes : 0);
      continue;
    }
    if (!runs.together) continue;
    if (runs.as_shipped) {
      text += kept_text(criterion);
      continue;
    }
    // Values per GPU and efficiencies belong to the system that they were published of.
    const bool published = !criterion.relative_to.empty();
    if (criterion.metric.ends_with("_per_gpu") ||
        (published && criterion.severity == CriterionSeverity::advisory))
      continue;
    const int largest = *runs.scales.rbegin();
    const int nodes = criterion.nodes && runs.scales.contains(*criterion.nodes) ? *criterion.nodes : largest;
    if (!written
             .insert(
                 fmt::format("{} {} {} {}", criterion.suite, criterion.benchmark, criterion.metric, nodes))
             .second)
      continue;
    text += contract_text(criterion, runs, nodes, fitted.screening);
  }
  for (const FittedRun& each : fitted.runs) {
    if (!judged.insert(each.run.suite).second) continue;
    Criterion valid;
    valid.suite = each.run.suite;
    valid.metric = "validity";
    valid.id = each.run.suite + "-valid";
    valid.title = suite_title(each.run.suite) + " passes its own check and breaks no rule of validity";
    valid.limit_source = "the benchmark's own check and the rules listed in the report";
    const Concerned runs = concerned(valid, fitted);
    const bool nodes_judged = std::ranges::any_of(shipped.criteria, [&](const Criterion& criterion) {
      return criterion.suite == valid.suite && criterion.metric == "validity" && criterion.each_node == true;
    });
    if (nodes_judged && runs.each_node) {
      valid.each_node = false;
      valid.title = suite_title(valid.suite) + " is valid on several nodes together";
    }
    text += validity_text(valid, runs, 0);
  }
  return text;
}

}  // namespace shakedown
