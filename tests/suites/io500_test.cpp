#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "orchestrator/plan/acceptance.hpp"
#include "suites/io500/site.hpp"
#include "suites/io500/sizes.hpp"
#include "tests/suites/golden.hpp"
#include "tests/suites/shipped_system.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

const ShippedSystem& io500_sakuraone() {
  static const ShippedSystem system("sakuraone");
  return system;
}

const Implementation& io500_official() {
  static const Implementation read = [] {
    Implementation io500 = shipped("io500", "official");
    io500.program = "/opt/io500/io500";  // whether it is in PATH here must not matter
    return io500;
  }();
  return read;
}

Site site_with(const io500::SiteIo500& stated) {
  Site site;
  site.suites = {io500::stated(stated)};
  return site;
}

io500::SiteIo500 full_size() {
  io500::SiteIo500 io500;
  io500.datadir = "/lustre/io500";
  io500.allow_full = true;
  return io500;
}

/// What the public submissions pinned.
std::vector<Parameter> published_pins(int nodes) {
  if (nodes == 10)
    return {{"ranks_per_node", std::int64_t{128}},   {"block_size", std::string("70g")},
            {"segment_count", std::int64_t{100000}}, {"mdtest_easy_n", std::int64_t{55000}},
            {"mdtest_hard_n", std::int64_t{32000}},  {"unique_dir", std::string("true")}};
  return {{"ranks_per_node", std::int64_t{32}},
          {"block_size", std::string("23g")},
          {"segment_count", std::int64_t{100000}},
          {"mdtest_easy_n", std::int64_t{30000}},
          {"mdtest_hard_n", std::int64_t{20000}}};
}

/// What the two public submissions took and wrote: their phases' sum and files.
struct Published {
  int nodes;
  double total_s, bytes, score;
};
constexpr Published published[] = {{10, 3139, 1.024e14, 181.91}, {96, 3288, 8.904e13, 214.09}};

/// What planning says: the refusal, or "planned".
std::string io500_message(const Result<Case>& planned) {
  return planned ? "planned" : to_string(planned.error());
}

}  // namespace

TEST_CASE("IO500's total time, volume and score are predicted for both public submissions") {
  for (const Published& run : published)
    for (const bool pinned : {false, true}) {
      CAPTURE(run.nodes, pinned);
      const auto io500 =
          io500_sakuraone().plan(io500_official(), run.nodes, site_with(full_size()),
                                 pinned ? published_pins(run.nodes) : std::vector<Parameter>());
      REQUIRE(io500);
      CHECK(prediction(*io500, "wall_time_s").value == Approx(run.total_s).epsilon(0.05));
      CHECK(prediction(*io500, "bytes_written").value == Approx(run.bytes).epsilon(0.06));
      CHECK(prediction(*io500, "score").value == Approx(run.score).epsilon(0.0001));
      CHECK(io500->model.source == "fit");
    }
}

TEST_CASE("no phase of IO500 runs out of items before the stonewall, with a margin") {
  struct Rate {
    int nodes;
    double easy_gib, hard_gib, easy_files, hard_files;
  };
  const Rate rates[] = {{10, 262.909798, 15.841345, 204439.992, 120841.897},
                        {96, 198.800894, 24.606459, 256644.261, 151593.320}};
  for (const Rate& rate : rates) {
    CAPTURE(rate.nodes);
    const auto io500 = io500_sakuraone().plan(io500_official(), rate.nodes, site_with(full_size()));
    REQUIRE(io500);
    const double procs = parameter(*io500, "procs");
    CHECK(procs == io500->ranks);
    const auto block = io500::ior_bytes(text_parameter(*io500, "block_size"));
    REQUIRE(block);
    CHECK(procs * static_cast<double>(*block) >= rate.easy_gib * gibi * 390);
    CHECK(procs * parameter(*io500, "segment_count") * 47008 >= rate.hard_gib * gibi * 390);
    CHECK(procs * parameter(*io500, "mdtest_easy_n") >= rate.easy_files * 390);
    CHECK(procs * parameter(*io500, "mdtest_hard_n") >= rate.hard_files * 390);
    CHECK(parameter(*io500, "stonewall_s") == 300);
  }
}

TEST_CASE(
    "IO500's ranks per node are the published 128, or a power of two within the hardware threads and 4096") {
  const auto ten = io500_sakuraone().plan(io500_official(), 10, site_with(full_size()));
  const auto most = io500_sakuraone().plan(io500_official(), 96, site_with(full_size()));
  REQUIRE(ten);
  REQUIRE(most);
  CHECK(ten->ranks_per_node == 128);
  CHECK(
      reason_for(*ten, "ranks_per_node") ==
      "the largest power of two within 240 usable hardware threads (at most 128 a node) and 4096 / 10 nodes "
      "(all ranks together at most 4096)");
  CHECK(ten->binding == "none");
  CHECK(most->ranks_per_node == 32);
  CHECK(most->binding == "core");
  const auto pinned =
      io500_sakuraone().plan(io500_official(), 10, site_with(full_size()), published_pins(10));
  REQUIRE(pinned);
  CHECK(pinned->ranks_per_node == 128);
  CHECK(pinned->binding == "none");
  CHECK(mentions(pinned->warnings, "128 ranks share 120 usable cores of each node: they are not bound"));
}

TEST_CASE("the published IO500 configuration of 10 nodes is rendered with its directories") {
  io500::SiteIo500 io500 = full_size();
  io500::SiteStripe hard;
  hard.phase = "ior-hard";
  hard.layout = "-C 1280";
  io500::SiteStripe files;
  files.phase = "mdtest-hard";
  files.directory_mdts = -1;
  io500::SiteStripe easy;
  easy.phase = "ior-easy";
  easy.count = 1;
  easy.size = "1M";
  easy.pool = "flash";
  io500.stripes = {easy, hard, files};
  const auto planned = io500_sakuraone().plan(io500_official(), 10, site_with(io500), published_pins(10));
  REQUIRE(planned);
  REQUIRE(planned->files.size() == 1);
  CHECK(planned->files.front().name == "io500.ini");
  check_golden("io500.ini", planned->files.front().content);
  check_golden("io500-preparation.txt", preparation_text(*planned));
  CHECK(planned->arguments == std::vector<std::string>{"io500.ini"});
}

TEST_CASE("IO500 runs don't share a folder of results that the site names") {
  io500::SiteIo500 io500 = full_size();
  io500.resultdir = "/lustre/results";
  const auto planned = io500_sakuraone().plan(io500_official(), 10, site_with(io500));
  REQUIRE(planned);
  CHECK(planned->files.front().content.find(
            "resultdir = /lustre/results/io500-official-10n\ntimestamp-resultdir = TRUE\n") !=
        std::string::npos);
}

TEST_CASE("an IO500 that writes tens of terabytes must be allowed: till then its job stops before") {
  io500::SiteIo500 io500 = full_size();
  io500.allow_full = false;
  const auto study = io500_sakuraone().plan(io500_official(), 96, site_with(io500));
  REQUIRE(study);
  CHECK(study->unallowed ==
        "96 nodes write about 89.1 TB and make about 144 million files (at most 100 TB by the sizes): "
        "`run` refuses it until [site.io500] states allow_full_io500 = true");
  CHECK(mentions(study->warnings, study->unallowed));
  REQUIRE(study->preparation.size() == 1);
  CHECK(study->preparation.front().back().ends_with("exit 2"));
  CHECK(io500_sakuraone().plan(io500_official(), 96, site_with(full_size())).value().unallowed.empty());
}

TEST_CASE("of a volume that nothing predicts an upper bound is said, and what it is") {
  io500::SiteIo500 stated = full_size();
  stated.allow_full = false;
  const auto message = [&](int nodes, const char* servers, std::vector<Parameter> pins = {}) {
    ShippedSystem system("sakuraone");
    system.inventory.storage.front().server_model = servers;
    return system.plan(io500_official(), nodes, site_with(stated), std::move(pins)).value().unallowed;
  };
  const std::string links = message(10, "another");
  CHECK(links.find("10 nodes write at most ") != std::string::npos);
  CHECK(links.find(" TB, all that the links of 4 servers carry while its phases last, and make at most ") !=
        std::string::npos);
  CHECK(links.find("how much is likely is not known (no model applies: the published rates are of 4 x DDN "
                   "ES400NVX2, and this is 4 x another;") != std::string::npos);
  CHECK(message(97, "DDN ES400NVX2").find(" TB, as fast as 96 nodes, the nearest published number, ") !=
        std::string::npos);
  CHECK(message(10, "another", published_pins(10)).find(" TB, by its pinned sizes, ") != std::string::npos);
  stated.free_bytes = 30'000'000'000'000;
  CHECK(message(10, "another").find(" TB, to fill 27.3 TiB that the site allows, and make at most ") !=
        std::string::npos);
}

TEST_CASE("without [site.io500] a large IO500 is planned, and its job stops before it writes") {
  const auto study = io500_sakuraone().plan(io500_official(), 96);
  REQUIRE(study);
  CHECK(mentions(study->warnings, "`run` refuses it until [site.io500] states datadir and"));
  REQUIRE(study->preparation.size() == 1);
  CHECK(study->preparation.front().back().ends_with("exit 2"));
  CHECK(prediction(*study, "score").value > 0);
}

TEST_CASE("a disk too small for IO500 is refused, by space, inodes and mdtest-hard's directory") {
  io500::SiteIo500 io500 = full_size();
  io500.free_bytes = 50'000'000'000'000;
  CHECK(
      io500_message(io500_sakuraone().plan(io500_official(), 10, site_with(io500), published_pins(10))) ==
      "IO500 capacity: 1280 ranks may write 93.1 TiB, and there is room for 45.5 TiB (45.5 TiB that the site "
      "allows)\nhint: a larger file system, its true free_bytes in [site.io500], or smaller pins");
  io500.free_bytes = 0;
  io500.free_inodes = 100'000'000;
  CHECK(io500_message(io500_sakuraone().plan(io500_official(), 10, site_with(io500), published_pins(10))) ==
        "IO500 capacity: 111.4 million files may be made, and there are 100 million inodes\n"
        "hint: more inodes, or smaller pins of mdtest_easy_n and mdtest_hard_n");
  io500.free_inodes = 0;
  io500.directory_limit = 10'000'000;
  CHECK(
      io500_message(io500_sakuraone().plan(io500_official(), 10, site_with(io500), published_pins(10))) ==
      "IO500 capacity: mdtest-hard may make 40.96 million files in one directory, which holds 10 million\n"
      "hint: raise the directory's limit (directory_limit in [site.io500]), or pin a smaller mdtest_hard_n");
}

TEST_CASE("IO500 pins that break its rules are refused, those that may are warned about") {
  const auto plan = [](std::vector<Parameter> pins) {
    return io500_sakuraone().plan(io500_official(), 10, site_with(full_size()), std::move(pins));
  };
  CHECK(io500_message(plan({{"stonewall_s", std::int64_t{30}}})) ==
        "IO5-02: the pinned stonewall_s = 30 makes the run invalid\n"
        "hint: IO500's rules fix it at 300: leave it out");
  CHECK(
      io500_message(plan({{"mdtest_easy_n", std::int64_t{1000}}})) ==
      "IO5-02: the pinned mdtest_easy_n = 1000 runs out after 6.26 s of the 300 s that the phase must last\n"
      "hint: pin at least 63000");
  CHECK(io500_message(
            plan({{"block_size", std::string("75161927680")}, {"ranks_per_node", std::int64_t{12}}})) ==
        "IO5-02: the pinned block_size = 75161927680 (70 GiB) runs out after 32.0 s of the 300 s that the "
        "phase "
        "must last\nhint: pin at least 855g");
  CHECK(
      io500_message(plan({{"block_size", std::string("100000")}, {"ranks_per_node", std::int64_t{90000}}})) ==
      "IO5-02: the pinned block_size = 100000 (97.7 KiB) runs out after 0.32 s of the 300 s that the phase "
      "must last\n"
      "hint: pin at least 1g");
  CHECK(io500_message(plan({{"block_size", std::string("161g")}, {"transfer_size", std::string("3m")}})) ==
        "pin block_size: the block 161g is no multiple of the transfer 3m\n"
        "hint: IOR wants whole transfers: pin both so that one divides the other");
  CHECK(io500_message(plan({{"block_size", std::string("much")}})) ==
        "pin block_size: 'much' is no size above 0\n"
        "hint: bytes, or a number with k, m or g, as IOR takes them");
  CHECK(io500_message(plan({{"unique_dir", std::string("perhaps")}})) ==
        "pin unique_dir: 'perhaps' is neither true nor false");
  CHECK(io500_message(plan({{"ior_easy_api", std::string("POSIX # all")}})) ==
        "pin ior_easy_api: io500.ini takes no '#', ';' or line break in a value");
  const auto close = plan(published_pins(10));
  REQUIRE(close);
  CHECK(mentions(close->warnings,
                 "the pinned mdtest_easy_n = 55000 is 1.15 of what the stonewall's time needs"));
  CHECK(mentions(close->warnings, "the pinned block_size = 70g (70 GiB) is 1.14 of what"));
}

TEST_CASE("where no rate is known IO500's sizes are bound by the links to the storage") {
  struct Row {
    int nodes;
    double client_gbit_s;   ///< of each of the nodes
    double servers_gbit_s;  ///< of all; 0: no storage is described
    const char* type;       ///< of the file system of one mount; empty: none is known
    const char* because;    ///< "": IO500's own size
  };
  for (const Row& row : {Row{10, 3200, 0, "", "the links of 10 clients carry 3725 GiB/s"},
                         Row{1, 3200, 0, "", "the links of 1 client carry 372.5 GiB/s"},
                         Row{10, 3200, 800, "", "the links of 4 servers carry 93.13 GiB/s"},
                         Row{1, 25, 0, "nfs4", "the links of 1 client carry 2.910 GiB/s"},
                         Row{1, 25, 0, "ext4", ""}, Row{10, 0, 0, "", ""}}) {
    ShippedSystem system("sakuraone");
    system.inventory.storage.resize(row.servers_gbit_s > 0 ? 1 : 0);
    if (row.servers_gbit_s > 0) {
      Storage& storage = system.inventory.storage.front();
      storage.server_model = "another";
      storage.servers = 4;
      storage.nics_per_server = 1;
      storage.nic_gbit_s = row.servers_gbit_s / 4;
      storage.usable_bytes = 0;
      storage.mount.clear();
    }
    NodeGroup& node = system.inventory.groups.front();
    node.nics.assign(1, {});
    node.nics.front().role = "storage";
    node.nics.front().speed_gb_s = row.client_gbit_s;
    node.mounts.clear();
    if (*row.type != 0)
      node.mounts = {{"/data", row.type, "x", 9'000'000'000'000'000, 9'000'000'000'000'000, true}};
    system.inventory.groups.resize(1);
    const auto io500 = system.plan(io500_official(), row.nodes, {});
    REQUIRE(io500);
    const auto block = std::ranges::find(io500->why, "block_size", &Reason::what);
    REQUIRE(block != io500->why.end());
    INFO(block->because);
    if (*row.because == 0) {
      CHECK(text_parameter(*io500, "block_size") == "9920000m");
      continue;
    }
    CHECK(block->because.find(row.because) != std::string::npos);
    // All ranks together: what the links carry in 1.3 x 300 s, rounded up to a GiB of each rank.
    const double gib_s =
        std::min(row.nodes * row.client_gbit_s, row.servers_gbit_s > 0 ? row.servers_gbit_s : 1e9) * 1e9 / 8 /
        (1U << 30U);
    const double all = static_cast<double>(io500::ior_bytes(text_parameter(*io500, "block_size")).value()) *
                       io500->ranks / (1U << 30U);
    CHECK(all >= gib_s * 390);
    CHECK(all < gib_s * 390 + io500->ranks);
    CHECK_FALSE(mentions(io500->warnings, "block_size is cut"));
  }
}

TEST_CASE("IO500 gives no prediction outside of the published node counts or on other storage") {
  const auto few = io500_sakuraone().plan(io500_official(), 8, site_with(full_size()));
  REQUIRE(few);
  CHECK(few->predicted.empty());
  CHECK(few->model.text.starts_with(
      "no model applies: the published runs had 10 to 96 nodes, and these are 8"));
  CHECK(few->model.source.empty());
  ShippedSystem other("sakuraone");
  other.inventory.storage.front().server_model = "another";
  const auto foreign = other.plan(io500_official(), 10, site_with(full_size()));
  REQUIRE(foreign);
  CHECK(foreign->predicted.empty());
  CHECK(foreign->model.text ==
        "no model applies: the published rates are of 4 x DDN ES400NVX2, and this is 4 x another; the "
        "servers' links "
        "carry at most 745 GiB/s");
}

TEST_CASE("IO500 explains what part of the file system's space and inodes it takes") {
  io500::SiteIo500 io500 = full_size();
  const auto unknown = io500_sakuraone().plan(io500_official(), 96, site_with(io500));
  REQUIRE(unknown);
  CHECK(
      reason_for(*unknown, "space") ==
      "at most 78 TiB of ior-easy + 13 TiB of ior-hard + 234 GiB of mdtest-hard: 5.0 % of 1.78 PiB, the size "
      "of 'lustre'; 50 % may be filled");
  CHECK(
      reason_for(*unknown, "inodes") ==
      "at most 104.4 million of mdtest-easy + 61.44 million of mdtest-hard + 3073 of IOR: of how much is not "
      "known");
  io500.free_bytes = 200'000'000'000'000;
  io500.free_inodes = 25'000'000'000;
  const auto stated = io500_sakuraone().plan(io500_official(), 96, site_with(io500));
  REQUIRE(stated);
  CHECK(
      reason_for(*stated, "space") ==
      "at most 78 TiB of ior-easy + 13 TiB of ior-hard + 234 GiB of mdtest-hard: 50.2 % of 182 TiB that the "
      "site allows");
  CHECK(reason_for(*stated, "inodes").ends_with(": 0.7 % of 25\u202f000 million"));
}

TEST_CASE(
    "beyond the published node counts IO500 takes what the saturated servers can, and predicts nothing") {
  for (const int nodes : {97, 100}) {
    CAPTURE(nodes);
    const auto beyond = io500_sakuraone().plan(io500_official(), nodes, site_with(full_size()));
    REQUIRE(beyond);
    const auto block = io500::ior_bytes(text_parameter(*beyond, "block_size"));
    REQUIRE(block);
    const double easy = parameter(*beyond, "procs") * static_cast<double>(*block);
    CHECK(easy >= 198.800894 * gibi * 390);
    CHECK(easy <= 1.1 * 198.800894 * gibi * 392);
    CHECK(reason_for(*beyond, "block_size")
              .ends_with(
                  "; the rate is that of 96 nodes, the most published: more clients find the same servers "
                  "saturated"));
    CHECK(mentions(beyond->warnings, "the sizes take the storage to be no faster than 96 nodes found it"));
    CHECK(beyond->predicted.empty());
    CHECK(beyond->model.source.empty());
  }
  // One client has 2 x 400 Gbit/s to the storage, and can't write what ten did.
  const auto one = io500_sakuraone().plan(io500_official(), 1, site_with(full_size()));
  REQUIRE(one);
  CHECK(reason_for(*one, "block_size")
            .ends_with("what the clients' links to the storage carry, less than 10 nodes reach"));
  const double most = 2 * 400e9 / 8 * 390;
  const double written = parameter(*one, "procs") *
                         static_cast<double>(io500::ior_bytes(text_parameter(*one, "block_size")).value());
  CHECK(written >= most);
  CHECK(written < 1.01 * most);
  const auto below = io500_sakuraone().plan(io500_official(), 2, site_with(full_size()));
  REQUIRE(below);
  CHECK(reason_for(*below, "mdtest_easy_n")
            .ends_with(
                "; the rate is that of 10 nodes, the fewest published: fewer clients ask less of the same "
                "servers"));
}

TEST_CASE("beyond the published node counts IO500's sizes are cut to the space, and pins are not refused") {
  io500::SiteIo500 io500 = full_size();
  io500.free_bytes = 10'000'000'000'000;
  const auto cut = io500_sakuraone().plan(io500_official(), 100, site_with(io500));
  REQUIRE(cut);
  CHECK(reason_for(*cut, "block_size") ==
        "less than the 25g that the rates of 96 nodes ask for: each rank's part of 9.09 TiB that the site "
        "allows, rounded down to a multiple of 1g");
  CHECK(mentions(cut->warnings, "block_size is cut to the space"));
  const auto pinned = io500_sakuraone().plan(io500_official(), 100, site_with(io500),
                                             {{"mdtest_easy_n", std::int64_t{1000}}});
  REQUIRE(pinned);
  CHECK(mentions(
      pinned->warnings,
      "the pinned mdtest_easy_n = 1000 is 0.04 of what the stonewall's time needs at the rates of 96 "
      "nodes, below the margin of 1.3"));
}

TEST_CASE("IO500 gives each node a rank where there are more nodes than ranks are wanted, and says so") {
  NodeGroup node = two_core_node();
  node.hosts = "n[1-12500]";
  const auto io500 = planned(node, io500_official());
  REQUIRE(io500);
  CHECK(io500->ranks == 12'500);
  CHECK(reason_for(*io500, "ranks_per_node") ==
        "each node needs a rank of its own, and 12500 nodes are more than the 4096 ranks wanted in all");
  CHECK(reason_for(*io500, "procs") ==
        "12500 nodes x 1 rank on each: at least one rank per node, so more than the 4096 wanted in all");
  CHECK(mentions(io500->warnings, "mdtest-hard makes up to 12\u202f500 million files in one directory"));
}

TEST_CASE("plans of IO500 are rendered to the last byte") {
  check_golden(
      "io500-official-10.json",
      case_json(
          io500_sakuraone().plan(io500_official(), 10, site_with(full_size()), published_pins(10)).value()));
  check_golden("io500-official-96.json",
               case_json(io500_sakuraone().plan(io500_official(), 96, site_with(full_size())).value()));
}

TEST_CASE("between the published node counts IO500's rates follow a power law") {
  const auto middle = io500_sakuraone().plan(io500_official(), 31, site_with(full_size()));
  REQUIRE(middle);
  const double score = prediction(*middle, "score").value;
  CHECK(score > 181.91);
  CHECK(score < 214.09);
  CHECK(score == Approx(std::sqrt(181.907263 * 214.086239)).epsilon(0.001));
}

TEST_CASE("an IO500 of one machine fits its disk and says what one client's values are worth") {
  NodeGroup node = two_core_node();
  node.mounts = {{"/", "ext4", "/dev/vda1", 100'000'000'000, 60'000'000'000, true},
                 {"/tmp", "tmpfs", "tmpfs", 10'000'000'000, 10'000'000'000, true}};
  const auto io500 = planned(node, io500_official());
  REQUIRE(io500);
  CHECK(io500->ranks == 2);
  CHECK(io500->preparation.empty());
  CHECK(io500->predicted.empty());
  CHECK(mentions(io500->warnings, "one client reads from its own memory what it wrote"));
  CHECK(mentions(io500->warnings, "block_size is cut to the space"));
  check_golden("io500-local.ini", io500->files.front().content);
  const auto dropping = planned(node, io500_official(), {0, 0, {{"drop_caches", std::string("true")}}});
  REQUIRE(dropping);
  CHECK_FALSE(mentions(dropping->warnings, "one client reads"));
  CHECK(dropping->files.front().content.find("drop-caches = TRUE\n") != std::string::npos);
  node.mounts.front().free_bytes = 1'000'000;
  CHECK(io500_message(planned(node, io500_official())) ==
        "IO500 capacity: 0.50 x 977 KiB free on / is too small for one item of each of 2 ranks\n"
        "hint: a larger file system, or a pin of fewer ranks_per_node");
}

TEST_CASE(
    "the reference IO500 of a wished time is a screen whose phases fit it, and says that it is not valid") {
  NodeGroup node = two_core_node();
  node.mounts = {{"/", "ext4", "/dev/vda1", 100'000'000'000, 60'000'000'000, true}};
  const auto io500 = planned(node, shipped("io500", "reference"), {36, 0});
  REQUIRE(io500);
  CHECK(io500->ranks == 2);
  CHECK(parameter(*io500, "stonewall_s") == 4);
  CHECK(text_parameter(*io500, "block_size") == "1716m");  // 0.6 of a tenth of the space
  CHECK(parameter(*io500, "mdtest_hard_n") == 800);
  CHECK(io500->arguments == std::vector<std::string>{"io500.ini"});
  CHECK(prediction(*io500, "wall_time_s").value == Approx(26.2));
  CHECK(io500->time_limit_s == 420);
  CHECK(mentions(io500->warnings, "a short run: its write phases are shorter than the list's 300 s"));
  check_golden("io500-screen.ini", io500->files.front().content);
  const auto shortest = planned(node, shipped("io500", "reference"), {1, 0});
  REQUIRE(shortest);
  CHECK(parameter(*shortest, "stonewall_s") == 1);
  const auto pinned =
      planned(node, shipped("io500", "reference"), {36, 0, {{"stonewall_s", std::int64_t{2}}}});
  REQUIRE(pinned);
  CHECK(parameter(*pinned, "stonewall_s") == 2);
  const auto why_block = [](const Case& planned) {
    return std::ranges::find(planned.why, std::string("block_size"), &Reason::what)->because;
  };
  CHECK(why_block(*io500).ends_with(", at most 60 % of the space"));
  node.mounts.clear();
  const auto unknown = planned(node, shipped("io500", "reference"), {36, 0});
  REQUIRE(unknown);
  CHECK(mentions(unknown->warnings, "the free space is unknown"));
  CHECK(why_block(*unknown).ends_with(" ranks"));
}

TEST_CASE("without a wished time the reference IO500 is planned by the rules of the official one") {
  NodeGroup node = two_core_node();
  node.mounts = {{"/", "ext4", "/dev/vda1", 100'000'000'000, 60'000'000'000, true}};
  const auto io500 = planned(node, shipped("io500", "reference"));
  REQUIRE(io500);
  CHECK(parameter(*io500, "stonewall_s") == 300);
  CHECK_FALSE(mentions(io500->warnings, "a screen"));
}

TEST_CASE("the reference IO500 takes a site's directory as the permission to write there") {
  const Implementation reference = shipped("io500", "reference");
  const auto io500 = io500_sakuraone().plan(reference, 10, site_with(full_size()));
  REQUIRE(io500);
  CHECK(io500->arguments ==
        std::vector<std::string>{"io500.ini", "--io-dir", "/lustre/io500/io500-reference-10n"});
  CHECK(io500->preparation.back() ==
        std::vector<std::string>{"mkdir", "-p", "/lustre/io500/io500-reference-10n"});
}

TEST_CASE("where the space is unknown, IO500's own sizes are planned and not run unasked") {
  const auto io500 = planned(two_core_node(), io500_official());
  REQUIRE(io500);
  CHECK(text_parameter(*io500, "block_size") == "9920000m");
  CHECK(mentions(io500->warnings, "the free space is unknown"));
  CHECK(io500->preparation.size() == 1);
}

TEST_CASE("sizes are read as IOR spells them") {
  CHECK(io500::ior_bytes("47008").value() == 47008);
  CHECK(io500::ior_bytes("70g").value() == 70LL * 1024 * 1024 * 1024);
  CHECK(io500::ior_bytes("9920000m").value() == 9920000LL * 1024 * 1024);
  CHECK(io500::ior_bytes("1M").value() == 1024 * 1024);
  for (const char* wrong : {"", "g", "0", "-1m", "1.5g", "9999999999999g", "1t"})
    CHECK_FALSE(io500::ior_bytes(wrong));
}

TEST_CASE("a planned IO500 fits its disk, inodes and directory, whatever the machine, or is refused") {
  const bool holds = rc::check([] {
    NodeGroup node = two_core_node();
    const int nodes = *rc::gen::inRange(1, 20001);
    node.hosts = "n[1-" + std::to_string(nodes) + "]";
    node.usable.cores = *rc::gen::inRange(1, 400);
    Inventory inventory = io500_sakuraone().inventory;
    if (*rc::gen::arbitrary<bool>()) inventory.storage.clear();
    Site site;
    io500::SiteIo500 stated = full_size();
    stated.free_bytes = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 52);
    stated.free_inodes = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000);
    stated.directory_limit = *rc::gen::inRange<std::int64_t>(0, 100'000'000);
    site.suites = {io500::stated(stated)};
    PlanRequest request;
    request.inventory = &inventory;
    request.implementation = &io500_official();
    request.group = &node;
    request.hosts = expanded_hostlist(node.hosts).value();
    request.site = &site;
    const auto io500 = suite_called("io500").plan(request);
    if (!io500) {
      RC_ASSERT(io500.error().where == "IO500 capacity");
      RC_ASSERT(!io500.error().hint.empty());
      return;
    }
    const double procs = parameter(*io500, "procs");
    RC_ASSERT(procs == static_cast<double>(io500->nodes) * io500->ranks_per_node);
    RC_ASSERT(io500->ranks_per_node <= std::max(node.usable.cores, node.usable.hardware_threads));
    const auto block = io500::ior_bytes(text_parameter(*io500, "block_size"));
    RC_ASSERT(block.has_value());
    const double hard_files = procs * parameter(*io500, "mdtest_hard_n");
    const double bytes = procs * (static_cast<double>(*block) + parameter(*io500, "segment_count") * 47008) +
                         hard_files * 3901;
    const double files = hard_files + procs * parameter(*io500, "mdtest_easy_n");
    RC_ASSERT(stated.free_bytes == 0 || bytes <= static_cast<double>(stated.free_bytes));
    RC_ASSERT(stated.free_inodes == 0 || files <= static_cast<double>(stated.free_inodes));
    RC_ASSERT(stated.directory_limit == 0 || hard_files <= static_cast<double>(stated.directory_limit));
  });
  CHECK(holds);
}

TEST_CASE("[site.io500] keeps what it states, stripes in their order") {
  const auto read = acceptance_from_toml(
      "[site.io500]\ndatadir = '/l'\nallow_full_io500 = true\nfree_inodes = 7\n"
      "[[site.io500.stripes]]\nphase = 'ior-easy'\ncount = 1\nsize = '1M'\n"
      "[[site.io500.stripes]]\nphase = 'mdtest-hard'\ndirectory_mdts = -1\n",
      "a.toml");
  REQUIRE(read);
  const auto stated = io500::site_of(&read->site);
  REQUIRE(stated);
  CHECK(stated->datadir == "/l");
  CHECK(stated->allow_full);
  CHECK(stated->free_inodes == 7);
  REQUIRE(stated->stripes.size() == 2);
  CHECK(stated->stripes[0].size == "1M");
  CHECK(stated->stripes[1].phase == "mdtest-hard");
  CHECK(stated->stripes[1].directory_mdts == -1);
  CHECK(read->site.suites == std::vector{io500::stated(*stated)});
}
