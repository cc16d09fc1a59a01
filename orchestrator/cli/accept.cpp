#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/reference.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown::command {
namespace {

using Json = nlohmann::ordered_json;

struct AcceptOptions {
  std::string campaign;
  std::string by;
  std::string why;
  std::string system;
  bool part = false;
  bool list = false;
};

Json acceptance_json(const AcceptedCampaign& acceptance, bool reference) {
  return {{"system", acceptance.system}, {"campaign", acceptance.campaign}, {"t", utc_text(acceptance.at_s)},
          {"by", acceptance.by},         {"why", acceptance.why},           {"part", acceptance.part},
          {"reference", reference}};
}

/// Whether an acceptance holds today, by itself or as a part.
bool is_reference(const AcceptedCampaign& acceptance, const std::vector<AcceptedCampaign>& all) {
  const auto chain = holding(all, acceptance.system, std::numeric_limits<double>::infinity());
  return std::ranges::find(chain, acceptance) != chain.end();
}

Result<int> list(const AcceptOptions& options, const CommonOptions& common) {
  const auto read = read_acceptances({common.workspace});
  if (!read) return failure_of(read);
  const std::vector<AcceptedCampaign>& all = *read;
  Json document = {{"schema", "shakedown.acceptances/1"}, {"acceptances", Json::array()}};
  std::string text;
  for (const AcceptedCampaign& each : all) {
    if (!options.system.empty() && each.system != options.system) continue;
    const bool reference = is_reference(each, all);
    document["acceptances"].push_back(acceptance_json(each, reference));
    text += fmt::format("{}  {}  {}{}\n    by {}: {}\n", utc_text(each.at_s), each.system, each.campaign,
                        !reference  ? ""
                        : each.part ? "  (part of the reference)"
                                    : "  (the reference)",
                        each.by, each.why);
  }
  if (common.json)
    std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  else
    std::cout << shown(text.empty() ? "no campaign was accepted yet\n" : text);
  return 0;
}

Result<int> accept_one(const AcceptOptions& options, const CommonOptions& common) {
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, options.campaign);
  if (!id) return failure_of(id);
  std::vector<std::string> lost;
  if (!options.part) {
    auto found = given_up(workspace, *id);
    if (!found) return failure_of(found);
    lost = *std::move(found);
  }
  const auto before = read_acceptances(workspace);
  if (!before) return failure_of(before);
  const auto declared =
      accept_campaign(workspace, {*id, options.by, options.why, options.part}, installed_layout());
  if (!declared) return failure_of(declared);
  const AcceptedCampaign& accepted = declared->acceptance;
  if (common.json) {
    Json document = {{"schema", "shakedown.acceptance/1"}};
    document.update(acceptance_json(accepted, true));
    document["given_up"] = lost;
    document["expired_waivers"] = declared->expired;
    if (!declared->remark.empty()) document["remark"] = declared->remark;
    if (!declared->gone.empty()) document["earlier_gone"] = declared->gone;
    std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    std::cout << shown(fmt::format("{} is {}the reference of {} from {} on, by {}: {}\n", accepted.campaign,
                                   accepted.part ? "part of " : "", accepted.system, utc_text(accepted.at_s),
                                   accepted.by, accepted.why));
    for (const AcceptedCampaign& each : *before)
      if (each.campaign == accepted.campaign && each.part == accepted.part)
        std::cout << shown(
            fmt::format("note: {} accepted it before, {}: {}\n", each.by, utc_text(each.at_s), each.why));
    if (!declared->remark.empty()) std::cout << shown(fmt::format("note: {}\n", declared->remark));
    for (const std::string& sentence : declared->gone)
      std::cout << shown(fmt::format("note: {}\n", sentence));
    for (const std::string& sentence : declared->expired)
      std::cout << shown(fmt::format("note: {}\n", sentence));
    if (!lost.empty())
      std::cout << shown(fmt::format(
          "note: it has no run of {}, which the reference before it had:\n"
          "      nothing is held against that any more. Of a campaign that covers a change --part keeps it\n",
          joined(lost, ", ")));
  }
  return 0;
}

/// No campaign was named: those that could be meant, the newest first.
Result<int> missing_campaign(const Workspace& workspace) {
  auto ids = campaign_ids(workspace);
  if (ids.empty()) return failure_of(chosen_campaign(workspace, ""));
  constexpr std::size_t most = 5;
  std::ranges::reverse(ids);
  const std::size_t older = ids.size() - std::min(ids.size(), most);
  ids.resize(ids.size() - older);
  return fail("accept", "the campaign is missing",
              fmt::format("name one: {}{}", joined(ids, ", "),
                          older == 0 ? ""
                                     : fmt::format(", or one of {} older in {}", older,
                                                   workspace.campaigns().string())));
}

Result<int> accept_or_list(const AcceptOptions& options, const CommonOptions& common) {
  if (!options.list) {
    if (!options.system.empty())
      return fail("--system", "would do nothing: a campaign has its own", "it belongs to --list");
    if (options.campaign.empty()) return missing_campaign({common.workspace});
    return accept_one(options, common);
  }
  const std::pair<const char*, const std::string*> others[] = {
      {"CAMPAIGN", &options.campaign}, {"--by", &options.by}, {"--why", &options.why}};
  if (options.part) return fail("--part", "would do nothing beside --list", "leave out one of them");
  for (const auto& [name, value] : others)
    if (!value->empty()) return fail(name, "would do nothing beside --list", "leave out one of them");
  return list(options, common);
}

}  // namespace

extern const Command accept;
const Command accept = {
    .id = "accept",
    .about = "make a campaign the reference of its system; or list what was accepted",
    .rank = 90,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<AcceptOptions>();
      app.add_option("campaign", options->campaign, "id or its beginning")->type_name("CAMPAIGN");
      app.add_option("--by", options->by, "who declares it; recorded permanently")->type_name("WHO");
      app.add_option("--why", options->why, "why; recorded permanently")->type_name("TEXT");
      app.add_flag("--part", options->part,
                   "beside what holds: it measured again what changed since, the rest stays");
      app.add_flag("--list", options->list, "what was accepted, oldest first; the last of a system holds");
      app.add_option("--system", options->system, "with --list: of this system alone")->type_name("NAME");
      app.footer(
          "Example: shakedown accept 2026-11 --by \"A. Smith\" --why \"site acceptance, contract 4.2\"\n"
          "Only a campaign that is finished and meets its criteria can be accepted. Nothing is taken back:\n"
          "the next acceptance takes its place, all stay in accepted.jsonl of the workspace. A campaign "
          "that\n"
          "`change` proposed is accepted with --part: what it has not measured again stays as it was.");
      return [options, &common] { return accept_or_list(*options, common); };
    },
};

}  // namespace shakedown::command
