#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/judge/judgement.hpp"

namespace shakedown {

/// The file of a scheduled check's folder that holds its verdict.
inline constexpr std::string_view check_verdict_file = "regression.json";

/// Writes a scheduled check's verdict into its campaign's folder, and its SHA-256 into the journal: `report`
/// and `accept` refuse a file that was changed.
Result<void> write_check_verdict(const std::filesystem::path& campaign_folder, const CheckVerdict& verdict);

/// What a verdict takes from the store's other campaigns.
struct OtherCampaigns {
  std::vector<EarlierCampaign> earlier;     ///< acceptance campaigns of the system, oldest first
  std::vector<std::string> history_faults;  ///< why some of them may be missing
  SystemSeries series;            ///< of the system; none where the nodes are too few to be compared
  std::vector<NodeEvent> events;  ///< of those nodes
  std::vector<AcceptedBefore>
      accepted{};  ///< of the system, before it began  NOLINT(readability-redundant-member-init)
  /// The campaign's own journal as it was before it was stored anew; none: as it is.
  std::optional<JournalRecord> journal{};  // NOLINT(readability-redundant-member-init)
};

/// A judged campaign with the record that it was judged on.
struct Outcome {
  MeasuredCampaign campaign;
  Judgement judgement;
  std::optional<Baseline> baseline;
  OtherCampaigns others{};  // NOLINT(readability-redundant-member-init)
};

/// A campaign's journal as it is, against the roots that the workspace's list noted of it. None: its folder
/// is elsewhere.
Result<std::optional<JournalRecord>> journal_record(const Workspace& workspace, const std::string& id);

/// Judges a campaign from the store alone, once that was compared with the campaign's folder. Fails
/// (environment) if the two differ; the record lists what is not in the folder (`compared`). `others`: what
/// the store's other campaigns say, where it does not hold them; null: as it has them.
Result<Outcome> judged_campaign(const Workspace& workspace, const std::string& id, const Layout& layout,
                                const OtherCampaigns* others = nullptr);

/// Notes a verdict in the workspace's list, with what the journal ends with.
Result<void> note_verdict(const Workspace& workspace, const Outcome& outcome);

/// Judges a campaign, stores the verdict where the workspace can be written, and writes the given formats
/// ("html", "json") into `folder`. Returns the outcome; `written` are the files' paths in the order of the
/// formats.
struct Reported {
  Outcome outcome;
  std::vector<std::filesystem::path> written;
  bool verdict_stored = true;
  std::string why_not_stored;  ///< "can only be read"; empty: it is
};
Result<Reported> reported_campaign(const Workspace& workspace, const std::string& id, const Layout& layout,
                                   const std::filesystem::path& folder,
                                   const std::vector<std::string>& formats);

/// What the results of a campaign prove together, by the rules of the suites that score sets: of all
/// attempts, since a run that failed counts among those that were made; but not of those set aside.
std::vector<SetScore> set_scores(const CampaignRecord& campaign,
                                 std::span<const RuleBook* const> books = rule_books());

/// Scores a stored campaign's sets again and stores the scores.
Result<void> store_set_scores(Database& database, const std::string& campaign);

}  // namespace shakedown
