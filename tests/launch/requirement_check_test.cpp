#include "orchestrator/launch/requirement_check.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

Requirement of(RequirementKind kind, const fs::path& path = {}) {
  Requirement wanted;
  wanted.kind = kind;
  wanted.path = path.string();
  return wanted;
}

/// PATH with a sudo of ours before the others, or with nothing else, while it lives.
struct Path {
  TemporaryFolder folder;
  std::string before = std::getenv("PATH");
  Path() { ::setenv("PATH", folder.path.c_str(), 1); }
  ~Path() { ::setenv("PATH", before.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  void program(const std::string& name, const std::string& script) const {
    REQUIRE(write_file(folder.path / name, "#!/bin/sh\n" + script + "\n"));
    fs::permissions(folder.path / name, fs::perms::owner_all);
  }
  /// A sudo that knows its one rule, and lists `listed`.
  void sudo(const std::string& command, const std::string& listed) const {
    program("sudo", "[ \"$*\" = '-n -l' ] && printf '%b\\n' '" + listed + "' && exit 0\n[ \"$*\" = '-n -l " +
                        command + "' ]");
  }
};

}  // namespace

TEST_CASE("a file is met by being there with the size and the hash that are stated") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "spm.model";
  Requirement wanted = of(RequirementKind::tokenizer, path);
  CHECK(checked(wanted).met == Met::no);
  CHECK(checked(wanted).found == "is not there");
  REQUIRE(write_file(path, "seven b"));
  CHECK(checked(wanted).met == Met::yes);
  wanted.bytes = 7;
  wanted.sha256 = sha256("seven b");
  CHECK(checked(wanted).found == "SHA-256 as stated");
  wanted.sha256 = std::string(64, '0');
  CHECK(checked(wanted).met == Met::wrong);
  CHECK(checked(wanted).found == "has SHA-256 " + sha256("seven b") + ", stated is " + wanted.sha256);
  wanted.bytes = 8;
  CHECK(checked(wanted).found == "has 7 bytes, not 8");
}

TEST_CASE("a data set is a folder with something in it") {
  const TemporaryFolder temporary;
  CHECK(checked(of(RequirementKind::dataset, temporary.path)).found == "is an empty folder");
  REQUIRE(write_file(temporary.path / "part-1", "x"));
  CHECK(checked(of(RequirementKind::dataset, temporary.path)).met == Met::yes);
}

TEST_CASE("a place that the configuration does not state is missing") {
  const CheckedRequirement found = checked(of(RequirementKind::checkpoint, "{LOAD_CHECKPOINTS_PATH}/x"));
  CHECK(found.met == Met::no);
  CHECK(found.found == "the configuration does not state LOAD_CHECKPOINTS_PATH");
}

TEST_CASE("an image is a file with its digest; what a registry has is not known here") {
  const TemporaryFolder temporary;
  Requirement wanted = of(RequirementKind::image, temporary.path / "x.sif");
  CHECK(checked(wanted).met == Met::no);
  REQUIRE(write_file(wanted.path, "image"));
  CHECK(checked(wanted).met == Met::yes);
  wanted.image = "sha256:" + sha256("image");
  CHECK(checked(wanted).found == "digest as stated");
  wanted.image = "sha256:" + std::string(64, '0');
  CHECK(checked(wanted).met == Met::wrong);
  CHECK(checked(wanted).found == "is sha256:" + sha256("image") + ", stated is " + wanted.image);
  CHECK(remedy_of(checked(wanted)) == "correct `digest` in [[site.programs]], or copy the image again");
  CHECK(checked(of(RequirementKind::image, "nvidia/hpc-benchmarks:25.04")).met == Met::unknown);
}

TEST_CASE("a program is found in PATH or by its path") {
  CHECK(checked(of(RequirementKind::program, "sh")).met == Met::yes);
  CHECK(checked(of(RequirementKind::program, "/no/such/xhpl")).met == Met::no);
}

TEST_CASE("peer memory is missing only where driver and RDMA are there and the module is not") {
  const TemporaryFolder temporary;
  const auto now = [&] { return checked(of(RequirementKind::peer_memory), temporary.path); };
  CHECK(now().met == Met::unknown);
  REQUIRE(make_folder(temporary.path / "sys/module/nvidia"));
  CHECK(now().met == Met::unknown);
  REQUIRE(make_folder(temporary.path / "sys/class/infiniband"));
  CHECK(now().met == Met::no);
  REQUIRE(make_folder(temporary.path / "proc/driver/nvidia"));
  REQUIRE(write_file(temporary.path / "proc/driver/nvidia/version",
                     "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.90.07\n"));
  CHECK(now().met == Met::unknown);
  REQUIRE(make_folder(temporary.path / "sys/module/nvidia_peermem"));
  CHECK(now().met == Met::yes);
}

TEST_CASE("caches can be dropped where sudo has a rule for just the command that drops them") {
  const Path path;
  const auto now = [] { return checked(of(RequirementKind::drop_caches)); };
  CHECK(now().met == Met::no);  // root, too: the command begins with sudo
  CHECK(now().found == "sudo is not there, by which IO500 drops them");
  const std::string drop = "bash -c echo 3 > /proc/sys/vm/drop_caches";
  path.sudo(drop, "    (root) NOPASSWD: /usr/bin/" + drop);
  CHECK(now().met == Met::yes);
  path.sudo(drop, "    (ALL : ALL) NOPASSWD: ALL");
  CHECK(now().met == Met::yes);
  path.sudo("true", "    (root) NOPASSWD: /usr/bin/true");
  CHECK(now().met == Met::no);
  path.sudo(drop, "    (root) NOPASSWD: /usr/bin/true\n    (ALL : ALL) ALL");
  CHECK(now().met == Met::unknown);
}

TEST_CASE("the command that drops caches may be another one") {
  const Path path;
  const auto now = [](const char* command) { return checked(of(RequirementKind::drop_caches, command)); };
  const char* const sysctl = "sudo -n /sbin/sysctl vm.drop_caches=3";
  CHECK(now(sysctl).found == "sudo is not there");
  path.sudo("/sbin/sysctl vm.drop_caches=3", "    (root) NOPASSWD: /sbin/sysctl vm.drop_caches=3");
  CHECK(now(sysctl).met == Met::yes);
  path.sudo("bash -c echo 3 > /proc/sys/vm/drop_caches", "    (root) NOPASSWD: /usr/bin/bash");
  CHECK(now(sysctl).met == Met::no);
  CHECK(now("/opt/site/drop").met == Met::no);
  path.program("drop", "exit 0");
  CHECK(now("drop").met == Met::unknown);
}

TEST_CASE("Pyxis is there where srun lists its options") {
  const Path path;
  const auto now = [] { return checked(of(RequirementKind::pyxis)); };
  CHECK(now().met == Met::unknown);
  path.program("srun", "echo '  -J, --job-name=jobname  name of job'");
  CHECK(now().met == Met::no);
  CHECK(now().found == "`srun --help` does not list --container-image");
  path.program("srun", "echo '      --container-image=[USER@][REGISTRY#]IMAGE[:TAG]|PATH'");
  CHECK(now().met == Met::yes);
}

TEST_CASE("space is asked of the file system") {
  Requirement wanted = of(RequirementKind::space, "{run}");
  CHECK(checked(wanted).met == Met::yes);
  wanted.bytes = std::int64_t{1} << 62;
  CHECK(checked(wanted).met == Met::no);
  wanted.path = "/no/such/folder";
  CHECK(checked(wanted).found == "is not there");
}

TEST_CASE("a list of requirements is read back as it was written, and other text is refused") {
  CheckedRequirement one = checked(of(RequirementKind::program, "sh"));
  one.requirement.what = "a shell";
  one.requirement.bytes = 7;
  one.requirement.remedy = "apt-get install dash";
  const std::vector<CheckedRequirement> list = {one, {of(RequirementKind::memlock), Met::unknown, ""}};
  CHECK(requirements_from_json(requirements_json(list, "cn001"), "x").value() == list);
  CHECK_FALSE(requirements_from_json("srun: error: no such node\n", "stdout.log"));
  CHECK_FALSE(requirements_from_json("", "stdout.log"));
}

TEST_CASE("what is missing names the way out, the requirement's own before the kind's") {
  Requirement wanted = of(RequirementKind::memlock);
  CHECK(remedy_of({wanted, Met::no, ""}).find("LimitMEMLOCK=infinity") != std::string::npos);
  wanted.remedy = "ask Alice";
  CHECK(remedy_of({wanted, Met::no, ""}) == "ask Alice");
}
