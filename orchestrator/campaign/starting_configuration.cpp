#include "orchestrator/campaign/starting_configuration.hpp"

#include <algorithm>
#include <set>

#include "orchestrator/campaign/starting_criteria.hpp"
#include "orchestrator/campaign/starting_site.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/planning/derivation.hpp"

namespace shakedown {
namespace {

std::string heading(const StartingOptions& options, const Inventory& inventory, const FittedRuns& fitted) {
  const std::string nodes = plural(fitted.nodes, "node");
  std::string text = fmt::format(
      "# {} of {} of {}, fitted to the inventory from the shipped '{}'.\n"
      "# A line with EDIT holds an example: put your site's value there. Criteria in comments need a "
      "contract's value.\n",
      fitted.screening ? "Screening" : "Acceptance", nodes, inventory.system, options.from);
  if (fitted.screening)
    text +=
        "#\n# A screening of small problems: no vendor's build fits these nodes, so the reference kernels "
        "run, for about\n"
        "# half a minute each. It shows that the nodes work and agree. Its numbers are no official results, "
        "and its rates\n"
        "# are advisory. For an acceptance name other implementations (`shakedown list`) and take `minutes` "
        "out.\n";
  text += fmt::format("\ntitle = {}\n",
                      toml_quoted(fmt::format("{} of {} of {}", fitted.screening ? "Screening" : "Acceptance",
                                              nodes, inventory.system)));
  if (!options.system.empty()) text += fmt::format("system = {}\n", toml_quoted(options.system));
  return text;
}

/// What a run is for, as a sentence.
std::string purpose(const AcceptanceRun& run, const FittedRuns& fitted) {
  if (run.each_node) return "each node by itself. A node that fails here gets no more work";
  if (run.nodes.size() > 1) return "growing numbers of nodes: they show where the network costs time";
  const std::string nodes = run.nodes.front() == fitted.nodes && fitted.nodes > 1
                                ? fmt::format("all {} nodes", fitted.nodes)
                                : plural(run.nodes.front(), "node");
  return run.repetitions > 1 ? fmt::format("{}, {} runs", nodes, run.repetitions) : nodes;
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
                        run.stage > 0 ? fmt::format("Stage {}: ", run.stage) : "", purpose(run, fitted),
                        toml_quoted(run.suite), toml_quoted(run.implementation));
    if (!run.benchmark.empty()) text += fmt::format("benchmark = {}\n", toml_quoted(run.benchmark));
    if (run.each_node) text += "each_node = true\n";
    std::vector<std::string> counts;
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

std::vector<int> marked_lines(std::string_view text) {
  std::vector<int> marked;
  int number = 0;
  for (const std::string_view each : split(text, '\n')) {
    ++number;
    if (contains(each, "# EDIT: ")) marked.push_back(number);
  }
  return marked;
}

/// The readers of `plan` and `criteria check` take it.
Result<void> check_readable(const std::string& text, const Inventory& inventory, const Layout& layout) {
  const auto acceptance = acceptance_from_toml(text, "the configuration");
  if (!acceptance) return failure_of(acceptance);
  const auto criteria = read_criteria(text, "the configuration");
  if (!criteria) return failure_of(criteria);
  const auto plan = derived_plan({}, *acceptance, inventory, layout);
  if (!plan) return failure_of(plan);
  return named_refusal(*plan);
}

}  // namespace

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
  const auto fitted = fitted_runs({&*shipped, &inventory, options.nodes, options.suites}, layout);
  if (!fitted) return failure_of(fitted);
  StartingConfiguration made;
  made.left_out = fitted->left_out;
  made.screening = fitted->screening;
  std::string& text = made.text;
  text = heading(options, inventory, *fitted);
  if (!fitted->screening && !shipped->baseline.empty())
    text += fmt::format("baseline = {}   # published values that the report shows beside the measured ones\n",
                        toml_quoted(shipped->baseline));
  text += "\n" + starting_site(*shipped, inventory, *fitted) + runs_text(*fitted);
  for (const std::string& each : fitted->left_out)
    text += fmt::format("# Not planned: {}.\n", on_one_line(each));
  if (!fitted->left_out.empty()) text += "\n";
  text += starting_criteria(*criteria, *fitted);
  while (text.ends_with("\n\n")) text.pop_back();
  if (auto ok = check_readable(text, inventory, layout); !ok) return failure_of(ok);
  made.edits = marked_lines(text);
  return made;
}

}  // namespace shakedown
