#include "orchestrator/campaign/import.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/restore.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/core/version.hpp"
#include "orchestrator/inventory/named_inventory.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/machines.hpp"

namespace shakedown::command {
namespace {

using Json = nlohmann::ordered_json;

struct ImportOptions {
  std::vector<std::string> paths;
  std::string campaign;
  std::string system;
  std::string note;
  std::string criteria;
  std::string inventory;
  int nodes = 0;
  std::vector<std::string> stated;  ///< NAME=VALUE
};

/// "fp64_mode=native" as a condition with its value: a count is a number above 0.
Result<Parameter> stated_condition(const std::string& text) {
  const auto names = statable_conditions();
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (std::ranges::find(names, name) == names.end())
    return fail("--state",
                fmt::format("'{}' is no condition that can be stated{}", name, did_you_mean(name, names)),
                fmt::format("NAME=VALUE with one of {}", joined(names, ", ")));
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (value.empty())
    return fail("--state", fmt::format("'{}' has no value", text), fmt::format("--state {}=VALUE", name));
  if (name == "gpus" || name == "GBS") {
    const auto whole = parsed_integer(value);
    if (whole && *whole > 0) return Parameter{name, *whole};
    return fail("--state", fmt::format("'{}' is no number of {}", value, name == "gpus" ? "GPUs" : "samples"),
                fmt::format("--state {}=N, above 0", name));
  }
  if (name == "fp64_mode" && value != "native" && value != "emulated")
    return fail("--state", fmt::format("'{}' is no mode of FP64", value),
                "--state fp64_mode=native, or fp64_mode=emulated");
  return Parameter{name, value};
}

/// "valid", or for several results "3 valid, 1 unknown".
std::string validity_text(const std::vector<Validity>& all) {
  if (all.size() == 1) return std::string(to_string(all.front()));
  std::string text;
  for (const Validity validity : {Validity::valid, Validity::invalid, Validity::unknown})
    if (const auto n = std::count(all.begin(), all.end(), validity); n > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, to_string(validity));
  return text;
}

/// What was not taken for what it is: a link that leads out, a pipe, a huge file.
void print_refused(const std::vector<Error>& refused, const CommonOptions& common) {
  if (common.quiet) return;
  std::cout.flush();
  for (const Error& error : refused) std::cerr << "left out: " << shown_error(error) << "\n";
}

Json case_json(const ImportedCase& added) {
  Json validity = Json::array();
  for (const Validity each : added.validity) validity.push_back(to_string(each));
  return {{"case", added.id}, {"suite", added.suite}, {"source", added.source}, {"validity", validity}};
}

int exit_code_of(const Imported& imported) {
  if (imported.signal != 0) return 128 + imported.signal;
  const bool environment = std::any_of(imported.failures.begin(), imported.failures.end(),
                                       [](const Error& error) { return error.fault == Fault::environment; });
  if (environment) return exit_environment;
  return imported.failures.empty() ? 0 : exit_undecided;
}

void print_json(const Imported& imported) {
  Json document = {{"schema", "shakedown.import/1"}};
  if (!imported.campaign.empty()) document["campaign"] = imported.campaign;
  document["added"] = Json::array();
  for (const ImportedCase& added : imported.added) document["added"].push_back(case_json(added));
  document["restored"] = imported.restored;
  document["unchanged"] = imported.known;
  document["no_logs"] = imported.no_logs;
  if (!imported.machines.empty()) document["several_machines"] = imported.machines;
  std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

void print_text(const Imported& imported, const CommonOptions& common) {
  if (imported.campaign.empty()) return;
  std::string text;
  if (imported.restored > 0)
    text += fmt::format("{} of {} were on disk already and are in the store again\n",
                        plural(imported.restored, "run"), imported.campaign);
  if (imported.added.empty() && imported.failures.empty() && imported.signal == 0)
    text += fmt::format("nothing new: {} in campaign {} already\n",
                        imported.known == 1 ? "the run is" : fmt::format("all {} runs are", imported.known),
                        imported.campaign);
  else
    text += fmt::format("campaign {}: {} added, {} there already\n", imported.campaign,
                        plural(static_cast<std::int64_t>(imported.added.size()), "run"), imported.known);
  if (!imported.added.empty())
    text +=
        fmt::format("judge them with: {}\n", command_for("report " + imported.campaign, common.workspace));
  std::cout << shown(text);
}

Result<int> import_new(const std::vector<std::filesystem::path>& paths, const ImportOptions& options,
                       const CommonOptions& common) {
  ImportRequest request;
  request.paths = paths;
  request.campaign = options.campaign;
  request.system = options.system;
  request.note = options.note;
  request.tool_version = tool_version;
  request.baseline = default_baseline;
  request.stated.nodes = options.nodes;
  for (const std::string& text : options.stated) {
    auto condition = stated_condition(text);
    if (!condition) return failure_of(condition);
    request.stated.conditions.push_back(*std::move(condition));
  }
  if (!options.inventory.empty()) {
    auto inventory = named_inventory(options.inventory, installed_layout());
    if (!inventory) return failure_of(inventory);
    request.inventory = *std::move(inventory);
  }
  if (auto readable = chosen_criteria(options.criteria, installed_layout()); !readable)
    return failure_of(readable);  // before anything is made
  if (!options.criteria.empty())
    request.criteria = [&](const std::string& system, double created_s) -> Result<ImportCriteria> {
      const Layout layout = installed_layout();
      auto criteria = chosen_criteria(
          options.criteria, layout, accepted_values(Workspace{common.workspace}, system, created_s, layout));
      if (!criteria) return failure_of(criteria);
      return ImportCriteria{std::move(criteria->name), std::move(criteria->text)};
    };
  ImportListener listener;
  if (!common.json && !common.quiet)
    listener.added = [](const ImportedCase& added) {
      const std::string value = added.metric
                                    ? fmt::format("{} {}", metric_title(added.metric->name),
                                                  metric_text(added.metric->name, added.metric->value))
                                    : "no value";
      std::cout << shown(fmt::format("  {:<10} {:<28} {}\n", validity_text(added.validity), value, added.id))
                << std::flush;
    };
  if (!common.quiet)
    listener.waiting = [](const Holder& holder) {
      std::cerr << fmt::format("waiting for process {} on {}, which writes to the same campaign\n",
                               holder.pid, holder.host);
    };
  const auto imported = import_logs({common.workspace}, request, listener);
  if (!imported) return failure_of(imported);
  for (const Error& error : imported->failures) print_error(error);
  print_refused(imported->refused, common);
  if (common.verbose > 0)
    for (const Error& error : imported->left_out) std::cerr << "left out: " << shown_error(error) << "\n";
  else if (imported->no_logs > 0 && !common.quiet)
    std::cerr << plural(imported->no_logs, "file is no benchmark log", "files are no benchmark logs")
              << " (-v names them)\n";
  common.json ? print_json(*imported) : print_text(*imported, common);
  if (!imported->machines.empty())
    std::cerr << std::flush << "note: "
              << shown(fmt::format("{}\nhint: {}\n", imported->machines, several_machines_remedy));
  if (imported->signal != 0)
    std::cerr << "interrupted; what is listed is stored. Run the same command again to continue\n";
  std::error_code code;
  const bool missing =
      std::ranges::any_of(paths, [&](const auto& path) { return !std::filesystem::exists(path, code); });
  const int exit_code = exit_code_of(*imported);
  return missing && exit_code == exit_undecided ? exit_usage : exit_code;
}

/// Stores campaigns again that were run, or imported, by shakedown.
Result<int> restore(const std::vector<std::filesystem::path>& folders, const CommonOptions& common) {
  Json document = {{"schema", "shakedown.restore/1"}, {"campaigns", Json::array()}};
  int exit_code = 0;
  for (const auto& folder : folders) {
    const auto restored = adopted_campaign({common.workspace}, folder, installed_layout());
    if (!restored) {
      print_error(restored.error());
      exit_code = std::max(exit_code, restored.error().fault == Fault::environment ? exit_environment : 2);
      continue;
    }
    print_refused(restored->left_out, common);
    CommonOptions faults_alone = common;
    faults_alone.quiet = true;
    print_roots(Workspace{common.workspace}.campaign(restored->campaign), faults_alone);
    document["campaigns"].push_back(
        {{"campaign", restored->campaign}, {"cases", restored->cases}, {"attempts", restored->attempts}});
    if (common.json) continue;
    const std::string what = restored->attempts == 0 ? std::string("nothing that the store does not have")
                                                     : plural(restored->attempts, "attempt") + " stored";
    std::cout << fmt::format("campaign {}{}: {}, {}\n", restored->campaign,
                             restored->copied ? ", copied from " + folder.string() : "",
                             plural(restored->cases, "case"), what);
  }
  if (common.json) std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  return exit_code;
}

/// Campaigns' folders are restored, all else is logs; the two are not mixed.
Result<int> import_all(const ImportOptions& options, const CommonOptions& common) {
  std::vector<std::filesystem::path> campaigns;
  std::vector<std::filesystem::path> logs;
  for (const std::string& path : options.paths) {
    const auto folders = campaign_folders(path);
    campaigns.insert(campaigns.end(), folders.begin(), folders.end());
    if (folders.empty()) logs.emplace_back(path);
  }
  if (!options.campaign.empty() && !is_campaign_name(options.campaign))
    return fail("--campaign", fmt::format("'{}' is no name of a folder", options.campaign),
                "letters, digits, '.', '_' and '-', at most 100, beginning with a letter or digit");
  if (campaigns.empty()) return import_new(logs, options, common);
  std::error_code code;
  for (const auto& path : logs)
    if (!std::filesystem::exists(path, code)) {
      print_error({path.string(), "is not there", "", Fault::input});
      return exit_usage;
    }
  if (!logs.empty())
    return fail(logs.front().string(),
                "holds logs, beside a campaign of shakedown: they are imported one by one",
                "give logs and campaigns in two commands");
  const std::string nodes = options.nodes > 0 ? std::to_string(options.nodes) : "";
  const std::string stated = joined(options.stated, ", ");
  const std::pair<const char*, const std::string*> naming[] = {{"--campaign", &options.campaign},
                                                               {"--system", &options.system},
                                                               {"--note", &options.note},
                                                               {"--criteria", &options.criteria},
                                                               {"--inventory", &options.inventory},
                                                               {"--nodes", &nodes},
                                                               {"--state", &stated}};
  for (const auto& [option, value] : naming)
    if (!value->empty())
      return fail(
          option,
          fmt::format("would do nothing: {} is a campaign and has its own", campaigns.front().string()),
          "leave it out");
  return restore(campaigns, common);
}

}  // namespace

extern const Command import;
const Command import = {
    .id = "import",
    .about = "logs made elsewhere into the store; run directories into an empty one",
    .rank = 81,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<ImportOptions>();
      app.add_option("path", options->paths, "logs, folders of logs, or campaigns of shakedown")
          ->required()
          ->type_name("DIR|FILE");
      app.add_option("--campaign", options->campaign,
                     "campaign to put them in (default: named after the paths)")
          ->type_name("NAME");
      app.add_option("--system", options->system, "the system that the logs are of")->type_name("NAME");
      app.add_option("--note", options->note, "a sentence that the report shows")->type_name("TEXT");
      app.add_option("--criteria", options->criteria,
                     "criteria to judge by: a file, or a shipped configuration's name")
          ->type_name("F|NAME");
      app.add_option("--inventory", options->inventory,
                     "the nodes that ran: a file, or a shipped system's name")
          ->type_name("F|NAME");
      app.add_option("--nodes", options->nodes, "nodes of each run, where its log does not state them")
          ->check(CLI::Range(1, 1'000'000))
          ->type_name("N");
      app.add_option("--state", options->stated,
                     "a condition that the logs do not state: " + joined(statable_conditions(), "=, ") + "=")
          ->type_name("NAME=VALUE");
      app.footer(
          "Example: shakedown import vendor-logs/ --system sakuraone && shakedown report vendor-logs\n"
          "What is there already is left as it is: the same command again adds what is new.\n"
          "Of a folder, regular files are read (logs of at most 512 MiB; any other file, and a FILE, of at "
          "most 16 GiB), and no link that leads out of it.");
      return [options, &common] { return import_all(*options, common); };
    },
};

}  // namespace shakedown::command
