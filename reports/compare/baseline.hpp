#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/value.hpp"
#include "orchestrator/plan/identities.hpp"

namespace shakedown {

/// Conditions by free names: each a single value.
std::vector<Parameter> conditions_from(TomlTable table);

Result<Baseline> read_baseline(const std::filesystem::path& path);
Result<Baseline> baseline_from(std::string_view text, const std::string& name);

/// Whether a baseline is named by its file ("my.toml", "values/my.toml"), not as a shipped one ("sakuraone").
bool is_baseline_file(std::string_view name);

/// A baseline by its file, or a shipped one by its name. Fails with "did you mean".
Result<Baseline> named_baseline(const std::string& name, const std::filesystem::path& share);

/// The file that a campaign's folder holds the baseline in that it is compared with, if that is none of the
/// shipped ones.
inline constexpr const char* campaign_baseline_file = "baseline.toml";

/// Where a campaign's baseline lies: in its folder, else among the shipped ones.
std::filesystem::path campaign_baseline(const std::filesystem::path& campaign_folder, const std::string& name,
                                        const std::filesystem::path& share);

/// The baselines shipped in <share>/baselines, by name.
Result<std::vector<Baseline>> shipped_baselines(const std::filesystem::path& share);

/// Every identity that the baseline's values suffice for, run by run.
std::vector<IdentityCheck> checked_identities(const Baseline& baseline);

}  // namespace shakedown
