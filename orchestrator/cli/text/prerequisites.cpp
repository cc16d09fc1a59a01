#include "orchestrator/cli/text/prerequisites.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "orchestrator/core/text.hpp"

namespace shakedown {
std::string prerequisites_text(const Prerequisites& prerequisites) {
  const Preflight& seen = prerequisites.seen;
  if (prerequisites.needed.empty()) return "nothing that the plan's cases need can be looked at\n";
  if (!seen.inconclusive.empty())
    return fmt::format("preflight is inconclusive: {}\nno node was judged\n", seen.inconclusive);
  std::string text = fmt::format("looked at {}\n", seen.node);
  for (std::size_t i = 0; i < seen.found.size(); ++i) {
    const CheckedRequirement& each = seen.found[i];
    const std::string_view word = each.met == Met::yes ? "ok" : each.met == Met::no ? "MISSING" : "unknown";
    text += fmt::format("{:<8} {}: {}\n", word, described(each.requirement), each.found);
    if (each.met == Met::yes) continue;
    text += fmt::format("{:<8} -> {}\n", "", remedy_of(each.requirement));
    if (each.met == Met::no)
      text += fmt::format("{:<8} keeps from running: {}\n", "", joined(prerequisites.needed[i].cases, ", "));
  }
  return text;
}

std::string prerequisites_json(const Prerequisites& prerequisites) {
  const Preflight& seen = prerequisites.seen;
  nlohmann::ordered_json document = {{"schema", "shakedown.preflight/1"}};
  if (!seen.node.empty()) document["node"] = seen.node;
  if (!seen.inconclusive.empty()) document["inconclusive"] = seen.inconclusive;
  document["requirements"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < prerequisites.needed.size(); ++i) {
    const Requirement& wanted = prerequisites.needed[i].requirement;
    nlohmann::ordered_json object = {{"kind", to_string(wanted.kind)}};
    if (!wanted.path.empty()) object["path"] = wanted.path;
    const CheckedRequirement* answer = i < seen.found.size() ? &seen.found[i] : nullptr;
    object["state"] = to_string(answer == nullptr ? Met::unknown : answer->met);
    if (answer != nullptr) object["found"] = answer->found;
    if (answer != nullptr && answer->met == Met::no) object["remedy"] = remedy_of(wanted);
    object["cases"] = prerequisites.needed[i].cases;
    document["requirements"].push_back(std::move(object));
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
