#include "orchestrator/campaign/rebuilt_campaign.hpp"

#include <algorithm>

#include "orchestrator/campaign/bundle.hpp"
#include "orchestrator/campaign/bundle_extract.hpp"
#include "orchestrator/campaign/campaign_list.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/restore.hpp"
#include "orchestrator/campaign/run_files.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/file.hpp"
#include "reports/formats/format.hpp"

namespace shakedown {
namespace {

Result<std::string> rendered_as(std::string_view id, const Outcome& outcome) {
  const auto format = report_format_named(id);
  if (!format) return failure_of(format);
  return (*format)->render(
      {outcome.campaign, outcome.judgement, outcome.baseline ? &*outcome.baseline : nullptr});
}

/// The bundle's shipped tables that are not those of this installation.
std::vector<std::string> other_tables(const fs::path& folder, const fs::path& share) {
  std::vector<std::string> others;
  std::error_code code;
  auto it = fs::recursive_directory_iterator(folder / "share", code);
  for (; !code && it != fs::recursive_directory_iterator(); it.increment(code)) {
    if (!it->is_regular_file()) continue;
    const auto theirs = file_content(it->path());
    const auto ours = file_content(share / it->path().lexically_relative(folder / "share"));
    if (!theirs || !ours || *theirs != *ours)
      others.push_back(it->path().lexically_relative(folder).string() + " is not the one");
  }
  std::ranges::sort(others);
  return others;
}

/// An attempt as it was stored while its secrets were known: with the texts that the bundle has in the place
/// of those that can't be masked alike now. A text that is another one but for its masks is not taken.
AttemptRecord as_masked(AttemptRecord attempt, const MaskedTexts& masked, const fs::path& campaign) {
  std::size_t place = 0;
  each_quoted_text(attempt, [&](std::string& text, bool /*sentence*/) {
    const auto saved = masked.texts.find(place++);
    if (saved != masked.texts.end() && same_but_for_masks(saved->second, text)) text = saved->second;
  });
  const auto plain = run_files(campaign / attempt.run_folder);
  for (FileRecord& file : attempt.files) {
    const auto saved = masked.excerpts.find(file.name);
    if (saved == masked.excerpts.end()) continue;
    const auto log = std::ranges::find(plain, file.name, &FileRecord::name);
    // Where a mask is shorter than what it hides, a long file is cut elsewhere.
    const bool cut = saved->second.find(" lines omitted: see the file ...]") != std::string::npos;
    if (cut || (log != plain.end() && same_but_for_masks(saved->second, log->excerpt)))
      file.excerpt = saved->second;
  }
  return attempt;
}

/// Stores attempts as they were stored first where the journal's hashes show that they are these.
Result<void> put_masked(const Workspace& workspace, const std::string& id, const JournalContent& bundled) {
  const auto text = file_content(workspace.folder / bundled_store);
  const auto masked = masked_texts(text ? *text : "");
  if (masked.empty()) return {};
  auto database = Database::open(workspace.database());
  if (!database) return failure_of(database);
  const auto campaign = database->campaign(id);
  if (!campaign) return failure_of(campaign);
  const fs::path folder = workspace.campaign(id);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  for (const CaseRecord& record : campaign->cases)
    for (const AttemptRecord& attempt : record.attempts) {
      const std::pair key{record.planned.id, attempt.index};
      const auto texts = masked.find(key);
      const auto line = bundled.collected.find(key);
      if (texts == masked.end() || line == bundled.collected.end()) continue;
      const AttemptRecord then = as_masked(attempt, texts->second, folder);
      if (record_hash(then) != line->second.stored) continue;
      if (auto put = database->record_attempt(id, record.planned.id, then); !put) return put;
      if (auto noted = journal_stored(*journal, *database, id, record.planned, then, folder); !noted)
        return noted;
    }
  return {};
}

}  // namespace

Result<RebuiltCampaign> rebuilt_campaign(const fs::path& folder, const std::string& id,
                                         const Layout& layout) {
  const Workspace workspace{folder};
  const fs::path campaign = workspace.campaign(id);
  // Before anything is stored: that journals what it stores.
  const auto journal = read_journal(campaign);
  if (!journal) return failure_of(journal);
  const auto there = read_campaign_folder(campaign);
  if (!there) return failure_of(there);
  if (there->id != id) return fail("campaign.json", "names another campaign than the manifest: " + there->id);
  const auto text = file_content(folder / bundled_others);
  if (!text) return failure_of(text);
  auto others = others_from_json(*text, std::string(bundled_others));
  if (!others) return failure_of(others);

  auto other_history = history_differences(workspace, *there, {others->earlier, others->history_faults});
  if (!other_history) return failure_of(other_history);

  // Storing it may journal: a version that reads a log otherwise, or texts that can't be masked here.
  auto as_bundled = journal_record(workspace, id);
  if (!as_bundled) return failure_of(as_bundled);
  others->journal = *std::move(as_bundled);

  Layout theirs = layout;
  theirs.share = folder / "share";
  if (const auto restored = restored_campaign(workspace, id, theirs); !restored) return failure_of(restored);
  if (auto put = put_masked(workspace, id, *journal); !put) return failure_of(put);
  auto outcome = judged_campaign(workspace, id, theirs, &*others);
  if (!outcome) return failure_of(outcome);
  RebuiltCampaign rebuilt{.outcome = *std::move(outcome),
                          .results = {},
                          .report = {},
                          .store = {},
                          .other_records = {},
                          .other_history = *std::move(other_history),
                          .other_data = other_tables(folder, layout.share)};
  for (const CaseRecord& record : rebuilt.outcome.campaign.record.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      const auto line = journal->collected.find({record.planned.id, attempt.index});
      if (line == journal->collected.end() || line->second.stored.record.empty()) continue;
      if (const std::string& now = attempt.stored.record; now != line->second.stored.record)
        rebuilt.other_records.emplace_back(fmt::format("{}, attempt {}", record.planned.id, attempt.index),
                                           fmt::format("its rows have SHA-256 {}, and the journal states {}",
                                                       now, line->second.stored.record));
    }
  auto results = rendered_as("json", rebuilt.outcome);
  if (!results) return failure_of(results);
  auto report = rendered_as("html", rebuilt.outcome);
  if (!report) return failure_of(report);
  rebuilt.results = *std::move(results);
  rebuilt.report = *std::move(report);
  rebuilt.store = store_lines(rebuilt.outcome.campaign.record);
  return rebuilt;
}

}  // namespace shakedown
