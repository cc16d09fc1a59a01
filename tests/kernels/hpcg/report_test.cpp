#include "suites/hpcg/reference/report.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "tests/mpi_session.hpp"

using namespace hpcg;

namespace {

struct Line {
  std::string key;
  std::string value;
};

/// "key=value", line by line; lines before `begin` are skipped.
std::vector<Line> lines_of(std::istream& text, const std::string& begin) {
  std::vector<Line> lines;
  bool begun = false;
  for (std::string line; std::getline(text, line);) {
    begun = begun || line == begin;
    const std::size_t equals = line.find('=');
    if (begun) lines.push_back({line.substr(0, equals), equals < line.size() ? line.substr(equals + 1) : ""});
  }
  return lines;
}

constexpr auto kBegin = "Machine Summary=";

/// A report of the official program, of a run that was really made.
std::vector<Line> official(const std::string& name) {
  std::ifstream file(TEST_FOLDER "/fixtures/hpcg/" + name);
  REQUIRE(file);
  return lines_of(file, kBegin);
}

std::string value(const std::vector<Line>& lines, const std::string& key) {
  for (const Line& line : lines)
    if (line.key == key) return line.value;
  FAIL("no " << key);
  return {};
}

double number(const std::vector<Line>& lines, const std::string& key) {
  return std::strtod(value(lines, key).c_str(), nullptr);
}

int count(const std::vector<Line>& lines, const std::string& key) {
  return static_cast<int>(number(lines, key));
}

/// The sizes of all levels, as each rank generates them.
LevelSizes sizes(const Geometry& finest) {
  LevelSizes all;
  for (int rank = 0; rank < finest.ranks(); ++rank) {
    const auto levels = generate_levels(geometry(rank, finest.grid, finest.local, {}));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const System& system = levels[i].system;
      all[i].nonzeros += system.matrix.nonzeros();
      if (rank > 0) continue;
      all[i].rows = system.matrix.all_rows;
      all[i].columns = std::int64_t{system.columns()} * finest.ranks();
      all[i].sent = system.halo.sent();
      all[i].neighbours = system.halo.neighbours();
    }
  }
  return all;
}

/// What the official program measured; all else in its report must follow.
Outcome measured(const std::vector<Line>& report) {
  start_mpi();
  const auto box = [&](const std::string& prefix) {
    return Box{count(report, prefix + "x"), count(report, prefix + "y"), count(report, prefix + "z")};
  };
  const std::string symmetry = "Departure from Symmetry |x'Ay-y'Ax|/(2*||x||*||A||*||y||)/epsilon::";
  Outcome outcome;
  outcome.options.plain = true;
  outcome.geometry = geometry(0, box("Processor Dimensions::np"), box("Local Domain Dimensions::n"), {});
  outcome.levels = sizes(outcome.geometry);
  outcome.setup_seconds = number(report, "Setup Information::Setup Time");
  outcome.optimisation_seconds = number(report, "Benchmark Time Summary::Optimization phase");
  outcome.reference_seconds =
      outcome.optimisation_seconds /
      number(report, "User Optimization Overheads::Optimization phase time vs reference SpMV+MG time");
  const std::string spectral = "Spectral Convergence Tests::";
  outcome.spectral = {count(report, spectral + "Unpreconditioned::Maximum iteration count"),
                      count(report, spectral + "Preconditioned::Maximum iteration count")};
  outcome.symmetry = {number(report, symmetry + "Departure for SpMV"),
                      number(report, symmetry + "Departure for MG")};
  outcome.norms = {number(report, "Reproducibility Information::Scaled residual mean"),
                   number(report, "Reproducibility Information::Scaled residual variance")};
  const std::string iterations = "Iteration Count Information::";
  outcome.converged = value(report, iterations + "Result") == "PASSED";
  outcome.iterations = count(report, iterations + "Optimized CG iterations per set");
  outcome.sets = count(report, iterations + "Total number of optimized iterations") / outcome.iterations;
  outcome.times = {.total = number(report, "Benchmark Time Summary::Total"),
                   .dot = number(report, "Benchmark Time Summary::DDOT"),
                   .combine = number(report, "Benchmark Time Summary::WAXPBY"),
                   .product = number(report, "Benchmark Time Summary::SpMV"),
                   .multigrid = number(report, "Benchmark Time Summary::MG")};
  const std::string variations = "DDOT Timing Variations::";
  outcome.least_allreduce = number(report, variations + "Min DDOT MPI_Allreduce time");
  outcome.most_allreduce = number(report, variations + "Max DDOT MPI_Allreduce time");
  outcome.mean_allreduce = number(report, variations + "Avg DDOT MPI_Allreduce time");
  return outcome;
}

std::vector<Line> written(const Outcome& outcome) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  write_report(outcome, stream);
  std::fclose(stream);
  const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
  std::istringstream in(text);
  return lines_of(in, kBegin);
}

}  // namespace

TEST_CASE("from what the official program measured follows its report, line by line") {
  for (const auto& [name, seconds] : {std::pair("official-too-short.txt", 6),
                                      {"official-quick-path.txt", 0},
                                      {"official-invalid.txt", 2}}) {
    const std::vector<Line> theirs = official(name);
    Outcome outcome = measured(theirs);
    outcome.options.seconds = seconds;
    const std::vector<Line> ours = written(outcome);
    REQUIRE(ours.size() == theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      INFO(name << ": " << theirs[i].key << "=" << theirs[i].value << ", ours " << ours[i].value);
      CHECK(ours[i].key == theirs[i].key);
      char* end = nullptr;
      const double number = std::strtod(theirs[i].value.c_str(), &end);
      // Rates are computed here from times of six digits.
      if (*end == '\0' && !theirs[i].value.empty())
        CHECK(std::strtod(ours[i].value.c_str(), nullptr) == Approx(number).epsilon(2e-5));
      else
        CHECK(ours[i].value == theirs[i].value);
    }
  }
}

TEST_CASE(
    "more iterations than the reference's count as time, not as work; setup and optimisation as a tenth") {
  Outcome outcome = measured(official("official-quick-path.txt"));
  outcome.iterations = 60;
  outcome.sets = 4;
  outcome.times.total = 8;
  outcome.setup_seconds = 5;
  outcome.optimisation_seconds = 10;
  const double all = operations(outcome.levels, 4, 60).total() * 1e-9;
  const Ratings rates = ratings(outcome);
  CHECK(rates.raw == Approx(all / 8));
  CHECK(rates.with_convergence == Approx(all * 50 / 60 / 8));
  CHECK(rates.final == Approx(all * 50 / 60 / (8 + 4 * (0.5 + 1))));
  CHECK(rates.historical == Approx(all * 50 / 60 / (8 + 4 * 1)));
}

TEST_CASE("any test that failed takes the rating away") {
  const Outcome good = measured(official("official-quick-path.txt"));
  REQUIRE(good.valid());
  std::vector<Outcome> bad(5, good);
  bad[0].spectral.unpreconditioned = 13;
  bad[1].spectral.preconditioned = 3;
  bad[2].symmetry.multigrid = 1.5;
  bad[3].norms.variance = 1e-5;
  bad[4].converged = false;
  for (const Outcome& outcome : bad) {
    CHECK_FALSE(outcome.valid());
    const std::vector<Line> report = written(outcome);
    int failed = 0;
    for (const Line& line : report) {
      CHECK(line.key.find("rating") == std::string::npos);
      failed += line.value == "FAILED" ? 1 : 0;
    }
    CHECK(failed == 1);
    CHECK(value(report, "Final Summary::HPCG result is") == "INVALID.");
  }
}

TEST_CASE("a run of 1800 s may be sent in, a shorter one says what it lacks") {
  Outcome outcome = measured(official("official-quick-path.txt"));
  outcome.times.total = 1800;
  CHECK(written(outcome).back().key == "Final Summary::Please upload results from the YAML file contents to");
  outcome.times.total = 1799;
  outcome.options.seconds = 60;
  CHECK(written(outcome).back().value == "1800");
}
