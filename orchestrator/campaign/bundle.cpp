#include "orchestrator/campaign/bundle.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/bundle_extract.hpp"
#include "orchestrator/campaign/bundled_folder.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/redacted_bundle.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/version.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/evidence/bundle_file.hpp"
#include "reports/evidence/timestamp.hpp"
#include "reports/formats/format.hpp"

namespace shakedown {
namespace {

/// Adds the report in a format, as it is judged now.
Result<void> add_report(std::vector<BundledFile>& files, std::string_view path, std::string_view format,
                        const Outcome& outcome) {
  const auto known = report_formats();
  const auto it = std::ranges::find(known, format, &ReportFormat::id);
  if (it == known.end()) return fail(std::string(format), "is no report format");
  auto text =
      (*it)->render({outcome.campaign, outcome.judgement, outcome.baseline ? &*outcome.baseline : nullptr});
  if (!text) return failure_of(text);
  files.push_back({std::string(path), *std::move(text)});
  return {};
}

/// Adds what the verdict takes from the installation.
Result<void> add_shipped(std::vector<BundledFile>& files, const CampaignRecord& campaign,
                         const fs::path& campaign_folder, const Layout& layout) {
  auto table = file_content(layout.share / "comparability.toml");
  if (!table) return failure_of(table);
  files.push_back({std::string(bundled_comparability), *std::move(table)});
  const std::string& name = campaign.baseline_name;
  if (name.empty()) return {};
  const fs::path file = campaign_baseline(campaign_folder, name, layout.share);
  if (file.parent_path() == campaign_folder) return {};  // it is among the campaign's files
  auto text = file_content(file);
  if (!text) return failure_of(text);
  files.push_back({fmt::format("{}/{}.toml", bundled_baselines, name), *std::move(text)});
  return {};
}

Result<void> add_timestamps(std::vector<BundledFile>& files, const std::vector<fs::path>& timestamps,
                            const JournalRecord& journal) {
  int number = 0;
  for (const fs::path& file : timestamps) {
    auto bytes = named_file_content(file);
    if (!bytes) return failure_of(bytes);
    const auto stamp = read_timestamp(*bytes, file.string(), {});
    if (!stamp) return failure_of(stamp);
    if (stamp->root != journal.first_root && stamp->root != journal.last_root)
      return fail(
          file.string(),
          fmt::format("is of {}, which is neither the first nor the last root of this campaign's journal",
                      stamp->root),
          fmt::format("the first is {}, the last {}", journal.first_root, journal.last_root));
    files.push_back({fmt::format("{}/{}.tsr", bundled_timestamps, ++number), *std::move(bytes)});
  }
  return {};
}

}  // namespace

Result<MadeBundle> make_bundle(const Workspace& workspace, const BundleRequest& request,
                               const Layout& layout) {
  const std::string& id = request.campaign;
  const fs::path folder = workspace.campaign(id);
  if (const Holder holder = campaign_holder(folder); holder.pid != 0)
    return fail(id, fmt::format("still runs (process {} on {})", holder.pid, holder.host),
                "bundle it when it has ended");
  const auto outcome = judged_campaign(workspace, id, layout);
  if (!outcome) return failure_of(outcome);
  auto taken = bundled_folder(folder, "campaigns/" + id);
  if (!taken) return failure_of(taken);
  std::vector<BundledFile> files = std::move(taken->files);
  if (auto added = add_report(files, bundled_results, "json", *outcome); !added) return failure_of(added);
  if (auto added = add_report(files, bundled_report, "html", *outcome); !added) return failure_of(added);
  files.push_back({std::string(bundled_store), store_lines(outcome->campaign.record)});
  files.push_back({std::string(bundled_others), others_json(outcome->others)});
  std::error_code code;
  for (const std::string_view chain : {bundled_acceptances, bundled_list})
    if (const fs::path file = workspace.folder / chain; fs::exists(file, code))
      files.push_back({std::string(chain), file});  // it is whole or nothing
  if (auto added = add_shipped(files, outcome->campaign.record, folder, layout); !added)
    return failure_of(added);
  const JournalRecord journal = outcome->campaign.record.journal.value_or(JournalRecord());
  if (auto added = add_timestamps(files, request.timestamps, journal); !added) return failure_of(added);

  Manifest header;
  header.tool_version = tool_version;
  header.campaign = id;
  header.first_root = journal.first_root;
  header.last_root = journal.last_root;
  header.folders = std::move(taken->folders);
  header.left_out = std::move(taken->left_out);
  std::vector<std::string> doubtful;
  if (request.redact) {
    auto redacted = redact_bundle(files, header, *outcome);
    if (!redacted) return failure_of(redacted);
    doubtful = *std::move(redacted);
  }
  std::function<std::string(const std::string&)> sign;
  if (request.key)
    sign = [&](const std::string& root) {
      return signature_line(signed_root(root, request.signer, *request.key));
    };
  auto manifest = write_bundle(request.target, std::move(header), std::move(files), sign);
  if (!manifest) return failure_of(manifest);
  MadeBundle made{*std::move(manifest), outcome->judgement.sentence, 0, 0, std::move(doubtful)};
  for (const ManifestFile& file : made.manifest.files) made.bytes += file.bytes;
  made.archived = fs::file_size(request.target, code);
  return made;
}

}  // namespace shakedown
