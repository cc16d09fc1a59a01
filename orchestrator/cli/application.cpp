#include "orchestrator/cli/application.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
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
  app.add_option("-w,--workspace", common.workspace,
                 fmt::format("folder of the database and all campaigns (default: {})", default_workspace))
      ->type_name("DIR")
      ->group(group);
  app.add_flag("--json", common.json, "print one JSON document and nothing else")->group(group);
  app.add_option("--color", common.color, "colours: auto, always or never (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("WHEN")
      ->group(group);
  app.add_option("--progress", common.progress, "progress: auto, bar, plain or none (default: auto)")
      ->check(CLI::IsMember({"auto", "bar", "plain", "none"}).description(""))
      ->type_name("HOW")
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

/// The heading of the list of commands under which a command is.
std::string heading_of(int rank) {
  struct Heading {
    int below;  ///< this rank
    const char* title;
  };
  static constexpr std::array<Heading, 5> headings = {{{30, "Begin"},
                                                       {40, "Before the first run"},
                                                       {80, "Run"},
                                                       {90, "Logs, results, reports"},
                                                       {100, "After acceptance"}}};
  for (const Heading& each : headings)
    if (rank < each.below) return each.title;
  return "More";
}

/// A command's declaration: its subcommand and, once its options are declared, what runs it.
struct Declared {
  const Command* command;
  CLI::App* app;
  std::function<Result<int>()> run;
};

void declare_options(Declared& declared, CommonOptions& common) {
  declared.run = declared.command->declare(*declared.app, common);
  add_common_options(*declared.app, common);
}

/// Declares the program's options and the names of its commands, without their options.
std::vector<Declared> declare(CLI::App& app, CommonOptions& common) {
  app.description("shakedown: from \"the hardware changed\" to a verdict that can be signed");
  app.footer(
      "Example:\n  shakedown quick              measure this machine in a minute and write a report\n"
      "  shakedown help COMMAND       all options of a command, with an example");
  app.set_help_flag("-h,--help", "print this help and exit")->group("Common options");
  app.set_version_flag("-V,--version", fmt::format("shakedown {}", tool_version),
                       "print the version and exit")
      ->group("Common options");
  app.require_subcommand(1);
  app.get_formatter()->column_width(22);
  add_common_options(app, common);
  std::vector<Declared> declared;
  for (const Command* command : ordered_commands()) {
    CLI::App* subcommand = app.add_subcommand(std::string(command->id), std::string(command->about));
    subcommand->get_formatter()->column_width(34);
    subcommand->group(heading_of(command->rank));
    declared.push_back({command, subcommand, {}});
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

/// The command that the words name, as far as they name one: the program, "inventory", "inventory discover".
const CLI::App& named_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* found = &app;
  for (int i = 1; i < argc; ++i)
    for (const CLI::App* below :
         found->get_subcommands([&](const CLI::App* each) { return each->get_name() == argv[i]; }))
      found = below;
  return *found;
}

/// "did you mean" for an option: the one that begins so ("--pub"), else the nearest.
std::string meant_option(const std::string& given, const std::vector<std::string>& names) {
  constexpr std::size_t telling = 4;  // "--p" begins too many
  std::vector<std::string> longer;
  for (const std::string& each : names)
    if (given.size() > telling && each.starts_with(given)) longer.push_back(each);
  return longer.size() == 1 ? fmt::format(" (did you mean '{}'?)", longer.front())
                            : did_you_mean(given, names);
}

/// "did you mean" for an option that the command does not have.
std::string misspelled_option(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* each = &named_command(app, argc, argv); each != nullptr; each = each->get_parent())
    for (const CLI::Option* option : each->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") break;
    const std::string name(word.substr(0, word.find('=')));
    if (name.starts_with("--") && std::ranges::find(names, name) == names.end())
      return fmt::format("no option '{}'{}", name, meant_option(name, names));
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
  for (Declared& each : declare(app, unused)) declare_options(each, unused);
}

int run_application(int argc, char** argv) {
  const PrintableStreams printable;
  CommonOptions common;
  CLI::App app;
  app.name("shakedown");
  // "help run" is "run --help".
  std::vector<char*> words(argv, argv + argc);
  static char help[] = "--help";
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.push_back(help);
    if (const std::string misspelled = misspelled_command(static_cast<int>(words.size()), words.data());
        !misspelled.empty()) {
      std::cerr << "error: " << misspelled << "\nhint: shakedown --help shows what there is\n";
      return exit_usage;
    }
  }
  argc = static_cast<int>(words.size());
  argv = words.data();
  std::vector<Declared> declared = declare(app, common);
  // The options of commands that a word names, not of all: all of them take a millisecond of each start.
  for (Declared& each : declared)
    if (std::ranges::find(words, each.command->id) != words.end()) declare_options(each, common);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    std::string misspelled = misspelled_command(argc, argv);
    const bool known = misspelled.empty();
    if (known) misspelled = misspelled_option(app, argc, argv);
    std::string command;
    if (known)  // "inventory diff ", from the inside out
      for (const CLI::App* named = &named_command(app, argc, argv); named != &app;
           named = named->get_parent())
        command.insert(0, named->get_display_name() + " ");
    command.insert(0, "shakedown ");
    std::cerr << "error: " << (misspelled.empty() ? error.what() : misspelled) << "\n"
              << "hint: " << command << "--help shows what there is\n";
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
