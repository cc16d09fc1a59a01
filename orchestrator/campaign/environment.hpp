#pragma once
#include <span>
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// What ran here: kernel, settings that cost performance, versions, hashes of the executables and the
/// libraries they load, the environment with secrets masked. Taken once per node and campaign.
std::vector<EnvironmentRecord> captured_environment(std::span<const CaseRecord> cases);

/// The records as environment.json (`shakedown.environment/1`), and back.
std::string environment_json(std::span<const EnvironmentRecord> records);
std::vector<EnvironmentRecord> environment_from_json(std::string_view text);

/// Whether a variable's value must not be shown: its name speaks of a key, token, password or credential.
bool is_secret(std::string_view variable_name);

}  // namespace shakedown
