#include "orchestrator/campaign/lasting_environment.hpp"

#include <algorithm>
#include <string_view>

#include "orchestrator/core/file.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {

bool is_lasting(const EnvironmentRecord& record, const Case& planned) {
  constexpr std::string_view mark = "environment ";
  if (!record.name.starts_with(mark)) return true;
  const std::string_view variable = std::string_view(record.name).substr(mark.size());
  return !variable.starts_with("SLURM_") && !variable.starts_with("PBS_") &&
         find_parameter(planned.environment, variable) == nullptr;
}

std::vector<EnvironmentRecord> lasting_environment(const AttemptPlace& place) {
  const auto text = file_content(place.folder() / environment_file);
  std::vector<EnvironmentRecord> records = environment_from_json(text ? *text : "").records;
  std::erase_if(records, [&](const auto& record) { return !is_lasting(record, *place.planned); });
  return records;
}

}  // namespace shakedown
