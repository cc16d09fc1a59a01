#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/inventory_discovery.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/inventory_text.hpp"
#include "orchestrator/inventory/merge.hpp"
#include "orchestrator/inventory/named_inventory.hpp"

namespace shakedown::command {
namespace {

struct InventoryOptions {
  DiscoveryOptions discovery;
  std::string output;
  std::string source;
  std::string other;
  CLI::Option* slurm = nullptr;  ///< it may be given without a value
};

/// How Slurm's nodes are asked; none of them has answered.
std::string allocation_hint(const InventoryOptions& options, const Inventory& inventory) {
  if (std::getenv("SLURM_JOB_ID") != nullptr)
    return "hint: no node answered in this allocation: does `srun hostname` work?\n";
  const std::string& partition = options.discovery.partition;
  return fmt::format(
      "hint: no node answered: run it inside an allocation: salloc -N {}{} --exclusive shakedown inventory "
      "discover --slurm{}{}\n",
      inventory.nodes(), partition.empty() ? "" : " -p " + partition,
      partition.empty() ? "" : " " + partition, options.output.empty() ? "" : " -o " + options.output);
}

Result<int> discover(const InventoryOptions& options, const CommonOptions& common) {
  const auto found = discovery(options.discovery, common);
  if (!found) return failure_of(found);
  const Inventory& inventory = found->inventory;
  const std::string text = common.json ? inventory_json(inventory) : inventory_toml(inventory);
  if (options.output.empty())
    std::cout << text;
  else if (auto written = write_named_file(options.output, text); !written)
    return failure_of(written, "choose another file with -o");
  for (const std::string& sentence : heterogeneity(inventory))
    if (!common.quiet) std::cerr << "nodes differ: " << sentence << "\n";
  for (const std::string& note : inventory.notes)
    if (!common.quiet && (note.find("GPUs are missing") != std::string::npos ||
                          note.find("can't be used") != std::string::npos))
      std::cerr << "note: " << note << "\n";
  for (const std::string& note : silence_notes(found->silent)) std::cerr << note << "\n";
  if (is_unanswered(inventory) && !common.quiet) std::cerr << allocation_hint(options, inventory);
  if (!options.output.empty() && !common.quiet)
    std::cerr << "wrote " << options.output << "; look at it: shakedown inventory show " << options.output
              << "\n";
  return found->silent.empty() ? 0 : exit_environment;
}

Result<int> show(const InventoryOptions& options, const CommonOptions& common) {
  const auto inventory = options.source.empty() ? Result<Inventory>(discovered_inventory())
                                                : named_inventory(options.source, installed_layout());
  if (!inventory) return failure_of(inventory);
  std::cout << (common.json ? inventory_json(*inventory) : shown(inventory_text(*inventory)));
  return 0;
}

Result<int> check(const InventoryOptions& options, const CommonOptions& common) {
  const auto inventory = options.source.empty() ? last_campaigns_inventory(common)
                                                : named_inventory(options.source, installed_layout());
  if (!inventory) return failure_of(inventory);
  return check_inventory(*inventory, options.source.empty() ? "planned" : options.source, common);
}

CLI::App* declare_discover(CLI::App& app, InventoryOptions& options) {
  CLI::App* command = app.add_subcommand("discover", "write the inventory of this machine, or of many");
  command->footer("Example: shakedown inventory discover --slurm gpu -o cluster.toml");
  options.slurm = command->add_option("--slurm", options.discovery.partition,
                                      "ask the nodes of Slurm, or of one of its partitions");
  options.slurm->type_name("[PARTITION]")->expected(0, 1);
  command->add_option("--hostfile", options.discovery.hostfile, "ask the nodes of an Open MPI hostfile")
      ->type_name("F")
      ->excludes(options.slurm);
  command->add_option("-o,--output", options.output, "file to write (default: stdout)")->type_name("FILE");
  return command;
}

CLI::App* declare_show(CLI::App& app, InventoryOptions& options) {
  CLI::App* command = app.add_subcommand("show", "print an inventory for people");
  command->footer("Example: shakedown inventory show cluster.toml");
  command->add_option("inventory", options.source, "file or shipped system (default: this machine)")
      ->type_name("F");
  return command;
}

CLI::App* declare_check(CLI::App& app, InventoryOptions& options) {
  CLI::App* command = app.add_subcommand("check", "hold an inventory against its live nodes");
  command->footer("Example: shakedown inventory check cluster.toml");
  command->add_option("inventory", options.source, "file (default: the newest campaign's)")->type_name("F");
  return command;
}

CLI::App* declare_diff(CLI::App& app, InventoryOptions& options) {
  CLI::App* command = app.add_subcommand("diff", "what differs between two, and what to run again");
  command->footer("Example: shakedown inventory diff before.toml after.toml");
  command->add_option("A", options.source, "file or shipped system")->type_name("")->required();
  command->add_option("B", options.other, "file or shipped system")->type_name("")->required();
  return command;
}

}  // namespace

extern const Command inventory;
const Command inventory = {
    .id = "inventory",
    .about = "find out what a system consists of",
    .rank = 20,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<InventoryOptions>();
      app.require_subcommand(1);
      CLI::App* const discovering = declare_discover(app, *options);
      CLI::App* const showing = declare_show(app, *options);
      CLI::App* const checking = declare_check(app, *options);
      CLI::App* const comparing = declare_diff(app, *options);
      for (CLI::App* each : {discovering, showing, checking, comparing}) each->fallthrough();
      app.footer("Example: shakedown inventory discover --slurm gpu -o cluster.toml");
      return [=, &common]() -> Result<int> {
        if (showing->parsed()) return show(*options, common);
        if (checking->parsed()) return check(*options, common);
        if (comparing->parsed()) return diff_inventories(options->source, options->other, common);
        options->discovery.slurm = options->slurm->count() > 0;
        return discover(*options, common);
      };
    },
};

}  // namespace shakedown::command
