#pragma once
#include <filesystem>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/value.hpp"
#include "orchestrator/plan/identities.hpp"

namespace shakedown {

/// Conditions by free names: each a single value.
std::vector<Parameter> conditions_from(TomlTable table);

Result<Baseline> read_baseline(const std::filesystem::path& path);

/// The baselines shipped in <share>/baselines, by name.
Result<std::vector<Baseline>> shipped_baselines(const std::filesystem::path& share);

/// Every identity that the baseline's values suffice for, run by run.
std::vector<IdentityCheck> checked_identities(const Baseline& baseline);

}  // namespace shakedown
