#include "orchestrator/campaign/engine.hpp"

#include <signal.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/counterpart.hpp"
#include "orchestrator/campaign/dispatcher.hpp"
#include "orchestrator/campaign/gate.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/retry.hpp"
#include "orchestrator/campaign/running_job.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/campaign/set_scores.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/core/command_line.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/composition.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {
namespace {

constexpr int max_lost_in_a_row = 3;   // then something kills our jobs: starting more helps nobody
constexpr std::size_t max_blames = 2;  // of a node: then it is out
constexpr double grace_s = 10;         // between SIGTERM and SIGKILL
constexpr double settle_s = 10;        // that a shared file system may take to show what a job wrote last

bool is_done(AttemptState state) {
  return state == AttemptState::finished || state == AttemptState::timed_out;
}

/// One pass over a campaign: owns what a pass needs and knows where it stands.
class Pass {
 public:
  Pass(CampaignRecord campaign, fs::path folder, Database database, Journal journal,
       const EngineOptions& options, std::unique_ptr<Scheduler> scheduler)
      : campaign_(std::move(campaign)),
        folder_(std::move(folder)),
        database_(std::move(database)),
        journal_(std::move(journal)),
        options_(options),
        scheduler_(std::move(scheduler)),
        traits_(scheduler_->traits()),
        pool_(node_pool(campaign_, traits_)),
        dispatcher_(works_of(campaign_, pool_, traits_), static_cast<int>(pool_.size())),
        lost_(campaign_.cases.size(), 0) {
    for (const CaseRecord& record : campaign_.cases)
      last_stage_ = std::max(last_stage_, record.planned.stage);
  }

  Result<PassEnd> run() {
    if (auto set = database_.set_state(campaign_.id, CampaignState::running, 0); !set) return pass_on(set);
    if (auto begun = begin(); !begun) return pass_on(begun);
    if (auto taken = take_stock(); !taken) return pass_on(taken);
    for (const auto& [id, because] : options_.lacking)
      if (const std::size_t work = work_of(id); work < campaign_.cases.size() && dispatcher_.is_waiting(work))
        if (auto given = give_up(work, because); !given) return pass_on(given);
    while (true) {
      heed_interrupts();
      if (auto looked = look(); !looked) return pass_on(looked);
      if (stopping() && leaves() && !ending_) break;  // its jobs go on
      if (!stopping())
        if (auto dispatched = dispatch(); !dispatched) return pass_on(dispatched);
      if (running_.empty()) {
        if (stopping() || (ready_.empty() && dispatcher_.waiting() == 0)) break;
        const auto any = gave_up();
        if (!any) return pass_on(any);
        if (*any) continue;
      }
      if (!scheduler_->wait(options_.heartbeat_s)) tell_running();
    }
    return ended();
  }

 private:
  [[nodiscard]] const Case& planned(std::size_t work) const { return campaign_.cases[work].planned; }
  [[nodiscard]] bool stopping() const { return cancelled_ || Interrupts::count() > 0; }
  /// Jobs of a batch system go on without us.
  [[nodiscard]] bool leaves() const { return traits_.outlives_us; }

  Result<PassEnd> ended() {
    const bool interrupted = stopping();
    if (auto noted = journal_.note(interrupted ? "interrupted" : "finished"); !noted) return pass_on(noted);
    const auto state = interrupted ? CampaignState::interrupted : CampaignState::finished;
    if (auto set = database_.set_state(campaign_.id, state, last_end_s_); !set) return pass_on(set);
    if (auto scored = store_set_scores(database_, campaign_.id); !scored) return pass_on(scored);
    const int signal = Interrupts::last_signal() == 0 && cancelled_ ? SIGTERM : Interrupts::last_signal();
    return PassEnd{interrupted, signal, static_cast<int>(running_.size())};
  }

  /// What an earlier pass gave up may run in this one, except what another case took the place of.
  Result<void> begin() {
    forget_end_request(folder_);
    if (auto noted = journal_.begin_pass(); !noted) return noted;
    for (CaseRecord& record : campaign_.cases) {
      if (record.not_run.empty()) continue;
      record.not_run.clear();
      if (auto put = database_.put_not_run(campaign_.id, record.planned.id, ""); !put) return put;
    }
    for (const CaseRecord& record : campaign_.cases) {
      if (auto there = database_.add_case(campaign_.id, {record.planned}); !there) return there;
      if (record.planned.stands_for.empty()) continue;
      if (auto given = give_up(work_of(record.planned.stands_for), planned_again_as(record.planned), false);
          !given)
        return given;
    }
    for (const Exclusion& exclusion : journal_.excluded()) leave_out(exclusion.node);
    return database_.put_exclusions(campaign_.id, journal_.excluded());
  }

  /// Learns what earlier passes left: stores what ended, adopts what runs, gives up what never began.
  Result<void> take_stock() {
    auto jobs = known_jobs(folder_);
    if (!jobs) return pass_on(jobs);
    next_job_ = jobs->next;
    std::map<std::string, RunningJob> unsettled;
    for (std::size_t work = 0; work < campaign_.cases.size(); ++work) {
      AttemptPlace place{
          folder_, &planned(work),
          std::max(last_attempt(folder_ / planned(work).id), journal_.last_intended(planned(work).id))};
      if (auto stored = store_earlier(place); !stored) return stored;
      if (place.index == 0) continue;
      attempts_[work] = place.index;
      if (!fs::exists(place.folder())) continue;  // only the journal knows of it: it never began
      if (const auto finished = read_finished(place.folder())) {
        if (auto settled = settled_before(work, place, *finished); !settled) return settled;
        continue;
      }
      // What an earlier pass claimed never began and never will.
      if (const auto started = read_started(place.folder()); started && started->abandoned) continue;
      const Job job = jobs->of(place);
      RunningJob& running = unsettled[job.id];
      running.job = job;
      running.lanes.resize(job.lanes.size());
      const std::size_t lane = lane_of(job, place);
      running.lanes[lane].steps.push_back({work, place, {}, false});
    }
    for (auto& [id, job] : unsettled)
      if (auto adopted = adopt(std::move(job)); !adopted) return adopted;
    return {};
  }

  /// Stores attempts before the last that the database does not have: they ended long ago.
  Result<void> store_earlier(AttemptPlace place) {
    const int last = place.index;
    for (place.index = 1; place.index < last; ++place.index) {
      const auto stored = database_.has_attempt(campaign_.id, place.planned->id, place.index);
      if (!stored) return pass_on(stored);
      if (*stored || !fs::exists(place.folder())) continue;
      const AttemptRecord attempt =
          collected_attempt(place, campaign_.inventory, screens_.all(), campaign_.settings);
      if (auto put = database_.put_attempt(campaign_.id, place.planned->id, attempt); !put) return put;
    }
    return {};
  }

  /// An attempt that ended in an earlier pass, or between the two.
  Result<void> settled_before(std::size_t work, const AttemptPlace& place, const Finished& finished) {
    const auto stored = database_.has_attempt(campaign_.id, place.planned->id, place.index);
    if (!stored) return pass_on(stored);
    if (!*stored) {
      const auto attempt = collected(work, place);
      if (!attempt) return pass_on(attempt);
      if (is_done(attempt->state)) settle(work, *attempt);
      return {};
    }
    last_end_s_ = std::max(last_end_s_, finished.finished_s);
    if (!is_done(ended_state(place, finished))) return {};
    if (is_screen(*place.planned) || place.planned->stage < last_stage_) {
      const AttemptRecord attempt =
          collected_attempt(place, campaign_.inventory, screens_.all(), campaign_.settings);
      screens_.remember(*place.planned, attempt);
      settle(work, attempt);
    } else {
      dispatcher_.end(work);
    }
    tell(Event::Kind::case_skipped, work, place.index);
    return {};
  }

  /// Takes on a job of an earlier pass; what of it never began never will.
  Result<void> adopt(RunningJob running) {
    std::erase_if(running.lanes, [](const RunningLane& lane) { return lane.steps.empty(); });
    running.known_as = journal_.known_as(running.job.id);
    if (!leaves())
      if (auto here = is_of_this_host(running); !here) return here;
    // A job of this machine that has not begun waits for nobody: whoever started it is gone.
    bool open = leaves();
    for (RunningLane& lane : running.lanes)
      for (RunningStep& step : lane.steps) {
        if (leaves()) continue;
        const auto abandoned = abandon_unstarted(step.place.folder());
        if (!abandoned) return pass_on(abandoned);
        open = open || !*abandoned;
      }
    bool taken = false;
    if (open) {
      const auto adopted = scheduler_->adopt(running.job, running.known_as);
      if (!adopted) return pass_on(adopted);
      taken = *adopted;
    }
    if (!taken) return lost_job(running);
    for (std::size_t i = 0; i < running.lanes.size(); ++i) {
      RunningLane& lane = running.lanes[i];
      lane.pool = pool_places(hosts_of(running.job, lane));
      DispatchedLane begun{lane.pool, {}};
      for (const RunningStep& step : lane.steps) begun.works.push_back(step.work);
      dispatcher_.adopt(begun);
    }
    running.submitted_s = steady_s();
    adopted_.insert(running.job.id);
    running_.push_back(std::move(running));
    return {};
  }

  Result<void> is_of_this_host(const RunningJob& running) const {
    for (const RunningLane& lane : running.lanes)
      for (const RunningStep& step : lane.steps) {
        const auto started = read_started(step.place.folder());
        if (!started || started->abandoned || started->host.empty() || started->host == host_name()) continue;
        return fail_environment(
            step.place.folder().string(),
            fmt::format("was started on {} and has not said how it ended", started->host),
            fmt::format("resume on {}: only there it is known whether it still runs", started->host));
      }
    return {};
  }

  /// The attempts of a job that is gone: some may have said how they ended, the rest is lost or never began.
  Result<void> lost_job(RunningJob& running) {
    for (RunningLane& lane : running.lanes)
      for (RunningStep& step : lane.steps) {
        if (step.collected) continue;
        if (!read_finished(step.place.folder()) && !read_started(step.place.folder()))
          if (const auto abandoned = abandon_unstarted(step.place.folder()); !abandoned)
            return pass_on(abandoned);
        const JobStanding standing = scheduler_->standing(running.job, /*ask=*/false);
        if (auto done = conclude(running, step, lane, &standing); !done) return done;
      }
    return {};
  }

  /// Asks which nodes get jobs at all. Those that get none are left alone until they do.
  Result<void> look_at_nodes() {
    if (steady_s() < ask_nodes_at_s_) return {};
    ask_nodes_at_s_ = steady_s() + nodes_poll_s;
    auto standings = scheduler_->nodes(pool_);
    if (!standings) return pass_on(standings);
    for (std::size_t host = 0; host < pool_.size(); ++host) {
      const NodeStanding& now = (*standings)[host];
      dispatcher_.set_available(static_cast<int>(host), now.kind != NodeStanding::Kind::out);
      if (now.kind == NodeStanding::Kind::out && (nodes_.empty() || nodes_[host].kind != now.kind)) {
        Event event;
        event.kind = Event::Kind::node_unavailable;
        event.hosts = now.host;
        event.text = now.reason;
        tell(event);
      }
    }
    nodes_ = *std::move(standings);
    return {};
  }

  /// Turns the dispatcher's lanes into jobs: lanes of one node each share a job where they can begin
  /// together. A node that others hold would keep them all waiting.
  void make_ready() {
    std::vector<RunningLane> singles;
    for (DispatchedLane& lane : dispatcher_.next(traits_.longest_lane_s)) {
      RunningLane made{std::move(lane.hosts), {}};
      for (const std::size_t work : lane.works)
        made.steps.push_back({work, {folder_, &planned(work), ++attempts_[work]}, {}, false});
      const bool idle = std::ranges::all_of(made.pool, [&](int host) {
        return nodes_[static_cast<std::size_t>(host)].kind == NodeStanding::Kind::idle;
      });
      if (traits_.many_lanes && made.pool.size() == 1 && idle)
        singles.push_back(std::move(made));
      else
        ready_.push_back({std::move(made)});
    }
    if (!singles.empty()) ready_.push_front(std::move(singles));
  }

  /// A case has ended for good; what it says of the stages above it is kept.
  void settle(std::size_t work, const AttemptRecord& attempt) {
    if (std::string why = objection_to_next_stage(attempt, planned(work)); !why.empty())
      objections_.push_back({work, std::move(why)});
    dispatcher_.end(work);
  }

  /// When a stage begins: a node that failed alone in those below gets no more work, and where nodes failed
  /// together nothing more begins.
  Result<void> pass_gates() {
    const int stage = dispatcher_.stage() / 2;
    for (Objection& objection : objections_) {
      const Case& failed = planned(objection.work);
      if (objection.heeded || failed.stage >= stage) continue;
      objection.heeded = true;
      if (leaves() && failed.bound && failed.nodes == 1) {
        if (auto out = exclude(failed.hosts, fmt::format("{}: {}", failed.id, objection.why)); !out)
          return out;
        continue;
      }
      for (std::size_t work = 0; work < campaign_.cases.size(); ++work)
        if (dispatcher_.is_waiting(work) && planned(work).stage > failed.stage)
          if (auto given = give_up(
                  work, fmt::format("stage {} did not pass: {}: {}", failed.stage, failed.id, objection.why));
              !given)
            return given;
    }
    return {};
  }

  /// Submits what can begin now.
  Result<void> dispatch() {
    if (steady_s() < hold_until_s_) return {};
    if (auto passed = pass_gates(); !passed) return passed;
    if (auto planned = plan_again(); !planned) return planned;
    if (ready_.empty() && dispatcher_.waiting() > 0) {
      if (auto looked = look_at_nodes(); !looked) return looked;
      make_ready();
    }
    while (!ready_.empty() && static_cast<int>(running_.size()) < traits_.most_jobs) {
      RunningJob running;
      running.lanes = ready_.front();
      const auto submitted = submit(running);
      if (!submitted) return pass_on(submitted);
      if (!*submitted) {  // the queue takes no more: later
        hold_until_s_ = steady_s() + hold_s;
        return {};
      }
      ready_.pop_front();
      running_.push_back(std::move(running));
      if (leaves()) continue;
      for (RunningLane& lane : running_.back().lanes) tell_start(running_.back(), lane.steps.front());
    }
    return {};
  }

  /// Prepares a job's folders and hands it to the scheduler. False: the scheduler takes no more now.
  Result<bool> submit(RunningJob& running) {
    Job& job = running.job;
    job.id = fmt::format("job-{}", next_job_);
    job.campaign = campaign_.id;
    job.folder = folder_ / "jobs" / job.id;
    std::vector<std::pair<std::string, int>> attempts;
    for (const RunningLane& lane : running.lanes) {
      JobLane& made = job.lanes.emplace_back();
      for (const int host : lane.pool) made.hosts.push_back(pool_[static_cast<std::size_t>(host)]);
      for (const RunningStep& step : lane.steps) {
        const Case& each = *step.place.planned;
        const double limit_s = each.time_limit_s > 0 ? each.time_limit_s + grace_s : 0;
        made.steps.push_back(
            {each.id, step.place.index, step.place.folder(), limit_s, each.launcher == "srun"});
        attempts.emplace_back(each.id, step.place.index);
      }
    }
    if (auto intended = journal_.intend(job.id, attempts); !intended) return pass_on(intended);
    for (std::size_t i = 0; i < running.lanes.size(); ++i)
      for (const RunningStep& step : running.lanes[i].steps)
        if (auto prepared = prepare(step.place, job, job.lanes[i]); !prepared) return pass_on(prepared);
    if (auto made = make_folder(job.folder); !made) return pass_on(made);
    if (auto written = write_file(job.folder / "job.json", job_json(job)); !written) return pass_on(written);
    const auto known_as = scheduler_->submit(job);
    if (!known_as) return pass_on(known_as);
    if (known_as->empty()) {
      job.lanes.clear();
      return false;
    }
    ++next_job_;
    running.known_as = *known_as;
    running.submitted_s = steady_s();
    if (auto noted = journal_.submitted(job.id, *known_as); !noted) return pass_on(noted);
    Event event;
    event.kind = Event::Kind::job_submitted;
    event.job = job.id;
    event.text = *known_as;
    event.hosts = folded_hostlist(job.hosts());
    tell(event);
    return true;
  }

  /// Writes what an attempt needs into its folder, with the command line for the nodes that it got.
  Result<void> prepare(const AttemptPlace& place, const Job& job, const JobLane& lane) {
    Case placed = *place.planned;
    const std::string hosts = folded_hostlist(lane.hosts);
    if (leaves() && placed.hosts != hosts && !placed.program.empty()) {
      placed.hosts = hosts;
      placed.argv.clear();
      if (auto composed = compose_argv(placed, 0, &campaign_.site); !composed) return composed;
    }
    const JobContext context{
        campaign_.id,
        place.index,
        options_.layout.libexec / "attempt",
        grace_s,
        placed.warnings,
        node_state_command(placed, options_.layout.libexec / "node-state", &campaign_.site)};
    if (auto prepared = prepare_run_directory(place.folder(), placed, context); !prepared) return prepared;
    if (auto written = write_file(place.folder() / "place.json", place_json(job.id, hosts)); !written)
      return written;
    return {};
  }

  /// Collects what has ended since it last looked.
  Result<void> look() {
    for (std::size_t i = 0; i < running_.size();) {
      if (auto looked = look_at(running_[i]); !looked) return looked;
      if (!running_[i].collected()) {
        ++i;
        continue;
      }
      for (const RunningLane& lane : running_[i].lanes) dispatcher_.release(lane.pool);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      hold_until_s_ = 0;
    }
    return {};
  }

  Result<void> look_at(RunningJob& running) {
    // Asked before the files are read: what a job wrote before it went is then there.
    const JobStanding standing = scheduler_->standing(running.job, is_silent(running));
    for (RunningLane& lane : running.lanes)
      while (RunningStep* step = lane.current()) {
        if (const auto finished = read_finished(step->place.folder())) {
          const bool told = standing.phase == JobStanding::Phase::gone;
          if (by_others(running, *finished) && !told) break;  // who ended it is worth waiting for
          tell_start(running, *step);
          if (auto done = conclude(running, *step, lane, told ? &standing : nullptr); !done) return done;
          continue;
        }
        const auto started = read_started(step->place.folder());
        if (started && !started->abandoned) tell_start(running, *step);
        break;
      }
    if (running.collected()) return {};
    if (standing.phase == JobStanding::Phase::pending) tell_waiting(running, standing);
    if (standing.phase != JobStanding::Phase::gone) {
      running.gone_since_s.reset();
      return {};
    }
    if (!running.gone_since_s) running.gone_since_s = steady_s();
    if (leaves() && steady_s() - *running.gone_since_s < settle_s) return {};
    return lost_job(running);
  }

  /// Whether an attempt was ended by somebody else, whom its scheduler may know.
  [[nodiscard]] bool by_others(const RunningJob& running, const Finished& finished) const {
    return leaves() && !running.ending && finished.state == to_string(AttemptState::interrupted) &&
           now_s() - finished.finished_s < 10 * settle_s;
  }

  /// Whether what a job wrote, or did not, gives reason to ask the scheduler about it.
  [[nodiscard]] bool is_silent(RunningJob& running) const {
    constexpr double patience_s = 5;
    if (running.gone_since_s) return true;
    for (RunningLane& lane : running.lanes) {
      const RunningStep* step = lane.current();
      if (step == nullptr) continue;
      if (const auto finished = read_finished(step->place.folder());
          finished && by_others(running, *finished))
        return true;
      const double limit_s = step->place.planned->time_limit_s;
      const double since_s = step->since_s.value_or(running.submitted_s);
      if (!step->since_s && steady_s() - since_s > patience_s) return true;
      if (limit_s > 0 && steady_s() - since_s > limit_s + grace_s) return true;
      if (steady_s() - since_s > options_.silence_s) return true;
    }
    return false;
  }

  /// Stores how an attempt ended and decides what follows.
  Result<void> conclude(RunningJob& running, RunningStep& step, const RunningLane& lane,
                        const JobStanding* standing) {
    if (standing != nullptr && standing->end != JobEnd::unknown)
      if (auto said = write_file(step.place.folder() / "scheduler.json", standing_json(*standing)); !said)
        return said;
    const auto attempt = collected(step.work, step.place);
    if (!attempt) return pass_on(attempt);
    step.collected = true;
    const bool lost = attempt->state == AttemptState::lost;
    lost_in_a_row_ = lost ? lost_in_a_row_ + 1 : 0;
    if (lost && !leaves() && lost_in_a_row_ >= max_lost_in_a_row)
      return fail_environment(
          step.place.folder().string(),
          fmt::format("{} attempts in a row ended without finished.json", lost_in_a_row_),
          "the job's own files there tell more; is the disk full, does something kill jobs here?");
    const Retry retry = retry_after(*attempt, hosts_of(running.job, lane), standing);
    for (const std::string& node : retry.blamed)
      if (auto blamed = blame(node, running.job.id, retry.because); !blamed) return blamed;
    // A launcher that can't start here won't the next time: elsewhere it may.
    const bool elsewhere = pool_.size() > lane.pool.size() && !step.place.planned->bound;
    const bool sensible = attempt->state == AttemptState::lost || elsewhere;
    // What waited behind others did not fail with them; a job that nothing of could be started did.
    const bool unstartable =
        standing != nullptr && standing->end == JobEnd::failed &&
        std::ranges::none_of(lane.steps, [](const RunningStep& each) { return each.since_s.has_value(); });
    const bool never_began = lost && attempt->started_s <= 0 && !unstartable;
    if (retry.again && sensible && !running.ending &&
        (never_began || ++lost_[step.work] < options_.attempts_max)) {
      dispatcher_.again(step.work);
      Event event = event_of(Event::Kind::case_again, step.work, step.place.index);
      event.text = retry.because;
      tell(event);
    } else {
      settle(step.work, *attempt);
    }
    return {};
  }

  /// Counts a job against a node, however many of its attempts ended there; the second takes it out.
  Result<void> blame(const std::string& node, const std::string& job, const std::string& because) {
    std::set<std::string>& jobs = blames_[node];
    jobs.insert(job);
    if (!leaves() || jobs.size() < max_blames) return {};
    return exclude(node, because);
  }

  /// Gives a node no more work, in this pass or a later one.
  Result<void> exclude(const std::string& node, const std::string& because) {
    if (std::ranges::find(journal_.excluded(), node, &Exclusion::node) != journal_.excluded().end())
      return {};
    if (auto noted = journal_.exclude(node, because); !noted) return noted;
    leave_out(node);
    Event event;
    event.kind = Event::Kind::node_excluded;
    event.hosts = node;
    event.text = because;
    tell(event);
    return database_.put_exclusions(campaign_.id, journal_.excluded());
  }

  void leave_out(const std::string& node) {
    const auto it = std::ranges::find(pool_, node);
    if (it == pool_.end()) return;
    const auto host = static_cast<int>(it - pool_.begin());
    dispatcher_.exclude(host);
    // What was to begin there waits for another node.
    for (std::vector<RunningLane>& lanes : ready_)
      std::erase_if(lanes, [&](const RunningLane& lane) {
        if (std::ranges::find(lane.pool, host) == lane.pool.end()) return false;
        for (const RunningStep& step : lane.steps) {
          --attempts_[step.work];
          dispatcher_.again(step.work);
        }
        dispatcher_.release(lane.pool);
        return true;
      });
    std::erase_if(ready_, [](const std::vector<RunningLane>& lanes) { return lanes.empty(); });
  }

  /// Plans the cases of this stage anew that too few nodes are left for.
  Result<void> plan_again() {
    std::vector<std::size_t> wide;
    for (const std::size_t work : dispatcher_.impossible())
      if (!planned(work).bound && dispatcher_.work(work).stage == dispatcher_.stage()) wide.push_back(work);
    if (wide.empty()) return {};
    std::vector<std::string> out;
    std::string because;
    for (const Exclusion& exclusion : journal_.excluded()) {
      out.push_back(exclusion.node);
      because += fmt::format("{}{} is excluded ({})", because.empty() ? "" : "; ", exclusion.node,
                             exclusion.because);
    }
    Result<std::vector<Case>> fresh = fail(campaign_.id, "nobody can plan it anew");
    if (options_.replan) fresh = options_.replan(campaign_, out);
    for (const std::size_t work : wide) {
      const Case old = planned(work);
      std::string why = fresh ? "no such case is planned without them" : fresh.error().what;
      const Case* found = fresh ? counterpart(campaign_.cases, work, *fresh) : nullptr;
      if (found != nullptr && found->nodes < old.nodes) {
        if (auto added = stand_in(*found, old, because); !added) return added;
        why = planned_again_as(campaign_.cases.back().planned);
      }
      if (auto given = give_up(work, fmt::format("needs {} nodes, and {}: {}", old.nodes, because, why));
          !given)
        return given;
    }
    return {};
  }

  /// Adds a case in the place of one that can't run any more.
  Result<void> stand_in(Case fresh, const Case& old, const std::string& because) {
    fresh.stands_for = old.id;
    fresh.why.insert(fresh.why.begin(),
                     {"nodes", std::int64_t{fresh.nodes},
                      fmt::format("planned for {}, and {}", old.nodes, because), "the nodes that are left"});
    const std::string name = fresh.id;
    for (int k = 2; work_of(fresh.id) < campaign_.cases.size(); ++k) fresh.id = fmt::format("{}-{}", name, k);
    if (auto noted = journal_.add(fresh); !noted) return noted;
    if (auto put = database_.add_case(campaign_.id, {fresh}); !put) return put;
    campaign_.cases.push_back({std::move(fresh)});
    for (RunningJob& running : running_)
      for (RunningLane& lane : running.lanes) point_anew(lane);
    for (std::vector<RunningLane>& lanes : ready_)
      for (RunningLane& lane : lanes) point_anew(lane);
    dispatcher_.add(works_of(campaign_, pool_, traits_).back());
    lost_.push_back(0);
    Event event = event_of(Event::Kind::case_replanned, campaign_.cases.size() - 1, 0);
    event.text = fmt::format("in place of {}: {}", old.id, because);
    tell(event);
    return {};
  }

  /// The cases have moved.
  void point_anew(RunningLane& lane) {
    for (RunningStep& step : lane.steps) step.place.planned = &planned(step.work);
  }

  /// The place of a case in the plan; that of none: behind all.
  [[nodiscard]] std::size_t work_of(std::string_view case_id) const {
    const auto it =
        std::ranges::find(campaign_.cases, case_id,
                          [](const CaseRecord& record) -> const std::string& { return record.planned.id; });
    return static_cast<std::size_t>(it - campaign_.cases.begin());
  }

  static std::string planned_again_as(const Case& fresh) {
    return fmt::format("{} on {} nodes took its place", fresh.id, fresh.nodes);
  }

  /// Ends the cases that no node is left for, and where nothing else is left those whose nodes get no jobs.
  /// Whether there were any.
  Result<bool> gave_up() {
    bool any = false;
    for (const std::size_t work : dispatcher_.impossible()) {
      const Case& each = planned(work);
      const auto out = std::ranges::find(journal_.excluded(), each.hosts, &Exclusion::node);
      const std::string why = each.bound && out != journal_.excluded().end()
                                  ? fmt::format("{} is excluded: {}", out->node, out->because)
                                  : fmt::format("needs {} nodes, and too few are left", each.nodes);
      if (auto given = give_up(work, why); !given) return pass_on(given);
      any = true;
    }
    if (any || !running_.empty() || !ready_.empty()) return any;
    for (std::size_t work = 0; work < campaign_.cases.size(); ++work) {
      const std::string why = dispatcher_.is_waiting(work) ? blocked(work) : "";
      if (why.empty()) continue;
      if (auto given = give_up(work, why); !given) return pass_on(given);
      any = true;
    }
    return any;
  }

  /// Why a case can't begin though nothing else runs; empty: it can.
  [[nodiscard]] std::string blocked(std::size_t work) const {
    const Work& each = dispatcher_.work(work);
    if (each.stage != dispatcher_.stage() || nodes_.empty()) return "";
    std::vector<std::string> out;
    std::string reason;
    int there = 0;
    for (std::size_t host = 0; host < nodes_.size(); ++host) {
      const bool wanted = each.hosts.empty()
                              ? !each.among || (*each.among)[host]
                              : std::ranges::find(each.hosts, static_cast<int>(host)) != each.hosts.end();
      if (!wanted) continue;
      if (nodes_[host].kind != NodeStanding::Kind::out) {
        ++there;
        continue;
      }
      out.push_back(nodes_[host].host);
      reason = nodes_[host].reason;
    }
    if (there >= each.nodes || out.empty()) return "";
    return fmt::format("{} get{} no jobs: {}", folded_hostlist(out), out.size() == 1 ? "s" : "", reason);
  }

  Result<void> give_up(std::size_t work, std::string because, bool aloud = true) {
    if (work >= campaign_.cases.size()) return {};
    dispatcher_.end(work);
    CaseRecord& record = campaign_.cases[work];
    record.not_run = because;
    if (auto noted = journal_.give_up(record.planned.id, because); !noted) return noted;
    if (auto put = database_.put_not_run(campaign_.id, record.planned.id, because); !put) return put;
    if (!aloud) return {};
    Event event = event_of(Event::Kind::case_given_up, work, attempts_[work]);
    event.text = std::move(because);
    tell(event);
    return {};
  }

  /// Passes the user's wish to stop on to the jobs that end with us.
  void heed_interrupts() {
    const int count = Interrupts::count();
    const bool cancel = !cancelled_ && end_requested(folder_);
    if (count <= heeded_ && !cancel) return;
    const bool first = !stopping_told_;
    stopping_told_ = true;
    heeded_ = count;
    cancelled_ = cancelled_ || cancel;
    Event event;
    event.kind = Event::Kind::interrupted;
    if (first) {
      if (!running_.empty())
        if (const RunningStep* step = running_.front().lanes.front().current())
          event = event_of(Event::Kind::interrupted, step->work, step->place.index);
      tell(event);
    }
    if (leaves() && count <= 1 && !cancelled_) return;
    ending_ = true;
    for (RunningJob& running : running_) {
      running.ending = true;
      scheduler_->end(running.job, /*at_once=*/count > 1);
    }
  }

  Result<AttemptRecord> collected(std::size_t work, const AttemptPlace& place) {
    AttemptRecord attempt = collected_attempt(place, campaign_.inventory, screens_.all(), campaign_.settings);
    if (auto put = database_.put_attempt(campaign_.id, place.planned->id, attempt); !put) return pass_on(put);
    if (auto put = database_.add_environment(campaign_.id, lasting_environment(place)); !put)
      return pass_on(put);
    if (auto noted = journal_.note("collected", place.planned->id, place.index); !noted)
      return pass_on(noted);
    last_end_s_ = std::max(last_end_s_, attempt.finished_s);
    screens_.remember(*place.planned, attempt);
    Event event = event_of(Event::Kind::case_ended, work, place.index);
    event.ended = &attempt;
    event.elapsed_s = attempt.wall_s;
    tell(event);
    return attempt;
  }

  [[nodiscard]] std::vector<int> pool_places(const std::vector<std::string>& hosts) const {
    std::vector<int> places;
    for (const std::string& host : hosts)
      if (const auto it = std::ranges::find(pool_, host); it != pool_.end())
        places.push_back(static_cast<int>(it - pool_.begin()));
    return places;
  }

  /// The nodes that a lane of a job has.
  [[nodiscard]] static std::vector<std::string> hosts_of(const Job& job, const RunningLane& lane) {
    if (lane.steps.empty()) return {};
    const std::size_t place = lane_of(job, lane.steps.front().place);
    return job.lanes[place].hosts;
  }

  [[nodiscard]] int steps_running() const {
    int count = 0;
    for (const RunningJob& running : running_)
      for (const RunningLane& lane : running.lanes)
        count += static_cast<int>(std::ranges::count_if(
            lane.steps, [](const RunningStep& step) { return step.since_s && !step.collected; }));
    return count;
  }

  [[nodiscard]] Event event_of(Event::Kind kind, std::size_t work, int attempt) const {
    Event event;
    event.kind = kind;
    event.planned = &planned(work);
    event.number = static_cast<int>(work) + 1;
    event.attempt = attempt;
    return event;
  }

  void tell(Event event) const {
    if (!options_.listener) return;
    event.of = static_cast<int>(campaign_.cases.size());
    event.running = steps_running();
    options_.listener(event);
  }
  void tell(Event::Kind kind, std::size_t work, int attempt) const { tell(event_of(kind, work, attempt)); }

  void tell_start(const RunningJob& running, RunningStep& step) {
    if (step.since_s) return;
    const auto started = read_started(step.place.folder());
    const bool known = started && started->started_s > 0;
    step.since_s = steady_s() - (known ? std::max(0.0, now_s() - started->started_s) : 0);
    Event event = event_of(Event::Kind::case_started, step.work, step.place.index);
    event.adopted = adopted_.contains(running.job.id);
    event.job = running.job.id;
    tell(event);
  }

  void tell_waiting(RunningJob& running, const JobStanding& standing) const {
    if (running.told_reason == standing.reason) return;
    running.told_reason = standing.reason;
    Event event;
    event.kind = Event::Kind::job_waiting;
    event.job = running.job.id;
    event.text = standing.reason;
    event.hosts = folded_hostlist(running.job.hosts());
    tell(event);
  }

  void tell_running() {
    for (RunningJob& running : running_)
      for (RunningLane& lane : running.lanes) {
        const RunningStep* step = lane.current();
        if (step == nullptr || !step->since_s) continue;
        Event event = event_of(Event::Kind::case_running, step->work, step->place.index);
        event.elapsed_s = steady_s() - *step->since_s;
        tell(event);
      }
  }

  /// What a case says of the stages above its own.
  struct Objection {
    std::size_t work = 0;
    std::string why;
    bool heeded = false;
  };

  static constexpr double hold_s = 30;        ///< before a queue that was full is asked again
  static constexpr double nodes_poll_s = 60;  ///< between two questions about nodes

  CampaignRecord campaign_;
  fs::path folder_;
  Database database_;
  Journal journal_;
  const EngineOptions& options_;
  std::unique_ptr<Scheduler> scheduler_;
  SchedulerTraits traits_;
  std::vector<std::string> pool_;    ///< nodes by name
  std::vector<NodeStanding> nodes_;  ///< the same, as the scheduler last saw them
  double ask_nodes_at_s_ = 0;
  Dispatcher dispatcher_;
  std::vector<int> lost_;                       ///< attempts that the machine failed, by case
  std::map<std::size_t, int> attempts_;         ///< the last attempt of each case
  std::deque<std::vector<RunningLane>> ready_;  ///< jobs that wait for room in the queue
  std::vector<RunningJob> running_;
  std::set<std::string> adopted_;                        ///< jobs of earlier passes
  std::map<std::string, std::set<std::string>> blames_;  ///< jobs, by node
  std::vector<Objection> objections_;
  int last_stage_ = 0;  ///< of all cases
  int next_job_ = 1;
  double last_end_s_ = 0;
  double hold_until_s_ = 0;
  int lost_in_a_row_ = 0;
  int heeded_ = 0;
  bool ending_ = false;
  bool cancelled_ = false;      ///< `shakedown cancel` asked for the end
  bool stopping_told_ = false;  ///< of that or an interrupt
  MeasuredScreens screens_;
};

}  // namespace

std::string_view to_string(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::case_started:
      return "case_started";
    case Event::Kind::case_running:
      return "case_running";
    case Event::Kind::case_ended:
      return "case_ended";
    case Event::Kind::case_skipped:
      return "case_skipped";
    case Event::Kind::case_again:
      return "case_again";
    case Event::Kind::case_given_up:
      return "case_given_up";
    case Event::Kind::case_replanned:
      return "case_replanned";
    case Event::Kind::job_submitted:
      return "job_submitted";
    case Event::Kind::job_waiting:
      return "job_waiting";
    case Event::Kind::node_excluded:
      return "node_excluded";
    case Event::Kind::node_unavailable:
      return "node_unavailable";
    case Event::Kind::interrupted:
      return "interrupted";
  }
  return "case_running";
}

Result<std::string> start_campaign(const Workspace& workspace, CampaignRecord campaign) {
  auto database = Database::open(workspace.database());
  if (!database) return pass_on(database);
  auto id = create_campaign_folder(workspace, campaign);
  if (!id) return id;
  if (auto added = database->add_campaign(campaign); !added) return pass_on(added);
  return id;
}

Result<PassEnd> run_campaign(const Workspace& workspace, const std::string& id,
                             const EngineOptions& options) {
  const fs::path folder = workspace.campaign(id);
  auto campaign = read_campaign_folder(folder);
  if (!campaign) return pass_on(campaign);
  if (is_external(*campaign))
    return fail(id, "holds logs of runs made elsewhere: there is nothing to run",
                fmt::format("`{}` judges it", command_for("report " + id, workspace.folder)));
  const auto lock = CampaignLock::take(folder);
  if (!lock) return pass_on(lock);
  auto database = Database::open(workspace.database());
  if (!database) return pass_on(database);
  // The rows may be missing: the folder is written first, and the database can be lost.
  if (auto added = database->add_campaign(*campaign); !added) return pass_on(added);
  auto journal = Journal::open(folder);
  if (!journal) return pass_on(journal);
  const Interrupts interrupts;
  if (program_in_path((options.layout.libexec / "attempt").string()).empty())
    return fail_environment((options.layout.libexec / "attempt").string(),
                            "the wrapper of each job is missing", "install shakedown again, whole");
  auto scheduler = make_scheduler(campaign->scheduler, {campaign->site, options.layout});
  if (!scheduler) return pass_on(scheduler);
  return Pass(std::move(*campaign), folder, std::move(*database), std::move(*journal), options,
              *std::move(scheduler))
      .run();
}

}  // namespace shakedown
