#include "reports/redact/redactor.hpp"

#include <catch2/catch.hpp>

#include "reports/redact/redacted.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;

namespace {

Redactor some_names() {
  Redactor names;
  for (const char* node : {"cn001", "cn002", "cn003", "gpu-a.acme.example"}) names.add(NameKind::node, node);
  names.add_alias("gpu-a", "gpu-a.acme.example");
  names.add(NameKind::domain, "acme.example");
  names.add(NameKind::user, "alice");
  names.add(NameKind::partition, "gpu");
  names.add(NameKind::account, "proj42");
  names.keep("hpl");
  return names;
}

std::string changed(const std::string& text) {
  Redactor names = some_names();
  return names(text);
}

}  // namespace

TEST_CASE("nodes are replaced as words, in lists and by number") {
  CHECK(changed("cn001") == "node-001");
  CHECK(changed("hpl-each-cn002/attempt-1") == "hpl-each-node-002/attempt-1");
  CHECK(changed("job_cn003.out: rank 0 on cn003, cn0033") ==
        "job_node-003.out: rank 0 on node-003, node-005");
  CHECK(changed("on cn[001-003]") == "on node-[001-003]");
  CHECK(changed("cn[001,003]: slow") == "node-[001,003]: slow");
  CHECK(changed("cn098 is another one") == "node-005 is another one");
  CHECK(changed("gpu-a and gpu-a.acme.example are one") == "node-004 and node-004 are one");
  CHECK(changed("login7.acme.example") == "node-005");
  CHECK(changed("array[1-3] of xcn001y") == "array[1-3] of xcn001y");
}

TEST_CASE("an everyday word is a name only where it must be one") {
  CHECK(changed("gpu") == "partition-1");
  CHECK(changed("--partition=gpu of the gpu nodes") == "--partition=partition-1 of the gpu nodes");
  CHECK(changed("equal: device, gpu") == "equal: device, gpu");
  CHECK(changed("account proj42") == "account account-1");
}

TEST_CASE("paths of the site are replaced, those of the system and quotients are not") {
  CHECK(changed("/home/alice/xhpl -v") == "path-1 -v");
  CHECK(changed("open /scratch/a/b.out.") == "open path-1.");
  CHECK(changed("PATH=/opt/acme/bin:/usr/bin:/opt/acme/bin") == "PATH=path-1:/usr/bin:path-1");
  CHECK(changed("62.3 GFLOP/s, 1/60, GB/s") == "62.3 GFLOP/s, 1/60, GB/s");
  CHECK(changed("/proc/cmdline and /usr/bin/mpirun") == "/proc/cmdline and /usr/bin/mpirun");
  CHECK(changed("/dev/shm/alice.tmp") == "/dev/shm/user-1.tmp");
  CHECK(changed("~/hpl/HPL.dat") == "path-1");
  CHECK(changed("file:///home/alice/x") == "file://path-1");
  CHECK(changed("nfsroot=nfs7:/export/home,vers=4") == "nfsroot=node-005:path-1,vers=4");
  CHECK(changed("https://www.top500.org/list") == "https://www.top500.org/list");
}

TEST_CASE("addresses, serial numbers and UUIDs are found by their form") {
  CHECK(changed("10.1.2.3 and 10.1.2.3:22") == "address-1 and address-1:22");
  CHECK(changed("aa:bb:cc:00:11:22") == "address-1");
  CHECK(changed("fe80::1:2 or fe80:0000:0000:0000:0001:0002:0003:0004") == "address-1 or address-2");
  CHECK(changed("bob.smith@acme.example") == "address-1");
  CHECK(changed("GPU-1c2d3e4f-0000-1111-2222-333344445555") == "serial-1");
  CHECK(changed("root=UUID=1c2d3e4f-0000-1111-2222-333344445555") == "root=UUID=serial-1");
  CHECK(changed("Serial Number: PHX12345") == "Serial Number: serial-1");
  CHECK(changed("0x1070fd0300a1b2c4") == "address-1");
  CHECK(changed("python3 (pid 4242, uid 1000)") == "python3 (pid 4242, user-2)");
  // What looks like one and is none.
  CHECK(changed("libcublas.so.12.4.5.8, NCCL version 2.21.5.1") ==
        "libcublas.so.12.4.5.8, NCCL version 2.21.5.1");
  CHECK(changed("OFED 24.04.0.6, driver 550.90.07") == "OFED 24.04.0.6, driver 550.90.07");
  CHECK(changed("2026-11-26T23:16:49Z took 00:12:34") == "2026-11-26T23:16:49Z took 00:12:34");
  CHECK(changed("0000:3b:00.0 a::b") == "0000:3b:00.0 a::b");
}

TEST_CASE("what is left of the names is found") {
  const Redactor names = some_names();
  CHECK(names.left_in("rank 0 on cn002").front() == "cn002");
  CHECK(names.left_in("node-002, gpu, xcn002x").empty());
}

TEST_CASE("a redacted campaign keeps its numbers, hashes and verdict, and loses every name") {
  CampaignRecord record = fixture::quick_campaign();
  record.inventory.groups.front().hosts = "sekai[1-2]";
  record.criteria_text = "title = \"of sekai1\"\n";
  record.environment.push_back({"sekai1", "kernel command line", "ip=10.9.8.7 nfsroot=/export/sekai"});
  for (CaseRecord& each : record.cases) {
    each.planned.hosts = "sekai1";
    for (AttemptRecord& attempt : each.attempts) {
      attempt.host = "sekai1";
      attempt.failure = "sekai2: No route to host, see /home/hanako/run";
      attempt.files.front().excerpt += "rank 0 of hanako on sekai1\n";
    }
  }
  const MeasuredCampaign campaign(record);
  const std::string before = sha256(record.criteria_text);
  Judgement judgement;
  judgement.sentence = "not accepted: sekai1 is slow";
  judgement.overall = Verdict::fail;
  const RedactedCampaign made = redacted(campaign, judgement, nullptr, std::string(64, 'a'));
  CHECK(made.judgement.sentence == "not accepted: node-001 is slow");
  CHECK(made.judgement.overall == Verdict::fail);
  CHECK(criteria_sha256(judging_criteria(made.campaign.record)) == before);
  const AttemptRecord& attempt = made.campaign.record.cases.front().attempts.front();
  CHECK(attempt.failure == "node-002: No route to host, see path-1");
  CHECK(attempt.files.front().sha256 == record.cases.front().attempts.front().files.front().sha256);
  for (const char* format : {"html", "json", "csv", "junit", "markdown"}) {
    const auto known = report_format_named(format);
    REQUIRE(known);
    const auto text = (*known)->render({made.campaign, made.judgement, nullptr});
    REQUIRE(text);
    INFO(format);
    for (const char* name : {"sekai", "hanako", "10.9.8.7", "/export"})
      CHECK(text->find(name) == std::string::npos);
  }
  REQUIRE(made.judgement.redaction);
  CHECK(made.judgement.redaction->replaced.at("node") == 3);  // and the node of the attempts' environment
  // The same campaign has the same replacements.
  const RedactedCampaign again = redacted(campaign, judgement, nullptr, "");
  CHECK(again.campaign.record.environment == made.campaign.record.environment);
}
