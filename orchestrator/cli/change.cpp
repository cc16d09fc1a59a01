#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/node_declaration.hpp"
#include "orchestrator/campaign/replanner.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/change_text.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "reports/compare/baseline.hpp"

namespace shakedown::command {
namespace {

constexpr int exit_nothing_accepted = 3;

struct ChangeOptions : NodeDeclaration {
  std::string inventory;
  std::string output;
};

/// The reference with what only its folder records: site, settings, configuration.
Result<Reference> whole_reference(const Workspace& workspace, const Database& database,
                                  const std::string& system) {
  auto found = last_accepted(workspace, database, system);
  if (!found) return failure_of(found);
  std::optional<Reference>& reference = *found;
  if (!reference) {
    Error error{
        "change",
        fmt::format("no campaign of {} was accepted yet: there is nothing that it changed from", system),
        "`shakedown accept CAMPAIGN --by WHO --why TEXT` declares the reference"};
    return tl::unexpected(std::move(error));
  }
  Reference whole = *std::move(reference);
  if (auto folder = read_campaign_folder(workspace.campaign(whole.campaign.id))) {
    whole.campaign.config_text = std::move(folder->config_text);
    whole.campaign.planned_by = std::move(folder->planned_by);
    whole.campaign.site = std::move(folder->site);
    whole.campaign.settings = std::move(folder->settings);
  }
  return whole;
}

/// What the reference calls its system: the inventory that it was planned with, or its configuration's
/// system, which lies beside that; empty: this machine.
std::string system_of(const CampaignRecord& campaign) {
  const auto planned = planned_options(campaign);
  const std::optional<PlanOptions> options = planned ? *planned : std::nullopt;
  if (options && !options->inventory.empty()) return options->inventory;
  if (campaign.config_text.empty()) return "";
  auto config = acceptance_from_toml(campaign.config_text, campaign.id);
  if (!config) return "";
  if (options) find_system_beside(*config, options->config);
  return config->system;
}

/// What the configuration calls the system: a path from anywhere, or a shipped name.
std::string system_key(const std::string& wanted) {
  std::error_code code;
  return fs::is_regular_file(wanted, code) ? fs::absolute(wanted, code).lexically_normal().string() : wanted;
}

/// Today's inventory: the one named, else that of the reference's configuration, else this machine's.
Result<Inventory> inventory_of_today(const std::string& wanted, const Layout& layout) {
  if (wanted.empty()) return discovered_inventory();
  auto inventory = named_inventory(wanted, layout);
  if (!inventory) return failure_of(inventory, "--inventory F names what the system is like today");
  return inventory;
}

Result<void> check_same_system(const Inventory& reference, const Inventory& today) {
  std::vector<std::string> known;
  for (const NodeGroup& group : reference.groups)
    if (auto hosts = expanded_hostlist(group.hosts)) known.insert(known.end(), hosts->begin(), hosts->end());
  for (const NodeGroup& group : today.groups) {
    const auto hosts = expanded_hostlist(group.hosts);
    if (!hosts) return failure_of(hosts);
    for (const std::string& host : *hosts)
      if (std::ranges::find(known, host) != known.end()) return {};
  }
  return fail(today.source, "has no node of the reference: it is another system's",
              "--inventory F names the inventory of today, --system S whose reference is meant");
}

/// Reports runs that can't be planned on today's nodes as not covered: sizes that no longer fit are planned
/// again first.
void drop_what_cant_be_planned(ChangeProposal& proposal, const CampaignRecord& campaign,
                               const AcceptedCampaign& accepted, const Inventory& today,
                               const Layout& layout) {
  const auto planned = [&](const ProposedRun& run) -> Result<void> {
    ChangeProposal alone;
    alone.runs = {run};
    const auto configuration = change_configuration(campaign, accepted, alone, "");
    if (!configuration) return {};  // reported for the whole
    const auto acceptance = acceptance_from_toml(configuration->text, "the proposed configuration");
    if (!acceptance) return {};
    const auto plan = derived_plan({}, *acceptance, today, layout);
    return plan ? Result<void>() : failure_of(plan);
  };
  std::erase_if(proposal.runs, [&](ProposedRun& run) {
    auto first = planned(run);
    if (first) return false;
    ProposedRun free = run;
    free.run.pins.clear();
    if (!run.run.pins.empty() && planned(free)) {
      free.because += fmt::format("; the reference's size can't be planned here ({}): it is planned again",
                                  first.error().what);
      run = std::move(free);
      return false;
    }
    proposal.not_covered.push_back(
        fmt::format("{} on {}: it can't be planned: {}", run.run.suite, run.hosts, first.error().what));
    return true;
  });
}

Result<int> propose(const ChangeOptions& options, const CommonOptions& common) {
  const Layout layout = installed_layout();
  const Workspace workspace{common.workspace};
  const auto system = declared_system(workspace, options.system);
  if (!system) return failure_of(system);
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database);
  auto reference = whole_reference(workspace, *database, *system);
  if (!reference && reference.error().where == "change") {
    print_error(reference.error());
    return exit_nothing_accepted;
  }
  if (!reference) return failure_of(reference);
  std::error_code code;
  if (const auto own = workspace.campaign(reference->campaign.id) / campaign_baseline_file;
      std::filesystem::exists(own, code))
    reference->campaign.baseline_name =
        std::filesystem::absolute(own).string();  // it has no name to be found by
  const CampaignRecord& campaign = reference->campaign;
  const std::string wanted = options.inventory.empty() ? system_of(campaign) : options.inventory;
  const auto today = inventory_of_today(wanted, layout);
  if (!today) return failure_of(today);
  const Inventory& before = reference->newest.inventory;
  if (auto same = check_same_system(before, *today); !same) return failure_of(same);
  const auto events = read_node_events(workspace);
  if (!events) return failure_of(events);
  const auto since = events_since(*events, reference->newest);

  ProposedChange proposed;
  proposed.accepted = reference->acceptances;
  proposed.proposal = proposed_campaign(campaign, *today, found_changes(before, *today, since));
  proposed.today = wanted.empty() ? "this machine" : system_key(wanted);
  drop_what_cant_be_planned(proposed.proposal, campaign, reference->acceptances.back(), *today, layout);
  if (!proposed.proposal.runs.empty()) {
    auto configuration =
        change_configuration(campaign, reference->acceptances.back(), proposed.proposal, system_key(wanted));
    if (!configuration) return failure_of(configuration);
    proposed.configuration = *std::move(configuration);
    const auto acceptance = acceptance_from_toml(proposed.configuration.text, "the proposed configuration");
    if (!acceptance) return failure_of(acceptance);
    auto plan = derived_plan({}, *acceptance, *today, layout);
    if (!plan) return failure_of(plan);
    proposed.plan = *std::move(plan);
  }
  proposed.inventory_option = options.inventory;
  proposed.system_option = options.system;
  if (const auto config = acceptance_from_toml(campaign.config_text, campaign.id);
      config && config->site.scheduler != campaign.site.scheduler)
    proposed.scheduler = campaign.site.scheduler;
  proposed.workspace = common.workspace;
  if (!options.output.empty()) {
    if (proposed.proposal.runs.empty()) {
      std::string why = "nothing changed that runs of the reference can show";
      if (!proposed.proposal.not_covered.empty()) why = joined(proposed.proposal.not_covered, "; ");
      return fail("-o", "there is no campaign to write: " + why);
    }
    if (auto written = write_named_file(options.output, proposed.configuration.text); !written)
      return failure_of(written, "choose another file with -o");
    proposed.written = options.output;
  }
  std::cout << (common.json ? change_json(proposed) : shown(change_text(proposed)));
  return 0;
}

Result<int> declare_or_propose(const ChangeOptions& options, const CommonOptions& common) {
  const bool declares =
      !options.node.empty() || !options.event.empty() || !options.by.empty() || !options.note.empty();
  if (!declares) return propose(options, common);
  for (const auto& [name, value] :
       {std::pair("--inventory", &options.inventory), std::pair("-o", &options.output)})
    if (!value->empty()) return fail(name, "would do nothing beside --node", "declare first, then propose");
  const auto declared = declared_events({common.workspace}, options);
  if (!declared) return failure_of(declared);
  std::cout << (common.json ? events_json(*declared) : shown(events_text(*declared)));
  return 0;
}

}  // namespace

extern const Command change;
const Command change = {
    .id = "change",
    .about = "what changed since the accepted campaign, and the smallest campaign that covers it",
    .rank = 92,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<ChangeOptions>();
      app.add_option("--system", options->system,
                     "of this system (default: the one that has an accepted campaign)")
          ->type_name("S");
      app.add_option("--inventory", options->inventory,
                     "what it is like today (default: the accepted campaign's, else this machine)")
          ->type_name("F|NAME");
      app.add_option("-o,--output", options->output, "write a configuration that `run --config` takes")
          ->type_name("FILE");
      app.add_option("--node", options->node, "declare what no inventory shows, of these nodes")
          ->type_name("HOSTLIST");
      app.add_option("--event", options->event, "reboot, replaced or moved")->type_name("E");
      app.add_option("--by", options->by, "who declares it")->type_name("WHO");
      app.add_option("--note", options->note, "in your words; recorded permanently")->type_name("TEXT");
      app.footer(
          "Example: shakedown change --node cn042 --event replaced --by ops --note \"GPU 3\"\n"
          "         shakedown change --inventory cluster.toml -o change.toml\n"
          "Exit code 3: no campaign of the system was accepted yet.");
      return [options, &common] { return declare_or_propose(*options, common); };
    },
};

}  // namespace shakedown::command
