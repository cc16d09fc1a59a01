#include "reports/evidence/manifest.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/hash.hpp"
#include "reports/evidence/archive_path.hpp"

using namespace shakedown;

namespace {

Manifest small_manifest() {
  Manifest manifest;
  manifest.tool_version = "0.1.0";
  manifest.campaign = "c";
  manifest.last_root = sha256("last");
  manifest.files = {{"a/b", 3, sha256("abc")}, {"a/c", 0, sha256("")}};
  manifest.folders = {"a/empty"};
  manifest.left_out = {{"a/secrets.env", "holds secrets"}};
  manifest.root = manifest_root(manifest);
  return manifest;
}

std::string refusal(Manifest manifest) {
  const auto read = manifest_from_json(manifest_json(manifest), "M");
  return read ? "" : read.error().what;
}

}  // namespace

TEST_CASE("a bundle's root is the SHA-256 over the sorted lines that its page states") {
  const Manifest manifest = small_manifest();
  const std::string lines = "campaign c\nfile a/b 3 " + sha256("abc") + "\nfile a/c 0 " + sha256("") +
                            "\nfirst_root \nfolder a/empty\nlast_root " + sha256("last") +
                            "\nleft_out a/secrets.env holds secrets\ntool_version 0.1.0\n";
  CHECK(manifest.root == sha256(lines));
}

TEST_CASE("everything that a manifest states changes its root") {
  const std::string root = small_manifest().root;
  const auto changed = [&](auto change) {
    Manifest manifest = small_manifest();
    change(manifest);
    return manifest_root(manifest) != root;
  };
  CHECK(changed([](Manifest& m) { m.tool_version = "0.1.1"; }));
  CHECK(changed([](Manifest& m) { m.campaign = "d"; }));
  CHECK(changed([](Manifest& m) { m.first_root = sha256("first"); }));
  CHECK(changed([](Manifest& m) { m.files[0].bytes = 4; }));
  CHECK(changed([](Manifest& m) { m.files[0].path = "a/d"; }));
  CHECK(changed([](Manifest& m) { m.files.pop_back(); }));
  CHECK(changed([](Manifest& m) { m.folders.clear(); }));
  CHECK(changed([](Manifest& m) { m.left_out[0].because = "x"; }));
  CHECK(changed([](Manifest& m) { m.withheld = {{"a/d", 3, sha256("abd")}}; }));
  CHECK(changed([](Manifest& m) { m.redacted_of = sha256("whole"); }));
}

TEST_CASE("a manifest is read as it was written") {
  const auto read = manifest_from_json(manifest_json(small_manifest()), "M");
  REQUIRE(read);
  CHECK(*read == small_manifest());
  Manifest redacted = small_manifest();
  redacted.withheld = {{"a/d", 3, sha256("abd")}};
  redacted.redacted_of = sha256("whole");
  redacted.root = manifest_root(redacted);
  CHECK(manifest_from_json(manifest_json(redacted), "M") == redacted);
  redacted.withheld[0].path = "../d";
  CHECK(refusal(redacted) == "withholds '../d', which leads out of its folder");
  CHECK(manifest_from_json(R"({"schema": "shakedown.bundle/1", "tool_version": "1", "campaign": "c",
    "first_root": "", "last_root": "", "root": "", "files": [], "folders": [], "left_out": [],
    "withheld": [{"path": "a", "bytes": 0, "sha256": ")" +
                               sha256("") + R"("}]})",
                           "M")
            .error()
            .what == "withholds files, and names no bundle that holds them");
  CHECK(file_of(*read, "a/c") != nullptr);
  CHECK(file_of(*read, "a") == nullptr);
}

TEST_CASE("a manifest that names a path twice, as a folder too, or outside is refused") {
  Manifest manifest = small_manifest();
  manifest.files.push_back(manifest.files[0]);
  CHECK(refusal(manifest) == "names 'a/b' twice");
  manifest.files.back().path = "a/b/c";
  CHECK(refusal(manifest) == "names 'a/b' as a file and as a folder");
  manifest.files.back().path = "a/b-c";
  CHECK(refusal(manifest).empty());
  manifest.files.back().path = "a/empty";
  CHECK(refusal(manifest) == "names 'a/empty' twice");
  manifest.files.back().path = "../x";
  CHECK(refusal(manifest) == "names '../x', which leads out of its folder");
  manifest.files.back().path = "MANIFEST.json";
  CHECK(refusal(manifest) == "lists 'MANIFEST.json', which no manifest does");
}

TEST_CASE("any name of a file has one way to be written in an archive") {
  for (const char* name : {"plain", "a b", "50 %", "\xc3\xa9t\xc3\xa9", "\x1b[2J", "\xff", "%2E"}) {
    const std::string written = archive_path(name);
    CHECK(path_of_archive(written) == name);
    CHECK(wrong_archive_path(written).empty());
  }
  CHECK(archive_path("50 %") == "50 %25");
  CHECK_FALSE(wrong_archive_path("%2e%2e/x").empty());
  CHECK_FALSE(wrong_archive_path("%2E%2E/x").empty());
  CHECK_FALSE(wrong_archive_path("a%2Fb").empty());
  CHECK_FALSE(wrong_archive_path("a%00b").empty());
  CHECK_FALSE(wrong_archive_path("50 %").empty());
  CHECK_FALSE(wrong_archive_path("a/").empty());
}
