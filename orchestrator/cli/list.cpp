#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/starting_configuration.hpp"
#include "orchestrator/cli/application.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/accelerators_page.hpp"
#include "orchestrator/cli/text/completion_values.hpp"
#include "orchestrator/cli/text/reference_pages.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/launch/launcher.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "orchestrator/schedulers/template_file.hpp"
#include "parsers/parser.hpp"
#include "reports/formats/format.hpp"

namespace shakedown::command {
namespace {

/// A row of a table that was generated from the folders.
struct ListRow {
  std::string kind;
  std::string id;
  std::string about;
  std::string
      tested{};  // NOLINT(readability-redundant-member-init): "rendered": never run; empty: nothing to run
  std::string note{};  // NOLINT(readability-redundant-member-init): with what version, or why not
};

/// The names of the files NAME.toml in a folder, sorted.
std::vector<std::string> toml_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (entry->path().extension() == ".toml") names.push_back(entry->path().stem().string());
  std::ranges::sort(names);
  return names;
}

/// The names that options take of what is shipped beside the program: NAME in `--inventory NAME`.
void add_names(std::vector<ListRow>& list, const Layout& layout) {
  const auto add = [&](std::string_view kind, const std::vector<std::string>& names,
                       std::string_view option) {
    for (const std::string& each : names)
      list.push_back({std::string(kind), each, fmt::format("for {}", option)});
  };
  add("inventory", shipped_systems(layout), "--inventory");
  add("configuration", shipped_configurations(layout), "--config and init --from");
  add("baseline", toml_names(layout.share / "baselines"), "--baseline");
  add("criteria", toml_names(layout.share / "criteria"), "--criteria");
}

Result<std::vector<ListRow>> rows() {
  std::vector<ListRow> list;
  for (const Suite* suite : suites()) {
    const SuiteFacts* facts = suite_facts(suite->id);
    list.push_back({is_screen(suite->id) ? "screen" : "suite", std::string(suite->id),
                    std::string(facts == nullptr ? "" : facts->about)});
  }
  const auto implementations = read_implementations(installed_layout().share / "implementations");
  if (!implementations) return failure_of(implementations);
  for (const Implementation& each : *implementations)
    list.push_back({"implementation",
                    each.suite + "/" + each.id + (each.benchmark.empty() ? "" : "-" + each.benchmark),
                    each.title, each.tested, each.tested_note});
  for (const Launcher* launcher : launchers())
    list.push_back({"launcher", std::string(launcher->id), std::string(launcher->about)});
  for (const SchedulerType* scheduler : schedulers())
    list.push_back({"scheduler", std::string(scheduler->id), std::string(scheduler->about)});
  const auto templates = shipped_scheduler_templates(installed_layout());
  if (!templates) return failure_of(templates);
  for (const SchedulerTemplate& each : *templates)
    list.push_back({"scheduler", each.id, each.title, each.tested, each.tested_note});
  for (const Parser* parser : parsers())
    list.push_back({"parser", std::string(parser->id), fmt::format("results of {}", parser->suite)});
  for (const ReportFormat* format : report_formats())
    list.push_back({"report format", std::string(format->id), std::string(format->file_name)});
  add_names(list, installed_layout());
  return list;
}

Result<int> print_list(const CommonOptions& common) {
  const auto list = rows();
  if (!list) return failure_of(list);
  if (common.json) {
    nlohmann::ordered_json document;
    document["schema"] = "shakedown.list/1";
    document["entries"] = nlohmann::ordered_json::array();
    for (const ListRow& row : *list) {
      auto& entry = document["entries"].emplace_back(
          nlohmann::ordered_json{{"kind", row.kind}, {"id", row.id}, {"about", row.about}});
      if (!row.tested.empty()) entry["tested"] = row.tested;
      if (!row.note.empty()) entry["tested_note"] = row.note;
    }
    std::cout << document.dump(2) << "\n";
    return 0;
  }
  bool any = false;
  for (const ListRow& row : *list) {
    const bool untested = row.tested == "rendered";
    any = any || untested;
    std::cout << fmt::format("{:<14}  {:<29}  {}{}\n", row.kind, row.id, row.about, untested ? " *" : "");
  }
  if (any) std::cout << "* not run on hardware: its command lines and inputs were checked as text\n";
  return 0;
}

/// The reference page of a kind of file, or of all.
Result<int> print_keys(const std::string& wanted) {
  std::vector<std::string> kinds = {"all"};
  for (const FileKeys& each : file_keys()) {
    kinds.emplace_back(each.id);
    if (each.id == wanted) std::cout << keys_markdown(each);
  }
  if (std::ranges::find(kinds, wanted) == kinds.end())
    return fail("--keys", fmt::format("no kind of file '{}'{}", wanted, did_you_mean(wanted, kinds)),
                fmt::format("files: {}", joined(kinds, ", ")));
  if (wanted == "all") std::cout << keys_page();
  return 0;
}

Result<int> print_manual() {
  CLI::App app;
  app.name("shakedown");
  declare_commands(app);
  std::cout << manual_page(app);
  return 0;
}

}  // namespace

extern const Command list;
const Command list = {
    .id = "list",
    .about = "what is built in: suites, implementations, schedulers, ..., and the names of shipped files",
    .rank = 120,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto keys = std::make_shared<std::string>();
      auto* keys_option =
          app.add_option(
                 "--keys", *keys,
                 "all keys of a kind of file as Markdown: acceptance, criteria, regression, inventory, "
                 "scheduler, all")
              ->type_name("FILE");
      auto rules = std::make_shared<bool>(false);
      auto* rules_flag = app.add_flag("--rules", *rules, "metrics and rules of each suite as Markdown");
      auto chips = std::make_shared<bool>(false);
      auto* chips_flag = app.add_flag("--accelerators", *chips,
                                      "catalogue of accelerators and processors, with sources, as Markdown");
      auto manual = std::make_shared<bool>(false);
      auto* manual_flag = app.add_flag("--manual", *manual, "shakedown(1) for man, of all commands");
      rules_flag->excludes(keys_option)->excludes(manual_flag);
      manual_flag->excludes(keys_option);
      app.footer(
          "Example: shakedown list | grep ^scheduler\n`shakedown list --keys acceptance` explains every key "
          "of "
          "a configuration.");
      chips_flag->excludes(keys_option)->excludes(rules_flag)->excludes(manual_flag);
      return [keys, rules, chips, manual, &common] {
        if (common.json && (*rules || *chips || *manual || !keys->empty()))
          return Result<int>(fail("--json", "would do nothing beside a page", "leave it out"));
        if (*manual) return print_manual();
        if (*chips) std::cout << accelerators_page();
        if (*chips) return Result<int>(0);
        if (*rules) std::cout << rules_page();
        if (*rules) return Result<int>(0);
        return keys->empty() ? print_list(common) : print_keys(*keys);
      };
    },
};

}  // namespace shakedown::command
