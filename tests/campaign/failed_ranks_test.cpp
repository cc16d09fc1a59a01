// Which ranks and nodes failed, by what launchers and programs report.
#include "orchestrator/campaign/failed_ranks.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "tests/campaign/collect_scene.hpp"

using namespace shakedown;

namespace {

/// A rank of two nodes with two ranks each that failed, as srun reports it.
std::string crash_of_rank(int rank, const std::string& node, const std::string& how) {
  return "srun: error: " + node + ": task " + std::to_string(rank) + ": " + how +
         "\nsrun: launch/slurm: _step_signal: Terminating StepId=1.0\n"
         "slurmstepd: error: *** STEP 1.0 ON cn1 CANCELLED AT 2026-11-23T19:26:53 ***\n"
         "srun: error: cn1: task 1: Terminated\n";
}

struct WideScene : CollectScene {
  const std::vector<std::string> hosts = {"cn1", "cn2"};

  WideScene() {
    planned.launcher = "srun";
    planned.nodes = 2;
    planned.ranks = 4;
    planned.ranks_per_node = 2;
    planned.hosts = "cn[1-2]";
    started();
    file("finished.json", R"({"state":"finished","exit_code":143,"started_s":1,"finished_s":2,"wall_s":1})");
    file("stdout.log", "");
  }
  [[nodiscard]] SuspectNodes suspects() {
    return suspect_nodes(collected(), {temporary.path, &planned, 1}, hosts);
  }
};

}  // namespace

TEST_CASE("a crash is reported by its rank, its node and the program's last words, and was no cancellation") {
  WideScene scene;
  scene.planned.parser = "";
  scene.file("stderr.log",
             "bad \x1b[2Jword\t\x07here\n" + crash_of_rank(2, "cn2", "Exited with exit code 7"));
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.state == AttemptState::finished);
  CHECK(attempt.failure_kind == FailureKind::nonzero_exit);
  CHECK(attempt.failure ==
        "rank 2 on cn2 ended with exit code 7; Slurm then ended the other ranks; stderr.log ends with 'bad "
        "word "
        "here'");
  CHECK(scene.suspects().nodes == std::vector<std::string>{"cn2"});
  CHECK(scene.suspects().alone);
}

TEST_CASE("the first end counts, though the words of peers that lost it follow in any number") {
  WideScene scene;
  scene.planned.parser = "";
  std::string text = "srun: error: cn2: task 2: Segmentation fault\n";
  for (int i = 0; i < 40'000; ++i) text += "  File \"train.py\", line 1234, in all_reduce: peer is gone\n";
  scene.file("stderr.log", text +
                               "slurmstepd: error: *** STEP 1.0 ON cn1 CANCELLED AT 2026-11-23T19:26:53 ***\n"
                               "srun: error: cn1: tasks 0-1: Terminated\n");
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.failure_kind == FailureKind::signal);
  CHECK(attempt.failure.starts_with("rank 2 on cn2 ended with signal 11 (segmentation fault); "));
  CHECK(scene.suspects().nodes == std::vector<std::string>{"cn2"});
}

TEST_CASE("a node whose ranks srun waited for in vain is suspect, not that of the peer that lost them") {
  WideScene scene;
  scene.file("stderr.log",
             "srun: error: cn1: task 1: Aborted\n"
             "srun: launch/slurm: _step_signal: Terminating StepId=1.0\n"
             "slurmstepd-cn1: error: *** STEP 1.0 ON cn1 CANCELLED AT 2026-11-23T19:26:53 ***\n"
             "srun: error: cn1: task 0: Terminated\n"
             "srun: error: Timed out waiting for job step to complete\n");
  CHECK(scene.suspects().nodes == std::vector<std::string>{"cn2"});
  CHECK_FALSE(scene.suspects().alone);
}

TEST_CASE("a node that alone fails with a fault is suspect, whatever a pattern calls it") {
  WideScene scene;
  SECTION("a floating-point trap") {
    scene.file("stderr.log", crash_of_rank(2, "cn2", "Floating point exception"));
    CHECK(scene.collected().failure_kind == FailureKind::numerical);
  }
  SECTION("a bus error on a disk that fails") {
    scene.file("stderr.log", "read: Input/output error\n" + crash_of_rank(2, "cn2", "Bus error"));
    CHECK(scene.collected().failure_kind == FailureKind::storage);
  }
  SECTION("behind a shell, while a peer left before") {
    scene.file("stderr.log", "srun: error: cn1: task 0: Exited with exit code 1\n" +
                                 crash_of_rank(2, "cn2", "Exited with exit code 139"));
    CHECK(scene.collected().failure.starts_with("rank 2 on cn2 ended with exit code 139 (128 + signal 11"));
  }
  CHECK(scene.suspects().nodes == std::vector<std::string>{"cn2"});
  CHECK(scene.suspects().alone);
}

TEST_CASE("what a program reports of numbers, memory and the disk points to no node without a fault") {
  WideScene scene;
  const auto words = GENERATE("found NaN in x", "Disk quota exceeded", "std::bad_alloc");
  scene.file("stderr.log", words + ("\n" + crash_of_rank(2, "cn2", "Exited with exit code 1")));
  CHECK(scene.suspects().nodes.empty());
}

TEST_CASE("a rank that a signal ended was started, though nothing was printed") {
  WideScene scene;
  scene.file("stderr.log", crash_of_rank(3, "cn2", "Segmentation fault"));
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.state == AttemptState::finished);
  CHECK(attempt.failure_kind == FailureKind::signal);
  CHECK(attempt.failure.starts_with("rank 3 on cn2 ended with signal 11 (segmentation fault); "));
}

TEST_CASE("a node that mpirun does not name is that of the layout, and need not have failed alone") {
  WideScene scene;
  scene.planned.launcher = "mpirun";
  scene.file("stderr.log",
             "  Process name: [[17546,1],3]\n  Exit code:    7\nPrimary job  terminated normally\n");
  CHECK(scene.collected().failure.starts_with("rank 3 on cn2 ended with exit code 7; mpirun then ended"));
  CHECK(scene.suspects().nodes == std::vector<std::string>{"cn2"});
  CHECK_FALSE(scene.suspects().alone);
}

TEST_CASE("what the program decided by itself, and what several nodes did, points to no node") {
  WideScene scene;
  SECTION("its first rank says why, and gives up") {
    scene.file("stdout.log", "HPL ERROR: cannot open file HPL.dat\n");
    scene.file("stderr.log", crash_of_rank(0, "cn1", "Exited with exit code 1"));
  }
  SECTION("MPI_Abort") {
    scene.file("stderr.log",
               "MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD\nwith errorcode 3.\n" +
                   crash_of_rank(2, "cn2", "Exited with exit code 3"));
  }
  SECTION("a result behind which it fails") {
    scene.file("stdout.log", collect_fixture("reference-passed.out"));
    scene.file("stderr.log", crash_of_rank(2, "cn2", "Exited with exit code 3"));
    CHECK(
        scene.collected().failure ==
        "it failed after its result: rank 2 on cn2 ended with exit code 3; Slurm then ended the other ranks");
  }
  SECTION("ranks of both nodes") {
    scene.file("stderr.log", "srun: error: cn2: task 2: Aborted\nsrun: error: cn1: task 0: Aborted\n");
  }
  SECTION("a step that somebody cancelled") {
    scene.file("stderr.log",
               "slurmstepd: error: *** STEP 1.0 ON cn1 CANCELLED AT 2026-11-23T19:26:53 ***\n"
               "srun: error: cn1: tasks 0-1: Killed\n");
    CHECK(scene.collected().failure_kind == FailureKind::cancelled);
    CHECK(scene.collected().failure.starts_with("its job step was cancelled; "));
  }
  CHECK(scene.suspects().nodes.empty());
}
