#include <nlohmann/json.hpp>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/time.hpp"
#include "reports/json/objects.hpp"
#include "reports/json/value.hpp"

namespace shakedown::results_json {

json revision_object(const RevisionVerdict& revision) {
  json object = {{"revision", revision.criteria.number},
                 {"name", revision.criteria.name},
                 {"sha256", sha256(revision.criteria.text)},
                 {"since", utc_text(revision.criteria.at_s)}};
  put_if(object, "reason", revision.criteria.reason);
  object["verdict"] = to_string(revision.overall);
  object["sentence"] = revision.sentence;
  object["exit_code"] = revision.exit_code;
  return object;
}

json commitment_object(const Commitment& commitment, const std::vector<std::string>& breaches) {
  json object = {{"root", commitment.root}, {"parts", json::array()}};
  for (const CommittedPart& part : commitment.parts)
    object["parts"].push_back({{"name", part.name}, {"sha256", part.sha256}});
  object["unread"] = commitment.unread;
  object["breaches"] = breaches;
  return object;
}

}  // namespace shakedown::results_json
