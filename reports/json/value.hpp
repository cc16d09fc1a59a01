#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "orchestrator/core/value.hpp"

namespace shakedown::results_json {

using json = nlohmann::ordered_json;  ///< keys stay in the order they were put in

/// Absent is absent: a figure that is not a number is left out.
void put(json& object, const char* key, double value);

/// The same for a text: an empty one is left out.
void put_if(json& object, const char* key, const std::string& text);

/// Parameters as an object: name to value.
json named_values(const std::vector<Parameter>& parameters);

}  // namespace shakedown::results_json
