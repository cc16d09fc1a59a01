#include "orchestrator/campaign/commitment.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/restore.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/store/database.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// A workspace with a campaign of one case that is about to begin.
struct CommitmentScene {
  TemporaryFolder temporary;
  Workspace workspace{temporary.path / "w"};
  CampaignRecord campaign;
  std::string id;

  CommitmentScene() {
    program("xhpl", "the program\n");
    campaign.system = "n1";
    campaign.kind = "acceptance";
    campaign.created_s = 1795284309;
    campaign.inventory.system = "n1";
    NodeGroup group;
    group.hosts = "n1";
    group.memory_bytes = group.usable.memory_bytes = std::int64_t{16} << 30;
    campaign.inventory.groups.push_back(group);
    campaign.criteria_name = "contract.toml";
    campaign.criteria_text = "title = 'Contract'\n";
    campaign.baseline_name = "sakuraone";
    Case planned;
    planned.id = "hpl";
    planned.suite = "hpl";
    planned.program = (temporary.path / "xhpl").string();
    planned.argv = {planned.program};
    campaign.cases.push_back({planned});
  }
  void program(const std::string& name, const std::string& content) const {
    REQUIRE(write_file(temporary.path / name, content));
    fs::permissions(temporary.path / name, fs::perms::owner_all);
  }
  void start() {
    const auto started = start_campaign(workspace, campaign);
    INFO((started ? "" : to_string(started.error())));
    REQUIRE(started);
    id = *started;
  }
  [[nodiscard]] fs::path folder() const { return workspace.campaign(id); }
  [[nodiscard]] CampaignRecord stored() const {
    const auto database = Database::open_existing(workspace.database());
    REQUIRE(database);
    auto record = database->campaign(id);
    REQUIRE(record);
    return *record;
  }
  [[nodiscard]] std::vector<std::string> breaches() const {
    return commitment_breaches(stored(), folder(), installed_layout());
  }
};

std::string part(const Commitment& commitment, const std::string& name) {
  for (const CommittedPart& each : commitment.parts)
    if (each.name == name) return each.sha256;
  return "";
}

std::string first_line(const fs::path& path) {
  const std::string text = file_content(path).value();
  return text.substr(0, text.find('\n'));
}

}  // namespace

TEST_CASE("the root is the SHA-256 of the sorted lines of names and hashes") {
  const std::vector<CommittedPart> parts = {{"plan.json", "22"}, {"criteria.toml", "11"}};
  CHECK(commitment_root(parts) == sha256("criteria.toml 11\nplan.json 22\n"));
  CHECK(commitment_root({}) == sha256(""));
}

TEST_CASE("a campaign's journal begins with what it is bound to") {
  CommitmentScene scene;
  scene.campaign.config_text = "title = 'T'\n";
  scene.start();
  const auto bound = read_commitment(scene.folder());
  REQUIRE(bound);
  CHECK(first_line(scene.folder() / "journal.jsonl").find("\"event\":\"commitment\"") != std::string::npos);
  for (const char* file : {"plan.json", "inventory.json", "criteria.toml", "acceptance.toml"}) {
    INFO(file);
    CHECK(part(*bound, file) == sha256(file_content(scene.folder() / file).value()));
  }
  CHECK(part(*bound, "program " + scene.campaign.cases[0].planned.program) == sha256("the program\n"));
  CHECK(part(*bound, "baseline sakuraone") ==
        sha256_of_file(installed_layout().share / "baselines/sakuraone.toml").value());
  CHECK(bound->unread.empty());
  CHECK(bound->root == commitment_root(bound->parts));
  CHECK(scene.stored().commitment == bound);
  CHECK(read_campaign_folder(scene.folder())->commitment == bound);

  auto journal = Journal::open(scene.folder());
  REQUIRE(journal);
  REQUIRE(journal->intend("job-1", {{"hpl", 1}}));
  CHECK(read_commitment(scene.folder()) == bound);
  CHECK(scene.breaches().empty());
}

TEST_CASE("an image is bound by the digest that the site states, a file that is not here by its name alone") {
  CommitmentScene scene;
  Case boxed;
  boxed.id = "boxed";
  boxed.container = {"pyxis", "nvcr.io#nvidia/hpc:25.04", "sha256:abc", {}};
  boxed.program = "/workspace/hpl.sh";
  Case local = boxed;
  local.container = {"apptainer", (scene.temporary.path / "hpl.sif").string(), "", {}};
  REQUIRE(write_file(local.container.image, "an image\n"));
  Case absent = boxed;
  absent.container = {};
  absent.program = "/nowhere/xhpcg";
  Case by_module = absent;
  by_module.program = "xhpcg";
  by_module.modules = {"hpcg/3.1"};
  scene.campaign.cases = {{boxed}, {local}, {absent}, {by_module}};
  const Commitment bound = committed(scene.campaign, {}, installed_layout());
  CHECK(part(bound, "image nvcr.io#nvidia/hpc:25.04 (digest as stated)") == "sha256:abc");
  CHECK(part(bound, "image " + local.container.image) == sha256("an image\n"));
  CHECK(bound.unread == std::vector<std::string>{"program /nowhere/xhpcg", "program xhpcg"});
  CHECK(committed_program(bound, "/workspace/hpl.sh").empty());
}

TEST_CASE("a name with a line's end or bytes that are no text binds as it is read back") {
  CommitmentScene scene;
  const std::string odd = "x\npl.json \xff";
  scene.program(odd, "x");
  scene.campaign.cases[0].planned.program = (scene.temporary.path / odd).string();
  const Commitment before = committed(scene.campaign, {}, installed_layout());
  REQUIRE(write_file(scene.temporary.path / "journal.jsonl", commitment_line(before, 0)));
  const auto bound = read_commitment(scene.temporary.path);
  CHECK(bound == before);
  CHECK(bound->root == commitment_root(bound->parts));
  CHECK(committed_program(*bound, scene.campaign.cases[0].planned.program) == sha256("x"));
}

TEST_CASE("what no longer is what the campaign was bound to is named") {
  CommitmentScene scene;
  scene.start();
  SECTION("a file of its folder that was changed") {
    REQUIRE(write_file(scene.folder() / "criteria.toml", "title = 'Softer'\n"));
    REQUIRE(scene.breaches().size() == 1);
    CHECK(scene.breaches()[0] ==
          "criteria.toml in the campaign's folder is not the one that the campaign was bound to: SHA-256 " +
              sha256("title = 'Softer'\n"));
  }
  SECTION("a file of its folder that is larger than any of ours") {
    fs::resize_file(scene.folder() / "plan.json", std::uintmax_t{1} << 40);
    CHECK(scene.breaches()[0] ==
          "plan.json in the campaign's folder is larger than 256 MiB, the most that is read of such a file");
  }
  SECTION("a journal that is a pipe") {
    fs::remove(scene.folder() / "journal.jsonl");
    REQUIRE(::mkfifo((scene.folder() / "journal.jsonl").c_str(), 0600) == 0);
    ::alarm(20);  // rather than for ever
    CHECK(scene.breaches()[0] == "the journal can't be read: is a pipe, not a regular file");
    CHECK_FALSE(Journal::open(scene.folder()));
    ::alarm(0);
  }
  SECTION("a file of its folder that is gone") {
    fs::remove(scene.folder() / "inventory.json");
    REQUIRE(scene.breaches().size() == 1);
    CHECK(scene.breaches()[0] == "inventory.json in the campaign's folder is gone");
  }
  SECTION("a journal that was written anew, with files that fit it") {
    CampaignRecord other = scene.campaign;
    other.criteria_text = "title = 'Softer'\n";
    const Commitment bound = committed(other, {}, installed_layout());
    REQUIRE(write_file(scene.folder() / "journal.jsonl", commitment_line(bound, 0)));
    REQUIRE(scene.breaches().size() == 1);
    CHECK(scene.breaches()[0] ==
          "the journal's first line states another commitment than the store, " + bound.root);
  }
  SECTION("a store that holds other criteria") {
    CampaignRecord record = scene.stored();
    record.criteria_text = "title = 'Softer'\n";
    CHECK(commitment_breaches(record, scene.folder(), installed_layout()) ==
          std::vector<std::string>{"the criteria in the store are not those that the campaign was bound to"});
  }
  SECTION("parts that were changed beside their root") {
    CampaignRecord record = scene.stored();
    record.commitment->parts[0].sha256 = sha256("x");
    CHECK(commitment_breaches(record, scene.temporary.path / "no folder", installed_layout()).size() == 1);
  }
}

TEST_CASE("an image is bound by the digest in its name; what nothing binds is named") {
  CommitmentScene scene;
  const std::string digest = "sha256:" + std::string(64, 'a');
  Case by_digest;
  by_digest.id = "boxed";
  by_digest.container = {"apptainer", "docker://nvcr.io/nvidia/hpc@" + digest, "", {}};
  Case by_tag = by_digest;
  by_tag.container.image = "docker://nvcr.io/nvidia/hpc:25.04";
  Case stated = by_tag;
  stated.container = {"pyxis", "nvcr.io#nvidia/hpc:25.04", "sha256:abc", {}};
  Case cut = by_digest;
  cut.container.image.pop_back();
  Case far = by_tag;
  far.container = {"pyxis", "/nodes/own/hpc.sqsh", "sha256:abc", {}};
  scene.campaign.cases = {{by_digest}, {by_tag}, {stated}, {cut}, {far}};
  const Commitment bound = committed(scene.campaign, {}, installed_layout());
  CHECK(part(bound, "image " + by_digest.container.image) == digest);
  CHECK(committed_image(bound, by_digest.container.image) == digest);
  CHECK(committed_image(bound, by_tag.container.image).empty());
  CHECK(committed_image(bound, stated.container.image).empty());
  JournalContent journal;
  const auto named = [&](const std::string& image) {
    return std::ranges::any_of(unbound_images(bound, journal),
                               [&](const std::string& each) { return each.find(image + " ") != each.npos; });
  };
  CHECK_FALSE(named(by_digest.container.image));
  CHECK(named(by_tag.container.image));
  CHECK(named(stated.container.image));
  CHECK(named(cut.container.image));
  CHECK_FALSE(named(far.container.image));  // it may be compared when the campaign ends
  journal.is_over = true;
  CHECK(named(far.container.image));
  journal.images = {{far.container.image, ""}};
  CHECK_FALSE(named(far.container.image));
}

TEST_CASE("an image that has changed since is named") {
  CommitmentScene scene;
  const fs::path image = scene.temporary.path / "hpl.sif";
  REQUIRE(write_file(image, "an image\n"));
  Case& boxed = scene.campaign.cases[0].planned;
  boxed.container = {"apptainer", image.string(), "", {}};
  std::string bound_to = "the campaign was bound to";
  SECTION("its file was bound") {}
  SECTION("its digest was stated") {
    boxed.container.digest = "sha256:" + sha256("an image\n");
    bound_to = "the site stated";
  }
  SECTION("the journal is of a version without stamps") {
    scene.start();
    REQUIRE(write_file(scene.folder() / "journal.jsonl", commitment_line(*scene.stored().commitment, 0)));
  }
  if (scene.id.empty()) scene.start();
  CHECK(scene.breaches().empty());
  const auto before = fs::last_write_time(image);
  {
    std::ofstream(image, std::ios::in | std::ios::out) << "another!\n";  // as long as the first
  }
  fs::last_write_time(image, before);
  const std::string hash = sha256("another!\n");
  CHECK(scene.breaches() ==
        std::vector<std::string>{
            fmt::format("the image {} is not the one that {}: SHA-256 {}", image.string(), bound_to, hash)});
  fs::remove(image);  // a report may be written where it is not
  CHECK(scene.breaches().empty());
}

TEST_CASE("an image is compared when the last run has ended, and may be another one after") {
  CommitmentScene scene;
  const fs::path image = scene.temporary.path / "hpl.sif";
  REQUIRE(write_file(image, "an image\n"));
  scene.campaign.cases[0].planned.container = {"apptainer", image.string(), "", {}};
  scene.start();
  auto journal = Journal::open(scene.folder());
  REQUIRE(journal);
  const auto ends = [&] {
    REQUIRE(journal->ended_with(images_now(*scene.stored().commitment, scene.folder())));
  };
  const std::string other = fmt::format(
      "the image {} was at the campaign's end not the one that the campaign "
      "was bound to: SHA-256 {}",
      image.string(), sha256("a newer image\n"));
  SECTION("replaced after it") {
    ends();
    REQUIRE(write_file(image, "a newer image\n"));
    CHECK(scene.breaches().empty());
    REQUIRE(journal->begin_execution());  // a resume that finds nothing to do
    CHECK(scene.breaches().empty());
    REQUIRE(journal->intend("job", {{"hpl", 2}}));  // it runs with the newer one
    CHECK(scene.breaches().size() == 1);
    ends();
    CHECK(scene.breaches() == std::vector<std::string>{other});
  }
  SECTION("replaced before it, and put back after") {
    REQUIRE(write_file(image, "a newer image\n"));
    ends();
    REQUIRE(write_file(image, "an image\n"));
    CHECK(scene.breaches() == std::vector<std::string>{other});
  }
  SECTION("not there at the end") {
    fs::remove(image);
    ends();
    CHECK(scene.breaches().empty());
    REQUIRE(write_file(image, "a newer image\n"));
    CHECK(scene.breaches().size() == 1);
  }
}

TEST_CASE("an image that was touched but is the same breaks nothing") {
  CommitmentScene scene;
  const fs::path image = scene.temporary.path / "hpl.sif";
  REQUIRE(write_file(image, "an image\n"));
  scene.campaign.cases[0].planned.container = {"apptainer", image.string(), "", {}};
  scene.start();
  fs::permissions(image, fs::perms::owner_read);
  CHECK(scene.breaches().empty());
}

TEST_CASE("a campaign of an older version has no commitment and breaks none") {
  CommitmentScene scene;
  scene.start();
  REQUIRE(write_file(scene.folder() / "journal.jsonl", "{\"event\":\"begun\"}\n"));
  CHECK_FALSE(read_commitment(scene.folder()));
  CampaignRecord record = scene.stored();
  record.commitment.reset();
  CHECK(commitment_breaches(record, scene.folder(), installed_layout()).empty());
}

TEST_CASE("a campaign that is stored again from its folder is bound as before") {
  CommitmentScene scene;
  scene.start();
  const auto bound = scene.stored().commitment;
  for (const auto& entry : fs::directory_iterator(scene.workspace.folder))
    if (entry.path().filename().string().starts_with("results.sqlite")) fs::remove(entry.path());
  REQUIRE(restored_campaign(scene.workspace, scene.id, installed_layout()));
  CHECK(scene.stored().commitment == bound);
}
