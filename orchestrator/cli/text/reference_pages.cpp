#include "orchestrator/cli/text/reference_pages.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "orchestrator/cli/text/completion_values.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/version.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "parsers/rules/rule.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

constexpr std::string_view common_group = "Common options";

/// Text that troff prints as it is.
std::string literal(std::string_view text) {
  std::string escaped;
  for (const std::string_view line : split(text, '\n')) {
    if (!escaped.empty()) escaped += "\n";
    if (line.starts_with('.') || line.starts_with('\'')) escaped += "\\&";
    for (const char c : line) {
      if (c == '\\')
        escaped += "\\e";
      else if (c == '-')
        escaped += "\\-";
      else
        escaped += c;
    }
  }
  return escaped;
}

/// "-o, --output FILE"
std::string option_words(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("\\fB" + literal("-" + name) + "\\fR");
  for (const std::string& name : option.get_lnames()) names.push_back("\\fB" + literal("--" + name) + "\\fR");
  std::string type = option.get_type_name();
  type = type.substr(0, type.find(':'));  // after it comes its check's text
  if (names.empty()) return "\\fI" + literal(option.get_name(true)) + "\\fR";
  return joined(names, ", ") + (type.empty() ? "" : " \\fI" + literal(type) + "\\fR");
}

std::string options_text(const CLI::App& app, bool common) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty() || (option->get_group() == common_group) != common) continue;
    if (option->get_lnames() == std::vector<std::string>{"help"} ||
        option->get_lnames() == std::vector<std::string>{"version"})
      continue;
    text += fmt::format(".TP\n{}\n{}\n", option_words(*option), literal(option->get_description()));
  }
  return text;
}

void add_command(const CLI::App& app, const std::string& path, std::string& text) {
  text += fmt::format(".SS shakedown {}\n{}.\n{}", literal(path), literal(app.get_description()),
                      options_text(app, false));
  if (const std::string footer = app.get_footer(); !footer.empty())
    text += fmt::format(".PP\n.nf\n{}\n.fi\n", literal(footer));
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    add_command(*each, path + " " + each->get_name(), text);
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> exit_codes = {{
    {"0", "accepted, screening passed, or done"},
    {"1", "a mandatory criterion failed, or something differs"},
    {"2", "wrong usage or configuration"},
    {"3", "undecided: a result is invalid, incomplete or disturbed"},
    {"4", "environment: launcher, scheduler, store or disk"},
    {"130, 143", "interrupted; continue with shakedown resume"},
}};

std::string metric_row(std::string_view metric, std::string_view role) {
  const MetricKind kind = metric_kind(metric).value_or(MetricKind{});
  const std::string_view better = !kind.better ? "" : *kind.better == Better::higher ? "higher" : "lower";
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", markdown_cell(metric),
                     markdown_cell(metric_title(metric)), kind.unit, better, role);
}

std::string metrics_of(const SuiteFacts& suite) {
  std::string text = "| Metric | Name | Unit | Better | |\n|---|---|---|---|---|\n";
  std::set<std::string_view> listed;
  const auto add = [&](std::string_view metric, std::string_view role) {
    if (!metric.empty() && listed.insert(metric).second) text += metric_row(metric, role);
  };
  for (const Headline& each : suite.headlines) add(each.metric, "headline");
  for (const Headline& each : suite.short_headlines) add(each.metric, "headline of a short run");
  for (const EfficiencyFact& each : suite.efficiencies) add(each.metric, "efficiency");
  for (const MetricFact& each : suite.metrics) add(each.key, "");
  return text;
}

std::string_view loss(Severity severity) {
  if (severity == Severity::validity) return "the result is invalid";
  return severity == Severity::eligibility ? "not eligible for the list" : "a warning";
}

std::string rules_of(const SuiteFacts& suite) {
  ParsedResult none;
  none.suite = suite.id;
  Evidence evidence;
  evidence.result = &none;
  std::string text = "\n| Rule | Requires | If broken | Source |\n|---|---|---|---|\n";
  bool any = false;
  for (const RuleBook* book : rule_books())
    if (book->suite == suite.id)
      for (const RuleResult& rule : book->judge(evidence, {})) {
        text += fmt::format("| {} | {} | {} | {} |\n", rule.id, markdown_cell(rule.title),
                            loss(rule.severity), markdown_cell(rule.source));
        any = true;
      }
  return any ? text : "";
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH SHAKEDOWN 1 \"\" \"shakedown {}\" \"User Commands\"\n.SH NAME\nshakedown \\- plan, run, judge and "
      "report the "
      "acceptance of an HPC or AI cluster\n.SH SYNOPSIS\n.B shakedown\n.I command\n.RI [ options ]\n.SH "
      "DESCRIPTION\n"
      "After a change of hardware, shakedown plans HPL, HPCG, HPL\\-MxP, IO500 and MLPerf Training for the "
      "nodes, runs them,\n"
      "survives interruptions, checks every result, and writes a report to sign.\n.SH COMMON OPTIONS\n"
      "All commands take these, before or after their name.\n{}.SH COMMANDS\n",
      literal(tool_version), options_text(app, true));
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    add_command(*each, each->get_name(), text);
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes)
    text += fmt::format(".TP\n.B {}\n{}\n", code, literal(meaning));
  return text +
         ".SH FILES\n.TP\n.I ./shakedown\\-runs\nthe workspace: database and campaigns\n.TP\n.I "
         "acceptance.toml\nthe "
         "configuration; shakedown init writes one, shakedown list \\-\\-keys acceptance names its keys\n";
}

std::string rules_page() {
  std::string page =
      "# Metrics and rules of each suite\n\n"
      "Written by `shakedown list --rules`. A `*` stands for any text. Formulas and expected values: "
      "[metrics](metrics.md).\n";
  for (const SuiteFacts* suite : suites_in_order())
    page += fmt::format("\n## {}\n\n{}{}", suite->title, metrics_of(*suite), rules_of(*suite));
  return page;
}

}  // namespace shakedown
