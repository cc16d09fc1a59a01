#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/comparison_text.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/compare/baseline.hpp"

namespace shakedown::command {
namespace {

using nlohmann::ordered_json;

Result<Baseline> chosen(const std::vector<Baseline>& all, const std::string& name) {
  std::vector<std::string> names;
  for (const Baseline& each : all) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  return fail("baseline", fmt::format("no baseline '{}'{}", name, did_you_mean(name, names)),
              fmt::format("baselines: {}", joined(names, ", ")));
}

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
    std::cout << fmt::format("{:<14} {} ({} values)\n", each.name, each.title, each.values.size());
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

}  // namespace

extern const Command baseline;
const Command baseline = {
    .id = "baseline",
    .about = "published values: list, show, check their identities",
    .rank = 110,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto name = std::make_shared<std::string>();
      app.require_subcommand(1);
      CLI::App* listing = app.add_subcommand("list", "names of the baselines");
      CLI::App* showing = app.add_subcommand("show", "one baseline, value by value");
      CLI::App* checking =
          app.add_subcommand("check", "recompute identities; exit 1 where an ok row fails one");
      for (CLI::App* subcommand : {listing, showing, checking}) subcommand->fallthrough();
      showing->add_option("name", *name, "baseline (default: sakuraone)")->type_name("NAME");
      checking->add_option("name", *name, "baseline (default: all)")->type_name("NAME");
      return [name, listing, showing, &common]() -> Result<int> {
        auto all = shipped_baselines(installed_layout().share);
        if (!all) return failure_of(all);
        if (listing->parsed()) return list(*all, common);
        if (name->empty() && !showing->parsed()) return check(*all, common);
        const auto one = chosen(*all, name->empty() ? "sakuraone" : *name);
        if (!one) return failure_of(one);
        return showing->parsed() ? show(*one, common) : check({*one}, common);
      };
    },
};

}  // namespace shakedown::command
