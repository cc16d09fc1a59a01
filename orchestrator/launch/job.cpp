#include "orchestrator/launch/job.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {

std::vector<std::string> Job::hosts() const {
  std::vector<std::string> all;
  for (const JobLane& lane : lanes) all.insert(all.end(), lane.hosts.begin(), lane.hosts.end());
  return all;
}

double Job::time_limit_s(double margin_s) const {
  double longest_s = 0;
  for (const JobLane& lane : lanes) {
    double lane_s = 0;
    for (const JobStep& step : lane.steps) {
      if (step.time_limit_s <= 0) return 0;
      lane_s += step.time_limit_s + margin_s;
    }
    longest_s = std::max(longest_s, lane_s);
  }
  return longest_s;
}

std::string job_json(const Job& job) {
  nlohmann::ordered_json document;
  document["schema"] = "shakedown.job/1";
  document["id"] = job.id;
  document["campaign"] = job.campaign;
  document["lanes"] = nlohmann::ordered_json::array();
  for (const JobLane& lane : job.lanes) {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const JobStep& step : lane.steps)
      steps.push_back({{"case", step.case_id},
                       {"attempt", step.attempt},
                       {"time_limit_s", step.time_limit_s},
                       {"from_anywhere", step.from_anywhere}});
    document["lanes"].push_back({{"hosts", lane.hosts}, {"steps", std::move(steps)}});
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<Job> job_from_json(std::string_view text, const std::filesystem::path& campaign_folder,
                          std::string_view name) {
  const auto is_component = [](const std::string& word) {  // never a way out of the campaign's folder
    return wrong_run_file(word).empty() && word.find('/') == std::string::npos;
  };
  try {
    const auto document = json_or_thrown<nlohmann::json>(text);
    Job job;
    job.id = document.at("id").get<std::string>();
    job.campaign = document.at("campaign").get<std::string>();
    job.folder = campaign_folder / "jobs" / job.id;
    if (!is_component(job.id))
      return fail(std::string(name), fmt::format("'{}' is no name of a job", job.id));
    for (const auto& lane : document.at("lanes")) {
      JobLane& made = job.lanes.emplace_back();
      made.hosts = lane.at("hosts").get<std::vector<std::string>>();
      for (const auto& step : lane.at("steps")) {
        const auto case_id = step.at("case").get<std::string>();
        const int attempt = step.at("attempt").get<int>();
        if (!is_component(case_id))
          return fail(std::string(name), fmt::format("'{}' is no id of a case", case_id));
        made.steps.push_back({case_id, attempt,
                              campaign_folder / case_id / fmt::format("attempt-{}", attempt),
                              step.at("time_limit_s").get<double>(), step.at("from_anywhere").get<bool>()});
      }
    }
    return job;
  } catch (const nlohmann::json::exception& error) {
    return fail(std::string(name), fmt::format("is no description of a job: {}", error.what()),
                "it was written by `shakedown run`; a full disk may have cut it");
  }
}

}  // namespace shakedown
