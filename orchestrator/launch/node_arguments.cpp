#include "orchestrator/launch/node_arguments.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "orchestrator/core/layout.hpp"

namespace shakedown {
namespace {

/// The options that take a text.
constexpr std::pair<std::string_view, std::string NodeArguments::*> texts[] = {
    {"--host", &NodeArguments::host},
    {"--first", &NodeArguments::first},
    {"--launcher", &NodeArguments::launcher},
    {"--program", &NodeArguments::program},
};

using PhaseName = std::pair<std::string_view, NodeArguments::Phase>;
constexpr PhaseName phases[] = {{"before", NodeArguments::Phase::before},
                                {"after", NodeArguments::Phase::after},
                                {"around", NodeArguments::Phase::around}};

constexpr const char* usage =
    "node-state --folder DIR [--host HOST] [--first HOST] [--launcher FILE] [--program FILE] [--file "
    "FILE]... "
    "[--secret VARIABLE]... [--through WORD]... before|after|around";

std::string_view label(std::string_view host) {
  return host.substr(0, host.find('.'));
}

}  // namespace

Result<NodeArguments> node_arguments(const std::vector<std::string>& words) {
  NodeArguments arguments;
  std::size_t i = 0;
  for (; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    bool known = true;
    if (words[i] == "--folder")
      arguments.folder = value;
    else if (words[i] == "--through")
      arguments.through.push_back(value);
    else if (words[i] == "--file")
      arguments.files.push_back(value);
    else if (words[i] == "--secret")
      arguments.secrets.push_back(value);
    else
      known = false;
    for (const auto& [option, member] : texts)
      if (words[i] == option) {
        arguments.*member = value;
        known = true;
      }
    if (!known) return fail(words[i], "no such option", usage);
  }
  const auto phase =
      i < words.size() ? std::ranges::find(phases, words[i], &PhaseName::first) : std::end(phases);
  if (phase == std::end(phases)) return fail("", "before, after or around: the last word is missing", usage);
  if (arguments.folder.empty()) return fail("--folder", "is missing", usage);
  arguments.phase = phase->second;
  return arguments;
}

std::vector<std::string> direct_words(const NodeArguments& arguments) {
  std::vector<std::string> words = {"--folder", arguments.folder.string()};
  for (const auto& [option, member] : texts)
    if (!(arguments.*member).empty()) words.insert(words.end(), {std::string(option), arguments.*member});
  for (const std::string& file : arguments.files) words.insert(words.end(), {"--file", file});
  for (const std::string& variable : arguments.secrets) words.insert(words.end(), {"--secret", variable});
  words.emplace_back(arguments.phase == NodeArguments::Phase::after ? "after" : "before");
  return words;
}

std::string node_name() {
  const char* name = std::getenv("SLURMD_NODENAME");
  return name != nullptr && *name != '\0' ? name : host_name();
}

bool same_host(std::string_view a, std::string_view b) {
  const bool qualified = a.find('.') != std::string_view::npos && b.find('.') != std::string_view::npos;
  return qualified ? a == b : label(a) == label(b);
}

std::string file_name_of(std::string_view node) {
  std::string name(node);
  for (char& c : name)
    if (c == '/' || c == '\0') c = '_';
  return name;
}

}  // namespace shakedown
