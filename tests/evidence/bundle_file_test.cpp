#include "reports/evidence/bundle_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "reports/evidence/json_difference.hpp"
#include "reports/evidence/signatures.hpp"

using namespace shakedown;

namespace {

/// A folder with a file, and the bundle of both kinds of content.
struct Scene {
  PrivateFolder folder;
  fs::path archive = folder.path() / "x.tar.zst";
  fs::path source = folder.path() / "source";

  Scene() { std::ofstream(source) << std::string(3'000'000, 'x') << "end"; }
  Result<Manifest> write() const {
    Manifest header;
    header.tool_version = "0.1.0";
    header.campaign = "c";
    header.folders = {"campaigns/c/empty"};
    return write_bundle(archive, header, {{"b/source", source}, {"a", std::string("text")}},
                        [](const std::string& root) {
                          return signature_line({"r", "n", "k", "t", root, "s"});
                        });
  }
};

}  // namespace

TEST_CASE("what was bundled is unpacked as it was, with its times and empty folders") {
  const Scene scene;
  const timespec times[] = {{1'700'000'000, 123'456'789}, {1'700'000'000, 123'456'789}};
  REQUIRE(::utimensat(AT_FDCWD, scene.source.c_str(), times, 0) == 0);
  const auto written = scene.write();
  REQUIRE(written);
  const fs::path folder = scene.folder.path() / "unpacked";
  fs::create_directory(folder);
  const auto read = read_bundle(scene.archive, folder);
  REQUIRE(read);
  CHECK(read->findings.empty());
  CHECK(read->manifest.root == written->root);
  CHECK(read->bytes == 3'000'007);
  CHECK(read->signatures.size() == 1);
  CHECK(file_content(folder / "b/source") == file_content(scene.source));
  CHECK(file_content(folder / "a").value_or("") == "text");
  CHECK(fs::is_directory(folder / "campaigns/c/empty"));
  struct stat info = {};
  REQUIRE(::stat((folder / "b/source").c_str(), &info) == 0);
  CHECK(info.st_mtim.tv_sec == 1'700'000'000);
  CHECK(info.st_mtim.tv_nsec == 123'456'789);
}

TEST_CASE("a bundle that can't be made leaves the old one, and nothing beside it") {
  const Scene scene;
  REQUIRE(scene.write());
  const std::string old = sha256_of_file(scene.archive).value_or("");
  Manifest header;
  header.campaign = "c";
  const auto failed = write_bundle(scene.archive, header, {{"a", scene.folder.path() / "nonesuch"}}, {});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().fault == Fault::environment);
  const auto odd = write_bundle(scene.archive, header, {{"../a", std::string("x")}}, {});
  CHECK_FALSE(odd);
  CHECK(sha256_of_file(scene.archive).value_or("") == old);
  CHECK(std::distance(fs::directory_iterator(scene.folder.path()), fs::directory_iterator()) == 2);
}

TEST_CASE("a byte changed anywhere in an archive is found, unless it says the same") {
  const Scene scene;
  REQUIRE(scene.write());
  const std::string whole = *file_content(scene.archive);
  const auto honest = read_bundle(scene.archive, std::nullopt);
  REQUIRE(honest);
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 97) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    REQUIRE(write_file(scene.archive, changed));
    const auto read = read_bundle(scene.archive, std::nullopt);
    // zstd can say the same bytes in several ways: a repeated letter is one from any distance.
    CHECK((!read || !read->findings.empty() ||
           (read->manifest == honest->manifest && read->signatures == honest->signatures)));
    REQUIRE(write_file(scene.archive, whole.substr(0, at)));
    CHECK_FALSE(read_bundle(scene.archive, std::nullopt));
  }
}

TEST_CASE("a signature holds as long as nothing of it was changed") {
  const SigningKey key = new_signing_key();
  const Signature signature = signed_root("r", {"vendor", "ACME"}, key);
  CHECK(holds(signature));
  const auto read = signatures_from_lines(signature_line(signature), "S");
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  CHECK(read->front() == signature);
  for (std::string Signature::*const member : {&Signature::role, &Signature::name, &Signature::public_key,
                                               &Signature::time, &Signature::root, &Signature::signature}) {
    Signature changed = signature;
    changed.*member += "x";
    CHECK_FALSE(holds(changed));
  }
  Signature moved = signature;  // a line break would move a part from one member to the next
  moved.role = "vendor\nname: ACME";
  moved.name = "";
  CHECK_FALSE(holds(moved));
  CHECK_FALSE(signer_of("vendor"));
  CHECK_FALSE(signer_of("vendor: a\nb"));
}

TEST_CASE("two documents differ where a value does, by its path") {
  const auto found = json_differences(R"({"a":1,"cases":[{"id":"x","v":1.5},{"id":"y"}],"gone":null})",
                                      R"({"cases":[{"id":"x","v":1.25}],"a":1,"new":"z"})");
  REQUIRE(found);
  const std::vector<JsonDifference> wanted = {{"cases[0 x].v", "1.5", "1.25"},
                                              {"cases[1 y]", R"({"id":"y"})", ""},
                                              {"gone", "null", ""},
                                              {"new", "", "z"}};
  CHECK(*found == wanted);
  CHECK(json_differences("[1,2,3]", "[4,5,6]", 2)->size() == 2);
  CHECK_FALSE(json_differences("{", "{}"));
}
