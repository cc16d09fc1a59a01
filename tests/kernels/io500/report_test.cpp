#include "suites/io500/reference/report.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "suites/io500/reference/text.hpp"
#include "tests/kernels/io500/bytes.hpp"
#include "tests/temporary_folder.hpp"

using namespace io500;

namespace {

struct Phase {
  const char* name;
  Group group;
};

constexpr std::array<Phase, 12> phases = {{{"ior-easy-write", Group::bandwidth},
                                           {"mdtest-easy-write", Group::metadata},
                                           {"ior-hard-write", Group::bandwidth},
                                           {"mdtest-hard-write", Group::metadata},
                                           {"find", Group::metadata},
                                           {"ior-easy-read", Group::bandwidth},
                                           {"mdtest-easy-stat", Group::metadata},
                                           {"ior-hard-read", Group::bandwidth},
                                           {"mdtest-hard-stat", Group::metadata},
                                           {"mdtest-easy-delete", Group::metadata},
                                           {"mdtest-hard-read", Group::metadata},
                                           {"mdtest-hard-delete", Group::metadata}}};

/// The two files of a run with these rows.
struct Written {
  std::string result;
  std::string summary;
};

Written written(const std::vector<Row>& rows, bool valid) {
  const TemporaryFolder folder;
  {
    Report report;
    REQUIRE(report.open(folder.path));
    for (const Row& row : rows) {
      report.begin(row.name);
      report.add(row);
    }
    report.score(valid);
  }
  return {bytes_of(folder.path / "result.txt"), bytes_of(folder.path / "result_summary.txt")};
}

/// The value of a key in the [SCORE] section.
std::string score_of(const Written& files, const std::string& key) {
  std::istringstream text(files.result.substr(files.result.find("[SCORE]")));
  for (std::string line; std::getline(text, line);)
    if (line.starts_with(key + " ")) return line.substr(line.find("= ") + 2);
  FAIL("no " << key);
  return {};
}

/// The mean by its logarithm.
double geometric_mean(const std::vector<Row>& rows, Group group) {
  double sum = 0;
  int count = 0;
  for (const Row& row : rows)
    if (row.group == group) {
      sum += std::log(row.score);
      ++count;
    }
  return std::exp(sum / count);
}

std::vector<Row> any_rows() {
  std::vector<Row> rows;
  rows.reserve(phases.size());
  for (const Phase& phase : phases)
    rows.push_back({.name = phase.name,
                    .group = phase.group,
                    .score = *rc::gen::inRange(1, 100'000'000) / 1000.0,
                    .seconds = *rc::gen::inRange(1, 600'000) / 1000.0,
                    .valid = *rc::gen::arbitrary<bool>()});
  return rows;
}

}  // namespace

TEST_CASE("the score is the root of the two geometric means' product, of 4 and of 8 phases") {
  const bool holds = rc::check([] {
    const std::vector<Row> rows = any_rows();
    const Written files = written(rows, true);
    const double BW = geometric_mean(rows, Group::bandwidth);
    const double MD = geometric_mean(rows, Group::metadata);
    const auto near = [](const std::string& printed, double value) {
      return std::fabs(std::stod(printed) - value) <= 1e-6 + 1e-9 * value;
    };
    RC_ASSERT(near(score_of(files, "BW"), BW));
    RC_ASSERT(near(score_of(files, "MD"), MD));
    RC_ASSERT(near(score_of(files, "SCORE"), std::sqrt(BW * MD)));
  });
  CHECK(holds);
}

TEST_CASE("the score's hash is made of the version and all that is printed, and of invalidity") {
  const bool holds = rc::check([] {
    const std::vector<Row> rows = any_rows();
    for (const bool valid : {true, false}) {
      const Written files = written(rows, valid);
      std::uint32_t hash = hashed("version" + std::string(version));
      for (const Row& row : rows) hash ^= hashed(row.name + text("%f", row.score));
      const std::string score = score_of(files, "SCORE");
      hash ^= hashed("MD" + score_of(files, "MD")) ^ hashed("BW" + score_of(files, "BW")) ^
              hashed("SCORE" + score.substr(0, score.find(' ')));
      if (!valid) hash ^= hashed("validNO");
      RC_ASSERT(score_of(files, "hash") == text("%X", hash));
      RC_ASSERT(score.ends_with(" [INVALID]") == !valid);
    }
  });
  CHECK(holds);
}

TEST_CASE("result_summary.txt has IO500's rows, to the blank") {
  const std::vector<Row> rows = {{"ior-easy-write", Group::bandwidth, 1.5, 5.25, true},
                                 {"timestamp", Group::none, 0, 0.0004, true},
                                 {"mdtest-hard-delete", Group::metadata, 6, 0.1239, false}};
  const Written files = written(rows, false);
  CHECK(files.summary ==
        "[RESULT]       ior-easy-write        1.500000 GiB/s : time 5.250 seconds\n"
        "[      ]            timestamp        0.000000 kIOPS : time 0.000 seconds\n"
        "[RESULT]   mdtest-hard-delete        6.000000 kIOPS : time 0.124 seconds [INVALID]\n"
        "[SCORE ] Bandwidth 1.500000 GiB/s : IOPS 6.000000 kiops : TOTAL 3.000000 [INVALID]\n");
  CHECK(files.result ==
        "\n[ior-easy-write]\nscore           = 1.500000\n"
        "\n[timestamp]\n"
        "\n[mdtest-hard-delete]\nscore           = 6.000000\n"
        "\n[SCORE]\nMD              = 6.000000\nBW              = 1.500000\n"
        "SCORE           = 3.000000 [INVALID]\nhash            = " +
            score_of(files, "hash") + "\n");
}

TEST_CASE("a phase without a score leaves its mean to the others, as in the official program") {
  const std::vector<Row> rows = {{"ior-easy-write", Group::bandwidth, 2, 1, true},
                                 {"ior-hard-write", Group::bandwidth, 0, 1, false},
                                 {"ior-easy-read", Group::bandwidth, 8, 1, true},
                                 {"find", Group::metadata, 0, 1, false}};
  const Written files = written(rows, false);
  CHECK(score_of(files, "BW") == "4.000000");
  CHECK(score_of(files, "MD") == "0.000000");
  CHECK(score_of(files, "SCORE") == "0.000000 [INVALID]");
}

TEST_CASE("files that can't be written are a sentence") {
  Report report;
  CHECK(report.open("/no/such/folder").error() ==
        "can't write /no/such/folder/result.txt: No such file or directory");
}
