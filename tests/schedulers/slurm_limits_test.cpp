#include "orchestrator/schedulers/slurm_limits.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/schedulers/slurm_allowance.hpp"

using namespace shakedown;

namespace {

std::string fixture(const std::string& name) {
  const auto text = file_content(fs::path(TEST_FOLDER) / "fixtures/slurm" / name);
  REQUIRE(text);
  return *text;
}

double at(std::string_view utc) {
  return utc_seconds(utc).value();
}

const SlurmUser us{"alice", false};

/// A Slurm of the partitions of a version, with its reservations.
SlurmLimits limits_of(const std::string& version) {
  SlurmLimits limits;
  limits.partitions = slurm_partitions(fixture("partitions-" + version + ".txt"));
  limits.reservations = slurm_reservations(fixture("reservations-" + version + ".txt"));
  limits.configuration.all_partitions_must = true;
  return limits;
}

Site site_of(const std::string& partition) {
  Site site;
  site.partition = partition;
  return site;
}

SlurmAllowance allowed(const SlurmLimits& limits, const Site& site,
                       std::string_view now = "2026-11-22T15:10:00") {
  auto allowance = SlurmAllowance::of(limits, site, us, at(now));
  INFO((allowance ? "" : to_string(allowance.error())));
  REQUIRE(allowance);
  return *std::move(allowance);
}

std::string refused(const SlurmLimits& limits, const Site& site) {
  const auto allowance = SlurmAllowance::of(limits, site, us, at("2026-11-22T15:10:00"));
  return allowance ? "" : to_string(allowance.error());
}

SchedulerNode node_at(const SlurmAllowance& allowance, const std::string& host, std::string_view now,
                      std::string_view state = "IDLE", std::string_view reservation = "") {
  SchedulerNode node{host, SchedulerNode::Kind::idle, ""};
  allowance.apply(node, state, reservation, at(now), 180);
  return node;
}

}  // namespace

TEST_CASE("Slurm's times are read in each of their spellings") {
  const auto [text, seconds] = GENERATE(table<std::string, std::optional<double>>({
      {"1-12:00:00", 129'600},
      {"00:05:00", 300},
      {"2-00", 172'800},
      {"30:15", 1815},
      {"90", 5400},
      {"UNLIMITED", std::nullopt},
      {"NONE", std::nullopt},
      {"", std::nullopt},
      {"-1:00", std::nullopt},
      {"1:2:3:4", std::nullopt},
  }));
  INFO(text);
  CHECK(slurm_seconds(text) == seconds);
}

TEST_CASE("partitions are read from Slurm 22.05 and 25.05") {
  const auto old = slurm_partitions(fixture("partitions-22.05.txt"));
  REQUIRE(old.size() == 4);
  CHECK(old[0].name == "batch");
  CHECK(old[0].is_default);
  CHECK(old[0].hosts == std::set<std::string>{"cn1", "cn2", "cn3", "cn4"});
  CHECK_FALSE(old[0].max_s);
  CHECK_FALSE(old[0].max_nodes);
  CHECK(old[0].qos.empty());
  CHECK(old[1].max_s == 300);
  CHECK(old[1].max_nodes == 2);
  CHECK_FALSE(old[1].is_default);

  const auto recent = slurm_partitions(fixture("partitions-25.05.txt"));
  REQUIRE(recent.size() == 2);
  CHECK(recent[0].hosts.size() == 98);
  CHECK(recent[0].max_s == 129'600);
  CHECK(recent[0].default_s == 3600);
  CHECK(recent[0].max_nodes == 98);
  CHECK(recent[0].min_nodes == 2);
  CHECK(recent[0].allow_accounts == std::vector<std::string>{"acceptance", "physics"});
  CHECK(recent[0].deny_qos == std::vector<std::string>{"low"});
  CHECK(recent[0].qos == "gpu-part");
  CHECK(recent[0].over_subscribe == "EXCLUSIVE");
  CHECK(recent[1].state == "DRAIN");
  CHECK(recent[1].hosts.empty());
  CHECK(recent[1].root_only);
  CHECK(recent[1].reserved_only);
  CHECK(recent[1].deny_accounts == std::vector<std::string>{"guests"});
  CHECK(slurm_partitions("slurm_load_partitions error: Unable to contact slurm controller\n").empty());
}

TEST_CASE("reservations are read from Slurm 22.05 and 25.05") {
  const auto old = slurm_reservations(fixture("reservations-22.05.txt"));
  REQUIRE(old.size() == 2);
  CHECK(old[0].name == "other");
  CHECK(old[0].start_s == at("2026-11-22T15:08:18"));
  CHECK(old[0].end_s == at("2026-11-22T16:08:18"));
  CHECK(old[0].hosts == std::set<std::string>{"cn2"});
  CHECK(old[0].users == std::vector<std::string>{"daemon"});
  CHECK(old[0].has("MAINT"));

  const auto recent = slurm_reservations(fixture("reservations-25.05.txt"));
  REQUIRE(recent.size() == 2);
  CHECK(recent[0].hosts.size() == 98);
  CHECK(recent[1].accounts == std::vector<std::string>{"acceptance"});
  CHECK(recent[1].hosts == std::set<std::string>{"cn001", "cn002"});
  CHECK(recent[1].has("MAGNETIC"));
  CHECK(slurm_reservations("No reservations in the system\n").empty());
}

TEST_CASE("the configuration says whether limits are counted") {
  const auto read = slurm_configuration(
      "Configuration data as of 2026-11-22T15:08:18\n"
      "AccountingStorageEnforce = associations,limits,qos\n"
      "ClusterName             = virtual\nEnforcePartLimits       = ALL\nMaxJobCount             = 10000\n");
  CHECK(read.counts);
  CHECK(read.cluster == "virtual");
  CHECK(read.all_partitions_must);
  CHECK(read.most_jobs == 10'000);
  // Which QoS there are is checked, not what they allow.
  CHECK_FALSE(slurm_configuration("AccountingStorageEnforce = associations,qos\n").counts);
  CHECK_FALSE(slurm_configuration("AccountingStorageEnforce = none\n").counts);
}

TEST_CASE("the configuration says whether Slurm hands out GPUs, or whole nodes alone") {
  CHECK(slurm_configuration("SelectType              = select/cons_tres\n").hands_out_gpus);
  CHECK(slurm_configuration("").hands_out_gpus);
  SlurmLimits limits;
  CHECK(slurm_limits_text(limits, nullptr, 0).empty());
  limits.configuration = slurm_configuration("SelectType              = select/linear\n");
  CHECK_FALSE(limits.configuration.hands_out_gpus);
  CHECK(
      slurm_limits_text(limits, nullptr, 0) ==
      std::vector<std::string>{"SelectType: select/linear hands out whole nodes, so GPUs are not asked for"});
}

TEST_CASE("a case that a partition can't run is named with the limit, its value and the way out") {
  const SlurmAllowance small = allowed(limits_of("22.05"), site_of("short"));
  CHECK(small.objection({2, 100, {"cn1", "cn2"}}, 300).empty());
  CHECK(
      small.objection({2, 110, {}}, 360) ==
      "asks for 6m 00s of wall time, 1m 50s of them its own time limit, and partition 'short' has MaxTime 5m "
      "00s: plan a shorter run (--minutes, time_limit_s), or name another in [site]");
  CHECK(small.objection({3, 100, {}}, 300) ==
        "needs 3 nodes, and partition 'short' has MaxNodes 2: plan for fewer, or name another in [site]");
  CHECK(small.objection({1, 100, {"cn4"}}, 300) ==
        "needs cn4, which is not in partition 'short' (cn[1-2]): plan without, or name another in [site]");
  // One that may run elsewhere too.
  CHECK(small.objection({1, 100, {"cn2", "cn3", "cn4"}}, 300).empty());
  // One that states no time is ended by Slurm.
  CHECK(small.objection({1, 0, {"cn1"}}, 0).empty());
  CHECK(allowed(limits_of("22.05"), site_of("")).objection({4, 0, {}}, 1e7).empty());
  CHECK(
      allowed(limits_of("25.05"), site_of("gpu")).objection({1, 0, {}}, 60) ==
      "needs 1 node, and partition 'gpu' has MinNodes 2: plan for more, or name another partition in [site]");
}

TEST_CASE("of several partitions a job must suit one, or each where Slurm enforces all") {
  SlurmLimits limits = limits_of("22.05");
  const Site site = site_of("short,gone");
  CHECK(allowed(limits, site).longest_s()->value == 300);
  CHECK(allowed(limits, site).most_nodes()->value == 2);
  limits.configuration.all_partitions_must = false;
  CHECK_FALSE(allowed(limits, site).longest_s());
  CHECK_FALSE(allowed(limits, site).most_nodes());
  CHECK(node_at(allowed(limits, site), "cn4", "2026-11-22T15:10:00").kind == SchedulerNode::Kind::idle);
}

TEST_CASE("a site whose jobs Slurm would all refuse is reported before there is one") {
  const SlurmLimits old = limits_of("22.05");
  CHECK(refused(old, site_of("shorts")) ==
        "[site] partition: Slurm has no partition 'shorts' (did you mean 'short'?)\n"
        "hint: it has: batch, short, gone, high");
  Site site = site_of("short");
  site.reservation = "othre";
  CHECK(refused(old, site) ==
        "[site] reservation: Slurm has no reservation 'othre' (did you mean 'other'?)\nhint: it has: other, "
        "later");
  site.reservation = "other";
  CHECK(refused(old, site) ==
        "[site] reservation: 'other' is for daemon, not for alice\n"
        "hint: name another, or have its administrator add you");

  const SlurmLimits recent = limits_of("25.05");
  CHECK(refused(recent, site_of("old")).starts_with("Slurm: partition 'old' is DRAIN: it takes no jobs\n"));
  site = site_of("gpu");
  site.account = "chemistry";
  CHECK(
      refused(recent, site)
          .starts_with("Slurm: partition 'gpu' allows account acceptance, physics only, not 'chemistry'\n"));
  site.account = "physics";
  site.qos = "low";
  CHECK(refused(recent, site).starts_with("Slurm: partition 'gpu' denies QoS 'low'\n"));
  site.qos.clear();
  CHECK(refused(recent, site).empty());
}

TEST_CASE("a node that others have reserved is left out by the reservation's name, or used until then") {
  const SlurmAllowance all = allowed(limits_of("22.05"), site_of("batch"));
  CHECK(node_at(all, "cn1", "2026-11-22T15:10:00") == SchedulerNode{"cn1", SchedulerNode::Kind::idle, ""});
  const SchedulerNode now = node_at(all, "cn2", "2026-11-22T15:10:00");
  CHECK(now.kind == SchedulerNode::Kind::out);
  CHECK(now.reason == "reserved, 'other' until 2026-11-22T16:08:18Z");
  CHECK(node_at(all, "cn2", "2026-11-22T16:09:00").kind == SchedulerNode::Kind::idle);
  const SchedulerNode later = node_at(all, "cn3", "2026-11-22T15:10:00");
  CHECK(later.kind == SchedulerNode::Kind::idle);
  CHECK(later.free_until_s == at("2026-11-22T17:08:18") - 180);
  CHECK(later.reason == "reserved, 'later' from 2026-11-22T17:08:18Z to 2026-11-22T18:08:18Z");
  // Reserved since Slurm was asked: 22.05 does not report by whom.
  CHECK(node_at(all, "cn1", "2026-11-22T15:10:00", "IDLE+RESERVED").reason == "IDLE+RESERVED");
  CHECK(node_at(all, "cn1", "2026-11-22T15:10:00", "IDLE+RESERVED", "new").reason == "reserved, 'new'");
  CHECK(node_at(allowed(limits_of("22.05"), site_of("short")), "cn4", "2026-11-22T15:10:00").reason ==
        "it is not in partition 'short'");
}

TEST_CASE(
    "a node that is drained while others have it reserved is not down, unless the reservation is ours") {
  SchedulerNode node{"cn2", SchedulerNode::Kind::out, "IDLE+DRAIN", {}, true};
  const SlurmAllowance all = allowed(limits_of("22.05"), site_of("batch"));
  all.apply(node, "IDLE+DRAIN", "other", at("2026-11-22T15:10:00"), 180);
  CHECK_FALSE(node.down);
  node.down = true;
  all.apply(node, "IDLE+DRAIN", "", at("2026-11-22T16:09:00"), 180);
  CHECK(node.down);
  CHECK(node.reason == "IDLE+DRAIN");
}

TEST_CASE("within our own reservation its nodes are ours, and no job outlasts it") {
  Site site = site_of("batch");
  site.reservation = "mine";
  SlurmLimits limits = limits_of("22.05");
  limits.reservations.push_back(
      {"mine", at("2026-11-22T14:00:00"), at("2026-11-22T16:00:00"), {"cn1"}, {"alice"}, {}, {}, {}});
  const SlurmAllowance mine = allowed(limits, site);
  CHECK(node_at(mine, "cn1", "2026-11-22T15:10:00", "IDLE+RESERVED").kind == SchedulerNode::Kind::idle);
  CHECK(node_at(mine, "cn4", "2026-11-22T15:10:00").reason == "it is not in reservation 'mine'");
  CHECK(mine.objection({1, 3000, {"cn1"}}, 3060) ==
        "asks for 51m 00s of wall time, 50m 00s of them its own time limit, and reservation 'mine' ends at "
        "2026-11-22T16:00:00Z: plan a shorter run (--minutes, time_limit_s), or name another in [site]");
  CHECK(mine.objection({1, 10, {"cn3"}}, 60) ==
        "needs cn3, which is not in reservation 'mine' (cn1): plan without, or name another in [site]");
  // Jobs of the account are drawn into the magnetic one.
  site = site_of("gpu");
  site.account = "acceptance";
  CHECK(node_at(allowed(limits_of("25.05"), site), "cn001", "2026-11-22T15:10:00", "IDLE+RESERVED", "half")
            .kind == SchedulerNode::Kind::idle);
  site.account = "physics";
  CHECK(node_at(allowed(limits_of("25.05"), site), "cn001", "2026-11-22T15:10:00").reason ==
        "reserved, 'half' until 2027-11-22T12:00:00Z");
}

TEST_CASE("limits of QoS and association bind where accounting counts them") {
  SlurmLimits limits = limits_of("25.05");
  limits.qos = slurm_qos(
      "normal||2-00:00:00||node=16||8|12|\n"
      "gpu-part|DenyOnLimit|||node=64|||40|\n"
      "long|PartitionTimeLimit,OverPartQOS|7-00:00:00|node=32|||||100\n");
  REQUIRE(limits.qos.size() == 3);
  limits.associations = slurm_associations(
      "acceptance||normal|long,normal|06:00:00||node=48||15|\n"
      "physics||normal|normal||||||3\n");
  REQUIRE(limits.associations.size() == 2);
  Site site = site_of("gpu");
  site.account = "acceptance";
  // The partition's QoS first, then the job's, then the association.
  const SlurmAllowance plain = allowed(limits, site);
  CHECK(plain.longest_s()->words == "partition 'gpu' has MaxTime 36h 00m");
  CHECK(plain.most_nodes()->words == "account 'acceptance' has GrpTRES node 48");
  CHECK(plain.most_jobs()->words == "QoS 'gpu-part' has MaxSubmitJobs 40");
  CHECK(plain.words().back() == "QoS 'normal' has MaxJobs 8");
  site.qos = "long";
  const SlurmAllowance lifted = allowed(limits, site);
  CHECK(lifted.longest_s()->words == "QoS 'long' has MaxWall 168h 00m");
  CHECK(lifted.most_nodes()->words == "QoS 'long' has MaxTRES node 32");
  CHECK(lifted.most_jobs()->words == "QoS 'long' has MaxSubmitJobs 100");
  // Which account Slurm takes is not known here.
  site = site_of("gpu");
  CHECK(allowed(limits, site).most_nodes()->words == "QoS 'gpu-part' has MaxTRESPerUser node 64");
}

TEST_CASE("what Slurm allows is reported in a line each") {
  const SlurmLimits limits = limits_of("25.05");
  const Site site = site_of("gpu");
  CHECK(slurm_limits_text(limits, &site, at("2026-11-22T15:10:00")) ==
        std::vector<std::string>{
            "partition gpu (default): UP, 98 nodes (cn[001-098]), MaxTime 36h 00m, DefaultTime 1h 00m, "
            "MaxNodes "
            "98, MinNodes 2, AllowAccounts acceptance,physics, DenyQos low, QoS gpu-part, whole nodes only",
            "reservation maintenance: cn[001-098], 2026-12-01T06:00:00Z to 2026-12-01T18:00:00Z, for root "
            "(MAINT,IGNORE_JOBS,SPEC_NODES,ALL_NODES)",
            "reservation half: cn[001-002], 2026-11-22T12:00:00Z to 2027-11-22T12:00:00Z, for acceptance "
            "(MAGNETIC,FLEX)"});
  CHECK(slurm_limits_text(limits, nullptr, at("2028-01-01T00:00:00")).size() == 2);
}
