#include "orchestrator/campaign/submit_queue.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/composition.hpp"
#include "orchestrator/launch/launcher.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "orchestrator/plan/secrets.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_rejected = 4;  // jobs that are offered in vain until the queue gets a pause

}  // namespace

SubmitQueue::SubmitQueue(ExecutionContext& context, ProgressEvents& events, NodeWatch& nodes,
                         AttemptLedger& ledger)
    : context_(context), events_(events), nodes_(nodes), ledger_(ledger) {}

Result<SubmitQueue::Offer> SubmitQueue::find_unsure() {
  std::optional<RunningJob> unsure = std::exchange(unsure_, std::nullopt);
  if (!unsure) return Offer::other;
  const auto name = context_.scheduler->found(unsure->job);
  if (!name) {
    unsure_ = std::move(unsure);
    hold_until_s_ = steady_s() + context_.options.pauses.hold_s;
    events_.report_silent(to_string(name.error()));
    return Offer::none;
  }
  RunningJob running = *std::move(unsure);
  if (name->empty()) {
    ReadyJob ready{std::move(running.lanes), {}, 0, 0};
    ready.job_id = running.job.id;
    // An outage is no refusal, however long: time counts from the next refusal in words.
    ready.offer_at_s = steady_s() + context_.options.pauses.refusal_s;
    put_off_.push_back(std::move(ready));
    exclusions_ = 0;
    drop_excluded();
    return Offer::other;
  }
  if (auto entered = entered_queue(running, *name); !entered) return failure_of(entered);
  accept(std::move(running));
  return Offer::accepted;
}

Result<void> SubmitQueue::prepare_round() {
  offer_again();
  if (ready_.empty() && context_.dispatcher.waiting() > 0 && nodes_.is_known())
    if (auto made = make_ready(); !made) return made;
  for (ReadyJob& ready : ready_) ready.suspect = false;
  rejected_ = 0;
  round_over_ = accepted_ = false;
  return {};
}

Result<SubmitQueue::Offer> SubmitQueue::submit_next() {
  if (std::exchange(accepted_, false))
    if (auto reoffered = reoffer_suspects(); !reoffered) return failure_of(reoffered);
  // A job that is rejected goes behind the others: what is wrong with it need not be wrong with them.
  if (round_over_ || rejected_ >= std::min(most_rejected, ready_.size())) return Offer::none;
  if (context_.stopping() || static_cast<int>(context_.running.size()) >= context_.traits.most_jobs)
    return Offer::none;
  ReadyJob ready = std::move(ready_.front());
  ready_.pop_front();
  RunningJob running;
  running.lanes = ready.lanes;
  running.job.id = ready.job_id;
  running.refusals = ready.refusals;
  const auto submission = submit(running);
  if (!submission) return failure_of(submission);
  if (std::holds_alternative<JobAccepted>(*submission)) {
    rejected_ = 0;
    accepted_ = true;
    lasting_refusals_.clear();
    accept(std::move(running));
    return Offer::accepted;
  }
  if (const auto* never = std::get_if<JobNever>(&*submission)) {
    if (auto refused = refuse(std::move(ready), never->refusal.what); !refused) return failure_of(refused);
    return Offer::other;
  }
  const EnginePauses& pauses = context_.options.pauses;
  const auto* later = std::get_if<JobLater>(&*submission);
  if (later != nullptr && later->of == JobLater::Of::unknown) {
    ready.job_id = running.job.id;
    if (++rejected_ >= most_rejected) hold_until_s_ = steady_s() + pauses.refusal_s;
    if (auto put = put_off(std::move(ready), later->words); !put) return failure_of(put);
    return Offer::other;
  }
  hold_until_s_ = steady_s() + pauses.hold_s;
  if (later == nullptr) {
    unsure_ = std::move(running);
    return Offer::none;
  }
  ++rejected_;
  round_over_ = later->of == JobLater::Of::all;
  if (auto kept = record_rejected(std::move(ready), *later); !kept) return failure_of(kept);
  return Offer::other;
}

void SubmitQueue::accept(RunningJob running) {
  running.pending = context_.outlives_us();
  context_.running.push_back(std::move(running));
}

Result<void> SubmitQueue::make_ready() {
  // Jobs of lanes of one node each, by when their nodes are somebody else's and by their GPUs: a job asks for
  // the time of its longest lane, and for as many GPUs, on all of them.
  std::map<std::pair<double, int>, std::vector<std::vector<RunningLane>>> shared;
  const double longest_limit_s =
      context_.traits.longest_limit_s > 0 ? context_.traits.longest_limit_s : Dispatcher::unlimited_s;
  std::vector<DispatchedLane> lanes =
      context_.dispatcher.next(context_.traits.longest_lane_s, longest_limit_s);
  const auto of_one_node =
      std::ranges::count_if(lanes, [](const DispatchedLane& lane) { return lane.hosts.size() == 1; });
  // Somebody may have taken a node since, and one such node makes its whole job wait.
  if (context_.traits.many_lanes && of_one_node > 1 && !nodes_.is_fresh())
    if (auto looked = nodes_.look_again(); !looked) return looked;
  for (DispatchedLane& lane : lanes) {
    if (lane.hosts.size() == 1 && nodes_.all_are(lane.hosts, SchedulerNode::Kind::out)) {
      for (const std::size_t work : lane.works) context_.dispatcher.again(work);
      context_.dispatcher.release(lane.hosts);
      continue;
    }
    RunningLane made{std::move(lane.hosts), {}};
    for (const std::size_t work : lane.works)
      made.steps.push_back(
          {work, {context_.folder, &context_.planned(work), ledger_.next_attempt(work)}, {}, false});
    const bool idle = nodes_.all_are(made.pool, SchedulerNode::Kind::idle);
    if (!context_.traits.many_lanes || made.pool.size() != 1 || !idle) {
      ready_.push_back({{std::move(made)}, {}, 0, 0});
      continue;
    }
    const SchedulerNode& node = nodes_.node(made.pool.front());
    int gpus = 0;
    for (const RunningStep& step : made.steps) gpus = std::max(gpus, step.place.planned->gpus_per_node);
    auto& jobs = shared[{node.free_until_s.value_or(Dispatcher::unlimited_s), gpus}];
    if (jobs.empty() || (context_.traits.most_nodes > 0 &&
                         static_cast<int>(jobs.back().size()) >= context_.traits.most_nodes))
      jobs.emplace_back();
    jobs.back().push_back(std::move(made));
  }
  for (auto each = shared.rbegin(); each != shared.rend(); ++each)
    for (auto job = each->second.rbegin(); job != each->second.rend(); ++job)
      ready_.push_front({std::move(*job), {}, 0, 0});
  return {};
}

Result<Submission> SubmitQueue::submit(RunningJob& running) {
  Job& job = running.job;
  const bool offered = !job.id.empty();
  if (!offered) job.id = fmt::format("job-{}", next_job_);
  job.campaign = context_.campaign.id;
  job.folder = context_.folder / "jobs" / job.id;
  std::vector<std::pair<std::string, int>> attempts;
  for (RunningLane& lane : running.lanes) {
    JobLane& made = job.lanes.emplace_back();
    lane.hosts.clear();
    for (const int host : lane.pool) lane.hosts.push_back(context_.host(host));
    made.hosts = lane.hosts;
    for (const RunningStep& step : lane.steps) {
      const Case& each = *step.place.planned;
      made.steps.push_back({each.id, step.place.index, step.place.folder(), limit_with_grace(each),
                            starts_from_anywhere(each.launcher)});
      attempts.emplace_back(each.id, step.place.index);
      job.gpus_per_node = std::max(job.gpus_per_node, each.gpus_per_node);
    }
  }
  if (auto renewed = context_.renew_lock(); !renewed) return failure_of(renewed);
  if (auto intended = context_.journal.intend(job.id, attempts); !intended) return failure_of(intended);
  for (std::size_t i = 0; i < running.lanes.size(); ++i)
    for (std::size_t k = 0; k < running.lanes[i].steps.size(); ++k)
      if (auto prepared = prepare(running.lanes[i].steps[k].place, job, job.lanes[i], job.lanes[i].steps[k]);
          !prepared)
        return failure_of(prepared);
  if (auto made = make_private_folder(job.folder); !made) return failure_of(made);
  if (auto written = write_file(job.folder / job_file, job_json(job)); !written) return failure_of(written);
  if (offered) {  // it may have got there all the same
    const auto there = context_.scheduler->found(job);
    if (there && !there->empty()) {
      if (auto entered = entered_queue(running, *there); !entered) return failure_of(entered);
      return JobAccepted{*there};
    }
    if (!there) {
      events_.report_silent(to_string(there.error()));
      return JobUnsure{there.error().what};
    }
  }
  auto submission = context_.scheduler->submit(job);
  if (!submission) return submission;
  if (const auto* accepted = std::get_if<JobAccepted>(&*submission))
    if (auto entered = entered_queue(running, accepted->known_as); !entered) return failure_of(entered);
  const auto* later = std::get_if<JobLater>(&*submission);
  const auto* unsure = std::get_if<JobUnsure>(&*submission);
  if (unsure != nullptr || (later != nullptr && later->of == JobLater::Of::unknown)) take_id(job);
  if (unsure != nullptr) events_.report_silent(unsure->words);
  return submission;
}

Result<void> SubmitQueue::prepare(const AttemptPlace& place, const Job& job, const JobLane& lane,
                                  JobStep& step) {
  Case placed = *place.planned;
  const std::string hosts = folded_hostlist(lane.hosts);
  if (context_.outlives_us() && placed.hosts != hosts && !placed.program.empty()) {
    placed.hosts = hosts;
    placed.argv.clear();
    if (auto composed = compose_argv(placed, 0, &context_.campaign.site); !composed) return composed;
  }
  if (!secrets_of(placed).empty())
    if (auto provided = provide_secrets(context_.folder, context_.campaign); !provided) return provided;
  const JobContext context{
      context_.campaign.id,
      place.index,
      context_.options.layout.libexec / "attempt",
      grace_s,
      placed.warnings,
      node_state_command(placed, context_.options.layout.libexec / "node-state", &context_.campaign.site)};
  if (auto prepared = prepare_run_directory(place.folder(), placed, context); !prepared) return prepared;
  std::error_code code;
  if (!context_.outlives_us())
    if (const fs::path folder = fs::canonical(place.folder(), code); !code)
      step.direct = direct_start(placed, context, folder);
  if (auto written = write_file(place.folder() / place_file, place_json(job.id, hosts)); !written)
    return written;
  return {};
}

Result<void> SubmitQueue::entered_queue(RunningJob& running, const std::string& known_as) {
  Job& job = running.job;
  take_id(job);
  events_.note_answer();
  running.known_as = known_as;
  running.submitted_s = steady_s();
  if (auto noted = context_.journal.submitted(job.id, known_as); !noted) return noted;
  Event event;
  event.kind = Event::Kind::job_submitted;
  event.job = job.id;
  event.text = known_as;
  event.hosts = folded_hostlist(job.hosts());
  events_.report(event);
  return {};
}

void SubmitQueue::take_id(const Job& job) {
  if (job.id == fmt::format("job-{}", next_job_)) ++next_job_;
}

// Jobs that the scheduler did not take: offered again for a time, divided, given up.
namespace {

constexpr int most_passed_over = 3;  // times that a job is rejected and another taken: then it is its fault

/// The words without their numbers: those of a job differ from those of the next.
std::string without_numbers(std::string words) {
  std::ranges::replace_if(
      words, [](char c) { return c >= '0' && c <= '9'; }, '0');
  return words;
}

}  // namespace

Result<void> SubmitQueue::record_rejected(ReadyJob ready, const JobLater& answer) {
  if (ready.words != answer.words && !answer.words.empty()) {
    Event event;
    event.kind = Event::Kind::job_waiting;
    event.job = fmt::format("job-{}", next_job_);
    event.text = answer.words;
    event.hosts = folded_hostlist(hosts_of(ready));
    events_.report(event);
  }
  ready.words = answer.words;
  const bool alone = context_.running.empty() && answer.of == JobLater::Of::this_one;
  if (!alone)
    ready.rejected_since_s = 0;
  else if (ready.rejected_since_s <= 0)
    ready.rejected_since_s = steady_s();
  const bool for_good = alone && steady_s() - ready.rejected_since_s >= context_.options.pauses.refused_s;
  if (for_good) return refuse(std::move(ready), answer.words);
  if (answer.of == JobLater::Of::this_one) {
    ready.suspect = true;
    ready_.push_back(std::move(ready));
  } else {
    ready_.push_front(std::move(ready));
  }
  return {};
}

Result<void> SubmitQueue::reoffer_suspects() {
  std::vector<ReadyJob> suspects;
  std::erase_if(ready_, [&](ReadyJob& ready) {
    if (!ready.suspect) return false;
    suspects.push_back(std::move(ready));
    return true;
  });
  for (ReadyJob& ready : suspects) {
    ready.suspect = false;
    if (++ready.passed_over < most_passed_over) {
      ready_.push_front(std::move(ready));  // again at once, as long as the queue takes others
      continue;
    }
    const std::string words = ready.words;
    if (auto refused = refuse(std::move(ready), words); !refused) return refused;
  }
  return {};
}

Result<void> SubmitQueue::put_off(ReadyJob ready, const std::string& words) {
  Refusals& refusals = ready.refusals;
  const bool first = refusals.since_s <= 0;
  if (first) refusals.since_s = steady_s();
  refusals.pause_s = first ? context_.options.pauses.refusal_s
                           : std::min(2 * refusals.pause_s, context_.options.pauses.refusal_most_s);
  const std::string before = std::exchange(refusals.words, words);
  const std::string kind = without_numbers(words);
  if (steady_s() - refusals.since_s >= context_.options.pauses.refused_s) lasting_refusals_.insert(kind);
  if (!first && lasting_refusals_.contains(kind)) return refuse(std::move(ready), words);
  if (first || without_numbers(before) != kind) report_refusal(ready);
  ready.offer_at_s = steady_s() + refusals.pause_s;
  put_off_.push_back(std::move(ready));
  return {};
}

void SubmitQueue::report_refusal(const ReadyJob& ready) {
  Event event;
  event.kind = Event::Kind::job_refused;
  event.job = ready.job_id;
  event.hosts = folded_hostlist(hosts_of(ready));
  event.text = fmt::format("{}; retried for up to {}", ready.refusals.words,
                           duration_text(context_.options.pauses.refused_s));
  events_.report(std::move(event));
}

void SubmitQueue::offer_again() {
  const auto due = std::ranges::stable_partition(
      put_off_, [now = steady_s()](const ReadyJob& ready) { return ready.offer_at_s > now; });
  for (ReadyJob& ready : due) ready_.push_back(std::move(ready));
  put_off_.erase(due.begin(), due.end());
}

Result<void> SubmitQueue::refuse(ReadyJob ready, const std::string& words) {
  std::size_t steps = 0;
  for (const RunningLane& lane : ready.lanes) steps += lane.steps.size();
  if (steps <= 1) return give_up_job(ready, words);
  // One of them may be what is wrong: the others shall not go with it.
  std::vector<ReadyJob> parts;
  if (ready.lanes.size() > 1) {
    for (RunningLane& lane : ready.lanes) parts.push_back({{std::move(lane)}, {}, 0, 0});
  } else {
    // Steps behind each other share their nodes: the first goes, the others wait for them.
    RunningLane& lane = ready.lanes.front();
    for (std::size_t i = 1; i < lane.steps.size(); ++i) {
      ledger_.take_back(lane.steps[i].work);
    }
    lane.steps.resize(1);
    parts.push_back({{std::move(lane)}, {}, 0, 0});
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) ready_.push_front(std::move(*part));
  return {};
}

Result<void> SubmitQueue::give_up_job(const ReadyJob& ready, const std::string& words) {
  for (const RunningLane& lane : ready.lanes) {
    for (const RunningStep& step : lane.steps) {
      if (const auto abandoned = abandon_unstarted(step.place.folder()); !abandoned)
        return failure_of(abandoned);
      if (auto given = ledger_.give_up(step.work, fmt::format("the scheduler refuses its job: {}", words));
          !given)
        return given;
    }
    context_.dispatcher.release(lane.pool);
  }
  return {};
}

}  // namespace shakedown
