#include "orchestrator/schedulers/batch_jobs.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace shakedown;

namespace {

/// A queue whose jobs the test names.
class NamedQueue final : public BatchJobs {
 public:
  NamedQueue() : BatchJobs(/*poll_s=*/0) {}
  [[nodiscard]] SchedulerTraits traits() const override { return {}; }
  Result<std::vector<SchedulerNode>> nodes(std::span<const std::string>) override {
    return std::vector<SchedulerNode>();
  }
  Result<Submission> submit(const Job&) override { return JobLater{}; }
  JobState state(const Job&, bool) override { return {}; }
  Result<void> end(const Job&, bool) override { return {}; }
  [[nodiscard]] bool took() const { return has_taken(); }

  std::map<std::string, std::string> ids;  ///< of the jobs in the queue, by our names
  std::map<std::string, std::string> tracked;
  int questions = 0;

 private:
  void track(const Job& job, const std::string& id) override { tracked[job.id] = id; }
  Result<std::string> found_by_name(const Job& job) override {
    return ids.contains(job.id) ? ids.at(job.id) : std::string();
  }
  Result<void> ask_queue() override {
    ++questions;
    return {};
  }
  [[nodiscard]] bool is_gone(const Job& job) const override { return !ids.contains(job.id); }
};

Job named(const std::string& id) {
  Job job;
  job.id = id;
  return job;
}

}  // namespace

TEST_CASE("a job that is found by its name is tracked, one that is not there is not") {
  NamedQueue queue;
  CHECK(queue.found(named("job-1")) == Result<std::string>(""));
  CHECK_FALSE(queue.took());
  queue.ids = {{"job-1", "17"}};
  CHECK(queue.found(named("job-1")) == Result<std::string>("17"));
  CHECK(queue.tracked.at("job-1") == "17");
  CHECK(queue.took());
}

TEST_CASE("jobs that were asked about together are adopted without another question") {
  NamedQueue queue;
  queue.ids = {{"job-1", "17"}, {"job-2", "18"}};
  const Job first = named("job-1");
  const Job second = named("job-2");
  const Job gone = named("job-3");
  const std::vector<KnownJob> known = {{&first, "17"}, {&second, "18"}, {&gone, "19"}};
  REQUIRE(queue.expect(known));
  CHECK(queue.adopt(first, "17") == Result<bool>(true));
  CHECK(queue.adopt(second, "18") == Result<bool>(true));
  CHECK(queue.adopt(gone, "19") == Result<bool>(false));
  CHECK(queue.questions == 1);
  CHECK(queue.adopt(first, "") == Result<bool>(true));
  CHECK(queue.questions == 2);
}
