#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// The rows that a store has of a campaign's attempts, a JSON line each: how it ended, the hash of its rows,
/// its results with the verdict of each rule, and what it quotes with masks in it (`MaskedTexts`).
std::string store_lines(const CampaignRecord& campaign);

/// What an attempt's rows quote of its program where a secret is masked, or could only be quoted while the
/// values of secrets were known: who has the logs alone can't make it again. The journal binds it by the
/// hashes of the rows.
struct MaskedTexts {
  std::map<std::size_t, std::string> texts;     ///< by their place in `each_quoted_text`
  std::map<std::string, std::string> excerpts;  ///< by their file's name
};
/// Those of all attempts, by case and number. Lines that are none of `store_lines` have none.
std::map<std::pair<std::string, int>, MaskedTexts> masked_texts(std::string_view store_lines);

/// What a verdict takes from the store's other campaigns, as a JSON document (`shakedown.others/1`), and
/// back. Fails where the text is none, or names a run that it does not have.
std::string others_json(const OtherCampaigns& others);
Result<OtherCampaigns> others_from_json(std::string_view text, const std::string& name);

}  // namespace shakedown
