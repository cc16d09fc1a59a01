#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <string>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

std::vector<ParsedResult> nccl_results(const std::string& name) {
  return logs::parsed(logs::fixture("probes/" + name));
}

}  // namespace

TEST_CASE("nccl-tests gives the bandwidths of its largest size, its highest and its own average") {
  const auto results = nccl_results("nccl-all-reduce.out");
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.suite == "nccl");
  CHECK(result.implementation == "nccl-tests");
  CHECK(result.version == "2.19.6");
  CHECK(result.complete);
  CHECK(logs::parameter(result, "collective") == "all_reduce");
  CHECK(logs::parameter(result, "ranks") == "8");
  CHECK(logs::parameter(result, "iters") == "20");
  CHECK(logs::parameter(result, "min_bytes") == "8");
  CHECK(logs::parameter(result, "max_bytes") == "8589934592");
  CHECK(logs::metric(result, "max_busbw_gb_s") == 78.74);
  CHECK(logs::metric(result, "busbw_at_max_bytes_gb_s") == 78.74);
  CHECK(logs::metric(result, "max_busbw_in_place_gb_s") == 79.53);
  CHECK(logs::metric(result, "avg_busbw_gb_s") == 45.9152);
  CHECK(logs::metric(result, "wrong") == 0);
  CHECK(result.metric("max_busbw_gb_s")->line == 23);
  CHECK(result.metric("avg_busbw_gb_s")->line == 25);
}

TEST_CASE("each collective of an nccl-tests log is a result, with its own placement checked") {
  const auto results = nccl_results("nccl-two-collectives.out");
  REQUIRE(results.size() == 2);
  CHECK(logs::parameter(results[0], "collective") == "alltoall");
  CHECK(logs::parameter(results[1], "collective") == "sendrecv");
  CHECK(logs::metric(results[1], "wrong") == 0);  // N/A in place is no number
  CHECK(logs::fact(results[1], "average_check") == "FAILED");
  CHECK(results[1].complete);
}

TEST_CASE("the columns of an nccl-tests table are read from its header") {
  SECTION("version 1 has neither root nor #wrong, and the program is named by the echoed command") {
    const auto results = nccl_results("nccl-version-1.out");
    REQUIRE(results.size() == 1);
    CHECK(logs::parameter(results[0], "collective") == "all_reduce");
    CHECK(logs::parameter(results[0], "gpus_per_thread") == "4");
    CHECK(logs::metric(results[0], "max_busbw_gb_s") == 67.49);
    CHECK(logs::metric(results[0], "wrong") == 0);
    CHECK(results[0].metric("wrong_elements") == nullptr);
  }
  SECTION("statistics of single iterations stand between the placements") {
    const auto results = nccl_results("nccl-per-iteration.out");
    REQUIRE(results.size() == 1);
    CHECK(logs::metric(results[0], "max_busbw_gb_s") == 33.75);
    CHECK(logs::metric(results[0], "max_busbw_in_place_gb_s") == 34.08);
  }
  SECTION("time stamps end the rows") {
    CHECK(logs::metric(nccl_results("nccl-timestamps.out").front(), "max_busbw_in_place_gb_s") == 34.08);
  }
  SECTION("hypercube prints a blank operation") {
    CHECK(logs::metric(nccl_results("nccl-hypercube.out").front(), "max_busbw_gb_s") == 44.99);
  }
  SECTION("only one placement was measured") {
    const std::string text =
        "# nThread 1 nGpus 1 minBytes 1024 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20\n"
        "#                                             in-place\n"
        "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
        "        1024           256     float     sum      -1    10.24    0.10    0.15      0\n"
        "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0.15\n";
    const auto results = logs::parsed(text);
    REQUIRE(results.size() == 1);
    CHECK(results[0].fact("row in-place") != nullptr);
    CHECK(results[0].fact("row out-of-place") == nullptr);
    CHECK(logs::metric(results[0], "max_busbw_gb_s") == 0.15);
  }
}

TEST_CASE("rccl-tests is distinguished from nccl-tests, and its collective by the ratio of its bandwidths") {
  const auto results = nccl_results("rccl-all-reduce.out");
  REQUIRE(results.size() == 1);
  CHECK(results[0].implementation == "rccl-tests");
  CHECK(results[0].version == "develop:ae3e635");
  CHECK(logs::parameter(results[0], "collective") == "all_reduce");
  REQUIRE(results[0].warnings.size() == 1);
  CHECK(results[0].warnings[0].find("does not name its collective") != std::string::npos);
}

TEST_CASE("an nccl-tests log without its footer gives no metric and the reason") {
  const auto cut = nccl_results("nccl-no-footer.out");
  REQUIRE(cut.size() == 1);
  CHECK_FALSE(cut[0].complete);
  CHECK(cut[0].metrics.empty());
  CHECK(cut[0].reason.starts_with("line 22: the time limit ended the job"));
  const auto failed = nccl_results("nccl-test-failure.out");
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].reason.starts_with("line 14: the test stopped"));
  CHECK(logs::judge(failed[0]).validity == Validity::unknown);
}

TEST_CASE("a run of nccl-tests that checked nothing has no count of wrong values") {
  std::string text = logs::fixture("probes/nccl-all-reduce.out");
  text = logs::replaced(text, "validation: 1", "validation: 0");
  text = logs::replaced(text, "       0\n", "     N/A\n");
  text = logs::replaced(text, "       0  ", "     N/A  ");
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  CHECK(results[0].complete);
  CHECK(results[0].metric("wrong") == nullptr);
  CHECK(logs::judge(results[0]).validity == Validity::unknown);
}

TEST_CASE("text that only quotes nccl-tests is no log of it") {
  for (const char* text :
       {"* `# Avg bus bandwidth : 70.742`: ignore it\n* nThread and algbw busbw explained\n",
        "Run `all_reduce_perf` and look at the algbw column.\n"}) {
    INFO(text);
    CHECK_FALSE(parsed_log(text).has_value());
  }
}

TEST_CASE("the rules of nccl-tests pass where the values follow from each other") {
  for (const char* name : {"nccl-all-reduce.out", "nccl-two-collectives.out", "nccl-version-1.out",
                           "rccl-all-reduce.out", "nccl-per-iteration.out", "nccl-timestamps.out"}) {
    INFO(name);
    for (const ParsedResult& result : nccl_results(name)) {
      const Judged judged = logs::judge(result);
      CHECK(judged.validity == Validity::valid);
      for (const char* id : {"NCCL-01", "NCCL-02", "NCCL-03", "NCCL-04", "NCCL-05"})
        CHECK(logs::rule(judged, id).status == RuleStatus::pass);
    }
  }
}

TEST_CASE("values that came back wrong make a run of nccl-tests invalid") {
  const auto results = nccl_results("nccl-wrong.out");
  REQUIRE(results.size() == 1);
  CHECK(logs::metric(results[0], "wrong") == 1);
  CHECK(logs::metric(results[0], "wrong_elements") == 3);
  const Judged judged = logs::judge(results[0]);
  CHECK(judged.validity == Validity::invalid);
  CHECK(logs::rule(judged, "NCCL-01").status == RuleStatus::fail);
}

TEST_CASE("the rules of nccl-tests are unknown where the log lacks what they need") {
  std::string text = logs::fixture("probes/nccl-all-reduce.out");
  text = text.substr(text.find("#\n# ", text.find("Rank  7")));
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  const Judged judged = logs::judge(results[0]);
  CHECK(logs::rule(judged, "NCCL-02").status == RuleStatus::unknown);
  CHECK(logs::rule(judged, "NCCL-04").status == RuleStatus::unknown);
  CHECK(logs::rule(judged, "NCCL-05").status == RuleStatus::unknown);
  const Judged cut = logs::judge(nccl_results("nccl-test-failure.out").front());
  for (const char* id : {"NCCL-01", "NCCL-02", "NCCL-03", "NCCL-04", "NCCL-05"})
    CHECK(logs::rule(cut, id).status == RuleStatus::unknown);
}

TEST_CASE("without a list of ranks the bus bandwidth still follows from the other by one factor below 2") {
  std::string text = logs::fixture("probes/nccl-all-reduce.out");
  text.erase(0, text.find("#\n# ", text.find("Rank  7")));
  const Judged genuine = logs::judge(logs::parsed(text).front());
  CHECK(genuine.validity == Validity::unknown);  // the head is missing: rows may be too
  CHECK(logs::rule(genuine, "NCCL-02").status == RuleStatus::unknown);
  for (const auto& [was, is] : {std::pair("44.99   78.74", "44.99  109.74"),     // 2.4 x algbw
                                std::pair("44.99   78.74", "44.99   69.74")}) {  // another ratio than above
    const Judged forged = logs::judge(logs::parsed(logs::replaced(text, was, is)).front());
    CHECK(logs::rule(forged, "NCCL-02").status == RuleStatus::fail);
    CHECK(forged.validity == Validity::invalid);
  }
}

TEST_CASE("of several footers the one with wrong values counts") {
  const std::string text = logs::fixture("probes/nccl-all-reduce.out");
  for (const char* two : {"# Out of bounds values : 0 OK\n# Out of bounds values : 5 FAILED\n",
                          "# Out of bounds values : 5 FAILED\n# Out of bounds values : 0 OK\n"}) {
    const auto results = logs::parsed(logs::replaced(text, "# Out of bounds values : 0 OK\n", two));
    REQUIRE(results.size() == 1);
    CHECK(logs::rule(logs::judge(results[0]), "NCCL-01").status == RuleStatus::fail);
  }
}

TEST_CASE("a complaint within a whole nccl-tests log and a failure behind it are warnings") {
  std::string text = logs::fixture("probes/nccl-all-reduce.out");
  text.erase(text.find("# Collective test concluded"));  // older versions end with the average
  const std::string complaint =
      "x3004:23436:23436 [0] init.cc:1200 NCCL WARN Missing \"iommu=pt\" from kernel command line\n";
  const std::string next = "RuntimeError: CUDA error: out of memory\n";
  const size_t devices = text.find("# Using devices");
  REQUIRE(devices != std::string::npos);
  for (const std::string& log :
       {std::string(text).insert(devices, complaint), text + next, complaint + text + complaint + next}) {
    const auto results = logs::parsed(log);
    REQUIRE(results.size() == 1);
    CHECK(results[0].complete);
    CHECK_FALSE(results[0].warnings.empty());
    CHECK(logs::judge(results[0]).validity == Validity::valid);
  }
  const auto before = logs::parsed(std::string(text).insert(devices, next));
  CHECK_FALSE(before[0].complete);
}

TEST_CASE("an average below what was demanded is a warning") {
  const auto results = nccl_results("nccl-two-collectives.out");
  CHECK(logs::rule(logs::judge(results[1]), "NCCL-06").status == RuleStatus::fail);
  CHECK(logs::judge(results[1]).validity == Validity::valid);
  CHECK(logs::rule(logs::judge(results[0]), "NCCL-06").status == RuleStatus::not_applicable);
}

TEST_CASE(
    "an nccl-tests run among other ranks, of another collective or of smaller sizes than planned is "
    "invalid") {
  const auto results = nccl_results("nccl-all-reduce.out");
  Case planned;
  planned.ranks = 8;
  planned.parameters = {{"collective", std::string("all_reduce")}, {"max_bytes", std::int64_t{8589934592}}};
  Evidence evidence;
  evidence.result = &results.front();
  const auto status = [&] { return logs::rule(judged(evidence), "NCCL-07").status; };
  CHECK(status() == RuleStatus::not_applicable);
  evidence.planned = &planned;
  CHECK(status() == RuleStatus::pass);
  CHECK(judged(evidence).validity == Validity::valid);
  planned.ranks = 64;  // eight processes on each of eight nodes that never met
  CHECK(status() == RuleStatus::fail);
  CHECK(judged(evidence).validity == Validity::invalid);
  planned.ranks = 8;
  planned.parameters[0].value = std::string("sendrecv");
  CHECK(status() == RuleStatus::fail);
  planned.parameters = {{"collective", std::string("all_reduce")}, {"max_bytes", std::int64_t{17179869184}}};
  CHECK(status() == RuleStatus::fail);
}

TEST_CASE("an nccl-tests table has each size from minBytes to maxBytes once and in order") {
  const std::string text = logs::fixture("probes/nccl-all-reduce.out");
  const auto line_of = [&](std::string_view begin) {
    const size_t at = text.find(begin);
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find('\n', at) + 1 - at);
  };
  const std::string small = line_of("         512 ");
  const std::string next = line_of("       32768 ");
  const std::string last = line_of("  8589934592 ");
  CHECK(logs::rule(logs::judge(logs::parsed(text).front()), "NCCL-08").status == RuleStatus::pass);
  for (const std::string& forged :
       {logs::replaced(text, small, ""), logs::replaced(text, last, ""),
        logs::replaced(text, small, small + small), logs::replaced(text, small + next, next + small),
        logs::replaced(text, "minBytes 8 ", "minBytes 1 "),
        logs::replaced(text, "step: 64(factor)", "step: 1048576(bytes)")}) {
    const auto results = logs::parsed(forged);
    REQUIRE(results.size() == 1);
    CHECK(logs::rule(logs::judge(results.front()), "NCCL-08").status == RuleStatus::fail);
    CHECK(logs::judge(results.front()).validity == Validity::invalid);
  }
  // Each type has the sizes again, and a GPU's memory may cut them.
  const std::string table =
      text.substr(text.find("           8 "), text.find("# Out of") - text.find("           8 "));
  const auto twice = logs::parsed(logs::replaced(text, table, table + table)).front();
  CHECK(logs::judge(twice).validity == Validity::valid);
  const auto cut = logs::parsed(
      logs::replaced(logs::replaced(text, last, ""), "# Using devices\n",
                     "#\n# Reducing maxBytes to 8000000000 due to memory limitation\n# Using devices\n"));
  CHECK(logs::rule(logs::judge(cut.front()), "NCCL-08").status == RuleStatus::pass);
}

TEST_CASE("a second average, and cells that are no numbers, make a run of nccl-tests invalid") {
  const std::string text = logs::fixture("probes/nccl-all-reduce.out");
  struct Row {
    const char* genuine;
    const char* forged;
    const char* rule;
  };
  for (const Row& row :
       {Row{"# Avg bus bandwidth    : 45.9152 \n",
            "# Avg bus bandwidth    : 95.9152 \n# Avg bus bandwidth    : 45.9152 \n", "NCCL-04"},
        Row{"# Avg bus bandwidth    : 45.9152 \n",
            "# Avg bus bandwidth    : 45.9152 \n# Avg bus bandwidth    : 95.9152 \n", "NCCL-04"},
        Row{"   44.99   78.74 ", "   44.99     inf ", "NCCL-09"},
        Row{"   44.99   78.74 ", "     nan     nan ", "NCCL-09"}}) {
    INFO(row.forged);
    const Judged judged = logs::judge(logs::parsed(logs::replaced(text, row.genuine, row.forged)).front());
    CHECK(logs::rule(judged, row.rule).status == RuleStatus::fail);
    CHECK(judged.validity == Validity::invalid);
  }
  // A row that other output was mixed into may have had any values.
  const Judged mixed =
      logs::judge(logs::parsed(logs::replaced(text, "   44.99   78.74 ", "   44.99 node1")).front());
  CHECK(mixed.validity == Validity::unknown);
}

TEST_CASE("each row of a long nccl-tests table is checked, however many are stored") {
  constexpr int rows = 2000;
  std::string table;
  double sum = 0;
  for (int i = 1; i <= rows; ++i) {
    const double algbw = i * 1e6 / 100e3;  // in 100 us
    const std::string cells = fmt::format("  100.00 {:7.2f} {:7.2f}       0", algbw, algbw * 1.75);
    table +=
        fmt::format("{:12} {:13}     float     sum      -1{}{}\n", i * 1'000'000, i * 250'000, cells, cells);
    sum += std::stod(fmt::format("{:.2f}", algbw * 1.75));
  }
  std::string text = logs::fixture("probes/nccl-all-reduce.out");
  const size_t first = text.find("           8 ");
  text.replace(first, text.find("# Out of") - first, table);
  text = logs::replaced(text, "minBytes 8 maxBytes 8589934592 step: 64(factor)",
                        "minBytes 1000000 maxBytes 2000000000 step: 1000000(bytes)");
  text = logs::replaced(text, ": 45.9152 ", fmt::format(": {:g} ", sum / rows));
  CHECK(logs::judge(logs::parsed(text).front()).validity == Validity::valid);
  const std::string genuine = "  100.00 15000.00 26250.00       0  ";
  struct Row {
    const char* forged;
    const char* rule;
  };
  for (const Row& row : {Row{"  100.00 15000.00 36250.00       0  ", "NCCL-02"},
                         Row{"  100.00 15000.00 16250.00       0  ", "NCCL-02"},
                         Row{"   80.00 15000.00 26250.00       0  ", "NCCL-03"},
                         Row{"  100.00 18000.00 31500.00       0  ", "NCCL-03"},
                         Row{"  100.00 15000.00 26250.00       3  ", "NCCL-01"}}) {
    INFO(row.forged);
    const Judged judged = logs::judge(logs::parsed(logs::replaced(text, genuine, row.forged)).front());
    CHECK(logs::rule(judged, row.rule).status == RuleStatus::fail);
  }
  CHECK(logs::rule(
            logs::judge(
                logs::parsed(logs::replaced(text, " 375000000     float", " 375000001     float")).front()),
            "NCCL-05")
            .status == RuleStatus::fail);
  const std::string gone =
      text.substr(text.find("  1500000000 "), text.find("  1501000000 ") - text.find("  1500000000 "));
  CHECK(logs::rule(logs::judge(logs::parsed(logs::replaced(text, gone, "")).front()), "NCCL-08").status ==
        RuleStatus::fail);
}
