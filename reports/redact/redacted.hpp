#pragma once
#include <optional>
#include <set>
#include <string>

#include "reports/formats/format.hpp"
#include "reports/judge/judgement.hpp"
#include "reports/measure/measured_campaign.hpp"
#include "reports/redact/redactor.hpp"

namespace shakedown {

/// A judged campaign without the names of its site.
struct RedactedCampaign {
  MeasuredCampaign campaign;
  Judgement judgement;
  std::optional<Baseline> baseline;
  Redactor redactor;  ///< that knows the names: to check what is rendered, never to be written
};

/// A judged campaign with its names replaced: of nodes, users, people, parties, the system, partitions,
/// accounts, paths, addresses, serial numbers and UUIDs, in every text of it, log excerpts included. The
/// campaign is not judged again: verdicts and numbers are those of the original, and so are the hashes. The
/// same campaign gives the same replacements. `results_sha256` is that of its own results.json; the legend
/// states it. A baseline that is shipped stays as it is: it is published.
RedactedCampaign redacted(const MeasuredCampaign& campaign, const Judgement& judgement,
                          const Baseline* baseline, std::string results_sha256);

/// A format of a redacted campaign; adds names of which it is not certain that they stand in it to
/// `doubtful`. Fails if a name that is known still does.
Result<std::string> rendered_redacted(const ReportFormat& format, const RedactedCampaign& redacted,
                                      std::set<std::string>& doubtful);

/// The names of a campaign: those that its inventory, plan, attempts and configuration state.
Redactor names_of(const CampaignRecord& campaign);

}  // namespace shakedown
