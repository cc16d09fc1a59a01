#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/comparison_text.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/compare/made_baseline.hpp"

namespace shakedown::command {
namespace {

using nlohmann::ordered_json;

Result<int> list(const std::vector<Baseline>& all, const CommonOptions& common) {
  if (common.json) {
    ordered_json document;
    document["schema"] = "shakedown.baselines/1";
    document["baselines"] = ordered_json::array();
    for (const Baseline& each : all)
      document["baselines"].push_back(
          {{"name", each.name}, {"title", each.title}, {"values", each.values.size()}});
    std::cout << document.dump(2) << "\n";
    return 0;
  }
  for (const Baseline& each : all)
    std::cout << fmt::format("{:<16} {} ({} values)\n", each.name, each.title, each.values.size());
  return 0;
}

Result<int> show(const Baseline& baseline, const CommonOptions& common) {
  std::cout << (common.json ? baseline_json(baseline).dump(2) + "\n" : baseline_text(baseline));
  return 0;
}

/// Exit 1 where a row that is marked `ok` fails one of its identities.
Result<int> check(const std::vector<Baseline>& all, const CommonOptions& common) {
  bool failed = false;
  ordered_json document;
  document["schema"] = "shakedown.baseline-check/1";
  document["checks"] = ordered_json::array();
  for (const Baseline& baseline : all) {
    const std::vector<IdentityCheck> identities = checked_identities(baseline);
    for (const IdentityCheck& identity : identities) {
      failed = failed || identity.contradicts();
      document["checks"].push_back(identity_json(baseline, identity));
    }
    if (!common.json)
      std::cout << identities_text(baseline, identities) << (&baseline == &all.back() ? "" : "\n");
  }
  if (common.json) std::cout << document.dump(2) << "\n";
  return failed ? 1 : 0;
}

struct MakeOptions {
  std::string campaign;
  std::string output;
};

/// "my" for "values/my.toml".
std::string baseline_name(const std::filesystem::path& file) {
  return file.filename().stem().string();
}

Result<int> make(const MakeOptions& options, const CommonOptions& common) {
  const Layout layout = installed_layout();
  const Workspace workspace{common.workspace};
  if (!options.output.ends_with(".toml"))
    return fail("-o", fmt::format("'{}' is no file of a baseline", options.output),
                "end its name in .toml: `--baseline` tells files from the shipped names by that");
  const auto id = chosen_campaign(workspace, options.campaign);
  if (!id) return failure_of(id);
  const auto outcome = judged_campaign(workspace, *id, layout);
  if (!outcome) return failure_of(outcome);
  const auto text = file_content(layout.share / "comparability.toml");
  if (!text) return failure_of(text);
  const auto comparability = read_comparability(*text, "comparability.toml");
  if (!comparability) return failure_of(comparability);
  const auto made = made_baseline(outcome->campaign, baseline_name(options.output), *comparability);
  if (!made) return fail(made.error().where, made.error().what, made.error().hint);
  if (auto written = write_named_file(options.output, made->text); !written) return failure_of(written);
  if (common.json) {
    const ordered_json document = {{"schema", "shakedown.baseline-make/1"},
                                   {"file", options.output},
                                   {"campaign", *id},
                                   {"values", made->values},
                                   {"left_out", made->left_out}};
    std::cout << document.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
    return 0;
  }
  std::string report =
      fmt::format("{}: {} of campaign {}\n", options.output, plural(made->values, "value"), *id);
  for (const std::string& left : made->left_out) report += fmt::format("left out: {}\n", left);
  report += fmt::format("compare with: {}\n",
                        command_for("compare CAMPAIGN --baseline " + options.output, common.workspace));
  std::cout << shown(report);
  return 0;
}

}  // namespace

extern const Command baseline;
const Command baseline = {
    .id = "baseline",
    .about = "published values: list, show, check their identities; make a baseline of a campaign",
    .rank = 84,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto name = std::make_shared<std::string>();
      app.require_subcommand(1);
      CLI::App* listing = app.add_subcommand("list", "names of the baselines");
      CLI::App* showing = app.add_subcommand("show", "one baseline, value by value");
      CLI::App* checking =
          app.add_subcommand("check", "recompute identities; exit 1 where an ok row fails one");
      CLI::App* making = app.add_subcommand("make", "a baseline of one's own from what a campaign measured");
      for (CLI::App* subcommand : {listing, showing, checking, making}) subcommand->fallthrough();
      listing->footer("Example: shakedown baseline list");
      showing->footer("Example: shakedown baseline show sakuraone");
      checking->footer("Example: shakedown baseline check mine.toml");
      making->footer("Example: shakedown baseline make 2026-11 -o mine.toml");
      showing->add_option("name", *name, "baseline, or a file (default: sakuraone)")->type_name("NAME|F");
      checking->add_option("name", *name, "baseline, or a file (default: all that are shipped)")
          ->type_name("NAME|F");
      auto options = std::make_shared<MakeOptions>();
      making->add_option("campaign", options->campaign, "id or its beginning (default: the newest)")
          ->type_name("CAMPAIGN");
      making->add_option("-o,--output", options->output, "file to write: NAME.toml")
          ->required()
          ->type_name("F");
      app.footer("Example: shakedown baseline show sakuraone");
      return [name, options, listing, showing, making, &common]() -> Result<int> {
        if (making->parsed()) return make(*options, common);
        auto all = shipped_baselines(installed_layout().share);
        if (!all) return failure_of(all);
        if (listing->parsed()) return list(*all, common);
        if (name->empty() && !showing->parsed()) return check(*all, common);
        const auto one = named_baseline(name->empty() ? "sakuraone" : *name, installed_layout().share);
        if (!one) return failure_of(one);
        return showing->parsed() ? show(*one, common) : check({*one}, common);
      };
    },
};

}  // namespace shakedown::command
