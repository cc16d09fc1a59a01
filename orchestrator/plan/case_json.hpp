#pragma once
#include "orchestrator/plan/json_object.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// A case as in the plan document, and back. Objections are added to `object`.
Json case_to_json(const Case& planned);
Case case_in(JsonObject& object);

}  // namespace shakedown
