#include "orchestrator/cli/text/prerequisites.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

/// "hpl-nvidia-1n-cn[01-16],hpcg-nvidia-16n (17 cases)"
std::string cases_text(const std::vector<std::string>& ids) {
  return folded_hostlist(ids) + (ids.size() == 1 ? "" : fmt::format(" ({} cases)", ids.size()));
}

std::string_view word_of(Met met) {
  switch (met) {
    case Met::yes:
      return "ok";
    case Met::no:
      return "MISSING";
    case Met::wrong:
      return "WRONG";
    case Met::unknown:
      break;
  }
  return "unknown";
}

}  // namespace

std::string prerequisites_text(const Prerequisites& prerequisites) {
  const Preflight& seen = prerequisites.seen;
  if (prerequisites.needed.empty()) return "nothing to check: no images, data or containers in this plan\n";
  if (!seen.inconclusive.empty())
    return fmt::format("preflight is inconclusive: {}\nno node was judged\n", seen.inconclusive);
  std::string text = fmt::format("looked at {}\n", seen.node);
  for (std::size_t i = 0; i < seen.found.size(); ++i) {
    const CheckedRequirement& each = seen.found[i];
    text += fmt::format("{:<8} {}: {}\n", word_of(each.met), described(each.requirement), each.found);
    if (each.met == Met::yes) continue;
    text += fmt::format("{:<8} -> {}\n", "", remedy_of(each));
    if (is_unmet(each.met))
      text += fmt::format("{:<8} keeps from running: {}\n", "", cases_text(prerequisites.needed[i].cases));
  }
  return text;
}

std::string lacking_text(std::size_t cases, const std::string& resume) {
  return fmt::format(
      "{} did not run: what {} is missing on the node, or is another one. Put it there as the configuration "
      "states it, then: {}\n",
      plural(static_cast<std::int64_t>(cases), "case"), cases == 1 ? "it needs" : "they need", resume);
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
    if (answer != nullptr && is_unmet(answer->met)) object["remedy"] = remedy_of(*answer);
    object["cases"] = prerequisites.needed[i].cases;
    document["requirements"].push_back(std::move(object));
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
