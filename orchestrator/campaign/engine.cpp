#include "orchestrator/campaign/engine.hpp"

#include <algorithm>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/environment.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/campaign/set_scores.hpp"
#include "orchestrator/core/command_line.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {
namespace {

constexpr int max_lost_in_a_row = 3;  // then something kills our jobs: starting more helps nobody

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
        scheduler_(std::move(scheduler)) {}

  Result<PassEnd> run() {
    if (auto captured = capture_environment(); !captured) return pass_on(captured);
    if (auto set = database_.set_state(campaign_.id, CampaignState::running, 0); !set) return pass_on(set);
    for (size_t i = 0; i < campaign_.cases.size(); ++i) {
      number_ = static_cast<int>(i) + 1;
      if (auto ran = run_case(campaign_.cases[i].planned); !ran) return pass_on(ran);
      if (Interrupts::count() > 0) break;
    }
    const bool interrupted = Interrupts::count() > 0;
    if (auto noted = journal_.note(interrupted ? "interrupted" : "finished"); !noted) return pass_on(noted);
    const auto state = interrupted ? CampaignState::interrupted : CampaignState::finished;
    if (auto set = database_.set_state(campaign_.id, state, last_end_s_); !set) return pass_on(set);
    if (auto scored = store_set_scores(database_, campaign_.id); !scored) return pass_on(scored);
    return PassEnd{interrupted, Interrupts::last_signal()};
  }

 private:
  Result<void> capture_environment() {
    const fs::path path = folder_ / "environment.json";
    std::vector<EnvironmentRecord> records;
    if (const auto known = file_content(path)) {
      records = environment_from_json(*known);
    } else {
      records = captured_environment(campaign_.cases);
      if (auto written = write_file(path, environment_json(records)); !written) return written;
    }
    return database_.add_environment(campaign_.id, records);
  }

  /// Brings one case to its end, whatever an earlier pass left of it.
  Result<void> run_case(const Case& planned) {
    AttemptPlace place{folder_, &planned,
                       std::max(last_attempt(folder_ / planned.id), journal_.last_intended(planned.id))};
    if (auto stored = store_earlier(place); !stored) return stored;
    if (place.index > 0) {
      const auto state = settled(place);
      if (!state) return pass_on(state);
      if (is_done(*state)) return {};
    }
    while (Interrupts::count() == 0) {
      ++place.index;
      const auto state = attempted(place);
      if (!state) return pass_on(state);
      if (*state != AttemptState::lost) {
        lost_in_a_row_ = 0;
        return {};
      }
      if (++lost_in_a_row_ >= max_lost_in_a_row)
        return fail_environment(
            place.folder().string(),
            fmt::format("{} attempts in a row ended without finished.json", lost_in_a_row_),
            "the job's own files there tell more; is the disk full, does something kill jobs here?");
    }
    return {};
  }

  /// Stores attempts before the last that the database does not have: they ended long ago.
  Result<void> store_earlier(AttemptPlace place) {
    const int last = place.index;
    for (place.index = 1; place.index < last; ++place.index) {
      const auto stored = database_.has_attempt(campaign_.id, place.planned->id, place.index);
      if (!stored) return pass_on(stored);
      if (*stored || !fs::exists(place.folder())) continue;
      const AttemptRecord attempt = collected_attempt(place, campaign_.inventory, screens_.all());
      if (auto put = database_.put_attempt(campaign_.id, place.planned->id, attempt); !put) return put;
    }
    return {};
  }

  /// Starts a new attempt and waits for its end.
  Result<AttemptState> attempted(const AttemptPlace& place) {
    if (auto intended = journal_.intend(place.planned->id, place.index); !intended) return pass_on(intended);
    const JobContext context{campaign_.id, place.index, options_.layout.libexec / "attempt", 10,
                             place.planned->warnings};
    if (auto prepared = prepare_run_directory(place.folder(), *place.planned, context); !prepared)
      return pass_on(prepared);
    link_environment(place.folder());
    if (auto job = scheduler_->submit(place.folder()); !job) return pass_on(job);
    tell(Event::Kind::case_started, place);
    await(place);
    return collected(place);
  }

  /// Learns how an attempt of an earlier pass ended: waits for it if it still runs, gives it up if it never
  /// began.
  Result<AttemptState> settled(const AttemptPlace& place) {
    if (!fs::exists(place.folder()))
      return AttemptState::lost;  // only the journal knows of it: never started
    const auto finished = read_finished(place.folder());
    if (!finished) {
      if (auto waited = waited_for(place); !waited) return pass_on(waited);
      return collected(place);
    }
    const auto stored = database_.has_attempt(campaign_.id, place.planned->id, place.index);
    if (!stored) return pass_on(stored);
    if (!*stored) return collected(place);
    last_end_s_ = finished->finished_s;
    const AttemptState ended = ended_state(place, *finished);
    if (!is_done(ended)) return ended;
    if (is_screen(*place.planned))
      screens_.remember(*place.planned, collected_attempt(place, campaign_.inventory, {}));
    tell(Event::Kind::case_skipped, place);
    return ended;
  }

  /// Adopts the job of an unfinished attempt and waits for its end; one that never began never will.
  Result<void> waited_for(const AttemptPlace& place) {
    const auto started = read_started(place.folder());
    if (started && !started->abandoned && !started->host.empty() && started->host != host_name())
      return fail_environment(
          place.folder().string(),
          fmt::format("was started on {} and has not said how it ended", started->host),
          fmt::format("resume on {}: only there it is known whether it still runs", started->host));
    const auto abandoned = abandon_unstarted(place.folder());
    if (!abandoned) return pass_on(abandoned);
    if (*abandoned || scheduler_->state(place.folder()) != Scheduler::JobState::running) return {};
    if (auto adopted = scheduler_->adopt(place.folder()); !adopted) return adopted;
    tell(Event::Kind::case_started, place, /*adopted=*/true);
    await(place);
    return {};
  }

  /// Sleeps until the attempt's job is gone. Passes the user's wish to stop on to it.
  void await(const AttemptPlace& place) {
    const double begin = now_s();
    int passed_on = 0;
    while (scheduler_->state(place.folder()) == Scheduler::JobState::running) {
      if (Interrupts::count() > passed_on) {
        passed_on = Interrupts::count();
        scheduler_->end(place.folder(), /*at_once=*/passed_on > 1);
        if (passed_on == 1) tell(Event::Kind::interrupted, place);
      }
      if (!scheduler_->wait(options_.heartbeat_s))
        tell(Event::Kind::case_running, place, false, now_s() - begin);
    }
  }

  Result<AttemptState> collected(const AttemptPlace& place) {
    const AttemptRecord attempt = collected_attempt(place, campaign_.inventory, screens_.all());
    if (auto put = database_.put_attempt(campaign_.id, place.planned->id, attempt); !put) return pass_on(put);
    if (auto noted = journal_.note("collected", place.planned->id, place.index); !noted)
      return pass_on(noted);
    if (attempt.finished_s > 0) last_end_s_ = attempt.finished_s;
    screens_.remember(*place.planned, attempt);
    Event event = event_of(Event::Kind::case_ended, place);
    event.ended = &attempt;
    event.elapsed_s = attempt.wall_s;
    if (options_.listener) options_.listener(event);
    return attempt.state;
  }

  /// The node's environment, taken once, is part of each attempt's folder.
  void link_environment(const fs::path& folder) const {
    std::error_code code;
    fs::create_hard_link(folder_ / "environment.json", folder / "environment.json", code);
    if (code) fs::copy_file(folder_ / "environment.json", folder / "environment.json", code);
  }

  [[nodiscard]] Event event_of(Event::Kind kind, const AttemptPlace& place) const {
    Event event;
    event.kind = kind;
    event.planned = place.planned;
    event.number = number_;
    event.of = static_cast<int>(campaign_.cases.size());
    event.attempt = place.index;
    return event;
  }

  void tell(Event::Kind kind, const AttemptPlace& place, bool adopted = false, double elapsed_s = 0) const {
    if (!options_.listener) return;
    Event event = event_of(kind, place);
    event.adopted = adopted;
    event.elapsed_s = elapsed_s;
    options_.listener(event);
  }

  CampaignRecord campaign_;
  fs::path folder_;
  Database database_;
  Journal journal_;
  const EngineOptions& options_;
  std::unique_ptr<Scheduler> scheduler_;
  int number_ = 0;
  double last_end_s_ = 0;
  int lost_in_a_row_ = 0;
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
  const auto kinds = schedulers();
  const auto type =
      std::find_if(kinds.begin(), kinds.end(), [](const SchedulerType* t) { return t->id == "local"; });
  if (type == kinds.end()) return fail_environment("local", "this build has no scheduler for this machine");
  return Pass(std::move(*campaign), folder, std::move(*database), std::move(*journal), options,
              (*type)->make())
      .run();
}

}  // namespace shakedown
