#include "orchestrator/cli/text/dry_run.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "orchestrator/cli/text/plan_text.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/packing.hpp"

using namespace shakedown;

namespace {

/// Shows of a job what it asks for.
class Shown final : public Scheduler {
 public:
  explicit Shown(bool scripts = true) : scripts_(scripts) {}
  [[nodiscard]] SchedulerTraits traits() const override { return {4, /*many_lanes=*/true}; }
  [[nodiscard]] std::string submission(const Job& job) const override {
    if (!scripts_) return {};
    return fmt::format("submit {} --gpus={}\n\n#!/bin/sh\n{}\n", joined(job.hosts(), ","), job.gpus_per_node,
                       job.lanes.front().steps.front().folder.string());
  }
  Result<std::vector<SchedulerNode>> nodes(std::span<const std::string>) override {
    return std::vector<SchedulerNode>();
  }
  Result<Submission> submit(const Job&) override { return fail("", "a dry run submits nothing"); }
  Result<bool> adopt(const Job&, const std::string&) override { return false; }
  JobState state(const Job&, bool) override { return {}; }
  bool wait(double) override { return false; }
  Result<void> end(const Job&, bool) override { return {}; }

 private:
  bool scripts_;
};

Case on(const std::string& id, const std::string& hosts, int nodes, int gpus) {
  Case planned;
  planned.id = id;
  planned.suite = "s";
  planned.program = "/bin/true";
  planned.argv = {"/bin/true"};
  planned.hosts = hosts;
  planned.nodes = nodes;
  planned.gpus_per_node = gpus;
  return planned;
}

}  // namespace

TEST_CASE("a submission is shown of each kind of job: with one more lane where nodes share a job") {
  Plan plan;
  plan.cases = {on("a-cn1", "cn1", 1, 0), on("a-cn2", "cn2", 1, 0), on("g-cn1", "cn1", 1, 8),
                on("w", "cn[1-2]", 2, 8), on("x", "cn[1-2]", 2, 8)};
  const std::string text = submissions_text(plan, Shown(), "/w/campaigns");
  CHECK(text ==
        "\n# ==== how a-cn1 would be submitted, here with one other like it in its job\n"
        "#   submit cn1,cn2 --gpus=0\n#   \n#   #!/bin/sh\n#   /w/campaigns/CAMPAIGN/a-cn1/attempt-1\n"
        "\n# ==== how g-cn1 would be submitted\n#   submit cn1 --gpus=8\n"
        "\n# ==== how w would be submitted\n#   submit cn1,cn2 --gpus=8\n");
  CHECK(submissions_text(plan, Shown(false), "/w/campaigns").empty());
}

TEST_CASE("a case without nodes is not shown as a job of none") {
  Plan plan;
  plan.cases = {on("a", "", 1, 0)};
  CHECK(submissions_text(plan, Shown(), "/w/campaigns").empty());
}

TEST_CASE("a dry run says of a time what the plan says, and at most where it adds upper ends") {
  Plan plan;
  plan.cases = {on("a", "cn1", 1, 0), on("b", "cn1", 2, 0)};
  const auto wall = [](double value, double low, double high) {
    Prediction prediction;
    prediction.metric = "wall_time_s";
    prediction.value = value;
    prediction.low = low;
    prediction.high = high;
    return prediction;
  };
  plan.cases[0].predicted = {wall(3600, 3000, 4200)};
  plan.cases[1].predicted = {wall(214, 30, 3600)};
  for (Case& each : plan.cases) each.stage = 1;
  const std::string text = dry_run_text(plan, true);
  INFO(text);
  CHECK(text.find("# expected 1h 00m (50m 00s to 1h 10m) on 1 node: 1.00 node-hours\n") != std::string::npos);
  CHECK(text.find("# time not predicted on 2 nodes: at most 2.00 node-hours\n") != std::string::npos);
  CHECK(text.find("# ==== stage 1: 2 cases, at most 3.00 node-hours\n") != std::string::npos);
  plan.cost = plan_cost(plan, 2, 0);
  CHECK(
      dry_run_text(plan, true)
          .ends_with("# all 2 cases: 1.119 node-hours, about 1h 03m from start to end; the time of 1 case is "
                     "not predicted: 0.119 node-hours are a rough estimate\n"));
}

TEST_CASE(
    "a time is shown where it is a prediction: start to end, of it the benchmark's own, else the limit") {
  struct Row {
    std::vector<Prediction> predicted;
    const char* text;
  };
  const Row rows[] = {{{{"time_s", 389, 370, 410}, {"wall_time_s", 570, 370, 590}},
                       "9m 30s: 6m 29s (6m 10s to 6m 50s) + 3m 01s of start and end"},
                      {{{"time_s", 25.9, 22.4, 31}, {"wall_time_s", 206, 22.4, 211}},
                       "3m 26s: 25.9 s (22.4 s to 31.0 s) + 3m 00s of start and end"},
                      {{{"time_to_train_min", 2, 1, 3}, {"wall_time_s", 1020, 60, 1980}},
                       "17m 00s: 2m 00s (1m 00s to 3m 00s) + 15m 00s (at most 30m 00s) of start and end"},
                      {{{"time_s", 25, 5, 100}, {"wall_time_s", 25, 5, 100}}, "not predicted, limit 10m 00s"},
                      {{{"wall_time_s", 3, 0.75, 12}}, "not predicted, limit 10m 00s"},
                      {{}, "not predicted, limit 10m 00s"}};
  for (const Row& row : rows) {
    Case planned;
    planned.time_limit_s = 600;
    planned.predicted = row.predicted;
    CHECK(expected_time_text(planned) == row.text);
  }
  CHECK(expected_time_text(Case()) == "not predicted");
}
