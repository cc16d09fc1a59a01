#pragma once
#include <filesystem>
#include <span>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// The file of a campaign's folder with the values of its secrets, mode 0600: job.sh reads it. It is there
/// until the campaign has ended, so that a copy of the folder holds none.
inline constexpr const char* secrets_file = "secrets.env";

/// The secrets that a campaign's cases refer to, with their values: the configuration's, else those of the
/// operator's environment. Fails where some are nowhere, and names their variables.
Result<std::vector<Secret>> secrets_with_values(const CampaignRecord& campaign,
                                                std::span<const Secret> known = {});

Result<void> write_secrets(const std::filesystem::path& campaign_folder, std::span<const Secret> secrets);

/// Those in the file; none where there is no file.
std::vector<Secret> read_secrets(const std::filesystem::path& campaign_folder);

/// Sees to it that the file has what the cases need: of a campaign that has ended, and goes on, it is made
/// anew. Fails as `secrets_with_values`.
Result<void> provide_secrets(const std::filesystem::path& campaign_folder, const CampaignRecord& campaign);

void remove_secrets(const std::filesystem::path& campaign_folder);

/// Masks what the program's output quotes of the campaign's secrets, and what looks like one.
void mask_secrets(AttemptRecord& attempt, const std::filesystem::path& campaign_folder);

}  // namespace shakedown
