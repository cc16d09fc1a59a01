#include "orchestrator/campaign/bundle.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/bundle_extract.hpp"
#include "orchestrator/campaign/bundled_folder.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/version.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/evidence/bundle_file.hpp"
#include "reports/evidence/timestamp.hpp"
#include "reports/formats/format.hpp"

namespace shakedown {
namespace {

/// The lines of a campaign in accepted.jsonl, as they are.
Result<std::string> acceptance_lines(const Workspace& workspace, const std::string& campaign) {
  std::error_code code;
  if (!fs::exists(workspace.accepted(), code)) return std::string();
  const auto text = file_content(workspace.accepted());
  if (!text) return failure_of(text);
  std::string lines;
  for (const std::string_view line : split(*text, '\n')) {
    const auto document = json_or_discarded<nlohmann::json>(line);
    if (document.is_object() && document.contains("campaign") && document["campaign"] == campaign)
      lines += std::string(line) + "\n";
  }
  return lines;
}

/// Adds the report in a format, as it is judged now.
Result<void> add_report(std::vector<BundledFile>& files, std::string_view path, std::string_view format,
                        const Outcome& outcome) {
  const auto known = report_formats();
  const auto it = std::ranges::find(known, format, &ReportFormat::id);
  if (it == known.end()) return fail(std::string(format), "is no report format");
  auto text =
      (*it)->render(outcome.campaign, outcome.judgement, outcome.baseline ? &*outcome.baseline : nullptr);
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
                            const JournalRoots& roots) {
  int number = 0;
  for (const fs::path& file : timestamps) {
    auto bytes = named_file_content(file);
    if (!bytes) return failure_of(bytes);
    const auto stamp = read_timestamp(*bytes, file.string(), {});
    if (!stamp) return failure_of(stamp);
    if (stamp->root != roots.first && stamp->root != roots.last)
      return fail(
          file.string(),
          fmt::format("is of {}, which is neither the first nor the last root of this campaign's journal",
                      stamp->root),
          fmt::format("the first is {}, the last {}", roots.first, roots.last));
    files.push_back({fmt::format("{}/{}.tsr", bundled_timestamps, ++number), *std::move(bytes)});
  }
  return {};
}

}  // namespace

JournalRoots journal_roots(const fs::path& campaign_folder) {
  JournalRoots roots;
  if (const auto bound = read_commitment(campaign_folder)) roots.first = bound->root;
  const auto text = file_content(campaign_folder / "journal.jsonl");
  if (!text) return roots;
  const std::size_t end = text->rfind('\n');
  if (end == std::string::npos) return roots;
  const std::size_t before = end == 0 ? std::string::npos : text->rfind('\n', end - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  roots.last = sha256(std::string_view(*text).substr(begin, end + 1 - begin));
  return roots;
}

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
  auto accepted = acceptance_lines(workspace, id);
  if (!accepted) return failure_of(accepted);
  if (!accepted->empty()) files.push_back({std::string(bundled_acceptances), *std::move(accepted)});
  if (auto added = add_shipped(files, outcome->campaign.record, folder, layout); !added)
    return failure_of(added);
  const JournalRoots roots = journal_roots(folder);
  if (auto added = add_timestamps(files, request.timestamps, roots); !added) return failure_of(added);

  Manifest header;
  header.tool_version = tool_version;
  header.campaign = id;
  header.first_root = roots.first;
  header.last_root = roots.last;
  header.folders = std::move(taken->folders);
  header.left_out = std::move(taken->left_out);
  std::function<std::string(const std::string&)> sign;
  if (request.key)
    sign = [&](const std::string& root) {
      return signature_line(signed_root(root, request.signer, *request.key));
    };
  auto manifest = write_bundle(request.target, std::move(header), std::move(files), sign);
  if (!manifest) return failure_of(manifest);
  MadeBundle made{*std::move(manifest), outcome->judgement.sentence, 0, 0};
  for (const ManifestFile& file : made.manifest.files) made.bytes += file.bytes;
  std::error_code code;
  made.archived = fs::file_size(request.target, code);
  return made;
}

}  // namespace shakedown
