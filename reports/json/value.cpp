#include "reports/json/value.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

namespace shakedown::results_json {

void put(json& object, const char* key, double value) {
  if (std::isfinite(value)) object[key] = value;
}

void put_if(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json named_values(const std::vector<Parameter>& parameters) {
  json object = json::object();
  for (const Parameter& parameter : parameters)
    std::visit([&](const auto& value) { object[parameter.name] = value; }, parameter.value);
  return object;
}

}  // namespace shakedown::results_json
