#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "reports/json/objects.hpp"
#include "reports/json/value.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown::results_json {

json rules(const CampaignRecord& campaign) {
  json list = json::array();
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (size_t i = 0; i < attempt.results.size(); ++i)
        for (const RuleResult& rule : attempt.results[i].rules) {
          json object = {{"case", record.planned.id},
                         {"attempt", attempt.index},
                         {"result", i + 1},
                         {"id", rule.id},
                         {"title", rule.title},
                         {"severity", std::string(1, static_cast<char>(rule.severity))},
                         {"status", to_string(rule.status)},
                         {"value", rule.value}};
          if (short_by_design(campaign, attempt.results[i], rule)) object["mark"] = short_of_rules;
          if (rule.line > 0) object["line"] = rule.line;
          put_if(object, "text", rule.text);
          object["source"] = rule.source;
          list.push_back(std::move(object));
        }
  return list;
}

}  // namespace shakedown::results_json
