#include "orchestrator/cli/application.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/version.hpp"

namespace shakedown {
namespace {

void add_common_options(CLI::App& app, CommonOptions& common) {
  const std::string group = "Common options";
  app.add_option("-w,--workspace", common.workspace, "folder of the database and all campaigns")
      ->type_name("DIR")
      ->group(group);
  app.add_flag("--json", common.json, "print one JSON document and nothing else")->group(group);
  app.add_option("--color", common.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("")
      ->group(group);
  app.add_option("--progress", common.progress, "auto, bar, plain or none")
      ->check(CLI::IsMember({"auto", "bar", "plain", "none"}))
      ->type_name("")
      ->group(group);
  app.add_flag("-v,--verbose", common.verbose, "more output")->group(group);
  app.add_flag("-q,--quiet", common.quiet, "less output")->group(group);
}

std::vector<const Command*> ordered_commands() {
  const auto table = commands();
  std::vector<const Command*> list(table.begin(), table.end());
  // Not stable_sort: libstdc++ 12's uses what C++17 deprecated, and clang warns of it.
  std::sort(list.begin(), list.end(), [](const Command* a, const Command* b) {
    return a->rank != b->rank ? a->rank < b->rank : a->id < b->id;
  });
  return list;
}

/// A command's declaration: its subcommand and what runs it.
struct Declared {
  CLI::App* app;
  std::function<Result<int>()> run;
};

std::vector<Declared> declare(CLI::App& app, CommonOptions& common) {
  app.description("shakedown: from \"the hardware changed\" to a verdict that can be signed");
  app.footer(
      "Example:\n  shakedown quick              measure this machine in a minute and write a report\n"
      "  shakedown COMMAND --help     all options of a command");
  app.set_version_flag("--version", fmt::format("shakedown {}", tool_version));
  app.require_subcommand(1);
  app.get_formatter()->column_width(22);
  add_common_options(app, common);
  std::vector<Declared> declared;
  for (const Command* command : ordered_commands()) {
    CLI::App* subcommand = app.add_subcommand(std::string(command->id), std::string(command->about));
    subcommand->get_formatter()->column_width(34);
    declared.push_back({subcommand, command->declare(*subcommand, common)});
    add_common_options(*subcommand, common);
  }
  return declared;
}

/// "did you mean" for a first word that is no command.
std::string misspelled_command(int argc, char** argv) {
  std::vector<std::string> names;
  for (const Command* command : commands()) names.emplace_back(command->id);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-w" || word == "--workspace" || word == "--color" || word == "--progress") ++i;
    if (word.starts_with('-')) continue;
    if (std::find(names.begin(), names.end(), word) != names.end()) return "";
    return fmt::format("no command '{}'{}", word, did_you_mean(word, names));
  }
  return "";
}

int print_error(const Error& error, const CommonOptions& common) {
  const Terminal terminal(common);
  std::cout.flush();
  std::cerr << terminal.bad("error: ") << shown_error(error) << "\n";
  return error.fault == Fault::environment ? exit_environment : exit_usage;
}

}  // namespace

void declare_commands(CLI::App& app) {
  static CommonOptions unused;
  declare(app, unused);
}

int run_application(int argc, char** argv) {
  const PrintableStreams printable;
  CommonOptions common;
  CLI::App app;
  app.name("shakedown");
  const auto declared = declare(app, common);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    const std::string misspelled = misspelled_command(argc, argv);
    std::cerr << "error: " << (misspelled.empty() ? error.what() : misspelled) << "\n"
              << "hint: shakedown "
              << (misspelled.empty() && argc > 1 && argv[1][0] != '-' ? std::string(argv[1]) + " " : "")
              << "--help shows what there is\n";
    return exit_usage;
  }
  for (const Declared& command : declared) {
    if (!command.app->parsed()) continue;
    Result<int> outcome = 0;
    try {
      outcome = command.run();
    } catch (const std::exception& error) {  // a library's, past its door
      outcome = fail_environment("shakedown", error.what(),
                                 "this is a fault of the program: please report it with the command");
    }
    if (!outcome) return print_error(outcome.error(), common);
    std::cout.flush();
    if (!std::cout)
      return print_error({"standard output", "cannot be written", "", Fault::environment}, common);
    return *outcome;
  }
  return exit_usage;
}

}  // namespace shakedown
