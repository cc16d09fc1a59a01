#include "orchestrator/campaign/rebuilt_campaign.hpp"

#include <algorithm>

#include "orchestrator/campaign/bundle.hpp"
#include "orchestrator/campaign/bundle_extract.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/restore.hpp"
#include "orchestrator/core/file.hpp"
#include "reports/formats/format.hpp"

namespace shakedown {
namespace {

Result<std::string> rendered_as(std::string_view id, const Outcome& outcome) {
  const auto format = report_format_named(id);
  if (!format) return failure_of(format);
  return (*format)->render(outcome.campaign, outcome.judgement,
                           outcome.baseline ? &*outcome.baseline : nullptr);
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

  // Storing it may journal: a version that reads a log otherwise, or texts that can't be masked here.
  auto as_bundled = journal_record(workspace, id);
  if (!as_bundled) return failure_of(as_bundled);
  others->journal = *std::move(as_bundled);

  Layout theirs = layout;
  theirs.share = folder / "share";
  if (const auto restored = restored_campaign(workspace, id, theirs); !restored) return failure_of(restored);
  auto outcome = judged_campaign(workspace, id, theirs, &*others);
  if (!outcome) return failure_of(outcome);
  RebuiltCampaign rebuilt{.outcome = *std::move(outcome),
                          .results = {},
                          .report = {},
                          .store = {},
                          .other_records = {},
                          .other_data = other_tables(folder, layout.share)};
  for (const CaseRecord& record : rebuilt.outcome.campaign.record.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      const auto line = journal->collected.find({record.planned.id, attempt.index});
      if (line == journal->collected.end() || line->second.stored.record.empty()) continue;
      if (const std::string now = record_sha256(attempt); now != line->second.stored.record)
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
