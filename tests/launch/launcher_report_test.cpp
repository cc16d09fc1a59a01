#include "orchestrator/launch/launcher_report.hpp"

#include <catch2/catch.hpp>

#include <csignal>

using namespace shakedown;

namespace {

using How = RankFailure::How;
using Names = std::vector<std::string>;

// As srun 22.05 printed it on virtual nodes, unless another version is named.
constexpr const char* exit_of_one =
    "rank 5 gives up\n"
    "srun: error: cn3: task 5: Exited with exit code 7\n"
    "srun: launch/slurm: _step_signal: Terminating StepId=1.0\n"
    "slurmstepd-cn1: error: *** STEP 1.0 ON cn1 CANCELLED AT 2026-11-23T19:26:53 ***\n"
    "srun: error: cn3: task 4: Terminated\n"
    "srun: error: cn2: tasks 2-3: Terminated\n"
    "srun: error: cn4: tasks 6-7: Terminated\n"
    "srun: error: cn1: tasks 0-1: Terminated\n"
    "srun: Force Terminated StepId=1.0\n";
constexpr const char* exit_of_three =
    "srun: error: cn2: task 2: Exited with exit code 3\n"
    "srun: launch/slurm: _step_signal: Terminating StepId=5.0\n"
    "srun: error: cn4: task 6: Exited with exit code 3\n"
    "srun: error: cn1: task 1: Exited with exit code 3\n"
    "slurmstepd-cn1: error: *** STEP 5.0 ON cn1 CANCELLED AT 2026-11-23T19:27:06 ***\n"
    "srun: error: cn2: task 3: Terminated\n"
    "srun: error: cn4: task 7: Terminated\n"
    "srun: error: cn1: task 0: Terminated\n"
    "srun: error: cn3: tasks 4-5: Terminated\n";
constexpr const char* abort_through_pmix =
    "HPL ERROR: bad\n"
    "--------------------------------------------------------------------------\n"
    "MPI_ABORT was invoked on rank 5 in communicator MPI_COMM_WORLD\n"
    "with errorcode 3.\n"
    "\n"
    "NOTE: invoking MPI_ABORT causes Open MPI to kill all MPI processes.\n"
    "--------------------------------------------------------------------------\n"
    "srun: Job step aborted: Waiting up to 4 seconds for job step to finish.\n"
    "slurmstepd-cn1: error: *** STEP 24.9 ON cn1 CANCELLED AT 2026-11-23T19:33:11 ***\n"
    "srun: error: cn3: task 4: Killed\n"
    "srun: launch/slurm: _step_signal: Terminating StepId=24.9\n"
    "srun: error: cn3: task 5: Exited with exit code 3\n"
    "srun: error: cn4: tasks 6-7: Killed\n";

std::string rule() {
  return std::string(74, '-') + "\n";
}

std::string text_of(const char* report, const char* launcher = "srun", int ranks = 8) {
  const auto failure = launcher_report(report, launcher).failure;
  return failure ? failure_text(*failure, ranks) : "";
}

}  // namespace

TEST_CASE("a rank that fails is named with its node, whatever srun then calls the step") {
  CHECK(text_of(exit_of_one) == "rank 5 on cn3 ended with exit code 7; Slurm then ended the other ranks");
  CHECK_FALSE(launcher_report(exit_of_one, "srun").cancelled);
  CHECK(text_of("srun: error: cn3: task 5: Segmentation fault (core dumped)\n"
                "srun: Terminating StepId=6.0\n"
                "slurmstepd: error: *** STEP 6.0 ON cn1 CANCELLED AT 2026-11-23T19:27:09 ***\n"
                "srun: error: cn3: task 4: Terminated\n") ==
        "rank 5 on cn3 ended with signal 11 (segmentation fault); Slurm then ended the other ranks");
  CHECK(text_of("srun: error: cn2: task 1: Killed\n"
                "srun: launch/slurm: _step_signal: Terminating StepId=3.0\n"
                "slurmstepd-cn1: error: *** STEP 3.0 ON cn1 CANCELLED AT 2026-11-23T19:26:59 ***\n"
                "srun: error: cn1: task 0: Terminated\n"
                "srun: error: cn4: task 3: Killed\n") ==
        "rank 1 on cn2 ended with signal 9 (killed); Slurm then ended the other ranks");
  CHECK(text_of("srun: error: cn3: task 2: Exited with exit code 139\n"
                "srun: error: cn1: task 0: Terminated\n") ==
        "rank 2 on cn3 ended with exit code 139 (128 + signal 11 (segmentation fault)); Slurm then ended the "
        "other ranks");
  CHECK(text_of("srun: error: cn1: tasks 0-1: Exited with exit code 2\n", "srun", 2) ==
        "ranks 0-1 on cn1 ended with exit code 2");
  CHECK(text_of("srun: error: cn[2-3]: tasks 1-2: Aborted\n", "", 4) ==
        "ranks 1-2 on cn[2-3] ended with signal 6 (aborted); Slurm then ended the other ranks");
  CHECK(text_of("srun: error: nid006024: task 0: Out Of Memory\nsrun: Terminating StepId=8538204.0\n") ==
        "rank 0 on nid006024 ran out of memory; Slurm then ended the other ranks");
}

TEST_CASE("a report that follows a program's unfinished line is read all the same") {
  const std::string text =
      "progress 53%srun: error: cn3: task 5: Segmentation fault\n"
      "progress 51%srun: launch/slurm: _step_signal: Terminating StepId=1.0\n"
      "progress 52%slurmstepd-cn1: error: *** STEP 1.0 ON cn1 CANCELLED AT 2026-11-23T19:26:53 ***\n"
      "srun: error: cn3: task 4: Terminated\n";
  CHECK(text_of(text.c_str()) ==
        "rank 5 on cn3 ended with signal 11 (segmentation fault); Slurm then ended the other ranks");
  const auto lines = program_lines(text);
  CHECK(std::vector<std::string>(lines.begin(), lines.end()) ==
        Names{"progress 53%", "progress 51%", "progress 52%"});
  const std::string framed =
      "progress 53%" + rule() +
      "mpirun noticed that process rank 5 with PID 10343 on node cn3 exited on signal 11 (Segmentation "
      "fault).\n" +
      rule() + "last words\n";
  CHECK(text_of(framed.c_str(), "mpirun").starts_with("rank 5 on cn3 ended with signal 11"));
  const auto others = program_lines(framed);
  CHECK(std::vector<std::string>(others.begin(), others.end()) == Names{"last words"});
  CHECK(program_lines("OpenBLAS takes this processor for a Prescott: started again with X=Y\n").empty());
}

TEST_CASE("all ranks that failed alike are named, those that only lost their peers are not") {
  const auto three = launcher_report(exit_of_three, "srun").failure;
  REQUIRE(three);
  CHECK(three->ranks == std::vector{1, 2, 6});
  CHECK(three->hosts == Names{"cn1", "cn2", "cn4"});
  // Its core is still being written when the others give up.
  CHECK(text_of("srun: error: cn1: tasks 0-1: Exited with exit code 1\n"
                "srun: Terminating StepId=1.0\n"
                "srun: error: cn2: tasks 2-3: Aborted\n"
                "srun: error: cn3: task 5: Bus error\n") ==
        "rank 5 on cn3 ended with signal 7 (bus error); Slurm then ended the other ranks");
}

TEST_CASE("a step that was cancelled before any rank failed was cancelled by somebody") {
  for (const char* report :
       {"slurmstepd-cn1: error: *** STEP 17.0 ON cn1 CANCELLED AT 2026-11-23T19:27:43 ***\n"
        "srun: Job step aborted: Waiting up to 4 seconds for job step to finish.\n"
        "srun: error: cn2: task 1: Killed\n"
        "srun: launch/slurm: _step_signal: Terminating StepId=17.0\n"
        "srun: error: cn1: task 0: Killed\n",
        "srun: Job step aborted: Waiting up to 4 seconds for job step to finish.\n"
        "srun: error: cn8: task 7: Killed\n"
        "srun: error: cn4: task 3: Killed\n",
        // The end of a task may overtake that of the step.
        "srun: error: cn1: task 0: Killed\n"
        "srun: launch/slurm: _step_signal: Terminating StepId=46.0\n"
        "slurmstepd-cn1: error: *** STEP 46.0 ON cn1 CANCELLED AT 2026-11-23T19:40:31 ***\n"
        "srun: Job step aborted: Waiting up to 4 seconds for job step to finish.\n"
        "srun: error: cn2: task 1: Killed\n",
        "srun: error: cn2: task 1: Terminated\n"
        "srun: launch/slurm: _step_signal: Terminating StepId=49.0\n"
        "srun: error: cn8: task 7: Terminated\n"
        "slurmstepd-cn1: error: *** STEP 49.0 ON cn1 CANCELLED AT 2026-11-23T19:40:45 ***\n",
        "srun: error: cn4: tasks 3: Exited with exit code 143\n"
        "slurmstepd-cn1: error: *** STEP 49.0 ON cn1 CANCELLED AT 2026-11-23T19:40:45 ***\n"}) {
    INFO(report);
    CHECK(launcher_report(report, "srun").cancelled);
    CHECK_FALSE(launcher_report(report, "srun").failure);
  }
}

TEST_CASE("what a limit, a node or another job ended was neither cancelled nor failed by a rank") {
  for (const char* because : {"TIME LIMIT", "PREEMPTION", "NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS"}) {
    const std::string report =
        std::string("slurmstepd-cn5: error: *** STEP 18.0 ON cn5 CANCELLED AT 2026-11-23T19:28:52 DUE TO ") +
        because +
        " ***\nsrun: Job step aborted: Waiting up to 4 seconds for job step to finish.\n"
        "srun: error: cn7: task 2: Terminated\nsrun: error: cn5: task 0: Exited with exit code 1\n";
    CHECK_FALSE(launcher_report(report, "srun").cancelled);
    CHECK_FALSE(launcher_report(report, "srun").failure);
  }
  CHECK(text_of("srun: error: Node failure on cn3\nsrun: error: cn1: task 0: Killed\n") ==
        "node cn3 was lost");
}

TEST_CASE("a signal in the words of the C library is a failure, and the step was not cancelled") {
  const auto report = [](const std::string& words) {
    return launcher_report(
        "srun: error: cn2: task 2: " + words +
            "\nsrun: launch/slurm: _step_signal: Terminating StepId=5.0\n"
            "slurmstepd-cn1: error: *** STEP 5.0 ON cn1 CANCELLED AT 2026-11-23T19:27:06 ***\n"
            "srun: error: cn1: tasks 0-1: Terminated\n",
        "srun");
  };
  for (const auto& [words, signal] :
       std::vector<std::pair<std::string, int>>{{"Profiling timer expired", SIGPROF},
                                                {"Trace/breakpoint trap (core dumped)", SIGTRAP},
                                                {"Real-time signal 3", SIGRTMIN + 3}}) {
    INFO(words);
    const auto read = report(words);
    CHECK_FALSE(read.cancelled);
    REQUIRE(read.failure);
    CHECK(read.failure->how == How::signal);
    CHECK(read.failure->code == signal);
    CHECK(read.failure->hosts == std::vector<std::string>{"cn2"});
  }
  CHECK_FALSE(report("Words of another version").cancelled);
}

TEST_CASE("a rank that calls MPI_Abort ends the step, which nobody cancelled") {
  CHECK(text_of(abort_through_pmix) ==
        "rank 5 on cn3 called MPI_Abort with error code 3; Slurm then ended the other ranks");
  CHECK_FALSE(launcher_report(abort_through_pmix, "srun").cancelled);
  CHECK(text_of("Abort(3) on node 5 (rank 5 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 3) - "
                "process 5\nsrun: error: cn3: task 5: Exited with exit code 3\n") ==
        "rank 5 on cn3 called MPI_Abort with error code 3; Slurm then ended the other ranks");
  // A library that does not report it: none of the killed ranks ended by itself.
  CHECK(text_of("srun: Job step aborted: Waiting up to 4 seconds for job step to finish.\n"
                "slurmstepd: error: *** STEP 24.9 ON cn1 CANCELLED AT 2026-11-23T19:33:11 ***\n"
                "srun: error: cn3: task 4: Killed\n"
                "srun: error: cn3: task 5: Exited with exit code 3\n") ==
        "rank 5 on cn3 ended with exit code 3; Slurm then ended the other ranks");
}

TEST_CASE("a program that a node does not have is named with the node") {
  const auto failure = launcher_report(
                           "slurmstepd-cn2: error: execve(): /opt/xhpl: No such file or directory\n"
                           "srun: error: cn2: task 1: Exited with exit code 2\n"
                           "srun: launch/slurm: _step_signal: Terminating StepId=11.0\n"
                           "srun: error: cn4: task 3: Terminated\n",
                           "srun")
                           .failure;
  REQUIRE(failure);
  CHECK(failure->how == How::not_executed);
  CHECK(failure_text(*failure, 4) ==
        "rank 1 on cn2 could not execute the program: /opt/xhpl: No such file or directory; Slurm then ended "
        "the other ranks");
  CHECK(text_of((rule() +
                 "mpirun was unable to launch the specified application as it could not access\n"
                 "or execute an executable:\n\nExecutable: ./nosuch\nNode: cn3\n\n"
                 "while attempting to start process rank 4.\n" +
                 rule())
                    .c_str(),
                "mpirun") ==
        "rank 4 on cn3 could not execute the program: it cannot be accessed or executed");
}

TEST_CASE("mpirun names the first rank that failed, in the words of Open MPI 4 and 5") {
  CHECK(text_of("mpirun noticed that process rank 5 with PID 10343 on node cn3 exited on signal 11 "
                "(Segmentation fault).\n",
                "mpirun") ==
        "rank 5 on cn3 ended with signal 11 (segmentation fault); mpirun then ended the other ranks");
  CHECK(text_of("prterun noticed that process rank 2 with PID 1617008 on node cpu155 exited on\n"
                "signal 4 (Illegal instruction).\n",
                "mpirun") ==
        "rank 2 on cpu155 ended with signal 4 (illegal instruction); mpirun then ended the other ranks");
  CHECK(text_of("mpirun detected that one or more processes exited with non-zero status, thus causing\n"
                "the job to be terminated. The first process to do so was:\n\n"
                "  Process name: [[17546,1],5]\n  Exit code:    7\n",
                "mpirun") == "rank 5 ended with exit code 7; mpirun then ended the other ranks");
  CHECK(text_of("prterun detected that one or more processes exited with non-zero status,\n"
                "thus causing the job to be terminated. The first process to do so was:\n\n"
                "   Process name: [prterun-cn1-257891@1,3]\n   Exit code:    127\n",
                "mpirun") == "rank 3 ended with exit code 127; mpirun then ended the other ranks");
  CHECK(text_of("prterun has exited due to process rank 52 with PID 0 on node a02 calling\n\"abort\".\n",
                "mpirun", 64) == "rank 52 on a02 gave up (MPI_Abort); mpirun then ended the other ranks");
  CHECK(text_of("ORTE has lost communication with a remote daemon.\n\n"
                "  HNP daemon   : [[12165,0],0] on node vm\n"
                "  Remote daemon: [[12165,0],1] on node cn1\n\n",
                "mpirun") == "node cn1 was lost");
}

TEST_CASE("the tasks by which mpirun starts its daemons are no ranks") {
  CHECK(text_of("srun: error: cn3: task 2: Killed\n", "mpirun").empty());
  CHECK(text_of("srun: error: cn3: task 2: Killed\n", "srun") ==
        "rank 2 on cn3 ended with signal 9 (killed); Slurm then ended the other ranks");
}

TEST_CASE("a text that only looks like a report names nobody") {
  for (const char* text :
       {"", "srun: error: cn3: task x: Killed\n", "srun: error: cn3: task 3: Lost\n",
        "srun: error: cn[3: task 3: Killed\n", "rank 3 on cn3: Exited with exit code 3\n",
        "srun: error: cn3: task 99999999999999999999: Killed\n", "srun: error: cn3: tasks 5-2: Killed\n",
        "mpirun noticed that process rank\n", "Process name: [\n", "Process name: [[1,1],] Exit code: 3\n",
        "MPI_ABORT was invoked\n", "x was unable to start\n"}) {
    INFO(text);
    CHECK_FALSE(launcher_report(text, "srun").failure);
    CHECK_FALSE(launcher_report(text, "mpirun").failure);
    CHECK_FALSE(launcher_report(text, "srun").cancelled);
  }
}

TEST_CASE("why srun could not start a step on a node is found among the words of other steps") {
  const std::string text =
      "srun: error: Task launch for StepId=1.1 failed on node cn3: Invalid node name specified\n"
      "srun: error: Application launch failed: Invalid node name specified\n"
      "srun: error: Task launch for StepId=1.2 failed on node cn2: Communication connection failure\n"
      "srun: Job step aborted\n";
  CHECK(launch_refusal(text, Names{"cn1", "cn2"}) == "on cn2: Communication connection failure");
  CHECK(launch_refusal(text, Names{"cn3"}) == "on cn3: Invalid node name specified");
  CHECK(launch_refusal(text, Names{"cn", "cn33"}).empty());
}

TEST_CASE("the program's own lines are those that no launcher and no library wrote") {
  const std::string text = std::string("starting\n") + exit_of_one + rule() +
                           "Primary job  terminated normally, but 1 process returned\n" + rule() +
                           "[vm:10721] *** Process received signal ***\n"
                           "[vm:10721] [ 0] /lib/x86_64-linux-gnu/libc.so.6(+0x3c050)[0x7f4a149a3050]\n"
                           "[rank3]: not a launcher's\n";
  const auto lines = program_lines(text);
  CHECK(std::vector<std::string>(lines.begin(), lines.end()) ==
        Names{"starting", "rank 5 gives up", "[rank3]: not a launcher's"});
}
