#include "orchestrator/cli/comparison_page.hpp"

#include <algorithm>
#include <cctype>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/formats/format.hpp"
#include "reports/html/compare_page.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// A file name of what the campaign is compared with; outside the campaign's folder of both.
std::string page_name(const std::string& beside, const std::string& campaign) {
  std::string name = "compare-" + beside + (campaign.empty() ? "" : "-" + campaign) + ".html";
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '_';
  return name;
}

Result<ComparedSide> side_of(const Outcome& outcome) {
  const auto json = report_format_named("json");
  if (!json) return failure_of(json);
  const auto results =
      (*json)->render({outcome.campaign, outcome.judgement, outcome.baseline ? &*outcome.baseline : nullptr});
  if (!results) return failure_of(results);
  return ComparedSide{outcome.campaign, outcome.judgement, sha256(*results)};
}

Result<fs::path> written(const Result<std::string>& page, const PagePlace& place, const std::string& campaign,
                         const std::string& beside) {
  if (!page) return failure_of(page);
  const fs::path folder = place.folder.empty() ? place.workspace.campaign(campaign) : fs::path(place.folder);
  const std::string elsewhere = "choose another folder: -o DIR";
  if (auto made = make_folder(folder); !made) return failure_of(made, elsewhere);
  fs::path path = folder / page_name(beside, place.folder.empty() ? "" : campaign);
  if (auto put = write_file(path, *page); !put) return failure_of(put, elsewhere);
  return path;
}

}  // namespace

Result<fs::path> write_comparison_page(const ComparedCampaigns& compared, const PagePlace& place) {
  const Layout layout = installed_layout();
  const auto before = judged_campaign(place.workspace, compared.before, layout);
  if (!before) return failure_of(before);
  const auto after = judged_campaign(place.workspace, compared.after, layout);
  if (!after) return failure_of(after);
  const auto old = side_of(*before);
  if (!old) return failure_of(old);
  const auto fresh = side_of(*after);
  if (!fresh) return failure_of(fresh);
  return written(comparison_page(compared, *old, *fresh), place, compared.after, compared.before);
}

Result<fs::path> write_comparison_page(const std::vector<BaselineComparison>& rows, const Baseline& baseline,
                                       const Outcome& outcome, const PagePlace& place) {
  const auto side = side_of(outcome);
  if (!side) return failure_of(side);
  return written(comparison_page(rows, baseline, *side), place, outcome.campaign.record.id, baseline.name);
}

Result<void> check_comparison_format(const std::string& format, const std::string& folder) {
  const std::vector<std::string> known = {"text", "html"};
  if (std::ranges::find(known, format) == known.end())
    return fail("--format",
                fmt::format("no format of a comparison '{}'{}", format, did_you_mean(format, known)),
                "formats: " + joined(known, ", ") + "; --json prints the document for programs");
  if (!folder.empty() && format == "text")
    return fail("-o", "is the folder of a page, and none is asked for", "add --format html, or leave it out");
  return {};
}

}  // namespace shakedown
