#include "orchestrator/campaign/commitment.hpp"

#include <sys/stat.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/campaign/campaign_list.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/job.hpp"
#include "orchestrator/launch/loaded_files.hpp"
#include "orchestrator/launch/named_files.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/deviations.hpp"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;

/// The files of a campaign's folder that it is bound to.
constexpr std::array<std::string_view, 6> folder_files = {
    "plan.json", "inventory.json", "criteria.toml", "acceptance.toml", "regression.toml", "campaign.json"};

constexpr std::string_view image_mark = "image ";
constexpr std::string_view file_mark = "file ";
constexpr std::string_view as_stated = " (digest as stated)";

std::string baseline_part(const CampaignRecord& campaign) {
  return "baseline " + campaign.baseline_name;
}

/// A name that stays one line and comes back from JSON as it went in.
std::string plain(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return json_or_thrown<Json>(Json(name).dump(-1, ' ', false, Json::error_handler_t::replace))
      .get<std::string>();
}

/// Collects parts, each name once.
class Parts {
 public:
  /// Whether the name was not there yet.
  bool is_new(const std::string& name) { return known_.insert(name).second; }

  void add(std::string name, std::string sha256) {
    name = plain(std::move(name));
    if (sha256.empty())
      commitment_.unread.push_back(std::move(name));
    else
      commitment_.parts.push_back({std::move(name), std::move(sha256)});
  }

  Commitment take() {
    std::ranges::sort(commitment_.parts, {}, &CommittedPart::name);
    std::ranges::sort(commitment_.unread);
    commitment_.root = commitment_root(commitment_.parts);
    return std::move(commitment_);
  }

 private:
  std::set<std::string> known_;
  Commitment commitment_;
};

std::string hash_of(const fs::path& path) {
  if (path.empty()) return "";
  const auto hash = sha256_of_file(path);
  return hash ? *hash : "";
}

/// The digest at the end of an image's reference, which the registry that answers for it must hold; empty:
/// there is none.
std::string digest_of_reference(std::string_view image) {
  constexpr std::string_view mark = "@sha256:";
  constexpr std::size_t digits = 64;
  const std::size_t at = image.rfind(mark);
  if (at == std::string_view::npos || image.size() != at + mark.size() + digits) return "";
  const std::string_view digest = image.substr(at + 1);
  const bool is_digest =
      image.substr(at + mark.size()).find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return is_digest ? std::string(digest) : "";
}

void add_program(Parts& parts, const Case& planned) {
  const std::string& image = planned.container.image;
  if (!image.empty()) {
    if (!parts.is_new("image " + image)) return;
    std::error_code code;
    if (std::string digest = digest_of_reference(image); !digest.empty())
      parts.add("image " + image, std::move(digest));
    else if (!planned.container.digest.empty())
      parts.add(fmt::format("{}{}{}", image_mark, image, as_stated), planned.container.digest);
    else
      parts.add("image " + image, fs::is_regular_file(image, code) ? hash_of(image) : "");
    return;
  }
  const std::string executable = executable_of(planned);
  const std::string& stated = executable.empty() ? planned.program : executable;
  if (stated.empty() || !parts.is_new("program " + stated)) return;
  parts.add("program " + stated, executable.empty() ? "" : hash_of(program_in_path(executable)));
}

/// What the command line names, and what scripts among that name.
void add_files(Parts& parts, const Case& planned) {
  const auto named = named_files(planned);
  const std::string executable = executable_of(planned);
  std::error_code code;
  const std::string program =
      executable.empty() ? "" : fs::canonical(program_in_path(executable), code).string();
  for (const LoadedFile& file : loaded_files(loaded_paths(named, program), {}, {}))
    if (parts.is_new(std::string(file_mark) + file.path))
      parts.add(std::string(file_mark) + file.path, file.sha256);
}

/// The first line of a campaign's journal; no object where that can't be read: the folder may be of others.
nlohmann::json first_line(const fs::path& campaign_folder) {
  constexpr std::size_t mostly_enough = 16 << 10;  // each case asks, and a journal grows with its cases
  auto journal = file_head(campaign_folder / "journal.jsonl", mostly_enough);
  if (journal && journal->size() == mostly_enough && journal->find('\n') == std::string::npos)
    journal = file_content(campaign_folder / "journal.jsonl");
  if (!journal) return {};
  return json_or_discarded<nlohmann::json>(std::string_view(*journal).substr(0, journal->find('\n')));
}

/// The stamps in a journal's first line; none in one of an older version.
std::vector<FileStamp> committed_stamps(const fs::path& campaign_folder) try {
  const auto line = first_line(campaign_folder);
  std::vector<FileStamp> stamps;
  if (line.is_object() && line.contains("images"))
    for (const auto& image : line["images"])
      stamps.push_back({image.at("file"), image.at("bytes"), image.at("changed_ns")});
  return stamps;
} catch (const nlohmann::json::exception&) {
  return {};
}

struct BoundImage {
  std::string file;
  std::string sha256;  ///< as stated, "sha256:..." before it; as bound, nothing
  bool stated = false;
  [[nodiscard]] bool is(const std::string& hash) const {
    return sha256 == (stated ? "sha256:" + hash : hash);
  }
};

std::vector<BoundImage> bound_images(const Commitment& bound) {
  std::vector<BoundImage> images;
  for (const CommittedPart& part : bound.parts) {
    if (!part.name.starts_with(image_mark)) continue;
    BoundImage image{part.name.substr(image_mark.size()), part.sha256, part.name.ends_with(as_stated)};
    if (image.stated) image.file.resize(image.file.size() - as_stated.size());
    images.push_back(std::move(image));
  }
  return images;
}

/// The present state of an image; nothing for one that is no file here: a report may be written anywhere.
std::optional<JournaledImage> standing_of(const BoundImage& image, std::span<const FileStamp> stamps) {
  const auto now = stamp_of(image.file);
  if (!now) return std::nullopt;
  if (std::ranges::find(stamps, *now) != stamps.end()) return JournaledImage{image.file, ""};
  const std::string hash = hash_of(image.file);
  if (hash.empty()) return std::nullopt;
  return JournaledImage{image.file, image.is(hash) ? "" : hash};
}

/// Images that were others when the campaign ended; where nobody looked then, that are others since.
void add_image_breaches(std::vector<std::string>& found, const Commitment& bound,
                        const fs::path& campaign_folder, Images images) {
  const std::vector<FileStamp> stamps = committed_stamps(campaign_folder);
  JournalContent journal;
  if (auto read = read_journal(campaign_folder)) journal = *std::move(read);
  for (const BoundImage& image : bound_images(bound)) {
    const auto at_end = std::ranges::find(journal.images, image.file, &JournaledImage::file);
    const bool looked_at = !journal.has_run_since_images && at_end != journal.images.end();
    if (!looked_at && images == Images::elsewhere) continue;
    const auto standing = looked_at ? std::optional(*at_end) : standing_of(image, stamps);
    if (!standing || standing->sha256.empty()) continue;
    found.push_back(fmt::format("the image {} {} not the one that {}: SHA-256 {}", image.file,
                                looked_at ? "was at the campaign's end" : "is",
                                image.stated ? "the site stated" : "the campaign was bound to",
                                standing->sha256));
  }
}

const CommittedPart* part_of(const Commitment& commitment, std::string_view name) {
  const auto it = std::ranges::find(commitment.parts, name, &CommittedPart::name);
  return it == commitment.parts.end() ? nullptr : &*it;
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::string& file) {
  struct stat now = {};
  if (!file.starts_with('/') || ::stat(file.c_str(), &now) != 0 || !S_ISREG(now.st_mode)) return std::nullopt;
  constexpr std::int64_t second = 1'000'000'000;
  return FileStamp{file, now.st_size, now.st_ctim.tv_sec * second + now.st_ctim.tv_nsec};
}

std::string commitment_root(std::span<const CommittedPart> parts) {
  std::vector<std::string> lines;
  lines.reserve(parts.size());
  for (const CommittedPart& part : parts) lines.push_back(fmt::format("{} {}\n", part.name, part.sha256));
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  return sha256(text);
}

Commitment committed(const CampaignRecord& campaign,
                     std::span<const std::pair<std::string, std::string>> files, const Layout& layout,
                     const std::string& listed_before) {
  Parts parts;
  for (const auto& [name, content] : files)
    if (std::ranges::find(folder_files, name) != folder_files.end()) parts.add(name, sha256(content));
  if (!campaign.baseline_name.empty())
    parts.add(baseline_part(campaign),
              campaign.baseline_text.empty()
                  ? hash_of(campaign_baseline({}, campaign.baseline_name, layout.share))
                  : sha256(campaign.baseline_text));
  if (!listed_before.empty()) parts.add(std::string(list_part), listed_before);
  for (const CaseRecord& record : campaign.cases) add_program(parts, record.planned);
  for (const CaseRecord& record : campaign.cases) add_files(parts, record.planned);
  return parts.take();
}

std::vector<FileStamp> image_stamps(const CampaignRecord& campaign) {
  std::vector<FileStamp> stamps;
  for (const CaseRecord& record : campaign.cases) {
    const std::string& image = record.planned.container.image;
    if (image.empty() || std::ranges::find(stamps, image, &FileStamp::file) != stamps.end()) continue;
    if (auto stamp = stamp_of(image)) stamps.push_back(*std::move(stamp));
  }
  return stamps;
}

std::vector<JournaledImage> images_now(const Commitment& commitment, const fs::path& campaign_folder) {
  const std::vector<FileStamp> stamps = committed_stamps(campaign_folder);
  std::vector<JournaledImage> standings;
  for (const BoundImage& image : bound_images(commitment))
    if (auto standing = standing_of(image, stamps)) standings.push_back(*std::move(standing));
  return standings;
}

std::string commitment_line(const Commitment& commitment, double at_s, std::span<const FileStamp> images) {
  Json line = {{"t", utc_text(at_s)}, {"event", "commitment"}, {"root", commitment.root}};
  line["parts"] = Json::array();
  for (const CommittedPart& part : commitment.parts)
    line["parts"].push_back({{"name", part.name}, {"sha256", part.sha256}});
  line["unread"] = commitment.unread;
  if (!images.empty()) line["images"] = Json::array();
  for (const FileStamp& image : images)
    line["images"].push_back(
        {{"file", image.file}, {"bytes", image.bytes}, {"changed_ns", image.changed_ns}});
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Commitment> read_commitment(const fs::path& campaign_folder) try {
  const auto line = first_line(campaign_folder);
  if (!line.is_object() || line.value("event", "") != "commitment") return std::nullopt;
  Commitment commitment;
  commitment.root = line.at("root");
  for (const auto& part : line.at("parts")) commitment.parts.push_back({part.at("name"), part.at("sha256")});
  commitment.unread = line.at("unread").get<std::vector<std::string>>();
  return commitment;
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
}

std::vector<std::string> file_breaches(const Commitment& bound, const fs::path& campaign_folder) {
  std::vector<std::string> found;
  for (const std::string_view name : folder_files) {
    const CommittedPart* part = part_of(bound, name);
    std::error_code exists;
    if (part == nullptr) {  // it would be read like one that was there
      if (fs::exists(campaign_folder / name, exists))
        found.push_back(
            fmt::format("{} in the campaign's folder was not there when the campaign was bound", name));
      continue;
    }
    const auto content = file_content(campaign_folder / name);
    const std::string now = content ? sha256(*content) : "";
    std::error_code code;
    if (!content)
      found.push_back(
          fmt::format("{} in the campaign's folder {}", name,
                      fs::exists(campaign_folder / name, code) ? content.error().what : "is gone"));
    else if (now != part->sha256)
      found.push_back(
          fmt::format("{} in the campaign's folder is not the one that the campaign was bound to: SHA-256 {}",
                      name, now));
  }
  return found;
}

std::vector<std::string> commitment_breaches(const CampaignRecord& campaign, const fs::path& campaign_folder,
                                             const Layout& layout, Images images) {
  std::vector<std::string> found = revision_breaches(campaign, campaign_folder);
  if (!campaign.commitment) return found;
  const Commitment& bound = *campaign.commitment;
  if (commitment_root(bound.parts) != bound.root)
    found.push_back(fmt::format("the commitment's parts do not give its root {}", bound.root));
  std::error_code code;
  if (!fs::exists(campaign_folder, code)) return found;
  if (const auto journal = read_commitment(campaign_folder); !journal)
    found.emplace_back("the journal's first line no longer states the commitment");
  else if (journal->root != bound.root)
    found.push_back(
        fmt::format("the journal's first line states another commitment than the store, {}", journal->root));
  std::ranges::move(file_breaches(bound, campaign_folder), std::back_inserter(found));
  if (const CommittedPart* part = part_of(bound, "criteria.toml");
      part != nullptr && part->sha256 != sha256(campaign.criteria_text))
    found.emplace_back("the criteria in the store are not those that the campaign was bound to");
  if (const CommittedPart* part = part_of(bound, baseline_part(campaign));
      part != nullptr &&
      part->sha256 != hash_of(campaign_baseline(campaign_folder, campaign.baseline_name, layout.share)))
    found.push_back(other_published_values(campaign.baseline_name));
  add_image_breaches(found, bound, campaign_folder, images);
  return found;
}

std::vector<std::string> unbound_images(const Commitment& bound, const JournalContent& journal) {
  std::vector<std::string> found;
  for (const std::string& name : bound.unread)
    if (name.starts_with(image_mark))
      found.push_back(
          fmt::format("the {} is no file here and is named without a digest: nothing binds what it "
                      "holds",
                      name));
  for (const BoundImage& image : bound_images(bound)) {
    const bool may_be_compared = image.file.starts_with('/') && !journal.is_over;
    if (image.stated && !may_be_compared &&
        std::ranges::find(journal.images, image.file, &JournaledImage::file) == journal.images.end())
      found.push_back(
          fmt::format("the image {} has the digest that the site states: nothing compared it with "
                      "what it holds",
                      image.file));
  }
  return found;
}

std::string committed_program(const Commitment& commitment, std::string_view executable) {
  const CommittedPart* part = part_of(commitment, plain("program " + std::string(executable)));
  return part == nullptr ? "" : part->sha256;
}

std::string committed_image(const Commitment& commitment, std::string_view image) {
  const CommittedPart* part = part_of(commitment, plain(std::string(image_mark) + std::string(image)));
  return part == nullptr ? "" : part->sha256;
}

std::string committed_file(const Commitment& commitment, std::string_view path) {
  const CommittedPart* part = part_of(commitment, plain(std::string(file_mark) + std::string(path)));
  return part == nullptr ? "" : part->sha256;
}

namespace {

/// The criteria of a text, without its comments and its layout.
std::string said(const CriteriaRevision& criteria) {
  const auto frozen = frozen_criteria(criteria.text, criteria.name, {});
  return frozen ? *frozen : criteria.text;
}

std::string file_of(int number) {
  return fmt::format("criteria-{}.toml", number);
}

/// The first number without a file: a file that a crash left without its journal line counts too.
int free_number(const fs::path& folder, int number) {
  std::error_code code;
  while (fs::exists(folder / file_of(number), code)) ++number;
  return number;
}

}  // namespace

Result<std::optional<CriteriaRevision>> revised_criteria(const Workspace& workspace, const std::string& id,
                                                         CriteriaRevision criteria) {
  const fs::path folder = workspace.campaign(id);
  const auto lock = CampaignLock::take(folder);
  if (!lock) return failure_of(lock);
  auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  const CriteriaRevision judging = judging_criteria(*campaign);
  if (said(judging) == said(criteria)) return std::optional<CriteriaRevision>();
  auto database = Database::open(workspace.database());
  if (!database) return failure_of(database);

  criteria.number = free_number(folder, judging.number + 1);
  criteria.at_s = now_s();
  const std::string file = file_of(criteria.number);
  if (auto written = write_file(folder / file, criteria.text, Durability::power_loss); !written)
    return failure_of(written);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  if (auto noted = journal->revise(
          {criteria.number, criteria.name, file, sha256(criteria.text), criteria.reason, criteria.at_s});
      !noted)
    return failure_of(noted);
  campaign->criteria_revisions.push_back(criteria);
  if (auto added = database->add_criteria_revisions(id, campaign->criteria_revisions); !added)
    return failure_of(added);
  return std::optional(std::move(criteria));
}

std::vector<CriteriaRevision> criteria_revisions(const fs::path& campaign_folder,
                                                 const std::vector<JournaledCriteria>& journaled) {
  std::vector<CriteriaRevision> revisions;
  for (const JournaledCriteria& each : journaled)
    if (auto text = file_content(campaign_folder / each.file))
      revisions.push_back({each.revision, each.name, *std::move(text), each.reason, each.at_s});
  return revisions;
}

std::vector<std::string> revision_breaches(const CampaignRecord& campaign, const fs::path& campaign_folder) {
  std::vector<std::string> found;
  std::error_code code;
  if (!fs::exists(campaign_folder, code)) return found;
  const auto journal = read_journal(campaign_folder);
  if (!journal) return {fmt::format("the journal can't be read: {}", journal.error().what)};
  const auto& journaled = journal->criteria;
  for (const JournaledCriteria& each : journaled) {
    const auto text = file_content(campaign_folder / each.file);
    if (!text || sha256(*text) != each.sha256)
      found.push_back(fmt::format("{} in the campaign's folder {}", each.file,
                                  text ? "differs from the journal's line"
                                  : fs::exists(campaign_folder / each.file, code) ? text.error().what
                                                                                  : "is gone"));
  }
  for (const CriteriaRevision& revision : campaign.criteria_revisions) {
    const auto line = std::ranges::find(journaled, revision.number, &JournaledCriteria::revision);
    if (line == journaled.end() || line->sha256 != sha256(revision.text))
      found.push_back(
          fmt::format("revision {} of the criteria in the store is not in the journal", revision.number));
  }
  return found;
}

}  // namespace shakedown
