#include "orchestrator/campaign/collect.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/failed_ranks.hpp"
#include "orchestrator/campaign/lasting_environment.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/process_identity.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "reports/measure/reliability.hpp"
#include "tests/campaign/collect_scene.hpp"

using namespace shakedown;

TEST_CASE("what the scheduler or a library says of the end is reported with its line") {
  CollectScene scene;
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":137,"started_s":1,"finished_s":2,"wall_s":1})");
  SECTION("on stderr, before the launcher's own words") {
    scene.file("stdout.log", "");
    scene.file("stderr.log",
               "module loaded\n"
               "slurmstepd: error: Detected 1 oom_kill event in StepId=13.0.\n"
               "srun: error: cn003: task 0: Exited with exit code 137\n");
    CHECK(scene.collected().failure.find("; stderr.log, line 2: ") != std::string::npos);
  }
  SECTION("on stdout where the result goes to a file of its own") {
    scene.planned.result_file = "HPL.out";
    scene.file("stdout.log", "step 1\nCUDA error: out of memory\n");
    scene.file("stderr.log", "srun: error: cn003: task 0: Exited with exit code 137\n");
    CHECK(scene.collected().failure.find("; stdout.log, line 2: ") != std::string::npos);
  }
}

TEST_CASE("a launcher that gives up by itself leaves an attempt that was not started") {
  CollectScene scene;
  scene.planned.launcher = "mpirun";
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":1,"started_s":1,"finished_s":2,"wall_s":1})");
  scene.file("stdout.log", "");
  const std::string rule(74, '-');
  scene.file("stderr.log",
             rule +
                 "\nA call to mkdir was unable to create the desired directory:\n\n  Directory: /nowhere\n" +
                 rule);
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.state == AttemptState::not_started);
  CHECK(attempt.failure ==
        "mpirun could not start the program: exit code 1; stderr.log: 'A call to mkdir was unable to create "
        "the desired directory:'");
}

TEST_CASE("a launcher that does not know an option is quoted with it, not with its word on --help") {
  CollectScene scene;
  scene.planned.launcher = "srun";
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":255,"started_s":1,"finished_s":2,"wall_s":1})");
  scene.file("stdout.log", "");
  scene.file("stderr.log",
             "srun: unrecognized option '--container-image=x.sqsh'\nTry \"srun --help\" for more "
             "information\n");
  CHECK(scene.collected().failure ==
        "srun could not start the program: exit code 255; stderr.log: 'srun: unrecognized option "
        "'--container-image=x.sqsh''");
}

TEST_CASE("a program that refuses its input was started, whether it or its launcher reports that") {
  CollectScene scene;
  scene.planned.launcher = "mpirun";
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":1,"started_s":1,"finished_s":2,"wall_s":1})");
  SECTION("the program has printed something") {
    scene.file("stdout.log", "HPL ERROR: cannot open file HPL.dat\n");
    scene.file("stderr.log", "");
    CHECK(scene.collected().state == AttemptState::finished);
  }
  SECTION("Open MPI reports on its processes") {
    scene.file("stdout.log", "");
    scene.file(
        "stderr.log",
        "HPL.dat:6: N must be a whole number\nPrimary job  terminated normally, but 1 process returned\n");
    CHECK(scene.collected().state == AttemptState::finished);
  }
  SECTION("srun reports on its task") {
    scene.file("stdout.log", "");
    scene.file("stderr.log", "srun: error: n1: task 0: Exited with exit code 1\n");
    CHECK(scene.collected().state == AttemptState::finished);
  }
}

TEST_CASE("quoted words are plain and bounded, cut between characters") {
  CHECK(plain_text("a\x1b[31mb\x1b[0m\x07 c\xc2\x9b"
                   "d\x7f\r\n",
                   100) == "ab cd");
  CHECK(plain_text("\x1b[", 100).empty());
  CHECK(plain_text("Gr\xc3\xbc\xc3\x9f"
                   "e",
                   3) == "Gr...");
  CHECK(plain_text("Gr\xc3\xbc\xc3\x9f"
                   "e",
                   4) == "Gr\xc3\xbc...");
}
