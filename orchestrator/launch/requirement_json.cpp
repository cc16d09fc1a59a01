#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "orchestrator/launch/requirement_check.hpp"

namespace shakedown {
namespace {

using nlohmann::ordered_json;

Met met_from(std::string_view text) {
  return text == to_string(Met::yes) ? Met::yes : text == to_string(Met::no) ? Met::no : Met::unknown;
}

}  // namespace

std::string requirements_json(const std::vector<CheckedRequirement>& list, std::string_view node) {
  ordered_json document = {{"schema", "shakedown.requirements/1"}};
  if (!node.empty()) document["node"] = node;
  document["requirements"] = ordered_json::array();
  for (const CheckedRequirement& each : list) {
    const Requirement& wanted = each.requirement;
    ordered_json object = {{"kind", wanted.kind}};
    for (const auto& [key, text] : {std::pair("what", &wanted.what), std::pair("path", &wanted.path),
                                    std::pair("sha256", &wanted.sha256), std::pair("image", &wanted.image),
                                    std::pair("remedy", &wanted.remedy)})
      if (!text->empty()) object[key] = *text;
    if (wanted.bytes > 0) object["bytes"] = wanted.bytes;
    object["state"] = to_string(each.met);
    if (!each.found.empty()) object["found"] = each.found;
    document["requirements"].push_back(std::move(object));
  }
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<std::vector<CheckedRequirement>> requirements_from_json(std::string_view text, std::string_view name) {
  try {
    const auto document = json_or_thrown<ordered_json>(text);
    const ordered_json& stated = document.at("requirements");
    std::vector<CheckedRequirement> list;
    list.reserve(stated.size());
    for (const ordered_json& each : stated) {
      CheckedRequirement read;
      read.requirement = {each.at("kind").get<std::string>(),
                          each.value("what", ""),
                          each.value("path", ""),
                          each.value("sha256", ""),
                          each.value("bytes", std::int64_t{0}),
                          each.value("image", ""),
                          each.value("remedy", "")};
      read.met = met_from(each.at("state").get<std::string>());
      read.found = each.value("found", "");
      list.push_back(std::move(read));
    }
    return list;
  } catch (const ordered_json::exception& error) {
    return fail(std::string(name), fmt::format("is no list of requirements: {}", error.what()));
  }
}

}  // namespace shakedown
