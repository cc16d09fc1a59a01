#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/campaign/starting_configuration.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/merge.hpp"
#include "orchestrator/inventory/named_inventory.hpp"

namespace shakedown::command {
namespace {

struct InitOptions {
  StartingOptions starting;
  std::string inventory;
  std::string output;
  bool force = false;
};

/// How the configuration names the inventory: a file beside it by its name alone, another by its whole path.
std::string named_system(const InitOptions& options) {
  std::error_code code;
  if (options.inventory.empty() || !fs::exists(options.inventory, code)) return options.inventory;
  const fs::path file = fs::absolute(options.inventory, code).lexically_normal();
  const fs::path folder =
      fs::absolute(options.output.empty() ? "x" : options.output, code).lexically_normal().parent_path();
  return file.parent_path() == folder ? file.filename().string() : file.string();
}

/// "9 lines to edit: 12, 20, 21"
std::string edits_text(const std::vector<int>& lines) {
  if (lines.empty()) return "nothing to edit";
  std::vector<std::string> numbers;
  numbers.reserve(lines.size());
  for (const int line : lines) numbers.push_back(fmt::format("{}", line));
  return fmt::format("{} to edit, marked EDIT: {}", plural(std::ssize(lines), "line"), joined(numbers, ", "));
}

/// "planned for cn[01-16], of the highest FP64 peak; not for nodes of another kind: --hosts 'c[1-30]' writes
/// theirs"
std::string kinds_line(const StartingConfiguration& made) {
  std::vector<std::string> options;
  options.reserve(made.other_kinds.size());
  for (const std::string& each : made.other_kinds) options.push_back("--hosts " + shell_quoted(each));
  return fmt::format("planned for {}, {}; not for nodes of {}: {} writes theirs\n", made.hosts,
                     made.kind_because, options.size() == 1 ? "another kind" : "other kinds",
                     joined(options, " or "));
}

/// What to do with the file, in order; a draft is edited first.
std::string next_text(const std::string& file, bool draft) {
  if (!draft) return fmt::format("next: shakedown plan --config {}\n", file);
  return fmt::format(
      "next: 1. edit these lines\n"
      "      2. shakedown criteria check {0}   # lists what is still to be edited\n"
      "      3. shakedown plan --config {0}\n"
      "      4. shakedown run --config {0}\n",
      file);
}

Result<int> init_configuration(InitOptions options, const CommonOptions& common) {
  std::error_code code;
  if (!options.output.empty() && !options.force && fs::is_regular_file(options.output, code))
    return fail(options.output, "is there already, perhaps with your edits",
                "choose another file with -o, or add --force");
  const Layout layout = installed_layout();
  const auto inventory = options.inventory.empty() ? Result<Inventory>(discovered_inventory())
                                                   : named_inventory(options.inventory, layout);
  if (!inventory) return failure_of(inventory);
  options.starting.system = named_system(options);
  const auto made = starting_configuration(options.starting, *inventory, layout);
  if (!made) return failure_of(made);
  if (options.output.empty())
    std::cout << made->text;
  else if (auto written = write_named_file(options.output, made->text); !written)
    return failure_of(written, "choose another file with -o");
  if (common.quiet) return 0;
  if (is_unanswered(*inventory))
    std::cerr
        << "warning: no node answered when this inventory was made: it holds what Slurm's configuration "
           "says, not the hardware. Discover the nodes again, inside salloc\n";
  for (const std::string& each : made->left_out) std::cerr << "not planned: " << each << "\n";
  if (!made->other_kinds.empty()) std::cerr << kinds_line(*made);
  if (!made->screening.empty())
    std::cerr << fmt::format("a screening of small problems with the reference kernels: {}\n",
                             made->screening);
  const std::string name = options.output.empty() ? std::string("the configuration") : options.output;
  std::cerr << fmt::format("{}{}: {}\n", options.output.empty() ? "" : "wrote ", name,
                           edits_text(made->edits));
  if (made->commented > 0)
    std::cerr << fmt::format("{} in comments: {} a contract's value\n",
                             plural(made->commented, "criterion", "criteria"),
                             made->commented == 1 ? "it needs" : "they need");
  if (!options.output.empty()) std::cerr << next_text(shell_quoted(options.output), !made->edits.empty());
  return 0;
}

}  // namespace

extern const Command init;
const Command init = {
    .id = "init",
    .about = "write an acceptance configuration for an inventory",
    .rank = 25,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<InitOptions>();
      app.add_option(
             "--from", options->starting.from,
             "shipped configuration to fit: " + joined(shipped_configurations(installed_layout()), ", "))
          ->type_name("NAME")
          ->capture_default_str();
      app.add_option("--inventory", options->inventory,
                     "inventory file, or a shipped system's name (default: this machine)")
          ->type_name("F|NAME");
      app.add_option("--nodes", options->starting.nodes, "use N nodes (default: all)")
          ->type_name("N")
          ->check(CLI::Range(1, 1'000'000));
      app.add_option("--hosts", options->starting.hosts,
                     "use these nodes, all of one kind (default: the kind of the highest FP64 peak)")
          ->type_name("LIST");
      app.add_option("--suite", options->starting.suites, "only this suite (repeatable; default: all)")
          ->type_name("S");
      app.add_flag("--screening", options->starting.screening,
                   "small problems by the reference kernels, which run at once (nodes without GPUs)");
      app.add_option("-o,--output", options->output, "file to write (default: stdout)")->type_name("FILE");
      app.add_flag("--force", options->force, "replace the file");
      app.footer(
          "Example: shakedown init --from acceptance-h100 --inventory cluster.toml -o acceptance.toml\n"
          "Lines marked EDIT hold examples: paths, images and values of the contract.");
      return [options, &common] { return init_configuration(*options, common); };
    },
};

}  // namespace shakedown::command
