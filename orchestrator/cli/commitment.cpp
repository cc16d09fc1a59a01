#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/journal_check.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown::command {
namespace {

struct CommitmentOptions {
  std::vector<std::string> words;  ///< the root, in groups or whole; then the campaign
};

constexpr std::size_t fewest_digits = 16;
constexpr std::size_t all_digits = 64;

bool is_digits(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// Groups of digits up to the first word that is none; what is left names the campaign.
struct Wanted {
  std::string digits;
  std::string campaign;
};
Result<Wanted> wanted_of(const std::vector<std::string>& words) {
  Wanted wanted;
  for (const std::string& each : words)
    for (const std::string_view word : shakedown::words(each)) {
      const bool more = wanted.campaign.empty() && wanted.digits.size() < all_digits;
      if (more && is_digits(word))
        wanted.digits += lower(word);
      else if (wanted.campaign.empty())
        wanted.campaign = word;
      else
        return fail("commitment check", fmt::format("'{}' is one word too many", word),
                    "give the root's digits, with or without blanks, then at most one campaign");
    }
  if (wanted.digits.size() < fewest_digits || wanted.digits.size() > all_digits)
    return fail(
        "commitment check",
        fmt::format("a root has {} hexadecimal digits, and here are {}", all_digits, wanted.digits.size()),
        fmt::format("give at least its first {}: shakedown commitment check \"1751017f 107626e8\"",
                    fewest_digits));
  return wanted;
}

/// "first root", or the line that it is of and what followed.
std::string root_text(const JournalRoot& root) {
  if (root.first)
    return fmt::format("the first root: the commitment, noted before the first run ({}); {} line{} followed",
                       root.at, root.lines_after, root.lines_after == 1 ? "" : "s");
  return fmt::format("the root at line {} of the journal ({}, {}); {}", root.line, root.event, root.at,
                     root.lines_after == 0   ? "it is the last line"
                     : root.lines_after == 1 ? "1 line followed"
                                             : fmt::format("{} lines followed", root.lines_after));
}

/// The journal must be whole up to where a root is taken from it; else the root proves nothing.
Result<int> check_root(const CommitmentOptions& options, const CommonOptions& common) {
  const auto wanted = wanted_of(options.words);
  if (!wanted) return failure_of(wanted);
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, wanted->campaign);
  if (!id) return failure_of(id);
  const auto folder = workspace.campaign(*id);
  const auto found = journal_root(folder, wanted->digits);
  if (!found) return failure_of(found);
  const auto whole = check_journal(folder);
  if (!whole) return failure_of(whole);
  const std::optional<JournalRoot>& root = *found;
  const bool good = root && whole->findings.empty();
  if (common.json) {
    nlohmann::ordered_json document = {{"schema", "shakedown.commitment-check/1"}, {"campaign", *id}};
    document["found"] = root.has_value();
    if (root) {
      document["root"] = root->sha256;
      document["first"] = root->first;
      document["line"] = root->line;
      document["event"] = root->event;
      document["t"] = root->at;
      document["lines_after"] = root->lines_after;
    }
    document["faults"] = nlohmann::ordered_json::array();
    for (const JournalFinding& each : whole->findings) document["faults"].push_back(each.sentence);
    std::cout << document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    return good ? 0 : 1;
  }
  if (root)
    std::cout << fmt::format("{} is of {}: {}\n", in_groups(root->sha256), *id, root_text(*root));
  else
    std::cout << fmt::format(
        "{} is not of {}: neither its commitment nor a line of its journal has this root\n",
        in_groups(wanted->digits), *id);
  for (const JournalFinding& each : whole->findings)
    std::cout << fmt::format("  ! the journal is not whole: {}\n", each.sentence);
  return good ? 0 : 1;
}

}  // namespace

extern const Command commitment;
const Command commitment = {
    .id = "commitment",
    .about = "whether a root that somebody noted is of a campaign, and what happened since",
    .rank = 84,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<CommitmentOptions>();
      app.require_subcommand(1);
      CLI::App* checking = app.add_subcommand(
          "check",
          "compare a noted root with a campaign; exit 1 where it is none of its roots, or the journal "
          "is not whole");
      checking->fallthrough();
      checking
          ->add_option(
              "root", options->words,
              "its 64 digits, or at least the first 16, blanks between them; then the campaign's id or "
              "its beginning (default: the newest)")
          ->type_name("ROOT [CAMPAIGN]")
          ->required();
      for (CLI::App* each : {&app, checking})
        each->footer("Example: shakedown commitment check \"1751017f 107626e8 2d492292\"");
      return [options, &common] { return check_root(*options, common); };
    },
};

}  // namespace shakedown::command
