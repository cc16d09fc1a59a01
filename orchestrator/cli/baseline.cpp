#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/baseline.hpp"

namespace shakedown::command {
namespace {

using nlohmann::ordered_json;

ordered_json json_value(const Value& value) {
  return std::visit([](const auto& held) { return ordered_json(held); }, value);
}

ordered_json json_of(const Baseline& baseline) {
  ordered_json document;
  document["schema"] = "shakedown.baseline/1";
  document["name"] = baseline.name;
  document["title"] = baseline.title;
  document["source"] = baseline.source;
  document["sha256"] = baseline.sha256;
  document["values"] = ordered_json::array();
  for (const BaselineValue& value : baseline.values) {
    ordered_json entry;
    entry["id"] = value.id;
    entry["suite"] = value.suite;
    entry["metric"] = value.metric;
    entry["value"] = value.value;
    entry["unit"] = value.unit;
    entry["printed"] = value.printed;
    entry["conditions"] = ordered_json::object();
    for (const Parameter& condition : value.conditions)
      entry["conditions"][condition.name] = json_value(condition.value);
    entry["source"] = value.source;
    entry["status"] = value.status;
    if (!value.note.empty()) entry["note"] = value.note;
    document["values"].push_back(entry);
  }
  return document;
}

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
  if (common.json) {
    std::cout << json_of(baseline).dump(2) << "\n";
    return 0;
  }
  std::cout << baseline.title << "\n" << baseline.source << "\n\n";
  for (const BaselineValue& value : baseline.values)
    std::cout << fmt::format("{:<8} {:<26} {:<18} {:<12} {}\n", value.suite, value.metric, value.printed,
                             value.status, value.source);
  return 0;
}

/// Exit 1 where a row that is marked `ok` fails one of its identities.
Result<int> check(const std::vector<Baseline>& all, const CommonOptions& common) {
  bool failed = false;
  ordered_json document;
  document["schema"] = "shakedown.baseline-check/1";
  document["checks"] = ordered_json::array();
  for (const Baseline& baseline : all)
    for (const IdentityCheck& identity : checked_identities(baseline)) {
      failed = failed || (!identity.holds && identity.status == "ok");
      document["checks"].push_back({{"baseline", baseline.name},
                                    {"value", identity.value_id},
                                    {"identity", identity.identity},
                                    {"published", identity.published},
                                    {"recomputed", identity.recomputed},
                                    {"holds", identity.holds},
                                    {"status", identity.status}});
      if (!common.json)
        std::cout << fmt::format("{:<6} {}  {}  {}: published {}, recomputed {}\n",
                                 identity.holds ? "holds" : "FAILS", baseline.name, identity.value_id,
                                 identity.identity, number(identity.published, 6),
                                 number(identity.recomputed, 6));
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
        if (!all) return pass_on(all);
        if (listing->parsed()) return list(*all, common);
        if (name->empty() && !showing->parsed()) return check(*all, common);
        const auto one = chosen(*all, name->empty() ? "sakuraone" : *name);
        if (!one) return pass_on(one);
        return showing->parsed() ? show(*one, common) : check({*one}, common);
      };
    },
};

}  // namespace shakedown::command
