#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/cli/application.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/completion_values.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/text.hpp"

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

/// The kind of values that an option or argument takes; null: none is known.
const ValueKind* kind_taken_by(std::string_view name) {
  for (const ValueKind& kind : value_kinds())
    if (kind.is_taken_by(name)) return &kind;
  return nullptr;
}

/// What completes an app's arguments: the kind of values that its first one takes.
std::string arguments_of(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional())
      if (const ValueKind* kind = kind_taken_by(option->get_name(true))) return std::string(kind->id);
  return "";
}

/// A `case` branch for each command and, below it, its subcommands.
void add_branches(const CLI::App& app, const std::string& path, std::string& script) {
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string name = path.empty() ? subcommand->get_name() : path + " " + subcommand->get_name();
    add_branches(*subcommand, name, script);
    script += fmt::format("    \"{0}\"|\"{0} \"*) words=\"{1}\" kind={2} ;;\n", name, words_of(*subcommand),
                          arguments_of(*subcommand));
  }
}

/// A `case` branch for each kind of values, by the options that take it; and one for what takes a file, too.
std::string branches_of_values() {
  std::string script;
  for (const ValueKind& kind : value_kinds()) {
    std::vector<std::string> options;
    for (const std::string_view taker : words(kind.takers))
      if (taker.starts_with('-')) options.emplace_back(taker);
    if (!options.empty()) script += fmt::format("    {}) kind={} words= ;;\n", joined(options, "|"), kind.id);
  }
  return script;
}

std::string kinds_with_files() {
  std::vector<std::string> ids;
  for (const ValueKind& kind : value_kinds())
    if (kind.or_file) ids.emplace_back(kind.id);
  return joined(ids, "|");
}

std::string bash_script() {
  CLI::App app;
  app.name("shakedown");
  declare_commands(app);
  std::string branches;
  add_branches(app, "", branches);
  return fmt::format(R"sh(# bash completion for shakedown: source <(shakedown completion bash)
_shakedown() {{
  local words kind= line="${{COMP_WORDS[*]:1:COMP_CWORD-1}}" word="${{COMP_WORDS[COMP_CWORD]}}"
  local workspace=() i
  case "$line" in
{}    *) words="{}" ;;
  esac
  case "${{COMP_WORDS[COMP_CWORD-1]}}" in
{}  esac
  case "$word" in
    -*) kind= ;;
    *) words=$(printf '%s\n' $words | grep -v '^-') ;;
  esac
  if [ -n "$kind" ]; then
    for ((i = 1; i < COMP_CWORD; i++)); do
      case "${{COMP_WORDS[i]}}" in -w|--workspace) workspace=(-w "${{COMP_WORDS[i+1]}}") ;; esac
    done
    words="$words $("${{COMP_WORDS[0]}}" completion --values "$kind" "${{workspace[@]}}" 2>/dev/null)"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case "$kind" in
    {}) COMPREPLY+=($(compgen -f -- "$word")) ;;
  esac
}}
complete -o default -F _shakedown shakedown
)sh",
                     branches, words_of(app), branches_of_values(), kinds_with_files());
}

/// The values of a kind, one a line, for the script.
Result<int> print_values(const std::string& wanted, const CommonOptions& common) {
  for (const ValueKind& kind : value_kinds())
    if (kind.id == wanted)
      for (const std::string& value : kind.values(common.workspace)) std::cout << shown(value) << "\n";
  return 0;
}

}  // namespace

extern const Command completion;
const Command completion = {
    .id = "completion",
    .about = "completion script for bash or zsh",
    .rank = 140,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto shell = std::make_shared<std::string>("bash");
      app.add_option("shell", *shell, "bash or zsh")
          ->check(CLI::IsMember({"bash", "zsh"}))
          ->type_name("SHELL");
      app.footer("Example: source <(shakedown completion bash)");
      auto values = std::make_shared<std::string>();
      app.add_option("--values", *values, "values of a kind, for the script")->group("");  // not for people
      return [shell, values, &common]() -> Result<int> {
        if (!values->empty()) return print_values(*values, common);
        if (*shell == "zsh") std::cout << "autoload -U +X bashcompinit && bashcompinit\n";
        std::cout << bash_script();
        return 0;
      };
    },
};

}  // namespace shakedown::command
