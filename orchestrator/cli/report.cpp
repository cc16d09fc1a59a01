#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/redacted_report.hpp"
#include "orchestrator/cli/text/next_step_text.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/formats/format.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown::command {
namespace {

struct ReportOptions {
  std::string campaign;
  std::string formats = "html,json";
  std::string output;
  std::string criteria;  ///< a new revision; empty: as they are
  std::string reason;    ///< for it
  bool redact = false;
};

/// Opens a new revision of the criteria where one was given.
Result<void> revise(const ReportOptions& options, const Workspace& workspace, const std::string& id,
                    const CommonOptions& common) {
  if (options.criteria.empty() && options.reason.empty()) return {};
  if (options.criteria.empty())
    return fail("--reason", "is the reason for other criteria, and none are given",
                "add --criteria F, or leave it out");
  if (trimmed(options.reason).empty())
    return fail("--criteria", "opens a new revision and needs its reason",
                "add --reason TEXT: it stands on the report's first page");
  const auto campaign = read_campaign_folder(workspace.campaign(id));
  if (!campaign) return failure_of(campaign);
  // What was accepted when it began: a later reference could be chosen by what it measured.
  const LastAccepted accepted =
      accepted_values(workspace, campaign->system, campaign->created_s, installed_layout());
  auto criteria = chosen_criteria(options.criteria, installed_layout(), accepted);
  if (!criteria) return failure_of(criteria);
  CriteriaRevision wanted;
  wanted.name = std::move(criteria->name);
  wanted.text = std::move(criteria->text);
  wanted.reason = trimmed(options.reason);
  const auto revision = revised_criteria(workspace, id, std::move(wanted));
  if (!revision) return failure_of(revision);
  if (common.quiet) return {};
  if (const std::optional<CriteriaRevision>& made = *revision)
    std::cerr << "criteria " << made->name << " are revision " << made->number << " of " << id << "\n";
  else
    std::cerr << "note: " << id << " is judged by these criteria already: no new revision\n";
  return {};
}

/// As `redacted_report`, with a note of what somebody must look at.
Result<Reported> without_names(const Workspace& workspace, const std::string& id,
                               const std::filesystem::path& folder, const std::vector<std::string>& formats) {
  auto report = redacted_report(workspace, id, folder, formats);
  if (!report) return failure_of(report);
  if (!report->doubtful.empty())
    std::cerr << "note: look whether these words are names where they still stand: "
              << joined(report->doubtful, ", ") << "\n";
  return std::move(report->reported);
}

Result<int> write_report(const ReportOptions& options, const CommonOptions& common) {
  std::vector<std::string> formats;
  for (const auto name : split(options.formats, ',')) formats.emplace_back(trimmed(name));
  for (const std::string& name : formats)  // a misspelt one is named before anything is looked for
    if (const auto known = report_format_named(name); !known) return failure_of(known);
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, options.campaign);
  if (!id) return failure_of(id);
  if (const Holder holder = campaign_holder(workspace.campaign(*id)); holder.pid != 0)
    return fail(*id,
                fmt::format("still runs (process {} on {}); it writes its report when it ends", holder.pid,
                            holder.host),
                fmt::format("`{}` shows how far it is", command_for("status", workspace.folder)));
  if (auto revised = revise(options, workspace, *id, common); !revised) return failure_of(revised);
  const auto own = options.redact ? workspace.campaign(*id) / redacted_folder : workspace.campaign(*id);
  const auto folder = options.output.empty() ? own : std::filesystem::path(options.output);
  const auto reported = options.redact
                            ? without_names(workspace, *id, folder, formats)
                            : reported_campaign(workspace, *id, installed_layout(), folder, formats);
  if (!reported) return failure_of(reported);
  if (!reported->verdict_stored && !common.quiet)
    std::cerr << "note: " << workspace.folder.string() << " " << reported->why_not_stored
              << ": the verdict is not stored there\n";
  if (common.json) {
    const Outcome& outcome = reported->outcome;
    const auto json = report_format_named("json");
    if (!json) return failure_of(json);
    const auto document = (*json)->render(
        {outcome.campaign, outcome.judgement, outcome.baseline ? &*outcome.baseline : nullptr});
    if (!document) return failure_of(document);
    std::cout << *document;
    return outcome.judgement.exit_code;
  }
  std::cout << verdict_text(reported->outcome);
  for (const auto& path : reported->written) std::cout << "wrote    " << path.string() << "\n";
  if (!common.quiet) {
    std::cout << std::flush;
    std::cerr << shown(next_step_text(reported->outcome, workspace.folder));
  }
  return reported->outcome.judgement.exit_code;
}

}  // namespace

extern const Command report;
const Command report = {
    .id = "report",
    .about = "judge a campaign again and write its report, from the store alone",
    .rank = 82,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<ReportOptions>();
      app.add_option("campaign", options->campaign, "id or its beginning (default: the newest)")
          ->type_name("CAMPAIGN");
      app.add_option("--format", options->formats, "formats, separated by commas (default: html,json)")
          ->type_name("LIST");
      app.add_option("-o,--output", options->output, "folder to write to (default: the campaign's)")
          ->type_name("DIR");
      app.add_option("--criteria", options->criteria,
                     "judge by these from now on: a file, or a shipped name; opens a revision beside the old")
          ->type_name("F|NAME");
      app.add_option("--reason", options->reason, "why the criteria change; stands on the first page")
          ->type_name("TEXT");
      app.add_flag(
          "--redact", options->redact,
          "without the names of nodes, users, paths, addresses and serial numbers; by default into the "
          "folder redacted/ of the campaign");
      app.footer("Example: shakedown report --format html -o /tmp/report");
      return [options, &common] { return write_report(*options, common); };
    },
};

}  // namespace shakedown::command
