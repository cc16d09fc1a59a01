#include "orchestrator/campaign/outcome.hpp"

#include <algorithm>
#include <filesystem>
#include <future>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include "orchestrator/campaign/campaign_list.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/folder_files.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/journal_check.hpp"
#include "orchestrator/campaign/record_comparison.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/formats/format.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/overall.hpp"
#include "reports/measure/comparability.hpp"

namespace shakedown {
namespace {

VerdictRow verdict_row(const Judgement& judgement) {
  VerdictRow row{std::string(to_string(judgement.overall)), judgement.sentence, judgement.exit_code, {}};
  for (const CriterionResult& criterion : judgement.criteria)
    row.criteria.push_back(
        {criterion.id, criterion.metric, std::string(to_string(criterion.severity)),
         fmt::format("{}{}", to_string(criterion.verdict), criterion.waived ? ", waived" : ""), criterion.n,
         criterion.withheld ? std::nullopt : criterion.measured, criterion.limit, criterion.because});
  return row;
}

/// The verdict that a check came to, as its folder has it: that of the campaign.
Result<void> record_check_verdict(Judgement& judgement, const fs::path& folder) {
  std::error_code code;
  const fs::path file = folder / check_verdict_file;
  if (!fs::exists(file, code)) {
    judgement.sentence =
        "regression check undecided: it has no verdict yet; the next `shakedown regress` resumes it";
    return {};
  }
  const auto text = file_content(file);
  if (!text) return failure_of(text);
  const auto journal = read_journal(folder);
  if (!journal) return failure_of(journal);
  // No line: of an older version, or the orchestrator crashed just before it.
  if (const std::string& known = journal->verdict_sha256; !known.empty() && sha256(*text) != known)
    return fail_environment(file.string(), "is not the verdict that the scheduled check came to",
                            fmt::format("put back the file with SHA-256 {}", known));
  auto verdict = check_verdict_from_json(*text, file.string());
  if (!verdict) return failure_of(verdict);
  take_check_verdict(judgement, *std::move(verdict));
  return {};
}

/// The values of the campaign's nodes in earlier campaigns. Read only if there are enough nodes to compare
/// with each other.
Result<std::pair<SystemSeries, std::vector<NodeEvent>>> nodes_before(const Database& database,
                                                                     const MeasuredCampaign& campaign) {
  WantedMetrics wanted;
  for (const NodeScreen& screen : node_screens(campaign))
    if (screen.unjudged.empty()) wanted[screen.suite].push_back(screen.metric);
  if (wanted.empty()) return {};
  auto series = database.series_of(campaign.record.system, wanted);
  if (!series) return failure_of(series);
  auto events = database.node_events(campaign.record.system);
  if (!events) return failure_of(events);
  return std::pair(*std::move(series), *std::move(events));
}

/// The acceptance campaigns of the same system before one, by the times in the store.
std::vector<EarlierCampaign> stored_before(const std::vector<CampaignSummary>& newest_first,
                                           const Workspace& workspace, const CampaignRecord& campaign) {
  std::vector<EarlierCampaign> earlier;
  for (const CampaignSummary& each : newest_first | std::views::reverse) {
    if (each.system != campaign.system || each.kind != campaign.kind || each.id == campaign.id ||
        each.created_s > campaign.created_s ||
        (each.created_s == campaign.created_s && each.id > campaign.id))
      continue;
    const auto criteria = file_content(workspace.campaign(each.id) / "criteria.toml");
    const bool same = criteria && *criteria == campaign.criteria_text;
    earlier.push_back({each.id, each.sentence.substr(0, each.sentence.find(": ")), same});
  }
  return earlier;
}

/// How often the system was tried before, for who accepts.
Result<void> add_history(const Database& database, const Workspace& workspace, CampaignRecord& campaign) {
  if (campaign.kind != "acceptance") return {};
  const auto all = database.campaigns(CaseCounts::skip);
  if (!all) return failure_of(all);
  auto history = campaign_history(workspace, campaign, stored_before(*all, workspace, campaign));
  if (!history) return failure_of(history);
  campaign.earlier = std::move(history->earlier);
  auto others = other_systems_before(workspace, campaign, *all,
                                     [&](const std::string& id) { return database.planned_hosts(id); });
  if (!others) return failure_of(others);
  std::ranges::move(*others, std::back_inserter(campaign.earlier));
  campaign.history_faults = std::move(history->faults);
  return {};
}

/// The campaigns of the same system that were accepted before one began.
Result<std::vector<AcceptedBefore>> accepted_before(const Database& database,
                                                    const CampaignRecord& campaign) {
  std::vector<AcceptedBefore> history;
  auto all = database.acceptances(campaign.system);
  if (!all) return failure_of(all);
  for (AcceptedCampaign& each : *all) {
    if (each.at_s >= campaign.created_s || each.campaign == campaign.id) continue;
    AcceptedBefore before{.acceptance = std::move(each), .verdict = {}, .measured = {}};
    const auto verdict = database.verdict(before.acceptance.campaign);
    if (!verdict) return failure_of(verdict);
    if (const std::optional<VerdictRow>& row = *verdict) {
      before.verdict = row->sentence;
      for (const VerdictRow::Criterion& criterion : row->criteria)
        if (criterion.measured && criterion.metric != "validity" && criterion.severity == "mandatory")
          before.measured.push_back({criterion.id, criterion.metric, *criterion.measured});
    }
    history.push_back(std::move(before));
  }
  return history;
}

Result<Outcome> judged_from(const Database& database, const Workspace& workspace, const std::string& id,
                            const Layout& layout, const OtherCampaigns* others = nullptr) {
  // The journal and the files that it knows are hashed while the store is read.
  std::future<Result<std::optional<JournalRecord>>> journal;
  if (others == nullptr || !others->journal)
    journal = std::async(std::launch::async, [&] { return journal_record(workspace, id); });
  auto campaign = database.campaign(id);
  if (!campaign) return failure_of(campaign);
  campaign->breaches = commitment_breaches(*campaign, workspace.campaign(id), layout,
                                           others == nullptr ? Images::here : Images::elsewhere);
  auto compared = compared_record(*campaign, workspace.campaign(id), Hashing::all, /*with_excerpts=*/true);
  if (!compared) return failure_of(compared);
  if (compared->differs()) return tl::unexpected<Error>(compared->failure(id));
  campaign->compared = std::move(compared->comparison);
  if (others != nullptr) {
    campaign->earlier = others->earlier;
    campaign->history_faults = others->history_faults;
  } else if (auto added = add_history(database, workspace, *campaign); !added) {
    return failure_of(added);
  }
  campaign->first_known =
      campaign->kind == "acceptance" && campaign->earlier.empty() && campaign->history_faults.empty();
  if (journal.valid()) {
    auto read = journal.get();
    if (!read) return failure_of(read);
    campaign->journal = *std::move(read);
  } else {
    campaign->journal = others->journal;
  }
  // The store has no configuration: its folder has, and the commitment shows whether it was changed since.
  if (campaign->kind == "acceptance")
    if (auto config = file_content(workspace.campaign(id) / "acceptance.toml"))
      campaign->config_text = *std::move(config);
  const auto comparability = file_content(layout.share / "comparability.toml");
  if (!comparability) return failure_of(comparability);
  const auto table = read_comparability(*comparability, "comparability.toml");
  if (!table) return failure_of(table);
  auto measured = without_disturbed(*std::move(campaign), *table);
  if (!measured) return failure_of(measured);
  Outcome outcome{.campaign = *std::move(measured), .judgement = {}, .baseline = {}, .others = {}};
  outcome.campaign.record.set_scores =
      set_scores(outcome.campaign.record);  // of results that were compared, not as stored
  const CampaignRecord& record = outcome.campaign.record;
  if (!record.baseline_name.empty()) {
    auto baseline =
        read_baseline(campaign_baseline(workspace.campaign(id), record.baseline_name, layout.share));
    if (!baseline) return failure_of(baseline);
    outcome.baseline = std::move(*baseline);
  }
  if (others != nullptr) {
    outcome.others = *others;
  } else {
    auto before = nodes_before(database, outcome.campaign);
    if (!before) return failure_of(before);
    auto accepted = accepted_before(database, record);
    if (!accepted) return failure_of(accepted);
    outcome.others = {.earlier = record.earlier,
                      .history_faults = record.history_faults,
                      .series = std::move(before->first),
                      .events = std::move(before->second),
                      .accepted = *std::move(accepted)};
  }
  auto judgement = judge(outcome.campaign, outcome.baseline ? &*outcome.baseline : nullptr, *comparability,
                         {&outcome.others.series, outcome.others.events});
  if (!judgement) return failure_of(judgement);
  outcome.judgement = std::move(*judgement);
  outcome.judgement.history = outcome.others.accepted;
  if (record.kind == regression_kind)
    if (auto put = record_check_verdict(outcome.judgement, workspace.campaign(id)); !put)
      return failure_of(put);
  return outcome;
}

}  // namespace

Result<std::optional<JournalRecord>> journal_record(const Workspace& workspace, const std::string& id) {
  const fs::path folder = workspace.campaign(id);
  std::error_code code;
  if (!fs::exists(folder, code)) return std::nullopt;
  auto check = check_journal(folder);
  if (!check) return failure_of(check);
  JournalRecord record{check->lines, check->first_root, check->last_root, {}, {}};
  for (JournalFinding& each : check->findings) record.faults.push_back(std::move(each.sentence));
  for (std::string& each : check_known_hashes(folder).faults) record.faults.push_back(std::move(each));
  for (JournalFinding& each : check->remarks) record.remarks.push_back(std::move(each.sentence));
  const auto list = read_campaign_list(workspace);
  if (!list) return failure_of(list);
  if (const ListedCampaign* listed = list->find(id))
    for (const ListedVerdict& verdict : listed->verdicts) {
      const auto line = journal_root(folder, verdict.last_root);
      if (line && *line) continue;
      record.faults.push_back(
          fmt::format("the journal no longer has the line that it ended with when the verdict was \"{}\": {}",
                      verdict.words, in_groups(verdict.last_root)));
      break;
    }
  return record;
}

Result<void> write_check_verdict(const fs::path& campaign_folder, const CheckVerdict& verdict) {
  const std::string text = check_verdict_json(verdict);
  if (auto written = write_file(campaign_folder / check_verdict_file, text, Durability::power_loss); !written)
    return written;
  auto journal = Journal::open(campaign_folder);
  if (!journal) return failure_of(journal);
  return journal->judged(sha256(text));
}

Result<Outcome> judged_campaign(const Workspace& workspace, const std::string& id, const Layout& layout,
                                const OtherCampaigns* others) {
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database);
  return judged_from(*database, workspace, id, layout, others);
}

Result<void> note_verdict(const Workspace& workspace, const Outcome& outcome) {
  const CampaignRecord& campaign = outcome.campaign.record;
  if (!campaign.journal) return {};
  const Judgement& judgement = outcome.judgement;
  return list_verdict(workspace, campaign.id,
                      {judgement.sentence.substr(0, judgement.sentence.find(": ")), judgement.exit_code,
                       campaign.journal->last_root});
}

Result<Reported> reported_campaign(const Workspace& workspace, const std::string& id, const Layout& layout,
                                   const fs::path& folder, const std::vector<std::string>& formats) {
  auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database);
  auto outcome = judged_from(*database, workspace, id, layout);
  if (!outcome) return failure_of(outcome);
  Reported reported{std::move(*outcome), {}, !database->read_only(), database->why_read_only()};
  if (reported.verdict_stored)
    if (auto put = database->record_verdict(id, verdict_row(reported.outcome.judgement)); !put)
      return failure_of(put);
  if (reported.verdict_stored)
    if (auto noted = note_verdict(workspace, reported.outcome); !noted) return failure_of(noted);
  const std::string elsewhere =
      "choose another folder: `" + command_for("report " + id + " -o DIR", workspace.folder) + "`";
  if (auto made = make_folder(folder); !made) return failure_of(made, elsewhere);
  const Outcome& judged = reported.outcome;
  const ReportSource source(judged.campaign, judged.judgement, judged.baseline ? &*judged.baseline : nullptr,
                            workspace.folder);
  for (const std::string& name : formats) {
    const auto format = report_format_named(name);
    if (!format) return failure_of(format);
    const auto text = (*format)->render(source);
    if (!text) return failure_of(text);
    const fs::path path = folder / (*format)->file_name;
    if (auto written = write_file(path, *text); !written) return failure_of(written, elsewhere);
    reported.written.push_back(path);
  }
  return reported;
}

namespace {

namespace fs = std::filesystem;

/// The log of a result: where it came from, or its path below the campaign's folder.
std::string log_of(const Case& planned, const AttemptRecord& attempt, const ResultRecord& result) {
  if (!planned.origin.empty()) return planned.origin;
  return (fs::path(attempt.run_folder) / result.file).string();
}

/// The first of the cases that repeat each other, whose runs make one set. Nothing for runs made elsewhere:
/// their files show the set.
std::string set_of(const CampaignRecord& campaign, const Case& planned) {
  if (!planned.origin.empty()) return "";
  const auto key = [](const Case& each) {
    return std::tie(each.suite, each.implementation, each.benchmark, each.nodes, each.stage, each.bound);
  };
  const auto first = std::ranges::find_if(campaign.cases, [&](const CaseRecord& record) {
    const Case& other = record.planned;
    return other.origin.empty() && key(other) == key(planned) &&
           (!planned.bound || other.hosts == planned.hosts);
  });
  return first == campaign.cases.end() ? planned.id : first->planned.id;
}

}  // namespace

std::vector<SetScore> set_scores(const CampaignRecord& campaign, std::span<const RuleBook* const> books) {
  std::vector<SetScore> scores;
  for (const RuleBook* book : books) {
    if (book->score == nullptr) continue;
    std::multimap<std::string, FileResult>
        found;  // as a folder gives them, in whatever order they were stored
    for (const CaseRecord& record : campaign.cases)
      for (const AttemptRecord& attempt : record.attempts)
        for (const ResultRecord& result : attempt.results)
          if (result.parsed.suite == book->suite && !record.planned.confirms &&
              attempt.state != AttemptState::not_started && attempt.set_aside.empty()) {
            const std::string log = log_of(record.planned, attempt, result);
            found.emplace(
                log,
                FileResult{.file = log, .result = result.parsed, .set = set_of(campaign, record.planned)});
          }
    if (found.empty()) continue;
    std::vector<FileResult> results;
    for (auto& [file, result] : found) results.push_back(std::move(result));
    for (SetScore& score : book->score(results)) scores.push_back(std::move(score));
  }
  return scores;
}

Result<void> store_set_scores(Database& database, const std::string& campaign) {
  const auto books = rule_books();
  const auto suites = database.result_suites(campaign);
  if (!suites) return failure_of(suites);
  if (std::ranges::none_of(books, [&](const RuleBook* book) {
        return book->score != nullptr && std::ranges::find(*suites, book->suite) != suites->end();
      }))
    return database.record_set_scores(campaign, {});
  const auto record = database.campaign(campaign);
  if (!record) return failure_of(record);
  return database.record_set_scores(campaign, set_scores(*record));
}

}  // namespace shakedown
