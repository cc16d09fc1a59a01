#include "orchestrator/campaign/job_book.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

TEST_CASE("the attempts of a job have their seats in one job, whatever number of them asks") {
  const TemporaryFolder temporary;
  constexpr std::size_t lanes = 3;
  std::vector<Case> cases(lanes);
  Job job;
  job.id = "job-7";
  job.folder = temporary.path / "jobs/job-7";
  for (std::size_t i = 0; i < lanes; ++i) {
    cases[i].id = "case-" + std::to_string(i);
    const AttemptPlace place{temporary.path, &cases[i], 1};
    job.lanes.push_back({{"cn" + std::to_string(i)}, {{cases[i].id, 1, place.folder(), 60, false}}});
  }
  REQUIRE(make_folder(job.folder));
  REQUIRE(write_file(job.folder / "job.json", job_json(job)));
  auto book = known_jobs(temporary.path);
  REQUIRE(book);
  CHECK(book->next == 8);
  const Job* known = book->seat({temporary.path, cases.data(), 1}).job;
  CHECK(known->id == "job-7");
  for (std::size_t i = 0; i < lanes; ++i) {
    const JobSeat seat = book->seat({temporary.path, &cases[i], 1});
    CHECK(seat.job == known);
    CHECK(seat.lane == &known->lanes[i]);
  }
}

TEST_CASE("an attempt from before there were jobs has one of its own") {
  JobBook book;
  Case planned;
  planned.id = "hpl";
  const AttemptPlace place{"/w", &planned, 2};
  const JobSeat seat = book.seat(place);
  CHECK(seat.job->id == "hpl/attempt-2");
  CHECK(seat.lane->hosts.empty());
  CHECK(seat.lane->steps.front().folder == place.folder());
  CHECK(book.seat(place).job == seat.job);
}
