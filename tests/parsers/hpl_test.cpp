#include <catch2/catch.hpp>

#include <map>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

TEST_CASE("a netlib log gives its row, its check and its footer, each with its line") {
  const auto results = parsed(fixture("hpl/grammar/netlib-passed.out"));
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.suite == "hpl");
  CHECK(result.implementation == "netlib");
  CHECK(result.version == "2.3");
  CHECK(result.complete);
  CHECK(result.reason.empty());
  CHECK(result.warnings.empty());
  CHECK(parameter(result, "N") == "1500");
  CHECK(parameter(result, "NB") == "64");
  CHECK(parameter(result, "P") == "1");
  CHECK(parameter(result, "Q") == "2");
  CHECK(parameter(result, "PMAP") == "row");
  CHECK(parameter(result, "TV") == "WR11C2R4");
  REQUIRE(result.metric("rmax_gflops") != nullptr);
  CHECK(result.metric("rmax_gflops")->line == 47);
  CHECK(result.metric("residual")->line == 53);
  CHECK(fact(result, "residual_check") == "PASSED");
  CHECK(fact(result, "tests_passed") == "1");
  CHECK(fact(result, "threshold") == "16.0");
  CHECK(fact(result, "end_of_tests") == "End of Tests.");
  CHECK(fact(result, "echoed") == "yes");
}

TEST_CASE("every build is known by what it prints") {
  const std::map<std::string, std::pair<std::string, std::string>> builds = {
      {"netlib-1.0a.out", {"netlib", "1.0a"}},
      {"netlib-tagged.out", {"netlib", "2.3"}},
      {"onemkl.out", {"intel", "2.3"}},
      {"aocl.out", {"amd", "2.3"}},
      {"rochpl-two-iterations.out", {"amd", "2.2"}},
      {"hpl-gpu.out", {"hpl-gpu", "2.0"}},
      {"nvidia-1.0.0-coloured.out", {"nvidia", "1.0.0"}},
      {"nvidia-23-indented.out", {"nvidia", ""}},
      {"nvidia-two-loops.out", {"nvidia", "25.4.0"}},
      {"nvidia-cublas-failed.out", {"nvidia", ""}},
  };
  for (const auto& [name, build] : builds) {
    INFO(name);
    const auto results = parsed(fixture("hpl/grammar/" + name));
    CHECK(results.front().implementation == build.first);
    CHECK(results.front().version == build.second);
  }
}

TEST_CASE("rows are read by their header: CPU before Gflops, per GPU behind it") {
  const auto gpu = parsed(fixture("hpl/grammar/hpl-gpu.out"));
  CHECK(metric(gpu.front(), "rmax_gflops") == Approx(1.061e4));
  CHECK(metric(gpu.front(), "time_s") == Approx(130.07));
  const auto nvidia = parsed(fixture("hpl/grammar/nvidia-23-indented.out"));
  CHECK(metric(nvidia.front(), "rmax_gflops") == Approx(1.470e5));
  CHECK(metric(nvidia.front(), "rmax_gflops_per_gpu") == Approx(3.676e4));
}

TEST_CASE("repetitions of one test stay several results, and progress is none") {
  const auto loops = parsed(fixture("hpl/grammar/nvidia-two-loops.out"));
  REQUIRE(loops.size() == 2);
  CHECK(metric(loops[0], "rmax_gflops") == Approx(3.375e5));
  CHECK(metric(loops[1], "rmax_gflops") == Approx(3.386e5));
  CHECK(fact(loops[0], "ranks") == "8");
  CHECK(fact(loops[0], "hosts") == "cn001:4,cn002:4");
  CHECK(fact(loops[0], "setting HPL_OOC_MODE") == "0");
  CHECK(parsed(fixture("hpl/grammar/rochpl-two-iterations.out")).size() == 2);
}

TEST_CASE("several problems are several results, parameter lists wrapped or not") {
  const auto eight = parsed(fixture("hpl/grammar/netlib-eight-problems.out"));
  REQUIRE(eight.size() == 8);
  CHECK(parameter(eight[7], "P") == "2");
  CHECK(parameter(eight[7], "PMAP") == "column");
  for (const ParsedResult& result : eight) CHECK(fact(result, "echoed") == "yes");
  const auto wrapped = parsed(fixture("hpl/grammar/netlib-wrapped-lists.out"));
  REQUIRE(wrapped.size() == 10);
  CHECK(parameter(wrapped[9], "NB") == "96");
  CHECK(fact(wrapped[9], "echoed") == "yes");
}

TEST_CASE("an HPL run that fails its residual check is invalid, not missing") {
  for (const char* name : {"netlib-failed.out", "nan-failed.out", "netlib-1.0a-second-check-failed.out"}) {
    INFO(name);
    for (const ParsedResult& result : parsed(fixture(std::string("hpl/grammar/") + name))) {
      CHECK(result.complete);
      CHECK(fact(result, "residual_check") == "FAILED");
      CHECK(result.metric("rmax_gflops") != nullptr);
      CHECK(judge(result).validity == Validity::invalid);
    }
  }
}

TEST_CASE("a residual that is no number is no metric") {
  const auto results = parsed(fixture("hpl/grammar/nan-failed.out"));
  CHECK(results.front().metric("residual") == nullptr);
  CHECK(fact(results.front(), "residual_printed") == "nan");
}

TEST_CASE("of HPL 1.0's three checks the largest quotient counts, and two are not enough") {
  const std::string text = fixture("hpl/grammar/netlib-1.0a.out");
  CHECK(metric(parsed(text).front(), "residual") == Approx(0.0412956));
  const auto cut = parsed(text.substr(0, text.find("||Ax-b||_oo / ( eps * ||A||_oo * ||x||_oo ) =")));
  CHECK_FALSE(cut.front().complete);
}

TEST_CASE("a run that did not check its residuals is unknown, and says so") {
  const auto results = parsed(fixture("hpl/grammar/netlib-unchecked.out"));
  REQUIRE(results.size() == 2);  // netlib prints the header once when it does not check
  for (const ParsedResult& result : results) {
    CHECK_FALSE(result.complete);
    CHECK(result.metric("rmax_gflops") != nullptr);
    CHECK(result.reason ==
          "line 52: the run did not check its residuals ('2 tests completed without checking')");
    CHECK(judge(result).validity == Validity::unknown);
  }
}

TEST_CASE("a skipped test is a result without metrics that says why") {
  const auto results = parsed(fixture("hpl/grammar/netlib-one-skipped.out"));
  REQUIRE(results.size() == 2);
  CHECK(results[0].complete);
  CHECK(judge(results[0]).validity == Validity::valid);
  CHECK_FALSE(results[1].complete);
  CHECK(results[1].metrics.empty());
  CHECK(results[1].reason ==
        "line 55: HPL skipped this test: '[0,1] Memory allocation failed for A, x and b. Skip.'");
  CHECK(judge(results[1]).validity == Validity::unknown);
}

TEST_CASE("a log without a result gives the reason, never a number") {
  const std::map<std::string, std::string> reasons = {
      {"netlib-no-input.out", "line 2: HPL stopped: 'cannot open file HPL.dat'"},
      {"netlib-too-few-ranks.out", "line 2: HPL stopped: 'Need at least 8 processes for these tests'"},
      {"nvidia-cublas-failed.out", "line 2: HPL stopped: 'HPL ERROR: CUBLAS initialization failed'"},
      {"time-limit.out",
       "line 44: the time limit ended the job: 'slurmstepd: error: *** STEP 123.0 ON n1 CANCELLED AT "
       "2026-11-21T18:00:00 DUE TO TIME LIMIT ***'"},
      {"out-of-memory.out",
       "line 45: out of memory: 'slurmstepd: error: Detected 1 oom_kill event in StepId=123.0. Some of the "
       "step tasks "
       "have been OOM Killed.'"},
  };
  for (const auto& [name, reason] : reasons) {
    INFO(name);
    const auto results = parsed(fixture("hpl/grammar/" + name));
    REQUIRE(results.size() == 1);
    CHECK_FALSE(results.front().complete);
    CHECK(results.front().metrics.empty());
    CHECK(results.front().reason == reason);
  }
}

TEST_CASE("an interrupted run keeps the results that it had") {
  const auto results = parsed(fixture("hpl/grammar/netlib-interrupted.out"));
  REQUIRE(results.size() == 1);
  CHECK(results.front().complete);
  REQUIRE(results.front().warnings.size() == 1);
  CHECK(results.front().warnings.front() ==
        "the log has no 'End of Tests.': it is cut, or the run was ended");
}

TEST_CASE("rocHPL's summary alone is a value, not a result") {
  const auto results = parsed(fixture("hpl/grammar/rochpl-stdout.out"));
  REQUIRE(results.size() == 1);
  CHECK(metric(results.front(), "rmax_gflops") == Approx(5.1436e4));
  CHECK_FALSE(results.front().complete);
  CHECK(results.front().reason == "line 7: only rocHPL's summary is here; its result table is in HPL.out");
}

TEST_CASE("noise between a row and its check changes nothing") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const std::string check = "||Ax-b||_oo/(eps*";
  for (const std::string noise :
       {"gpu001:407892:407892 [0] NCCL INFO comm 0x5555bc5462a0 rank 0 nranks 2 - Destroy COMPLETE\n",
        "WARNING: There was an error initializing an OpenFabrics device.\n\n  Local host:   node2\n",
        "PMIX ERROR: ERROR in file gds_ds12_lock_pthread.c at line 168\n", "\xe4\xf6\xfc Latin-1\n",
        " Prog= 1.73%\tN_left=   525312\tTime=   1.29\tiGF= 1324291.79 GF= 1324291.79\n"}) {
    auto quiet = parsed(text);
    auto noisy = parsed(replaced(text, check, noise + check));
    REQUIRE(noisy.size() == 1);
    CHECK(noisy.front().complete);
    CHECK(metric(noisy.front(), "residual") == metric(quiet.front(), "residual"));
    CHECK(noisy.front().warnings == quiet.front().warnings);
  }
}

TEST_CASE("a row that other output broke is lost, and the check behind it is not given to the row before") {
  std::string text = fixture("hpl/grammar/netlib-failed.out");
  const size_t second = text.find("WR11C2R4        1000");
  text.replace(second, 30, "[n1:77] some other rank's words ");
  const auto results = parsed(text);
  REQUIRE(results.size() == 2);
  CHECK(parameter(results[0], "N") == "600");
  CHECK(results[1].metrics.empty());
  CHECK(results[1].reason.find("a residual check without its result row") != std::string::npos);
}

TEST_CASE("a row that follows another rank's words on its line is still the row") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const auto results = parsed(replaced(text, "WR11C2R4 ", "some words of rank 1 WR11C2R4 "));
  REQUIRE(results.size() == 1);
  CHECK(results.front().complete);
}

TEST_CASE("a copy of the row behind the run's end is no second result") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const size_t row = text.find("WR11C2R4 ");
  const size_t check = text.find("||Ax-b||_oo/(eps");
  const auto results = parsed(text + text.substr(row, text.find('\n', row) + 1 - row) +
                              text.substr(check, text.find('\n', check) + 1 - check));
  CHECK(results.size() == 1);
}

TEST_CASE("a check that another run left below a run that ended early is not its own") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const size_t check = text.find("||Ax-b||_oo/(eps");
  const std::string cut = text.substr(0, check);
  const std::string line = text.substr(check, text.find('\n', check) + 1 - check);
  for (const std::string end :
       {"slurmstepd: error: *** JOB 1 ON n1 CANCELLED AT 2025-01-01T00:00:00 DUE TO TIME LIMIT ***\n",
        "+ grep PASSED old/HPL.out\n", "mpirun noticed that process rank 0 exited on signal 11\n"}) {
    INFO(end);
    const auto results = parsed(cut + end + line);
    REQUIRE(results.size() == 1);
    CHECK_FALSE(results.front().complete);
    CHECK(judge(results.front()).validity == Validity::unknown);
  }
  // A copy with its own header is another run's.
  const auto results = parsed(cut + "+ tail -20 old/HPL.out\n" + text.substr(text.find("T/V      ")));
  REQUIRE(results.size() == 2);
  CHECK_FALSE(results[0].complete);
  CHECK(results[1].version.empty());
}

TEST_CASE("a check below a broken row is not that of the row before") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const auto results = parsed(replaced(text, "||Ax-b||_oo/(eps", "WR11C2R4        4000\n||Ax-b||_oo/(eps"));
  REQUIRE(results.size() == 2);
  CHECK_FALSE(results[0].complete);
  CHECK(results[1].metrics.empty());
}

TEST_CASE("the lines of detailed timing are no shell's trace") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const auto results =
      parsed(replaced(text, "||Ax-b||_oo/(eps",
                      "+ Max aggregated wall time pfact . . :              0.05\n||Ax-b||_oo/(eps"));
  CHECK(results.front().complete);
}

TEST_CASE("a word of HPL-MxP makes no run another benchmark's") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const std::string note = "# note: HPLMXP_ and HPL_AI are next, with Gflops_IRS\n";
  const std::string listed = "ls /opt/mkl: xhpl_intel64_dynamic xhpl-ai_intel64_dynamic\n";
  const std::string later = "Next: run xhpl-ai_intel64_dynamic later\n";
  for (const std::string& log : {note + text, replaced(text, "||Ax-b||_oo/(eps", note + "||Ax-b||_oo/(eps"),
                                 text + note, listed + text, text + later}) {
    const auto results = parsed(log);
    REQUIRE(results.size() == 1);
    CHECK(results.front().suite == "hpl");
    CHECK(judge(results.front()).validity == Validity::valid);
  }
}

TEST_CASE("the name of Intel's HPL-AI belongs to the next run, and leaves the one before as it is") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const auto results = parsed(text + "+ mpirun -np 2 ./xhpl-ai_intel64_dynamic\n" + text);
  REQUIRE(results.size() == 2);
  CHECK(std::count_if(results.begin(), results.end(), [](const auto& r) { return r.suite == "hpl"; }) == 1);
  CHECK(std::count_if(results.begin(), results.end(), [](const auto& r) { return r.suite == "hpl-mxp"; }) ==
        1);
  for (const ParsedResult& result : results)
    CHECK(result.metric("rmax_gflops")->line == (result.suite == "hpl" ? 47 : 111));
}

TEST_CASE("what a launcher puts before each line is learned from the banner's") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const auto genuine = parsed(text);
  for (const std::string prefix :
       {"Fri Mar  1 12:00:00 2024[1,0]<stdout>:", "Fri Mar 11 12:00:00 2024<stdout>:",
        "[pod/hpl-launcher/xhpl] ", "nid001234.cm.cluster 0: ", "2024-03-01T12:00:00.123456+01:00 n1 "}) {
    INFO(prefix);
    std::string log = prefix + replaced(text, "\n", "\n" + prefix);
    log.resize(log.size() - prefix.size());
    const auto results = parsed(log);
    REQUIRE(results.size() == 1);
    CHECK(results.front().metrics == genuine.front().metrics);
    CHECK(results.front().facts == genuine.front().facts);
    CHECK(results.front().warnings.empty());
  }
}

TEST_CASE("a log whose lines begin with words that nobody knows is not whole") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  for (const std::string prefix : {"- ", "> "}) {
    std::string log = prefix + replaced(text, "\n", "\n" + prefix);
    const auto results = parsed(log);
    REQUIRE(results.size() == 1);
    CHECK_FALSE(results.front().complete);
    CHECK(judge(results.front()).validity == Validity::unknown);
  }
}

TEST_CASE("a verdict with other letters behind it is none") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  CHECK_FALSE(parsed(replaced(text, "...... PASSED", "...... PASSEDoops")).front().complete);
}

TEST_CASE("zeros before a log do no harm, and UTF-16 is named") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  CHECK(parsed(std::string(5000, '\0') + text).front().complete);
  std::string stray = text;
  stray.insert(stray.find("Written by"), 3, '\0');
  CHECK(parsed(stray).front().complete);
  std::string wide = "\xff\xfe";
  std::string big_endian = "\xfe\xff";
  for (const char c : text) {
    wide += std::string{c, '\0'};
    big_endian += std::string{'\0', c};
  }
  for (const std::string& log : {wide, wide.substr(2), big_endian, big_endian.substr(2)}) {
    const auto results = parsed_log(log);
    REQUIRE_FALSE(results.has_value());
    CHECK(results.error().hint.find("iconv") != std::string::npos);
  }
  const auto binary = parsed_log(std::string("\x7f") + "ELF" + std::string(10, '\0') + text);
  REQUIRE_FALSE(binary.has_value());
  CHECK(binary.error().what == "this is a binary file, no benchmark log");
}

TEST_CASE("a log of two runs has the results of both, and reports one that died") {
  const std::string one = fixture("hpl/grammar/netlib-passed.out");
  CHECK(parsed(one + fixture("hpl/grammar/onemkl.out")).size() == 2);
  const auto results = parsed(fixture("hpl/grammar/time-limit.out") + one);
  REQUIRE(results.size() == 1);
  CHECK(results.front().complete);
  REQUIRE(results.front().warnings.size() == 1);
  CHECK(
      results.front().warnings.front().starts_with("the run that starts at line 1 left no result: line 44:"));
}

TEST_CASE("what is no HPL log is an error that says what was looked for") {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("hello\n"),
        std::string_view("HPLinpack benchmark input file\n1500 Ns\n"),
        std::string_view(
            "||Ax-b||_oo / (EPS * (||A||_oo * ||x||_oo + ||b||_oo) * N) = 3.7e-04 ...... PASSED\n"),
        std::string_view("HPL_AI   WR03L2L2  44000   288     1     1  3.74  1.517e+04\n")}) {
    const auto results = parsed_log(text, "hpl");
    REQUIRE_FALSE(results.has_value());
    CHECK(results.error().hint.find("looked for an HPLinpack") != std::string::npos);
  }
}

TEST_CASE("a log of mixed precision under HPL's banner is not HPL's") {
  const std::string text =
      replaced(fixture("hpl/grammar/rochpl-two-iterations.out"), "HPL_pdgesv()", "HPLMXP_pdgesv()");
  CHECK_FALSE(parsed_log(text, "hpl").has_value());
}

TEST_CASE("the suite that was asked for is the only one that is tried") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  CHECK(parsed_log(text, "hpl").has_value());
  const auto as_gemm = parsed_log(text, "gemm");
  REQUIRE_FALSE(as_gemm.has_value());
  CHECK(to_string(as_gemm.error()) == "this is no gemm log\nhint: looked for a 'shakedown gemm' banner");
  const auto unknown = parsed_log(text, "hpll");
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().what == "no log of suite 'hpll' can be read (did you mean 'hpl'?)");
}
