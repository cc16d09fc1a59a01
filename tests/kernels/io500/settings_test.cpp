#include "suites/io500/reference/settings.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace io500;

namespace {

tl::expected<Settings, std::string> read(const std::string& content) {
  const auto sections = read_ini(content, "t.ini");
  if (!sections) FAIL(sections.error());
  return settings_of(*sections, "t.ini");
}

Settings settings_good(const std::string& content) {
  const auto settings = read(content);
  if (!settings) FAIL(settings.error());
  return *settings;
}

std::string settings_refusal(const std::string& content) {
  const auto settings = read(content);
  REQUIRE_FALSE(settings);
  return settings.error();
}

}  // namespace

TEST_CASE("without a word the settings are the official program's, by the rules") {
  const Settings settings = settings_good("");
  CHECK(settings.stonewall_s == 300);
  CHECK(settings.least_s == 300);
  CHECK(settings.transfer == 2 << 20);
  CHECK(settings.block == 9920000LL << 20);
  CHECK(settings.file_per_process);
  CHECK_FALSE(settings.unique_dir);
  CHECK_FALSE(settings.direct_write);
  CHECK(settings.segments == 10'000'000);
  CHECK(settings.easy_files == 1'000'000);
  CHECK(settings.hard_files == 1'000'000);
  CHECK(settings.find_ranks == 0);
  CHECK(settings.skipped.empty());
  CHECK(settings.without_effect.empty());
  CHECK(settings.timestamped_data);
  CHECK(settings_good("[global]\nscc = TRUE\n").least_s == 30);
  CHECK(hard_transfer == 47008);
  CHECK(hard_file == 3901);
}

TEST_CASE("sizes are read as IOR spells them") {
  const bool holds = rc::check([] {
    const auto count = *rc::gen::inRange<std::int64_t>(1, 1 << 20);
    const std::string digits = std::to_string(count);
    RC_ASSERT(*ior_bytes(digits) == count);
    RC_ASSERT(*ior_bytes(digits + "k") == count << 10);
    RC_ASSERT(*ior_bytes(digits + "M") == count << 20);
    RC_ASSERT(*ior_bytes(digits + "g") == count << 30);
    RC_ASSERT(*ior_bytes(digits + "T") == count << 40);
  });
  CHECK(holds);
  for (const char* word :
       {"", "0", "k", "-1", "1x", "1kk", "1.5m", " 1", "4611686018427387905", "9999999999t"}) {
    INFO(word);
    CHECK(ior_bytes(word).error() ==
          "'" + std::string(word) + "' is no size above 0: bytes, or a number with k, m, g or t");
  }
  CHECK(*ior_bytes("4194304t") == std::int64_t{1} << 62);
}

TEST_CASE("phases that don't run are those of the section, and of its benchmark") {
  const Settings settings =
      settings_good("[ior-easy-read]\nrun = FALSE\n[mdtest-hard]\nrun = FALSE\n[find]\nrun = FALSE\n");
  CHECK(settings.skipped == std::vector<std::string>{"mdtest-hard-write", "find", "ior-easy-read",
                                                     "mdtest-hard-stat", "mdtest-hard-read",
                                                     "mdtest-hard-delete"});
  CHECK_FALSE(settings.runs("find"));
  CHECK(settings.runs("ior-easy-write"));
}

TEST_CASE("direct transfers are for ior-easy, of whole sectors, by phase or for both") {
  const std::string direct = "API = POSIX --posix.odirect\n";
  const Settings both = settings_good("[ior-easy]\n" + direct);
  CHECK(both.direct_write);
  CHECK(both.direct_read);
  const Settings write = settings_good("[ior-easy-write]\n" + direct);
  CHECK(write.direct_write);
  CHECK_FALSE(write.direct_read);
  const Settings read_through = settings_good("[ior-easy]\n" + direct + "[ior-easy-read]\nAPI = POSIX\n");
  CHECK(read_through.direct_write);
  CHECK_FALSE(read_through.direct_read);
  CHECK(settings_refusal("[ior-hard]\n" + direct) ==
        "t.ini:2: --posix.odirect is for [ior-easy] alone: the transfers of the others are no whole sectors");
  CHECK(settings_refusal("[ior-easy]\ntransferSize = 1000\nblockSize = 1000\n" + direct) ==
        "t.ini:2: --posix.odirect wants a transferSize of whole 4096 bytes");
}

TEST_CASE("keys for phases that this program lacks are reported, not refused") {
  CHECK(settings_good("[find-easy]\nnproc = 3\n[find]\npfind-queue-length = 5\n[ior-hard]\nverbosity = 1\n")
            .without_effect ==
        std::vector<std::string>{"[find-easy] nproc", "[ior-hard] verbosity", "[find] pfind-queue-length"});
}

TEST_CASE("what this program can't do, or the rules forbid, is refused with its line") {
  CHECK(settings_refusal("[debug]\nstonewall-time = 0\n") ==
        "t.ini:2: stonewall-time must be 1 to 1000000, but is 0");
  CHECK(settings_refusal("[ior-easy]\nblockSize = 100k\n") ==
        "t.ini:2: blockSize 100k is no multiple of transferSize 2m");
  CHECK(settings_refusal("[ior-easy]\ntransferSize = 2g\nblockSize = 4g\n") ==
        "t.ini:2: transferSize is above 1 GiB");
  CHECK(settings_refusal("[ior-easy]\nblockSize = 1x\n") ==
        "t.ini:2: blockSize: '1x' is no size above 0: bytes, or a number with k, m, g or t");
  CHECK(settings_refusal("[ior-easy]\nfilePerProc = FALSE\nuniqueDir = TRUE\n") ==
        "t.ini:3: uniqueDir wants filePerProc = TRUE");
  CHECK(settings_refusal("[ior-hard]\nsegmentCount = 0\n") ==
        "t.ini:2: segmentCount must be 1 to 2000000000, but is 0");
  CHECK(settings_refusal("[mdtest-hard]\nn = 2000000001\n") ==
        "t.ini:2: n must be 1 to 2000000000, but is 2000000001");
  CHECK(settings_refusal("[find]\nnproc = 0\n") == "t.ini:2: nproc must be 1 to 2000000000, but is 0");
  CHECK(settings_refusal("[global]\napi = DFS\n").starts_with("t.ini:2: the API 'DFS' is not built in"));
  CHECK(settings_refusal("[global]\nio-buffers-on-gpu = TRUE\n") ==
        "t.ini:2: this program keeps its buffers in main memory");
  CHECK(settings_refusal("[debug]\npause-dir = /p\n") ==
        "t.ini:2: this program makes no pauses between phases");
  CHECK(settings_refusal("[find]\nexternal-script = f\n") ==
        "t.ini:2: this program runs its own parallel find");
  CHECK(settings_refusal("[mdtest-hard]\nfiles-per-dir = 10\n") ==
        "t.ini:2: the rules want all files of mdtest-hard in one directory");
  CHECK(settings_refusal("[ior-hard-write]\ncollective = TRUE\n") ==
        "t.ini:2: POSIX has no collective transfers");
  // The first of several, by the program's order.
  CHECK(settings_refusal("[find]\nnproc = 0\n[debug]\nstonewall-time = 0\n")
            .starts_with("t.ini:4: stonewall-time"));
}
