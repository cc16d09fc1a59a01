#include "suites/hpcg/reference/options.hpp"

#include <rapidcheck.h>

#include <array>
#include <catch2/catch.hpp>
#include <sstream>

#include "suites/hpcg/reference/geometry.hpp"

using namespace hpcg;

namespace {

using Words = std::vector<std::string>;

tl::expected<Options, InputError> parsed(const Words& words) {
  std::vector<const char*> argv = {"hpcg"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return parse_options(static_cast<int>(argv.size()), argv.data());
}

/// The options of a command line, and of an hpcg.dat where one is given, on so many ranks.
tl::expected<Options, InputError> input(const Words& words, int ranks, const char* dat = nullptr) {
  auto options = parsed(words);
  if (options && dat != nullptr) {
    std::istringstream text(dat);
    options = with_hpcg_dat(*options, text);
  }
  if (options) options = completed(*options, ranks);
  return options;
}

std::string refusal(const tl::expected<Options, InputError>& options) {
  REQUIRE_FALSE(options);
  CHECK_FALSE(options.error().hint.empty());
  return options.error().what;
}

std::string dat(const std::string& lines) {
  return "HPCG benchmark input file\nSandia National Laboratories\n" + lines;
}

std::string refused_dat(const std::string& text, const Words& words = {}) {
  return refusal(input(words, 2, text.c_str()));
}

/// The ten numbers in the order of the bare arguments.
std::array<int, 10> numbers(const Options& o) {
  return {o.local.x,   o.local.y,      o.local.z,      o.seconds.value_or(-1),
          o.layers.pz, o.layers.lower, o.layers.upper, o.grid.x,
          o.grid.y,    o.grid.z};
}

constexpr std::array names = {"nx", "ny", "nz", "rt", "pz", "zl", "zu", "npx", "npy", "npz"};

}  // namespace

TEST_CASE("an option is the same with '=', with a blank, and as a bare number in its place") {
  const bool holds = rc::check([] {
    std::array<int, 10> wanted{};
    Words equals;
    Words apart;
    Words bare;
    for (std::size_t i = 0; i < names.size(); ++i) {
      wanted[i] = *rc::gen::inRange(10, 1'000'000'001);
      const std::string number = std::to_string(wanted[i]);
      equals.push_back("--" + std::string(names[i]) + "=" + number);
      apart.push_back("--" + std::string(names[i]));
      apart.push_back(number);
      bare.push_back(number);
    }
    for (const Words& words : {equals, apart, bare}) RC_ASSERT(numbers(*parsed(words)) == wanted);
  });
  CHECK(holds);
  CHECK(numbers(*parsed({})) == std::array<int, 10>{0, 0, 0, -1, 0, 0, 0, 0, 0, 0});
  CHECK(parsed({"--nx=16", "--plain"})->plain);
  CHECK(parsed({"16", "0", "24"})->local == Box{16, 0, 24});
  CHECK(parsed({"--nx=16", "-h"})->help);
}

TEST_CASE("a command line that can't be read is refused with the word") {
  CHECK(refusal(parsed({"--nx=16x"})) == "--nx must be an integer, but is '16x'");
  CHECK(refusal(parsed({"--nx="})) == "--nx must be an integer, but is ''");
  CHECK(refusal(parsed({"--nx=99999999999"})) == "--nx must be an integer, but is '99999999999'");
  CHECK(refusal(parsed({"--ny=0"})) == "--ny must be from 1 to 1000000000, but is '0'");
  CHECK(refusal(parsed({"--rt=-1"})) == "--rt must be from 0 to 1000000000, but is '-1'");
  CHECK(refusal(parsed({"--rt"})) == "--rt needs a value");
  CHECK(refusal(parsed({"--size=3"})) == "unknown option '--size'");
  CHECK(refusal(parsed({"--"})) == "unknown option '--'");
  CHECK(refusal(parsed({"16", "y"})) == "the bare argument ny must be an integer, but is 'y'");
  CHECK(refusal(parsed({"16", "16", "16", "5"})) ==
        "HPCG 3.1 takes a bare argument below 10 for none: rt is '5'");
  CHECK(refusal(parsed(Words(11, "16"))) == "more than ten bare arguments: '16'");
  CHECK(refusal(parsed({"--nx=" + std::string(40, '9') + "\n\x1b"})) ==
        "--nx must be an integer, but is '" + std::string(32, '9') + "...'");
}

TEST_CASE("hpcg.dat gives sizes, seconds and, where its fifth line begins with a number, the grid") {
  const auto plain = input({}, 2, dat("24 16 32 points\n60 seconds\n").c_str());
  REQUIRE(plain);
  CHECK(plain->local == Box{24, 16, 32});
  CHECK(plain->seconds == 60);
  CHECK(plain->grid == Box{2, 1, 1});
  CHECK(plain->notes.empty());
  CHECK(input({}, 2, dat("\t16  16 16\r\n0\r\n1 1 2\r\n").c_str())->grid == Box{1, 1, 2});
  CHECK(input({}, 2, dat("16 16 16\n0\nno grid here").c_str())->grid == Box{2, 1, 1});
  CHECK(input({}, 2, dat("16 16 16\n0\n0 0 0").c_str())->grid == Box{2, 1, 1});
  // The command line comes first.
  const auto both =
      input({"--rt=7", "--npx=1", "--npy=2", "--npz=1"}, 2, dat("16 16 16\n60\n1 1 2\n").c_str());
  CHECK(both->seconds == 7);
  CHECK(both->grid == Box{1, 2, 1});
  CHECK(input({"--rt=7"}, 2, dat("16 16 16\n").c_str())->seconds == 7);
  const auto small = input({}, 1, dat("8 16 16\n0\n").c_str());
  CHECK(small->local == Box{16, 16, 16});
  CHECK(small->notes == Words{"nx = 8 is raised to 16, as HPCG 3.1 does below 16"});
}

TEST_CASE("an hpcg.dat that can't be read is refused with the line") {
  CHECK(refused_dat("") == "hpcg.dat ends before line 1, the title");
  CHECK(refused_dat("title\n") == "hpcg.dat ends before line 2, the second title line");
  CHECK(refused_dat(dat("")) == "hpcg.dat ends before line 3, nx ny nz");
  CHECK(refused_dat(dat("\n0\n")) == "hpcg.dat:3: the line holds 0 of the 3 numbers nx ny nz");
  CHECK(refused_dat(dat("16 16\n0\n")) == "hpcg.dat:3: the line holds 2 of the 3 numbers nx ny nz");
  CHECK(refused_dat(dat("16 16 16.5\n0\n")) ==
        "hpcg.dat:3: nx ny nz must be integers from 1, but found '16.5'");
  CHECK(refused_dat(dat("16 0 16\n0\n")) == "hpcg.dat:3: nx ny nz must be integers from 1, but found '0'");
  CHECK(refused_dat(dat("16 16 16\n")) == "hpcg.dat ends before line 4, the seconds to run");
  CHECK(refused_dat(dat("16 16 16\n\n")) ==
        "hpcg.dat:4: the line holds 0 of the 1 number the seconds to run");
  CHECK(refused_dat(dat("16 16 16\n-5\n")) ==
        "hpcg.dat:4: the seconds to run must be an integer from 0, but found '-5'");
  CHECK(refused_dat(dat("16 16 16\n0\n2 1\n")) ==
        "hpcg.dat:5: the line holds 2 of the 3 numbers npx npy npz");
  CHECK(refused_dat(dat("16 16 16\n0\n2 1 x\n")) ==
        "hpcg.dat:5: npx npy npz must be integers from 0, but found 'x'");
}

TEST_CASE("any text is an hpcg.dat or refused: no other way out") {
  const bool holds = rc::check([](const std::string& text) {
    std::istringstream stream(text);
    const auto options = with_hpcg_dat({}, stream);
    if (!options) RC_ASSERT(!options.error().what.empty());
    if (options) RC_ASSERT(options->local.x >= 16 && options->local.y >= 16 && options->local.z >= 16);
  });
  CHECK(holds);
}

TEST_CASE("sides that aren't said are as long as the longest, and at least 16; seconds are 1800") {
  const auto one = input({"--nx=32"}, 1);
  CHECK(one->local == Box{32, 32, 32});
  CHECK(one->seconds == 1800);
  CHECK(one->notes.empty());
  const auto small = input({"--nx=8", "--ny=24"}, 1);
  CHECK(small->local == Box{24, 24, 24});
  CHECK(small->notes == Words{"nx = 8 is raised to 24, as HPCG 3.1 does below 16"});
}

TEST_CASE("sizes and grids are completed to what HPCG can run, or refused") {
  const bool holds = rc::check([] {
    const auto side = [] { return *rc::gen::inRange(0, 200); };
    const int ranks = *rc::gen::inRange(1, 100);
    Options options;
    options.local = {side(), side(), side()};
    const auto done = completed(options, ranks);
    if (!done) {
      RC_ASSERT(!done.error().what.empty() && !done.error().hint.empty());
      return;
    }
    RC_ASSERT(done->grid.cells() == ranks);
    RC_ASSERT(done->grid == process_grid(ranks));
    RC_ASSERT(done->local.aspect() >= 0.125);
    RC_ASSERT(done->grid.aspect() >= 0.125);
    for (const int n : {done->local.x, done->local.y, done->local.z}) RC_ASSERT(n >= 16 && n % 8 == 0);
  });
  CHECK(holds);
}

TEST_CASE("what HPCG aborts on is refused with the rule") {
  const Words cube = {"--nx=16"};
  const auto with = [&](const Words& more) {
    Words words = cube;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  CHECK(refusal(input({"--nx=20", "--ny=16", "--nz=16"}, 1)) ==
        "nx = 20 is no multiple of 8: three coarser grids halve each side");
  CHECK(
      refusal(input({"--nx=16", "--ny=16", "--nz=136"}, 1)) ==
      "the local domain 16 x 16 x 136 is too flat: its shortest side is less than an eighth of its longest");
  CHECK(refusal(input(cube, 11)) ==
        "the process grid 11 x 1 x 1 is too flat: its shortest side is less than an eighth of its longest");
  CHECK(refusal(input(with({"--npx=3", "--npy=1", "--npz=1"}), 2)) ==
        "the process grid npx x npy x npz = 3 x 1 x 1 doesn't make the 2 ranks that run");
  CHECK(refusal(input(with({"--npx=1"}), 1)) ==
        "the process grid npx x npy x npz = 1 x 0 x 0 doesn't make the 1 rank that run");
  CHECK(refusal(input(with({"--npx=1000000000", "--npy=1000000000", "--npz=1000000000"}), 2))
            .starts_with("the process grid npx x npy x npz = 1000000000 x"));
  CHECK(refusal(input(with({"--zl=16"}), 2)) == "zl and zu need pz, the layer of ranks where zu begins");
  const Words two = {"--npx=1", "--npy=1", "--npz=2"};
  const auto layers = [&](const Words& more) {
    Words words = with(two);
    words.insert(words.end(), more.begin(), more.end());
    return input(words, 2);
  };
  CHECK(refusal(layers({"--pz=2", "--zl=16", "--zu=16"})) ==
        "pz = 2 leaves no layer of ranks above it: npz is 2");
  CHECK(refusal(layers({"--pz=1", "--zl=16"})) == "zu = 0 is below 16");
  CHECK(refusal(layers({"--pz=1", "--zl=20", "--zu=16"})) ==
        "zl = 20 is no multiple of 8: three coarser grids halve each side");
  CHECK(
      refusal(layers({"--pz=1", "--zl=136", "--zu=16"})) ==
      "the local domain 16 x 16 x 136 is too flat: its shortest side is less than an eighth of its longest");
  CHECK(layers({"--pz=1", "--zl=16", "--zu=24"})->layers.upper == 24);
  CHECK(refusal(input({"--nx=1024"}, 1)) ==
        "the local domain 1024 x 1024 x 1024 has more entries than 32 bits count");
}
