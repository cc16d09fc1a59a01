#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/planning.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/inventory_text.hpp"
#include "orchestrator/inventory/readers.hpp"

namespace shakedown::command {
namespace {

struct Options {
  std::string output;
  std::string source;
};

Result<int> discover(const Options& options, const CommonOptions& common) {
  const Inventory inventory = discovered_inventory();
  const std::string text = common.json ? inventory_json(inventory) : inventory_toml(inventory);
  if (options.output.empty()) {
    std::cout << text;
    return 0;
  }
  if (auto written = write_file(options.output, text); !written)
    return pass_on(written, "choose another file with -o");
  if (!common.quiet)
    std::cerr << "wrote " << options.output << "; look at it: shakedown inventory show " << options.output
              << "\n";
  return 0;
}

Result<int> show(const Options& options, const CommonOptions& common) {
  PlanOptions chosen;
  chosen.inventory = options.source;
  const auto inventory = chosen_inventory(chosen, installed_layout());
  if (!inventory) return pass_on(inventory);
  std::cout << (common.json ? inventory_json(*inventory) : shown(inventory_text(*inventory)));
  return 0;
}

}  // namespace

extern const Command inventory;
const Command inventory = {
    .id = "inventory",
    .about = "find out what a system consists of",
    .rank = 20,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<Options>();
      app.require_subcommand(1);
      CLI::App* discovering = app.add_subcommand("discover", "write the inventory of this machine, as TOML");
      discovering->add_option("-o,--output", options->output, "file to write (default: stdout)")
          ->type_name("FILE");
      discovering->fallthrough();
      CLI::App* showing = app.add_subcommand("show", "print an inventory for people");
      showing->add_option("inventory", options->source, "inventory file (default: this machine)")
          ->type_name("F");
      showing->fallthrough();
      app.footer("Example: shakedown inventory discover -o cluster.toml");
      return [options, discovering, &common] {
        return discovering->parsed() ? discover(*options, common) : show(*options, common);
      };
    },
};

}  // namespace shakedown::command
