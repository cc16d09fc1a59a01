#pragma once
#include "orchestrator/plan/json_object.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// A case as in the plan document, and back. Objections are added to `object`.
Json case_to_json(const Case& planned);
Case case_in(JsonObject& object);

/// Whether a case may have this id, which is its folder's name.
bool is_folder_name(std::string_view id);
inline constexpr const char* folder_names =
    "letters, digits, '.', '_' and '-', not beginning with '.', at most 200";

}  // namespace shakedown
