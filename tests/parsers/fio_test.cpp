#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

std::vector<ParsedResult> fio_results(const std::string& name) {
  return logs::parsed(logs::fixture("probes/" + name));
}

RuleStatus fio_status(const ParsedResult& result, const char* id) {
  return logs::rule(logs::judge(result), id).status;
}

/// As fio 2.2 prints it.
const std::string old_text =
    "seq1: (g=0): rw=write, bs=1M-1M/1M-1M/1M-1M, ioengine=libaio, iodepth=32\n"
    "fio-2.2.10\n"
    "Starting 1 process\n"
    "\n"
    "seq1: (groupid=0, jobs=1): err= 0: pid=4711: Mon Mar  7 10:00:00 2016\n"
    "  write: io=1024.0MB, bw=143250KB/s, iops=139, runt=  7320msec\n"
    "    slat (usec): min=48, max=204, avg=90.51, stdev=12.31\n"
    "    clat (msec): min=2, max=301, avg=228.10, stdev=20.02\n"
    "     lat (msec): min=2, max=301, avg=228.19, stdev=20.02\n"
    "    clat percentiles (msec):\n"
    "     |  1.00th=[   98],  5.00th=[  212], 10.00th=[  217], 20.00th=[  221],\n"
    "     | 99.00th=[  265], 99.50th=[  273], 99.90th=[  297], 99.95th=[  302],\n"
    "  cpu          : usr=1.05%, sys=1.20%, ctx=1015, majf=0, minf=11\n"
    "     issued    : total=r=0/w=1024/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0\n"
    "\n"
    "Run status group 0 (all jobs):\n"
    "  WRITE: io=1024.0MB, aggrb=143249KB/s, minb=143249KB/s, maxb=143249KB/s, mint=7320msec, "
    "maxt=7320msec\n";

}  // namespace

TEST_CASE("each job of fio's plain text is a result, each direction with its metrics") {
  const auto results = fio_results("fio-text.out");
  REQUIRE(results.size() == 2);
  const ParsedResult& write = results[0];
  CHECK(write.suite == "fio");
  CHECK(write.version == "3.33");
  CHECK(write.complete);
  CHECK(logs::parameter(write, "job") == "seq-write");
  CHECK(logs::parameter(write, "rw") == "write");
  CHECK(logs::parameter(write, "bs") == "1024KiB");
  CHECK(logs::parameter(write, "ioengine") == "psync");
  CHECK(logs::parameter(write, "iodepth") == "1");
  CHECK(write.metric("write_iops") != nullptr);
  CHECK(write.metric("read_iops") == nullptr);
  // The name "rand1" looks like a host's label on each line.
  const ParsedResult& both = results[1];
  CHECK(logs::parameter(both, "job") == "rand1");
  CHECK(logs::parameter(both, "rw") == "randrw");
  CHECK(logs::parameter(both, "group") == "1");
  for (const char* metric : {"read_bw_mib_s", "read_iops", "write_bw_mib_s", "write_iops"})
    CHECK(both.metric(metric) != nullptr);
  for (const ParsedResult& result : results) {
    CHECK(logs::judge(result).validity == Validity::valid);
    for (const char* id : {"FIO-01", "FIO-02", "FIO-03", "FIO-04"})
      CHECK(fio_status(result, id) == RuleStatus::pass);
  }
}

TEST_CASE("a group of fio jobs that is reported as one is one result") {
  const auto results = fio_results("fio-group.out");
  REQUIRE(results.size() == 1);
  CHECK(logs::parameter(results[0], "job") == "job1");
  CHECK(logs::parameter(results[0], "jobs") == "2");
  CHECK(results[0].complete);
}

TEST_CASE("fio's older plain text counts in units of 1024 bytes") {
  const auto results = logs::parsed(old_text);
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.complete);
  CHECK(result.version == "2.2.10");
  CHECK(logs::parameter(result, "job") == "seq1");
  CHECK(logs::parameter(result, "bs") == "1M");
  CHECK(logs::metric(result, "write_bw_kb_s") == 143250);
  CHECK(logs::metric(result, "write_iops") == 139);
  CHECK(logs::metric(result, "write_lat_mean_ms") == 228.19);
  CHECK(logs::metric(result, "write_clat_p99_ms") == 265);
  CHECK(logs::judge(result).validity == Validity::valid);
  CHECK(fio_status(result, "FIO-02") == RuleStatus::pass);
  CHECK(fio_status(result, "FIO-03") == RuleStatus::pass);
  CHECK(fio_status(result, "FIO-04") == RuleStatus::pass);
}

TEST_CASE("fio's JSON gives what its plain text gives, in KiB/s and nanoseconds") {
  const auto results = fio_results("fio-json.txt");
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.complete);
  CHECK(result.version == "3.33");
  CHECK(logs::parameter(result, "job") == "rand");
  CHECK(logs::parameter(result, "rw") == "randread");
  CHECK(logs::parameter(result, "direct") == "1");
  for (const char* metric : {"read_bw_kib_s", "read_iops", "read_lat_mean_ns", "read_clat_p99_ns"})
    CHECK(result.metric(metric) != nullptr);
  CHECK(result.metric("write_iops") == nullptr);
  CHECK(logs::judge(result).validity == Validity::valid);
  for (const char* id : {"FIO-01", "FIO-02", "FIO-03", "FIO-04"})
    CHECK(fio_status(result, id) == RuleStatus::pass);
  const auto among = logs::parsed("fio: warning of something\n" + logs::fixture("probes/fio-json.txt"));
  REQUIRE(among.size() == 1);
  CHECK(among[0].complete);
}

TEST_CASE("fio's terse output gives bandwidth, IOPS and mean latency") {
  const auto results = fio_results("fio-terse.txt");
  REQUIRE(results.size() == 2);
  CHECK(logs::parameter(results[0], "job") == "seq-write");
  CHECK(results[0].metric("write_bw_kib_s") != nullptr);
  CHECK(results[0].metric("read_bw_kib_s") == nullptr);
  CHECK(logs::parameter(results[1], "job") == "rand1");
  for (const char* metric : {"read_bw_kib_s", "read_iops", "read_lat_mean_us", "write_iops"})
    CHECK(results[1].metric(metric) != nullptr);
  CHECK(results[1].complete);
  CHECK(fio_status(results[1], "FIO-02") == RuleStatus::pass);
  CHECK(fio_status(results[1], "FIO-03") == RuleStatus::unknown);  // operations are not counted there
}

TEST_CASE("a run of fio that is printed in two formats is reported once, two runs alike are reported twice") {
  std::string terse = "3;fio-2.2.10;seq1;0;0";
  for (int i = 0; i < 41; ++i) terse += ";0";
  terse += ";1048576;143250;139;7320";
  for (int i = 4; i < 60; ++i) terse += ";0";
  CHECK(logs::parsed(terse + "\n").size() == 1);
  CHECK(logs::parsed(terse + "\n" + old_text).size() == 1);
  CHECK(logs::parsed(old_text + old_text).size() == 2);
}

TEST_CASE("a job of fio that ended with an error is invalid") {
  const std::string text =
      logs::replaced(old_text, "err= 0: pid",
                     "err=28 (file:io_u.c:1747, func=io_u error, error=No space left on device): pid");
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  CHECK(fio_status(results[0], "FIO-01") == RuleStatus::fail);
  CHECK(logs::judge(results[0]).validity == Validity::invalid);
  const auto json =
      logs::parsed(logs::replaced(logs::fixture("probes/fio-json.txt"), "\"error\" : 0", "\"error\" : 5"));
  CHECK(logs::judge(json[0]).validity == Validity::invalid);
}

TEST_CASE("a fio log without the report of its jobs tells why") {
  const auto results = logs::parsed(
      "seq: (g=0): rw=write, bs=(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) 1024KiB-1024KiB, "
      "ioengine=libaio, "
      "iodepth=32\nfio-3.28\nStarting 1 process\nfio: pid=99, err=28/file:filesetup.c:240, func=write, "
      "error=No "
      "space left on device\n");
  REQUIRE(results.size() == 1);
  CHECK_FALSE(results[0].complete);
  CHECK(results[0].metrics.empty());
  CHECK(results[0].reason.starts_with("line 4: fio stopped"));
  CHECK(logs::parameter(results[0], "job") == "seq");
  CHECK(fio_status(results[0], "FIO-01") == RuleStatus::unknown);
}

TEST_CASE("a fio report that breaks off is incomplete") {
  const auto cut = logs::parsed(old_text.substr(0, old_text.find("  cpu")));
  REQUIRE(cut.size() == 1);
  CHECK_FALSE(cut[0].complete);
  CHECK(cut[0].reason.find("it stops within") != std::string::npos);
  const auto before_status = logs::parsed(old_text.substr(0, old_text.find("Run status")));
  CHECK_FALSE(before_status[0].complete);
  const std::string json = logs::fixture("probes/fio-json.txt");
  const auto within = logs::parsed(json.substr(0, json.find("\"write\"")));
  REQUIRE(within.size() == 1);
  CHECK_FALSE(within[0].complete);
  CHECK(within[0].reason.find("within job 'rand'") != std::string::npos);
}

TEST_CASE("operations of fio that were cut short are a warning") {
  const auto results = logs::parsed(logs::replaced(old_text, "short=r=0/w=0", "short=r=0/w=3"));
  CHECK(fio_status(results[0], "FIO-04") == RuleStatus::fail);
  CHECK(logs::judge(results[0]).validity == Validity::valid);
}

TEST_CASE("a rate of fio beside a runtime of 0 is proved by nothing") {
  const std::string stopped =
      logs::replaced(logs::fixture("probes/fio-json.txt"), "\"runtime\" : 71", "\"runtime\" : 0");
  // 4 MiB in less than a millisecond are more than 4 GB/s.
  for (const char* id : {"FIO-02", "FIO-03"})
    CHECK(fio_status(logs::parsed(stopped).front(), id) == RuleStatus::fail);
  std::string fast = logs::replaced(stopped, "59074704", "9216000000");
  fast = logs::replaced(fast, "57690", "9000000");
  fast = logs::replaced(fast, "14422.535211", "2250000.000000");
  const Judged judged = logs::judge(logs::parsed(fast).front());
  for (const char* id : {"FIO-01", "FIO-02", "FIO-03"}) {
    INFO(id);
    CHECK(logs::rule(judged, id).status == RuleStatus::unknown);
    CHECK(logs::rule(judged, id).text == "the read runtime is printed as 0 ms: no rate follows from it");
  }
  CHECK(judged.validity == Validity::unknown);
}

TEST_CASE("an error of one fio job makes all that ran with it invalid, in each format") {
  const std::string text = logs::fixture("probes/fio-text.out");
  std::string failed = text;
  failed.replace(text.rfind("err= 0"), 6, "err=28");
  const std::string one = logs::fixture("probes/fio-json.txt");
  const size_t begin = one.find("    {\n      \"jobname\"");
  const std::string job = one.substr(begin, one.find("\n    }\n", begin) + 6 - begin);
  const auto json = [&](const std::string& error) {
    const std::string second = logs::replaced(logs::replaced(job, "\"error\" : 0", "\"error\" : " + error),
                                              "\"groupid\" : 0", "\"groupid\" : 1");
    return std::string(one).insert(begin, second + ",\n");
  };
  struct Row {
    std::string log;
    bool valid;
  };
  for (const Row& row :
       {Row{text, true}, Row{failed, false}, Row{text + text, true}, Row{json("0"), true},
        Row{json("5"), false},
        Row{logs::replaced(text, "Starting 2 processes\n",
                           "Starting 2 processes\nfio: pid=7, err=28/file:filesetup.c:240, func=write, "
                           "error=No space left on device\n"),
            false}}) {
    const auto results = logs::parsed(row.log);
    REQUIRE(results.size() >= 2);
    for (const ParsedResult& result : results)
      CHECK(logs::judge(result).validity == (row.valid ? Validity::valid : Validity::invalid));
  }
  // Another run's error is its own.
  const auto both = logs::parsed(failed + text);
  REQUIRE(both.size() == 4);
  CHECK(logs::judge(both.front()).validity == Validity::invalid);
  CHECK(logs::judge(both.back()).validity == Validity::valid);
}
