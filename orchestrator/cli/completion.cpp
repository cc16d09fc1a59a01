#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/cli/application.hpp"
#include "orchestrator/cli/command.hpp"

namespace shakedown::command {
namespace {

/// Names of an app's subcommands and its options, as one line of words.
std::string words_of(const CLI::App& app) {
  std::string line;
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; }))
    line += subcommand->get_name() + " ";
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) line += "--" + name + " ";
    for (const std::string& name : option->get_snames()) line += "-" + name + " ";
  }
  if (!line.empty()) line.pop_back();
  return line;
}

/// A `case` branch for each command and, below it, its subcommands.
void add_branches(const CLI::App& app, const std::string& path, std::string& script) {
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string name = path.empty() ? subcommand->get_name() : path + " " + subcommand->get_name();
    add_branches(*subcommand, name, script);
    script += fmt::format("    \"{}\"*) words=\"{}\" ;;\n", name, words_of(*subcommand));
  }
}

std::string bash_script() {
  CLI::App app;
  app.name("shakedown");
  declare_commands(app);
  std::string branches;
  add_branches(app, "", branches);
  return fmt::format(R"sh(# bash completion for shakedown: source <(shakedown completion bash)
_shakedown() {{
  local words line="${{COMP_WORDS[*]:1:COMP_CWORD-1}}"
  case "$line" in
{}    *) words="{}" ;;
  esac
  local word="${{COMP_WORDS[COMP_CWORD]}}"
  case "$word" in
    -*) ;;
    *) words=$(printf '%s\n' $words | grep -v '^-') ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _shakedown shakedown
)sh",
                     branches, words_of(app));
}

}  // namespace

extern const Command completion;
const Command completion = {
    .id = "completion",
    .about = "completion script for bash or zsh",
    .rank = 140,
    .declare = [](CLI::App& app, const CommonOptions&) -> std::function<Result<int>()> {
      auto shell = std::make_shared<std::string>("bash");
      app.add_option("shell", *shell, "bash or zsh")
          ->check(CLI::IsMember({"bash", "zsh"}))
          ->type_name("SHELL");
      app.footer("Example: source <(shakedown completion bash)");
      return [shell]() -> Result<int> {
        if (*shell == "zsh") std::cout << "autoload -U +X bashcompinit && bashcompinit\n";
        std::cout << bash_script();
        return 0;
      };
    },
};

}  // namespace shakedown::command
