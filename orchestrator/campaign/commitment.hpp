#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// SHA-256 over the lines "<name> <sha256>\n" of all parts, sorted by their bytes: one number that binds a
/// campaign to every one of them.
std::string commitment_root(std::span<const CommittedPart> parts);

/// What a campaign that is about to begin is bound to: the files of its folder, given with their names and
/// contents; the published values that it is compared with; each planned executable, the files that command
/// lines and scripts name, and each image by the digest in its name, else by the one that the site states,
/// else by its file; what the workspace lists before it (`list_root`; empty: nothing). What can't be read
/// here is listed by name, not omitted.
Commitment committed(const CampaignRecord& campaign,
                     std::span<const std::pair<std::string, std::string>> files, const Layout& layout,
                     const std::string& listed_before = "");

/// Shows without reading a file that its content is the same: each write sets the time of its last change
/// (ctime), which nothing sets back but the clock of the machine.
struct FileStamp {
  std::string file;  ///< absolute
  std::int64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< since 1970
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// A file's stamp now. Nothing where it is no regular file by an absolute path: a relative one depends on
/// where a program was started.
std::optional<FileStamp> stamp_of(const std::string& file);

/// The stamps of a campaign's images that are local files by an absolute path, each once. To be taken before
/// they are hashed: a change between the two is then noticed.
std::vector<FileStamp> image_stamps(const CampaignRecord& campaign);

/// How the images that are local files here by an absolute path compare with what a campaign was bound to
/// (read only if their stamp differs from the one in its journal's first line).
std::vector<JournaledImage> images_now(const Commitment& commitment,
                                       const std::filesystem::path& campaign_folder);

/// The journal's first line, with its end. The stamps are no part of what the root binds.
std::string commitment_line(const Commitment& commitment, double at_s,
                            std::span<const FileStamp> images = {});

/// What the journal of a campaign's folder states in its first line; nothing where that is of an older
/// campaign, or there is no journal.
std::optional<Commitment> read_commitment(const std::filesystem::path& campaign_folder);

/// The files of a campaign's folder that are gone, or not those that it was bound to: a sentence each.
std::vector<std::string> file_breaches(const Commitment& bound, const std::filesystem::path& campaign_folder);

/// Where a campaign no longer is what it was bound to, a sentence each: its folder's files, the journal's
/// first line, the criteria in its record, the published values, and images, as they were when the last of it
/// had run; where nobody looked then, as `images_now` (`Images::here`): a file of that name on another
/// machine says nothing (`Images::elsewhere`). Nothing of a campaign that has no commitment.
enum class Images { here, elsewhere };
std::vector<std::string> commitment_breaches(const CampaignRecord& campaign,
                                             const std::filesystem::path& campaign_folder,
                                             const Layout& layout, Images images = Images::here);

/// The images whose content nothing binds, a sentence each: those that are no files here and are named
/// without a digest, and those of which the site states one that was never compared. A file is bound by its
/// SHA-256, and a reference that ends in "@sha256:..." by that.
std::vector<std::string> unbound_images(const Commitment& bound, const JournalContent& journal);

/// The committed SHA-256 of an executable, by the word that the plan names it by; empty: there is none.
std::string committed_program(const Commitment& commitment, std::string_view executable);

/// The committed SHA-256 of a file that a command line or a script names, by its path; empty: there is none.
std::string committed_file(const Commitment& commitment, std::string_view path);

/// The committed SHA-256 of an image that is a file, or the digest in its name; empty: neither binds it.
std::string committed_image(const Commitment& commitment, std::string_view image);

/// Gives a campaign other criteria to be judged by: a file of its own in the campaign's folder, a line in the
/// journal, a row in the store. Nothing is overwritten. Returns the revision; nothing if `criteria` are the
/// same as the newest ones. `criteria.number` and `at_s` are chosen here.
///
/// Fails while the campaign runs, and where its folder can't be written.
Result<std::optional<CriteriaRevision>> revised_criteria(const Workspace& workspace, const std::string& id,
                                                         CriteriaRevision criteria);

/// The revisions that the journal names, with their texts; one whose file is gone is omitted.
std::vector<CriteriaRevision> criteria_revisions(const std::filesystem::path& campaign_folder,
                                                 const std::vector<JournaledCriteria>& journaled);

/// A sentence each: a revision's file is gone or differs from what the journal recorded, or the store has
/// another text.
std::vector<std::string> revision_breaches(const CampaignRecord& campaign,
                                           const std::filesystem::path& campaign_folder);

}  // namespace shakedown
