#include "orchestrator/campaign/job_book.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/parallel.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {

void JobBook::add(Job job) {
  for (std::size_t lane = 0; lane < job.lanes.size(); ++lane)
    for (const JobStep& step : job.lanes[lane].steps)
      of_attempt_[{step.case_id, step.attempt}] = {job.id, lane};
  const std::string id = job.id;
  jobs_.insert_or_assign(id, std::move(job));
}

bool JobBook::has(const AttemptPlace& place) const {
  return of_attempt_.contains({place.planned->id, place.index});
}

JobSeat JobBook::seat(const AttemptPlace& place) {
  const std::pair attempt{place.planned->id, place.index};
  if (!has(place)) {
    Job alone;
    alone.id = place.relative();
    alone.lanes = {{{}, {{place.planned->id, place.index, place.folder(), 0, false}}}};
    add(std::move(alone));
  }
  const Entry& entry = of_attempt_.at(attempt);
  const Job& job = jobs_.at(entry.job);
  return {&job, &job.lanes[entry.lane]};
}

Result<JobBook> known_jobs(const std::filesystem::path& campaign_folder) {
  JobBook book;
  std::map<std::int64_t, fs::path> files;  // an attempt whose job was taken back is part of a later one too
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(campaign_folder / "jobs", code)) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view prefix = "job-";
    if (!name.starts_with(prefix)) continue;
    const auto number = parsed_integer(std::string_view(name).substr(prefix.size()));
    if (!number) continue;
    book.next = std::max(book.next, static_cast<int>(*number) + 1);
    files.emplace(*number, entry.path() / job_file);
  }
  if (code && code != std::errc::no_such_file_or_directory)
    return fail_environment((campaign_folder / "jobs").string(),
                            fmt::format("cannot be read: {}", code.message()));
  std::vector<fs::path> in_order;
  in_order.reserve(files.size());
  for (auto& [number, file] : files) in_order.push_back(std::move(file));
  std::vector<std::optional<Job>> jobs(in_order.size());
  for_each_index(jobs.size(), usable_cpus(), [&](std::size_t i) {
    const auto text = file_content(in_order[i]);
    if (!text) return;
    if (auto job = job_from_json(*text, campaign_folder, in_order[i].string())) jobs[i] = *std::move(job);
  });
  for (std::optional<Job>& job : jobs)
    if (job) book.add(*std::move(job));
  return book;
}

std::string place_json(const std::string& job, const std::string& hosts) {
  const nlohmann::ordered_json document = {{"schema", "shakedown.place/1"}, {"job", job}, {"hosts", hosts}};
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string job_state_json(const JobState& job_state) {
  const nlohmann::ordered_json document = {{"schema", "shakedown.scheduler/1"},
                                           {"end", to_string(job_state.end)},
                                           {"reason", job_state.reason},
                                           {"by", job_state.by},
                                           {"failed_nodes", job_state.failed_nodes}};
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<JobState> recorded_job_state(const std::filesystem::path& attempt_folder) {
  const auto text = file_content(attempt_folder / scheduler_file);
  if (!text) return std::nullopt;
  try {
    const auto document = json_or_thrown<nlohmann::json>(*text);
    constexpr std::array ends = {JobEnd::completed,     JobEnd::failed,      JobEnd::timed_out,
                                 JobEnd::out_of_memory, JobEnd::node_failed, JobEnd::preempted,
                                 JobEnd::requeued,      JobEnd::cancelled};
    const auto end = document.at("end").get<std::string>();
    const auto known = std::ranges::find(ends, end, [](JobEnd each) { return to_string(each); });
    JobState job_state;
    job_state.phase = JobState::Phase::gone;
    job_state.reason = document.at("reason").get<std::string>();
    job_state.end = known == ends.end() ? JobEnd::unknown : *known;
    job_state.by = document.at("by").get<std::string>();
    job_state.failed_nodes = document.at("failed_nodes").get<std::vector<std::string>>();
    return job_state;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::optional<FailureKind> scheduler_kind(const std::filesystem::path& attempt_folder) {
  const auto text = file_content(attempt_folder / scheduler_file);
  const auto document = json_or_discarded<nlohmann::json>(text ? *text : "");
  const auto end = document.is_object() ? document.find("end") : document.end();
  if (!document.is_object() || end == document.end() || !end->is_string()) return std::nullopt;
  constexpr std::array<std::pair<JobEnd, FailureKind>, 5> kinds = {
      {{JobEnd::timed_out, FailureKind::time_limit},
       {JobEnd::out_of_memory, FailureKind::out_of_memory},
       {JobEnd::node_failed, FailureKind::node_failure},
       {JobEnd::preempted, FailureKind::preempted},
       {JobEnd::cancelled, FailureKind::cancelled}}};
  for (const auto& [known, kind] : kinds)
    if (to_string(known) == end->get<std::string>()) return kind;
  return std::nullopt;
}

std::string scheduler_sentence(const std::filesystem::path& attempt_folder) {
  const auto job_state = recorded_job_state(attempt_folder);
  if (!job_state) return "";
  std::string sentence = end_text(*job_state);
  if (!job_state->failed_nodes.empty()) sentence += ": " + folded_hostlist(job_state->failed_nodes);
  if (!job_state->reason.empty())
    sentence += fmt::format("{} the scheduler reports '{}'", job_state->failed_nodes.empty() ? ":" : ",",
                            job_state->reason);
  if (!job_state->by.empty()) sentence += ", by " + job_state->by;
  return sentence;
}

RunningStep* RunningLane::current() {
  const auto it = std::ranges::find(steps, false, &RunningStep::collected);
  return it == steps.end() ? nullptr : &*it;
}

bool RunningJob::collected() const {
  return std::ranges::all_of(lanes, [](const RunningLane& lane) {
    return std::ranges::all_of(lane.steps, &RunningStep::collected);
  });
}

bool RunningJob::began() const {
  return std::ranges::any_of(lanes, [](const RunningLane& lane) {
    return std::ranges::any_of(lane.steps,
                               [](const RunningStep& step) { return step.collected || step.since_s; });
  });
}

}  // namespace shakedown
