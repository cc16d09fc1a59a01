#include "suites/hpcg/reference/report.hpp"

#include <array>
#include <ctime>
#include <numeric>

namespace hpcg {
namespace {

constexpr double kGiga = 1e-9;
constexpr double kOfficialSeconds = 1800;
constexpr auto kSymmetry = "Departure from Symmetry |x'Ay-y'Ax|/(2*||x||*||A||*||y||)/epsilon";

/// Lines `Section::Name=value`, numbers with six significant digits.
class Section {
 public:
  Section(std::FILE* out, std::string name) : out_(out), name_(std::move(name)) {
    std::fprintf(out_, "%s=\n", name_.c_str());
  }
  void add(const char* key, double value) const {
    std::fprintf(out_, "%s::%s=%g\n", name_.c_str(), key, value);
  }
  void add(const char* key, int value) const { std::fprintf(out_, "%s::%s=%d\n", name_.c_str(), key, value); }
  void add(const char* key, std::int64_t value) const {
    std::fprintf(out_, "%s::%s=%lld\n", name_.c_str(), key, static_cast<long long>(value));
  }
  void add(const char* key, const char* value) const {
    std::fprintf(out_, "%s::%s=%s\n", name_.c_str(), key, value);
  }
  void result(bool passed) const { add("Result", passed ? "PASSED" : "FAILED"); }
  [[nodiscard]] Section within(const char* key) const { return {out_, name_ + "::" + key}; }

 private:
  std::FILE* out_;
  std::string name_;
};

std::string time_text(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 80> text{};
  std::strftime(text.data(), text.size(), format, &local);
  return text.data();
}

DatedFile open_dated(const char* format) {
  DatedFile dated{.file = nullptr, .name = time_text(format)};
  dated.file = std::fopen(dated.name.c_str(), "w");
  return dated;
}

void write_implementation(const Outcome& outcome, std::FILE* out) {
  const Section section(out, "Implementation Summary");
  section.add("Name", "shakedown HPCG reference 0.1.0");
  section.add("Kernels", outcome.options.plain ? "plain" : "optimised");
  for (std::size_t i = 0; i < outcome.measures.size(); ++i)
    section.add(("Optimisation " + std::to_string(i + 1)).c_str(), outcome.measures[i]);
}

void write_shape(const Outcome& outcome, std::FILE* out) {
  const Geometry& g = outcome.geometry;
  const Section machine(out, "Machine Summary");
  machine.add("Distributed Processes", g.ranks());
  machine.add("Threads per processes", outcome.threads);
  const Section global(out, "Global Problem Dimensions");
  global.add("Global nx", g.global[0]);
  global.add("Global ny", g.global[1]);
  global.add("Global nz", g.global[2]);
  const Section processor(out, "Processor Dimensions");
  processor.add("npx", g.grid.x);
  processor.add("npy", g.grid.y);
  processor.add("npz", g.grid.z);
  const Section local(out, "Local Domain Dimensions");
  local.add("nx", g.local.x);
  local.add("ny", g.local.y);
  if (g.layers.pz > 0) {
    local.add("Lower ipz", 0);
    local.add("Upper ipz", g.layers.pz - 1);
    local.add("nz", g.layers.lower);
  }
  local.add("Lower ipz", g.layers.pz);
  local.add("Upper ipz", g.grid.z - 1);
  local.add("nz", g.layers.upper);
}

void write_problem(const Outcome& outcome, std::FILE* out) {
  const LevelSizes& levels = outcome.levels;
  std::fprintf(out, "########## Problem Summary  ##########=\n");
  const Section setup(out, "Setup Information");
  setup.add("Setup Time", outcome.setup_seconds);
  const Section system(out, "Linear System Information");
  system.add("Number of Equations", levels[0].rows);
  system.add("Number of Nonzero Terms", levels[0].nonzeros);
  const Section multigrid(out, "Multigrid Information");
  multigrid.add("Number of coarse grid levels", kLevels - 1);
  const Section coarse = multigrid.within("Coarse Grids");
  for (int level = 1; level < kLevels; ++level) {
    coarse.add("Grid Level", level);
    coarse.add("Number of Equations", levels[level].rows);
    coarse.add("Number of Nonzero Terms", levels[level].nonzeros);
    coarse.add("Number of Presmoother Steps", 1);
    coarse.add("Number of Postsmoother Steps", 1);
  }
}

void write_memory(const Outcome& outcome, std::FILE* out) {
  const auto by_level = problem_bytes(outcome.levels, outcome.sets);
  const double total = std::accumulate(by_level.begin(), by_level.end(), outcome.optimised_bytes);
  std::fprintf(out, "########## Memory Use Summary  ##########=\n");
  const Section memory(out, "Memory Use Information");
  memory.add("Total memory used for data (Gbytes)", total * kGiga);
  memory.add("Memory used for OptimizeProblem data (Gbytes)", outcome.optimised_bytes * kGiga);
  memory.add("Bytes per equation (Total memory / Number of Equations)",
             total / static_cast<double>(outcome.levels[0].rows));
  memory.add("Memory used for linear system and CG (Gbytes)", by_level[0] * kGiga);
  const Section coarse = memory.within("Coarse Grids");
  for (int level = 1; level < kLevels; ++level) {
    coarse.add("Grid Level", level);
    coarse.add("Memory used", by_level[level] * kGiga);
  }
}

void write_tests(const Outcome& outcome, std::FILE* out) {
  std::fprintf(out, "########## V&V Testing Summary  ##########=\n");
  const Section spectral(out, "Spectral Convergence Tests");
  spectral.result(outcome.spectral.passed());
  const Section without = spectral.within("Unpreconditioned");
  without.add("Maximum iteration count", outcome.spectral.unpreconditioned);
  without.add("Expected iteration count", SpectralTest::most_unpreconditioned);
  const Section with = spectral.within("Preconditioned");
  with.add("Maximum iteration count", outcome.spectral.preconditioned);
  with.add("Expected iteration count", SpectralTest::most_preconditioned);
  const Section symmetry(out, kSymmetry);
  symmetry.result(outcome.symmetry.passed());
  symmetry.add("Departure for SpMV", outcome.symmetry.product);
  symmetry.add("Departure for MG", outcome.symmetry.multigrid);
  std::fprintf(out, "########## Iterations Summary  ##########=\n");
  const Section iterations(out, "Iteration Count Information");
  iterations.result(outcome.converged);
  iterations.add("Reference CG iterations per set", kReferenceIterations);
  iterations.add("Optimized CG iterations per set", outcome.iterations);
  iterations.add("Total number of reference iterations", kReferenceIterations * outcome.sets);
  iterations.add("Total number of optimized iterations", outcome.iterations * outcome.sets);
  std::fprintf(out, "########## Reproducibility Summary  ##########=\n");
  const Section norms(out, "Reproducibility Information");
  norms.result(outcome.norms.passed());
  norms.add("Scaled residual mean", outcome.norms.mean);
  norms.add("Scaled residual variance", outcome.norms.variance);
}

void write_rates(const Outcome& outcome, std::FILE* out) {
  const double sets = outcome.sets;
  const double iterations = outcome.iterations;
  const Times& times = outcome.times;
  const Count flop = operations(outcome.levels, sets, iterations);
  const double read = bytes_read(outcome.levels, sets, iterations).total();
  const double written = bytes_written(outcome.levels, sets, iterations).total();
  const double convergence = kReferenceIterations / iterations;
  const Ratings rates = ratings(outcome);
  std::fprintf(out, "########## Performance Summary (times in sec) ##########=\n");
  const Section time(out, "Benchmark Time Summary");
  time.add("Optimization phase", outcome.optimisation_seconds);
  time.add("DDOT", times.dot);
  time.add("WAXPBY", times.combine);
  time.add("SpMV", times.product);
  time.add("MG", times.multigrid);
  time.add("Total", times.total);
  const Section counts(out, "Floating Point Operations Summary");
  counts.add("Raw DDOT", flop.dot);
  counts.add("Raw WAXPBY", flop.combine);
  counts.add("Raw SpMV", flop.product);
  counts.add("Raw MG", flop.multigrid);
  counts.add("Total", flop.total());
  counts.add("Total with convergence overhead", flop.total() * convergence);
  const Section bandwidth(out, "GB/s Summary");
  bandwidth.add("Raw Read B/W", read / times.total * kGiga);
  bandwidth.add("Raw Write B/W", written / times.total * kGiga);
  bandwidth.add("Raw Total B/W", (read + written) / times.total * kGiga);
  bandwidth.add("Total with convergence and optimization phase overhead",
                (read + written) / times.total * kGiga * rates.final / rates.raw);
  const Section gflops(out, "GFLOP/s Summary");
  gflops.add("Raw DDOT", flop.dot / times.dot * kGiga);
  gflops.add("Raw WAXPBY", flop.combine / times.combine * kGiga);
  gflops.add("Raw SpMV", flop.product / times.product * kGiga);
  gflops.add("Raw MG", flop.multigrid / times.multigrid * kGiga);
  gflops.add("Raw Total", rates.raw);
  gflops.add("Total with convergence overhead", rates.with_convergence);
  gflops.add("Total with convergence and optimization phase overhead", rates.final);
  const Section overheads(out, "User Optimization Overheads");
  overheads.add("Optimization phase time (sec)", outcome.optimisation_seconds);
  overheads.add("Optimization phase time vs reference SpMV+MG time",
                outcome.optimisation_seconds / outcome.reference_seconds);
  const Section variations(out, "DDOT Timing Variations");
  variations.add("Min DDOT MPI_Allreduce time", outcome.least_allreduce);
  variations.add("Max DDOT MPI_Allreduce time", outcome.most_allreduce);
  variations.add("Avg DDOT MPI_Allreduce time", outcome.mean_allreduce);
}

void write_verdict(const Outcome& outcome, std::FILE* out) {
  const Section summary(out, "Final Summary");
  if (!outcome.valid()) {
    summary.add("HPCG result is", "INVALID.");
    summary.add("Please review the YAML file contents",
                "You may NOT submit these results for consideration.");
    return;
  }
  const Ratings rates = ratings(outcome);
  summary.add("HPCG result is VALID with a GFLOP/s rating of", rates.final);
  summary.add("HPCG 2.4 rating for historical reasons is", rates.historical);
  if (outcome.options.plain) {
    constexpr auto suboptimal = "Performance results are most likely suboptimal";
    summary.add("Reference version of ComputeDotProduct used", suboptimal);
    summary.add("Reference version of ComputeSPMV used", suboptimal);
    if (outcome.threads > 1)
      summary.add("Reference version of ComputeMG used and number of threads greater than 1",
                  "Performance results are severely suboptimal");
    else
      summary.add("Reference version of ComputeMG used", suboptimal);
    summary.add("Reference version of ComputeWAXPBY used", suboptimal);
  }
  if (outcome.times.total >= kOfficialSeconds) {
    summary.add("Please upload results from the YAML file contents to", "http://hpcg-benchmark.org");
    return;
  }
  summary.add("Results are valid but execution time (sec) is", outcome.times.total);
  if (outcome.options.seconds == 0) {
    summary.add("You have selected the QuickPath option",
                "Results are official for legacy installed systems with confirmation from the HPCG Benchmark "
                "leaders.");
    summary.add("After confirmation please upload results from the YAML file contents to",
                "http://hpcg-benchmark.org");
  } else {
    summary.add("Official results execution time (sec) must be at least", kOfficialSeconds);
  }
}

}  // namespace

Ratings ratings(const Outcome& outcome) {
  const double sets = outcome.sets;
  const double giga = operations(outcome.levels, sets, outcome.iterations).total() * kGiga;
  const double counted = giga * kReferenceIterations / outcome.iterations;
  const double seconds = outcome.times.total;
  const double optimising = sets * outcome.optimisation_seconds / 10;
  const double setup = sets * outcome.setup_seconds / 10;
  return {.raw = giga / seconds,
          .with_convergence = counted / seconds,
          .final = counted / (seconds + optimising + setup),
          .historical = counted / (seconds + optimising)};
}

void write_report(const Outcome& outcome, std::FILE* out) {
  std::fprintf(out, "%s\n", kBanner);
  std::fprintf(out, "HPCG-Benchmark\nversion=3.1\nRelease date=March 28, 2019\n");
  write_implementation(outcome, out);
  write_shape(outcome, out);
  write_problem(outcome, out);
  write_memory(outcome, out);
  write_tests(outcome, out);
  write_rates(outcome, out);
  write_verdict(outcome, out);
}

DatedFile open_report() {
  return open_dated("HPCG-Benchmark_3.1_%Y-%m-%d_%H-%M-%S.txt");
}

DatedFile open_log() {
  return open_dated("hpcg%Y%m%dT%H%M%S.txt");
}

}  // namespace hpcg
