// A campaign on cn1 to cn4 whose batch system's every answer is written in the test, and its orchestrators.
#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/campaign/execution.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/launch/process.hpp"
#include "tests/campaign/scripted_scheduler.hpp"
#include "tests/temporary_folder.hpp"

namespace shakedown {

using JobPhase = JobState::Phase;
using Texts = std::vector<std::string>;

struct Killed {};  ///< thrown where an orchestrator dies

inline Case on_any(const std::string& id, int nodes = 1) {
  Case planned;
  planned.id = id;
  planned.suite = "site";
  planned.nodes = nodes;
  planned.hosts = nodes == 1 ? "cn1" : "cn[1-" + std::to_string(nodes) + "]";
  planned.among = "cn[1-4]";
  planned.argv = {"/bin/true"};
  planned.time_limit_s = 600;
  return planned;
}

inline Case on_this(const std::string& id, const std::string& host) {
  Case planned = on_any(id);
  planned.hosts = host;
  planned.among.clear();
  planned.bound = true;
  return planned;
}

/// A campaign on cn1 to cn4, and the events that its orchestrators report.
struct Bench {
  TemporaryFolder temporary;
  Workspace workspace{temporary.path / "w"};
  std::string id;
  ScriptedCluster cluster;
  EngineOptions options;
  Texts reported;  ///< "kind case-or-hosts text"

  explicit Bench(const std::vector<Case>& cases, const std::string& criteria = "") {
    CampaignRecord campaign;
    campaign.system = "virtual";
    campaign.kind = "run";
    campaign.created_s = 1795284309;
    campaign.scheduler = "slurm";
    campaign.criteria_text = criteria;
    campaign.inventory.system = "virtual";
    NodeGroup group;
    group.hosts = "cn[1-4]";
    group.memory_bytes = group.usable.memory_bytes = std::int64_t{16} << 30;
    campaign.inventory.groups.push_back(group);
    for (const Case& planned : cases) campaign.cases.push_back({planned});
    id = start_campaign(workspace, campaign).value();
    options.layout = installed_layout();
    options.heartbeat_s = 0;
    options.pauses = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    options.listener = [this](const Event& event) { hear(event); };
  }

  void hear(const Event& event) {
    if (event.kind == Event::Kind::heartbeat || event.kind == Event::Kind::case_running) return;
    reported.push_back(std::string(to_string(event.kind)) + " " +
                       (event.planned == nullptr ? event.hosts : event.planned->id) +
                       (event.text.empty() ? "" : " " + event.text));
  }

  /// An orchestrator that does not come to its end.
  void is_killed() {
    const auto end = execute();
    INFO((!end || *end ? "" : to_string(end->error())));
    REQUIRE(!end);
  }
  [[nodiscard]] OpenCampaign opened() const {
    auto campaign = read_campaign_folder(folder());
    INFO((campaign ? "" : to_string(campaign.error())));
    REQUIRE(campaign);
    auto lock = CampaignLock::take(folder());
    REQUIRE(lock);
    auto database = Database::open(workspace.database());
    REQUIRE(database);
    auto journal = Journal::open(folder());
    REQUIRE(journal);
    return {*std::move(campaign), folder(), *std::move(lock), *std::move(database), *std::move(journal)};
  }
  /// An orchestrator from its begin to its end; none: it was killed.
  std::optional<Result<ExecutionEnd>> execute() {
    cluster.waits = 0;
    const Interrupts interrupts;
    try {
      Execution execution(opened(), options, std::make_unique<ScriptedScheduler>(cluster));
      return execution.run();
    } catch (const Killed&) {
      return std::nullopt;
    }
  }
  void ends() {
    const auto end = execute();
    REQUIRE(end);
    INFO((*end ? "" : to_string(end->error())));
    REQUIRE(*end);
  }
  [[nodiscard]] fs::path folder() const { return workspace.campaign(id); }
  [[nodiscard]] JournalContent journal() const { return read_journal(folder()).value(); }
  [[nodiscard]] int said(const std::string& line) const {
    return static_cast<int>(std::ranges::count(reported, line));
  }
};

/// The parts of an execution over a bench's campaign, without its loop.
struct Parts {
  const Interrupts interrupts{};  // NOLINT(readability-redundant-member-init)
  ExecutionContext context;
  ProgressEvents events;
  NodeWatch nodes;
  AttemptLedger ledger;
  SubmitQueue queue;

  explicit Parts(Bench& bench)
      : context(bench.opened(), bench.options, std::make_unique<ScriptedScheduler>(bench.cluster)),
        events(context),
        nodes(context, events),
        ledger(context, events, nodes),
        queue(context, events, nodes, ledger) {}

  /// The first job that can begin, submitted.
  RunningJob& submitted() {
    REQUIRE(nodes.look());
    REQUIRE(queue.prepare_round());
    REQUIRE(queue.submit_next().value() == SubmitQueue::Offer::accepted);
    return context.running.back();
  }
};

inline void dies(ScriptedCluster& /*cluster*/) {
  throw Killed();
}

inline constexpr const char* node_failure = "srun: error: Node failure on cn1\n";

}  // namespace shakedown
