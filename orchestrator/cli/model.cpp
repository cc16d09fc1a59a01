#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/compare/model_bias.hpp"
#include "reports/measure/display.hpp"

namespace shakedown::command {
namespace {

using nlohmann::ordered_json;

struct ModelOptions {
  std::string system;
  std::string output;
  bool fit = false;
};

/// A system's biases.
struct SystemModel {
  std::string system;
  std::vector<ModelBias> biases;
};

Result<std::vector<SystemModel>> models(const Workspace& workspace, const std::string& wanted) {
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database, "`shakedown quick` makes a workspace");
  const auto campaigns = database->campaigns();
  if (!campaigns) return failure_of(campaigns);
  std::set<std::string> systems;
  for (const CampaignSummary& campaign : *campaigns) systems.insert(campaign.system);
  if (!wanted.empty() && !systems.contains(wanted)) {
    const std::vector<std::string> names(systems.begin(), systems.end());
    return fail(
        "--system",
        fmt::format("no system '{}' in {}{}", wanted, workspace.folder.string(), did_you_mean(wanted, names)),
        fmt::format("systems: {}", joined(names, ", ")));
  }
  std::vector<SystemModel> found;
  for (const std::string& system : systems) {
    if (!wanted.empty() && system != wanted) continue;
    const auto series = database->series_of(system);
    if (!series) return failure_of(series);
    const auto predictions = database->predictions_of(system);
    if (!predictions) return failure_of(predictions);
    found.push_back({system, model_biases(*series, *predictions)});
  }
  std::erase_if(found, [](const SystemModel& model) { return model.biases.empty(); });
  return found;
}

ordered_json bias_json(const ModelBias& bias) {
  ordered_json object = {{"suite", bias.suite},
                         {"implementation", bias.implementation},
                         {"metric", bias.metric},
                         {"bias", bias.bias},
                         {"low", bias.low},
                         {"high", bias.high},
                         {"spread", bias.spread},
                         {"n", bias.points.size()},
                         {"degrees_of_freedom", bias.freedom()},
                         {"claim", bias.claim()}};
  if (bias.interval) object["interval_95"] = {bias.interval->first, bias.interval->second};
  object["points"] = ordered_json::array();
  for (const ModelPoint& point : bias.points)
    object["points"].push_back(
        {{"campaign", point.campaign}, {"at", utc_text(point.at_s)}, {"ratio", point.ratio}, {"n", point.n}});
  return object;
}

std::string document(const std::vector<SystemModel>& models) {
  ordered_json document = {{"schema", "shakedown.model/1"}, {"systems", ordered_json::array()}};
  for (const SystemModel& model : models) {
    ordered_json biases = ordered_json::array();
    for (const ModelBias& bias : model.biases) biases.push_back(bias_json(bias));
    document["systems"].push_back({{"system", model.system}, {"biases", std::move(biases)}});
  }
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string text_of(const SystemModel& model) {
  std::string text = fmt::format("{}: measured over predicted\n", model.system);
  for (const ModelBias& bias : model.biases) {
    text += fmt::format("  {}/{} {}  {:.3f}", bias.suite, bias.implementation, bias.metric, bias.bias);
    if (bias.interval)
      text += fmt::format(" (95 %: {:.3f} to {:.3f})", bias.interval->first, bias.interval->second);
    text += fmt::format(", {:.3f} to {:.3f}, spread {}\n      {}\n", bias.low, bias.high,
                        percent_text(bias.spread), bias.claim());
    for (const ModelPoint& point : bias.points)
      text += fmt::format("      {}  {:.3f}  {} run{}\n", utc_text(point.at_s), point.ratio, point.n,
                          point.n == 1 ? "" : "s");
  }
  return text;
}

/// The blocks for `plan --config`, and what is not claimed as comments.
std::string fit_of(const std::vector<SystemModel>& models) {
  std::string text;
  for (const SystemModel& model : models)
    for (const ModelBias& bias : model.biases) {
      text += fmt::format("# {}/{} {}: {}\n", bias.suite, bias.implementation, bias.metric, bias.claim());
      if (const auto calibration = fitted(bias, model.system)) text += calibration_toml(*calibration);
      text += "\n";
    }
  return text;
}

Result<int> run_model(const ModelOptions& options, const CommonOptions& common) {
  if (!options.output.empty() && !options.fit)
    return fail("-o", "would do nothing: it is where --fit writes", "give --fit too");
  if (options.fit && common.json)
    return fail("--json", "and --fit contradict each other: a fit is TOML, for plan --config",
                "leave one out");
  const auto found = models(Workspace{common.workspace}, options.system);
  if (!found) return failure_of(found);
  if (found->empty()) {
    std::cerr << "nothing in this workspace was both predicted and measured\n";
    if (common.json) std::cout << document(*found);
    return exit_undecided;
  }
  if (options.fit) {
    const std::string text = fit_of(*found);
    if (options.output.empty()) {
      std::cout << text;
    } else if (auto written = write_named_file(options.output, text); !written) {
      return failure_of(written, "choose another file with -o");
    }
    return text.find("[[calibration]]") == std::string::npos ? exit_undecided : 0;
  }
  if (common.json) {
    std::cout << document(*found);
    return 0;
  }
  for (const SystemModel& model : *found) std::cout << shown(text_of(model));
  return 0;
}

}  // namespace

extern const Command model;
const Command model = {
    .id = "model",
    .about = "predicted against measured over time, and the fit",
    .rank = 85,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<ModelOptions>();
      app.add_option("--system", options->system, "of this system only (default: all of the workspace)")
          ->type_name("NAME");
      app.add_flag("--fit", options->fit, "print [[calibration]] blocks for plan --config");
      app.add_option("-o,--output", options->output, "write the fit there")->type_name("F");
      app.footer(
          "Example: shakedown model --fit >>acceptance.toml\n"
          "A point is a campaign. One point leaves no degree of freedom, and no block is written.");
      return [options, &common] { return run_model(*options, common); };
    },
};

}  // namespace shakedown::command
