#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// The file of a campaign's folder with the values of its secrets, mode 0600: job.sh reads it. It is there
/// until the campaign has ended, or is cancelled and none of its jobs runs: a copy of the folder holds none.
inline constexpr const char* secrets_file = "secrets.env";

/// The secrets that a campaign's cases refer to, with their values: the configuration's, else those of the
/// operator's environment. Fails where some are nowhere, and names their variables.
Result<std::vector<Secret>> secrets_with_values(const CampaignRecord& campaign,
                                                std::span<const Secret> known = {});

Result<void> write_secrets(const std::filesystem::path& campaign_folder, std::span<const Secret> secrets);

/// Those in the file; none where there is no file.
std::vector<Secret> read_secrets(const std::filesystem::path& campaign_folder);

/// Makes sure that the file has what the cases need: if a campaign that has ended goes on, it is made again.
/// Fails as `secrets_with_values`.
Result<void> provide_secrets(const std::filesystem::path& campaign_folder, const CampaignRecord& campaign);

void remove_secrets(const std::filesystem::path& campaign_folder);

/// Masks a campaign's secrets in texts of its programs.
class SecretMask {
 public:
  /// Knows no values: what looks like a secret is masked.
  SecretMask() = default;
  /// The values: those that the campaign's jobs were given, else those of the environment as it is now, and
  /// what looks secret of the rest of this environment: jobs inherit it.
  SecretMask(const std::filesystem::path& campaign_folder, const Case& planned);

  /// Whether programs may be quoted: not once the values that the case's job was given are gone
  /// (`remove_secrets`). The environment may have others by then.
  [[nodiscard]] bool quotes() const { return quotes_; }
  /// The text without secrets. Mask before a text is cut: half a secret is not found.
  [[nodiscard]] std::string operator()(std::string_view text) const;
  /// A sentence of ours without secrets, and without what it quotes where `quotes` is false.
  [[nodiscard]] std::string sentence(std::string_view text) const;
  /// The last `bytes` of a file, masked; empty where it can't be read.
  [[nodiscard]] std::string tail(const std::filesystem::path& path, std::size_t bytes) const;

 private:
  std::vector<std::string> parts_;  ///< what holds another goes first
  bool quotes_ = true;
};

/// Whether two texts are the same but for what a mask has in its place: "(secret)", or what could not be
/// quoted once the values were gone.
bool same_but_for_masks(std::string_view one, std::string_view other);

/// Visits all that an attempt's record quotes of its program, in one order; `sentence`: it is a sentence of
/// ours.
void each_quoted_text(AttemptRecord& attempt,
                      const std::function<void(std::string& text, bool sentence)>& visit);

/// Masks what an attempt's record quotes of its program.
void mask_secrets(AttemptRecord& attempt, const SecretMask& mask);

/// Whether a text holds a mask.
bool holds_mask(std::string_view text);

}  // namespace shakedown
